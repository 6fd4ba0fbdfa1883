#include "studio/render_request.hpp"

#include <nlohmann/json.hpp>

#include "app/arguments.hpp"
#include "app/batch/batch.hpp"
#include "app/presets/settings.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "io/digest.hpp"
#include "studio/message_values.hpp"

namespace dapple::studio {
namespace {

using app::Json;

std::string digest_of(const Strokes& strokes) {
  Digest digest;
  const auto add = [&](double value) {
    digest.add({reinterpret_cast<const char*>(&value), sizeof value});
  };
  for (const auto& stroke : strokes) {
    add(static_cast<double>(stroke->tool));
    add(stroke->size);
    add(stroke->softness);
    add(static_cast<double>(stroke->points.size()));
    for (const Vec2 p : stroke->points) {
      add(p.x);
      add(p.y);
    }
  }
  return digest.text();
}

}  // namespace

std::string RenderRequest::key() const {
  Json object{{"command", command}, {"preset", preset}, {"settings", settings}, {"input", input}};
  return strokes.empty() ? object.dump() : object.dump() + digest_of(strokes);
}

RenderRequest request_of(const Json& message, const std::string& input) {
  RenderRequest request;
  request.command = text_at(message, "command");
  request.preset = text_at(message, "preset");
  const auto number = message.find("number");
  const auto settings = message.find("settings");
  if (number == message.end() || !number->is_number_integer() || settings == message.end() ||
      !settings->is_object()) {
    throw Error(ErrorKind::usage, "a request needs a number and settings");
  }
  request.number = number->get<int>();
  for (const auto& [name, text] : settings->items()) {
    if (!text.is_string()) throw Error(ErrorKind::usage, Problem{name, "must be a text"});
    request.settings[name] = text.get<std::string>();
  }
  const Operation* const operation = find_operation(request.command);
  if (operation == nullptr) {
    throw Error(ErrorKind::usage, "there is no operation '" + request.command + "'");
  }
  if (operation->input != InputKind::none) request.input = input;
  return request;
}

app::Run run_of(const RenderRequest& request, Context& context, const Operation* as) {
  app::Run run(as != nullptr ? *as : *find_operation(request.command));
  document_rules(run.operation->pairs, run.options);
  if (!request.preset.empty()) app::take_preset(request.preset, run, &context.seed);
  run.input = request.input;
  std::vector<Problem> problems;
  for (const auto& [name, text] : request.settings) {
    app::attempt(problems, [&name = name, &text = text, &run, &context] {
      if (name != "seed") return app::set_option(name, text, run);
      OptionList list;
      list.add("seed", context.seed, "").set(text);
    });
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  if (const std::string problem = app::input_problem(run); !problem.empty()) {
    throw Error(ErrorKind::usage, request.command + " needs a picture: dapple studio PICTURE");
  }
  problems = app::option_problems(run, !run.input.empty());
  if (!problems.empty()) throw Error(ErrorKind::usage, std::move(problems));
  return run;
}

std::string command_line(const RenderRequest& request, const std::vector<std::string>& outputs) {
  std::string line = "dapple " + request.command;
  const auto add = [&](const std::string& word) { line += " " + app::shell_quoted(word); };
  if (!request.input.empty()) add(request.input);
  if (!request.preset.empty()) {
    add("--preset");
    add(request.preset);
  }
  const app::Run run(*find_operation(request.command));
  for (const auto& [name, text] : request.settings) {
    const Option* const option = run.options.find(name);
    if (option != nullptr && option->type == OptionType::flag) {
      add((text == "true" ? "--" : "--no-") + name);
      continue;
    }
    add("--" + name);
    add(text);
  }
  for (const std::string& output : outputs) {
    add("-o");
    add(output);
  }
  return line;
}

}  // namespace dapple::studio

#include "studio/wish.hpp"

#include <nlohmann/json.hpp>

#include "app/arguments.hpp"
#include "app/batch/batch.hpp"
#include "app/presets/settings.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/options.hpp"
#include "io/digest.hpp"

namespace dapple::studio {
namespace {

using app::Json;

std::string text_at(const Json& object, const char* name, const std::string& otherwise) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

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

std::string Wish::key() const {
  Json object{{"command", command}, {"preset", preset}, {"settings", settings}, {"input", input}};
  return strokes.empty() ? object.dump() : object.dump() + digest_of(strokes);
}

Wish wish_of(const Json& message, const std::string& input) {
  Wish wish;
  wish.command = text_at(message, "command", "");
  wish.preset = text_at(message, "preset", "");
  const auto number = message.find("number");
  const auto settings = message.find("settings");
  if (number == message.end() || !number->is_number_integer() || settings == message.end() ||
      !settings->is_object()) {
    throw Error(ErrorKind::usage, "a wish has a number and settings");
  }
  wish.number = number->get<int>();
  for (const auto& [name, text] : settings->items()) {
    if (!text.is_string()) throw Error(ErrorKind::usage, Problem{name, "is set by a text"});
    wish.settings[name] = text.get<std::string>();
  }
  const Operation* const operation = find_operation(wish.command);
  if (operation == nullptr) {
    throw Error(ErrorKind::usage, "there is no operation '" + wish.command + "'");
  }
  if (operation->input != InputKind::none) wish.input = input;
  return wish;
}

app::Run run_of(const Wish& wish, Context& context, const Operation* as) {
  app::Run run(as != nullptr ? *as : *find_operation(wish.command));
  tell_needs(run.operation->pairs, run.options);
  if (!wish.preset.empty()) app::take_preset(wish.preset, run, &context.seed);
  run.input = wish.input;
  std::vector<Problem> problems;
  for (const auto& [name, text] : wish.settings) {
    app::attempt(problems, [&name = name, &text = text, &run, &context] {
      if (name != "seed") return app::set_option(name, text, run);
      OptionList list;
      list.add("seed", context.seed, "").set(text);
    });
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  if (const std::string problem = app::input_problem(run); !problem.empty()) {
    throw Error(ErrorKind::usage, wish.command + " needs a picture: dapple studio PICTURE");
  }
  problems = app::option_problems(run, !run.input.empty());
  if (!problems.empty()) throw Error(ErrorKind::usage, std::move(problems));
  return run;
}

std::string command_line(const Wish& wish, const std::vector<std::string>& outputs) {
  std::string line = "dapple " + wish.command;
  const auto add = [&](const std::string& word) { line += " " + app::shell_quoted(word); };
  if (!wish.input.empty()) add(wish.input);
  if (!wish.preset.empty()) {
    add("--preset");
    add(wish.preset);
  }
  const app::Run run(*find_operation(wish.command));
  for (const auto& [name, text] : wish.settings) {
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

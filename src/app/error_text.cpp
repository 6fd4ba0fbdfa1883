// Turns option names in messages of the library into flags.
#include "app/error_text.hpp"

#include <functional>
#include <set>

#include "app/command.hpp"
#include "app/escape_text.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

bool is_option(std::string_view name) {
  static const auto names = [] {
    std::set<std::string, std::less<>> all;
    for (const Command& command : commands()) {
      const std::unique_ptr<const Invocation> invocation = command.make();
      for (const OptionList* list : {&invocation->options(), &invocation->common}) {
        for (const auto& option : *list) {
          all.insert(option->name);
          if (!option->other_name.empty()) all.insert(option->other_name);
          if (option->type == OptionType::flag) all.insert("no-" + option->name);
        }
      }
    }
    return all;
  }();
  return names.contains(name);
}

}  // namespace

std::string as_flags(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto end = text[at] == '`' ? text.find('`', at + 1) : std::string_view::npos;
    if (end != std::string_view::npos) {
      const std::string_view mention = text.substr(at + 1, end - at - 1);
      if (is_option(mention.substr(0, mention.find(' ')))) {
        out.append("--").append(mention);
        at = end;
        continue;
      }
    }
    out += text[at];
  }
  return out;
}

std::string text_of(const Problem& problem) {
  if (!problem.place.empty()) return on_one_line(problem.text());
  return on_one_line((problem.option.empty() ? "" : "--" + problem.option + ": ") +
                     as_flags(problem.message));
}

std::string text_of(const Error& error) {
  std::string text;
  for (const Problem& problem : error.problems()) {
    text += (text.empty() ? "" : "\n") + text_of(problem);
  }
  return text;
}

}  // namespace dapple::app

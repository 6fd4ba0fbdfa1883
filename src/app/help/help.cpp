// Formats text about commands from their descriptions.
#include "app/help/help.hpp"

#include <algorithm>

#include "app/error_text.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/version.hpp"

namespace dapple::app {
namespace {

constexpr std::size_t column = 30;  // where the meaning of an option starts
// In the short help: more of them take more than one look.
constexpr std::size_t most_short_examples = 5;
constexpr std::size_t most_short_choices = 8;

std::string row(const std::string& left, const std::string& right, std::size_t indent) {
  std::string text = "  " + left;
  if (text.size() + 2 > indent) {
    text += "\n" + std::string(indent, ' ');
  } else {
    text += std::string(indent - text.size(), ' ');
  }
  return text + wrapped(right, indent) + "\n";
}

std::string example_text(const Example& example) {
  return "  dapple " + as_flags(example.command) + "\n      " + wrapped(example.says, 6) + "\n";
}

// Returns one line per command. The help of the command shows operands that are too long here.
std::string command_rows() {
  constexpr std::size_t indent = 21;
  std::string text;
  for (const Command& command : commands()) {
    const std::string left =
        command.name + (command.operands.empty() ? "" : " ") + command.operands;
    text += row(left.size() + 4 > indent ? command.name : left, command.summary, indent);
  }
  return text;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t used = indent;
  while (!text.empty()) {
    const auto end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    const bool first = out.empty() || out.back() == ' ';
    if (used > indent && used + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!first && used > indent) {
      out += " ";
      ++used;
    }
    out += word;
    used += word.size();
    if (end == std::string_view::npos) break;
    if (text[end] == '\n') {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

std::vector<OptionSection> sections_of(const Invocation& invocation) {
  std::vector<OptionSection> sections;
  for (const OptionList* list : {&invocation.options(), &invocation.common}) {
    for (const auto& option : *list) {
      const std::string title = option->group.empty() ? "Options" : option->group;
      auto section = std::find_if(sections.begin(), sections.end(),
                                  [&](const auto& known) { return known.title == title; });
      if (section == sections.end()) section = sections.insert(section, {title, {}});
      section->options.push_back(option);
    }
  }
  return sections;
}

std::string flags_of(const Option& option) {
  std::string text;
  if (option.short_name != 0) text += std::string("-") + option.short_name + ", ";
  text += "--" + option.name;
  if (option.type != OptionType::flag) return text + " " + option.meta;
  if (option.default_text == "true") text += ", --no-" + option.name;
  return text;
}

std::string short_doc(const Option& option) {
  return as_flags(option.doc.substr(0, option.doc.find(';')));
}

std::string meaning_of(const Option& option, Shown shown) {
  const bool all = shown == Shown::all;
  std::string text = all ? as_flags(option.doc) : short_doc(option);
  std::string values;
  const auto add = [&values](const std::string& part) {
    values += (values.empty() ? "" : "; ") + part;
  };
  if (option.minimum && option.maximum) {
    add("from " + plain_number(*option.minimum) + " to " + plain_number(*option.maximum));
  } else if (option.minimum && *option.minimum > -1e300) {
    add("at least " + plain_number(*option.minimum));
  } else if (option.maximum) {
    add("at most " + plain_number(*option.maximum));
  }
  if (!option.unit_name.empty()) {
    if (values.empty()) {
      add("in " + option.unit_name);
    } else {
      values += " " + option.unit_name;
    }
  }
  if (!option.choices.empty() && option.meta.find('|') == std::string::npos &&
      (all || option.choices.size() <= most_short_choices)) {
    std::string words;
    for (const std::string& word : option.choices) words += (words.empty() ? "" : ", ") + word;
    if (!option.other_form.empty()) words += "; or " + option.other_form;
    add("one of " + words);
  }
  if (option.type == OptionType::flag) {
    if (option.default_text == "true") add("default: on");
  } else if (!option.default_text.empty()) {
    add("default: " + option.default_text);
  }
  return values.empty() ? text : text + " (" + values + ")";
}

std::string usage_of(const Command& command, const Invocation& invocation) {
  std::string text = "dapple " + command.name;
  if (!command.operands.empty()) text += " " + command.operands;
  if (invocation.common.find("out") != nullptr) text += " [-o FILE ...]";
  return text + " [options]";
}

std::string help_of(const Command& command, Shown shown) {
  const auto invocation = command.make();
  const OptionList& own = invocation->options();
  const auto is_essential = [](const auto& option) { return option->is_essential; };
  const bool all = shown == Shown::all || std::none_of(own.begin(), own.end(), is_essential);
  std::string text = "dapple " + command.name + ": " + command.summary +
                     "\n\nUsage: " + usage_of(command, *invocation) + "\n";
  const std::size_t examples =
      all ? command.examples.size() : std::min(most_short_examples, command.examples.size());
  if (examples > 0) {
    text += "\nExamples:\n";
    for (std::size_t i = 0; i < examples; ++i) text += example_text(command.examples[i]);
  }
  if (!command.details.empty()) {
    const std::string_view details(command.details);
    const auto end = all ? std::string_view::npos : details.find("\n\n");
    text += "\n" + wrapped(as_flags(std::string(details.substr(0, end))), 0) + "\n";
  }
  std::size_t left_out = 0;
  for (const OptionSection& section : sections_of(*invocation)) {
    std::string rows;
    for (const Option* option : section.options) {
      if (all || option->is_essential) {
        rows += row(flags_of(*option), meaning_of(*option, all ? Shown::all : Shown::essential),
                    column);
      } else {
        ++left_out;
      }
    }
    if (!rows.empty()) text += "\n" + section.title + ":\n" + rows;
  }
  if (left_out > 0) {
    text += "\n`dapple " + command.name + " --help all` explains " + std::to_string(left_out) +
            " more options";
    const std::size_t more = command.examples.size() - examples;
    text += more > 0 ? " and shows " + std::to_string(more) + " more examples.\n" : ".\n";
  }
  return text;
}

// Returns a text that fits a screen of 24 lines of 80 characters.
std::string program_help() {
  std::string codes =
      "Try `dapple stipple photo.jpg`. `dapple COMMAND --help` explains a command "
      "and `--help all` all its options. Exit codes:";
  for (const ExitStatus& status : exit_statuses) {
    codes += (codes.ends_with(':') ? " " : ", ") + std::to_string(status.code) + " " +
             std::string(status.word);
  }
  return "dapple: blue noise from images - stippling, masks, cell textures, dithering\n"
         "Usage: dapple COMMAND [INPUT] -o OUTPUT [-o OUTPUT ...] [options]\n\nCommands:\n" +
         command_rows() + "\n" + wrapped(codes + ".", 0, 80) + "\n";
}

std::string version_text() {
  std::string compiler = __VERSION__;
#if defined(__clang__)
  compiler = "clang " + compiler;
#elif defined(__GNUC__)
  compiler = "g++ " + compiler;
#endif
  return "dapple " DAPPLE_VERSION "\nbuild: " DAPPLE_BUILD_TYPE ", " + compiler +
         "\nlibraries: OpenImageIO " DAPPLE_OPENIMAGEIO_VERSION ", " DAPPLE_THREADS_TEXT
         ", Eigen " DAPPLE_EIGEN_VERSION ", Highway " DAPPLE_HIGHWAY_VERSION "\n";
}

}  // namespace dapple::app

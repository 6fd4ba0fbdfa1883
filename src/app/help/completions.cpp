// Prints shell completions from the same descriptions as --help.
#include <array>

#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/help/help.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

constexpr std::array<std::string_view, 3> shells{"bash", "fish", "zsh"};

// Returns all long flags of an option as typed.
std::vector<std::string> long_flags(const Option& option) {
  std::vector<std::string> flags{"--" + option.name};
  if (option.type == OptionType::flag && option.default_text == "true") {
    flags.push_back("--no-" + option.name);
  }
  return flags;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Quotes `text` in single quotes for a POSIX shell.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<const Option*> all_options(const Invocation& invocation) {
  std::vector<const Option*> options;
  for (const OptionSection& section : sections_of(invocation)) {
    options.insert(options.end(), section.options.begin(), section.options.end());
  }
  return options;
}

std::string command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return joined(names);
}

std::string bash() {
  std::string flags, values;
  for (const Command& command : commands()) {
    const auto invocation = command.make();
    std::vector<std::string> words;
    for (const Option* option : all_options(*invocation)) {
      for (const std::string& flag : long_flags(*option)) words.push_back(flag);
      if (option->choices.empty() || option->type == OptionType::list) continue;
      values += "    " + command.name + ":--" + option->name +
                ") words=" + in_quotes(joined(option->choices)) + " ;;\n";
    }
    flags += "    " + command.name + ") words=" + in_quotes(joined(words)) + " ;;\n";
  }
  return "# bash completion for dapple: put it where bash-completion looks, or source it.\n"
         "_dapple() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} words=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W " +
         in_quotes(command_names() + " --help --version") +
         " -- \"$current\"))\n"
         "    return\n  fi\n"
         "  case $command:$previous in\n" +
         values +
         "    *:--preset|presets:presets) words=$(dapple presets --names 2>/dev/null) ;;&\n"
         "    presets:presets) words=\"save pens machines $words\" ;;\n"
         "    completions:*) words='bash fish zsh' ;;\n"
         "    man:*|docs:*|help:*) words=" +
         in_quotes(command_names()) +
         " ;;\n"
         "  esac\n"
         "  if [ -n \"$words\" ] && [[ $current != -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n    return\n  fi\n"
         "  if [[ $current != -* ]]; then\n"
         "    COMPREPLY=($(compgen -f -- \"$current\"))\n    return\n  fi\n"
         "  case $command in\n" +
         flags +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _dapple dapple\n";
}

std::string fish() {
  std::string text =
      "# fish completion for dapple: save as dapple.fish in the completions folder.\n";
  for (const Command& command : commands()) {
    text += "complete -c dapple -n __fish_use_subcommand -f -a " + command.name + " -d " +
            in_quotes(command.summary) + "\n";
  }
  for (const Command& command : commands()) {
    const auto invocation = command.make();
    const std::string start =
        "complete -c dapple -n '__fish_seen_subcommand_from " + command.name + "' ";
    for (const Option* option : all_options(*invocation)) {
      std::string line = start + "-l " + option->name;
      if (option->short_name != 0) line += std::string(" -s ") + option->short_name;
      if (!option->choices.empty()) {
        line += " -x -a " + in_quotes(joined(option->choices));
      } else if (option->name == "preset") {
        line += " -x -a '(dapple presets --names -q)'";
      } else if (option->type != OptionType::flag) {
        line += " -r";
      }
      text += line + " -d " + in_quotes(short_doc(*option)) + "\n";
      if (option->type == OptionType::flag && option->default_text == "true") {
        text += start + "-l no-" + option->name + " -d " +
                in_quotes("Turn off: " + short_doc(*option)) + "\n";
      }
    }
  }
  text +=
      "complete -c dapple -n '__fish_seen_subcommand_from presets' -f -a 'save pens machines "
      "(dapple presets --names -q)'\n";
  return text;
}

// Escapes brackets and colons, which are special in a message of _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh() {
  std::string text =
      "#compdef dapple\n"
      "# zsh completion for dapple: save as _dapple in a folder of $fpath.\n"
      "local -a names\nnames=(\n";
  for (const Command& command : commands()) {
    text += "  " + in_quotes(command.name + ":" + command.summary) + "\n";
  }
  text +=
      ")\nif (( CURRENT == 2 )); then\n  _describe command names\n  return\nfi\n"
      "shift words\n(( CURRENT-- ))\ncase $words[1] in\n";
  for (const Command& command : commands()) {
    const auto invocation = command.make();
    text += "  " + command.name + ")\n    _arguments \\\n";
    for (const Option* option : all_options(*invocation)) {
      for (const std::string& flag : long_flags(*option)) {
        std::string spec = (option->repeats ? "*" : "") + flag;
        if (option->type != OptionType::flag) spec += "=";
        spec += "[" + zsh_text(short_doc(*option)) + "]";
        if (!option->choices.empty()) {
          spec += ":value:(" + joined(option->choices) + ")";
        } else if (option->name == "preset") {
          spec += ":preset:($(dapple presets --names -q))";
        } else if (option->type != OptionType::flag) {
          spec += ":" + zsh_text(option->meta) + ":_files";
        }
        text += "      " + in_quotes(spec) + " \\\n";
      }
    }
    text += command.name == "presets"
                ? "      '1:preset:(save pens machines $(dapple presets --names -q))'\n"
                : "      '*:file:_files'\n";
    text += "    ;;\n";
  }
  return text + "esac\n";
}

class CompletionsInvocation : public Invocation {
 public:
  CompletionsInvocation() { describe_basics(run_options, common); }

  int run(const std::vector<std::string>& operands) override {
    const std::string& shell = operands[0];
    if (shell == "bash") {
      print(bash());
    } else if (shell == "fish") {
      print(fish());
    } else if (shell == "zsh") {
      print(zsh());
    } else {
      const std::vector<std::string> known(shells.begin(), shells.end());
      const std::string near = nearest_word(shell, known);
      throw Error(ErrorKind::usage, "there are no completions for '" + shell +
                                        "', only for bash, fish and zsh" +
                                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    return 0;
  }
};

}  // namespace

Command completions_command() {
  Command row;
  row.name = "completions";
  row.summary = "Prints completions for bash, fish or zsh";
  row.operands = "bash|fish|zsh";
  row.min_operands = 1;
  row.max_operands = 1;
  row.examples = {{"completions bash > ~/.local/share/bash-completion/completions/dapple",
                   "for bash; active in the next shell"}};
  row.make = [] { return std::make_unique<CompletionsInvocation>(); };
  return row;
}

}  // namespace dapple::app

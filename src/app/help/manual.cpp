// Prints the man page and the pages of docs/commands, from the same descriptions as --help.
#include <array>
#include <filesystem>

#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/help/help.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"

namespace dapple::app {
namespace {

// ---- troff --------------------------------------------------------------------------------------

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      // Each item of a list starts a new line.
      if (out.ends_with('\n')) out += ".br\n";
      out += "\\-";
    } else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
      out += "\\&";
      out += c;
    } else if (c == '\n' && out.ends_with('\n')) {
      out += ".PP\n";
    } else {
      out += c;
    }
  }
  return out;
}

// Returns an entry of a list: a term, and what it means.
std::string entry(const std::string& term, std::string_view meaning) {
  return ".TP\n.B " + roff(term) + "\n" + roff(meaning) + "\n";
}

std::string options_of(const Invocation& invocation) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionSection& section : sections_of(invocation)) {
    text += ".SS " + roff(section.title) + "\n";
    for (const Option* option : section.options) {
      text += entry(flags_of(*option), meaning_of(*option));
    }
  }
  return text;
}

std::string examples_of(const Command& command) {
  std::string text;
  for (const Example& example : command.examples) {
    text += entry("dapple " + as_flags(example.command), example.says);
  }
  return text;
}

struct Variable {
  std::string_view name;
  std::string_view meaning;
  std::string_view option;  // of the commands that read it; "": all commands do
};
constexpr std::array<Variable, 5> variables{
    {{"DAPPLE_PRESET_PATH", "Folders that are searched first for presets, pens and machines.",
      "threads"},
     {"XDG_DATA_HOME",
      "Presets of your own are in its folder dapple/presets; by default "
      "~/.local/share.",
      "threads"},
     {"XDG_CONFIG_HOME",
      "Settings of the machine, such as threads = 4, are in its file dapple/settings.toml; by "
      "default ~/.config.",
      "threads"},
     {"DAPPLE_MODULE_PATH", "Folders that are searched first for modules of the program.",
      "threads"},
     {"NO_COLOR", "If it is set, messages have no colors.", ""}}};

// Returns the sections at the end of each page. `invocation` is that of the command, if any.
std::string last_sections(const Invocation* invocation, const std::string& see_also) {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses) {
    text += entry(std::to_string(status.code), status.meaning);
  }
  text += ".SH ENVIRONMENT\n";
  for (const Variable& variable : variables) {
    const bool is_read = invocation == nullptr || variable.option.empty() ||
                         invocation->common.find(variable.option) != nullptr;
    if (is_read) text += entry(std::string(variable.name), variable.meaning);
  }
  return text + ".SH SEE ALSO\n" + see_also;
}

std::string reference_to(const std::string& page) {
  return ".BR " + roff(page) + " (1)";
}

std::string first_sections(const std::string& name, std::string_view summary,
                           const std::string& usage) {
  return ".TH " + roff(name) + " 1 \"\" \"dapple " DAPPLE_VERSION "\" \"User Commands\"\n" +
         ".SH NAME\n" + roff(name + " - " + std::string(summary)) + "\n.SH SYNOPSIS\n.B " +
         roff(usage) + "\n.SH DESCRIPTION\n";
}

std::string man_page(const Command& command) {
  const auto invocation = command.make();
  std::string text =
      first_sections("dapple-" + command.name, command.summary, usage_of(command, *invocation)) +
      roff(command.summary) + ".\n";
  if (!command.details.empty()) text += ".PP\n" + roff(as_flags(command.details)) + "\n";
  const std::string examples = examples_of(command);
  text += options_of(*invocation) + (examples.empty() ? "" : ".SH EXAMPLES\n" + examples);
  std::string others = reference_to("dapple");
  for (const Command& other : commands()) {
    const bool is_named = command.details.find("dapple " + other.name) != std::string::npos;
    if (is_named && other.name != command.name) {
      others += ",\n" + reference_to("dapple-" + other.name);
    }
  }
  return text + last_sections(invocation.get(), others + "\n");
}

// Returns the page of the program: the commands, with an example of each.
std::string man_page(const Invocation& any) {
  std::string text =
      first_sections("dapple", "blue noise from images: stippling, masks, cell textures, dithering",
                     "dapple COMMAND [INPUT] -o OUTPUT [-o OUTPUT ...] [options]");
  std::string examples;
  std::string others;
  text += roff(
              "Each command has a page of its own, such as `man dapple-stipple`, and explains its "
              "options with --help.") +
          "\n.SH COMMANDS\n";
  for (const Command& command : commands()) {
    const std::string page = "dapple-" + command.name;
    text += entry(page + "(1)", command.summary + ".");
    others += (others.empty() ? "" : ",\n") + reference_to(page);
    if (command.examples.empty()) continue;
    const Example& first = command.examples.front();
    examples += entry("dapple " + as_flags(first.command), first.says);
  }
  return text + options_of(any) + ".SH EXAMPLES\n" + examples +
         last_sections(nullptr, others + "\n");
}

// ---- Markdown -----------------------------------------------------------------------------------

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

// Inside backquotes only the bar, which would end a table cell, needs an escape.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out + "`";
}

std::string docs_page(const Command& command) {
  const auto invocation = command.make();
  std::string text =
      "<!-- Written by `dapple docs`: edit the describers, not this page. -->\n# dapple " +
      command.name + "\n\n" + command.summary + ".\n\n    " + usage_of(command, *invocation) + "\n";
  if (!command.details.empty()) text += "\n" + wrapped(as_flags(command.details), 0) + "\n";
  if (!command.examples.empty()) {
    text += "\n## Examples\n";
    for (const Example& example : command.examples) {
      std::string says(example.says);
      if (says[0] >= 'a' && says[0] <= 'z') says[0] = static_cast<char>(says[0] - 'a' + 'A');
      text += "\n" + says + ":\n\n    dapple " + as_flags(example.command) + "\n";
    }
  }
  text += "\n## Options\n";
  for (const OptionSection& section : sections_of(*invocation)) {
    text += "\n### " + section.title + "\n\n| option | meaning |\n|---|---|\n";
    for (const Option* option : section.options) {
      text += "| " + code(flags_of(*option)) + " | " + cell(meaning_of(*option)) + " |\n";
    }
  }
  return text;
}

std::string docs_index() {
  std::string text =
      "<!-- Written by `dapple docs`: edit the describers, not this page. -->\n# Commands\n\n"
      "| command | what it does |\n|---|---|\n";
  for (const Command& command : commands()) {
    text += "| [" + command.name + "](" + command.name + ".md) | " + cell(command.summary) + " |\n";
  }
  return text;
}

// ---- the commands -------------------------------------------------------------------------------

const Command& command_of(const std::string& name) {
  if (const Command* command = find_command(name)) return *command;
  const std::string near = nearest_command(name);
  throw Error(ErrorKind::usage, "there is no command '" + name + "'" +
                                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

class ManInvocation : public Invocation {
 public:
  ManInvocation() { describe_basics(run_options, common); }

  int run(const std::vector<std::string>& operands) override {
    print(operands.empty() ? man_page(*this) : man_page(command_of(operands[0])));
    return 0;
  }
};

class DocsInvocation : public Invocation {
 public:
  DocsInvocation() {
    own_.group("Docs");
    own_.add("folder", folder_, "Write every page into this folder").metavar("DIR");
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& operands) override {
    if (!folder_.empty()) {
      const std::filesystem::path folder(folder_);
      std::error_code missing;  // writing the first page reports the cause
      std::filesystem::create_directories(folder, missing);
      write_file((folder / "README.md").string(), docs_index(), Overwrite::if_changed);
      for (const Command& command : commands()) {
        write_file((folder / (command.name + ".md")).string(), docs_page(command),
                   Overwrite::if_changed);
      }
      return 0;
    }
    print(operands.empty() ? docs_index() : docs_page(command_of(operands[0])));
    return 0;
  }

 private:
  std::string folder_;
};

}  // namespace

Command man_command() {
  Command row;
  row.name = "man";
  row.summary = "Prints the man page of the program or of a command";
  row.operands = "[COMMAND]";
  row.max_operands = 1;
  row.examples = {{"man stipple | man -l -", "read it"}};
  row.make = [] { return std::make_unique<ManInvocation>(); };
  return row;
}

Command docs_command() {
  Command row;
  row.name = "docs";
  row.summary = "Prints the Markdown page of a command, or writes all";
  row.operands = "[COMMAND]";
  row.max_operands = 1;
  row.examples = {{"docs --folder docs/commands", "writes one page per command"}};
  row.make = [] { return std::make_unique<DocsInvocation>(); };
  return row;
}

}  // namespace dapple::app

// Prints the man page and the pages of docs/commands, from the same descriptions as --help.
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

std::string man_section(const Command& command) {
  const auto invocation = command.make();
  std::string text = ".SH DAPPLE " + roff(command.name) + "\n" + roff(command.summary) +
                     ".\n.PP\n.B " + roff(usage_of(command, *invocation)) + "\n";
  if (!command.details.empty()) text += ".PP\n" + roff(as_flags(command.details)) + "\n";
  for (const OptionSection& section : sections_of(*invocation)) {
    text += ".SS " + roff(section.title) + "\n";
    for (const Option* option : section.options) {
      text += ".TP\n.B " + roff(flags_of(*option)) + "\n" + roff(meaning_of(*option)) + "\n";
    }
  }
  if (command.examples.empty()) return text;
  text += ".SS Examples\n";
  for (const Example& example : command.examples) {
    text +=
        ".TP\n.B " + roff("dapple " + as_flags(example.command)) + "\n" + roff(example.says) + "\n";
  }
  return text;
}

std::string man_page(const std::vector<const Command*>& about) {
  const bool all = about.size() != 1;
  const std::string name = all ? "dapple" : "dapple-" + about.front()->name;
  const std::string summary =
      all ? "blue noise from images: stippling, masks, cell textures, dithering"
          : about.front()->summary;
  std::string text = ".TH " + roff(name) + " 1 \"\" \"dapple " DAPPLE_VERSION "\"\n.SH NAME\n" +
                     roff(name + " - " + summary) + "\n";
  if (all) {
    text += ".SH SYNOPSIS\n.B " +
            roff("dapple COMMAND [INPUT] -o OUTPUT [-o OUTPUT ...] [options]") + "\n";
  }
  for (const Command* command : about) text += man_section(*command);
  return text + ".SH EXIT STATUS\n" +
         roff(
             "0 done; 1 a job of a batch failed, or an internal error; 2 wrong usage or recipe; 3 "
             "input unreadable or invalid; 4 output not written; 5 a limit was reached; 6 a "
             "verification failed; 130 cancelled.") +
         "\n";
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
    std::vector<const Command*> about;
    for (const std::string& name : operands) about.push_back(&command_of(name));
    if (about.empty()) {
      for (const Command& command : commands()) about.push_back(&command);
    }
    print(man_page(about));
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
  row.summary = "Prints the man page of all commands or of one";
  row.operands = "[COMMAND]";
  row.max_operands = 1;
  row.examples = {{"man | man -l -", "read it"}};
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

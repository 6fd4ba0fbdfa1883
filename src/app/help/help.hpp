// Formats text about commands from their descriptions: --help, and parts shared by the man page,
// the docs and the completions.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.hpp"

namespace dapple::app {

// The exit codes, with a word or two for the short help.
struct ExitStatus {
  int code;
  std::string_view word;
  std::string_view meaning;
};
constexpr std::array<ExitStatus, 8> exit_statuses{
    {{0, "done", "Done."},
     {1, "a job failed", "A job of a batch failed, or an internal error."},
     {2, "usage", "Wrong usage or recipe."},
     {3, "input", "Input unreadable or invalid."},
     {4, "output", "Output not written."},
     {5, "limit", "A limit was reached."},
     {6, "verification", "A certificate or verification failed."},
     {130, "cancelled", "Cancelled, such as by Ctrl-C."}}};

struct OptionSection {
  std::string title;
  std::vector<const Option*> options;
};

// Returns the options by group, the command's own first. Joins groups of the same name.
std::vector<OptionSection> sections_of(const Invocation& invocation);

// Returns the flags of an option, such as `-o, --out FILE` or `--wrap, --no-wrap`.
std::string flags_of(const Option& option);
// Returns the usage line, such as `dapple stipple IMAGE [-o FILE ...] [options]`.
std::string usage_of(const Command& command, const Invocation& invocation);

// Breaks text at spaces; every line after the first starts with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100);

// The options in a help text. Both values differ only for commands with essential options.
enum class Shown { essential, all };
// Returns the first statement of the description, which fits into a completion menu.
std::string short_doc(const Option& option);
// Returns the doc line with unit, range, words and default; `essential` cuts it after its first
// statement.
std::string meaning_of(const Option& option, Shown shown = Shown::all);
std::string help_of(const Command& command, Shown shown);
std::string program_help();
// Returns all commands with their options, as JSON.
std::string schema_text();
// Returns version, build and libraries.
std::string version_text();

}  // namespace dapple::app

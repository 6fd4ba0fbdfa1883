// Text about commands, made from their describers: --help, and the pieces that the man page, the
// docs and the completions share.
#pragma once

#include <string>
#include <vector>

#include "app/command.hpp"

namespace dapple::app {

struct OptionSection {
  std::string title;
  std::vector<const Option*> options;
};

// Options of a command by group, its own first. Groups of one name are joined.
std::vector<OptionSection> sections_of(const Invocation& invocation);

// The flags of an option, such as `-o, --out FILE` or `--wrap, --no-wrap`.
std::string flags_of(const Option& option);
// The doc line with unit, range, words and default.
std::string meaning_of(const Option& option);
// The usage line, such as `dapple stipple IMAGE [-o FILE ...] [options]`.
std::string usage_of(const Command& command, const Invocation& invocation);

// Breaks text at spaces; every line after the first starts with `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100);

// Of operations that mark some of their options as essential: those, or all.
enum class Shown { essential, all };
std::string help_of(const Command& command, Shown shown);
std::string program_help();
// All commands with their options, as JSON.
std::string schema_text();
// Version, build and libraries.
std::string version_text();

}  // namespace dapple::app

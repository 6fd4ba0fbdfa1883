// Defines commands as rows of one table. Help, man page, completions and docs read the table, and
// the command line runs its rows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments.hpp"
#include "app/run/options.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {

struct Command;

// One call of a command: binds the options to fields, then runs.
class Invocation {
 public:
  virtual ~Invocation() = default;

  OptionList common;  // options that every command or run has
  RunOptions run_options;
  Context context;

  // Returns the command's own options. An option here hides one of the same name in `common`.
  virtual const OptionList& options() const { return own_; }
  // Sets the options. Adds every problem with them or with the operands to `problems`.
  virtual void set(const Command& command, const Arguments& arguments,
                   std::vector<Problem>& problems);
  // Throws Error(usage) for options that do not go together.
  void check_pairs(const Command& command, const Arguments& arguments) const;
  // Runs the command and prints; throws Error. Returns the exit code.
  virtual int run(const std::vector<std::string>& operands) = 0;

 protected:
  // Throws Error(usage) for each given option of the command itself that is not in `taken`. `why`
  // completes the message "has no effect".
  void refuse_all_but(std::initializer_list<std::string_view> taken, const std::string& why) const;
  // Returns true if the input that the operand names was given.
  virtual bool has_input(const Arguments& arguments) const { return !arguments.operands.empty(); }

  OptionList own_;
  std::span<const PairRule> pairs_;
};

struct Command {
  std::string name;
  std::string summary;
  std::string details;
  std::string operands;  // as --help shows them, such as "IMAGE" or "[NAME]"
  std::size_t min_operands = 0;
  std::size_t max_operands = 0;
  std::vector<Example> examples;
  std::function<std::unique_ptr<Invocation>()> make;
};

// Returns the placeholder of the command's operand, such as MAP.
std::string operand_of(const Command& command);

// Returns all commands, in the order of --help.
const std::vector<Command>& commands();
const Command* find_command(std::string_view name);
// Returns the command with the nearest name to a misspelled one, or "".
std::string nearest_command(std::string_view name);

// The rows of the table; each is defined beside its implementation.
Command operation_command(const Operation& operation);  // operation_command.cpp
Command analyze_command();                              // analyze.cpp
Command compare_command();                              // compare.cpp
Command calibrate_command();                            // calibrate/command.cpp
Command batch_command();                                // batch/command.cpp
Command presets_command();                              // presets/command.cpp
Command reproduce_command();                            // reproduce.cpp
Command schema_command();                               // schema.cpp
Command studio_command();                               // ../studio/command.cpp
Command man_command();                                  // manual.cpp
Command completions_command();                          // completions.cpp
Command docs_command();                                 // manual.cpp

// Prints `text` unchanged to standard output; throws Error(output) if that fails.
void print(std::string_view text);
// As above, but escapes `text` by printable(), since strangers may have written texts and recipes.
void print_text(std::string_view text);
// Prints one line, or several without a prefix, to standard error, escaped by printable().
void note(std::string_view line);
void note_text(std::string_view text);

}  // namespace dapple::app

// Commands as rows of one table: help, man page, completions and docs read it, and the command
// line runs it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments.hpp"
#include "app/run/options.hpp"
#include "dapple/context.hpp"
#include "dapple/operation.hpp"
#include "dapple/options.hpp"

namespace dapple::app {

struct Command;

// One use of a command: its options bound to fields, then the run.
class Invocation {
 public:
  virtual ~Invocation() = default;

  OptionList common;  // of every command or run
  RunOptions run_options;
  Context context;

  // Options of the command itself; a name in it wins over one in `common`.
  virtual const OptionList& options() const { return own_; }
  // Sets the options; what is wrong with them or the operands is added to `problems`, all of it.
  virtual void set(const Command& command, const Arguments& arguments,
                   std::vector<Problem>& problems);
  // Throws Error(usage) for options that do not go together.
  void check_pairs(const Command& command, const Arguments& arguments) const;
  // Runs and prints; throws Error. Returns the exit code.
  virtual int run(const std::vector<std::string>& operands) = 0;

 protected:
  // Throws Error(usage) where options of the command itself are given that are not among `taken`:
  // `why` ends the sentence that an option has no effect.
  void refuse_all_but(std::initializer_list<std::string_view> taken, const std::string& why) const;
  // Whether there is what the operand stands for.
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

// The word for its operand, such as MAP.
std::string operand_of(const Command& command);

// In the order of --help.
const std::vector<Command>& commands();
const Command* find_command(std::string_view name);
// The nearest name for a typo, or "".
std::string nearest_command(std::string_view name);

// Rows, each defined beside its implementation.
Command operation_command(const Operation& operation);  // operation_command.cpp
Command analyze_command();                              // analyze.cpp
Command compare_command();                              // compare.cpp
Command batch_command();                                // batch/command.cpp
Command presets_command();                              // presets.cpp
Command reproduce_command();                            // reproduce.cpp
Command schema_command();                               // schema.cpp
Command studio_command();                               // ../studio/command.cpp
Command man_command();                                  // manual.cpp
Command completions_command();                          // completions.cpp
Command docs_command();                                 // manual.cpp

// Prints to standard output, as it is; throws Error(output) where that fails.
void print(std::string_view text);
// The same for what people read, and recipes, which may hold what strangers wrote: as printable().
void print_text(std::string_view text);
// One line on standard error, and several without a word before them; as printable().
void note(std::string_view line);
void note_text(std::string_view text);

}  // namespace dapple::app

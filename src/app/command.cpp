// The table of commands.
#include "app/command.hpp"

#include <cstdio>

#include "app/printable.hpp"
#include "dapple/error.hpp"

namespace dapple::app {

void Invocation::set(const Command& command, const Arguments& arguments,
                     std::vector<Problem>& problems) {
  set_all(arguments.assignments, problems);
  const std::size_t given = arguments.operands.size();
  if (!arguments.unknown.empty()) return;
  if (given < command.min_operands) {
    problems.push_back(
        {"", command.name + " needs more: dapple " + command.name + " " + command.operands});
  }
  if (given > command.max_operands) {
    problems.push_back({"",
                        "'" + arguments.operands[command.max_operands] +
                            "' is one too many: dapple " + command.name +
                            (command.operands.empty() ? "" : " " + command.operands),
                        ""});
  }
}

const std::vector<Command>& commands() {
  static const std::vector<Command> rows = [] {
    std::vector<Command> table;
    for (const Operation& operation : operations()) {
      if (operation.make != nullptr) table.push_back(operation_command(operation));
    }
    table.push_back(analyze_command());
    table.push_back(compare_command());
    table.push_back(batch_command());
    table.push_back(presets_command());
    table.push_back(reproduce_command());
    table.push_back(man_command());
    table.push_back(completions_command());
    table.push_back(docs_command());
    return table;
  }();
  return rows;
}

const Command* find_command(std::string_view name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::string nearest_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return nearest_word(name, names);
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::output, "standard output cannot be written to");
  }
}

void print_text(std::string_view text) {
  print(printable(text));
}

void note(std::string_view line) {
  note_text("dapple: " + on_one_line(line) + "\n");
}

void note_text(std::string_view text) {
  std::fputs(printable(text).c_str(), stderr);
}

}  // namespace dapple::app

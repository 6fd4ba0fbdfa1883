// Holds the table of commands.
#include "app/command.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/escape_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {

void Invocation::set(const Command& command, const Arguments& arguments,
                     std::vector<Problem>& problems) {
  set_all(arguments.assignments, problems);
  const std::size_t given = arguments.operands.size();
  if (!arguments.unknown.empty()) return;
  if (given < command.min_operands) {
    problems.push_back(
        {"", command.name + " needs an argument: dapple " + command.name + " " + command.operands});
  }
  if (given > command.max_operands) {
    problems.push_back({"",
                        "unexpected argument '" + arguments.operands[command.max_operands] +
                            "'; usage: dapple " + command.name +
                            (command.operands.empty() ? "" : " " + command.operands),
                        ""});
  }
}

namespace {

constexpr std::array pairs_of_every_run{
    PairRule{"checkpoint-every", Pair::needs, "checkpoint"},
};

}  // namespace

void Invocation::check_pairs(const Command& command, const Arguments& arguments) const {
  if (run_options.print_recipe) return;  // nothing is run, so nothing is ignored
  std::vector<PairRule> rules(pairs_.begin(), pairs_.end());
  rules.insert(rules.end(), pairs_of_every_run.begin(), pairs_of_every_run.end());
  check_together(rules, {&options(), &common}, operand_of(command), has_input(arguments));
}

void Invocation::refuse_all_but(std::initializer_list<std::string_view> taken,
                                const std::string& why) const {
  std::vector<Problem> problems;
  for (const auto& option : own_) {
    const bool is_taken = std::find(taken.begin(), taken.end(), option->name) != taken.end();
    if (is_taken || option->is_default()) continue;
    problems.push_back({option->name, "has no effect " + why});
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

std::string operand_of(const Command& command) {
  std::string word;
  for (const char c : command.operands) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital) word += c;
    if (!capital && !word.empty()) break;
  }
  return word;
}

const std::vector<Command>& commands() {
  static const std::vector<Command> rows = [] {
    std::vector<Command> table;
    for (const Operation& operation : operations()) {
      if (operation.make != nullptr) table.push_back(operation_command(operation));
    }
    table.push_back(analyze_command());
    table.push_back(compare_command());
    table.push_back(calibrate_command());
    table.push_back(batch_command());
    table.push_back(presets_command());
    table.push_back(reproduce_command());
    table.push_back(schema_command());
    table.push_back(studio_command());
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
    throw Error(ErrorKind::output, "cannot write to standard output");
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

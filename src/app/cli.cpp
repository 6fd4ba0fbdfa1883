// Runs the command line: finds the command, sets its options and runs it. Exceptions become a
// message, JSON if --json is given, and an exit code.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/escape_text.hpp"
#include "app/exit_code.hpp"
#include "app/help/help.hpp"
#include "app/help/hints.hpp"
#include "app/json.hpp"
#include "app/presets/settings.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/extend/program.hpp"
#include "dapple/version.hpp"
#include "io/images/module.hpp"
#include "io/write_all.hpp"

namespace dapple::app {
namespace {

bool json_wanted = false;

// Facts about a run for its error message.
struct Attempt {
  std::string command;
  std::unique_ptr<Invocation> invocation;
};

bool has(const std::vector<std::string>& words, std::string_view word) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, word) != end;
}

const Command& command_named(const std::string& name) {
  if (const Command* command = find_command(name)) return *command;
  const std::string hint = file_hint(name);
  if (!hint.empty()) throw Error(ErrorKind::usage, hint);
  const std::string near = nearest_command(name);
  throw Error(ErrorKind::usage, "there is no command '" + name + "'" +
                                    (near.empty() ? "; `dapple --help` lists them"
                                                  : "; did you mean '" + near + "'?"));
}

// Improves the message for an unknown option if it has another name here or belongs to another
// command.
void point_to_others(const std::string& command, const Arguments& arguments,
                     std::vector<Problem>& problems) {
  for (const auto& [name, problem] : arguments.unknown) {
    const std::string hint = option_hint(command, name);
    if (!hint.empty()) {
      const std::string option = (name.size() > 1 ? "--" : "-") + name;
      problems[problem].message = "there is no option " + option + ": " + hint;
      continue;
    }
    std::string owners;
    for (const Command& other : commands()) {
      if (other.name == command || other.make()->options().find(name) == nullptr) continue;
      owners += (owners.empty() ? "" : ", ") + other.name;
    }
    if (!owners.empty()) {
      problems[problem].message =
          "--" + name + " is an option of " + owners + ", not of " + command;
    }
  }
}

// Returns Shown::all for `--help all`, where `all` is the last operand.
Shown asks_for_all(std::span<const std::string> operands) {
  return !operands.empty() && operands.back() == "all" ? Shown::all : Shown::essential;
}

int run_command(const Command& command, std::span<const std::string> words, Attempt& attempt) {
  attempt.command = command.name;
  attempt.invocation = command.make();
  Invocation& invocation = *attempt.invocation;
  const Arguments arguments = parse_arguments(words, {&invocation.options(), &invocation.common});
  for (const auto& [option, text] : arguments.assignments) {
    if (option == invocation.common.find("help") && text == "true") {
      print(help_of(command, asks_for_all(arguments.operands)));
      return 0;
    }
    if (option == invocation.common.find("version") && text == "true") {
      print(version_text());
      return 0;
    }
  }
  std::vector<Problem> problems = arguments.problems;
  point_to_others(command.name, arguments, problems);
  app::attempt(problems, [&] { take_user_settings(invocation.common); });
  invocation.set(command, arguments, problems);
  app::attempt(problems, [&] { invocation.check_pairs(command, arguments); });
  if (!problems.empty()) {
    problems.push_back({"", "`dapple " + command.name + " --help` explains its options"});
    throw Error(ErrorKind::usage, problems);
  }
  return invocation.run(arguments.operands);
}

int dispatch(const std::vector<std::string>& words, Attempt& attempt) {
  if (words.empty()) {
    print(program_help());
    return 0;
  }
  const std::string& first = words.front();
  if (first == "--version") {
    print(version_text());
    return 0;
  }
  if (first == "--help" || first == "-h" || first == "help") {
    const bool about_command = first == "help" && words.size() > 1;
    print(about_command
              ? help_of(command_named(words[1]), asks_for_all(std::span(words).subspan(2)))
              : program_help());
    return 0;
  }
  if (first.starts_with("-")) {
    throw Error(ErrorKind::usage, "expected a command before the options: dapple COMMAND " + first +
                                      "; `dapple --help` lists the commands");
  }
  return run_command(command_named(first), std::span(words).subspan(1), attempt);
}

int fail(const Attempt& attempt, ErrorKind kind, const std::string& message) {
  std::string text = message;
  if (kind == ErrorKind::internal) {
    text += " (this is a bug in dapple: please report it with the command that you ran)";
  }
  if (json_wanted) {
    std::vector<std::string> warnings;
    if (attempt.invocation) warnings = attempt.invocation->context.warnings();
    for (std::string& warning : warnings) warning = as_flags(warning);
    try {
      print(json_of(attempt.command, kind, text, warnings));
    } catch (const std::exception&) {
      // Standard output is closed; the message on standard error is still shown.
    }
  }
  note_text("dapple: " + text + "\n");
  return exit_code(kind);
}

}  // namespace

namespace {

// Lets only the first of several threads that end the process continue.
void end_alone() {
  static std::atomic_flag ending;
  while (ending.test_and_set()) pause();
}

// Writes the error message and ends the process without allocating memory.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view text = "dapple: there is not enough memory for this\n";
  constexpr std::string_view object =
      "{\n  \"command\": \"\",\n  \"version\": \"" DAPPLE_VERSION
      "\",\n  \"error\": {\n    \"kind\": \"limit\",\n"
      "    \"message\": \"there is not enough memory for this\"\n  },\n  \"warnings\": []\n}\n";
  end_alone();
  if (json_wanted) dapple::write_all(STDOUT_FILENO, object);
  dapple::write_all(STDERR_FILENO, text);
  _exit(exit_code(ErrorKind::limit));
}

[[noreturn]] void end_as_a_fault() {
  dapple::write_all(STDERR_FILENO, "\ndapple: this is a bug in dapple: please report it\n");
  _exit(exit_code(ErrorKind::internal));
}

// The C library aborts if a new thread gets no memory. This handler checks for that cause by
// mapping as much memory as a thread needs. It does not change other aborts.
void end_on_abort(int signal) {
  constexpr std::size_t as_a_thread = 8 << 20;
  void* const room = mmap(nullptr, as_a_thread, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) end_without_memory();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// Prevents opened files from taking the numbers of closed standard streams. The streams stay
// unusable: reading or writing fails.
void occupy_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    [[maybe_unused]] const int taken =
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace

void end_by_exception() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::exception& error) {
    // The standard library and oneTBB throw this if a thread cannot start.
    const auto* const system = dynamic_cast<const std::system_error*>(&error);
    if ((system != nullptr && system->code() == std::errc::resource_unavailable_try_again) ||
        std::string_view(error.what()).starts_with("pthread_create")) {
      end_without_memory();
    }
    end_alone();
    dapple::write_all(STDERR_FILENO, "dapple: ");
    dapple::write_all(STDERR_FILENO, error.what());
    end_as_a_fault();
  } catch (...) {
  }
  end_alone();
  end_as_a_fault();
}

int run_program(const std::vector<std::string>& words) {
  occupy_standard_streams();
  json_wanted = has(words, "--json");
  // A file above the size limit must give an error, not end the process. Writers with their own
  // files (TIFF) reach the limit in code that cannot handle the signal.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGABRT, end_on_abort);
  clear_environment();
  try {
    Attempt attempt;
    try {
      return dispatch(words, attempt);
    } catch (const Error& error) {
      return fail(attempt, error.kind(), text_of(error));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::system_error& error) {  // a thread cannot start: a limit
      const bool limit = error.code() == std::errc::resource_unavailable_try_again;
      return fail(attempt, limit ? ErrorKind::limit : ErrorKind::internal,
                  on_one_line(error.what()));
    } catch (const std::exception& error) {
      return fail(attempt, ErrorKind::internal, on_one_line(error.what()));
    }
  } catch (const std::bad_alloc&) {
    end_without_memory();
  }
}

}  // namespace dapple::app

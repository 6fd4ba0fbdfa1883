// Runs the real program and keeps what it says.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace dapple::test {

struct Outcome {
  int code = -1;  // exit code; minus the signal's number where one ended it
  std::string out;
  std::string err;
  long peak_kb = 0;    // memory, at most; no less than this process ever held
  double seconds = 0;  // of processor
};

struct Spawn {
  std::string input;                               // for standard input
  std::map<std::string, std::string> environment;  // added to this process's own
  int interrupt_after_ms = -1;                     // then `signal` is sent
  int signal = SIGINT;
  std::function<void()> before{};  // in the new process, before the program starts: sets limits
};

// Runs `words` in `folder`, the first word being the program's path.
inline Outcome run_process(std::vector<std::string> words, const std::filesystem::path& folder,
                           const Spawn& how = {}) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!how.environment.contains(text.substr(0, text.find('=')))) variables.push_back(text);
  }
  for (const auto& [name, value] : how.environment) variables.push_back(name + "=" + value);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
  };

  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    return {};
  }
  std::vector<char*> arguments = pointers(words);
  std::vector<char*> entries = pointers(variables);
  const pid_t child = fork();
  if (child == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(127);
    if (how.before) how.before();
    execve(words[0].c_str(), arguments.data(), entries.data());
    _exit(127);
  }
  const bool failed = child < 0;
  close(in[0]);
  close(out[1]);
  close(err[1]);
  Outcome outcome;
  if (!failed) {
    // What is given is small: it fits the pipe.
    [[maybe_unused]] const auto written = write(in[1], how.input.data(), how.input.size());
  }
  close(in[1]);
  pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* texts[2] = {&outcome.out, &outcome.err};
  bool interrupted = how.interrupt_after_ms < 0;
  for (int open = 2; open > 0 && !failed;) {
    const int ready = poll(ends, 2, interrupted ? -1 : how.interrupt_after_ms);
    if (ready == 0 && !interrupted) {
      kill(child, how.signal);
      interrupted = true;
    }
    for (int i = 0; i < 2; ++i) {
      if ((ends[i].revents & (POLLIN | POLLHUP)) == 0) continue;
      char buffer[65536];
      const auto n = read(ends[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(n));
      } else {
        ends[i].fd = -1;
        --open;
      }
    }
  }
  close(out[0]);
  close(err[0]);
  if (failed) return outcome;
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  outcome.peak_kb = used.ru_maxrss;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  outcome.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return outcome;
}

// Returns the program under test: that of this build, or the one that DAPPLE_TESTED_PROGRAM names,
// such as one for another system that an emulator runs.
inline std::string tested_program() {
  const char* const other = std::getenv("DAPPLE_TESTED_PROGRAM");
  return other != nullptr ? other : DAPPLE_PROGRAM;
}

// Returns true if the program under test is for Windows: DAPPLE_TESTED_SYSTEM says so.
inline bool tests_windows() {
  const char* const system = std::getenv("DAPPLE_TESTED_SYSTEM");
  return system != nullptr && std::string(system) == "windows";
}

// Returns true if the system of the program under test can store a file under this name. Windows
// refuses some characters, and its names are Unicode.
inline bool can_be_stored(const std::string& name) {
  return !tests_windows() || name.find_first_of("<>:\"|?*\\\xff") == std::string::npos;
}

// Returns true if the program under test writes files of this format, by the end of their names.
// The build for Windows has no OpenImageIO and writes no PDF.
inline bool can_be_written(const std::string& format) {
  const std::string_view absent = " exr tif tx jpg pdf ";
  return !tests_windows() || absent.find(" " + format + " ") == std::string_view::npos;
}

// Returns settings of a process that finds `dapple` and nothing else in front of the usual PATH.
inline Spawn with_dapple() {
  Spawn how;
  how.environment["PATH"] = std::filesystem::path(tested_program()).parent_path().string() +
                            ":/usr/local/bin:/usr/bin:/bin";
  return how;
}

// A folder of its own for a test, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "dapple-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::string read(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      all.push_back(entry.path().filename().string());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace dapple::test

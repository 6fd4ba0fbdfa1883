#include "io/images/sandbox/sandbox.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "io/images/read/scanline_bands.hpp"

extern char** environ;

namespace dapple {
namespace {

// Returns the environment for the child, without variables that load or control libraries.
std::vector<std::string> plain_environment() {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    for (const char* name :
         {"LANG=", "LC_ALL=", "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "TSAN_OPTIONS="}) {
      if (text.starts_with(name)) kept.emplace_back(text);
    }
  }
  kept.push_back("DAPPLE_MODULE_PATH=" + image_module_path());  // the module that was checked
  // A process with threads cannot fork safely: a thread may hold a lock that is never released.
  kept.emplace_back("OPENIMAGEIO_THREADS=1");
  kept.emplace_back("OMP_NUM_THREADS=1");
  return kept;
}

// The running decoder program, which all threads share.
class Program {
 public:
  // Passes a file and a child's end of a channel to the program. Returns the number of the
  // program's start that took them, or 0 if the program has ended.
  int give(const protocol::Task& task, const std::string& format, int file, int session) {
    const std::lock_guard lock(mutex_);
    protocol::Writer message;
    message.put(task).put(format);
    if (socket_ >= 0 && protocol::send(socket_, message.bytes, {file, session})) return starts_;
    start();  // for the first time, or after it was ended from outside
    return protocol::send(socket_, message.bytes, {file, session}) ? starts_ : 0;
  }

  // Returns the reason why the program that took a file has ended.
  ModuleError why_gone(int start) {
    const std::lock_guard lock(mutex_);
    const bool is_last = start == starts_ || start == 0;
    for (int i = 0; i < 100 && is_last && !reap(WNOHANG); ++i) ::poll(nullptr, 0, 10);
    if (is_last && pid_ > 0) {
      return {ErrorKind::input, "cannot be read: its decoder ended without an answer"};
    }
    if (WIFEXITED(status_) && WEXITSTATUS(status_) == protocol::no_memory_code) return no_memory();
    return {ErrorKind::internal,
            "the program that decodes images was ended from outside, or the system does not find "
            "its libraries"};
  }

 private:
  bool reap(int how) {
    if (pid_ > 0 && ::waitpid(pid_, &status_, how) != 0) pid_ = 0;
    return pid_ == 0;
  }

  void start() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
    reap(0);
    const std::string path =
        (std::filesystem::path(image_module_path()).parent_path() / decoder_name).string();
    std::vector<std::string> variables = plain_environment();
    std::vector<char*> environment;
    for (std::string& variable : variables) environment.push_back(variable.data());
    environment.push_back(nullptr);
    const protocol::Channel channel;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel.theirs, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::array<char*, 2> words{const_cast<char*>(path.c_str()), nullptr};
    const int code =
        posix_spawn(&pid_, path.c_str(), &actions, nullptr, words.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(channel.theirs);
    socket_ = channel.mine;
    ++starts_;
    if (code == 0) return;
    pid_ = 0;
    if (code == ENOMEM || code == EAGAIN) {
      throw Error(ErrorKind::limit, "not enough memory to start the program that decodes images");
    }
    throw Error(ErrorKind::internal,
                "the program that decodes images cannot be started (" +
                    std::generic_category().message(code) +
                    "); install it beside the image module, or decode in this process with "
                    "`sandbox never`",
                path);
  }

  std::mutex mutex_;
  int socket_ = -1;
  pid_t pid_ = 0;
  int starts_ = 0;
  int status_ = 0;  // exit status of the last program
};

Program& program() {
  static Program* const one = new Program;  // ends when this process closes its socket
  return *one;
}

ModuleError too_slow(const std::string& format) {
  return {ErrorKind::limit,
          "takes the " + format +
              " decoder too long: the file is malicious, or the machine is too busy; if you trust "
              "the file, convert it to PNG first"};
}

// Returns the error for the exit status of a child.
ModuleError ended(const std::string& format, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == protocol::no_memory_code) return no_memory();
  std::string how = "ended with code " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    if (number == SIGXCPU) return too_slow(format);
    how = number == SIGKILL ? "was killed" : "crashed (" + std::string(strsignal(number)) + ")";
  }
  return {ErrorKind::input, "cannot be read: the " + format + " decoder " + how +
                                "; the file is damaged or malicious"};
}

class Session : public BandReader {
 public:
  Session(std::string format, std::function<bool()> stopped)
      : format_(std::move(format)), stopped_(std::move(stopped)) {
    // A decoder that does not read requests must not block this process.
    ::fcntl(channel_.mine, F_SETFL, O_NONBLOCK);
  }
  ~Session() override {
    unmap();
    for (const int end : {channel_.mine, channel_.theirs}) {
      if (end >= 0) ::close(end);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  ModuleError open(int descriptor, const protocol::Task& task, ImageHeader& header) {
    if (channel_.mine < 0) return no_memory();
    start_ = program().give(task, format_, descriptor, channel_.theirs);
    if (start_ == 0) return gone();
    ::close(channel_.theirs);
    channel_.theirs = -1;
    // A busy machine loads the libraries slowly, which is not the fault of the file.
    patience_ = 600;
    ModuleError error = answer([](protocol::Reader&) {});
    if (!error.text.empty()) return error;
    patience_ = protocol::most_waiting * static_cast<double>(task.seconds);
    return take_header(header);
  }
  bool was_lost() const { return lost_; }
  ModuleError count(int& frames) noexcept override {
    return ask(protocol::Ask::count, 0,
               [&](protocol::Reader& reply) { frames = reply.get<int>(); });
  }
  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    unmap();
    protocol::Writer message;
    message.put(protocol::Ask::seek).put(frame);
    protocol::send(channel_.mine, message.bytes);
    return take_header(header);
  }
  ModuleError band(int first, void* rows) noexcept override {
    if (shared_ == nullptr) {
      if (ModuleError error = map(); !error.text.empty()) return error;
    }
    return ask(protocol::Ask::band, first,
               [&](protocol::Reader&) { std::memcpy(rows, shared_, size_); });
  }

 private:
  template <class Take>
  ModuleError ask(protocol::Ask what, int number, const Take& take) noexcept {
    protocol::Writer message;
    message.put(what).put(number);
    protocol::send(channel_.mine, message.bytes);  // on failure, the answer reports the reason
    return answer(take);
  }

  // Waits for the answer, which begins with an error (empty if there is none).
  template <class Take>
  ModuleError answer(const Take& take) noexcept try {
    std::string message;
    bool cancelled = false;
    const auto goes_on = [&](double seconds) {
      cancelled = stopped_();
      patience_ -= seconds;
      return !cancelled && patience_ > 0;
    };
    const protocol::Arrival arrival = protocol::receive(channel_.mine, message, nullptr, goes_on);
    if (arrival == protocol::Arrival::silence) return cancelled ? stopped() : too_slow(format_);
    if (arrival == protocol::Arrival::end) return gone();
    protocol::Reader reply(message);
    if (reply.get<char>() == 'x') return ended(format_, reply.get<int>());
    ModuleError error = protocol::get_error(reply);
    if (error.text.empty()) take(reply);
    return error;
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception&) {
    return {ErrorKind::input, "cannot be read: its decoder sent an invalid answer"};
  }

  ModuleError take_header(ImageHeader& header) noexcept {
    ModuleError error =
        answer([&](protocol::Reader& reply) { header = protocol::get_header(reply); });
    size_ = band_bytes(header);
    return error;
  }

  // Creates memory that both processes share and neither can resize.
  ModuleError map() noexcept try {
    const int file = ::memfd_create("dapple-band", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool sized = file >= 0 && size_ > 0 && ::ftruncate(file, static_cast<off_t>(size_)) == 0;
    const bool too_large = !sized && errno == EFBIG;
    const bool made =
        sized && ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
    void* memory = made ? ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    protocol::Writer message;
    message.put(protocol::Ask::memory).put(size_);
    if (memory != MAP_FAILED) protocol::send(channel_.mine, message.bytes, {file});
    if (file >= 0) ::close(file);
    if (too_large) {
      return {ErrorKind::limit,
              "needs a block of pixels above the limit of file sizes; raise it with ulimit -f"};
    }
    if (memory == MAP_FAILED) return no_memory();
    shared_ = memory;
    return {};
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
  void unmap() {
    if (shared_ != nullptr) ::munmap(shared_, size_);
    shared_ = nullptr;
  }

  // The other end is closed: the program and its children have ended.
  ModuleError gone() {
    lost_ = true;
    return program().why_gone(start_);
  }

  std::string format_;
  std::function<bool()> stopped_;
  double patience_ = 0;  // seconds that the child has left to work or sleep
  protocol::Channel channel_;
  void* shared_ = nullptr;
  std::size_t size_ = 0;
  int start_ = 0;  // number of the program's start
  bool lost_ = false;
};

}  // namespace

ModuleError open_sandboxed(int descriptor, const std::string& format, const protocol::Task& task,
                           const std::function<bool()>& stopped,
                           std::unique_ptr<BandReader>& reader, ImageHeader& header) {
  ModuleError error;
  // If a program has ended since the last file, starts it again, once.
  for (int attempt = 0; attempt < 2; ++attempt) {
    auto session = std::make_unique<Session>(format, stopped);
    error = session->open(descriptor, task, header);
    const bool lost = session->was_lost();
    if (error.text.empty()) reader = std::move(session);
    if (!lost) break;
  }
  return error;
}

}  // namespace dapple

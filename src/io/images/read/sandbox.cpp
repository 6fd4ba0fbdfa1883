#include "io/images/read/sandbox.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "io/images/read/bands.hpp"

extern char** environ;

namespace dapple {
namespace {

constexpr const char* program_name = "dapple-decode";

// The environment of the child: what loads libraries, or tells them what to do, stays here. Where
// libraries lie (LD_LIBRARY_PATH) this process has been told as well.
std::vector<char*> plain_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    for (const char* name : {"LD_LIBRARY_PATH=", "LANG=", "LC_ALL=", "ASAN_OPTIONS=",
                             "UBSAN_OPTIONS=", "TSAN_OPTIONS=", "DAPPLE_MODULE_PATH="}) {
      if (text.starts_with(name)) kept.push_back(*entry);
    }
  }
  // A process that has threads cannot fork: one may hold a lock that nobody then gives back.
  static std::array<char, 22> alone{"OPENIMAGEIO_THREADS=1"};
  kept.push_back(alone.data());
  kept.push_back(nullptr);
  return kept;
}

// The running program, of which there is one for all threads.
class Program {
 public:
  // Hands over the ends that a child talks through; false where the program has ended.
  bool give(const wire::Task& task, const std::string& format, int file, int session) {
    const std::lock_guard lock(mutex_);
    wire::Writer message;
    message.put(task).put(format);
    if (socket_ >= 0 && wire::send(socket_, message.bytes, {file, session})) return true;
    start();  // for the first time, or after it was ended from outside
    return wire::send(socket_, message.bytes, {file, session});
  }

 private:
  void start() {
    if (socket_ >= 0) ::close(socket_);
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    const std::string path =
        (std::filesystem::path(image_module_path()).parent_path() / program_name).string();
    const wire::Channel channel;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, channel.theirs, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::array<char*, 2> words{const_cast<char*>(path.c_str()), nullptr};
    const int code = posix_spawn(&pid_, path.c_str(), &actions, nullptr, words.data(),
                                 plain_environment().data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(channel.theirs);
    socket_ = channel.mine;
    if (code == 0) return;
    pid_ = 0;
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
};

Program& program() {
  static Program* const one = new Program;  // ends with this process, by the end of its socket
  return *one;
}

// What became of a child, by the last word that the program has of it.
ModuleError ended(const std::string& format, int status) {
  std::string how = "ended with code " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    how = number == SIGXCPU || number == SIGKILL
              ? "took more time than any such picture needs, or was killed"
              : "crashed (" + std::string(sigdescr_np(number)) + ")";
  }
  return {ErrorKind::input, "cannot be read: the decoder of " + format + " files " + how +
                                " on it; the file is damaged, or made to do harm"};
}

class Session : public BandReader {
 public:
  Session(std::string format, std::function<bool()> stopped)
      : format_(std::move(format)), stopped_(std::move(stopped)) {}
  ~Session() override {
    unmap();
    for (const int end : {channel_.mine, channel_.theirs}) {
      if (end >= 0) ::close(end);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  ModuleError open(int descriptor, const wire::Task& task, ImageHeader& header) {
    if (channel_.mine < 0) return no_memory();
    if (!program().give(task, format_, descriptor, channel_.theirs)) return gone();
    ::close(channel_.theirs);
    channel_.theirs = -1;
    return take_header(header);
  }
  bool was_lost() const { return lost_; }
  ModuleError count(int& frames) noexcept override {
    return ask(wire::Ask::count, 0, [&](wire::Reader& reply) { frames = reply.get<int>(); });
  }
  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    unmap();
    wire::Writer message;
    message.put(wire::Ask::seek).put(frame);
    wire::send(channel_.mine, message.bytes);
    return take_header(header);
  }
  ModuleError band(int first, void* rows) noexcept override {
    if (shared_ == nullptr) {
      if (ModuleError error = map(); !error.text.empty()) return error;
    }
    return ask(wire::Ask::band, first, [&](wire::Reader&) { std::memcpy(rows, shared_, size_); });
  }

 private:
  template <class Take>
  ModuleError ask(wire::Ask what, int number, const Take& take) noexcept {
    wire::Writer message;
    message.put(what).put(number);
    wire::send(channel_.mine, message.bytes);  // where it fails, the answer says why
    return answer(take);
  }

  // Waits for the answer, which begins with an error or none.
  template <class Take>
  ModuleError answer(const Take& take) noexcept try {
    std::string message;
    std::vector<int> none;
    wire::Arrival arrival = wire::Arrival::silence;
    while (arrival == wire::Arrival::silence) {
      arrival = wire::receive(channel_.mine, message, none, 50);
      if (arrival == wire::Arrival::silence && stopped_()) return stopped();
    }
    if (arrival == wire::Arrival::end) return gone();
    wire::Reader reply(message);
    if (reply.get<char>() == 'x') return ended(format_, reply.get<int>());
    ModuleError error = wire::get_error(reply);
    if (error.text.empty()) take(reply);
    return error;
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception&) {
    return {ErrorKind::input, "cannot be read: its decoder says what makes no sense"};
  }

  ModuleError take_header(ImageHeader& header) noexcept {
    ModuleError error = answer([&](wire::Reader& reply) { header = wire::get_header(reply); });
    size_ = band_bytes(header);
    return error;
  }

  // Memory that both see, of a size that neither can change.
  ModuleError map() noexcept try {
    const int file = ::memfd_create("dapple-band", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const bool made = file >= 0 && size_ > 0 && ::ftruncate(file, static_cast<off_t>(size_)) == 0 &&
                      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
    void* memory = made ? ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    wire::Writer message;
    message.put(wire::Ask::memory).put(size_);
    if (memory != MAP_FAILED) wire::send(channel_.mine, message.bytes, {file});
    if (file >= 0) ::close(file);
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

  // The other end is closed: the program has ended, and its children with it.
  ModuleError gone() {
    lost_ = true;
    return {ErrorKind::internal, "the program that decodes images was ended from outside"};
  }

  std::string format_;
  std::function<bool()> stopped_;
  wire::Channel channel_;
  void* shared_ = nullptr;
  std::size_t size_ = 0;
  bool lost_ = false;
};

}  // namespace

ModuleError open_sandboxed(int descriptor, const std::string& format, const wire::Task& task,
                           const std::function<bool()>& stopped,
                           std::unique_ptr<BandReader>& reader, ImageHeader& header) {
  ModuleError error;
  // A program that was ended since the last file is started again, once.
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

// The program `dapple-decode` (see sandbox/sandbox.hpp). Its standard input is a socket that brings
// files, each with one end of a channel. It ends when the socket closes. It forks a child per file,
// and reports through the channel how the child ended.
#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/images/read/scanline_bands.hpp"
#include "io/images/sandbox/decoder_protocol.hpp"
#include "io/images/sandbox/seccomp_filter.hpp"

namespace dapple {
namespace {

// A running child and its end of the channel.
struct Child {
  pid_t pid = 0;
  int process = -1;  // becomes readable when the child ends
  int session = -1;
  int threads = -1;         // becomes readable when the child wants to start a thread
  bool is_counted = false;  // false: `threads` is a socket that brings the descriptor
  bool deserted = false;    // the other side has gone and the child was killed
};

template <class Work>
int code_of(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return protocol::no_memory_code;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::limit ? protocol::no_memory_code : 1;
  } catch (const std::exception&) {
    return 1;
  }
}

bool answer(int session, const ModuleError& error, const protocol::Writer& more = {}) {
  protocol::Writer reply;
  reply.put('r');
  protocol::put(reply, error);
  return protocol::send(session, reply.bytes + more.bytes);
}

bool answer(int session, const ModuleError& error, const ImageHeader& header) {
  protocol::Writer more;
  protocol::put(more, header);
  return answer(session, error, more);
}

// The shared memory that receives a band.
class Shared {
 public:
  ~Shared() { unmap(); }
  void map(int file, std::size_t size) {
    unmap();
    void* found = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    memory_ = found == MAP_FAILED ? nullptr : found;
    size_ = size;
    ::close(file);
  }
  void* get() const { return memory_; }

 private:
  void unmap() {
    if (memory_ != nullptr) ::munmap(memory_, size_);
  }
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

void serve(int session, int supervisor, const protocol::Task& task, const std::string& format,
           int file) {
  answer(session, {});  // from here on, time counts for the file
  const Confined made = confine({task.memory, task.seconds, task.common ? -1 : file, task.must});
  if (made.threads >= 0) {
    protocol::send(supervisor, "t", {made.threads});
    ::close(made.threads);
  }
  ::close(supervisor);
  if (!made.missing.empty() && task.must) {
    answer(session, {ErrorKind::usage, "cannot be decoded in a sandbox: " + made.missing +
                                           "; `sandbox auto` decodes it without that"});
    return;
  }
  ImageHeader header;
  std::unique_ptr<BandReader> reader;
  const ModuleError error = image_module(format).open(file, format, task.profile, reader, header);
  header.unconfined = made.missing;
  if (!answer(session, error, header) || reader == nullptr) return;
  Shared shared;
  std::string message;
  for (std::vector<int> files;
       protocol::receive(session, message, &files) == protocol::Arrival::message; files.clear()) {
    protocol::Reader asked(message);
    const auto what = asked.get<protocol::Ask>();
    if (what == protocol::Ask::count) {
      int frames = 1;
      const ModuleError problem = reader->count(frames);
      answer(session, problem, protocol::Writer().put(frames));
    } else if (what == protocol::Ask::seek) {
      const ModuleError problem = reader->seek(asked.get<int>(), header);
      answer(session, problem, header);
    } else if (what == protocol::Ask::memory) {
      if (files.size() == 1) shared.map(files[0], asked.get<std::size_t>());
    } else {
      answer(session,
             shared.get() == nullptr ? no_memory() : reader->band(asked.get<int>(), shared.get()));
    }
  }
}

// Serves one file in a child, and does not return.
void work_apart(const protocol::Task& task, const std::string& format,
                const std::vector<int>& files, int supervisor, const std::vector<Child>& others) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(STDOUT_FILENO, STDIN_FILENO);  // libseccomp accepts no descriptor 0
  for (const Child& other : others) {
    for (const int end : {other.process, other.session, other.threads}) ::close(end);
  }
  ::_exit(code_of([&] {
    serve(files[1], supervisor, task, format, files[0]);
    return 0;
  }));
}

Child start(const std::string& message, const std::vector<int>& files,
            const std::vector<Child>& others) {
  protocol::Reader asked(message);
  const auto task = asked.get<protocol::Task>();
  const std::string format = asked.text();
  const protocol::Channel channel;
  Child child;
  child.pid = ::fork();
  if (child.pid == 0) {
    ::close(channel.mine);
    work_apart(task, format, files, channel.theirs, others);
  }
  for (const int end : {files[0], channel.theirs}) ::close(end);
  child.session = files[1];
  child.threads = channel.mine;
  child.process = child.pid < 0 ? -1 : static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0));
  return child;
}

// Permits a thread. The first time, takes the descriptor through which the child asks.
void supervise(Child& child) {
  if (child.is_counted) return permit_thread(child.threads, child.pid);
  std::string message;
  std::vector<int> files;
  protocol::receive(child.threads, message, &files);
  ::close(child.threads);
  child.threads = files.size() == 1 ? files[0] : -1;  // a child without threads closes the channel
  child.is_counted = true;
}

void end(const Child& child) {
  int status = 0;
  if (child.pid > 0) ::waitpid(child.pid, &status, 0);
  // The channel may be full of unread messages. Does not wait for them.
  ::fcntl(child.session, F_SETFL, O_NONBLOCK);
  protocol::send(child.session, protocol::Writer().put('x').put(status).bytes);
  ::close(child.session);
  for (const int end : {child.process, child.threads}) {
    if (end >= 0) ::close(end);
  }
}

int run() {
  // Constructors in libraries may throw outside any handler.
  std::set_terminate([] {
    ::_exit(code_of([]() -> int {
      if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
      return 1;
    }));
  });
  const ImageModule& module = image_module("image");
  const int idle = count_threads(::getpid());  // libraries start some
  module.prepare();
  // A fork would copy a lock that an ending thread holds.
  for (int i = 0; i < 1000 && count_threads(::getpid()) > idle; ++i) ::usleep(1000);
  std::vector<Child> children;
  for (;;) {
    std::vector<pollfd> ends{{STDIN_FILENO, POLLIN, 0}};
    for (const Child& child : children) {
      ends.push_back({child.process, POLLIN, 0});
      // A deserted child gets no reply; poll() ignores a negative descriptor.
      ends.push_back({child.deserted ? -1 : child.session, 0, 0});
      ends.push_back({child.threads, POLLIN, 0});
    }
    if (::poll(ends.data(), ends.size(), -1) < 0) continue;
    for (std::size_t i = children.size(); i-- > 0;) {
      Child& child = children[i];
      if (ends[2 + 3 * i].revents != 0) child.deserted = ::kill(child.pid, SIGKILL) == 0;
      if ((ends[3 + 3 * i].revents & POLLIN) != 0) supervise(child);
      if (ends[1 + 3 * i].revents == 0) continue;
      end(child);
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (ends[0].revents == 0) continue;
    std::string message;
    std::vector<int> files;
    if (protocol::receive(STDIN_FILENO, message, &files) != protocol::Arrival::message) return 0;
    if (files.size() != 2) return 1;
    const Child child = start(message, files, children);
    if (child.process < 0) {
      end(child);
    } else {
      children.push_back(child);
    }
  }
}

}  // namespace
}  // namespace dapple

int main() {
  // The terminal sends signals to the whole process group; they are meant for the calling program.
  for (const int number : {SIGINT, SIGHUP, SIGQUIT}) std::signal(number, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  ::syscall(SYS_close_range, 3u, ~0u, 0);
  ::mallopt(M_ARENA_MAX, 1);  // each arena reserves 64 MB of addresses
  return dapple::code_of(dapple::run);
}

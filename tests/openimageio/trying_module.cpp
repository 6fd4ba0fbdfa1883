// An image module whose decoder tries what no decoder may do, from inside of the sandbox. It
// answers with an error that lists what it could do, and what it could not do though it must.
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "image_module_entry.hpp"

namespace dapple {
namespace {

struct Report {
  void never(const char* what, bool done) {
    if (done) text += std::string(" could ") + what + ";";
  }
  void always(const char* what, bool done) {
    if (!done) text += std::string(" could not ") + what + ";";
  }
  std::string text;
};

bool can_open(const char* path, int flags = O_RDONLY) {
  const int file = ::open(path, flags, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

bool can_map(std::size_t bytes, int rights, int flags) {
  void* memory = ::mmap(nullptr, bytes, rights, flags | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, bytes);
  return true;
}

void* wait_for_end(void*) {
  for (;;) ::sleep(1000);
}

// Returns the number of threads that this process can start beside its own, up to `most`.
int threads(int most) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 1 << 17);
  int count = 0;
  for (pthread_t thread{}; count < most; ++count) {
    if (pthread_create(&thread, &small, wait_for_end, nullptr) != 0) break;
  }
  return count;
}

void try_processes(Report& report) {
  const pid_t parent = ::getppid();
  report.never("signal its parent", ::kill(parent, 0) == 0);
  report.never("signal a thread of its parent", ::syscall(SYS_tgkill, parent, parent, 0) == 0);
  report.never("signal any thread", ::syscall(SYS_tkill, parent, 0) == 0);
  report.always("signal itself", ::syscall(SYS_tgkill, ::getpid(), ::gettid(), 0) == 0);
  char byte = 0;
  iovec here{&byte, 1};
  iovec there{&byte, 1};
  report.never("read its parent", ::process_vm_readv(parent, &here, 1, &there, 1, 0) == 1);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  report.never("fork", child > 0);
  ::execl("/nowhere", "nowhere", nullptr);
  report.never("start a program", errno == ENOENT);
  if (std::getenv("FREE") != nullptr) return;  // without a sandbox, these would harm the test
  report.never("enter a namespace", ::unshare(CLONE_NEWUSER) == 0);
  rlimit limit{};
  report.always("read its limits", ::getrlimit(RLIMIT_DATA, &limit) == 0);
  report.never("set its limits", ::setrlimit(RLIMIT_DATA, &limit) == 0);
  report.never("trace its parent", ::ptrace(PTRACE_SEIZE, parent, 0, 0) == 0);
  report.never("start a thread in a namespace",
               ::syscall(SYS_clone, CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_NEWUTS, nullptr,
                         nullptr, nullptr, nullptr) >= 0);
}

void try_files(Report& report, int input) {
  for (const char* path : {"/etc/passwd", "/etc/shadow", "/proc/self/mem", "/proc/1/environ",
                           "/dev/null", "/dev/shm", "/"}) {
    report.never((std::string("open ") + path).c_str(), can_open(path));
  }
  report.never("write its input",
               can_open(("/proc/self/fd/" + std::to_string(input)).c_str(), O_RDWR));
  report.never("make a file", can_open("made-by-a-decoder", O_CREAT | O_WRONLY));
  report.never("make a file in memory", ::memfd_create("memory", 0) >= 0);
  report.never("remove a file", ::unlink("/tmp/nothing") == 0 || errno == ENOENT);
  report.never("change a mode", ::fchmod(input, 0777) == 0);
  report.never("write to its input", ::ftruncate(input, 0) == 0);
  report.never("take a socket", ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  report.never("take a signal of its input", ::fcntl(input, F_SETOWN, ::getpid()) == 0);
  report.never("choose a signal of its input", ::fcntl(input, F_SETSIG, SIGURG) == 0);
  report.never("have input signal", ::fcntl(input, F_SETFL, O_ASYNC | O_NONBLOCK) == 0);
  report.never("lease its input", ::fcntl(input, F_SETLEASE, F_RDLCK) == 0);
  struct flock lock {};
  lock.l_type = F_RDLCK;
  report.never("lock its input", ::fcntl(input, F_SETLK, &lock) == 0);
  report.always("read its input", ::pread(input, &report, 0, 0) == 0);
}

void try_memory(Report& report) {
  constexpr std::size_t much = std::size_t{64} << 30;
  constexpr int both = PROT_READ | PROT_WRITE;
  report.never("share memory", can_map(4096, both, MAP_SHARED));
  report.never("map much memory", can_map(much, both, MAP_PRIVATE));
  report.never("map much memory to read", can_map(much, PROT_READ, MAP_PRIVATE));
  report.never("map much memory without rights", can_map(much, PROT_NONE, MAP_PRIVATE));
  report.never("map code", can_map(4096, PROT_READ | PROT_EXEC, MAP_PRIVATE));
  report.always("map memory", can_map(16 << 20, both, MAP_PRIVATE));
  void* page = ::mmap(nullptr, 4096, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  report.never("make code", ::mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
  constexpr int poison = 100;  // MADV_HWPOISON
  report.never("poison memory", ::madvise(page, 0, poison) == 0);
  report.always("give memory back", ::madvise(page, 4096, MADV_DONTNEED) == 0);
  const int segment = ::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  report.never("get System V memory", segment >= 0);
  if (segment >= 0) ::shmctl(segment, IPC_RMID, nullptr);
}

ModuleError open(int descriptor, const std::string& format, EmbeddedProfile,
                 std::unique_ptr<BandReader>&, ImageHeader&) noexcept {
  Report report;
  try_processes(report);
  try_files(report, descriptor);
  try_memory(report);
  const bool foreign = format == "dds";
  report.always("open its input as allowed",
                can_open(("/proc/self/fd/" + std::to_string(descriptor)).c_str()) == foreign);
  const int started = threads(1000);
  report.always("start threads", foreign ? started >= 16 : started == 0);
  report.never("start many threads", started > 200);
  if (report.text.empty()) report.text = " did nothing else";
  return {ErrorKind::input, "is tried: the decoder" + report.text};
}

void prepare() noexcept {}

}  // namespace

const ImageModule test_module = {DAPPLE_VERSION, "",      open,    nullptr,
                                 nullptr,        nullptr, nullptr, prepare};

}  // namespace dapple

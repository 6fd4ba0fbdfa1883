// Confines the process with libseccomp. A call that is not on the list fails with EPERM, so a
// decoder that asks for more than it needs continues without it. RLIMIT_DATA limits writable
// private memory. RLIMIT_AS also limits other mappings, whose page tables take memory.
#include "io/images/sandbox/seccomp_filter.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <initializer_list>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace dapple {
namespace {

#if defined(__s390__)
// On this machine clone takes its stack first. mmap takes a pointer, which no filter follows.
constexpr unsigned clone_flags = 1;
constexpr std::uint64_t all_of_mmap = 0;
#else
constexpr unsigned clone_flags = 0;
constexpr std::uint64_t all_of_mmap = ~std::uint64_t{0};
#endif

constexpr int most_threads = 128;

// Sanitizers make system calls and use memory that no decoder needs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

// Collects rules and remembers the first error, a negative errno.
class Filter {
 public:
  Filter() : filter_(seccomp_init(SCMP_ACT_ERRNO(EPERM))) {
    if (filter_ == nullptr) error_ = -ENOMEM;
    note(seccomp_attr_set(filter_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    note(seccomp_attr_set(filter_, SCMP_FLTATR_API_SYSRAWRC, 1));
  }
  ~Filter() { seccomp_release(filter_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // Allows calls, except those that the architecture does not have.
  void allow(std::initializer_list<int> calls) {
    for (const int call : calls) answer(call, SCMP_ACT_ALLOW);
  }
  void answer(int call, std::uint32_t with) { note(seccomp_rule_add(filter_, with, call, 0)); }
  // Answers a call if every given argument has the given value in the given bits.
  struct Argument {
    unsigned index;
    std::uint64_t bits;
    std::uint64_t value;
  };
  void answer_if(int call, std::initializer_list<Argument> arguments,
                 std::uint32_t with = SCMP_ACT_ALLOW) {
    std::vector<scmp_arg_cmp> equal;
    for (const auto& [index, bits, value] : arguments) {
      equal.push_back({index, SCMP_CMP_MASKED_EQ, bits, value});
    }
    note(seccomp_rule_add_array(filter_, with, call, static_cast<unsigned>(equal.size()),
                                equal.data()));
  }
  // Installs the filter, which cannot be undone and blocks new privileges. Returns 0 or the error.
  int install() {
    note(error_ == 0 ? seccomp_load(filter_) : 0);
    return error_;
  }
  // Returns the descriptor of calls that were answered with SCMP_ACT_NOTIFY.
  int listener() const { return seccomp_notify_fd(filter_); }

 private:
  void note(int result) {
    if (error_ == 0) error_ = result;
  }

  scmp_filter_ctx filter_;
  int error_ = 0;
};

// Installs the filter. `threads` tells how threads are answered; 0: with an error.
int install_filter(bool opens_files, std::uint32_t threads, int& listener) {
  constexpr std::uint64_t word = 0xffffffff;
  Filter filter;
  filter.allow({SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(lseek),
                SCMP_SYS(fstat), SCMP_SYS(close)});
  filter.allow({SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)});  // only one socket exists
  filter.allow({SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk)});
  filter.allow({SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
                SCMP_SYS(set_robust_list), SCMP_SYS(rseq)});
  filter.allow({SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
                SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(exit), SCMP_SYS(exit_group)});
  filter.allow({SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(nanosleep),
                SCMP_SYS(clock_nanosleep), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(sysinfo),
                SCMP_SYS(getrusage)});
  // abort() sends a signal to its own process.
  filter.answer_if(SCMP_SYS(tgkill), {{0, word, static_cast<std::uint64_t>(::getpid())}});
  for (const int number : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}) {
    const auto command = static_cast<std::uint64_t>(number);
    filter.answer_if(SCMP_SYS(fcntl), {{1, word, command}});
    if constexpr (sizeof(long) == 4) filter.answer_if(SCMP_SYS(fcntl64), {{1, word, command}});
  }
  // Advice from 16 on includes MADV_HWPOISON, by which root takes memory from the system.
  filter.answer_if(SCMP_SYS(madvise), {{2, word & ~std::uint64_t{15}, 0}});
  // Maps no code, and shares only the memory of files, which is bounded.
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mmap2)}) {
    constexpr std::uint64_t code = all_of_mmap & PROT_EXEC;
    constexpr std::uint64_t anonymous = all_of_mmap & MAP_ANONYMOUS;
    filter.answer_if(call, {{2, code, 0}, {3, anonymous, 0}});
    filter.answer_if(call, {{2, code, 0}, {3, all_of_mmap & MAP_SHARED, 0}});
  }
  filter.answer_if(SCMP_SYS(mprotect), {{2, PROT_EXEC, 0}});
  // Reads the limits of this process; root could raise them.
  filter.answer_if(SCMP_SYS(prlimit64), {{0, word, 0}, {2, ~std::uint64_t{0}, 0}});
  constexpr std::uint64_t own_space = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
  if (threads != 0) {
    filter.answer_if(SCMP_SYS(clone), {{clone_flags, CLONE_THREAD | own_space, CLONE_THREAD}},
                     threads);
  }
  filter.answer(SCMP_SYS(clone3), SCMP_ACT_ERRNO(ENOSYS));  // glibc then uses clone
  if constexpr (sizeof(long) == 4) {                        // the same calls have other names
    filter.allow({SCMP_SYS(_llseek), SCMP_SYS(fstat64), SCMP_SYS(fstatat64), SCMP_SYS(statx),
                  SCMP_SYS(futex_time64), SCMP_SYS(sigreturn), SCMP_SYS(clock_gettime64),
                  SCMP_SYS(clock_nanosleep_time64)});
  }
  if (opens_files) {
    constexpr std::uint64_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    filter.answer_if(SCMP_SYS(openat), {{2, writes, 0}});
    filter.answer_if(SCMP_SYS(open), {{1, writes, 0}});
    filter.allow({SCMP_SYS(newfstatat), SCMP_SYS(readlinkat), SCMP_SYS(readlink),
                  SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(access), SCMP_SYS(stat),
                  SCMP_SYS(lstat), SCMP_SYS(stat64), SCMP_SYS(lstat64)});
  }
  const int error = filter.install();
  if (error == 0 && threads == SCMP_ACT_NOTIFY) listener = filter.listener();
  return error;
}

// Forbids to open any file by its name. If `file` is one, it may be opened again for reading, as
// may the data of installed libraries, such as the dictionaries of DICOM. Returns false if the
// kernel lacks Landlock.
bool lock_files(int file) {
#if defined(SYS_landlock_create_ruleset) && defined(LANDLOCK_ACCESS_FS_MAKE_SYM)
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = 2 * LANDLOCK_ACCESS_FS_MAKE_SYM - 1;  // all rights of version 1
  const auto set = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0));
  if (set < 0) return false;
  const auto may_read = [set](int beneath) {
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    rule.parent_fd = beneath;
    // Fails for a file in memory, which needs no rule.
    ::syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  };
  if (file >= 0) {
    may_read(file);
    const int data = ::open("/usr/share", O_PATH | O_CLOEXEC);
    may_read(data);
    ::close(data);
  }
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const bool locked = ::syscall(SYS_landlock_restrict_self, set, 0) == 0;
  ::close(set);
  return locked;
#else
  return false;
#endif
}

// Returns a field of statm in bytes: 0 counts all mapped memory, 5 the writable private memory.
std::int64_t mapped_bytes(int field) {
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  for (int i = 0; i <= field; ++i) statm >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

// Sets a limit. Above `most` comes a first signal, above most + grace the final one.
void set_limit(__rlimit_resource resource, std::int64_t most, std::int64_t grace = 0) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(most + grace));
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(most));
  setrlimit(resource, &limit);
}

}  // namespace

Confined confine(const Confinement& how) {
  Confined made;
  if (sanitized) {
    if (how.must) made.missing = "a build with sanitizers does not filter system calls";
    return made;
  }
  const std::int64_t memory = std::min(how.memory, std::int64_t{1} << 46);
  set_limit(RLIMIT_DATA, mapped_bytes(5) + memory);
  set_limit(RLIMIT_AS, mapped_bytes(0) + 2 * memory);  // includes the bands that are shared
  set_limit(RLIMIT_CPU, how.seconds, 1);
  set_limit(RLIMIT_NOFILE, 64);
  set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0);
  const bool foreign = how.by_name >= 0;
  const bool locked = lock_files(how.by_name);
  int error = install_filter(foreign, foreign ? SCMP_ACT_NOTIFY : 0, made.threads);
  if (error != 0 && foreign) {
    error = install_filter(true, SCMP_ACT_ALLOW, made.threads);
    if (error == 0) made.missing = "its threads cannot be counted";
  }
  const std::string no_filter =
      "the system does not filter system calls (" + std::string(std::strerror(-error)) + ")";
  if (error != 0) made.missing = no_filter;
  if (locked || (error == 0 && !foreign)) return made;
  made.missing += made.missing.empty() ? "" : ", and ";
  made.missing += "the system has no Landlock, so that any file can be read";
  return made;
}

int count_threads(int pid) {
  struct stat tasks {};  // this folder has a link for each thread, and two of its own
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  return ::stat(folder.c_str(), &tasks) == 0 ? static_cast<int>(tasks.st_nlink) - 2 : 0;
}

void permit_thread(int threads, int pid) {
  seccomp_notif* asked = nullptr;
  seccomp_notif_resp* answer = nullptr;
  if (seccomp_notify_alloc(&asked, &answer) != 0) return;
  if (seccomp_notify_receive(threads, asked) == 0) {
    const int count = count_threads(pid);
    answer->id = asked->id;
    if (count > 0 && count < most_threads) {
      answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else {
      answer->error = -EAGAIN;
    }
    seccomp_notify_respond(threads, answer);
  }
  seccomp_notify_free(asked, answer);
}

}  // namespace dapple

// Confines the process with libseccomp. A call that is not on the list fails with EPERM, so a
// decoder that asks for more than it needs continues without it. RLIMIT_DATA limits only writable
// private memory, since 261 mapped libraries would count for other limits.
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
#include <unistd.h>

namespace dapple {
namespace {

#if defined(__s390__)
// On this machine clone takes its stack first. mmap takes a pointer, which no filter follows.
constexpr unsigned clone_flags = 1;
constexpr std::uint64_t seen_of_mmap = 0;
#else
constexpr unsigned clone_flags = 0;
constexpr std::uint64_t seen_of_mmap = PROT_EXEC;
#endif

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
  // Allows a call only if the bits `bits` of an argument equal `value`.
  void allow_if(int call, unsigned argument, std::uint64_t bits, std::uint64_t value) {
    const scmp_arg_cmp equal{argument, SCMP_CMP_MASKED_EQ, bits, value};
    note(seccomp_rule_add_array(filter_, SCMP_ACT_ALLOW, call, 1, &equal));
  }
  // Installs the filter, which cannot be undone and blocks new privileges. Returns 0 or the error.
  int install() {
    note(error_ == 0 ? seccomp_load(filter_) : 0);
    return error_;
  }

 private:
  void note(int result) {
    if (error_ == 0) error_ = result;
  }

  scmp_filter_ctx filter_;
  int error_ = 0;
};

int install_filter(bool opens_files) {
  Filter filter;
  filter.allow({SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(lseek),
                SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(close), SCMP_SYS(fcntl)});
  filter.allow({SCMP_SYS(sendmsg), SCMP_SYS(recvmsg)});  // only one socket exists
  filter.allow({SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(brk)});
  filter.allow({SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
                SCMP_SYS(set_robust_list), SCMP_SYS(rseq)});
  filter.allow({SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
                SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(tgkill), SCMP_SYS(exit),
                SCMP_SYS(exit_group)});
  filter.allow({SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(nanosleep),
                SCMP_SYS(clock_nanosleep), SCMP_SYS(getrandom), SCMP_SYS(uname), SCMP_SYS(sysinfo),
                SCMP_SYS(getrusage)});
  filter.allow_if(SCMP_SYS(mmap), 2, seen_of_mmap, 0);
  filter.allow_if(SCMP_SYS(mprotect), 2, PROT_EXEC, 0);
  filter.allow_if(SCMP_SYS(prlimit64), 0, 0xffffffff, 0);  // only for this process
  filter.allow_if(SCMP_SYS(clone), clone_flags, CLONE_THREAD, CLONE_THREAD);
  filter.answer(SCMP_SYS(clone3), SCMP_ACT_ERRNO(ENOSYS));  // glibc then uses clone
  if constexpr (sizeof(long) == 4) {                        // the same calls have other names
    filter.allow({SCMP_SYS(_llseek), SCMP_SYS(fstat64), SCMP_SYS(fstatat64), SCMP_SYS(statx),
                  SCMP_SYS(fcntl64), SCMP_SYS(futex_time64), SCMP_SYS(sigreturn),
                  SCMP_SYS(clock_gettime64), SCMP_SYS(clock_nanosleep_time64)});
    filter.allow_if(SCMP_SYS(mmap2), 2, PROT_EXEC, 0);
  }
  if (opens_files) {
    constexpr std::uint64_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    filter.allow_if(SCMP_SYS(openat), 2, writes, 0);
    filter.allow_if(SCMP_SYS(open), 1, writes, 0);
    filter.allow({SCMP_SYS(getdents64), SCMP_SYS(readlinkat), SCMP_SYS(readlink),
                  SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(access), SCMP_SYS(stat),
                  SCMP_SYS(lstat), SCMP_SYS(stat64), SCMP_SYS(lstat64)});
  }
  return filter.install();
}

// Returns the writable private bytes of this process: the sixth field of statm, in pages.
std::int64_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  for (int i = 0; i < 6; ++i) statm >> pages;
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

std::string confine(const Confinement& how) {
  if (sanitized) return how.must ? "a build with sanitizers cannot use a sandbox" : "";
  set_limit(RLIMIT_DATA, data_bytes() + std::min(how.memory, std::int64_t{1} << 46));
  set_limit(RLIMIT_CPU, how.seconds, 1);
  set_limit(RLIMIT_NOFILE, 64);
  set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0);
  const int error = install_filter(how.opens_files);
  if (error == 0 || !how.must) return "";
  return "cannot install a filter for system calls: " + std::string(std::strerror(-error));
}

}  // namespace dapple

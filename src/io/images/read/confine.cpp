// The filter is written out, after seccomp(2): a list of two dozen calls and four conditions needs
// no library. What is not on the list fails with EPERM, so that a decoder that asks for more than
// it needs goes on without. Memory is bounded by what is writable and private (RLIMIT_DATA), since
// 261 libraries are mapped beside it.
#include "io/images/read/confine.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <initializer_list>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace dapple {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;  // no filter is known
#endif

// Sanitizers make calls and take memory of their own, which no decoder needs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool sanitized = false;
#endif

class Filter {
 public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless_equal(architecture, 1);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }
  void allow(std::initializer_list<long> calls) {
    for (const long call : calls) answer(call, SECCOMP_RET_ALLOW);
  }
  void answer(long call, std::uint32_t with) {
    if_equal(static_cast<std::uint32_t>(call), 1);
    give(with);
  }
  // Allowed where the bits of an argument are those of `value`.
  void allow_where(long call, unsigned argument, unsigned bits, unsigned value) {
    if_equal(static_cast<std::uint32_t>(call), 5);
    load(offsetof(seccomp_data, args) + 8 * argument);
    put(BPF_ALU | BPF_AND | BPF_K, bits);
    if_equal(value, 1);
    give(SECCOMP_RET_ALLOW);
    give(refused);
  }
  bool install() {
    give(refused);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  static constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

  void put(int code, std::size_t k, int yes = 0, int no = 0) {
    code_.push_back({static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(yes),
                     static_cast<std::uint8_t>(no), static_cast<std::uint32_t>(k)});
  }
  void load(std::size_t offset) { put(BPF_LD | BPF_W | BPF_ABS, offset); }
  void give(std::uint32_t answer) { put(BPF_RET | BPF_K, answer); }
  // Else (or there) the next instructions are left out.
  void if_equal(std::uint32_t value, int skipped) {
    put(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
  }
  void unless_equal(std::uint32_t value, int skipped) {
    put(BPF_JMP | BPF_JEQ | BPF_K, value, skipped, 0);
  }

  std::vector<sock_filter> code_;
};

bool install_filter(bool opens_files) {
  if (architecture == 0) return false;
  Filter filter;
  filter.allow({SYS_read, SYS_readv, SYS_pread64, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_close,
                SYS_fcntl});
  filter.allow({SYS_sendmsg, SYS_recvmsg});  // there is one socket
  filter.allow({SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk});
  filter.allow({SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_set_robust_list, SYS_rseq});
  filter.allow({SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_getpid, SYS_gettid,
                SYS_tgkill, SYS_exit, SYS_exit_group});
  filter.allow({SYS_clock_gettime, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep,
                SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_getrusage});
  filter.allow_where(SYS_mmap, 2, PROT_EXEC, 0);
  filter.allow_where(SYS_mprotect, 2, PROT_EXEC, 0);
  filter.allow_where(SYS_prlimit64, 0, ~0u, 0);  // of itself
  filter.allow_where(SYS_clone, 0, CLONE_THREAD, CLONE_THREAD);
  filter.answer(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);  // glibc then takes clone
  if (opens_files) {
    constexpr unsigned writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    filter.allow_where(SYS_openat, 2, writes, 0);
    filter.allow({SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_faccessat2});
#ifdef SYS_open
    filter.allow_where(SYS_open, 1, writes, 0);
    filter.allow({SYS_readlink, SYS_access, SYS_stat, SYS_lstat});
#endif
  }
  return filter.install();
}

// Writable private bytes of this process: the sixth number of statm, in pages.
std::int64_t data_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  for (int i = 0; i < 6; ++i) statm >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

// Beyond `most` the first signal comes, beyond as much more as `grace` the last.
void set_limit(__rlimit_resource resource, std::int64_t most, std::int64_t grace = 0) {
  rlimit limit{};
  getrlimit(resource, &limit);
  limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(most + grace));
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(most));
  setrlimit(resource, &limit);
}

}  // namespace

std::string confine(const Confinement& how) {
  if (sanitized) return how.must ? "a build with sanitizers cannot be confined" : "";
  set_limit(RLIMIT_DATA, data_bytes() + std::min(how.memory, std::int64_t{1} << 46));
  set_limit(RLIMIT_CPU, how.seconds, 1);
  set_limit(RLIMIT_NOFILE, 64);
  set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_CORE, 0);
  prctl(PR_SET_DUMPABLE, 0);
  const bool filtered =
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install_filter(how.opens_files);
  if (filtered || !how.must) return "";
  return "the kernel takes no filter of system calls: " + std::string(std::strerror(errno));
}

}  // namespace dapple

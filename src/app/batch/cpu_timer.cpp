// Measures time independently of other load on the machine. Excludes waiting for a processor that
// another program uses, but includes waiting for a disk.
#include <algorithm>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include "app/batch/batch.hpp"
#include "core/text/number_text.hpp"

namespace dapple::app {
namespace {

double clock_seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Reads the system's statistics of this thread: nanoseconds on a processor and waiting for one.
class ThreadStatus {
 public:
  ThreadStatus() : file_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}
  ~ThreadStatus() {
    if (file_ >= 0) close(file_);
  }
  ThreadStatus(const ThreadStatus&) = delete;
  ThreadStatus& operator=(const ThreadStatus&) = delete;

  // Returns the seconds of waiting; 0 if unknown.
  double waited() const {
    char text[80];
    const ssize_t size = file_ < 0 ? 0 : pread(file_, text, sizeof text, 0);
    const char* const end = text + std::max<ssize_t>(size, 0);
    double nanoseconds = 0;
    const char* const second = std::find(static_cast<const char*>(text), end, ' ');
    if (second != end) read_number(second + 1, end, nanoseconds);
    return 1e-9 * nanoseconds;
  }

 private:
  int file_;
};

double waited_seconds() {
  thread_local const ThreadStatus status;
  return status.waited();
}

double processor_seconds(int sharing) {
  if (sharing == 0) return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
  return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) / sharing;
}

}  // namespace

CpuTimer::CpuTimer(int sharing)
    : sharing_(sharing),
      start_(std::chrono::steady_clock::now()),
      waited_(waited_seconds()),
      processor_(processor_seconds(sharing)) {}

Spent CpuTimer::spent() const {
  Spent spent;
  spent.processor = processor_seconds(sharing_) - processor_;
  spent.seconds = seconds_since(start_) - (waited_seconds() - waited_);
  spent.seconds = std::max(spent.seconds, sharing_ == 0 ? spent.processor : 0);
  spent.peak_mb = peak_memory_mb();
  return spent;
}

}  // namespace dapple::app

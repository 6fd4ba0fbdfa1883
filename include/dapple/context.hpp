// Passes the seed, the number of threads, progress, warnings and cancellation to long-running
// calls. One context serves one run, or several in sequence with reset() between them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/checkpoint.hpp"
#include "dapple/limits.hpp"

namespace dapple {

// The settings of a run: a plain value to store, copy and give to one context after another.
struct RunOptions {
  // Equal seed, options and version give equal bytes, for any number of threads.
  std::uint64_t seed = 1;
  // Largest number of threads; 0 = all that the machine has.
  int threads = 0;
  Limits limits = {};
};

// A run: its settings, its progress, and the way to stop it. A context cannot be copied. One call
// of the library uses a context at a time. Meanwhile other threads may only call cancel() and
// cancelled(). warnings() and seconds() are complete when the call has returned.
class Context : public RunOptions {
 public:
  Context() = default;
  explicit Context(RunOptions options) : RunOptions(std::move(options)) {}
  const RunOptions& asked() const { return *this; }

  // Receives the name of the stage and a fraction 0..1, in the thread that runs the stage. The
  // fraction never falls within a stage.
  std::function<void(std::string_view stage, double fraction)> on_progress;

  // check() calls it many times a second, in each thread of the run and in several at once. It may
  // call cancel(). A host whose signals wait for its own thread handles them here.
  std::function<void()> on_check;

  // Saves the longest part of a run: the relaxation of dots by kernels. A run that ends and
  // continues makes the same bytes as an uninterrupted run.
  std::shared_ptr<Checkpoint> checkpoint = {};

  // Asks the run to stop. Any thread and any signal handler may call it.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
  // Prepares for another run: clears the cancellation, the warnings and the times.
  void reset();
  // Throws Error(cancelled) after cancel(). Long loops call it at least every 50 ms.
  void check() const;

  // Reports progress of the current stage, or of its current part, and checks for a cancel. Only
  // the thread of the call may use progress() and warn().
  void progress(double fraction) const;

  // Maps the range 0..1 of progress() to a part of the current range, while the returned object
  // lives. Work in several steps uses it: each step reports from 0 to 1.
  class Part {
   public:
    Part(Context& context, double first, double last);
    ~Part();
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    Context& context_;
    double outer_first_;
    double outer_last_;
  };
  [[nodiscard]] Part part(double first, double last) { return Part(*this, first, last); }

  // Throws Error(limit) if `what` of width x height pixels, or of `bytes` bytes, exceeds the
  // limits. The message names `what`, its need, and the option that raises the limit.
  void require_pixels(double width, double height, std::string_view what) const;
  void require_memory(double bytes, std::string_view what) const;

  // Adds a warning: a fact that the user should know and that does not stop the run. Loops over
  // threads collect their findings first, so that the order is the same in every run.
  void warn(std::string message) { warnings_.push_back(std::move(message)); }
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Adds a note: a choice made for the user, and the option that changes it.
  void note(std::string message) { notes_.push_back(std::move(message)); }
  const std::vector<std::string>& notes() const { return notes_; }

  // Times a named stage while the returned object lives. Times of stages with one name add up. A
  // stage within a stage of the same name is a part of that stage.
  class Stage {
   public:
    Stage(Context& context, std::string_view name, bool outermost = false);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

   private:
    Context& context_;
    bool opened_;
    std::string outer_;
    double outer_reported_;
    double outer_first_;
    double outer_last_;
    std::int64_t start_;  // nanoseconds of the steady clock
  };
  [[nodiscard]] Stage stage(std::string_view name) { return Stage(*this, name); }
  // Opens a stage only if none is open, otherwise joins the open stage. It serves functions that
  // are called both directly and by other functions.
  [[nodiscard]] Stage outermost(std::string_view name) { return Stage(*this, name, true); }
  // Returns the seconds per stage, in order of first start.
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  std::atomic<bool> cancelled_{false};
  std::string stage_;
  mutable double reported_ = 0;  // fraction reported in this stage
  double first_ = 0;             // start of the current part
  double last_ = 1;
  std::vector<std::string> warnings_;
  std::vector<std::string> notes_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace dapple

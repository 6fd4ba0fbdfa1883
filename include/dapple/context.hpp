// What every long-running call is given: the seed, the number of threads, and a way to follow,
// warn and stop. One context serves one run, or one after the other with reset() between them.
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

// What is asked of a run, apart from the run: a value, to be kept, copied and given to one context
// after another.
struct RunOptions {
  // Same seed, options and version: same bytes, at any number of threads.
  std::uint64_t seed = 1;
  // Threads to use at most; 0 = all the machine has.
  int threads = 0;
  Limits limits = {};
};

// A run: what is asked of it, how far it is, and the way to stop it. It is of one place, and not
// copied. One call of the library uses a context at a time. While it runs, other threads may cancel
// it and ask cancelled(), nothing else; warnings() and seconds() are complete when it has returned.
class Context : public RunOptions {
 public:
  Context() = default;
  explicit Context(RunOptions options) : RunOptions(std::move(options)) {}
  const RunOptions& asked() const { return *this; }

  // Called with the name of the stage and 0..1, from the thread that runs the stage; within a stage
  // the number never falls.
  std::function<void(std::string_view stage, double fraction)> on_progress;

  // For what takes longest in a run: the relaxation of dots by kernels. The same bytes come out
  // whether or not a run was ended and another went on.
  std::shared_ptr<Checkpoint> checkpoint = {};

  // Asks the run to stop; safe from any thread and from a signal handler.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
  // Ready for another run: not cancelled, without warnings and times.
  void reset();
  // Throws Error(cancelled) once cancel() was called. Long loops call it at least every 50 ms.
  void check() const;

  // Reports progress of the present stage, or of the present part of it, and checks for a cancel.
  // From the thread of the call alone, as warn().
  void progress(double fraction) const;

  // Narrows what progress() reports to this part of what it reports now, as long as the returned
  // object lives: for work that consists of others which report from 0 to 1.
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

  // Throws Error(limit) where `what` of width x height pixels, or of so many bytes, is more than
  // the limits allow; the message names what, how much it needs and the option that raises the
  // limit.
  void require_pixels(double width, double height, std::string_view what) const;
  void require_memory(double bytes, std::string_view what) const;

  // Something the user should know that does not stop the run. From the thread of the call alone:
  // loops over threads collect what they find, so that the order is the same in every run.
  void warn(std::string message) { warnings_.push_back(std::move(message)); }
  const std::vector<std::string>& warnings() const { return warnings_; }

  // Times a named stage for as long as the returned object lives. Stages of one name add up; one
  // within another of its name is a part of that.
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
    double outer_told_;
    double outer_first_;
    double outer_last_;
    std::int64_t start_;  // nanoseconds of the steady clock
  };
  [[nodiscard]] Stage stage(std::string_view name) { return Stage(*this, name); }
  // For functions that are called on their own and by others: a part of the stage that is open, or
  // else a stage.
  [[nodiscard]] Stage outermost(std::string_view name) { return Stage(*this, name, true); }
  // Seconds spent, by name, in order of first start.
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  std::atomic<bool> cancelled_{false};
  std::string stage_;
  mutable double told_ = 0;  // in this stage
  double first_ = 0;         // of the present part
  double last_ = 1;
  std::vector<std::string> warnings_;
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace dapple

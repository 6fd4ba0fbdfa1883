// Implements progress, cancellation and stage times of a run, and returns the library version.
#include "dapple/context.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <unistd.h>

#include "core/memory_limits.hpp"
#include "dapple/error.hpp"
#include "dapple/version.hpp"

namespace dapple {
namespace {

// Returns all digits of a number, rounded up. Sizes in hostile files may exceed 64 bits.
std::string whole(double number) {
  char text[320];
  std::snprintf(text, sizeof text, "%.0f", std::ceil(number));
  return text;
}

std::int64_t steady_nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

std::string_view version() {
  return DAPPLE_VERSION;
}

std::int64_t memory_limit(const Limits& limits) {
  if (limits.max_memory > 0) return limits.max_memory;
  // The query runs once, because it takes a tenth of the time of a small job.
  static const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  static const double share = control_group_memory("/");
  return static_cast<std::int64_t>(0.8 * std::min(machine, share));
}

void Context::reset() {
  cancelled_.store(false, std::memory_order_relaxed);
  warnings_.clear();
  notes_.clear();
  seconds_.clear();
}

void Context::check() const {
  if (on_check) on_check();
  if (cancelled()) throw Error(ErrorKind::cancelled, "cancelled");
}

void Context::progress(double fraction) const {
  check();
  if (!on_progress) return;
  const double of_stage = first_ + (last_ - first_) * std::clamp(fraction, 0.0, 1.0);
  reported_ = stage_.empty() ? of_stage : std::max(reported_, of_stage);
  on_progress(stage_, reported_);
}

Context::Part::Part(Context& context, double first, double last)
    : context_(context), outer_first_(context.first_), outer_last_(context.last_) {
  const double whole = outer_last_ - outer_first_;
  context_.first_ = outer_first_ + whole * first;
  context_.last_ = outer_first_ + whole * last;
}

Context::Part::~Part() {
  context_.first_ = outer_first_;
  context_.last_ = outer_last_;
}

void Context::require_pixels(double width, double height, std::string_view what) const {
  if (width * height <= static_cast<double>(limits.max_pixels)) return;
  throw Error(ErrorKind::limit,
              std::string(what) + " of " + whole(width) + "x" + whole(height) + " has " +
                  whole(width * height) + " pixels, more than the limit of " +
                  std::to_string(limits.max_pixels) + "; raise it with `max-pixels`");
}

void Context::require_memory(double bytes, std::string_view what) const {
  const auto allowed = static_cast<double>(memory_limit(limits));
  if (bytes <= allowed) return;
  const auto megabytes = [](double n) { return whole(n / 1048576) + " MB"; };
  throw Error(ErrorKind::limit, std::string(what) + " needs " + megabytes(bytes) +
                                    " of memory, more than the limit of " + megabytes(allowed) +
                                    "; raise it with `max-memory`");
}

Context::Stage::Stage(Context& context, std::string_view name, bool outermost)
    : context_(context),
      opened_(context.stage_ != name && !(outermost && !context.stage_.empty())),
      outer_reported_(context.reported_),
      outer_first_(context.first_),
      outer_last_(context.last_),
      start_(steady_nanoseconds()) {
  if (!opened_) return;
  if (context_.on_progress) context_.on_progress(name, 0.0);  // may throw
  outer_ = std::exchange(context_.stage_, std::string(name));
  context_.reported_ = 0;
  context_.first_ = 0;
  context_.last_ = 1;
  const auto same = [&](const auto& entry) { return entry.first == name; };
  if (std::none_of(context_.seconds_.begin(), context_.seconds_.end(), same)) {
    context_.seconds_.emplace_back(name, 0.0);
  }
}

Context::Stage::~Stage() {
  if (!opened_) return;
  const double spent = 1e-9 * static_cast<double>(steady_nanoseconds() - start_);
  for (auto& [name, seconds] : context_.seconds_) {
    if (name == context_.stage_) seconds += spent;
  }
  context_.stage_ = std::move(outer_);
  context_.reported_ = outer_reported_;
  context_.first_ = outer_first_;
  context_.last_ = outer_last_;
}

}  // namespace dapple

// Models the time and memory of jobs from measured jobs.
#include "app/batch/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/deterministic_math.hpp"
#include "core/text/number_text.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/units.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Rough values for a common machine; mostly only their ratios matter.
constexpr double seconds_per_job = 5e-4;
constexpr double seconds_per_pixel = 2.5e-7;
constexpr double seconds_per_point = 1e-5;
constexpr double pixels_per_byte = 2;  // in a compressed picture

const std::string* setting(const Recipe& recipe, std::string_view name) {
  for (const Recipe::Setting& one : recipe.settings) {
    if (one.name == name) return &one.text;
  }
  return nullptr;
}

// Returns 0 if `text` is not a number.
double number_of(const std::string* text) {
  double value = 0;
  if (text != nullptr) read_number(text->data(), text->data() + text->size(), value);
  return value;
}

double pixels_of(const std::string* text) {
  if (text == nullptr || text->empty()) return 0;
  try {
    Size size;
    from_text(*text, size);
    return size.width * size.height * size.depth * size.extent;
  } catch (const Error&) {
    return 0;
  }
}

std::string kind_text(const BatchJob& job) {
  std::string name(job.operation->name);
  for (const Recipe::Setting& one : job.options->recipe.settings)
    name += "\n" + one.name + "=" + one.text;
  for (const std::string& path : job.outputs) name += "\n" + extension_of(path);
  return name;
}

}  // namespace

Work::Asked Work::asked_of(const BatchJob& job) {
  auto& defaults = defaults_[job.operation];
  if (defaults.command.empty()) {
    const Run run(*job.operation);
    defaults = make_recipe(job.operation->name, run.options, true);
    for (const auto& option : run.options) {
      if (option->is_default()) defaults.settings.push_back({option->name, option->get(), 0, 0});
    }
  }
  const auto value = [&](std::string_view name) {
    const std::string* own = setting(job.options->recipe, name);
    return own != nullptr ? own : setting(defaults, name);
  };
  return {pixels_of(value("size")), std::max(number_of(value("dots")), number_of(value("count"))),
          number_of(value("radius"))};
}

double Work::of(const BatchJob& job) {
  auto known = asked_.find(job.options.get());
  if (known == asked_.end()) known = asked_.emplace(job.options.get(), asked_of(job)).first;
  auto [pixels, points, radius] = known->second;
  if (!job.input.empty()) {
    const auto [size, is_new] = bytes_.emplace(job.input, 0);
    if (is_new) {
      std::error_code ignored;
      const auto bytes = fs::file_size(job.input, ignored);
      size->second = ignored ? 0 : static_cast<double>(bytes);
    }
    pixels = std::max(pixels, size->second * pixels_per_byte);
  }
  if (points == 0 && radius > 0) points = pixels / (0.7 * radius * radius);
  return seconds_per_job + seconds_per_pixel * pixels + seconds_per_point * points;
}

Forecaster::Forecaster(const std::vector<const BatchJob*>& jobs) : first_mb_(peak_memory_mb()) {
  for (const BatchJob* job : jobs) {
    const auto [place, is_new] = names_.emplace(kind_text(*job), kinds_.size());
    if (is_new) kinds_.emplace_back();
    Kind& kind = kinds_[place->second];
    const double seconds = work_.of(*job);
    kind.jobs.push_back(job);
    kind.work += seconds;
    places_.emplace(job, std::pair(place->second, seconds));
  }
}

std::vector<const BatchJob*> Forecaster::sample(std::size_t most, int at_a_time) const {
  std::vector<const Kind*> open;
  double whole = 0;
  for (const Kind& kind : kinds_) {
    if (kind.measured > 0) continue;
    open.push_back(&kind);
    whole += kind.work;
  }
  std::sort(open.begin(), open.end(),
            [](const Kind* a, const Kind* b) { return a->mean_work() < b->mean_work(); });
  // If there are more kinds than trials, picks kinds at equal steps, with the first and the last.
  const std::size_t kinds = std::min(open.size(), std::max<std::size_t>(2, most / 2));
  const std::size_t more = most - std::min(most, kinds);
  // Concurrent trials of a kind show the memory of concurrent jobs.
  const auto all_at_once = static_cast<std::size_t>(at_a_time);
  const std::size_t together = kinds * all_at_once <= most ? all_at_once : 1;
  std::vector<const BatchJob*> chosen;
  for (std::size_t i = 0; i < kinds; ++i) {
    const Kind& kind = *open[kinds == 1 ? 0 : i * (open.size() - 1) / (kinds - 1)];
    const double share = kind.work / whole * static_cast<double>(more);
    const std::size_t count =
        std::min(kind.jobs.size(), std::max(together, 1 + static_cast<std::size_t>(share)));
    for (std::size_t k = 0; k < count; ++k) {
      chosen.push_back(kind.jobs[(2 * k + 1) * kind.jobs.size() / (2 * count)]);
    }
  }
  std::stable_sort(chosen.begin(), chosen.end(),
                   [this](const BatchJob* a, const BatchJob* b) { return work(*a) < work(*b); });
  return chosen;
}

void Forecaster::add(const BatchJob& job, const Spent& spent) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(kind_text(job));
  if (found == names_.end()) return;
  Kind& kind = kinds_[found->second];
  ++kind.measured;
  kind.spent.seconds += spent.seconds;
  kind.spent.processor += spent.processor;
  kind.measured_work += work_.of(job);
  kind.peak_mb = std::max(kind.peak_mb, spent.peak_mb);
}

void Forecaster::add_begun(const BatchJob& job, const Spent& spent) {
  const std::lock_guard lock(mutex_);
  kinds_[places_.at(&job).first].begun = spent;
}

double Forecaster::work(const BatchJob& job) const {
  return places_.at(&job).second;
}

double Forecaster::rate(const Kind& kind, double Spent::*what) const {
  if (kind.measured > 0) return kind.spent.*what / kind.measured_work;
  return std::max(rate_of_others(kind, what), kind.begun.*what / kind.mean_work());
}

// Interpolates between two measured kinds of the command by a power of the work. Beyond the largest
// kind it continues with the same power, limited to [0.3, 2]. Returns 0 if none exists.
double Forecaster::rate_of_others(const Kind& kind, double Spent::*what) const {
  const Operation* operation = kind.jobs.front()->operation;
  std::vector<std::pair<double, double>> known;  // logarithms of work and `what`
  for (const Kind& other : kinds_) {
    if (other.measured == 0 || other.jobs.front()->operation != operation) continue;
    const auto count = static_cast<double>(other.measured);
    known.emplace_back(portable_log(other.measured_work / count),
                       portable_log(other.spent.*what / count));
  }
  if (known.empty()) return 0;
  std::sort(known.begin(), known.end());
  const double at = portable_log(kind.mean_work());
  const auto above =
      std::find_if(known.begin(), known.end(), [at](const auto& one) { return one.first >= at; });
  const auto last = static_cast<std::ptrdiff_t>(known.size()) - 1;
  const std::ptrdiff_t right =
      std::clamp<std::ptrdiff_t>(above - known.begin(), std::min<std::ptrdiff_t>(1, last), last);
  const auto& b = known[static_cast<std::size_t>(right)];
  const auto& a = known[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, right - 1))];
  const double run = b.first - a.first;
  const double slope = run > 1e-9 ? std::clamp((b.second - a.second) / run, 0.3, 2.0) : 1;
  const auto& from = at < a.first ? a : b;
  return portable_exp(from.second + slope * (at - from.first) - at);
}

// Interpolates between the smallest and the largest known kind of the command, because libraries
// and tables take constant memory. The result never exceeds growth in proportion to the largest
// kind. Returns 0 if no kind is known.
double Forecaster::memory_mb(const Kind& kind) const {
  if (kind.known_mb() > 0) return kind.known_mb();
  const Kind* smallest = nullptr;
  const Kind* largest = nullptr;
  for (const Kind& other : kinds_) {
    if (other.known_mb() == 0 || other.jobs.front()->operation != kind.jobs.front()->operation)
      continue;
    if (largest == nullptr || other.mean_work() > largest->mean_work()) largest = &other;
    if (smallest == nullptr || other.mean_work() < smallest->mean_work()) smallest = &other;
  }
  if (largest == nullptr) return 0;
  const auto along = [&](double work, double mb) {
    const double share = (kind.mean_work() - work) / (largest->mean_work() - work);
    return mb + std::max(0.0, largest->known_mb() - mb) * std::max(0.0, share);
  };
  const double proportional = along(0, first_mb_);
  if (largest == smallest) return proportional;
  return std::min(proportional, along(smallest->mean_work(), smallest->known_mb()));
}

void Forecaster::longest_first(std::vector<const BatchJob*>& jobs) const {
  std::vector<double> rates;
  for (const Kind& kind : kinds_) {
    const double known = rate(kind, &Spent::seconds);
    rates.push_back(known == 0 ? 1 : known);
  }
  std::vector<std::pair<double, const BatchJob*>> timed;
  for (const BatchJob* job : jobs) {
    const auto& [kind, work] = places_.at(job);
    timed.emplace_back(-work * rates[kind], job);
  }
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i] = timed[i].second;
}

Forecast Forecaster::forecast(int at_a_time) const {
  Forecast all;
  double longest = 0;
  all.memory_mb = peak_memory_mb();
  for (const Kind& kind : kinds_) {
    all.memory_mb = std::max(all.memory_mb, memory_mb(kind));
    all.jobs += kind.jobs.size();
    const double seconds = rate(kind, &Spent::seconds);
    const bool known = seconds > 0;
    all.measured += kind.measured;
    if (!known) all.guessed += kind.jobs.size();
    all.seconds += kind.work * (known ? seconds : 1);
    all.processor += kind.work * (known ? rate(kind, &Spent::processor) : 1);
    for (const BatchJob* job : kind.jobs) longest = std::max(longest, work(*job) * seconds);
  }
  all.seconds = std::max(longest, all.seconds / at_a_time);
  return all;
}

Spent Forecaster::predict(const BatchJob& job) const {
  const auto& [place, work] = places_.at(&job);
  const Kind& kind = kinds_[place];
  const auto time = [&, work = work](double Spent::*what) {
    const double known = rate(kind, what);
    return work * (known > 0 ? known : 1);
  };
  const double measured =
      kind.measured > 0 ? kind.measured_work / static_cast<double>(kind.measured) : work;
  return {time(&Spent::seconds), time(&Spent::processor),
          memory_mb(kind) * std::max(1.0, work / measured)};
}

namespace {

std::string whole(double value) {
  return shortest(std::round(value));
}

std::string time_text(double s) {
  return s < 10      ? shortest(std::round(s * 10) / 10) + " s"
         : s < 600   ? whole(s) + " s"
         : s < 36000 ? whole(s / 60) + " min"
                     : whole(s / 3600) + " h";
}

}  // namespace

std::string text_of(const Forecast& forecast) {
  std::string text = "forecast for " + std::to_string(forecast.jobs) +
                     " jobs: " + time_text(forecast.seconds) + " elapsed, " +
                     time_text(forecast.processor) + " of processor time, " +
                     whole(forecast.memory_mb) + " MB, from " + std::to_string(forecast.measured) +
                     " measured jobs";
  if (forecast.guessed > 0) {
    text += "; " + std::to_string(forecast.guessed) +
            " jobs are a guess, since no similar job was measured";
  }
  return text;
}

std::vector<const BatchJob*> spread_over(const std::vector<const BatchJob*>& jobs) {
  constexpr std::size_t most = 2000;
  const std::size_t count = std::min(most, jobs.size() / 10);
  // Orders jobs by multiples of the golden ratio, modulo 1.
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t i = 0; i < count; ++i) places.emplace_back(i * 0x9e3779b97f4a7c15ULL, i);
  std::sort(places.begin(), places.end());
  std::vector<const BatchJob*> some;
  for (const auto& [golden, i] : places) some.push_back(jobs[i * jobs.size() / count]);
  return some;
}

}  // namespace dapple::app

#include "app/batch/forecast.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <thread>

#include "app/batch/gang.hpp"
#include "dapple/units.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Seconds on a common machine, measured roughly: only their proportions matter much.
constexpr double seconds_per_job = 5e-4;
constexpr double seconds_per_pixel = 2.5e-7;
constexpr double seconds_per_point = 1e-5;
constexpr double pixels_per_byte = 2;  // of a compressed picture

const std::string* setting(const Recipe& recipe, std::string_view name) {
  for (const Recipe::Setting& one : recipe.settings) {
    if (one.name == name) return &one.text;
  }
  return nullptr;
}

// 0 where it is none.
double number_of(const std::string* text) {
  double value = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

double pixels_of(const std::string* text) {
  if (text == nullptr || text->empty()) return 0;
  try {
    Size size;
    from_text(*text, size);
    return size.width * size.height * size.depth;
  } catch (const Error&) {
    return 0;
  }
}

std::string kind_text(const BatchJob& job) {
  std::string name(job.operation->name);
  for (const Recipe::Setting& one : job.recipe.settings) name += "\n" + one.name + "=" + one.text;
  for (const std::string& path : job.outputs) name += "\n" + extension_of(path);
  return name;
}

}  // namespace

double Work::of(const BatchJob& job) {
  auto& defaults = defaults_[job.operation];
  if (defaults.command.empty()) {
    const Run run(*job.operation);
    defaults = make_recipe(job.operation->name, run.options, true);
    for (const auto& option : run.options) {
      if (option->is_default()) defaults.settings.push_back({option->name, option->get(), 0, 0});
    }
  }
  const auto value = [&](std::string_view name) {
    const std::string* own = setting(job.recipe, name);
    return own != nullptr ? own : setting(defaults, name);
  };
  double pixels = pixels_of(value("size"));
  if (!job.input.empty()) {
    const auto [known, is_new] = bytes_.emplace(job.input, 0);
    if (is_new) {
      std::error_code ignored;
      const auto bytes = fs::file_size(job.input, ignored);
      known->second = ignored ? 0 : static_cast<double>(bytes);
    }
    pixels = std::max(pixels, known->second * pixels_per_byte);
  }
  double points = std::max(number_of(value("dots")), number_of(value("count")));
  const double radius = number_of(value("radius"));
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
  // Of more kinds than there is room for, those at even distances, the first and the last included.
  const std::size_t kinds = std::min(open.size(), std::max<std::size_t>(2, most / 2));
  const std::size_t more = most - std::min(most, kinds);
  // As many of a kind as run at a time show what memory it takes then.
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

void Forecaster::add(const BatchJob& job, double seconds, bool earlier) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(kind_text(job));
  if (found == names_.end()) return;
  Kind& kind = kinds_[found->second];
  ++kind.measured;
  kind.seconds += seconds;
  kind.measured_work += work_.of(job);
  if (!earlier) kind.peak_mb = peak_memory_mb();
}

double Forecaster::work(const BatchJob& job) const {
  return places_.at(&job).second;
}

// Between two measured kinds of the command along a power of the work, and beyond the last of them
// along the same one, as far as that is plausible. 0 where none was measured.
double Forecaster::seconds_per_work(const Kind& kind) const {
  if (kind.measured > 0) return kind.seconds / kind.measured_work;
  const Operation* operation = kind.jobs.front()->operation;
  std::vector<std::pair<double, double>> known;  // logarithms of work and seconds
  for (const Kind& other : kinds_) {
    if (other.measured == 0 || other.jobs.front()->operation != operation) continue;
    const auto count = static_cast<double>(other.measured);
    known.emplace_back(std::log(other.measured_work / count), std::log(other.seconds / count));
  }
  if (known.empty()) return 0;
  std::sort(known.begin(), known.end());
  const double at = std::log(kind.mean_work());
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
  return std::exp(from.second + slope * (at - from.first) - at);
}

// In proportion to the largest kind of the command that was made. 0 where there is none.
double Forecaster::memory_mb(const Kind& kind) const {
  if (kind.peak_mb > 0) return kind.peak_mb;
  const Kind* largest = nullptr;
  for (const Kind& other : kinds_) {
    if (other.peak_mb == 0 || other.jobs.front()->operation != kind.jobs.front()->operation)
      continue;
    if (largest == nullptr || other.mean_work() > largest->mean_work()) largest = &other;
  }
  if (largest == nullptr) return 0;
  return first_mb_ + (largest->peak_mb - first_mb_) * kind.mean_work() / largest->mean_work();
}

void Forecaster::longest_first(std::vector<const BatchJob*>& jobs) const {
  std::vector<double> rates;
  for (const Kind& kind : kinds_) {
    const double rate = seconds_per_work(kind);
    rates.push_back(rate == 0 ? 1 : rate);
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
    const double rate = seconds_per_work(kind);
    all.measured += kind.measured;
    if (rate == 0) all.guessed += kind.jobs.size();
    all.seconds += kind.work * (rate == 0 ? 1 : rate);
    for (const BatchJob* job : kind.jobs) longest = std::max(longest, work(*job) * rate);
  }
  all.seconds = std::max(longest, all.seconds / at_a_time);
  return all;
}

std::string text_of(const Forecast& forecast) {
  const auto whole = [](double value) { return shortest(std::round(value)); };
  const double s = forecast.seconds;
  const std::string time = s < 10      ? shortest(std::round(s * 10) / 10) + " s"
                           : s < 600   ? whole(s) + " s"
                           : s < 36000 ? whole(s / 60) + " min"
                                       : whole(s / 3600) + " h";
  std::string text = "forecast for " + std::to_string(forecast.jobs) + " jobs: " + time + ", " +
                     whole(forecast.memory_mb) + " MB, by " + std::to_string(forecast.measured) +
                     " that were measured";
  if (forecast.guessed > 0) {
    text += "; " + std::to_string(forecast.guessed) + " are a guess, as none like them was";
  }
  return text;
}

std::vector<const BatchJob*> spread_over(const std::vector<const BatchJob*>& jobs) {
  constexpr std::size_t most = 2000;
  const std::size_t count = std::min(most, jobs.size() / 10);
  // By multiples of the golden ratio, modulo 1.
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t i = 0; i < count; ++i) places.emplace_back(i * 0x9e3779b97f4a7c15ULL, i);
  std::sort(places.begin(), places.end());
  std::vector<const BatchJob*> some;
  for (const auto& [golden, i] : places) some.push_back(jobs[i * jobs.size() / count]);
  return some;
}

namespace {

// A folder beside the outputs, on their disk, for as long as this lives.
class TrialFolder {
 public:
  explicit TrialFolder(const std::string& output) {
    fs::path beside = fs::absolute(output).parent_path();
    std::error_code ignored;
    while (!fs::is_directory(beside, ignored) && beside.has_relative_path()) {
      beside = beside.parent_path();
    }
    std::string name = (beside / ".dapple-forecast-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorKind::output, "no folder can be made for a forecast", beside.string());
    }
    path_ = name;
  }
  ~TrialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  // The job with its outputs in here.
  BatchJob moved(BatchJob job, std::size_t number) const {
    for (std::size_t i = 0; i < job.outputs.size(); ++i) {
      const std::string name = fs::path(job.outputs[i]).filename().string();
      job.outputs[i] =
          (path_ / (std::to_string(number) + "-" + std::to_string(i) + "-" + name)).string();
    }
    job.overwrite = Overwrite::always;
    return job;
  }

 private:
  fs::path path_;
};

constexpr std::size_t most_trials = 64;
constexpr auto longest_trial = std::chrono::seconds(8);

// Cancels a context when its time is over.
class Deadline {
 public:
  Deadline(Context& context, const Context& whole, std::chrono::seconds time)
      : thread_([&context, &whole, time, this] {
          const auto end = std::chrono::steady_clock::now() + time;
          while (!over_ && !whole.cancelled() && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          }
          context.cancel();
        }) {}
  ~Deadline() {
    over_ = true;
    thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace

Forecast forecast_by_trial(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                           Context& context) {
  const Manifest before = read_manifest(options.manifest, true, context);
  std::vector<const BatchJob*> open;
  std::vector<std::pair<const BatchJob*, double>> timed;
  for (const BatchJob* job : jobs_of(options.shard, jobs)) {
    const ManifestEntry* entry = before.find(*job);
    if (entry != nullptr && entry->done) timed.emplace_back(job, entry->seconds);
    if (options.force || entry == nullptr || !is_done(*job, *entry)) open.push_back(job);
  }
  if (open.empty()) return {};
  Forecaster forecaster(open);
  for (const auto& [job, seconds] : timed) forecaster.add(*job, seconds, true);
  Context trial;
  trial.threads = context.threads;
  trial.limits = context.limits;
  Gang gang(trial, options.jobs, open.size());
  std::vector<const BatchJob*> chosen = forecaster.sample(most_trials, gang.at_a_time());
  std::optional<TrialFolder> folder;
  try {
    if (!chosen.empty()) folder.emplace(open.front()->outputs.front());
  } catch (const Error& error) {
    context.warn("no job can be tried for the forecast: " + error.problems().front().text());
    chosen.clear();
  }
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::size_t> tried{0};
  const auto try_one = [&](const BatchJob& job) {
    const auto begin = std::chrono::steady_clock::now();
    try {
      const BatchJob moved = folder->moved(job, tried++);
      const ManifestInputs inputs = inputs_of(moved);
      const Record record = gang.execute(moved);
      done_line(moved, {}, record, inputs, begin);
      forecaster.add(job, seconds_since(begin));
    } catch (const Error&) {
      // A job that fails takes no time that could be told; the batch will say why.
    }
  };
  {
    const Deadline deadline(trial, context, longest_trial);
    std::atomic<bool> all_tried{true};
    gang.for_each(chosen.size(), [&](std::size_t i) {
      if (seconds_since(start) < longest_trial.count() / 2.0)
        try_one(*chosen[i]);
      else
        all_tried = false;
    });
    // Many short ones, from all over the batch, tell more than a few.
    const auto spread = all_tried ? spread_over(open) : std::vector<const BatchJob*>();
    gang.for_each(chosen.empty() ? 0 : spread.size(), [&](std::size_t i) {
      if (seconds_since(start) < enough_seconds) try_one(*spread[i]);
    });
    // What is too long to be ended here still shows what memory it takes, and comes first in a run.
    if (!all_tried) forecaster.longest_first(open);
    gang.for_each(all_tried ? 0 : open.size(), [&](std::size_t i) {
      if (!trial.cancelled()) try_one(*open[i]);
    });
  }
  context.check();
  return forecaster.forecast(gang.at_a_time());
}

}  // namespace dapple::app

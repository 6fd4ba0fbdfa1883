// Prints how soon a run ends after a cancel, as processor time of its one thread: each run is
// cancelled at many moments, by a timer that counts that time. A row a run: the delay within which
// 19 of 20 end, and the longest; those of 12 megapixels work on PICTURE enlarged.
// Usage: cancel_figures PICTURE [ROUNDS] [--only=PART_OF_A_NAME] [--where]
//   --where: prints what ran 4 ms after the cancel of the longest, as places in this program
#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "field/resample.hpp"
#include "processor_seconds.hpp"

namespace dapple {
namespace {

// What the timer's signal touches.
Context* to_cancel = nullptr;
double cancelled_at = 0;
constexpr double late = 0.004;
std::array<void*, 40> trace;
volatile int trace_length = 0;

void on_tick(int) {
  const double now = processor_seconds();
  if (cancelled_at == 0) {
    cancelled_at = now;
    to_cancel->cancel();
  } else if (trace_length == 0 && now - cancelled_at > late) {
    trace_length = backtrace(trace.data(), static_cast<int>(trace.size()));
  }
}

// Ticks on this thread's processor time, from the first one on.
class Timer {
 public:
  explicit Timer(double first) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_);
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(first);
    when.it_value.tv_nsec =
        1 + static_cast<long>((first - static_cast<double>(when.it_value.tv_sec)) * 1e9);
    when.it_interval.tv_nsec = 1000000;
    timer_settime(timer_, 0, &when, nullptr);
  }
  ~Timer() { timer_delete(timer_); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  timer_t timer_{};
};

using Work = std::function<void(Context&)>;

void print_where(const std::vector<void*>& places) {
  for (void* const place : places) {
    Dl_info info{};
    if (dladdr(place, &info) == 0) continue;
    std::printf(
        "    %s+0x%zx %s\n", info.dli_fname,
        static_cast<std::size_t>(static_cast<char*>(place) - static_cast<char*>(info.dli_fbase)),
        info.dli_sname != nullptr ? info.dli_sname : "");
  }
}

void print_row(const std::string& name, int rounds, bool where, const Work& work) {
  Context whole;
  whole.threads = 1;
  const double start = processor_seconds();
  work(whole);
  const double all = processor_seconds() - start;
  std::mt19937 engine(1);
  std::vector<double> delays;
  std::vector<void*> worst;
  for (int round = 0; round < rounds; ++round) {
    const double share = (round + static_cast<double>(engine()) / 4294967296.0) / rounds;
    Context context;
    context.threads = 1;
    to_cancel = &context;
    cancelled_at = 0;
    trace_length = 0;
    double end = 0;
    {
      const Timer timer(share * all);
      try {
        work(context);
        end = 0;
      } catch (const Error&) {
        end = processor_seconds();
      }
    }
    if (cancelled_at == 0 || end == 0) continue;  // it was faster this time
    delays.push_back(end - cancelled_at);
    if (delays.back() == *std::max_element(delays.begin(), delays.end())) {
      worst.assign(trace.begin(), trace.begin() + trace_length);
    }
  }
  if (delays.empty()) return;
  std::sort(delays.begin(), delays.end());
  std::printf("%-38s %6.0f ms, %3zu cancels: 19 of 20 within %5.1f ms, all within %5.1f\n",
              name.c_str(), 1000 * all, delays.size(), 1000 * delays[delays.size() * 95 / 100],
              1000 * delays.back());
  if (where) print_where(worst);
  std::fflush(stdout);
}

Image enlarged(const Image& image, int width, int height) {
  Image made = image;
  std::mt19937 engine(1);
  for (Plane<float>& plane : made.channels) {
    plane = resample(plane, width, height);
    for (float& v : plane.values()) {  // the grain of a photo
      const float grain = 0.03f * (static_cast<float>(engine()) / 4294967296.0f - 0.5f);
      v = std::clamp(v + grain, 0.0f, 1.0f);
    }
  }
  return made;
}

Image colored(Image image) {
  if (image.channels.size() == 1) {
    image.channels.resize(3, image.channels[0]);
    image.names = {"R", "G", "B"};
  }
  return image;
}

struct Settings {
  std::string name;
  std::string command;
  std::vector<std::pair<std::string, std::string>> options;
  const Image* image = nullptr;
};

Work work_of(const Settings& settings) {
  return [settings](Context& context) {
    const auto job = find_operation(settings.command)->make();
    OptionList options;
    job->describe(options);
    for (const auto& [name, text] : settings.options) options.find(name)->set(text);
    job->run(settings.image, context);
  };
}

}  // namespace

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::fprintf(stderr, "usage: cancel_figures PICTURE [ROUNDS] [--only=PART] [--where]\n");
    return 2;
  }
  int rounds = 60;
  bool where = false;
  std::string only;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--where") {
      where = true;
    } else if (words[i].starts_with("--only=")) {
      only = words[i].substr(7);
    } else {
      rounds = std::max(1, std::atoi(words[i].c_str()));
    }
  }
  struct sigaction action {};
  action.sa_handler = on_tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  backtrace(trace.data(), 1);  // loads what it needs

  const Image small = colored(read_image(words[0], Limits()));
  const Image large = enlarged(small, 4000, 3000);
  const auto folder = std::filesystem::temp_directory_path() / "dapple_cancel_figures";
  std::filesystem::create_directories(folder);
  const auto row = [&](const std::string& name, const Work& work) {
    if (name.find(only) != std::string::npos) print_row(name, rounds, where, work);
  };
  for (const char* extension : {"png", "jpg", "tif"}) {
    const std::string path = (folder / (std::string("photo.") + extension)).string();
    write_file(path, encode_image(large, extension), Overwrite::always);
    row(std::string("12 MP, read .") + extension,
        [&](Context& context) { read_image(path, context); });
  }
  const std::vector<Settings> all = {
      {"12 MP, stipple", "stipple", {}, &large},
      {"12 MP, stipple, 100k dots", "stipple", {{"dots", "100000"}}, &large},
      {"12 MP, stipple in four inks", "stipple", {{"ink", "cyan,magenta,yellow,black"}}, &large},
      {"12 MP, stipple, inverted darks", "stipple", {{"invert-darks", "0.7"}}, &large},
      {"12 MP, stipple, cleaned", "stipple", {{"clean", "true"}, {"sharpen", "1"}}, &large},
      {"12 MP, stipple on paper", "stipple", {{"paper", "a4"}, {"fit", "cover"}}, &large},
      {"12 MP, stipple, a line", "stipple", {{"path", "tsp"}}, &large},
      {"12 MP, stipple, outlines", "stipple", {{"shape", "circle"}, {"pen", "1px"}}, &large},
      {"12 MP, stipple by Voronoi cells", "stipple", {{"method", "voronoi"}}, &large},
      {"12 MP, stipple by distances", "stipple", {{"method", "poisson"}}, &large},
      {"12 MP, dither", "dither", {}, &large},
      {"1024x768, stipple, 100k dots", "stipple", {{"dots", "100000"}}, &small},
      {"1024x768, stipple, progressive", "stipple", {{"progressive", "true"}}, &small},
      {"sample, 1M points", "sample", {{"size", "4000x4000"}, {"radius", "3"}}},
      {"mask, 128x128", "mask", {{"size", "128"}}},
      {"worley, 2048x2048", "worley", {{"size", "2048"}}},
  };
  for (const Settings& settings : all) {
    try {
      row(settings.name, work_of(settings));
    } catch (const Error& error) {
      std::fprintf(stderr, "%s: %s\n", settings.name.c_str(), error.what());
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace dapple

int main(int count, char** words) {
  return dapple::run({words + 1, words + count});
}

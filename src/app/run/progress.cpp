// Shows a line of progress on standard error.
#include "app/run/progress.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "dapple/context.hpp"

namespace dapple::app {
namespace {

using namespace std::chrono_literals;

// Shorter runs show nothing.
constexpr auto patience = 300ms;
constexpr auto interval = 100ms;

}  // namespace

Progress::Progress(Context& context, ShowProgress show, bool quiet)
    : context_(context), start_(std::chrono::steady_clock::now()) {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const bool wanted =
      show == ShowProgress::always || (show == ShowProgress::automatic && terminal && !quiet);
  if (!wanted) return;
  // NO_COLOR applies if it is set and not empty.
  const char* no_color = std::getenv("NO_COLOR");
  color_ = terminal && (no_color == nullptr || *no_color == '\0');
  always_ = show == ShowProgress::always;
  context_.on_progress = [this](std::string_view stage, double fraction) {
    this->show(stage, fraction);
  };
}

Progress::~Progress() {
  context_.on_progress = nullptr;
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::string_view stage, double fraction) {
  if (stage.empty()) return;  // between two stages
  const auto now = std::chrono::steady_clock::now();
  const bool new_stage = always_ && stage != stage_;
  if (!new_stage && (now - start_ < patience || now - last_ < interval)) return;
  last_ = now;
  stage_ = stage;
  drawn_ = true;
  std::fprintf(stderr, "\r\033[K%s%.*s%s %3d %%", color_ ? "\033[1m" : "",
               static_cast<int>(stage.size()), stage.data(), color_ ? "\033[0m" : "",
               static_cast<int>(fraction * 100));
  std::fflush(stderr);
}

}  // namespace dapple::app

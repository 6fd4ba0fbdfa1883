// stop_and_go_on: shows the progress of a long run, cancels it from another thread, and uses the
// same context for the next run.
#include <chrono>
#include <cstdio>
#include <thread>

#include <dapple/error.hpp>
#include <dapple/mask.hpp>

int main() {
  dapple::Context context;
  bool stopped = false;
  try {
    context.on_progress = [](std::string_view stage, double done) {
      std::fprintf(stderr, "\r%-12.*s %3.0f %%", static_cast<int>(stage.size()), stage.data(),
                   100 * done);
    };
    std::thread button([&context] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      context.cancel();
    });
    try {
      dapple::MaskOptions large;
      large.size = {2048, 2048};
      dapple::make_mask(large, context);
    } catch (const dapple::Error& error) {
      stopped = error.kind() == dapple::ErrorKind::cancelled;
      std::printf("\nstopped: %s\n", error.what());
    }
    button.join();

    context.reset();
    dapple::MaskOptions small;
    small.size = {32, 32};
    const dapple::Image mask = dapple::make_mask(small, context);
    std::printf("\nthe next run made a mask of %d x %d\n", mask.width(), mask.height());
    for (const auto& [stage, seconds] : context.seconds()) {
      std::printf("%s: %.3f s\n", stage.c_str(), seconds);
    }
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "stop_and_go_on: %s\n", error.what());
    return 1;
  }
  return stopped ? 0 : 1;
}

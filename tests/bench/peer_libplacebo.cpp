// Times libplacebo's blue-noise texture (void-and-cluster), which many video players use; built and
// run by scripts/bench where libplacebo-dev is installed.
#include <chrono>
#include <cstdio>
#include <libplacebo/dither.h>
#include <string>
#include <vector>

int main() {
  for (const int size : {64, 128, 256}) {
    std::vector<float> data(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    const auto start = std::chrono::steady_clock::now();
    pl_generate_blue_noise(data.data(), size);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const std::string text = "libplacebo, mask " + std::to_string(size) + ", 1 thread";
    std::printf("  %-52s %8.3f s\n", text.c_str(), seconds.count());
  }
}

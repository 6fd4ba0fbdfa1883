// mask SIZE FILE: the blue-noise texture of libplacebo (void-and-cluster), which many video players
// use, as a 16-bit .pgm of ranks; prints the processor seconds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <libplacebo/dither.h>
#include <numeric>
#include <vector>

int main(int count, char** words) {
  if (count != 3) return 2;
  const int size = std::atoi(words[1]);
  std::vector<float> data(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  const std::clock_t start = std::clock();
  pl_generate_blue_noise(data.data(), size);
  std::printf("%g\n", static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  std::vector<std::size_t> order(data.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return data[a] < data[b]; });
  std::vector<unsigned char> bytes(2 * data.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t value = rank * 65536 / order.size();
    bytes[2 * order[rank]] = static_cast<unsigned char>(value >> 8);
    bytes[2 * order[rank] + 1] = static_cast<unsigned char>(value & 255);
  }
  std::FILE* file = std::fopen(words[2], "wb");
  if (file == nullptr) return 1;
  std::fprintf(file, "P5\n%d %d\n65535\n", size, size);
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  return std::fclose(file);
}

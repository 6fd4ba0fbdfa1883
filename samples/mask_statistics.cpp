// mask_statistics: makes a small blue-noise mask in memory and prints its pattern for half gray.
#include <cstdio>

#include <dapple/dapple.hpp>

int main() {
  dapple::Context context;
  dapple::MaskOptions options;
  options.size = {32, 32};
  const dapple::Plane<std::int32_t> ranks = dapple::make_ranks(32, 32, options, context);
  int set = 0;
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < ranks.width(); ++x) {
      const bool dark = ranks(x, y) < 512;
      set += dark;
      std::putchar(dark ? '#' : '.');
    }
    std::putchar('\n');
  }
  std::printf("%d of 1024 pixels are set\n", set);
  return set == 512 ? 0 : 1;
}

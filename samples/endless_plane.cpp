// endless_plane [SIDE [THREADS]]: counts the points in a square window of an endless plane, which
// are at least 1 apart. It reads them strip by strip, so memory does not grow with their number.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <dapple/dapple.hpp>

int main(int argc, char** argv) {
  const double side = argc > 1 ? std::atof(argv[1]) : 500;
  dapple::Context context;
  context.threads = argc > 2 ? std::atoi(argv[2]) : 0;
  try {
    dapple::EndlessPoints points(1.0, {-side / 2, -side / 2, side / 2, side / 2}, context);
    long long count = 0;
    double farthest = 0;
    for (std::vector<dapple::Vec2> strip; points.next(strip);) {
      count += static_cast<long long>(strip.size());
      for (const dapple::Vec2& p : strip) farthest = std::fmax(farthest, dapple::length(p));
    }
    std::printf("%lld points; the farthest is %.3f from the middle\n", count, farthest);
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "endless_plane: %s\n", error.what());
    return 1;
  }
  return 0;
}

// Prints how masks of many seeds meet the goals of their size, for scripts/quality: a row a size
// with how many seeds meet all goals, the median and the worst of every figure that has one, and
// the processor's time a mask.
// Usage: mask_figures SEEDS WIDTHxHEIGHT...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/mask.hpp"
#include "processor_seconds.hpp"

namespace dapple {
namespace {

struct Column {
  std::vector<double> values;
  Target goal;
  int misses = 0;
};

void print_row(int width, int height, int seeds) {
  MaskOptions options;
  options.size = {static_cast<double>(width), static_cast<double>(height)};
  options.bits = MaskBits::f32;
  std::map<std::string, Column> columns;
  int met = 0;
  std::vector<double> seconds;
  std::string missed;
  for (int seed = 1; seed <= seeds; ++seed) {
    Context context;
    context.seed = static_cast<std::uint64_t>(seed);
    context.threads = 1;
    const double start = processor_seconds();
    const Image mask = make_mask(options, context);
    seconds.push_back(processor_seconds() - start);
    bool all = true;
    for (const Measurement& m : analyze_mask(mask, context).measurements) {
      if (!m.target) continue;
      Column& column = columns[m.name];
      column.goal = *m.target;
      column.values.push_back(m.target->at_most ? m.value : -m.value);
      if (m.target->is_met_by(m.value)) continue;
      ++column.misses;
      all = false;
    }
    met += all ? 1 : 0;
    if (!all) missed += " " + std::to_string(seed);
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf(
      "%dx%d: %d of %d seeds meet all %zu goals; %.3f ms of one processor (median %.3f, most "
      "%.3f)\n",
      width, height, met, seeds, columns.size(),
      1e3 *
          [&] {
            double s = 0;
            for (double v : seconds) s += v;
            return s / seeds;
          }(),
      1e3 * seconds[seconds.size() / 2], 1e3 * seconds.back());
  for (auto& [name, column] : columns) {
    std::sort(column.values.begin(), column.values.end());
    const double sign = column.goal.at_most ? 1 : -1;
    std::printf("  %-10s %8.3f (worst %.3f, goal %s %.3f)%s\n", name.c_str(),
                sign * column.values[column.values.size() / 2], sign * column.values.back(),
                column.goal.at_most ? "<=" : ">=", column.goal.value,
                column.misses > 0 ? (" missed by " + std::to_string(column.misses)).c_str() : "");
  }
  if (!missed.empty()) std::printf("  seeds that miss:%s\n", missed.c_str());
}

}  // namespace
}  // namespace dapple

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 32;
  for (int i = 2; i < argc; ++i) {
    int width = 0;
    int height = 0;
    const int read = std::sscanf(argv[i], "%dx%d", &width, &height);
    if (read < 1) return 2;
    dapple::print_row(width, read == 2 ? height : width, seeds);
  }
  return 0;
}

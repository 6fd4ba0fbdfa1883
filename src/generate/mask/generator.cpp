// Writes a mask as a function in C99 that makes it: void-and-cluster (void_and_cluster.cpp) with
// the dense kernel only, from the first ranks on.
//
// The function holds the first ranks, which the sparse kernel gave, and the last ranks of flat
// masks, which are ordered again. Between them it repeats the search: energies in 16 bits, the
// smallest first, and of equals the first in memory. Energies only grow, so the smallest energy
// that a run of pixels had at any time is a lower bound: only the run with the smallest bound is
// looked at.
#include "generate/mask/generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "generate/mask/engine.hpp"
#include "generate/mask/tiles.hpp"

namespace dapple::mask {
namespace {

constexpr const char* code = R"(#include <stdint.h>

/* Makes the values, row by row. Takes stack, but no heap. */
{inline}void {function}_generate({type}* values) {
  enum {
    width = {width}, height = {height}, depth = {depth}, count = width * height * depth,
    reach = {reach}, farthest = {farthest}, strip = {strip}, run = {run}, runs = count / run,
    given = {given}, last = {last}, deep = depth > 1 ? reach : 0,
    touched = strip < width ? (2 * reach + strip - 1) / strip + 1 : 1
  };
  /* The kernel by squared distance. */
  static const uint16_t weights[farthest + 1] = {
{weights}
  };
  /* The first and the last pixels. Strips lie one after the other, and so do slices. */
  static const uint16_t places[given + last] = {
{places}
  };
  uint16_t energy[count], set[count], bound[runs];
  uint16_t rows[deep + 1][reach + 1][2 * width];
  int i, j, k, s, rank;
  for (i = 0; i < count; ++i) energy[i] = set[i] = 0;
  for (i = 0; i < runs; ++i) bound[i] = 0;
  for (k = 0; k <= deep; ++k) {
    for (j = 0; j <= reach; ++j) {
      for (i = 0; i < 2 * width; ++i) {
        const int dx = (i + width / 2) % width - width / 2;
        const int r2 = dx * dx + j * j + k * k;
        rows[k][j][i] = r2 > farthest ? 0 : weights[r2];
      }
    }
  }
  for (rank = 0; rank < count; ++rank) {
    int x, y, z, at = -1;
    if (rank < given) at = places[rank];
    if (rank >= count - last) at = places[given + rank - (count - last)];
    while (at < 0) {
      uint16_t least = 0xffff, now = 0xffff;
      int first = 0;
      for (i = 0; i < runs; ++i) least = bound[i] < least ? bound[i] : least;
      while (bound[first] != least) ++first;
      for (i = 0; i < run; ++i) {
        const uint16_t here = (uint16_t)(energy[first * run + i] | set[first * run + i]);
        now = here < now ? here : now;
      }
      bound[first] = now;
      if (now == least) {
        for (at = first * run; (energy[at] | set[at]) != now;) ++at;
      }
    }
    set[at] = 0xffff;
    x = at / (strip * height) % (width / strip) * strip + at % strip;
    y = at / strip % height;
    z = at / (width * height);
    values[(z * height + y) * width + x] = ({type})((uint32_t)rank * {levels}u / count);
    for (k = -deep; k <= deep; ++k) {
      uint16_t* const slice = energy + (z + k + depth) % depth * (width * height);
      for (j = -reach; j <= reach; ++j) {
        const uint16_t* const added = rows[k < 0 ? -k : k][j < 0 ? -j : j] + width - x;
        if (j * j + k * k > farthest) continue;
        for (s = 0; s < touched; ++s) {
          const int from = ((x - reach + width) / strip + s) * strip % width;
          uint16_t* const row = slice + from * height + (y + j + height) % height * strip;
          for (i = 0; i < strip; ++i) row[i] = (uint16_t)(row[i] + added[from + i]);
        }
      }
    }
  }
}
)";

// Replaces the first part of each pair wherever it stands.
std::string replaced_all(std::string text,
                         const std::vector<std::pair<std::string, std::string>>& pairs) {
  for (const auto& [from, to] : pairs) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::usage, Problem{"generator", why});
}

// Returns the numbers in lines, separated by commas.
std::string lines_of(const std::vector<int>& numbers) {
  std::string text;
  std::size_t line = 0;
  for (const int number : numbers) {
    const std::string word = std::to_string(number);
    if (!text.empty()) text += ',';
    if (text.size() - line + word.size() > 98) {
      text += '\n';
      line = text.size();
    }
    text += word;
  }
  return text;
}

// Returns the ranks that the dense kernel gives after the first `given`.
Plane<std::int32_t> grown(const std::vector<Pixel>& order, const Plane<std::int32_t>& like,
                          int depth, std::size_t given, Context& context) {
  const int height = like.height() / depth;
  const std::span<const Pixel> first(order.data(), given);
  const auto ignore = [](double) {};
  if (depth == 1) {
    Growth growth(like.width(), height, first, tuned_sigma);
    growth.dense(context, false, ignore);
    return std::move(growth.ranks());
  }
  Plane<std::int32_t> ranks(like.width(), like.height(), -1);
  for (std::size_t i = 0; i < given; ++i) {
    ranks(order[i].x, order[i].z * height + order[i].y) = static_cast<std::int32_t>(i);
  }
  const std::array<Stage, 1> stages{dense_volume_stage(1)};
  fill_voids(ranks, depth, static_cast<std::int32_t>(given), stages, context, false, ignore);
  return ranks;
}

}  // namespace

std::string generator_text(const Image& image, std::span<const Plane<std::int32_t>> all,
                           Context& context) {
  const int depth = image.slices;
  const int width = image.width();
  const int height = image.slice_height();
  const int strip = depth > 1 ? width : tile_width;
  const int run = depth > 1 ? 256 : tile_size;
  const int least_side = depth > 1 ? 16 : 32;
  const std::int64_t count = static_cast<std::int64_t>(width) * image.height();
  if (all.size() != 1) refuse("makes one channel of ranks, not this image");
  if (image.type != PixelType::u8 && image.type != PixelType::u16) {
    refuse("makes values of 8 or 16 bits: set `bits`");
  }
  if (count > 0x10000 || count % run != 0 || width % strip != 0 || width < least_side ||
      height < least_side || (depth > 1 && depth < least_side)) {
    refuse(
        "makes masks of at most 65536 pixels, whose sides are at least 32, or 16 in volumes; "
        "their width must be a multiple of 16, and the number of pixels one of 256");
  }
  const Plane<std::int32_t>& ranks = all.front();
  std::vector<Pixel> order(ranks.size());
  for (int y = 0; y < ranks.height(); ++y) {
    for (int x = 0; x < width; ++x) {
      order[static_cast<std::size_t>(ranks(x, y))] = {x, y % height, y / height};
    }
  }
  const std::int64_t last = depth > 1 ? 0 : count / 64;
  const auto is_repeated = [&](std::int64_t given) {
    const Plane<std::int32_t> made =
        grown(order, ranks, depth, static_cast<std::size_t>(given), context);
    return std::equal(made.values().begin(), made.values().end(), ranks.values().begin(),
                      [&](std::int32_t a, std::int32_t b) { return a == b || b >= count - last; });
  };
  std::int64_t given = count / 20;
  while (given < count / 4 && !is_repeated(given)) given += count / 80;
  const std::int64_t levels = image.type == PixelType::u8 ? 256 : 65536;
  const auto values = image.channels.front().values();
  const bool plain = std::equal(
      values.begin(), values.end(), ranks.values().begin(), [&](float value, std::int32_t rank) {
        return std::llround(value * static_cast<float>(levels - 1)) == rank * levels / count;
      });
  if (given >= count / 4 || !plain) {
    refuse(
        "makes only masks of `kind scalar` whose other options are `size`, `bits`, `candidates` "
        "and a seed");
  }
  const Kernel kernel = depth > 1 ? dense_volume_stage(1).kernel
                                  : make_kernel(dense_shape, 1, 30000, largest_dense_sum);
  std::vector<int> weights;
  for (int dz = 0; dz <= kernel.depth_reach; ++dz) {
    for (int dy = 0; dy <= kernel.reach; ++dy) {
      for (int dx = 0; dx <= kernel.reach; ++dx) {
        const auto r2 = static_cast<std::size_t>(dx * dx + dy * dy + dz * dz);
        if (kernel.at(dx, dy, dz) == 0) continue;
        weights.resize(std::max(weights.size(), r2 + 1));
        weights[r2] = kernel.at(dx, dy, dz);
      }
    }
  }
  std::vector<int> places;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i == given) i = count - last;
    if (i == count) break;
    const auto [x, y, z] = order[static_cast<std::size_t>(i)];
    places.push_back(((z * (width / strip) + x / strip) * height + y) * strip + x % strip);
  }
  return replaced_all(code, {{"{width}", std::to_string(width)},
                             {"{height}", std::to_string(height)},
                             {"{depth}", std::to_string(depth)},
                             {"{reach}", std::to_string(kernel.reach)},
                             {"{farthest}", std::to_string(weights.size() - 1)},
                             {"{strip}", std::to_string(strip)},
                             {"{run}", std::to_string(run)},
                             {"{given}", std::to_string(given)},
                             {"{last}", std::to_string(last)},
                             {"{levels}", std::to_string(levels)},
                             {"{weights}", lines_of(weights)},
                             {"{places}", lines_of(places)}});
}

}  // namespace dapple::mask

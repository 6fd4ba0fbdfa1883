// Interpolates along one axis after the other, from four pixels per cell.
#include "field/reconstruct.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple {
namespace {

constexpr int most_cells = 64;

// Returns the filter of Mitchell, Netravali 1988, equation 8 with B = C = 1/3.
double mitchell(double x) {
  x = std::abs(x);
  if (x >= 2) return 0;
  if (x >= 1) return (((-7 * x + 36) * x - 60) * x + 32) / 18;
  return ((21 * x - 36) * x * x + 16) / 18;
}

struct Taps {
  int first = 0;  // pixel, relative to the cell's pixel
  std::array<float, 4> weight{};
};

// Returns the pixels that each cell of a pixel is read from.
std::vector<Taps> taps_of(int cells) {
  std::vector<Taps> all(static_cast<std::size_t>(cells));
  for (int i = 0; i < cells; ++i) {
    const double place = (i + 0.5) / cells - 0.5;  // from the center of the pixel
    Taps& taps = all[static_cast<std::size_t>(i)];
    taps.first = place < 0 ? -2 : -1;
    for (int k = 0; k < 4; ++k) {
      taps.weight[static_cast<std::size_t>(k)] =
          static_cast<float>(mitchell(taps.first + k - place));
    }
  }
  return all;
}

float mix(const Taps& taps, float a, float b, float c, float d) {
  const float least = std::min(std::min(a, b), std::min(c, d));
  const float most = std::max(std::max(a, b), std::max(c, d));
  const float sum =
      taps.weight[0] * a + taps.weight[1] * b + taps.weight[2] * c + taps.weight[3] * d;
  return std::min(std::max(sum, least), most);
}

// Returns the pixel that a pixel beyond the ends wraps or mirrors to.
int inside(int at, int size, bool wrap) {
  return wrap ? modulo(at, size) : mirrored(at, size);
}

// Gives pixels without a value the mean of neighbors that have one, as far as four taps reach.
Plane<float> filled(const Plane<float>& map, bool wrap) {
  Plane<float> from = map;
  for (int pass = 0; pass < 2; ++pass) {
    Plane<float> next = from;
    for (int y = 0; y < map.height(); ++y) {
      for (int x = 0; x < map.width(); ++x) {
        if (from(x, y) >= 0) continue;
        float sum = 0;
        int count = 0;
        for (int j = -1; j <= 1; ++j) {
          for (int i = -1; i <= 1; ++i) {
            const float v =
                from(inside(x + i, map.width(), wrap), inside(y + j, map.height(), wrap));
            if (!(v >= 0)) continue;
            sum += v;
            ++count;
          }
        }
        if (count > 0) next(x, y) = sum / static_cast<float>(count);
      }
    }
    from = std::move(next);
  }
  return from;
}

Plane<float> read(const Plane<float>& map, int cells, bool wrap, Context& context) {
  const int width = map.width();
  const int height = map.height();
  const std::vector<Taps> taps = taps_of(cells);
  Plane<float> across = Plane<float>::unset(width * cells, height);
  parallel_for(
      context, static_cast<std::size_t>(height),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        std::vector<float> line(static_cast<std::size_t>(width) + 4);
        for (int x = 0; x < width + 4; ++x) {
          line[static_cast<std::size_t>(x)] = map(inside(x - 2, width, wrap), y);
        }
        float* to = across.row(y);
        for (int x = 0; x < width; ++x) {
          for (const Taps& t : taps) {
            const float* from = line.data() + x + 2 + t.first;
            *to++ = mix(t, from[0], from[1], from[2], from[3]);
          }
        }
      },
      16);
  Plane<float> result = Plane<float>::unset(width * cells, height * cells);
  parallel_for(
      context, static_cast<std::size_t>(height),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int i = 0; i < cells; ++i) {
          const Taps& t = taps[static_cast<std::size_t>(i)];
          const float* from[4];
          for (int k = 0; k < 4; ++k) from[k] = across.row(inside(y + t.first + k, height, wrap));
          float* to = result.row(y * cells + i);
          for (int x = 0; x < result.width(); ++x) {
            to[x] = mix(t, from[0][x], from[1][x], from[2][x], from[3][x]);
          }
        }
      },
      4);
  return result;
}

}  // namespace

int cells_for(double pixels, double spacing, double points, Cells use) {
  const bool of_fields = use == Cells::of_fields;
  const double cells_a_spacing = of_fields ? 2 : 3;
  constexpr double most_cells_a_point = 4;
  int cells = 1;
  while (cells < most_cells && cells * spacing < cells_a_spacing &&
         4.0 * cells * cells * pixels <= most_cells_a_point * points) {
    cells *= 2;
  }
  return cells;
}

Plane<float> on_cells(Plane<float> map, int cells, bool wrap, Context& context) {
  if (cells == 1) return map;
  context.require_memory(24.0 * cells * cells * static_cast<double>(map.size()),
                         "a map with this many points per pixel");
  const auto values = map.values();
  if (std::none_of(values.begin(), values.end(), [](float v) { return v < 0; })) {
    return read(map, cells, wrap, context);
  }
  Plane<float> result = read(filled(map, wrap), cells, wrap, context);
  for (int y = 0; y < result.height(); ++y) {
    for (int x = 0; x < result.width(); ++x) {
      if (map(x / cells, y / cells) < 0) result(x, y) = -1;
    }
  }
  return result;
}

}  // namespace dapple

#include "draw/dot_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr double dots_of_tile = 32;

// Chunks of dots do not depend on threads. Each chunk has a counter per tile.
constexpr std::size_t most_chunks = 16;
constexpr std::size_t least_chunk = 1 << 14;

std::size_t chunks_of(std::size_t count) {
  return std::clamp<std::size_t>(count / least_chunk, 1, most_chunks);
}

// Sorts numbers and drops repeated ones: a few by std::sort, many by marking them in a bit set.
void order(std::vector<std::uint32_t>& numbers, std::size_t count) {
  constexpr std::size_t words_a_number = 8;
  const std::size_t words = (count + 63) / 64;
  if (numbers.size() * words_a_number < words) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return;
  }
  std::vector<std::uint64_t> marks(words, 0);
  for (const std::uint32_t i : numbers) marks[i / 64] |= std::uint64_t{1} << (i % 64);
  auto out = numbers.begin();
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t left = marks[w]; left != 0; left &= left - 1) {
      *out++ =
          static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  numbers.erase(out, numbers.end());
}

}  // namespace

DotTiles::DotTiles(std::size_t count, const std::function<Dot(std::size_t)>& dot_of,
                   Context& context)
    : count_(count) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() / 4;
  if (count > most) {
    throw Error(ErrorKind::limit,
                "a layer of more than " + std::to_string(most) + " dots cannot be drawn as pixels");
  }
  lay_out(dot_of, context);
  const std::size_t chunks = chunks_of(count);
  const std::size_t tiles = columns_ * rows_;
  std::vector<std::vector<std::uint32_t>> next(chunks);
  const auto for_each = [&](std::size_t chunk, const auto& take) {
    const std::size_t end = (chunk + 1) * count / chunks;
    for (std::size_t i = chunk * count / chunks; i < end; ++i) {
      const Dot dot = dot_of(i);
      const Range columns = columns_of(dot.center.x - dot.reach, dot.center.x + dot.reach);
      const Range rows = rows_of(dot.center.y - dot.reach, dot.center.y + dot.reach);
      for (std::size_t y = rows.begin; y < rows.end; ++y) {
        for (std::size_t x = columns.begin; x < columns.end; ++x) take(i, y * columns_ + x);
      }
    }
  };
  parallel_for(context, chunks, [&](std::size_t chunk) {
    next[chunk].assign(tiles, 0);
    for_each(chunk, [&](std::size_t, std::size_t tile) { ++next[chunk][tile]; });
  });
  begins_.reserve(tiles + 1);
  std::uint32_t all = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    begins_.push_back(all);
    for (auto& of_chunk : next) all += std::exchange(of_chunk[tile], all);
  }
  begins_.push_back(all);
  context.require_memory(sizeof(std::uint32_t) * static_cast<double>(all), "the drawing");
  numbers_.resize(all);
  parallel_for(context, chunks, [&](std::size_t chunk) {
    for_each(chunk, [&](std::size_t i, std::size_t tile) {
      numbers_[next[chunk][tile]++] = static_cast<std::uint32_t>(i);
    });
  });
}

void DotTiles::lay_out(const std::function<Dot(std::size_t)>& dot_of, Context& context) {
  if (count_ == 0) return;
  struct Sums {
    Box box{0, 0, 0, 0};
    double square = 0;  // sum of squared diameters
  };
  std::vector<Sums> of_chunks(chunks_of(count_));
  const std::size_t chunks = of_chunks.size();
  parallel_for(context, chunks, [&](std::size_t chunk) {
    const std::size_t begin = chunk * count_ / chunks;
    const Vec2 first = dot_of(begin).center;
    Sums sums{{first.x, first.y, first.x, first.y}};
    for (std::size_t i = begin; i < (chunk + 1) * count_ / chunks; ++i) {
      const Dot dot = dot_of(i);
      const Vec2 p = dot.center;
      sums.box = {std::min(sums.box.x0, p.x), std::min(sums.box.y0, p.y),
                  std::max(sums.box.x1, p.x), std::max(sums.box.y1, p.y)};
      sums.square += 4 * dot.reach * dot.reach;
    }
    of_chunks[chunk] = sums;
  });
  Sums all = of_chunks[0];
  for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
    const Sums& of = of_chunks[chunk];
    all.box = {std::min(all.box.x0, of.box.x0), std::min(all.box.y0, of.box.y0),
               std::max(all.box.x1, of.box.x1), std::max(all.box.y1, of.box.y1)};
    all.square += of.square;
  }
  const double share = dots_of_tile / static_cast<double>(count_);
  const double width = all.box.width();
  const double height = all.box.height();
  left_ = all.box.x0;
  top_ = all.box.y0;
  // The second bound is for dots on a line.
  pitch_ = std::max({std::sqrt(share * width * height), share * std::max(width, height),
                     std::sqrt(all.square / static_cast<double>(count_))});
  if (!(pitch_ > 0)) pitch_ = 1;
  columns_ = static_cast<std::size_t>(width / pitch_) + 1;
  rows_ = static_cast<std::size_t>(height / pitch_) + 1;
}

// Returns a range of tiles. The first and last tiles also hold the dots beyond them.
DotTiles::Range DotTiles::range(double from, double to, std::size_t tiles) const {
  const auto tile = [&](double at) {
    return static_cast<std::size_t>(std::clamp(at / pitch_, 0.0, static_cast<double>(tiles - 1)));
  };
  return {tile(from), tile(to) + 1};
}

void DotTiles::find(const Box& part, std::size_t end, std::vector<std::uint32_t>& found) const {
  found.clear();
  if (count_ == 0) return;
  const Range columns = columns_of(part.x0, part.x1);
  const Range rows = rows_of(part.y0, part.y1);
  for (std::size_t y = rows.begin; y < rows.end; ++y) {
    // The tiles of a row are contiguous.
    const auto first =
        numbers_.begin() + static_cast<std::ptrdiff_t>(begins_[y * columns_ + columns.begin]);
    const auto last =
        numbers_.begin() + static_cast<std::ptrdiff_t>(begins_[y * columns_ + columns.end]);
    if (end >= count_) {
      found.insert(found.end(), first, last);
    } else {
      std::copy_if(first, last, std::back_inserter(found), [end](auto i) { return i < end; });
    }
  }
  order(found, std::min(end, count_));
}

}  // namespace dapple

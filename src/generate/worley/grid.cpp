// Sorts sites stably into bins of about two; the bins of a row are adjacent. Fills bands of rows of
// bins first, then sorts each band by counting: both steps write to few places at a time.
#include "generate/worley/grid.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/worley/grid.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/lanes.hpp"
#include "core/parallel.hpp"

#ifndef DAPPLE_SITE_AXIS
#define DAPPLE_SITE_AXIS
namespace dapple::cells {
namespace {

// Converts places of one axis to pixels, rounded to 2^-16 px and inside the period on a torus, and
// to bins.
struct SiteAxis {
  double extent, pixels;
  double inverse;  // 1 / extent if exact, otherwise 0: a product is 4 times as fast
  bool wrap;
  double bins_a_pixel, last_bin;
};

}  // namespace
}  // namespace dapple::cells
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple::cells {
namespace HWY_NAMESPACE {

using namespace dapple::HWY_NAMESPACE;
namespace {

constexpr std::size_t most = 8;

// Adding and subtracting 1.5 * 2^52 rounds to whole numbers, as llrint does.
template <class Vector>
HWY_INLINE Vector place_of(Vector position, const SiteAxis& axis) {
  constexpr double to_whole = 0x1.8p52;
  const Vector part = axis.inverse > 0 ? position * axis.inverse : position / axis.extent;
  const Vector rounded = (part * axis.pixels * 65536 + to_whole - to_whole) / 65536;
  return axis.wrap ? select(rounded >= axis.pixels, Vector(0.0), rounded) : rounded;
}

template <class Vector>
HWY_INLINE auto bin_of(Vector place, const SiteAxis& axis) {
  const Vector bin = min(max(place * axis.bins_a_pixel, 0.0), axis.last_bin);
  return convert<Lanes<std::int32_t, Vector::count>>(bin);
}

}  // namespace

void place_sites(const double* x, const double* y, std::size_t count, const SiteAxis& across,
                 const SiteAxis& down, double* to_x, double* to_y, std::int32_t* rows) {
  each_vector<double, most>(static_cast<std::ptrdiff_t>(count), [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    place_of(Vector::load(x + i), across).store(to_x + i);
    const Vector place = place_of(Vector::load(y + i), down);
    place.store(to_y + i);
    bin_of(place, down).store(rows + i);
  });
}

// Finds the index of each site's bin, counted row by row.
void bins_of_sites(std::span<const Site> sites, const SiteAxis& across, const SiteAxis& down,
                   std::int32_t columns, std::int32_t* bins) {
  if (sites.empty()) return;
  const double* numbers = &sites.front().x;
  each_vector<double, most>(std::ssize(sites), [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    const auto [x, y, id] = Vector::load_threes(numbers + 3 * i);
    const auto row = bin_of(y, down);
    (row * columns + bin_of(x, across)).store(bins + i);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::cells
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::cells {
namespace {

HWY_EXPORT(place_sites);
HWY_EXPORT(bins_of_sites);

// Sites that one thread places together, and sites that are sorted together in its cache.
constexpr std::size_t chunk_sites = 1 << 14;
constexpr std::size_t band_sites = 1 << 12;
constexpr std::size_t most_bands = 256;  // places that a thread writes to alternately

// Sites whose places are found together.
constexpr std::size_t batch_sites = 512;

SiteAxis axis_of(double extent, double pixels, bool wrap, double bins_a_pixel, int bins) {
  int exponent = 0;
  const double inverse = std::frexp(extent, &exponent) == 0.5 ? 1 / extent : 0;
  return {extent, pixels, inverse, wrap, bins_a_pixel, bins - 1.0};
}

int bins_along(double extent, double bin) {
  return static_cast<int>(std::clamp(std::floor(extent / bin), 1.0, 32768.0));
}

}  // namespace

SiteGrid::SiteGrid(const Points& sites, int width, int height, Context& context,
                   std::vector<double> lifts)
    : domain_{static_cast<double>(width), static_cast<double>(height), sites.domain.wrap},
      sites_(sites.size()),
      place_(sites.size()),
      lifts_(std::move(lifts)) {
  spacing_ =
      std::sqrt(domain_.area() / static_cast<double>(std::max<std::size_t>(sites.size(), 1)));
  const double bin = std::max(1.4 * spacing_, 1.0);
  sort(sites, bin, context);
  // A look into a bin takes in too many sites where they crowd. Finer bins are found in no more
  // runs across, and few more down.
  const double crowd = mean_crowd();
  if (crowd > 8) sort(sites, bin * std::max(std::sqrt(3 / crowd), 0.2), context);
}

// Returns the mean number of sites in the bin of a site, over all sites.
double SiteGrid::mean_crowd() const {
  double squares = 0;
  for (std::size_t b = 1; b < starts_.size(); ++b) {
    const double count = starts_[b] - starts_[b - 1];
    squares += count * count;
  }
  return squares / static_cast<double>(std::max<std::size_t>(size(), 1));
}

void SiteGrid::sort(const Points& sites, double bin, Context& context) {
  const std::size_t n = sites.size();
  columns_ = bins_along(domain_.width, bin);
  rows_ = bins_along(domain_.height, bin);
  columns_a_pixel_ = columns_ / domain_.width;
  rows_a_pixel_ = rows_ / domain_.height;
  starts_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  if (n == 0) return;
  starts_.back() = static_cast<std::uint32_t>(n);

  const std::size_t most = std::clamp<std::size_t>(n / band_sites, 1, most_bands);
  const int height_of_band = (rows_ - 1) / static_cast<int>(most) + 1;
  std::vector<std::uint8_t> band_of(static_cast<std::size_t>(rows_));
  for (int r = 0; r < rows_; ++r) {
    band_of[static_cast<std::size_t>(r)] = static_cast<std::uint8_t>(r / height_of_band);
  }
  const std::size_t bands = band_of.back() + std::size_t{1};

  // Chunks of sites find their places and count how many of their sites each band takes.
  const std::size_t chunks = (n + chunk_sites - 1) / chunk_sites;
  std::vector<std::uint32_t> next(chunks * bands);
  const SiteAxis across =
      axis_of(sites.domain.width, domain_.width, domain_.wrap, columns_a_pixel_, columns_);
  const SiteAxis down =
      axis_of(sites.domain.height, domain_.height, domain_.wrap, rows_a_pixel_, rows_);
  // Calls body(site, its place, its band) for the sites of a chunk.
  const auto each_of = [&](std::size_t chunk, const auto& body) {
    std::array<double, batch_sites> x, y;
    std::array<std::int32_t, batch_sites> row_of;
    const std::size_t end = std::min(n, (chunk + 1) * chunk_sites);
    for (std::size_t begin = chunk * chunk_sites; begin < end; begin += batch_sites) {
      const std::size_t count = std::min(batch_sites, end - begin);
      HWY_DYNAMIC_DISPATCH(place_sites)
      (sites.x.data() + begin, sites.y.data() + begin, count, across, down, x.data(), y.data(),
       row_of.data());
      for (std::size_t i = 0; i < count; ++i) {
        body(begin + i, Vec2{x[i], y[i]}, band_of[static_cast<std::size_t>(row_of[i])]);
      }
    }
  };
  Vec2 first;
  std::int32_t first_row_of = 0;
  HWY_DYNAMIC_DISPATCH(place_sites)
  (sites.x.data(), sites.y.data(), 1, across, down, &first.x, &first.y, &first_row_of);
  std::atomic<bool> distinct = false;
  parallel_for(context, chunks, [&](std::size_t chunk) {
    std::uint32_t* counts = &next[chunk * bands];
    bool same = true;
    each_of(chunk, [&](std::size_t, Vec2 p, std::size_t band) {
      same = same && p == first;
      ++counts[band];
    });
    if (!same) distinct.store(true, std::memory_order_relaxed);
  });
  distinct_ = distinct;

  // In every band, the sites of a chunk follow the sites of the chunk before.
  std::vector<std::uint32_t> band_starts(bands + 1);
  std::uint32_t sum = 0;
  for (std::size_t band = 0; band < bands; ++band) {
    band_starts[band] = sum;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      sum += std::exchange(next[chunk * bands + band], sum);
    }
  }
  band_starts[bands] = sum;
  parallel_for(context, chunks, [&](std::size_t chunk) {
    std::uint32_t* to = &next[chunk * bands];
    Site* const placed = sites_.data();
    each_of(chunk, [&](std::size_t i, Vec2 p, std::size_t band) {
      placed[to[band]++] = {p.x, p.y, static_cast<std::int32_t>(i)};
    });
  });

  parallel_for(context, bands, [&](std::size_t band) {
    const std::uint32_t begin = band_starts[band];
    const std::vector<Site> of_band(sites_.data() + begin, sites_.data() + band_starts[band + 1]);
    thread_local std::vector<std::int32_t> bin_of;
    bin_of.resize(of_band.size());
    HWY_DYNAMIC_DISPATCH(bins_of_sites)(of_band, across, down, columns_, bin_of.data());
    for (const std::int32_t b : bin_of) ++starts_[static_cast<std::size_t>(b)];
    // Ends of bins become their starts while bins fill from the back.
    const int first_row = static_cast<int>(band) * height_of_band;
    const int end_row = std::min(rows_, first_row + height_of_band);
    std::uint32_t end = begin;
    for (std::size_t b = static_cast<std::size_t>(first_row) * static_cast<std::size_t>(columns_);
         b < static_cast<std::size_t>(end_row) * static_cast<std::size_t>(columns_); ++b) {
      end += starts_[b];
      starts_[b] = end;
    }
    for (std::size_t i = of_band.size(); i-- > 0;) {
      const std::uint32_t place = --starts_[static_cast<std::size_t>(bin_of[i])];
      sites_[place] = of_band[i];
      place_[static_cast<std::size_t>(of_band[i].id)] = place;
    }
  });
}

void SiteGrid::gather(const Box& window, Vec2 origin, SiteList& found) const {
  found.clear();
  each_run(window, [&](std::span<const Site> sites, Vec2 away) {
    // Every site is written and stays if it is inside: a branch could not be predicted.
    std::size_t count = found.size();
    found.resize(count + sites.size());
    for (const Site& site : sites) {
      const Vec2 p{site.x + away.x, site.y + away.y};
      found[count] = {p.x - origin.x, p.y - origin.y, site.id};
      count += window.contains(p) ? 1 : 0;
    }
    found.resize(count);
  });
}

}  // namespace dapple::cells
#endif

// A stable sort of the sites into bins of about two sites; bins of a row lie one after the other.
// First into bands of rows of bins, then each band by counting: both write to few places at a time.
#include "generate/worley/grid.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"

namespace dapple::cells {
namespace {

// Sites that one thread places together, and sites that are sorted together in its cache.
constexpr std::size_t chunk_sites = 1 << 14;
constexpr std::size_t band_sites = 1 << 12;
constexpr std::size_t most_bands = 256;  // places that are written to in turn

// Places of one axis in pixels, rounded to 2^-16 px, inside the period where there is one. Adding
// and taking away 1.5 * 2^52 rounds to whole numbers, as llrint does, but for two at a time.
class Placing {
 public:
  Placing(double extent, double pixels, bool wrap) : extent_(extent), pixels_(pixels), wrap_(wrap) {
    // Of a power of two the inverse is exact, and a product takes a quarter of a division's time.
    int exponent = 0;
    if (std::frexp(extent, &exponent) == 0.5) inverse_ = 1 / extent;
  }
  double operator()(double position) const {
    constexpr double to_whole = 0x1.8p52;
    const double part = inverse_ > 0 ? position * inverse_ : position / extent_;
    const double rounded = (part * pixels_ * 65536 + to_whole - to_whole) / 65536;
    return wrap_ && rounded >= pixels_ ? 0 : rounded;
  }

 private:
  double extent_, pixels_;
  double inverse_ = 0;
  bool wrap_;
};

int bins_along(double extent, double bin) {
  return static_cast<int>(std::clamp(std::floor(extent / bin), 1.0, 32768.0));
}

}  // namespace

SiteGrid::SiteGrid(const PointSet& sites, int width, int height, Context& context,
                   std::vector<double> lifts)
    : domain_{static_cast<double>(width), static_cast<double>(height), sites.domain.wrap},
      sites_(sites.size()),
      place_(sites.size()),
      lifts_(std::move(lifts)) {
  spacing_ =
      std::sqrt(domain_.area() / static_cast<double>(std::max<std::size_t>(sites.size(), 1)));
  const double bin = std::max(1.4 * spacing_, 1.0);
  sort(sites, bin, context);
  // A look into a bin takes in too many sites where they crowd: finer bins are found in no
  // more runs across, and few more down.
  const double crowd = mean_crowd();
  if (crowd > 8) sort(sites, bin * std::max(std::sqrt(3 / crowd), 0.2), context);
}

// In the bin of a site, over all sites.
double SiteGrid::mean_crowd() const {
  double squares = 0;
  for (std::size_t b = 1; b < starts_.size(); ++b) {
    const double count = starts_[b] - starts_[b - 1];
    squares += count * count;
  }
  return squares / static_cast<double>(std::max<std::size_t>(size(), 1));
}

void SiteGrid::sort(const PointSet& sites, double bin, Context& context) {
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
  const auto band_at = [&](Vec2 p) { return band_of[static_cast<std::size_t>(row(p.y))]; };

  // Chunks of sites find their places and count what each band takes of them.
  const std::size_t chunks = (n + chunk_sites - 1) / chunk_sites;
  std::vector<std::uint32_t> next(chunks * bands);
  const Placing across(sites.domain.width, domain_.width, domain_.wrap);
  const Placing down(sites.domain.height, domain_.height, domain_.wrap);
  const auto position_of = [&](std::size_t i) {
    return Vec2{across(sites.x[i]), down(sites.y[i])};
  };
  const Vec2 first = position_of(0);
  std::atomic<bool> distinct = false;
  const auto each_of = [&](std::size_t chunk, const auto& body) {
    const std::size_t end = std::min(n, (chunk + 1) * chunk_sites);
    for (std::size_t i = chunk * chunk_sites; i < end; ++i) body(i);
  };
  parallel_for(context, chunks, [&](std::size_t chunk) {
    std::uint32_t* counts = &next[chunk * bands];
    bool same = true;
    each_of(chunk, [&](std::size_t i) {
      const Vec2 p = position_of(i);
      same = same && p == first;
      ++counts[band_at(p)];
    });
    if (!same) distinct.store(true, std::memory_order_relaxed);
  });
  distinct_ = distinct;

  // A chunk's sites follow those of the chunk before in every band.
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
    each_of(chunk, [&](std::size_t i) {
      const Vec2 p = position_of(i);
      sites_[to[band_at(p)]++] = {p.x, p.y, static_cast<std::int32_t>(i)};
    });
  });

  parallel_for(context, bands, [&](std::size_t band) {
    const std::uint32_t begin = band_starts[band];
    const std::vector<Site> of_band(sites_.data() + begin, sites_.data() + band_starts[band + 1]);
    thread_local std::vector<std::uint32_t> bin_of;
    bin_of.resize(of_band.size());
    for (std::size_t i = 0; i < of_band.size(); ++i) {
      const Site& site = of_band[i];
      const std::size_t b =
          static_cast<std::size_t>(row(site.y)) * static_cast<std::size_t>(columns_) +
          static_cast<std::size_t>(column(site.x));
      bin_of[i] = static_cast<std::uint32_t>(b);
      ++starts_[b];
    }
    // Ends of bins become their starts while these fill from the back.
    const int first_row = static_cast<int>(band) * height_of_band;
    const int end_row = std::min(rows_, first_row + height_of_band);
    std::uint32_t end = begin;
    for (std::size_t b = static_cast<std::size_t>(first_row) * static_cast<std::size_t>(columns_);
         b < static_cast<std::size_t>(end_row) * static_cast<std::size_t>(columns_); ++b) {
      end += starts_[b];
      starts_[b] = end;
    }
    for (std::size_t i = of_band.size(); i-- > 0;) {
      const std::uint32_t place = --starts_[bin_of[i]];
      sites_[place] = of_band[i];
      place_[static_cast<std::size_t>(of_band[i].id)] = place;
    }
  });
}

void SiteGrid::gather(const Box& window, Vec2 origin, SiteList& found) const {
  found.clear();
  each_run(window, [&](std::span<const Site> sites, Vec2 away) {
    // Every site is written, and stays where it is inside: which are cannot be foreseen.
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

// Computes power spectra by the fast Fourier transform.
//
// Points lie between the samples of any raster. So they are spread over a finer raster with a
// narrow kernel, whose own transform is divided out afterwards. This is the non-uniform transform
// with the "exponential of semicircle" kernel (Barnett, Magland, af Klinteberg 2019) at twice the
// rate. The figures follow Ulichney (1988: radial mean, anisotropy) and Heck, Schloemer, Deussen
// (2013: effective Nyquist frequency, oscillation).
#include "analyze/spectrum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "core/deterministic_math.hpp"
#include "core/figures/raster_transform.hpp"
#include "core/modulo.hpp"
#include "core/preconditions.hpp"
#include "field/plane_sum.hpp"

namespace dapple {

namespace {

constexpr double highest_frequency = 4;  // of points, in units of sqrt(N / area)
constexpr int largest_transform = 4096;

// ---- the spreading kernel -----------------------------------------------------------------------

constexpr int kernel_width = 8;
constexpr double kernel_beta = 2.30 * kernel_width;

double kernel(double z) {
  const double s = 1 - z * z;
  return s <= 0 ? 0.0 : portable_exp(kernel_beta * (std::sqrt(s) - 1));
}

// Returns the kernel's transform at 0 to `highest` periods over a raster of m samples, by the
// midpoint rule. The kernel is smooth except for a step of e^-beta at its ends.
std::vector<double> kernel_transform(int highest, int m) {
  constexpr int nodes = 256;
  constexpr double half = kernel_width / 2.0;
  std::vector<double> result;
  for (int k = 0; k <= highest; ++k) {
    double sum = 0;
    for (int i = 0; i < nodes; ++i) {
      const double z = (i + 0.5) / nodes;
      sum += kernel(z) * portable_cosine(k * z * half / m);
    }
    result.push_back(2 * sum * half / nodes);
  }
  return result;
}

// One axis of the frequencies of a point set: every `step`-th whole number of periods.
struct FrequencyAxis {
  int step = 1;
  int highest = 0;  // in steps
  int size = 0;     // samples of the raster

  FrequencyAxis(double periods) {
    const double most = largest_transform / 4.0 - 1;
    step = std::max(1, static_cast<int>(std::ceil(periods / most)));
    highest = std::max(2, static_cast<int>(std::ceil(periods / step)));
    size = 4;
    while (size < 4 * highest + 2) size *= 2;
  }
  // Returns the position of a point on the raster, whose side is one period of frequency `step`.
  double place(double p, double side) const {
    const double turns = p / side * step;
    const double u = (turns - std::floor(turns)) * size;
    return u < size ? u : 0;
  }
};

// Points on the raster with their weights, ordered by row and then by index in the set.
struct Spread {
  std::vector<double> u, v, weight;
  std::vector<std::size_t> first;  // of each row; rows + 1 values
};

double hann(double t) {
  return 0.5 - 0.5 * portable_cosine(t);
}

Spread place_points(const Points& points, const FrequencyAxis& ax, const FrequencyAxis& ay) {
  const std::size_t n = points.size();
  Spread spread;
  spread.first.assign(static_cast<std::size_t>(ay.size) + 1, 0);
  const auto row = [&](std::size_t i) {
    return static_cast<std::size_t>(ay.place(points.y[i], points.domain.height));
  };
  for (std::size_t i = 0; i < n; ++i) ++spread.first[row(i) + 1];
  std::partial_sum(spread.first.begin(), spread.first.end(), spread.first.begin());
  std::vector<std::size_t> next(spread.first.begin(), spread.first.end() - 1);
  spread.u.resize(n);
  spread.v.resize(n);
  spread.weight.assign(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = next[row(i)]++;
    spread.u[at] = ax.place(points.x[i], points.domain.width);
    spread.v[at] = ay.place(points.y[i], points.domain.height);
    if (!points.domain.wrap) {
      spread.weight[at] =
          hann(points.x[i] / points.domain.width) * hann(points.y[i] / points.domain.height);
    }
  }
  return spread;
}

// Adds every point whose kernel overlaps rows [first, first + count), in the order of `spread`.
void spread_rows(const Spread& spread, int width, int height, int first, int count, double* rows) {
  constexpr int reach = kernel_width / 2;
  constexpr double half = kernel_width / 2.0;
  const int begin = first - reach;
  const int end = first + count + reach;
  for (int r = begin; r < end; ++r) {
    const int row = modulo(r, height);
    for (std::size_t i = spread.first[static_cast<std::size_t>(row)];
         i < spread.first[static_cast<std::size_t>(row) + 1]; ++i) {
      const double v = spread.v[i] + (r - row);
      const int x0 = static_cast<int>(std::floor(spread.u[i])) - reach + 1;
      std::array<double, kernel_width> across;
      for (int k = 0; k < kernel_width; ++k) {
        across[static_cast<std::size_t>(k)] =
            spread.weight[i] * kernel((x0 + k - spread.u[i]) / half);
      }
      const int y0 = r - reach + 1;
      for (int y = std::max(y0, first); y < std::min(y0 + kernel_width, first + count); ++y) {
        const double down = kernel((y - v) / half);
        double* line = rows + static_cast<std::ptrdiff_t>(y - first) * width;
        for (int k = 0; k < kernel_width; ++k) {
          line[modulo(x0 + k, width)] += down * across[static_cast<std::size_t>(k)];
        }
      }
    }
  }
}

}  // namespace

PowerSpectrum power_spectrum(const Points& points, Context& context) {
  require_domain(points.domain);
  require_columns(points);
  PowerSpectrum spectrum;
  if (points.empty()) return spectrum;
  const Domain& domain = points.domain;
  const double unit = std::sqrt(static_cast<double>(points.size()) / domain.area());
  const FrequencyAxis ax(highest_frequency * unit * domain.width);
  const FrequencyAxis ay(highest_frequency * unit * domain.height);
  const int columns = ax.highest + 1;
  context.require_memory(16.0 * columns * ay.size, "the spectrum");

  const Spread spread = place_points(points, ax, ay);
  double energy = 0;
  for (const double w : spread.weight) energy += w * w;
  if (energy == 0) return spectrum;
  const auto transform = RasterTransform<double>(ax.size, ay.size)(
      columns,
      [&](int first, int count, double* rows) {
        spread_rows(spread, ax.size, ay.size, first, count, rows);
      },
      context);

  const std::vector<double> across = kernel_transform(ax.highest, ax.size);
  const std::vector<double> down = kernel_transform(ay.highest, ay.size);
  spectrum.power = Plane<float>(columns, 2 * ay.highest + 1);
  spectrum.zero_row = ay.highest;
  spectrum.step_x = ax.step / domain.width / unit;
  spectrum.step_y = ay.step / domain.height / unit;
  spectrum.limit = highest_frequency;
  for (int j = 0; j < spectrum.power.height(); ++j) {
    const int k = j - ay.highest;
    for (int i = 0; i < columns; ++i) {
      const double scale =
          across[static_cast<std::size_t>(i)] * down[static_cast<std::size_t>(std::abs(k))];
      const double amplitude = std::abs(transform(i, k < 0 ? k + ay.size : k)) / scale;
      spectrum.power(i, j) = static_cast<float>(amplitude * amplitude / energy);
    }
  }
  // Marks half of the zero column, which a real signal repeats, and frequency zero as missing.
  for (int j = 0; j <= spectrum.zero_row; ++j) spectrum.power(0, j) = -1;
  if (!domain.wrap) {
    // The Hann window itself has power at these frequencies only.
    for (int k = -1; k <= 1; ++k) {
      for (int i = 0; i <= 1; ++i) {
        if (i * ax.step <= 1 && std::abs(k) * ay.step <= 1) {
          spectrum.power(i, k + spectrum.zero_row) = -1;
        }
      }
    }
  }
  return spectrum;
}

PowerSpectrum power_spectrum(const Plane<float>& raster, Context& context) {
  const int width = raster.width();
  const int height = raster.height();
  if (raster.empty()) return {};
  const double pixels = static_cast<double>(raster.size());
  const double sum = sum_of(raster);
  if (!std::isfinite(sum)) {
    throw Error(ErrorKind::input, "a spectrum needs finite values");
  }
  const double mean = sum / pixels;
  double energy = 0;
  for (const float v : raster.values()) {
    energy += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  }
  const int columns = width / 2 + 1;
  context.require_memory(16.0 * columns * height, "the spectrum");
  const auto transform = RasterTransform<double>(width, height)(
      columns,
      [&](int first, int count, double* rows) {
        for (int y = first; y < first + count; ++y) {
          for (int x = 0; x < width; ++x) *rows++ = static_cast<double>(raster(x, y)) - mean;
        }
      },
      context);

  return spectrum_of_raster(width, height, [&](int i, int j) {
    return energy > 0 ? static_cast<float>(std::norm(transform(i, j)) / energy) : 0.0f;
  });
}

double effective_nyquist(const PowerSpectrum& spectrum) {
  constexpr double threshold = 0.1;
  // Sums over rings first; only the ring in which the mean exceeds the threshold is sorted.
  constexpr int buckets = 1024;
  struct Sums {
    double power = 0, count = 0;
  };
  std::vector<Sums> sums(buckets);
  const auto bucket = [&](double radius) {
    return static_cast<std::size_t>(
        std::min(buckets - 1, static_cast<int>(radius / spectrum.limit * buckets)));
  };
  visit_frequencies(spectrum, [&](const Frequency& f) {
    if (f.radius > spectrum.limit) return;
    sums[bucket(f.radius)].power += f.power;
    sums[bucket(f.radius)].count += 1;
  });
  Sums inside;
  Sums before;  // up to the last ring at whose end the mean is low
  std::size_t crossing = 0;
  for (std::size_t b = 0; b < sums.size(); ++b) {
    inside.power += sums[b].power;
    inside.count += sums[b].count;
    if (inside.power > threshold * inside.count) continue;
    before = inside;
    crossing = b + 1;
  }
  // Rings without any frequency may follow.
  while (crossing < sums.size() && sums[crossing].count == 0) ++crossing;
  if (crossing == sums.size()) return spectrum.limit;

  std::vector<Frequency> ring;
  visit_frequencies(spectrum, [&](const Frequency& f) {
    if (f.radius <= spectrum.limit && bucket(f.radius) == crossing) ring.push_back(f);
  });
  std::sort(ring.begin(), ring.end(),
            [](const Frequency& l, const Frequency& r) { return l.radius < r.radius; });
  double radius = ring.front().radius;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    before.power += ring[i].power;
    before.count += 1;
    if (before.power <= threshold * before.count) radius = ring[i + 1].radius;
  }
  return radius;
}

double oscillation(const std::vector<Ring>& rings) {
  const auto first =
      std::find_if(rings.begin(), rings.end(), [](const Ring& r) { return r.power >= 1; });
  double sum = 0;
  double length = 0;
  for (auto r = first; r != rings.end(); ++r) {
    const double width = r->outer - (r == rings.begin() ? 0.0 : std::prev(r)->outer);
    // One set is one draw: the mean of `count` exponential values of mean P has variance P^2/count.
    const double chance = r->power * r->power / r->count;
    sum += width * ((r->power - 1) * (r->power - 1) - chance);
    length += width;
  }
  return length > 0 ? 10 * std::sqrt(std::max(0.0, sum / length)) : 0;
}

Plane<float> spectrum_picture(const PowerSpectrum& spectrum, double extent, int size) {
  if (spectrum.power.empty()) return {};
  const double step = std::max(spectrum.step_x, spectrum.step_y);
  const int half = std::max(1, std::min(size / 2, static_cast<int>(extent / step)));
  const double pixel = extent / half;
  Plane<float> sum(2 * half + 1, 2 * half + 1);
  Plane<float> count(2 * half + 1, 2 * half + 1);
  const int rows = spectrum.power.height() - 1 - spectrum.zero_row;
  const int columns = spectrum.power.width() - 1;
  for (int y = -rows; y <= rows; ++y) {
    const auto py = static_cast<int>(std::lround(y * spectrum.step_y / pixel)) + half;
    if (py < 0 || py > 2 * half) continue;
    for (int x = -columns; x <= columns; ++x) {
      const auto px = static_cast<int>(std::lround(x * spectrum.step_x / pixel)) + half;
      const float power = spectrum.at(x, y);
      if (px < 0 || px > 2 * half || power < 0) continue;
      sum(px, py) += power;
      count(px, py) += 1;
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (count.values()[i] > 0) sum.values()[i] /= count.values()[i];
  }
  return sum;
}

}  // namespace dapple

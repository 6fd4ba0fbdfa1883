// Measures points in a volume or in four dimensions: packing, proof, and the spectrum in shells.
#include <algorithm>
#include <cmath>

#include "analyze/figures.hpp"
#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace {

template <std::size_t D>
using Place = std::array<double, D>;

// The points of a box, scaled to 0..1, with weights. Of more than 30,000 points it holds the
// middle. The weights fade out at the border, unless it holds a whole torus.
template <std::size_t D>
struct Window {
  Place<D> side;
  std::vector<Place<D>> at;
  std::vector<double> weight;
  double weights = 0;  // their sum
  double power = 0;    // the sum of their squares
  bool whole = false;
};

constexpr double most_points = 30000;

template <std::size_t D>
Place<D> sides_of(const Points& points) {
  Place<D> sides{points.domain.width, points.domain.height, points.depth};
  if constexpr (D == 4) sides[3] = points.extent;
  return sides;
}

template <std::size_t D>
Window<D> window_of(const Points& points) {
  const Place<D> all = sides_of<D>(points);
  const double part = std::min(1.0, side_of(most_points / static_cast<double>(points.size()), D));
  Window<D> window;
  window.whole = part == 1 && points.domain.wrap;
  Place<D> low;
  for (std::size_t a = 0; a < D; ++a) {
    window.side[a] = part * all[a];
    low[a] = 0.5 * (1 - part) * all[a];
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Place<D> at{points.x[i], points.y[i], points.z[i]};
    if constexpr (D == 4) at[3] = points.w[i];
    double weight = 1;
    bool inside = true;
    for (std::size_t a = 0; a < D; ++a) {
      at[a] = (at[a] - low[a]) / window.side[a];
      inside = inside && at[a] >= 0 && at[a] < 1;
      if (!window.whole) weight *= 0.5 - 0.5 * portable_cosine(at[a]);
    }
    if (!inside) continue;
    window.at.push_back(at);
    window.weight.push_back(weight);
    window.weights += weight;
    window.power += weight * weight;
  }
  return window;
}

// Returns the power at a frequency of whole waves along each side, 1 for white noise.
template <std::size_t D>
double power_at(const Window<D>& window, const std::array<int, D>& waves) {
  double real = 0;
  double imaginary = 0;
  for (std::size_t i = 0; i < window.at.size(); ++i) {
    double turns = 0;
    for (std::size_t a = 0; a < D; ++a) turns += waves[a] * window.at[i][a];
    turns -= std::floor(turns);
    real += window.weight[i] * portable_cosine(turns);
    imaginary += window.weight[i] * portable_sine(turns);
  }
  return (real * real + imaginary * imaginary) / window.power;
}

// Frequencies of shells are in units of the frequency of the mean spacing: (N / volume)^(1/3), or
// ^(1/4) in four dimensions.
constexpr int shells = 50;
constexpr double highest = 2.5;
constexpr int waves_a_shell = 24;

struct Shells {
  std::vector<double> frequency, power;
};

// Returns a random direction; all directions are equally likely.
template <std::size_t D>
Place<D> direction_of(Random& random) {
  if constexpr (D == 3) {
    const double z = 2 * random.uniform() - 1;
    const Vec2 round = direction(random.uniform());
    const double flat = std::sqrt(1 - z * z);
    return {flat * round.x, flat * round.y, z};
  } else {
    const double share = random.uniform();
    const double one = std::sqrt(share);
    const double other = std::sqrt(1 - share);
    const Vec2 first = direction(random.uniform());
    const Vec2 second = direction(random.uniform());
    return {one * first.x, one * first.y, other * second.x, other * second.y};
  }
}

template <std::size_t D>
Shells shells_of(const Window<D>& window, Context& context) {
  double room = window.side[0];
  for (std::size_t a = 1; a < D; ++a) room *= window.side[a];
  const double count = window.whole ? static_cast<double>(window.at.size())
                                    : window.weights * window.weights / window.power;
  const double unit = side_of(count / room, D);
  Shells made;
  std::vector<std::array<int, D>> waves;
  std::vector<int> shell_of_wave;
  for (int shell = 0; shell < shells; ++shell) {
    Random random(1, Stream::tests, static_cast<std::uint64_t>(shell));
    int found = 0;
    for (int tries = 0; tries < 40 * waves_a_shell && found < waves_a_shell; ++tries) {
      // Takes a direction and a length, rounded to whole waves.
      const Place<D> to = direction_of<D>(random);
      const double length = highest * unit * (shell + random.uniform()) / shells;
      std::array<int, D> wave;
      double square = 0;
      bool near_zero = true;
      for (std::size_t a = 0; a < D; ++a) {
        wave[a] = static_cast<int>(std::lround(length * to[a] * window.side[a]));
        const double frequency = wave[a] / window.side[a];
        square += frequency * frequency;
        // The fading weights spread the peak at frequency 0 over two waves.
        near_zero = near_zero && std::abs(wave[a]) <= (window.whole ? 0 : 2);
      }
      const double at = std::sqrt(square) / unit / highest * shells;
      if (near_zero || at < shell || at >= shell + 1) continue;
      waves.push_back(wave);
      shell_of_wave.push_back(shell);
      ++found;
    }
  }
  std::vector<double> powers(waves.size());
  parallel_for(context, waves.size(),
               [&](std::size_t i) { powers[i] = power_at(window, waves[i]); });
  for (int shell = 0; shell < shells; ++shell) {
    double sum = 0;
    int n = 0;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      if (shell_of_wave[i] != shell) continue;
      sum += powers[i];
      ++n;
    }
    if (n == 0) continue;
    made.frequency.push_back(highest * (shell + 0.5) / shells);
    made.power.push_back(sum / n);
  }
  return made;
}

template <std::size_t D>
double mean_below(const Shells& made, double frequency) {
  double sum = 0;
  double weight = 0;
  for (std::size_t i = 0; i < made.power.size(); ++i) {
    if (made.frequency[i] >= frequency) continue;
    // Shells are weighted by their area.
    double area = made.frequency[i] * made.frequency[i];
    if (D == 4) area *= made.frequency[i];
    sum += area * made.power[i];
    weight += area;
  }
  return weight > 0 ? sum / weight : 0;
}

template <std::size_t D>
QualityReport analyze_space(const Points& points, Context& context) {
  const auto stage = context.stage("analyze");
  QualityReport report;
  report.kind = "points";
  auto& list = report.measurements;
  const double n = static_cast<double>(points.size());
  const double room = points.domain.area() * points.depth * (D == 4 ? points.extent : 1);
  const char* of = points.domain.wrap ? "of the torus" : "of the volume";
  list.push_back({"N", n, "", "number of points"});
  list.push_back({"width", points.domain.width, "pixels", of});
  list.push_back({"height", points.domain.height, "pixels", ""});
  list.push_back({"depth", points.depth, "pixels", ""});
  if (D == 4) list.push_back({"extent", points.extent, "pixels", "along w"});
  if (points.size() < 2) {
    report.notes.push_back("Fewer than two points: there is no spacing to measure.");
    return report;
  }
  const auto [low, high] = std::minmax_element(points.radius.begin(), points.radius.end());
  const bool one_radius = !points.radius.empty() && *low > 0 && *high <= *low * 1.000001f;
  if (one_radius) {
    const double r = static_cast<double>(*low);
    // Files keep r as a 32-bit float, which may exceed the exact radius.
    const Certificate proof = spaces::certify_box(points, r * (1 - 1e-7), {}, 1e-5, context);
    list.push_back({"r", r, "pixels", "radius"});
    list.push_back(
        {"kappa", n * r * r * r * (D == 4 ? r : 1) / room, "",
         D == 4 ? "packing N r^4 / volume; .84 for a maximal set, 2 for the densest lattice"
                : "packing N r^3 / volume; .73 for a maximal set, 1.41 for the densest lattice"});
    list.push_back({"violations", static_cast<double>(proof.violations), "pairs",
                    "nearer than r; 0 is exact", Target{0, true}});
    if (std::isfinite(proof.closest)) {
      list.push_back({"closest", proof.closest, "r", "smallest distance; 1 or more is exact"});
    }
    list.push_back({"holes", static_cast<double>(proof.holes), "boxes",
                    "with room for another point; 0 means maximal"});
  } else {
    report.notes.push_back("The points have no one radius: spacing and holes are not proved.");
  }
  const Shells made = shells_of<D>(window_of<D>(points), context);
  list.push_back({"LF", mean_below<D>(made, 0.5), "",
                  "power below half of the frequency of the mean spacing; 1 for white noise"});
  Curve curve;
  curve.title = "Power in shells";
  curve.x_label = D == 4 ? "frequency, in (N / volume)^(1/4)" : "frequency, in (N / volume)^(1/3)";
  curve.y_label = "power, white = 1";
  curve.x = made.frequency;
  curve.y = made.power;
  report.curves.push_back(curve);
  return report;
}

}  // namespace

QualityReport analyze_volume(const Points& points, Context& context) {
  return points.w.empty() ? analyze_space<3>(points, context) : analyze_space<4>(points, context);
}

}  // namespace dapple

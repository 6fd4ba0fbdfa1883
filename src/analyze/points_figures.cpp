// Measures point sets: packing, spacing, proof against a field, spectrum, tone.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "analyze/figures.hpp"
#include "core/constants.hpp"
#include "core/figures/rings.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/certify/certify.hpp"
#include "sample/spaces.hpp"

namespace dapple {

namespace {

// The radii of a set, from its own column. Without them, figures use the smallest distance.
struct GivenRadii {
  bool given = false;
  bool constant = false;
  double value = 0;  // of a constant set
};

GivenRadii radii_of(const Points& points) {
  GivenRadii radii;
  radii.given = !points.radius.empty();
  for (const float r : points.radius) radii.given = radii.given && std::isfinite(r) && r > 0;
  if (!radii.given) return radii;
  const auto [low, high] = std::minmax_element(points.radius.begin(), points.radius.end());
  // Files keep r as a 32-bit float.
  radii.constant = *high <= *low * 1.000001f;
  radii.value = static_cast<double>(*low);
  return radii;
}

// Returns the distance of every point to its nearest other, infinite if there is none.
std::vector<double> nearest_distances(const Points& points, Context& context) {
  std::vector<double> distances(points.size(), HUGE_VAL);
  const PointIndex index(points);
  constexpr std::size_t block = 1024;
  parallel_for(context, (points.size() + block - 1) / block, [&](std::size_t b) {
    std::vector<Neighbor> found;
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i) {
      index.nearest(points[i], 1, found, static_cast<std::int32_t>(i));
      if (!found.empty()) distances[i] = found.front().distance;
    }
  });
  return distances;
}

// ---- tone: packing by density -------------------------------------------------------------------

// Returns kappa in ten bands of the map, from dense to sparse, with equal expected numbers of
// points. A map with few different radii has fewer bands: pixels of equal r stay together.
std::vector<double> kappa_by_band(const Points& points, const DensityField& field) {
  constexpr int bands = 10;
  const Plane<float>& map = field.radius_map();
  std::vector<double> radii;
  for (const float r : map.values()) {
    if (std::isfinite(r)) radii.push_back(static_cast<double>(r));
  }
  std::sort(radii.begin(), radii.end());
  const double pixel = field.domain().area() / static_cast<double>(map.size());
  double total = 0;
  for (const double r : radii) total += pixel / (r * r);

  std::vector<double> upper;     // largest r of each band
  std::vector<double> expected;  // integral of 1/r^2 over each band
  double sum = 0;
  double done = 0;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    sum += pixel / (radii[i] * radii[i]);
    const bool last = i + 1 == radii.size();
    if (!last && radii[i + 1] == radii[i]) continue;
    if (!last && sum < total * static_cast<double>(upper.size() + 1) / bands) continue;
    upper.push_back(radii[i]);
    expected.push_back(sum - done);
    done = sum;
  }
  std::vector<double> found(upper.size(), 0.0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = field.radius(points[i]);
    const auto band = std::lower_bound(upper.begin(), upper.end(), r) - upper.begin();
    if (band < static_cast<std::ptrdiff_t>(found.size())) ++found[static_cast<std::size_t>(band)];
  }
  for (std::size_t b = 0; b < found.size(); ++b) found[b] /= expected[b];
  return found;
}

void add_bands(QualityReport& report, const Points& points, const DensityField& field) {
  const std::vector<double> kappa = kappa_by_band(points, field);
  if (kappa.size() < 2) return;
  Curve curve{"Packing by density", "band of the map, dense to sparse", "kappa", "", {}, {}, true};
  double sum = 0;
  for (std::size_t b = 0; b < kappa.size(); ++b) {
    curve.x.push_back(static_cast<double>(b) + 1);
    curve.y.push_back(kappa[b]);
    sum += kappa[b];
  }
  const double mean = sum / static_cast<double>(kappa.size());
  double square = 0;
  for (std::size_t b = 0; b < kappa.size(); ++b) {
    square += (kappa[b] - mean) * (kappa[b] - mean);
    report.measurements.push_back({"kappa_" + std::to_string(b + 1), kappa[b], "",
                                   b == 0 ? "packing in the densest band of the map"
                                   : b + 1 == kappa.size()
                                       ? "packing in the sparsest band of the map"
                                       : ""});
  }
  report.measurements.push_back(
      {"kappa_cv", 100 * std::sqrt(square / static_cast<double>(kappa.size())) / mean, "%",
       "variation of packing with density: the error of tone; 0 is exact"});
  report.curves.push_back(std::move(curve));
}

// ---- spacing ------------------------------------------------------------------------------------

void add_spacing(QualityReport& report, const Points& points, const GivenRadii& radii, double kappa,
                 const std::vector<double>& distances) {
  auto& list = report.measurements;
  const double n = static_cast<double>(points.size());
  const double hexagonal = std::sqrt(hexagonal_packing * points.domain.area() / n);
  const double unit = std::sqrt(hexagonal_packing / kappa);  // in r, if density varies
  double smallest = HUGE_VAL;
  double sum = 0;
  std::vector<double> relative;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool local = radii.given && !radii.constant;
    const double rho =
        distances[i] / (local ? unit * static_cast<double>(points.radius[i]) : hexagonal);
    smallest = std::min(smallest, rho);
    sum += rho;
    relative.push_back(rho);
  }
  list.push_back(
      {"rho_min", smallest, "of hexagonal", "smallest distance; 1 for a hexagonal lattice"});
  list.push_back({"rho_mean", sum / n, "of hexagonal", "mean distance to the nearest point"});
  add_spacing_curve(report, relative);
}

// ---- spectrum -----------------------------------------------------------------------------------

void add_spectrum(QualityReport& report, const Points& points, Context& context) {
  const PowerSpectrum spectrum = power_spectrum(points, context);
  if (spectrum.power.empty()) return;
  const std::vector<Ring> radial = radial_power(spectrum);
  auto& list = report.measurements;
  list.push_back({"LF", mean_power_below(spectrum, 0.3), "of white",
                  "power below 0.3 sqrt(N): clumps and gaps seen from afar; 0 is best"});
  if (const double a = hyperuniform_exponent(radial, 0.3); std::isfinite(a)) {
    list.push_back({"exponent", a, "",
                    "power grows there as frequency^exponent; above 0 the set is hyperuniform"});
  }
  list.push_back({"nu_eff", effective_nyquist(spectrum), "sqrt(N)",
                  "detail up to this frequency is free of noise; higher is better"});
  list.push_back({"oscillation", oscillation(radial), "",
                  "ringing of the spectrum past its first peak; lower means less aliasing"});
  list.push_back({"aniso", anisotropy_db(radial), "dB", "anisotropy; 0 has no direction"});
  add_radial_curves(report, radial, 3, "frequency, sqrt(N)", "");
  report.spectrum = spectrum_picture(spectrum, 2, 512);
  report.spectrum_extent = 2;
  report.spectrum_title = "Power spectrum";
  if (!points.domain.wrap) {
    report.notes.push_back(
        "The domain is flat: the spectrum is seen through a Hann window, which weighs the middle.");
  }
}

// ---- parts --------------------------------------------------------------------------------------

constexpr double half_of_mean = 0.5;         // frequency below which clumps and gaps of a part show
constexpr std::size_t fewest_of_part = 500;  // points

double clumps(const Points& part, Context& context) {
  const PowerSpectrum spectrum = power_spectrum(part, context);
  return spectrum.power.empty() ? 0 : mean_power_below(spectrum, half_of_mean);
}

// Measures the classes of an even set, and the first parts of a set in progressive order.
void add_parts(QualityReport& report, const Points& points, Context& context) {
  auto& list = report.measurements;
  std::map<std::int32_t, Points> classes;
  for (std::size_t i = 0; i < points.class_id.size(); ++i) {
    Points& own = classes[points.class_id[i]];
    own.domain = points.domain;
    own.add(points[i], 0);
  }
  std::erase_if(classes, [](const auto& part) { return part.second.size() < fewest_of_part; });
  if (classes.size() > 1) {
    double own = 0;
    double pairs = 0;
    for (auto a = classes.begin(); a != classes.end(); ++a) {
      own = std::max(own, clumps(a->second, context));
      for (auto b = std::next(a); b != classes.end() && classes.size() > 2; ++b) {
        Points both = a->second;
        for (std::size_t i = 0; i < b->second.size(); ++i) both.append(b->second, i);
        pairs = std::max(pairs, clumps(both, context));
      }
    }
    list.push_back({"LF_all", clumps(points, context), "of white",
                    "power below half the mean frequency, of all points; 0 is best"});
    list.push_back({"LF_class", own, "of white", "the same for the worst class"});
    if (classes.size() > 2) {
      list.push_back(
          {"LF_pairs", pairs, "of white", "the same for the worst two classes together"});
    }
  }
  if (points.rank.empty() || points.size() < 2 * fewest_of_part) return;
  std::vector<std::size_t> place(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    place[static_cast<std::size_t>(points.rank[i])] = i;
  }
  double clumped = 0;
  double nearest = HUGE_VAL;
  for (std::size_t n = points.size() / 2; n >= fewest_of_part; n /= 2) {
    Points first;
    first.domain = points.domain;
    for (std::size_t k = 0; k < n; ++k) first.add(points[place[k]], 0);
    clumped = std::max(clumped, clumps(first, context));
    const std::vector<double> distances = nearest_distances(first, context);
    const double count = static_cast<double>(n);
    nearest = std::min(nearest, std::accumulate(distances.begin(), distances.end(), 0.0) / count /
                                    std::sqrt(hexagonal_packing * points.domain.area() / count));
  }
  list.push_back({"LF_first", clumped, "of white",
                  "power below half the mean frequency in the worst first half, quarter, ..."});
  list.push_back({"rho_first", nearest, "of hexagonal",
                  "mean distance to the nearest point in the worst first half, quarter, ..."});
}

// Returns radii for a picture in which points do not touch.
std::vector<double> drawn_radii(const Points& points, const std::vector<double>& distances) {
  const double widest = std::sqrt(points.domain.area() / static_cast<double>(points.size()));
  const double shorter = points.domain.shorter_side();
  std::vector<double> radii;
  for (const double d : distances) {
    radii.push_back(std::clamp(0.3 * std::min(d, 2 * widest), 0.1 * widest, 0.02 * shorter));
  }
  return radii;
}

// Returns how many pairs are nearer than the mean of their radii.
std::int64_t violations_in(const Points& points, Context& context) {
  const std::vector<double> own(points.radius.begin(), points.radius.end());
  return prove_spacing(points, own, 0, ConflictRule::mean, context).violations;
}

// Returns how many pairs of one class are nearer than the mean of their radii.
std::int64_t violations_in_classes(const Points& points, Context& context) {
  std::map<std::int32_t, Points> classes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Points& of = classes[points.class_id[i]];
    of.domain = points.domain;
    of.add(points[i], points.radius[i]);
  }
  std::int64_t violations = 0;
  for (const auto& [class_id, of] : classes) violations += violations_in(of, context);
  return violations;
}

QualityReport measure(const Points& points, const DensityField* field, ConflictRule rule,
                      Context& context) {
  const auto stage = context.stage("analyze");
  validate(points);
  QualityReport report;
  report.kind = "points";
  auto& list = report.measurements;
  const Domain& domain = points.domain;
  const double n = static_cast<double>(points.size());
  list.push_back({"N", n, "", "number of points"});
  list.push_back({"width", domain.width, "pixels", domain.wrap ? "of the torus" : "of the domain"});
  list.push_back({"height", domain.height, "pixels", ""});
  if (points.size() < 2) {
    report.notes.push_back("Fewer than two points: there is no spacing to measure.");
    return report;
  }

  const GivenRadii radii = radii_of(points);
  const std::vector<double> distances = nearest_distances(points, context);
  const double smallest = *std::min_element(distances.begin(), distances.end());
  context.progress(0.2);
  double kappa = n * smallest * smallest / domain.area();
  if (radii.given) {
    kappa = 0;
    for (const float r : points.radius) {
      kappa += static_cast<double>(r) * static_cast<double>(r) / domain.area();
    }
  }
  if (field != nullptr) kappa = n / field->integral();
  list.push_back({"kappa", kappa, "",
                  radii.given ? "packing N r^2 / area; hexagonal 1.1547"
                              : "packing N r^2 / area, r = smallest distance"});
  add_spacing(report, points, radii, kappa, distances);
  list.push_back(
      {"axes", 100 * along_axes(points, context), "%",
       "points whose nearest neighbor lies within 5 degrees of an axis; 11.1 means no raster"});
  list.push_back({"d_min", smallest, "pixels", "smallest distance between two points"});

  const bool constant = field != nullptr ? field->is_constant() : !radii.given || radii.constant;
  const double r = radii.given ? radii.value : smallest;
  if (field == nullptr && radii.given) {
    // Classes of different radii have a distance of their own, which is not given.
    const bool by_class = !radii.constant && !points.class_id.empty();
    list.push_back({"violations",
                    static_cast<double>(by_class ? violations_in_classes(points, context)
                                                 : violations_in(points, context)),
                    "pairs",
                    by_class ? "of one class nearer than the mean of their r; 0 is exact"
                             : "nearer than the mean of their r; 0 is exact"});
  }
  if (field != nullptr || (constant && r > 0)) {
    const DensityField flat = DensityField::constant(domain, r > 0 ? r : 1);
    const Certificate proof =
        spaces::certify_plane(points, 0, field != nullptr ? *field : flat, rule, context);
    if (field != nullptr) {
      list.push_back({"violations", static_cast<double>(proof.violations), "pairs",
                      "nearer than the conflict rule allows; 0 is exact"});
    }
    if (radii.given) {
      list.push_back({"closest", proof.closest, "of the rule",
                      "smallest distance over what the rule allows; 1 or more is exact"});
    }
    list.push_back({"hole", proof.hole, "r",
                    "largest gap: distance from any place to its nearest point; at most 1 if the "
                    "set is maximal"});
  }
  context.progress(0.5);
  if (field != nullptr && !field->is_constant()) add_bands(report, points, *field);
  if (constant) {
    add_spectrum(report, points, context);
    add_parts(report, points, context);
  } else {
    report.notes.push_back(
        "The radius varies: a spectrum would show the map, not the quality of the points.");
    if (field == nullptr) {
      report.notes.push_back("Holes and tone are measured against the map, which is not given.");
    }
  }
  // Shows the whole set, or so much of its middle that single points can be told apart.
  const double part = constant ? std::min(1.0, std::sqrt(2500 / n)) : 1.0;
  report.pictures.push_back({constant ? "Points" : "The set",
                             picture_of(points, part, drawn_radii(points, distances), context)});
  return report;
}

}  // namespace

QualityReport analyze_points(const Points& points, Context& context) {
  if (points.space != nullptr) return analyze_in_space(points, context);
  if (!points.z.empty()) {
    validate(points);
    return analyze_volume(points, context);
  }
  return measure(points, nullptr, ConflictRule::mean, context);
}

QualityReport analyze_points(const Points& points, const DensityField& field, ConflictRule rule,
                             Context& context) {
  return measure(points, &field, rule, context);
}

DensityField scaled_to(const DensityField& field, const Points& points) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double wanted = field.radius(points[i]);
    if (points.radius[i] > 0 && std::isfinite(wanted)) ratios.push_back(points.radius[i] / wanted);
  }
  if (ratios.empty()) return field;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return field.scaled(*middle);
}

}  // namespace dapple

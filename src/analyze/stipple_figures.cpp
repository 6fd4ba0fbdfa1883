// Measures stipplings: how well dots stand for the darkness of a picture.
//
// Every dot carries its share of the picture's darkness as a point: equal shares, or shares in
// proportion to its area if sizes differ. Dots and picture are seen through a Gaussian, exactly:
// dots are never rounded to pixels, and a pixel is a square of even darkness. So no figure depends
// on where dots fall between pixel centers. The picture is mirrored at its borders.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <numeric>

#include "analyze/figures.hpp"
#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/units.hpp"
#include "field/plane_sum.hpp"
#include "field/reconstruct.hpp"
#include "field/resample.hpp"

namespace dapple {

namespace {

// ---- both sides seen through a Gaussian ---------------------------------------------------------

constexpr double reach = 5;  // of the Gaussian, in sigma

// Returns the share of a Gaussian around pixel 0 that falls on pixel d, for d = 0, 1, ...
std::vector<double> pixel_shares(double sigma) {
  const int half = static_cast<int>(std::ceil(reach * sigma)) + 1;
  const auto below = [&](double t) {
    return 0.5 * portable_erf(t / (sigma * std::numbers::sqrt2));
  };
  std::vector<double> shares;
  for (int d = 0; d <= half; ++d) shares.push_back(below(d + 0.5) - below(d - 0.5));
  return shares;
}

Plane<double> blur(const Plane<float>& plane, double sigma, Context& context) {
  const int width = plane.width();
  const int height = plane.height();
  const std::vector<double> shares = pixel_shares(sigma);
  const int half = static_cast<int>(shares.size()) - 1;
  Plane<double> across(width, height);
  Plane<double> result(width, height);
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    std::vector<double> line;
    for (int x = -half; x < width + half; ++x) {
      line.push_back(static_cast<double>(plane(mirrored(x, width), y)));
    }
    for (int x = 0; x < width; ++x) {
      const double* at = line.data() + x + half;
      double sum = shares[0] * at[0];
      for (int d = 1; d <= half; ++d) sum += shares[static_cast<std::size_t>(d)] * (at[-d] + at[d]);
      across(x, y) = sum;
    }
  });
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    double* to = result.row(y);
    for (int d = -half; d <= half; ++d) {
      const double share = shares[static_cast<std::size_t>(std::abs(d))];
      const double* from = across.row(mirrored(y + d, height));
      for (int x = 0; x < width; ++x) to[x] += share * from[x];
    }
  });
  return result;
}

struct Dot {
  double x, y, ink;
};

// Returns dots with those mirror images that lie within the margin, ordered by row.
std::vector<Dot> with_mirrors(const std::vector<Dot>& dots, int width, int height, double margin) {
  // Finds all images of a coordinate on a line of this length, up to the margin outside.
  const auto images = [&](double at, int line, std::vector<double>& found) {
    found.clear();
    const int periods = static_cast<int>(std::ceil(margin / (2 * line)));
    for (int k = -periods; k <= periods; ++k) {
      for (const double image : {2.0 * k * line + at, 2.0 * k * line - at}) {
        if (image > -margin && image < line + margin) found.push_back(image);
      }
    }
  };
  std::vector<Dot> all;
  std::vector<double> xs;
  std::vector<double> ys;
  for (const Dot& dot : dots) {
    images(dot.x, width, xs);
    images(dot.y, height, ys);
    for (const double y : ys) {
      for (const double x : xs) all.push_back({x, y, dot.ink});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Dot& a, const Dot& b) { return a.y < b.y; });
  return all;
}

Plane<double> blur(const std::vector<Dot>& dots, int width, int height, double sigma,
                   Context& context) {
  const double margin = reach * sigma;
  const std::vector<Dot> all = with_mirrors(dots, width, height, margin);
  const double unit = 1 / (2 * std::numbers::pi * sigma * sigma);
  const auto bell = [&](double t) { return portable_exp(-0.5 * t * t / (sigma * sigma)); };
  Plane<double> result(width, height);
  constexpr int strip = 16;
  parallel_for(context, static_cast<std::size_t>((height + strip - 1) / strip), [&](std::size_t s) {
    const int first = static_cast<int>(s) * strip;
    const int last = std::min(height, first + strip);
    const auto from = std::lower_bound(all.begin(), all.end(), first - margin,
                                       [](const Dot& d, double y) { return d.y < y; });
    std::vector<double> across;
    for (auto dot = from; dot != all.end() && dot->y < last + margin; ++dot) {
      const int x0 = std::max(0, static_cast<int>(std::ceil(dot->x - margin)));
      const int x1 = std::min(width, static_cast<int>(dot->x + margin));
      if (x0 >= x1) continue;
      across.clear();
      for (int x = x0; x < x1; ++x) across.push_back(bell(x + 0.5 - dot->x));
      for (int y = first; y < last; ++y) {
        if (std::abs(y + 0.5 - dot->y) > margin) continue;
        const double share = unit * dot->ink * bell(y + 0.5 - dot->y);
        double* row = result.row(y) + x0;
        for (std::size_t i = 0; i < across.size(); ++i) row[i] += share * across[i];
      }
    }
  });
  return result;
}

// Returns 10 log10 (1 / mean squared difference), without `inside` pixels along the frame.
double likeness(const Plane<double>& a, const Plane<double>& b, int inside, Context& context) {
  const int width = a.width() - 2 * inside;
  const int height = a.height() - 2 * inside;
  const double sum = parallel_sum(context, static_cast<std::size_t>(height), [&](std::size_t y) {
    const double* l = a.row(static_cast<int>(y) + inside) + inside;
    const double* r = b.row(static_cast<int>(y) + inside) + inside;
    double row = 0;
    for (int x = 0; x < width; ++x) row += (l[x] - r[x]) * (l[x] - r[x]);
    return row;
  });
  return 10 * portable_log10(static_cast<double>(width) * height / std::max(sum, 1e-30));
}

// Adds likeness() of the whole picture and, if possible, of its part `spacings` spacings inside.
void add_likeness(QualityReport& report, const std::string& name, const Plane<double>& wanted,
                  const Plane<double>& drawn, double spacings, double spacing, Target whole,
                  Target inner, Context& context) {
  const bool first = name == "P1";
  report.measurements.push_back({name, likeness(wanted, drawn, 0, context), "dB",
                                 first ? "likeness seen through a Gaussian of h; higher is better"
                                       : "the same at 2 h: tone seen from afar",
                                 whole});
  const int inside = static_cast<int>(std::ceil(spacings * spacing));
  if (2 * inside >= std::min(wanted.width(), wanted.height())) return;
  report.measurements.push_back({name + "_inside", likeness(wanted, drawn, inside, context), "dB",
                                 "of what lies " + shortest(spacings) + " h and more inside",
                                 inner});
}

// Adds tone against the unprepared photo. `near` and `far` are the dots seen through h and 2 h;
// `total` is their ink.
void add_photo(QualityReport& report, const Plane<float>& photo, const Plane<double>& near,
               const Plane<double>& far, double spacing, double total, Context& context) {
  auto& list = report.measurements;
  list.push_back({"P1_photo", likeness(blur(photo, spacing, context), near, 0, context), "dB",
                  "P1 against the photo as it was before its preparation"});
  list.push_back({"P2_photo", likeness(blur(photo, 2 * spacing, context), far, 0, context), "dB",
                  "P2 against it"});
  list.push_back({"tone_photo", 100 * (total - sum_of(photo)) / static_cast<double>(photo.size()),
                  "% of full", "mean darkness that preparation added"});
}

// ---- spacing ------------------------------------------------------------------------------------

// Returns the distance of each dot to its nearest neighbor, relative to a hexagonal lattice. The
// lattice has the density that the darkness, blurred by the mean spacing, requires at the dot.
std::vector<double> relative_spacing(const Points& dots, const Plane<double>& seen, double total,
                                     Context& context) {
  const PointIndex index(dots);
  std::vector<double> result(dots.size());
  constexpr std::size_t block = 1024;
  const double n = static_cast<double>(dots.size());
  parallel_for(context, (dots.size() + block - 1) / block, [&](std::size_t b) {
    std::vector<Neighbor> found;
    for (std::size_t i = b * block; i < std::min(dots.size(), (b + 1) * block); ++i) {
      index.nearest(dots[i], 1, found, static_cast<std::int32_t>(i));
      const double density = n * bilinear(seen, dots[i]) / total;
      const double hexagonal = std::sqrt(hexagonal_packing / std::max(density, 1e-12));
      result[i] = found.empty() ? 0.0 : found.front().distance / hexagonal;
    }
  });
  return result;
}

// ---- capacity -----------------------------------------------------------------------------------

// Returns the darkness in the Voronoi cell of each dot, in units of 2^-30 so that sums are exact in
// any order. Pixels are cut into cut x cut samples. A tile of samples queries the index once: the
// dot nearest to a sample is at most the tile's diagonal farther from the middle than the nearest
// dot.
std::vector<std::int64_t> darkness_held(const Points& dots, const Plane<float>& darkness, int cut,
                                        Context& context) {
  constexpr int tile = 8;
  Points flat = dots;
  flat.domain.wrap = false;
  const PointIndex index(flat);
  const int width = darkness.width() * cut;
  const int height = darkness.height() * cut;
  std::vector<std::int64_t> held(dots.size(), 0);
  std::mutex adding;
  struct Near {
    Vec2 place;
    std::int32_t dot;
    std::int64_t held;
  };
  parallel_for(
      context, static_cast<std::size_t>((height + tile - 1) / tile), [&](std::size_t band) {
        const int top = static_cast<int>(band) * tile;
        const int bottom = std::min(top + tile, height);
        std::vector<Neighbor> found;
        std::vector<Near> near;
        std::vector<std::pair<std::int32_t, std::int64_t>> shares;
        for (int left = 0; left < width; left += tile) {
          const int right = std::min(left + tile, width);
          const Vec2 middle{0.5 * (left + right) / cut, 0.5 * (top + bottom) / cut};
          // The dots near the previous tile give a bound for the nearest distance.
          double far = std::numeric_limits<double>::infinity();
          for (const Near& n : near) far = std::min(far, length(n.place - middle));
          if (near.empty()) {
            index.nearest(middle, 1, found);
            far = found.front().distance;
          }
          index.within(middle, far + std::numbers::sqrt2 * tile / cut, found);
          near.clear();
          for (const Neighbor& f : found) {
            near.push_back({dots[static_cast<std::size_t>(f.index)], f.index, 0});
          }
          for (int y = top; y < bottom; ++y) {
            for (int x = left; x < right; ++x) {
              const Vec2 at{(x + 0.5) / cut, (y + 0.5) / cut};
              const auto nearest =
                  std::min_element(near.begin(), near.end(), [&](const Near& a, const Near& b) {
                    const double da = length_squared(a.place - at);
                    const double db = length_squared(b.place - at);
                    return da < db || (da == db && a.dot < b.dot);
                  });
              nearest->held += std::lround(darkness(x / cut, y / cut) * 0x1p30f);
            }
          }
          for (const Near& n : near) {
            if (n.held != 0) shares.emplace_back(n.dot, n.held);
          }
        }
        const std::lock_guard lock(adding);
        for (const auto& [dot, share] : shares) held[static_cast<std::size_t>(dot)] += share;
      });
  return held;
}

// Returns the variation of the darkness in the dots' Voronoi cells, each relative to the ink of its
// dot. A cell has about 200 samples, but all have at most 2^24, or one per pixel.
double capacity_variation(const Points& dots, const std::vector<Dot>& inks,
                          const Plane<float>& darkness, Context& context) {
  const double pixels = static_cast<double>(darkness.size());
  const double per_dot = pixels / static_cast<double>(dots.size());
  constexpr double most_samples = 1 << 24;
  const double cut_wanted =
      std::min(std::ceil(std::sqrt(200 / per_dot)), std::floor(std::sqrt(most_samples / pixels)));
  const int cut = std::max(1, static_cast<int>(cut_wanted));
  const std::vector<std::int64_t> held = darkness_held(dots, darkness, cut, context);
  double sum = 0;
  double square = 0;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const double share = static_cast<double>(held[i]) / inks[i].ink;
    sum += share;
    square += share * share;
  }
  const double n = static_cast<double>(held.size());
  const double mean = sum / n;
  return std::sqrt(std::max(0.0, square / n - mean * mean)) / mean;
}

// ---- tone by columns ----------------------------------------------------------------------------

constexpr int columns = 32;

struct Tone {
  std::vector<double> asked = std::vector<double>(columns, 0.0);
  std::vector<double> got = std::vector<double>(columns, 0.0);
};

Tone tone_by_columns(const std::vector<Dot>& dots, const Plane<float>& darkness) {
  Tone tone;
  const double width = static_cast<double>(darkness.width()) / columns;
  const double area = width * darkness.height();
  for (int x = 0; x < darkness.width(); ++x) {
    double sum = 0;
    for (int y = 0; y < darkness.height(); ++y) sum += static_cast<double>(darkness(x, y));
    // A pixel may lie across the border of two columns.
    for (int c = static_cast<int>(x / width); c < columns && c * width < x + 1; ++c) {
      const double part = std::min(x + 1.0, (c + 1) * width) - std::max<double>(x, c * width);
      tone.asked[static_cast<std::size_t>(c)] += sum * part / area;
    }
  }
  for (const Dot& dot : dots) {
    const int c = std::clamp(static_cast<int>(dot.x / width), 0, columns - 1);
    tone.got[static_cast<std::size_t>(c)] += dot.ink / area;
  }
  return tone;
}

void add_tone(QualityReport& report, const Tone& tone) {
  Curve asked{"Tone across the width", "column", "darkness", "asked for", {}, tone.asked, false};
  double square = 0;
  for (int c = 0; c < columns; ++c) {
    const auto at = static_cast<std::size_t>(c);
    asked.x.push_back(c + 1);
    square += (tone.got[at] - tone.asked[at]) * (tone.got[at] - tone.asked[at]);
  }
  Curve got = asked;
  got.name = "dots";
  got.y = tone.got;
  report.measurements.push_back({"ramp", 100 * std::sqrt(square / columns), "% of full",
                                 "rms error of tone over 32 columns; 0 is exact"});
  report.curves.push_back(std::move(asked));
  report.curves.push_back(std::move(got));
}

// Returns the dots on the raster of the darkness, with scaled radii.
Points on_raster(const Points& dots, const Plane<float>& darkness) {
  Points result = dots;
  const double sx = darkness.width() / dots.domain.width;
  const double sy = darkness.height() / dots.domain.height;
  if (std::abs(sx / sy - 1) > 0.02) {
    throw Error(
        ErrorKind::input,
        "the dots and the image have different aspect ratios, so they do not belong together");
  }
  result.domain = {static_cast<double>(darkness.width()), static_cast<double>(darkness.height()),
                   false};
  for (std::size_t i = 0; i < dots.size(); ++i) {
    result.x[i] = std::min(dots.x[i] * sx, std::nextafter(result.domain.width, 0.0));
    result.y[i] = std::min(dots.y[i] * sy, std::nextafter(result.domain.height, 0.0));
    result.radius[i] = static_cast<float>(static_cast<double>(dots.radius[i]) * std::sqrt(sx * sy));
  }
  return result;
}

// The darkness and the dots on one raster of even cells.
struct Sides {
  Plane<float> darkness;
  Points dots;
  std::vector<Dot> inks;
  double total = 0;    // darkness
  double spacing = 0;  // mean, in cells
  double squares = 0;  // of radii
  bool sized = true;
  int cells = 1;  // per side of a pixel
};

Sides sides_of(const Points& given, const Plane<float>& map, Interpolation interpolation,
               Context& context) {
  validate(given);
  Sides sides;
  double& total = sides.total;
  float darkest = 0;
  for (const float d : map.values()) {
    if (!(d >= 0 && d <= 1)) {
      throw Error(ErrorKind::input, "darkness must be from 0 to 1 everywhere");
    }
    darkest = std::max(darkest, d);
    total += static_cast<double>(d);
  }
  if (given.empty() || total == 0) {
    throw Error(ErrorKind::input, given.empty() ? "there are no dots to measure"
                                                : "the image is white, so no tone can be measured");
  }
  const double n = static_cast<double>(given.size());
  const auto pixels = static_cast<double>(map.size());
  // Uses the same cells as the stippling of this map with dots of one size.
  if (interpolation == Interpolation::smooth) {
    sides.cells = cells_for(pixels, std::sqrt(total / (n * static_cast<double>(darkest))), n,
                            Cells::of_pictures);
  }
  sides.darkness = on_cells(map, sides.cells, false, context);
  if (sides.cells > 1) total = sum_of(sides.darkness);
  sides.dots = on_raster(given, sides.darkness);
  sides.spacing = std::sqrt(static_cast<double>(sides.darkness.size()) / n);
  const Points& dots = sides.dots;
  for (const float r : dots.radius) {
    sides.sized = sides.sized && std::isfinite(r) && r > 0;
    sides.squares += static_cast<double>(r) * static_cast<double>(r);
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto r = static_cast<double>(dots.radius[i]);
    sides.inks.push_back(
        {dots.x[i], dots.y[i], total * (sides.sized ? r * r / sides.squares : 1 / n)});
  }
  return sides;
}

}  // namespace

ToneError tone_error(const Points& given, const Plane<float>& map, Context& context,
                     Interpolation interpolation) {
  const auto stage = context.stage("analyze");
  const Sides sides = sides_of(given, map, interpolation, context);
  const double sigma = 2 * sides.spacing;
  const Plane<double> wanted = blur(sides.darkness, sigma, context);
  return tone_error_of(wanted, blur(sides.inks, wanted.width(), wanted.height(), sigma, context),
                       sigma, sides.cells);
}

QualityReport analyze_stippling(const Points& given, const Plane<float>& map, Context& context,
                                Interpolation interpolation, const Plane<float>& unprepared) {
  const auto stage = context.stage("analyze");
  const Sides sides = sides_of(given, map, interpolation, context);
  const auto& [darkness, dots, inks, total, spacing, squares, sized, cells] = sides;
  const double n = static_cast<double>(given.size());

  QualityReport report;
  report.kind = "stippling";
  auto& list = report.measurements;
  list.push_back({"N", n, "dots", ""});
  list.push_back({"h", spacing / cells, "pixels", "mean spacing, sqrt(area / N)"});
  if (sized) {
    list.push_back({"ink", 100 * std::numbers::pi * squares / total, "%",
                    "area of the dots over the darkness asked for; 100 where none overlap"});
  }
  const Plane<double> seen = blur(darkness, spacing, context);
  const Plane<double> seen_dots = blur(inks, darkness.width(), darkness.height(), spacing, context);
  add_likeness(report, "P1", seen, seen_dots, 2, spacing, Target{45}, Target{50}, context);
  context.progress(0.3);
  const Plane<double> wanted = blur(darkness, 2 * spacing, context);
  const Plane<double> drawn = blur(inks, darkness.width(), darkness.height(), 2 * spacing, context);
  add_likeness(report, "P2", wanted, drawn, 8, spacing, Target{60}, Target{62}, context);
  if (!unprepared.empty()) {
    if (unprepared.width() != map.width() || unprepared.height() != map.height()) {
      throw Error(ErrorKind::input,
                  "the photo before preparation must have the size of the prepared photo");
    }
    add_photo(report, on_cells(unprepared, cells, false, context), seen_dots, drawn, spacing, total,
              context);
  }
  context.progress(0.6);
  const std::vector<double> rho = relative_spacing(dots, seen, total, context);
  list.push_back({"dmin", *std::min_element(rho.begin(), rho.end()), "of hexagonal",
                  "smallest distance between dots, for the density there", Target{0.7}});
  list.push_back({"dmean", std::accumulate(rho.begin(), rho.end(), 0.0) / n, "of hexagonal",
                  "mean distance between dots; 1 for a hexagonal lattice", Target{0.9}});
  list.push_back({"cap", capacity_variation(dots, inks, darkness, context), "",
                  "variation of the darkness each dot stands for; 0 is exact", Target{0.05, true}});
  list.push_back(
      {"axes", 100 * along_axes(dots, context), "%",
       "dots whose nearest other lies within 5 degrees of an axis; 11.1 shows no raster"});
  list.push_back({"grain", grain_of(dots, context), "spacings",
                  "how far patches of lattice reach; none are seen below 3.5", Target{3.5, true}});
  std::vector<double> shares;
  for (const Dot& dot : inks) shares.push_back(dot.ink);
  add_frame(report, dots, shares, darkness);
  add_way(report, cells > 1 ? on_raster(given, map) : dots, context);
  add_tone(report, tone_by_columns(inks, darkness));
  add_spacing_curve(report, rho);
  std::vector<double> radii(dots.radius.begin(), dots.radius.end());
  if (!sized) radii.assign(dots.size(), 0.2 * spacing);
  report.pictures.push_back({"The dots", picture_of(dots, 1, radii, context), 0, {}});
  add_tone_error(report, darkness, wanted, drawn, 2 * spacing, cells);
  return report;
}

}  // namespace dapple

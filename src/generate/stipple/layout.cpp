// Lays out paper and margins, and plans the sizes and number of dots.
#include "generate/stipple/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"
#include "field/reconstruct.hpp"
#include "field/resample.hpp"
#include "generate/stipple/gap.hpp"
#include "generate/stipple/shapes.hpp"

namespace dapple::stippling {
namespace {

constexpr double pi = std::numbers::pi;

int pixels_of(double mm, double pixels_per_mm) {
  const double pixels = std::max(1.0, std::round(mm * pixels_per_mm));
  return static_cast<int>(std::min(pixels, 2147483647.0));
}

// Returns true for marks that a pen draws as lines: circles, and outlines with a pen.
bool is_line(const DotPlan& plan) {
  return plan.pen > 0 && (plan.shape == DotShape::circle || plan.shape == DotShape::outline);
}

// Returns the least radius at which the line leaves some of the inside bare. A smaller line fills
// the shape and half a pen around it (Steiner: area + perimeter pen / 2 + pi pen^2 / 4).
double least_open_radius(const DotPlan& plan) {
  const double p = plan.pen * plan.perimeter;
  const double root = std::sqrt(std::max(0.0, p * p - 4 * pi * pi * plan.pen * plan.pen));
  return (p + root) / (4 * pi);
}

double outer_diameter(const DotPlan& plan, double diameter) {
  return plan.reach * diameter + (is_line(plan) ? plan.pen : 0);
}

// The least size of a dot. Smaller dots have nearly no ink, and the number that makes a tone
// exceeds all limits.
constexpr double least_size = 1e-6;  // pixels

void set_sizes(DotPlan& plan, const StippleOptions& options, const Scale& scale) {
  if (!options.dot_size.empty()) {
    plan.smallest = options.dot_size.min.pixels(scale);
    plan.largest = options.dot_size.max.pixels(scale);
    if (!(plan.smallest > 0) || plan.largest < plan.smallest) {
      throw Error(ErrorKind::usage,
                  Problem{"dot-size", "must be above 0 with the smaller size first, not " +
                                          to_text(options.dot_size)});
    }
    if (plan.smallest < least_size) {
      throw Error(
          ErrorKind::usage,
          Problem{"dot-size", "'" + to_text(options.dot_size) + "' is " + shortest(plan.smallest) +
                                  " pixels here, but must be at least 0.000001 pixels"});
    }
  }
  if (plan.shape != DotShape::point || plan.pen <= 0) return;
  if (!options.dot_size.empty() &&
      (plan.smallest != plan.largest || std::abs(plan.smallest / plan.pen - 1) > 1e-9)) {
    throw Error(ErrorKind::usage,
                "`shape point` makes dots as large as the pen: leave `dot-size` out, or use `shape "
                "circle`");
  }
  plan.smallest = plan.largest = plan.pen;
  if (plan.pen < least_size) {
    throw Error(ErrorKind::usage,
                Problem{"pen", "is " + shortest(plan.pen) +
                                   " pixels here, but must be at least 0.000001 pixels"});
  }
}

std::int64_t rounded_count(double count, Context& context) {
  // The memory per dot: position, radius, order, neighbors and drawing.
  context.require_memory(count * 250, "a stippling of " + shortest(std::round(count)) + " dots");
  if (count > 2e9) {
    throw Error(ErrorKind::limit,
                "more than 2,000,000,000 dots: use a larger `dot-size`, or fewer `dots`");
  }
  return std::max<std::int64_t>(1, std::llround(count));
}

}  // namespace

double ink_of(const DotPlan& plan, double diameter) {
  if (!is_line(plan)) return pi / 4 * diameter * diameter;
  const double radius = 0.5 * diameter;
  const double along = plan.perimeter * radius * plan.pen;
  if (plan.open) return along + pi / 4 * plan.pen * plan.pen;
  if (radius >= least_open_radius(plan)) return along;
  return pi * radius * radius + 0.5 * along + pi / 4 * plan.pen * plan.pen;
}

double diameter_of(const DotPlan& plan, double ink) {
  if (!is_line(plan)) return std::sqrt(4 / pi * ink);
  if (plan.open) {
    const double along = std::max(0.0, ink - pi / 4 * plan.pen * plan.pen);
    return 2 * along / (plan.perimeter * plan.pen);
  }
  const double radius = ink / (plan.perimeter * plan.pen);
  if (radius >= least_open_radius(plan)) return 2 * radius;
  const double b = 0.5 * plan.perimeter * plan.pen;
  const double c = pi / 4 * plan.pen * plan.pen - ink;
  return std::max(0.0, (std::sqrt(std::max(0.0, b * b - 4 * pi * c)) - b) / pi);
}

MapOptions in_pixels(MapOptions field, const StippleOptions& options, const StippleLayout& layout) {
  OnPaper<Length>& blur = field.prepare.blur;
  if (blur.plain && !options.paper.empty()) blur.unit = Unit::mm;
  const Scale scale{static_cast<double>(std::min(layout.width, layout.height)),
                    1 / layout.place.mm_per_pixel};
  if (blur.unit != Unit::percent) blur = Length{blur.pixels(scale), Unit::px};
  return field;
}

StippleLayout lay_out(int image_width, int image_height, double image_dpi,
                      const StippleOptions& options) {
  StippleLayout layout;
  const double dot_per_mm = options.dpi.resolved(!options.paper.empty(), image_dpi) / mm_per_inch;
  const auto side = [&](double length, Unit unit) {
    return unit == Unit::px ? length / dot_per_mm : Size{length, length, 1, unit}.width_mm();
  };
  layout.cut_width = image_width;
  layout.cut_height = image_height;
  double w = image_width;
  double h = image_height;
  double& margin = layout.margin;
  const auto margin_on = [&](double paper_side) {
    return options.margin.pixels({paper_side * dot_per_mm, dot_per_mm}) / dot_per_mm;
  };
  if (options.paper.empty()) {
    if (options.fit != PaperFit::contain) {
      throw Error(ErrorKind::usage,
                  Problem{"fit", "works only with `paper`: give the paper that the picture fills"});
    }
    layout.place.mm_per_pixel = 1 / dot_per_mm;
    margin = margin_on(std::min(w, h) * layout.place.mm_per_pixel);
    layout.paper_width = w * layout.place.mm_per_pixel + 2 * margin;
    layout.paper_height = h * layout.place.mm_per_pixel + 2 * margin;
  } else {
    layout.paper_width = side(options.paper.width, options.paper.unit);
    layout.paper_height = side(options.paper.height, options.paper.unit);
    if (options.paper.turns && (w > h) != (layout.paper_width > layout.paper_height) && w != h) {
      std::swap(layout.paper_width, layout.paper_height);
    }
    margin = margin_on(std::min(layout.paper_width, layout.paper_height));
    const double across = layout.paper_width - 2 * margin;
    const double down = layout.paper_height - 2 * margin;
    if (across > 0 && down > 0 && options.fit != PaperFit::contain) {
      const bool too_wide = w * down > h * across;
      const double height_for = std::max(1.0, std::round(w * down / across));
      const double width_for = std::max(1.0, std::round(h * across / down));
      if (options.fit == PaperFit::cover) {
        (too_wide ? w : h) = too_wide ? width_for : height_for;
        layout.cut_width = static_cast<int>(w);
        layout.cut_height = static_cast<int>(h);
        layout.left = (image_width - layout.cut_width) / 2;
        layout.top = (image_height - layout.cut_height) / 2;
      } else {
        (too_wide ? h : w) = std::min(too_wide ? height_for : width_for, 1e9);
      }
    }
    const double room = std::min(across / w, down / h);
    if (!(room > 0)) {
      throw Error(ErrorKind::usage, "margins of " + to_text(options.margin) +
                                        " leave no room on paper of size " +
                                        to_text(options.paper));
    }
    layout.place.mm_per_pixel = room;
  }
  layout.width = static_cast<int>(w);
  layout.height = static_cast<int>(h);
  layout.place.origin = {0.5 * (layout.paper_width - w * layout.place.mm_per_pixel),
                         0.5 * (layout.paper_height - h * layout.place.mm_per_pixel)};
  layout.pen = options.pen.pixels({std::min(w, h), 1 / layout.place.mm_per_pixel}) *
               layout.place.mm_per_pixel;
  if (!options.size.empty()) {
    const double across = options.size.pixel_width(dot_per_mm) / layout.paper_width;
    const double down = options.size.pixel_height(dot_per_mm) / layout.paper_height;
    layout.raster_width = pixels_of(layout.paper_width, std::min(across, down));
    layout.raster_height = pixels_of(layout.paper_height, std::min(across, down));
  } else if (options.paper.empty() && margin == 0) {
    layout.raster_width = image_width;
    layout.raster_height = image_height;
  } else {
    layout.raster_width = pixels_of(layout.paper_width, dot_per_mm);
    layout.raster_height = pixels_of(layout.paper_height, dot_per_mm);
  }
  return layout;
}

Plane<float> fitted(const Plane<float>& plane, const StippleLayout& layout, Context& context) {
  Plane<float> cut = Plane<float>::unset(layout.cut_width, layout.cut_height);
  for (int y = 0; y < cut.height(); ++y) {
    context.check();
    std::copy_n(plane.row(layout.top + y) + layout.left, cut.width(), cut.row(y));
  }
  if (cut.width() == layout.width && cut.height() == layout.height) return cut;
  return resample(cut, layout.width, layout.height, context);
}

double rim_of(const DotPlan& plan, double radius) {
  return 0.5 * std::max(outer_diameter(plan, 2 * radius), plan.pen);
}

namespace {

// A line through even dots, n per pixel, has a length of about sqrt(n) in each pixel. So n is
// proportional to D^2 if the ink of the line is the darkness D.
void plan_line(DotPlan& plan, const StippleOptions& options, std::optional<DotScale>& settled,
               Context& context) {
  if (!options.dot_size.empty()) {
    throw Error(ErrorKind::usage,
                "`path tsp` draws no dots: leave `dot-size` out, or give `dots` or `pen` instead");
  }
  plan.shape = DotShape::disc;
  plan.line_ink = sum_of(plan.darkness, context);
  const auto darkness = plan.darkness.values();
  make_again(plan.darkness, context, [&](std::size_t i) { return darkness[i] * darkness[i]; });
  const double total = sum_of(plan.darkness, context);
  double wanted = static_cast<double>(options.dots);
  if (wanted == 0) wanted = total / (plan.pen * plan.pen);
  if (settled) wanted = settled->factor * total;
  plan.count = rounded_count(wanted, context);
  plan.smallest = plan.largest = diameter_of(plan, total / static_cast<double>(plan.count));
  const auto factor = static_cast<float>(static_cast<double>(plan.count) / total);
  plan.density =
      made_of(plan.darkness, context, [&](std::size_t i) { return darkness[i] * factor; });
  if (!settled) settled = DotScale{0, 0, static_cast<double>(factor)};
}

}  // namespace

namespace {

// N d^2 / area of dots that are held apart. It is far enough below the maximum (1.155) for uneven
// dots to find places.
constexpr double apart_packing = 0.9;

double most_dots(const DotPlan& plan, double diameter) {
  const double apart = outer_diameter(plan, diameter) + plan.gap;
  return apart_packing / (apart * apart);
}

// Returns the number of dots of one size that the tones require and the gap allows.
double dots_of_size(const DotPlan& plan, const Plane<float>& darkness, double diameter,
                    const Context& context) {
  const double most = most_dots(plan, diameter);
  const double ink = ink_of(plan, diameter);
  double sum = 0;
  in_runs(darkness.size(), context, [&](std::size_t first, std::size_t end) {
    for (const float d : darkness.values().subspan(first, end - first)) {
      sum += std::min(static_cast<double>(d) / ink, most);
    }
  });
  return sum;
}

[[noreturn]] void too_many(double wanted, double most, const StippleOptions& options) {
  const auto number = static_cast<std::int64_t>(std::max(0.0, most));
  throw Error(ErrorKind::usage,
              std::to_string(static_cast<std::int64_t>(wanted)) + " dots cannot be " +
                  to_text(options.gap) + " apart here, at most " + std::to_string(number) +
                  " can: use `dots` " + std::to_string(number) + ", or a smaller `gap`");
}

// Warns if the number of dots of a given size differs much from what the tones require. With a pen,
// the forecast of the plot reports it.
void warn_of_ink(const DotPlan& plan, double faithful, Context& context) {
  const double ratio = static_cast<double>(plan.count) / faithful;
  if (plan.pen <= 0 && std::abs(ratio - 1) > 0.15) {
    context.warn(std::to_string(plan.count) + " dots of this size have " +
                 shortest(std::round(100 * ratio)) +
                 " % of the ink that the tones of the picture need, so the drawing turns out " +
                 (ratio < 1 ? "lighter" : "darker") + "; " + shortest(std::round(faithful)) +
                 " dots would match the tones");
  }
}

// Returns the size of `wanted` dots by the tones, smaller if the gap takes their room.
double size_for(const DotPlan& plan, const Plane<float>& darkness, double wanted,
                const StippleOptions& options, const Context& context) {
  double high = diameter_of(plan, sum_of(darkness, context) / wanted);
  // With a gap, `low` does not depend on `wanted`, so the reported maximum is a number that fits.
  double low = plan.gap > 0 ? 1e-3 * plan.gap : 1e-3 * high;
  if (high <= low) high = 2 * low;
  const double most = std::floor(dots_of_size(plan, darkness, low, context));
  if (plan.gap > 0 && wanted > most) too_many(wanted, most, options);
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (low + high);
    (dots_of_size(plan, darkness, middle, context) >= wanted ? low : high) = middle;
  }
  return low;
}

void plan_apart(DotPlan& plan, Plane<float> darkness, double wanted, const StippleOptions& options,
                std::optional<DotScale>& settled, Context& context) {
  const bool sized = plan.smallest > 0;
  if (!sized) plan.smallest = plan.largest = size_for(plan, darkness, wanted, options, context);
  plan.asked = std::move(darkness);
  plan.darkness = Plane<float>(plan.asked.width(), plan.asked.height());
  plan.density = Plane<float>(plan.asked.width(), plan.asked.height());
  double load = 0;
  double darkest = 0;
  double drawn = 0;
  constexpr std::size_t between_checks = 1 << 16;
  for (std::size_t i = 0; i < plan.asked.size(); ++i) {
    if (i % between_checks == 0) context.check();
    const auto d = static_cast<double>(plan.asked.values()[i]);
    if (!(d > 0)) continue;
    const double diameter = plan.diameter(d);
    const double ink = ink_of(plan, diameter);
    const double most = most_dots(plan, diameter);
    const double n = std::min(d / ink, most);
    load = std::max(load, n / most);
    darkest = std::max(darkest, d);
    drawn = std::max(drawn, n * ink);
    plan.density.values()[i] = static_cast<float>(n);
    plan.darkness.values()[i] = static_cast<float>(std::min(1.0, n * ink));
  }
  const double faithful = sum_of(plan.density, context);
  if (wanted == 0) wanted = std::max(1.0, std::floor(faithful));
  const double most = std::max(1.0, std::floor(faithful / load * (1 + 1e-6)));
  if (settled) wanted = std::clamp(std::round(settled->factor * faithful), 1.0, most);
  plan.fits = wanted <= most;
  if (sized && !plan.fits && plan.gap > 0) too_many(wanted, most, options);
  if (!settled && plan.gap > 0 && drawn < 0.9 * darkest) {
    context.warn("with this `gap`, dots of this size cover at most " +
                 shortest(std::round(100 * drawn)) +
                 " % of the paper, so all darker tones look the same; a smaller `gap`" +
                 (sized ? " or larger dots" : " or fewer dots") + " would show them");
  }
  plan.count = rounded_count(wanted, context);
  if (!settled && sized && plan.gap <= 0) warn_of_ink(plan, faithful, context);
  const double ratio = static_cast<double>(plan.count) / faithful;
  const auto density = plan.density.values();
  const auto factor = static_cast<float>(ratio);
  make_again(plan.density, context, [&](std::size_t i) { return density[i] * factor; });
  if (!settled) settled = DotScale{plan.smallest, plan.largest, ratio};
}

}  // namespace

namespace {

// The number of dots of several sizes follows from the mean ink of a dot at each place.

double mean_ink(const DotPlan& plan, double t) {
  const SizeSteps& steps = plan.steps;
  if (steps.diameters.empty()) return ink_of(plan, plan.diameter(t));
  double ink = 0;
  for (std::size_t k = 0; k < steps.diameters.size(); ++k) {
    ink += steps.share(k, t) * ink_of(plan, steps.diameters[k]);
  }
  return ink;
}

// Returns dots per pixel, with sizes that follow `tones`.
Plane<float> numbers_of(const DotPlan& plan, const Plane<float>& darkness,
                        const Plane<float>& tones, Context& context) {
  return made_of(darkness, context, [&](std::size_t i) {
    const auto d = static_cast<double>(darkness.values()[i]);
    const double ink = d > 0 ? mean_ink(plan, static_cast<double>(tones.values()[i])) : 1;
    return static_cast<float>(std::max(d, 0.0) / ink);
  });
}

}  // namespace

DotPlan plan_dots(Plane<float> darkness, const StippleOptions& options, const StippleLayout& layout,
                  std::optional<DotScale>& settled, Context& context) {
  DotPlan plan;
  plan.shape = options.shape;
  plan.pen = layout.pen / layout.place.mm_per_pixel;
  plan.gap = options.gap.pixels(
      {static_cast<double>(std::min(layout.width, layout.height)), 1 / layout.place.mm_per_pixel});
  plan.gap += slack_of(plan.gap * layout.place.mm_per_pixel) / layout.place.mm_per_pixel;
  if (options.shape == DotShape::outline) {
    const std::vector<Outline> shapes = shapes_of(options);
    plan.reach = plan.perimeter = 0;
    plan.open = std::all_of(shapes.begin(), shapes.end(),
                            [](const Outline& shape) { return shape.edges.empty(); });
    for (const Outline& shape : shapes) {
      const bool lines = std::any_of(shape.parts.begin(), shape.parts.end(),
                                     [](const Outline::Part& part) { return !part.lines.empty(); });
      if (lines && plan.pen <= 0) {
        throw Error(ErrorKind::usage,
                    Problem{"shape",
                            "has open lines, which only a pen can draw: give the width of the pen "
                            "with `pen`, or close and fill the lines"});
      }
      plan.reach = std::max(plan.reach, shape.reach);
      plan.perimeter += shape.perimeter / static_cast<double>(shapes.size());
    }
  }
  const Scale scale{static_cast<double>(std::min(darkness.width(), darkness.height())),
                    1 / layout.place.mm_per_pixel};
  if (options.path == DotPath::tsp) {
    if (plan.gap > 0) {
      throw Error(
          ErrorKind::usage,
          Problem{"gap",
                  "works only with dots, but `path tsp` draws a line: leave one of them out"});
    }
    plan.darkness = std::move(darkness);
    plan_line(plan, options, settled, context);
    return plan;
  }
  set_sizes(plan, options, scale);
  if (settled) {
    plan.smallest = settled->smallest;
    plan.largest = settled->largest;
  }
  double wanted = static_cast<double>(options.dots);
  const bool sized = plan.smallest > 0;
  double total = sum_of(darkness, context);
  if (plan.gap > 0 || options.no_overlap) {
    plan_apart(plan, std::move(darkness), wanted, options, settled, context);
    return plan;
  }
  if (!sized) plan.smallest = plan.largest = diameter_of(plan, total / wanted);
  const double room = 2.0 * (darkness.width() + darkness.height());
  if (!settled && plan.largest > room) {
    throw Error(
        ErrorKind::usage,
        "dots of " + shortest(plan.largest) +
            " pixels are larger than the whole picture: use a smaller `dot-size`, or more `dots`");
  }

  context.check();
  plan.density = numbers_of(plan, darkness, darkness, context);
  if (plan.smallest != plan.largest) {
    const double number = wanted > 0 ? wanted : sum_of(plan.density, context);
    const double spacing = std::sqrt(static_cast<double>(darkness.size()) / number);
    plan.tones = size_map(darkness, options.size_from, spacing, context);
    plan.steps = SizeSteps::of(options, plan.smallest, plan.largest);
    plan.density = numbers_of(plan, darkness, plan.tones, context);
  }
  const double faithful = sum_of(plan.density, context);
  if (settled) wanted = settled->factor * faithful;
  plan.count = rounded_count(wanted > 0 ? wanted : faithful, context);
  if (sized && !settled) warn_of_ink(plan, faithful, context);
  const double ratio = static_cast<double>(plan.count) / faithful;
  const auto factor = static_cast<float>(ratio);
  const auto values = plan.density.values();
  make_again(plan.density, context, [&](std::size_t i) { return values[i] * factor; });
  plan.inked = ratio;
  if (!settled) settled = DotScale{plan.smallest, plan.largest, ratio};
  plan.darkness = std::move(darkness);
  return plan;
}

int cells_of(const DotPlan& plan) {
  const auto values = plan.density.values();
  const auto densest = static_cast<double>(*std::max_element(values.begin(), values.end()));
  return cells_for(static_cast<double>(values.size()), 1 / std::sqrt(densest),
                   static_cast<double>(plan.count), Cells::of_pictures);
}

void cut(DotPlan& plan, int cells, Context& context) {
  if (cells == 1) return;
  for (Plane<float>* map : {&plan.darkness, &plan.asked, &plan.tones, &plan.density}) {
    if (!map->empty()) *map = on_cells(std::move(*map), cells, false, context);
  }
  const auto share =
      static_cast<float>(static_cast<double>(plan.count) / sum_of(plan.density, context));
  const auto density = plan.density.values();
  make_again(plan.density, context, [&](std::size_t i) { return density[i] * share; });
  for (double* length : {&plan.pen, &plan.smallest, &plan.largest, &plan.gap, &plan.steps.play}) {
    *length *= cells;
  }
  for (double& diameter : plan.steps.diameters) diameter *= cells;
  plan.cells = cells;
}

double largest_dot(const StippleOptions& options, const StippleLayout& layout, int shorter_side) {
  if (options.dot_size.empty()) return layout.pen / layout.place.mm_per_pixel;
  const Scale scale{static_cast<double>(shorter_side), 1 / layout.place.mm_per_pixel};
  return options.dot_size.max.pixels(scale);
}

double dot_spacing(const StippleOptions& options, const StippleLayout& layout) {
  if (options.style != StippleStyle::dots) return 0;
  const double area = static_cast<double>(layout.width) * layout.height;
  const double across = static_cast<double>(layout.cut_width) / layout.width;
  if (options.dots > 0) return across * std::sqrt(area / static_cast<double>(options.dots));
  const double size = largest_dot(options, layout, std::min(layout.width, layout.height));
  constexpr double usual_dots = 20000;
  return across * (size > 0 ? size : std::sqrt(area / usual_dots));
}

bool mix_from_afar(const MapOptions& field, const StippleOptions& options,
                   const StippleLayout& layout) {
  const bool filled = options.shape == DotShape::disc || options.shape == DotShape::point ||
                      (options.shape == DotShape::outline && layout.pen <= 0);
  return field.tone == Tone::linear && options.style == StippleStyle::dots && filled &&
         options.path == DotPath::none && !options.no_overlap && !(options.gap.value > 0);
}

}  // namespace dapple::stippling

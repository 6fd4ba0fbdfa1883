// Implements the density field: r(x) from a density or radius map, and queries of samplers.
//
// The field keeps the given map beside its radii, because scaling moves the slope limit and the
// clamps. scaled() starts from the map again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "field/fill_rows.hpp"
#include "field/inset.hpp"
#include "field/pyramid.hpp"

namespace dapple {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

enum class Source { constant, density, radius };

std::string place(int x, int y) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

// Returns a copy of memory that the field does not own.
Plane<float> copied(std::string_view what, const PlaneView<const float>& view,
                    const Context& context) {
  require_view(what, view);
  context.require_memory(19.0 * view.width() * view.height(), "a density field of this size");
  auto plane = Plane<float>::unset(view.width(), view.height());
  for (int y = 0; y < view.height(); ++y) {
    context.check();
    std::copy_n(view.row(y), view.width(), plane.row(y));
  }
  return plane;
}

struct Span {
  int first;
  int last;
};

// One axis of the raster, from places to pixels. Nothing rounds if pixels per unit are a power of
// two, as on a map of the domain's own size. Otherwise the ends of a box are rounded like places,
// which keeps their order: no place of a box is missed.
struct PixelAxis {
  int pixels = 1;
  double size = 1;   // of the domain
  double scale = 1;  // pixels per unit
  bool exact = true;

  PixelAxis() = default;
  PixelAxis(int n, double extent)
      : pixels(n), size(extent), scale(n / extent), exact(is_power_of_two(n / extent)) {}

  // Returns the pixel of a place inside the domain.
  int pixel(double x) const { return std::min(static_cast<int>(x * scale), pixels - 1); }
  // Returns the last pixel of a half-open box that ends inside the domain or with it.
  int last_pixel(double end) const {
    if (!exact) return pixel(std::nextafter(end, 0.0));
    const double scaled = end * scale;
    const int whole = static_cast<int>(scaled);
    return whole - (static_cast<double>(whole) == scaled ? 1 : 0);
  }

  // Returns the pixel of a place on the unwrapped line of a torus. It is below 0 or from `pixels`
  // on if the place is outside.
  std::int64_t cell(double x) const {
    if (exact) return static_cast<std::int64_t>(std::floor(x * scale));
    double period = std::floor(x / size);
    double rest = x - period * size;
    if (rest < 0) {
      rest += size;
      period -= 1;
    }
    if (rest >= size) {
      rest = 0;
      period += 1;
    }
    return static_cast<std::int64_t>(period) * pixels + pixel(rest);
  }
  std::int64_t last_cell(double end) const {
    if (!exact) return cell(std::nextafter(end, -static_cast<double>(infinity)));
    return static_cast<std::int64_t>(std::ceil(end * scale)) - 1;
  }
  int wrapped(std::int64_t cell) const {
    return static_cast<int>(modulo<std::int64_t>(cell, pixels));
  }

  // Finds the pixels of [a, b) in one run, or in two if it crosses the seam. An empty box stands
  // for its corner. Returns the number of runs.
  int spans(double a, double b, bool wrap, Span found[2]) const {
    if (!wrap) {
      if (a >= b) b = std::nextafter(a, static_cast<double>(infinity));
      a = std::max(a, 0.0);
      b = std::min(b, size);
      if (!(a < b)) return 0;
      found[0] = {pixel(a), std::max(pixel(a), last_pixel(b))};
      return 1;
    }
    if (b - a < size) {
      const std::int64_t first = cell(a);
      const std::int64_t last = std::max(first, last_cell(b));
      if (last - first < pixels - 1) {
        found[0] = {wrapped(first), wrapped(last)};
        if (found[0].first <= found[0].last) return 1;
        found[1] = {0, found[0].last};
        found[0].last = pixels - 1;
        return 2;
      }
    }
    found[0] = {0, pixels - 1};
    return 1;
  }
};

}  // namespace

struct DensityField::Data {
  Domain domain;
  Source source = Source::constant;
  std::shared_ptr<const Plane<float>> given;  // density or radius, as given
  double scale = 1;                           // r = scale / sqrt(density), or scale * radius
  std::optional<double> slope;
  double r_min = 0;
  double r_max = 0;
  double inset = 0;
  bool inset_discs = false;

  Plane<float> radius;
  RadiusPyramid pyramid;
  PixelAxis across;
  PixelAxis down;
  double integral = 0;
  bool uniform = false;

  void build(Context& context);
  std::shared_ptr<Data> copy() const;
  float unlimited(float value) const;
  // Returns the value of a map at a place outside the domain.
  float beyond(const Plane<float>& map, Vec2 p, float outside) const {
    if (!domain.wrap) return outside;
    return map(across.wrapped(across.cell(p.x)), down.wrapped(down.cell(p.y)));
  }
};

float DensityField::Data::unlimited(float value) const {
  if (source == Source::density) {
    return value > 0 ? static_cast<float>(scale / std::sqrt(static_cast<double>(value))) : infinity;
  }
  const float r = static_cast<float>(scale * static_cast<double>(value));
  return r > 0 ? r : infinity;  // NaN is not above 0
}

// Computes radii, their pyramid and their integral from the given map. The shares of progress are
// about the shares of time.
void DensityField::Data::build(Context& context) {
  const auto stage = context.outermost("field");
  context.check();
  // Counts the given map, the radii, twice a third of them, and a copy for the slope limit.
  context.require_memory(15 * static_cast<double>(given->size()), "a density field of this size");
  radius = made_of(*given, context, [&](std::size_t i) { return unlimited(given->values()[i]); });
  across = PixelAxis(radius.width(), domain.width);
  down = PixelAxis(radius.height(), domain.height);
  const std::span<float> r = radius.values();
  context.progress(0.1);

  // If pixels are not square, the shorter side counts, so that the limit holds both ways.
  if (slope) {
    const auto part = context.part(0.1, 0.7);
    limit_slope(radius, *slope / std::max(across.scale, down.scale), domain.wrap, context);
  }
  const float lowest = r_min > 0 ? static_cast<float>(r_min) : 0.0f;
  const float highest = r_max > 0 ? static_cast<float>(r_max) : std::numeric_limits<float>::max();
  make_again(radius, context, [&](std::size_t i) {
    return r[i] == infinity ? infinity : std::max(std::min(r[i], highest), lowest);
  });
  context.progress(0.75);
  if (inset > 0 || inset_discs) forbid_near(radius, domain, inset, inset_discs, context);
  context.progress(0.85);
  double sum = 0;
  for (int y = 0; y < radius.height(); ++y) {
    context.check();
    double of_row = 0;
    for (const float value : std::span(radius.row(y), static_cast<std::size_t>(radius.width()))) {
      if (value == infinity) continue;
      of_row += 1 / (static_cast<double>(value) * static_cast<double>(value));
    }
    sum += of_row;
  }
  integral = sum / (across.scale * down.scale);
  context.progress(0.9);
  pyramid = RadiusPyramid(radius, context);
  const bool open = std::find(r.begin(), r.end(), infinity) == r.end();
  const RadiusBounds all = pyramid.over(0, 0, radius.width() - 1, radius.height() - 1);
  uniform = open && all.min == all.max;
  context.progress(1);
}

DensityField DensityField::constant(Domain domain, double radius) {
  Context context;
  return constant(domain, radius, context);
}

DensityField DensityField::constant(Domain domain, double radius, Context& context) {
  require_domain(domain);
  require_above_0("a radius", radius);
  using Kept = std::numeric_limits<float>;
  if (radius < static_cast<double>(Kept::min()) || radius > static_cast<double>(Kept::max())) {
    throw Error(ErrorKind::usage, "radius must be from 1.2e-38 to 3.4e38, not " + shortest(radius));
  }
  auto data = std::make_shared<Data>();
  data->domain = domain;
  data->given = std::make_shared<const Plane<float>>(1, 1, 1.0f);
  data->scale = radius;
  data->build(context);
  return DensityField(std::move(data));
}

DensityField DensityField::from_density(Plane<float> density, Domain domain, double scale,
                                        std::optional<double> slope, double r_min, double r_max) {
  Context context;
  return from_density(std::move(density), domain, scale, slope, r_min, r_max, context);
}

DensityField DensityField::from_density(Plane<float> density, Domain domain, double scale,
                                        std::optional<double> slope, double r_min, double r_max,
                                        Context& context) {
  require_domain(domain);
  require_above_0("the scale of a density", scale);
  if (slope) require_above_0("the slope of a map of radii", *slope);
  require_number("the smallest radius", r_min, 0);
  require_number("the largest radius", r_max, r_max > 0 ? r_min : 0);
  bool any = false;
  for (int y = 0; y < density.height(); ++y) {
    context.check();
    for (int x = 0; x < density.width(); ++x) {
      const float d = density(x, y);
      if (!(d >= 0 && d < infinity)) {
        throw Error(ErrorKind::input, "the density is " + shortest(d) + " at pixel " + place(x, y) +
                                          "; it must be finite and at least 0");
      }
      any = any || d > 0;
    }
  }
  if (!any) throw Error(ErrorKind::input, "nothing to place: the density is 0 everywhere");
  auto data = std::make_shared<Data>();
  data->domain = domain;
  data->source = Source::density;
  data->given = std::make_shared<const Plane<float>>(std::move(density));
  data->scale = scale;
  data->slope = slope;
  data->r_min = r_min;
  data->r_max = r_max;
  data->build(context);
  return DensityField(std::move(data));
}

DensityField DensityField::from_density(PlaneView<const float> density, Domain domain, double scale,
                                        std::optional<double> slope, double r_min, double r_max,
                                        Context& context) {
  return from_density(copied("the map of densities", density, context), domain, scale, slope, r_min,
                      r_max, context);
}

DensityField DensityField::from_radius(PlaneView<const float> radius, Domain domain,
                                       std::optional<double> slope, Context& context) {
  return from_radius(copied("the map of radii", radius, context), domain, slope, context);
}

DensityField DensityField::from_radius(Plane<float> radius, Domain domain,
                                       std::optional<double> slope) {
  Context context;
  return from_radius(std::move(radius), domain, slope, context);
}

DensityField DensityField::from_radius(Plane<float> radius, Domain domain,
                                       std::optional<double> slope, Context& context) {
  require_domain(domain);
  if (slope) require_above_0("the slope of a map of radii", *slope);
  const auto placeable = [](float r) { return std::isfinite(r) && r > 0; };
  if (std::none_of(radius.values().begin(), radius.values().end(), placeable)) {
    throw Error(ErrorKind::input, "nothing to place: no radius of the map is above 0 and finite");
  }
  auto data = std::make_shared<Data>();
  data->domain = domain;
  data->source = Source::radius;
  data->given = std::make_shared<const Plane<float>>(std::move(radius));
  data->slope = slope;
  data->build(context);
  return DensityField(std::move(data));
}

DensityField DensityField::from_function(const std::function<double(Vec2)>& radius, Domain domain,
                                         int columns, int rows, std::optional<double> slope,
                                         Context& context) {
  require_domain(domain);
  require_number("the number of columns of a field", columns, 1);
  require_number("the number of rows of a field", rows, 1);
  const auto stage = context.outermost("field");
  context.require_memory(8.0 * columns * static_cast<double>(rows), "the field of a function");
  Plane<float> cells = Plane<float>::unset(columns, rows);
  const Vec2 cell = {domain.width / columns, domain.height / rows};
  constexpr double half = 0.5;  // share of the function's time, which is unknown
  constexpr int rows_a_report = 64;
  for (int from = 0; from < rows; from += rows_a_report) {
    const int of_part = std::min(rows_a_report, rows - from);
    parallel_for(context, static_cast<std::size_t>(of_part), [&](std::size_t i) {
      const int y = from + static_cast<int>(i);
      for (int x = 0; x < columns; ++x) {
        cells(x, y) = static_cast<float>(radius({(x + 0.5) * cell.x, (y + 0.5) * cell.y}));
      }
    });
    context.progress(half * (from + of_part) / rows);
  }
  const auto rest = context.part(half, 1);
  return from_radius(std::move(cells), domain, slope, context);
}

// Returns a copy with the map and limits as given, for another field.
std::shared_ptr<DensityField::Data> DensityField::Data::copy() const {
  auto data = std::make_shared<Data>();
  data->domain = domain;
  data->source = source;
  data->given = given;
  data->scale = scale;
  data->slope = slope;
  data->r_min = r_min;
  data->r_max = r_max;
  data->inset = inset;
  data->inset_discs = inset_discs;
  return data;
}

DensityField DensityField::scaled(double factor) const {
  Context context;
  return scaled(factor, context);
}

DensityField DensityField::scaled(double factor, Context& context) const {
  require_above_0("the scale of radii", factor);
  auto data = data_->copy();
  data->scale *= factor;
  data->build(context);
  return DensityField(std::move(data));
}

DensityField DensityField::with_inset(double inset, Containment inside) const {
  Context context;
  return with_inset(inset, inside, context);
}

DensityField DensityField::with_inset(double inset, Containment inside, Context& context) const {
  require_number("the inset", inset, 0);
  auto data = data_->copy();
  data->inset = inset;
  data->inset_discs = inside == Containment::discs;
  if (data->source == Source::constant) {
    // Pixels must tell places apart: at most 1 and r / 4 wide, or as fine as memory allows.
    double pixels = std::max(1.0, power_of_two_from(4 / data->scale));
    while (data->domain.area() * pixels * pixels > (pixels > 1 ? 0x1p22 : 0x1p24)) pixels /= 2;
    const auto side = [&](double length) {
      return std::max(1, static_cast<int>(std::lround(length * pixels)));
    };
    data->given = std::make_shared<const Plane<float>>(side(data->domain.width),
                                                       side(data->domain.height), 1.0f);
  }
  data->build(context);
  if (data->integral == 0) {
    throw Error(ErrorKind::input, "nothing to place: no position is " + shortest(inset) +
                                      " pixels (the inset) away from the border and from areas "
                                      "without points; use a smaller inset");
  }
  return DensityField(std::move(data));
}

const Domain& DensityField::domain() const {
  return data_->domain;
}
bool DensityField::is_constant() const {
  return data_->uniform;
}
double DensityField::integral() const {
  return data_->integral;
}
const Plane<float>& DensityField::radius_map() const {
  return data_->radius;
}

double DensityField::radius(Vec2 p) const {
  const Data& d = *data_;
  if (d.domain.contains(p)) {
    return static_cast<double>(d.radius(d.across.pixel(p.x), d.down.pixel(p.y)));
  }
  return static_cast<double>(d.beyond(d.radius, p, infinity));
}

double DensityField::density(Vec2 p) const {
  const Data& d = *data_;
  const float value = d.domain.contains(p) ? (*d.given)(d.across.pixel(p.x), d.down.pixel(p.y))
                                           : d.beyond(*d.given, p, 0);
  if (d.source != Source::radius) return static_cast<double>(value);
  const float r = d.unlimited(value);
  return r == infinity ? 0 : 1 / (static_cast<double>(r) * static_cast<double>(r));
}

RadiusBounds DensityField::radius_bounds(const Box& box) const {
  const Data& d = *data_;
  const Domain& domain = d.domain;
  if (box.x0 >= 0 && box.y0 >= 0 && box.x1 <= domain.width && box.y1 <= domain.height &&
      box.x0 < box.x1 && box.y0 < box.y1) {
    const int x0 = d.across.pixel(box.x0);
    const int y0 = d.down.pixel(box.y0);
    const int x1 = d.across.last_pixel(box.x1);
    const int y1 = d.down.last_pixel(box.y1);
    if (x0 == x1 && y0 == y1) {
      const float r = d.radius(x0, y0);
      return {static_cast<double>(r), r == infinity ? 0.0 : static_cast<double>(r)};
    }
    return d.pyramid.over(x0, y0, x1, y1);
  }
  Span columns[2];
  Span rows[2];
  const int nx = d.across.spans(box.x0, box.x1, domain.wrap, columns);
  const int ny = d.down.spans(box.y0, box.y1, domain.wrap, rows);
  RadiusBounds all{std::numeric_limits<double>::infinity(), 0};
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const RadiusBounds part =
          d.pyramid.over(columns[i].first, rows[j].first, columns[i].last, rows[j].last);
      all.min = std::min(all.min, part.min);
      all.max = std::max(all.max, part.max);
    }
  }
  return all;
}

}  // namespace dapple

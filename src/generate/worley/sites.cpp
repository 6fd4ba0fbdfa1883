// Provides the sites of cell textures: given points, points of a sampler, or rows of a lattice.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/texture.hpp"

namespace dapple {

using namespace cells;

int SiteOptions::width() const {
  Size whole = size;
  if (!udim.empty()) whole.width = 1.0 * size.pixel_width() * udim.pixel_width();
  return whole.pixel_width();
}

int SiteOptions::height() const {
  Size whole = size;
  if (!udim.empty()) whole.height = 1.0 * size.pixel_height() * udim.pixel_height();
  return whole.pixel_height();
}

int SiteOptions::depth() const {
  if (size.depth > std::numeric_limits<int>::max()) {
    throw Error(
        ErrorKind::limit,
        Problem{"size", shortest(size.depth) + " slices are too many: give a smaller depth"});
  }
  if (size.depth != std::floor(size.depth)) {
    throw Error(
        ErrorKind::usage,
        Problem{"size", "the depth must be a whole number of slices, not " + shortest(size.depth)});
  }
  return static_cast<int>(size.depth);
}

namespace {

// Returns a lattice of rows: equal cells, whose number is as near to `count` as possible.
Points lattice_sites(const Domain& domain, const SiteOptions& options, std::int64_t count,
                     Context& context) {
  context.require_memory(20.0 * static_cast<double>(count), "the lattice of sites");
  const double cell = std::sqrt(domain.area() / static_cast<double>(count) / options.stretch);
  auto rows = std::max<std::int64_t>(1, std::llround(domain.height / cell));
  // Rows alternate over the seam, too.
  const bool alternates = options.row_offset > 0 && options.wrap;
  if (alternates && rows % 2 != 0)
    rows += static_cast<double>(rows) * cell < domain.height || rows == 1 ? 1 : -1;
  const std::int64_t columns = std::max<std::int64_t>(
      1, std::llround(static_cast<double>(count) / static_cast<double>(rows)));
  const Vec2 step{domain.width / static_cast<double>(columns),
                  domain.height / static_cast<double>(rows)};
  const auto radius = static_cast<float>(std::min(step.x, step.y));
  Points sites;
  sites.domain = domain;
  for (std::int64_t row = 0; row < rows; ++row) {
    const double offset = row % 2 == 0 ? 0 : options.row_offset;
    for (std::int64_t column = 0; column < columns; ++column) {
      Random random(context.seed, Stream::simple_samplers,
                    static_cast<std::uint64_t>(row * columns + column));
      const double u = 0.5 + *options.randomness * (random.uniform() - 0.5);
      const double v = 0.5 + *options.randomness * (random.uniform() - 0.5);
      const Vec2 p{(static_cast<double>(column) + u + offset) * step.x,
                   (static_cast<double>(row) + v) * step.y};
      // In a flat picture, a row that is moved on loses the sites that leave it.
      if (!domain.wrap && !domain.contains(p)) continue;
      sites.add(domain.wrapped(p), radius);
    }
  }
  return sites;
}

// Requires options that were checked.
Points sites_of(const SiteOptions& options, const FieldOptions& field, Context& context) {
  const int width = options.width();
  const int height = options.height();
  const bool deep = options.size.depth > 1;
  if (deep && options.density.image) {
    throw Error(ErrorKind::usage,
                "`density` does not work with a volume: leave `density` or the depth of `size` "
                "out, or give `points`");
  }
  if (options.points.points) {
    require_columns(*options.points.points);
    require_domain(options.points.points->domain);
    Points sites = placed(*options.points.points, options.points_size, width, height, context);
    sites.domain.wrap = options.wrap;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Vec2 p = sites.domain.wrapped(sites[i]);
      sites.x[i] = p.x;
      sites.y[i] = p.y;
    }
    if (!deep) {
      sites.z.clear();
      sites.w.clear();
      return sites;
    }
    if (!sites.w.empty()) {
      throw Error(ErrorKind::input,
                  "cells need points in two or three dimensions, but these have a fourth column, w",
                  options.points.path);
    }
    if (sites.z.empty() && !sites.empty()) {
      throw Error(ErrorKind::input,
                  "a volume needs points in space: these have no column z, or z is 0 or below; "
                  "leave the depth of `size` out for flat cells",
                  options.points.path);
    }
    // Depth is scaled as the plane is.
    sites.depth = options.size.depth / scale_of(sites, width, height);
    for (double& z : sites.z) {
      if (sites.domain.wrap && z >= sites.depth) z = std::fmod(z, sites.depth);
    }
    return sites;
  }
  constexpr std::int64_t default_count = 256;
  SampleOptions sampler;
  sampler.method = options.method;
  sampler.wrap = options.wrap;
  const Scale scale{static_cast<double>(std::min(width, height)), 0};
  const std::int64_t count = field.count == 0 && field.radius.empty() ? default_count : field.count;
  sampler.count = count;
  if (options.density.image) {
    const DensityField map =
        make_field(*options.density.image, field, options.wrap, scale, default_count, context);
    Points sites = sample(map.domain(), map, sampler, context);
    sites.radii = nullptr;
    return sites;
  }
  const Domain domain{static_cast<double>(width), static_cast<double>(height), options.wrap};
  if (options.randomness) {
    if (deep) {
      throw Error(
          ErrorKind::usage,
          "`randomness` makes a flat lattice: leave `randomness` or the depth of `size` out");
    }
    const std::int64_t cells = count > 0 ? count : default_count;
    if (turns(options.angle)) return turned_lattice(domain, options, cells, context);
    return lattice_sites(domain, options, cells, context);
  }
  if (deep) {
    if (options.method != SampleMethod::darts) {
      throw Error(ErrorKind::usage, "a volume works only with `method darts`: leave `method` out");
    }
    const double radius = field.radius.empty() ? 0 : field.radius.min.pixels(scale);
    return sample(Space::box(domain, options.size.depth), radius, sampler, context);
  }
  // Sites are placed evenly in the frame in which cells are round.
  if (options.stretch != 1 && turns(options.angle)) {
    if (options.method != SampleMethod::darts) {
      throw Error(ErrorKind::usage,
                  Problem{"angle", "works only with sites placed by darts: leave `method` out"});
    }
    const double radius = make_constant_field(domain, field, scale, default_count).radius({});
    return turned_darts(domain, CellFrame(options.stretch, options.angle), count, radius, context);
  }
  const Vec2 steps{options.stretch < 1 ? 1 / options.stretch : 1, std::max(options.stretch, 1.0)};
  const Domain round{domain.width * steps.x, domain.height * steps.y, domain.wrap};
  Points sites =
      sample(round, make_constant_field(round, field, scale, default_count), sampler, context);
  if (options.stretch == 1) return sites;
  sites.domain = domain;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Vec2 p = domain.wrapped({sites.x[i] / steps.x, sites.y[i] / steps.y});
    sites.x[i] = p.x;
    sites.y[i] = p.y;
  }
  return sites;
}

}  // namespace

Points worley_sites(const SiteOptions& options, const FieldOptions& field, Context& context) {
  check(options, WorleyOptions());
  check(field);
  return sites_of(options, field, context);
}

std::vector<Points> worley_octaves(const SiteOptions& options, int count, const FieldOptions& field,
                                   Context& context) {
  WorleyOptions layers;
  layers.octaves = count;
  check(options, layers);
  check(field);
  std::vector<Points> octaves = {sites_of(options, field, context)};
  if (count == 1) return octaves;
  const std::uint64_t seed = context.seed;
  SiteOptions finer = options;
  finer.points = {};
  finer.randomness.reset();  // detail shows no lattice
  FieldOptions finer_field = field;
  finer_field.radius = {};
  finer_field.count = static_cast<std::int64_t>(octaves[0].size());
  for (int k = 1; k < count; ++k) {
    finer_field.count *= options.size.depth > 1 ? 8 : 4;
    context.seed = hash(seed, static_cast<std::uint64_t>(k));
    octaves.push_back(worley_sites(finer, finer_field, context));
  }
  context.seed = seed;
  return octaves;
}

}  // namespace dapple

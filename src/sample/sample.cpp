// Samples points of any space, and proves and orders them.
#include "dapple/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/regions.hpp"
#include "dapple/units.hpp"
#include "sample/certify/proved.hpp"
#include "sample/conflict.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"
#include "sample/settle_order.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/patches.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {

namespace {

bool is_start(std::string_view text) {
  if (text == "random" || text == "center") return true;
  double x = 0;
  double y = 0;
  return parse_place(text, x, y);
}

}  // namespace

void describe(SampleOptions& options, OptionList& list) {
  list.group("Sampling");
  list.add("method", options.method,
           "Sampler: darts is exact and leaves no gaps; dart-throwing does the same without any "
           "bias, but slower; dense packs a third more points, also exactly; polished makes dense "
           "more even, with possible small gaps; elimination thins out many points; bridson grows "
           "from a start; the others are for comparison");
  list.add("conflict", options.conflict,
           "Distance that points of radius a and b must keep: the mean, min or max of both, or the "
           "radius of the later point (candidate)");
  list.add("tries", options.tries, "Candidates around a point before bridson gives it up")
      .range(1, 10000);
  list.add("start", options.start, "Where bridson starts: random, center or X,Y")
      .metavar("random|center|X,Y")
      .check([](std::string_view text) {
        return is_start(text) ? "" : "must be random, center or a position such as 100,50";
      });
  list.add("wrap", options.wrap,
           "Make the points tile: what leaves on one side enters on the opposite side")
      .essential();
  list.add("settle", options.settle,
           "Move darts apart a little, until the closest pair has 0.80 of the distance of a "
           "hexagonal lattice; `no-settle` leaves darts where they fell");
  list.add("progressive", options.progressive,
           "Order the points so that the first K are well spaced for every K, with a column rank; "
           "darts are placed in this order, points of other methods are sorted afterwards")
      .essential();
  list.add("certify", options.certify,
           "Prove spacing and coverage of the result, or fail; with `count` only spacing is "
           "required, and a warning reports gaps")
      .essential();
  list.add("keep", options.keep,
           "Existing points, around which new points fill the rest; they keep their own r if they "
           "have one, come first in the output with their columns, and are counted")
      .metavar("POINTS");
  list.add("only-new", options.only_new, "Leave the points of `keep` out of the output");
}

bool keeps_distance(SampleMethod method) {
  return method == SampleMethod::darts || method == SampleMethod::bridson ||
         method == SampleMethod::dart_throwing || method == SampleMethod::dense ||
         method == SampleMethod::polished;
}

double conflict_distance(ConflictRule rule, double ra, double rb) {
  return with_rule(rule, [&](auto constant) { return conflict_of<constant>(ra, rb); });
}

// Returns figures that `dapple_bench --benchmark_filter=sample_` prints. They differ by less than 1
// % between rules, and between one radius and varying radii.
double packing_constant(SampleMethod method, ConflictRule rule) {
  require_word("method", method);
  require_word("rule of conflicts", rule);
  switch (method) {
    case SampleMethod::bridson:
      return 0.62;
    case SampleMethod::dart_throwing:
      return 0.697;
    case SampleMethod::dense:
    case SampleMethod::polished:
      return 0.91;
    case SampleMethod::darts:
    case SampleMethod::elimination:
    case SampleMethod::jittered:
    case SampleMethod::random:
    case SampleMethod::grid:
    case SampleMethod::halton:
    case SampleMethod::r2:
      break;
  }
  return 0.702;
}

Points sample_once(const DensityField& field, const SampleOptions& options, std::int64_t count,
                   Context& context) {
  switch (options.method) {
    case SampleMethod::darts:
      if (options.progressive) return progressive_darts(field, options, context);
      if (options.keep.points != nullptr) {
        const Points kept = kept_points(field, options);
        return darts(field, options.conflict, nullptr, context, &kept);
      }
      return darts(field, options.conflict, nullptr, context);
    case SampleMethod::bridson:
      return bridson(field, options, context);
    case SampleMethod::dense:
      return dense(field, options, context);
    case SampleMethod::polished:
      return polished(field, options, context);
    case SampleMethod::dart_throwing:
      return dart_throwing(field, options, context);
    case SampleMethod::halton:
    case SampleMethod::r2:
      return sequence(field, options.method, count, context);
    case SampleMethod::elimination:
      return elimination(field, options.conflict, count, context);
    case SampleMethod::jittered:
    case SampleMethod::random:
    case SampleMethod::grid:
      break;
  }
  return stratified(field, options.method, count, context);
}

namespace {

std::string_view name_of(const Radii& radii) {
  constexpr std::array<std::string_view, 8> names{"one radius",
                                                  "a field of a plane",
                                                  "a field of a box",
                                                  "radii of a surface",
                                                  "classes of radii",
                                                  "classes of fields of a plane",
                                                  "classes of fields of a box",
                                                  "classes of maps of a surface"};
  return names[radii.source.index()];
}

[[noreturn]] void refuse(SpaceKind kind, const Radii& radii) {
  throw Error(ErrorKind::usage, std::string(name_of(radii)) + " cannot be sampled in a " +
                                    std::string(word_of(kind)) +
                                    "; dapple/sample.hpp lists what can");
}

void require_space(const Space& space) {
  require_word("kind of space", space.kind);
  if (space.kind == SpaceKind::regions) {
    if (space.regions == nullptr) throw Error(ErrorKind::usage, "a space of regions needs them");
    return validate(*space.regions);
  }
  const bool on_mesh = space.kind == SpaceKind::surface || space.kind == SpaceKind::solid;
  if (!on_mesh) return;
  if (space.mesh == nullptr) {
    throw Error(ErrorKind::usage, "a surface and a solid need a mesh");
  }
  validate(*space.mesh);
}

// Throws Error(usage) for options that work only with a field in a plane.
void require_darts(const Space& space, const SampleOptions& options) {
  const auto refuse_option = [&](const char* option) {
    throw Error(ErrorKind::usage,
                Problem{option, "works only with one class in a plane, not in a " +
                                    std::string(word_of(space.kind))});
  };
  if (options.method != SampleMethod::darts) refuse_option("method");
}

// Throws Error(usage) unless the domain of the radii is that of the space.
void require_domain_of(const Space& space, const Radii& radii) {
  const auto require = [&](bool is_same, const std::string& own) {
    if (is_same) return;
    throw Error(ErrorKind::usage, "the radii belong to a domain of " + own +
                                      ", which is not the domain of the space");
  };
  const auto of_plane = [&](const DensityField& field) {
    const Domain& domain = field.domain();
    require(domain == space.domain, shortest(domain.width) + " x " + shortest(domain.height) +
                                        (domain.wrap ? ", a torus" : ""));
  };
  const auto of_box = [&](const VolumeField& field) {
    const auto& side = field.side();
    require(side == std::array{space.domain.width, space.domain.height, space.depth} &&
                field.wrap() == space.domain.wrap,
            shortest(side[0]) + " x " + shortest(side[1]) + " x " + shortest(side[2]) +
                (field.wrap() ? ", a torus" : ""));
  };
  if (const auto* const field = radii.get<DensityField>()) of_plane(*field);
  if (space.kind == SpaceKind::solid) return;  // fields span the bounds of the mesh
  if (const auto* const field = radii.get<VolumeField>()) of_box(*field);
  if (const auto* const classes = radii.get<ClassFields>()) {
    for (const DensityField& field : classes->fields) of_plane(field);
  }
  if (const auto* const classes = radii.get<ClassVolumes>()) {
    for (const VolumeField& field : classes->fields) of_box(field);
  }
}

// Returns true if spaces::sample_by_place() samples these radii.
bool are_by_place(const Space& space, const Radii& radii) {
  switch (space.kind) {
    case SpaceKind::plane:
      return radii.get<ClassFields>() != nullptr;
    case SpaceKind::box:
      if (space.extent > 0) return false;
      return radii.get<ClassVolumes>() != nullptr ||
             (radii.get<VolumeField>() != nullptr && radii.rule == ConflictRule::min);
    case SpaceKind::solid:
      return radii.get<ClassVolumes>() != nullptr || radii.get<VolumeField>() != nullptr ||
             radii.get<ClassRadii>() != nullptr;
    case SpaceKind::sphere:
      return radii.get<ClassSurfaces>() != nullptr || radii.get<ClassRadii>() != nullptr;
    case SpaceKind::surface:
      return radii.get<ClassSurfaces>() != nullptr;
    case SpaceKind::regions:
    case SpaceKind::cloud:
      break;
  }
  return false;
}

Points new_points(const Space& space, const Radii& radii, const spaces::Request& request,
                  Context& context) {
  if (are_by_place(space, radii)) {
    return spaces::sample_by_place(space, radii, request, context);
  }
  const auto* const even = radii.get<double>();
  const auto* const classes = radii.get<ClassRadii>();
  switch (space.kind) {
    case SpaceKind::plane:
      if (classes != nullptr) return spaces::sample_classes(space, *classes, request, context);
      break;
    case SpaceKind::box:
      if (even != nullptr) return spaces::sample_box(space, *even, request, context);
      if (space.extent > 0) break;
      if (const auto* const field = radii.get<VolumeField>()) {
        return spaces::sample_box(*field, request, context);
      }
      if (classes != nullptr) return spaces::sample_classes(space, *classes, request, context);
      break;
    case SpaceKind::solid:
      if (even != nullptr) return spaces::sample_solid(space, *even, request, context);
      break;
    case SpaceKind::sphere:
      if (even != nullptr) return spaces::sample_sphere(space.radius, *even, request, context);
      if (const auto* const by_map = radii.get<SurfaceRadius>()) {
        SurfaceRadius radius = *by_map;
        radius.rule = request.kept.rule;
        return spaces::sample_sphere(space.radius, radius, request, context);
      }
      break;
    case SpaceKind::surface:  // spaces::sample_surface()
    case SpaceKind::regions:  // spaces::sample_regions()
    case SpaceKind::cloud:
      break;
  }
  refuse(space.kind, radii);
}

// Returns points with a single radius of a plane as a field, which all methods take.
Points in_plane(const Domain& domain, const Radii& radii, const SampleOptions& options,
                Context& context) {
  const auto* const even = radii.get<double>();
  if (even == nullptr) {
    return spaces::sample_plane(std::get<DensityField>(radii.source), options, context);
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(options.count, 1));
  const double first = options.count == 0 ? *even : std::sqrt(even_packing * domain.area() / count);
  return spaces::sample_plane(DensityField::constant(domain, first), options, context);
}

// Returns points that are cut out of a larger set of the same radii.
Points cut_set(const Space& space, const Radii& radii, const SampleOptions& options,
               Context& context) {
  const auto refuse_cut = [](const std::string& why) {
    throw Error(ErrorKind::usage, Problem{"frame", "cut " + why});
  };
  const bool is_box = space.kind == SpaceKind::box;
  const bool is_even = radii.get<double>() != nullptr;
  const bool has_classes = radii.get<ClassRadii>() != nullptr && space.extent == 0;
  if (!is_box && space.kind != SpaceKind::plane && space.kind != SpaceKind::solid) {
    refuse_cut(
        "works only in a plane, a box and a solid, which are parts of larger ones, not in a " +
        std::string(word_of(space.kind)));
  }
  if (!is_even && !has_classes) {
    refuse_cut(
        "works only with radii that do not depend on the place, which are known beyond the "
        "border");
  }
  if (options.method != SampleMethod::darts) refuse_cut("works only with darts");
  if (options.keep.points != nullptr) {
    refuse_cut("works without fixed points, because none are known beyond the border");
  }
  if (space.kind == SpaceKind::plane && is_even && !options.progressive) {
    if (options.certify) {
      refuse_cut(
          "takes points of one radius from an endless plane, so that no proof can end: leave "
          "`certify` out");
    }
    return spaces::cut_from_plane(space.domain, *radii.get<double>(), options.count, context);
  }
  return spaces::cut_from_larger(space, radii, options, context);
}

// Returns the words by which an error names what a proof found.
ProofWording wording_of(const Points& points) {
  const Radii& radii = *points.radii;
  ProofWording words{.required = "the radius"};
  if (points.space != nullptr && points.space->kind == SpaceKind::surface &&
      radii.get<ClassSurfaces>() == nullptr) {
    const auto* const radius = radii.get<SurfaceRadius>();
    words.required = "the required distance";
    words.names_pair = true;
    words.names_class = radius != nullptr && !radius->classes.empty();
  } else if (radii.class_count() > 0) {
    words.required = "the distance that their classes require";
    words.names_class = true;
  } else if (points.space != nullptr && points.space->kind == SpaceKind::sphere) {
    const auto* const radius = radii.get<SurfaceRadius>();
    const bool is_one = radius == nullptr || surface::is_one(*radius);
    if (!is_one || points.around != nullptr) words.required = "the distance that the rule requires";
  }
  if (points.space == nullptr) words.dimensions = points.z.empty() ? 2 : points.w.empty() ? 3 : 4;
  return words;
}

}  // namespace

Points sample(const Space& space, const Radii& radii, const SampleOptions& options,
              Context& context) {
  check(options);
  require_word("frame", options.frame);
  require_space(space);
  require_domain_of(space, radii);
  if (options.wrap && !space.domain.wrap) {
    throw Error(ErrorKind::usage,
                Problem{"wrap",
                        "needs a space that wraps, such as the plane "
                        "`Domain{width, height, true}`, because it is a property of the space"});
  }
  if (options.frame == FrameEdge::cut) return cut_set(space, radii, options, context);
  const bool is_field = radii.get<double>() != nullptr || radii.get<DensityField>() != nullptr;
  if (space.kind == SpaceKind::plane && is_field) {
    return in_plane(space.domain, radii, options, context);
  }
  require_darts(space, options);
  if (space.kind == SpaceKind::surface && radii.get<ClassSurfaces>() == nullptr) {
    if (radii.get<double>() == nullptr && radii.get<SurfaceRadius>() == nullptr &&
        radii.get<ClassRadii>() == nullptr) {
      refuse(space.kind, radii);
    }
    return spaces::sample_surface(space, radii, options, context);
  }
  if (space.kind == SpaceKind::regions) {
    if (radii.get<double>() == nullptr) refuse(space.kind, radii);
    if (options.conflict != ConflictRule::mean) {
      throw Error(ErrorKind::usage, Problem{"conflict", "must be mean in regions"});
    }
    return spaces::sample_regions(space, *radii.get<double>(), options, context);
  }
  const std::shared_ptr<const Points>& kept = options.keep.points;
  spaces::Request request{options.count, options.progressive, {kept.get(), options.conflict}};
  if (kept != nullptr && options.count > 0 && !options.only_new) {
    request.count = count_beside(kept->size(), options.count);
  }
  const Radii by_rule{radii.source, options.conflict};
  Points points = new_points(space, by_rule, request, context);
  if (space.kind != SpaceKind::plane && space.kind != SpaceKind::box) {
    points.space = std::make_shared<const Space>(space);
  }
  if (space.mesh != nullptr) points.meters_per_unit = space.mesh->meters_per_unit;
  points.radii = std::make_shared<const Radii>(Radii{points.radii->source, options.conflict});
  points.around = kept;
  if (options.certify) verify(points, context, options.count > 0);
  if (kept == nullptr || options.only_new) return points;
  Points all = joined(spaces::with_columns_of(points, *kept, space, context), points);
  all.fixed = kept->size();
  if (options.progressive) rank_as_they_stand(all);
  return all;
}

namespace {

// Returns the points without the fixed ones at the front.
Points without_fixed(const Points& points) {
  if (points.fixed > points.size()) {
    throw Error(ErrorKind::usage, "the set has fewer points than it says are fixed");
  }
  std::vector<std::size_t> rows(points.size() - points.fixed);
  std::iota(rows.begin(), rows.end(), points.fixed);
  Points fresh = points;
  keep_points(fresh, rows);
  fresh.fixed = 0;
  return fresh;
}

// Returns a tolerance, which is at least what the floats of a proof need.
double or_least(double tolerance, double least) {
  return tolerance == 0 ? least : tolerance;
}

// Returns the space of points, which points of a plane and of a box know by their columns alone.
Space space_of(const Points& points) {
  if (points.space != nullptr) return *points.space;
  if (points.depth == 0) return points.domain;
  return points.extent > 0 ? Space::box(points.domain, points.depth, points.extent)
                           : Space::box(points.domain, points.depth);
}

Certificate certify_new(const Points& points, double tolerance, Context& context) {
  const Radii& radii = *points.radii;
  const Space space = space_of(points);
  const FixedPoints kept{points.around.get(), radii.rule};
  if (are_by_place(space, radii)) {
    return spaces::certify_by_place(points, space, radii, kept, or_least(tolerance, 2e-5), context);
  }
  const auto* const even = radii.get<double>();
  const auto* const by_place = radii.get<SurfaceRadius>();
  const auto with_fixed = [&](const auto& prove) {
    return points.around == nullptr ? prove(points, 0)
                                    : prove(joined(*points.around, points), points.around->size());
  };
  switch (space.kind) {
    case SpaceKind::plane:
      if (const auto* const field = radii.get<DensityField>()) {
        return with_fixed([&](const Points& all, std::size_t fixed) {
          return spaces::certify_plane(all, fixed, *field, radii.rule, context);
        });
      }
      break;
    case SpaceKind::box:
      if (even != nullptr) {
        // The smallest blocks, 1e-5 radii wide, reach as far from their center in four dimensions.
        const double least = points.extent > 0 ? 2e-5 : 1e-5;
        return spaces::certify_box(points, *even, kept, or_least(tolerance, least), context);
      }
      if (const auto* const field = radii.get<VolumeField>()) {
        return spaces::certify_box(points, *field, kept, or_least(tolerance, 2e-5), context);
      }
      break;
    case SpaceKind::surface:
      if (by_place == nullptr && even == nullptr) break;
      return with_fixed([&](const Points& all, std::size_t fixed) {
        const SurfaceRadius radius = by_place != nullptr ? *by_place : SurfaceRadius(*even);
        return spaces::certify_surface(all, fixed, radius, or_least(tolerance, 2e-5), context);
      });
    case SpaceKind::solid:
      if (even == nullptr) break;
      return spaces::certify_solid(points, *even, kept, or_least(tolerance, 1e-5), context);
    case SpaceKind::sphere:
      if (by_place == nullptr && even == nullptr) break;
      return spaces::certify_sphere(points, by_place != nullptr ? *by_place : SurfaceRadius(*even),
                                    kept, or_least(tolerance, 1e-5), context);
    case SpaceKind::regions:
      if (even == nullptr) break;
      return spaces::certify_regions(points, space, *even, kept, or_least(tolerance, 1e-5),
                                     context);
    case SpaceKind::cloud:
      break;
  }
  const auto* const classes = radii.get<ClassRadii>();
  if (classes == nullptr || points.space != nullptr) refuse(space.kind, radii);
  return spaces::certify_classes(points, *classes, kept, or_least(tolerance, 1e-5), context);
}

}  // namespace

Certificate certify(const Points& points, Context& context, double tolerance) {
  if (points.radii == nullptr) {
    throw Error(ErrorKind::usage, "a proof needs the radii of the points: set Points::radii");
  }
  if (points.space != nullptr) require_space(*points.space);
  return points.fixed == 0 ? certify_new(points, tolerance, context)
                           : certify_new(without_fixed(points), tolerance, context);
}

void verify(const Points& points, Context& context, bool counted) {
  const Certificate proof = certify(points, context);
  if (points.radii->get<DensityField>() != nullptr) {
    return require_proved_in_plane(proof, counted, context);
  }
  if (proof.outside > 0) {
    const bool in_solid = points.space->kind == SpaceKind::solid;
    throw Error(ErrorKind::verification, std::to_string(proof.outside) + " points are not in " +
                                             (in_solid ? "the solid" : "their regions"));
  }
  if (proof.miscounted > 0) {
    throw Error(ErrorKind::verification,
                std::to_string(proof.miscounted) + " regions have a wrong number of points");
  }
  ProofWording words = wording_of(points);
  words.counted = counted;
  require_proved(proof, words, context);
}

void order(Points& points, Context& context) {
  require_columns(points);
  const auto* const field = points.radii != nullptr ? points.radii->get<DensityField>() : nullptr;
  const auto* const radius = points.radii != nullptr ? points.radii->get<SurfaceRadius>() : nullptr;
  if (points.space == nullptr && field != nullptr && points.fixed == 0) {
    points = in_progressive_order(points, *field, points.radii->rule, context);
    return rank_as_they_stand(points);
  }
  if (points.space != nullptr && points.space->kind == SpaceKind::surface && radius != nullptr) {
    return spaces::order_on_surface(points, *radius, points.fixed, context);
  }
  throw Error(ErrorKind::usage,
              "only points of a field in a plane and of a surface can be ordered afterwards; "
              "`progressive` orders points of a box, a solid and a sphere while it samples them");
}

}  // namespace dapple

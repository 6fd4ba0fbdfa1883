// Samples and proves points whose radii depend on the place, or on the class and the space: a
// ground for each kind of space, and one sampler for all of them. A field without classes is one
// class.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/certify/proved.hpp"
#include "sample/class_maps/grid_ground.hpp"
#include "sample/class_maps/order.hpp"
#include "sample/class_maps/solid_ground.hpp"
#include "sample/class_maps/sphere_ground.hpp"
#include "sample/class_maps/surface_ground.hpp"
#include "sample/class_maps/throwing.hpp"
#include "sample/class_shares.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/spaces.hpp"
#include "sample/sphere/sphere.hpp"
#include "sample/surface/sampled.hpp"

namespace dapple {
namespace class_maps {
namespace {

// All memory per point while darts are thrown, and what each class adds.
constexpr double bytes_a_point = 1000;
constexpr double bytes_a_class = 40;
// Points farther from a surface, in the least radius, do not lie on it.
constexpr double off_surface = 1e-5;

// ---- fixed points ----

// A fixed point as it was given, in the unit of the ground.
template <class Ground>
struct Given {
  typename Ground::At at;
  Vec3 place;         // in the unit of the space
  double radius = 0;  // 0: none
  std::optional<std::int32_t> class_id = {};
};
template <class Ground>
using AllGiven = std::vector<Given<Ground>>;

[[noreturn]] void refuse_fixed(std::size_t i, const Vec3& place, const std::string& why) {
  throw Error(ErrorKind::input,
              Problem{"keep", "point " + std::to_string(i + 1) + at_place(place) + " " + why});
}

template <std::size_t D>
void require_inside(const GridGround<D>& ground, std::size_t i, const Given<GridGround<D>>& given) {
  const Frame<D> frame = ground.frame();
  for (std::size_t a = 0; a < D; ++a) {
    if (given.at[a] >= 0 && given.at[a] < frame.side[a]) continue;
    refuse_fixed(i, given.place, "is outside the domain");
  }
}
template <class Ground>
void require_inside(const Ground&, std::size_t, const Given<Ground>&) {}

// Throws Error(input) for a point that is too far from a surface to affect it.
void require_near(const Classes<SurfaceGround>& classes, std::size_t i,
                  const Given<SurfaceGround>& given) {
  double reach = given.radius;
  for (std::size_t c = 0; c < classes.count(); ++c) {
    reach = std::max(reach, classes.radius(c, given.at));
  }
  if (classes.ground().off(given.at) < reach) return;
  refuse_fixed(i, given.place,
               "is farther from the mesh than the distance between points: is it from another "
               "mesh, or in another unit?");
}
template <class Ground>
void require_near(const Classes<Ground>&, std::size_t, const Given<Ground>&) {}

template <class Ground>
AllGiven<Ground> fixed_on(const Ground& ground, const FixedPoints& kept, bool by_class) {
  constexpr double farthest = 1e18;
  AllGiven<Ground> all;
  if (kept.points == nullptr) return all;
  constexpr bool is_plane = Ground::coordinates == 2;
  const Points points = is_plane ? in_the_plane(*kept.points) : *kept.points;
  require_columns(points);
  if constexpr (std::is_same_v<Ground, SphereGround>) sphere::obstacles_of(kept, ground.unit());
  const std::vector<double>& z = column_z(points);
  if (!is_plane && z.size() != points.size()) {
    throw Error(ErrorKind::input, Problem{"keep", "needs points with a column z"});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 origin = Ground::has_domain ? Vec2{} : points.origin;
    const Vec3 place{points.x[i] + origin.x, points.y[i] + origin.y, is_plane ? 0 : z[i]};
    for (const double v : {place.x, place.y, place.z}) {
      if (!(std::abs(v) < farthest)) refuse_fixed(i, place, "is not at a place within 1e18");
    }
    Given<Ground> given{ground.seen(place), place};
    if (!points.radius.empty()) {
      given.radius = static_cast<double>(points.radius[i]) / ground.unit();
      if (!std::isfinite(given.radius)) refuse_fixed(i, place, "has a radius that is not finite");
    }
    if (by_class && !points.class_id.empty()) given.class_id = points.class_id[i];
    require_inside(ground, i, given);
    all.push_back(given);
  }
  return all;
}

// Returns the fixed points with their distances toward classes of a scale.
template <class Ground>
std::vector<KeptPoint<Ground>> fixed_toward(const Classes<Ground>& classes,
                                            const AllGiven<Ground>& all) {
  std::vector<KeptPoint<Ground>> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Given<Ground>& given = all[i];
    require_near(classes, i, given);
    int kind = given.radius > 0 ? classes.of_its_own() : classes.without_radius();
    Toward each(classes.count(), given.radius);
    if (given.class_id) {
      kind = *given.class_id;
      if (kind < 0 || kind >= classes.of_its_own()) {
        throw Error(ErrorKind::input, Problem{"keep", unknown_class(i, kind, classes.count())});
      }
      if (std::isfinite(classes.radius(static_cast<std::size_t>(kind), given.at))) {
        classes.toward(static_cast<std::size_t>(kind), given.at, each.data());
      } else {
        kind = classes.without_radius();
      }
    }
    found.push_back({given.at, kind, std::move(each)});
  }
  return found;
}

template <class Ground>
NearOf<Ground> obstacles_of(const Classes<Ground>& classes, const AllGiven<Ground>& given) {
  NearOf<Ground> obstacles(classes, true);
  for (const KeptPoint<Ground>& point : fixed_toward(classes, given)) {
    obstacles.add(coordinates_of(point.at), point.kind, point.each.data(),
                  classes.ground().sheet_of(point.at));
  }
  obstacles.put_in_order();
  return obstacles;
}

template <class Ground>
struct Made {
  Sampled<Ground> points;
  double scale = 1;  // factor of their radii
  std::size_t size() const { return points.size(); }
};

// Keeps the `count` points accepted first.
template <class Ground>
void cut(Sampled<Ground>& made, std::size_t count) {
  auto rows = in_order_of_windows(made.window, [&](std::size_t i) {
    const auto& at = coordinates_of(made.at[i]);
    std::uint64_t key =
        hash(std::bit_cast<std::uint64_t>(at[0]), std::bit_cast<std::uint64_t>(at[1]));
    if constexpr (Ground::coordinates == 3) key = hash(key, std::bit_cast<std::uint64_t>(at[2]));
    return key;
  });
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  keep_rows(made.at, rows);
  keep_rows(made.class_id, rows);
}

template <class Ground>
void require_memory(const Classes<Ground>& classes, Context& context) {
  const double bytes = bytes_a_point + bytes_a_class * static_cast<double>(classes.count());
  context.require_memory(bytes * classes.integral(), "sampling classes of points");
}

template <class Ground>
class ClassSampler {
 public:
  // Keeps references to the ground and to the request.
  template <class Field>
  ClassSampler(const Ground& ground, const ClassesOf<Field>& asked, AllGiven<Ground> given,
               const spaces::Request& request, ConflictRule same = ConflictRule::mean)
      : ground_(ground),
        rules_{asked.distance, same, request.kept.rule},
        scale_(asked.scale),
        wanted_(asked.shares),
        given_(std::move(given)),
        request_(request) {
    if (wanted_.empty()) {
      for (std::size_t c = 0; c < ground.class_count(); ++c) {
        wanted_.push_back(ground.integral(c));
      }
    }
    const double sum = std::accumulate(wanted_.begin(), wanted_.end(), 0.0);
    for (double& share : wanted_) share /= sum;
  }

  Made<Ground> run(Context& context) const {
    const auto count = static_cast<double>(request_.count);
    double scale = scale_;
    if (count > 0) {
      context.require_memory(120 * count, "sampling classes of points");
      scale = side_of(class_packing * classes_at(1).integral() / count, Ground::dimensions);
    }
    const Classes<Ground> first = classes_at(scale);
    require_memory(first, context);
    const auto fill = [&](const std::vector<double>& starts) {
      if (request_.count == 0) return thrown(scale, starts, context);
      const auto wanted = static_cast<std::size_t>(request_.count);
      auto enough = fewest_enough(wanted, scale, static_cast<int>(Ground::dimensions),
                                  [&](double factor) { return thrown(factor, starts, context); });
      cut(enough.made.points, wanted);
      return std::move(enough.made);
    };
    Made<Ground> made =
        with_good_shares(search_in(first, context), fill,
                         [](const Made<Ground>& of) { return std::span(of.points.class_id); });
    warn_of_shares(made.points.class_id, wanted_, context);
    if (request_.progressive) put_in_order(made, context);
    return made;
  }

  // Returns the radii of all points, for a scale.
  std::vector<float> radii_of(const Made<Ground>& made) const {
    const Classes<Ground> classes = classes_at(made.scale);
    std::vector<float> radii;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto class_id = static_cast<std::size_t>(made.points.class_id[i]);
      radii.push_back(static_cast<float>(classes.radius(class_id, made.points.at[i])));
    }
    return radii;
  }

 private:
  Classes<Ground> classes_at(double factor) const { return {ground_, rules_, factor}; }
  Made<Ground> thrown(double factor, const std::vector<double>& starts, Context& context) const {
    const Classes<Ground> classes = classes_at(factor);
    require_memory(classes, context);
    const auto obstacles = obstacles_of(classes, given_);
    return {throw_darts(classes, obstacles, starts, context), factor};
  }
  // Finds head starts by trials of few points, whose radii are larger accordingly.
  HeadStarts search_in(const Classes<Ground>& classes, Context& context) const {
    if (classes.count() == 1) return HeadStarts(wanted_);
    const double points = class_packing * classes.integral();
    const double larger =
        side_of(std::max(1.0, points / (2 * trial_points_of_classes)), Ground::dimensions);
    const Classes<Ground> trial(ground_, rules_, classes.scale() * larger);
    const NearOf<Ground> none(trial, true);
    return search_by_trials(wanted_, [&](const std::vector<double>& head_start) {
      return throw_darts(trial, none, head_start, context).class_id;
    });
  }
  void put_in_order(Made<Ground>& made, Context& context) const {
    const Classes<Ground> classes = classes_at(made.scale);
    const auto kept = fixed_toward(classes, given_);
    const auto ranked = order_of<Ground>(classes, made.points, kept, context);
    const std::vector<std::size_t> rows(ranked.begin(), ranked.end());
    keep_rows(made.points.at, rows);
    keep_rows(made.points.class_id, rows);
  }

  const Ground& ground_;
  Rules rules_;
  double scale_;
  std::vector<double> wanted_;
  AllGiven<Ground> given_;
  const spaces::Request& request_;
};

// ---- the spaces ----

std::string size_of(const DensityField& field) {
  return shortest(field.domain().width) + " x " + shortest(field.domain().height);
}
std::string size_of(const VolumeField& field) {
  const auto& side = field.side();
  return shortest(side[0]) + " x " + shortest(side[1]) + " x " + shortest(side[2]);
}
bool share_domain(const DensityField& a, const DensityField& b) {
  return a.domain() == b.domain();
}
bool share_domain(const VolumeField& a, const VolumeField& b) {
  return a.side() == b.side() && a.wrap() == b.wrap();
}

template <class Field>
void require_fields(const ClassesOf<Field>& classes) {
  const std::vector<Field>& fields = classes.fields;
  require_classes(ClassRadii{std::vector(fields.size(), 1.0), classes.shares, classes.distance});
  require_above_0("the scale of the fields of classes", classes.scale);
  if constexpr (std::is_same_v<Field, SurfaceRadius>) {
    for (const SurfaceRadius& radius : fields) {
      if (!radius.classes.empty()) {
        throw Error(ErrorKind::usage, "a class cannot have classes of its own");
      }
      if (surface::is_one(radius)) require_above_0("the radius of a class", radius.even);
    }
  } else {
    for (const Field& field : fields) {
      if (share_domain(fields.front(), field)) continue;
      throw Error(ErrorKind::usage, "the fields of classes must have one domain, not " +
                                        size_of(fields.front()) + " and " + size_of(field));
    }
  }
}

// Returns classes of one radius each as fields of one voxel, which spans the mesh.
ClassVolumes fields_in_solid(const Mesh& mesh, const ClassRadii& classes, Context& context) {
  const double step = spaces::VoxelsInSolid(mesh, {1, 1, 1}).step;
  ClassVolumes fields{{}, classes.shares, classes.distance};
  for (const double r : classes.radii) {
    fields.fields.push_back(
        VolumeField::from_radius(Voxels{1, 1, 1, {1}}, {}, context).times(r / step));
  }
  return fields;
}

// Calls body(ground, classes, rule) with the ground of a space, the radii as classes, and the rule
// for points of one class.
template <class Body>
void with_ground(const Space& space, const Radii& radii, Context& context, const Body& body) {
  const auto on_grid = [&](const auto& classes, ConflictRule same, auto dimensions) {
    require_fields(classes);
    body(GridGround<dimensions>(classes.fields), classes, same);
  };
  const auto in_solid = [&](const ClassVolumes& classes, ConflictRule same) {
    require_fields(classes);
    const box_space::Solid solid(*space.mesh, context);
    const SolidGround ground(*space.mesh, solid, classes.fields, context);
    box_space::require_fine(solid, ground.least() * classes.scale * ground.unit());
    body(ground, classes, same);
  };
  const auto on_sphere = [&](const ClassSurfaces& classes) {
    sphere::require_sphere(space.radius);
    require_fields(classes);
    body(SphereGround(classes.fields, space.radius, context), classes, ConflictRule::mean);
  };
  const auto on_surface = [&](const ClassSurfaces& classes) {
    surface::require_space(space.surface, "classes");
    require_fields(classes);
    const SurfaceGround ground(*space.mesh, space.surface, classes.fields, context);
    body(ground, classes, ConflictRule::mean);
  };
  constexpr auto two = std::integral_constant<std::size_t, 2>{};
  constexpr auto three = std::integral_constant<std::size_t, 3>{};
  const bool is_box = space.kind == SpaceKind::box;
  if (const auto* const fields = radii.get<ClassFields>()) {
    return on_grid(*fields, ConflictRule::mean, two);
  }
  if (const auto* const volumes = radii.get<ClassVolumes>()) {
    return is_box ? on_grid(*volumes, ConflictRule::mean, three)
                  : in_solid(*volumes, ConflictRule::mean);
  }
  if (const auto* const field = radii.get<VolumeField>()) {
    const ClassVolumes one{{*field}};
    return is_box ? on_grid(one, radii.rule, three) : in_solid(one, radii.rule);
  }
  if (const auto* const classes = radii.get<ClassRadii>()) {
    require_classes(*classes);
    if (space.kind == SpaceKind::solid) {
      return in_solid(fields_in_solid(*space.mesh, *classes, context), ConflictRule::mean);
    }
    return on_sphere(
        {{classes->radii.begin(), classes->radii.end()}, classes->shares, classes->distance});
  }
  const auto& maps = std::get<ClassSurfaces>(radii.source);
  return space.kind == SpaceKind::surface ? on_surface(maps) : on_sphere(maps);
}

// Returns radii with a scale.
Radii scaled(Radii radii, double scale) {
  if (const auto* const field = radii.get<VolumeField>()) return {field->times(scale), radii.rule};
  std::visit(
      [&](auto& of) {
        if constexpr (requires { of.fields; }) of.scale = scale;
        if constexpr (requires { of.radii; }) {
          for (double& r : of.radii) r *= scale;
        }
      },
      radii.source);
  return radii;
}

}  // namespace
}  // namespace class_maps

Points spaces::sample_by_place(const Space& space, const Radii& radii, const Request& request,
                               Context& context) {
  using namespace class_maps;
  require_rule(request.kept.rule);
  require_number("the number of points", static_cast<double>(request.count), 0);
  const bool by_class = radii.class_count() > 0;
  Points points;
  with_ground(
      space, radii, context,
      [&]<class Ground>(const Ground& ground, const auto& classes, ConflictRule same) {
        const auto stage = context.stage("sample");
        const ClassSampler<Ground> sampler(ground, classes,
                                           fixed_on(ground, request.kept, by_class), request, same);
        Made<Ground> made = sampler.run(context);
        if constexpr (std::is_same_v<Ground, SurfaceGround>) {
          surface::warn_about_mesh(*space.mesh, ground.without_area(), 0, space.surface, context);
        }
        for (const auto& at : made.points.at) ground.add_to(points, at);
        for (const float r : sampler.radii_of(made)) {
          points.radius.push_back(static_cast<float>(static_cast<double>(r) * ground.unit()));
        }
        if (by_class) points.class_id = std::move(made.points.class_id);
        points.radii = std::make_shared<const Radii>(scaled(radii, made.scale));
      });
  if (space.kind == SpaceKind::plane || space.kind == SpaceKind::box) points.domain = space.domain;
  if (space.kind == SpaceKind::box) points.depth = space.depth;
  if (request.progressive) rank_as_they_stand(points);
  return points;
}

Certificate spaces::certify_by_place(const Points& points, const Space& space, const Radii& radii,
                                     const FixedPoints& kept, double tolerance, Context& context) {
  using namespace class_maps;
  require_rule(kept.rule);
  if (space.kind == SpaceKind::plane || space.kind == SpaceKind::box) {
    require_columns(points);
    require_inside(points);
  } else if (space.kind == SpaceKind::sphere) {
    sphere::require_on_sphere(points, space.radius);
  } else {
    surface::require_places(points);
  }
  const bool by_class = radii.class_count() > 0;
  if (by_class) require_class_of_each(points, radii.class_count());
  Certificate proof;
  with_ground(
      space, radii, context,
      [&]<class Ground>(const Ground& ground, const auto& asked, ConflictRule same) {
        const Classes<Ground> classes(ground, {asked.distance, same, kept.rule}, asked.scale);
        require_memory(classes, context);
        Placed<Ground> all;
        for (std::size_t i = 0; i < points.size(); ++i) {
          const Vec3 place{points.x[i], points.y[i], points.z.empty() ? 0 : points.z[i]};
          if constexpr (std::is_same_v<Ground, SurfaceGround>) {
            all.at.push_back(ground.seen(place, points.triangle.empty() ? -1 : points.triangle[i]));
            if (ground.off(all.at.back()) < off_surface) continue;
            throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is not on the mesh");
          } else {
            all.at.push_back(ground.seen(place));
          }
        }
        if (by_class) all.class_id = points.class_id;
        all.class_id.resize(points.size());
        proof = prove(classes, obstacles_of(classes, fixed_on(ground, kept, by_class)), all,
                      tolerance, context);
        proof.hole_place = ground.place(proof.hole_place);
        if constexpr (std::is_same_v<Ground, SolidGround>) {
          proof.outside = std::count_if(all.at.begin(), all.at.end(),
                                        [&](const auto& at) { return !ground.holds(at); });
          proof.volume = ground.volume();
        }
      });
  return proof;
}

double spaces::content_by_place(const Space& space, const Radii& radii, Context& context) {
  using namespace class_maps;
  double content = 0;
  with_ground(
      space, radii, context,
      [&]<class Ground>(const Ground& ground, const auto& asked, ConflictRule same) {
        content = Classes<Ground>(ground, {asked.distance, same, {}}, asked.scale).integral();
      });
  return content;
}

Points spaces::fixed_on_surface(Points kept, const Space& surface, const ClassSurfaces& classes,
                                Context& context) {
  using namespace class_maps;
  const SurfaceGround ground(*surface.mesh, surface.surface, classes.fields, context);
  Points feet;
  kept.radius.resize(kept.size());
  const auto all = fixed_on(ground, {&kept, {}}, true);
  for (std::size_t i = 0; i < all.size(); ++i) {
    ground.add_to(feet, all[i].at);
    if (kept.radius[i] > 0) continue;
    // A point without a class keeps the least radius of all.
    double r = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < ground.class_count(); ++c) {
      const bool is_its = !all[i].class_id || static_cast<std::size_t>(*all[i].class_id) == c;
      if (is_its) r = std::min(r, ground.radius(c, all[i].at));
    }
    kept.radius[i] = static_cast<float>(r * classes.scale * ground.unit());
  }
  feet.x = kept.x;
  feet.y = kept.y;
  feet.z = kept.z;
  feet.radius = kept.radius;
  feet.class_id = kept.class_id;
  return feet;
}

}  // namespace dapple

// Samples points of classes whose radii depend on the place: in the plane, in a box and on a
// sphere.
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
      if (!radius.texture) require_above_0("the radius of a class", radius.even);
    }
  } else {
    for (const Field& field : fields) {
      if (share_domain(fields.front(), field)) continue;
      throw Error(ErrorKind::usage, "the fields of classes must have one domain, not " +
                                        size_of(fields.front()) + " and " + size_of(field));
    }
  }
}

// A fixed point as it was given.
template <class Ground>
struct Given {
  typename Ground::At at;
  double radius = 0;  // 0: none
  std::optional<std::int32_t> class_id = {};
};

template <class Ground>
using AllGiven = std::vector<Given<Ground>>;

template <std::size_t D>
AllGiven<GridGround<D>> fixed_in(const GridGround<D>& ground, const FixedPoints& kept) {
  AllGiven<GridGround<D>> all;
  if (kept.points == nullptr) return all;
  const Points points = D == 2 ? in_the_plane(*kept.points) : *kept.points;
  require_columns(points);
  const std::vector<double>& z = column_z(points);
  if (D == 3 && z.size() != points.size()) {
    throw Error(ErrorKind::input, Problem{"keep", "needs points with a column z in a volume"});
  }
  const Frame<D> frame = ground.frame();
  for (std::size_t i = 0; i < points.size(); ++i) {
    Given<GridGround<D>> given;
    const Vec3 place{points[i].x, points[i].y, D == 3 ? z[i] : 0};
    given.at[0] = place.x;
    given.at[1] = place.y;
    if constexpr (D == 3) given.at[2] = place.z;
    bool is_inside = true;
    for (std::size_t a = 0; a < D; ++a) {
      is_inside = is_inside && given.at[a] >= 0 && given.at[a] < frame.side[a];
    }
    if (!is_inside) {
      throw Error(ErrorKind::input,
                  Problem{"keep", "point " + std::to_string(i + 1) + at_place(place) +
                                      " is outside the domain"});
    }
    if (!points.radius.empty()) given.radius = static_cast<double>(points.radius[i]);
    if (!points.class_id.empty()) given.class_id = points.class_id[i];
    all.push_back(given);
  }
  return all;
}

AllGiven<SphereGround> fixed_round(double sphere, const FixedPoints& kept) {
  AllGiven<SphereGround> all;
  const auto obstacles = sphere::obstacles_of(kept, sphere);
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const Vec3& at = obstacles[i].at;
    all.push_back({{at.x, at.y, at.z}, obstacles[i].r});
    const auto& class_id = kept.points->class_id;
    if (!class_id.empty()) all.back().class_id = class_id[i];
  }
  return all;
}

AllGiven<SolidGround> fixed_in_solid(const SolidGround& ground, const FixedPoints& kept) {
  AllGiven<SolidGround> all;
  if (kept.points == nullptr) return all;
  const Points& points = *kept.points;
  require_columns(points);
  const std::vector<double>& z = column_z(points);
  if (z.size() != points.size()) {
    throw Error(ErrorKind::input, Problem{"keep", "needs points with a column z in a solid"});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    Given<SolidGround> given;
    given.at = ground.seen({points.x[i] + points.origin.x, points.y[i] + points.origin.y, z[i]});
    if (!points.radius.empty()) {
      given.radius = static_cast<double>(points.radius[i]) / ground.step();
    }
    if (!points.class_id.empty()) given.class_id = points.class_id[i];
    all.push_back(given);
  }
  return all;
}

AllGiven<SurfaceGround> fixed_on_surface(const SurfaceGround& ground, const FixedPoints& kept) {
  AllGiven<SurfaceGround> all;
  if (kept.points == nullptr) return all;
  const Points& points = *kept.points;
  require_columns(points);
  const std::vector<double>& z = column_z(points);
  if (z.size() != points.size()) {
    throw Error(ErrorKind::input,
                Problem{"keep", "needs points with a column z, in the unit of the mesh"});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 place{points.x[i] + points.origin.x, points.y[i] + points.origin.y, z[i]};
    double off = 0;
    Given<SurfaceGround> given;
    given.at = ground.located(place, -1, off);
    if (!points.radius.empty()) {
      given.radius = static_cast<double>(points.radius[i]) / ground.unit();
    }
    if (!points.class_id.empty()) given.class_id = points.class_id[i];
    double reach = given.radius;
    for (std::size_t c = 0; c < ground.class_count(); ++c) {
      reach = std::max(reach, ground.radius(c, given.at));
    }
    if (!(off < reach)) {
      throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " of `keep`" +
                                        at_place(place) +
                                        " is farther from the mesh than the distance between "
                                        "points: is it from another mesh, or in another unit?");
    }
    all.push_back(given);
  }
  return all;
}

// ---- one sampler for all of them ----

// Returns the fixed points with their distances toward classes of a scale.
template <class Ground>
std::vector<KeptPoint<Ground>> fixed_toward(const Classes<Ground>& classes,
                                            const AllGiven<Ground>& all) {
  std::vector<KeptPoint<Ground>> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Given<Ground>& given = all[i];
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
  static void require_memory(const Classes<Ground>& classes, Context& context) {
    const double bytes = bytes_a_point + bytes_a_class * static_cast<double>(classes.count());
    context.require_memory(bytes * classes.integral(), "sampling classes of points");
  }
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

void require_request(const spaces::Request& request) {
  require_rule(request.kept.rule);
  require_number("the number of points", static_cast<double>(request.count), 0);
}

// Returns the points with their places; place_of(i) returns the place of point i.
template <class Ground, class PlaceOf>
Placed<Ground> placed(const Points& points, const PlaceOf& place_of) {
  Placed<Ground> made;
  for (std::size_t i = 0; i < points.size(); ++i) made.at.push_back(place_of(i));
  made.class_id = points.class_id;
  made.class_id.resize(points.size());
  return made;
}

template <class Field>
Points sample_on_grid(const ClassesOf<Field>& asked, const spaces::Request& request,
                      Context& context, ConflictRule same = ConflictRule::mean) {
  constexpr std::size_t D = std::is_same_v<Field, DensityField> ? 2 : 3;
  require_fields(asked);
  require_request(request);
  const GridGround<D> ground(asked.fields);
  const auto stage = context.stage("sample");
  const ClassSampler<GridGround<D>> sampler(ground, asked, fixed_in(ground, request.kept), request,
                                            same);
  Made<GridGround<D>> made = sampler.run(context);
  const Frame<D> frame = ground.frame();
  Points points;
  points.domain = {frame.side[0], frame.side[1], frame.wrap};
  if constexpr (D == 3) points.depth = frame.side[2];
  const std::vector<float> radii = sampler.radii_of(made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const auto& at = made.points.at[i];
    points.add({at[0], at[1]}, radii[i]);
    if constexpr (D == 3) points.z.push_back(at[2]);
  }
  points.class_id = std::move(made.points.class_id);
  if (request.progressive) rank_as_they_stand(points);
  ClassesOf<Field> scaled = asked;
  scaled.scale = made.scale;
  points.radii = std::make_shared<const Radii>(std::move(scaled));
  return points;
}

template <class Field>
Certificate certify_on_grid(const Points& points, const ClassesOf<Field>& asked,
                            const FixedPoints& kept, double tolerance, Context& context,
                            ConflictRule same = ConflictRule::mean) {
  constexpr std::size_t D = std::is_same_v<Field, DensityField> ? 2 : 3;
  require_fields(asked);
  require_rule(kept.rule);
  require_columns(points);
  require_inside(points);
  const GridGround<D> ground(asked.fields);
  const Classes<GridGround<D>> classes(ground, {asked.distance, same, kept.rule}, asked.scale);
  const auto all = placed<GridGround<D>>(points, [&](std::size_t i) {
    Coordinates<D> at{points.x[i], points.y[i]};
    if constexpr (D == 3) at[2] = points.z[i];
    return at;
  });
  return prove(classes, obstacles_of(classes, fixed_in(ground, kept)), all, tolerance, context);
}

// ---- solids ----

// Coordinates on so coarse a grid would break the distances.
void require_fine(const box_space::Solid& solid, double least) {
  constexpr double finest = 1e-9;
  if (solid.farthest() * 2.3e-16 < finest * least) return;
  throw Error(ErrorKind::input, "lies too far from the origin for points " + shortest(least) +
                                    " apart: its coordinates reach " + shortest(solid.farthest()) +
                                    "; move it to the origin");
}

Points sample_in_solid(const Space& space, const ClassVolumes& asked,
                       const spaces::Request& request, ConflictRule same, Context& context) {
  require_fields(asked);
  require_request(request);
  const auto stage = context.stage("sample");
  const box_space::Solid solid(*space.mesh, context);
  const SolidGround ground(*space.mesh, solid, asked.fields);
  require_fine(solid, ground.least() * asked.scale * ground.step());
  const ClassSampler<SolidGround> sampler(ground, asked, fixed_in_solid(ground, request.kept),
                                          request, same);
  Made<SolidGround> made = sampler.run(context);
  Points points;
  for (const auto& at : made.points.at) {
    const Vec3 place = ground.place(at);
    points.x.push_back(place.x);
    points.y.push_back(place.y);
    points.z.push_back(place.z);
  }
  for (const float r : sampler.radii_of(made)) {
    points.radius.push_back(static_cast<float>(static_cast<double>(r) * ground.step()));
  }
  points.class_id = std::move(made.points.class_id);
  if (request.progressive) rank_as_they_stand(points);
  ClassVolumes scaled = asked;
  scaled.scale = made.scale;
  points.radii = std::make_shared<const Radii>(std::move(scaled));
  return points;
}

Certificate certify_in_solid(const Points& points, const ClassVolumes& asked,
                             const FixedPoints& kept, ConflictRule same, double tolerance,
                             Context& context) {
  require_fields(asked);
  require_rule(kept.rule);
  surface::require_places(points);
  const box_space::Solid solid(*points.space->mesh, context);
  const SolidGround ground(*points.space->mesh, solid, asked.fields);
  const Classes<SolidGround> classes(ground, {asked.distance, same, kept.rule}, asked.scale);
  const auto all = placed<SolidGround>(points, [&](std::size_t i) {
    return ground.seen({points.x[i], points.y[i], points.z[i]});
  });
  Certificate proof =
      prove(classes, obstacles_of(classes, fixed_in_solid(ground, kept)), all, tolerance, context);
  proof.outside = std::count_if(all.at.begin(), all.at.end(),
                                [&](const auto& at) { return !ground.holds(at); });
  proof.volume = solid.volume();
  proof.hole_place = ground.place({proof.hole_place.x, proof.hole_place.y, proof.hole_place.z});
  return proof;
}

// ---- surfaces ----

void require_classes_on(const Space& surface, const ClassSurfaces& asked) {
  surface::require_space(surface.surface, "classes");
  require_classes(ClassRadii{std::vector(asked.fields.size(), 1.0), asked.shares, asked.distance});
  require_above_0("the scale of the fields of classes", asked.scale);
}

Points sample_on_surface(const Space& space, const ClassSurfaces& asked,
                         const spaces::Request& request, Context& context) {
  require_classes_on(space, asked);
  require_request(request);
  const auto stage = context.stage("sample");
  const SurfaceGround ground(*space.mesh, space.surface, asked.fields, context);
  const ClassSampler<SurfaceGround> sampler(ground, asked, fixed_on_surface(ground, request.kept),
                                            request);
  Made<SurfaceGround> made = sampler.run(context);
  surface::warn_about_mesh(*space.mesh, ground.without_area(), 0, space.surface, context);
  Points points;
  for (const SurfacePlace& at : made.points.at) ground.add_to(points, at);
  for (const float r : sampler.radii_of(made)) {
    points.radius.push_back(static_cast<float>(static_cast<double>(r) * ground.unit()));
  }
  points.class_id = std::move(made.points.class_id);
  if (request.progressive) rank_as_they_stand(points);
  ClassSurfaces scaled = asked;
  scaled.scale = made.scale;
  points.radii = std::make_shared<const Radii>(std::move(scaled));
  return points;
}

Certificate certify_on_surface(const Points& points, const ClassSurfaces& asked,
                               const FixedPoints& kept, double tolerance, Context& context) {
  const Space& space = *points.space;
  require_classes_on(space, asked);
  require_rule(kept.rule);
  surface::require_points(points);
  const SurfaceGround ground(*space.mesh, space.surface, asked.fields, context);
  const Classes<SurfaceGround> classes(ground, {asked.distance, ConflictRule::mean, kept.rule},
                                       asked.scale);
  const auto all = placed<SurfaceGround>(points, [&](std::size_t i) {
    double off = 0;
    const std::int32_t triangle = points.triangle.empty() ? -1 : points.triangle[i];
    const SurfacePlace at = ground.located({points.x[i], points.y[i], points.z[i]}, triangle, off);
    if (off < 1e-5) return at;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " is not on the mesh");
  });
  Certificate proof = prove(classes, obstacles_of(classes, fixed_on_surface(ground, kept)), all,
                            tolerance, context);
  proof.hole_place = ground.in_mesh({proof.hole_place.x, proof.hole_place.y, proof.hole_place.z});
  return proof;
}

// ---- a field as a class, and classes as fields ----

// Returns a field as the only class.
ClassVolumes single(const VolumeField& field) {
  return {{field}};
}
// Turns points of a single class into points of its field.
Points without_classes(Points points) {
  const ClassVolumes& classes = *points.radii->get<ClassVolumes>();
  points.radii = std::make_shared<const Radii>(classes.fields.front().times(classes.scale));
  points.class_id.clear();
  return points;
}

// Returns classes of one radius each as fields of one voxel, which spans the mesh.
ClassVolumes fields_in_solid(const Mesh& mesh, const ClassRadii& classes, Context& context) {
  require_classes(classes);
  const double step = spaces::VoxelsInSolid(mesh, {1, 1, 1}).step;
  ClassVolumes fields{{}, classes.shares, classes.distance};
  for (const double r : classes.radii) {
    fields.fields.push_back(
        VolumeField::from_radius(Voxels{1, 1, 1, {static_cast<float>(r / step)}}, {}, context));
  }
  return fields;
}

}  // namespace
}  // namespace class_maps

Points spaces::sample_classes(const ClassFields& asked, const Request& request, Context& context) {
  return class_maps::sample_on_grid(asked, request, context);
}

Points spaces::sample_classes(const ClassVolumes& asked, const Request& request, Context& context) {
  return class_maps::sample_on_grid(asked, request, context);
}

Points spaces::sample_by_rule(const VolumeField& field, const Request& request, Context& context) {
  return class_maps::without_classes(
      class_maps::sample_on_grid(class_maps::single(field), request, context, request.kept.rule));
}

Points spaces::sample_solid(const Space& solid, const VolumeField& field, const Request& request,
                            Context& context) {
  return class_maps::without_classes(class_maps::sample_in_solid(
      solid, class_maps::single(field), request, request.kept.rule, context));
}

Points spaces::sample_solid(const Space& solid, const ClassVolumes& classes, const Request& request,
                            Context& context) {
  return class_maps::sample_in_solid(solid, classes, request, ConflictRule::mean, context);
}

Points spaces::sample_solid(const Space& solid, const ClassRadii& classes, const Request& request,
                            Context& context) {
  Points points = sample_solid(solid, class_maps::fields_in_solid(*solid.mesh, classes, context),
                               request, context);
  ClassRadii made = classes;
  for (double& r : made.radii) r *= points.radii->get<ClassVolumes>()->scale;
  points.radii = std::make_shared<const Radii>(std::move(made));
  return points;
}

Points spaces::sample_classes(const Space& space, const ClassSurfaces& asked,
                              const Request& request, Context& context) {
  using namespace class_maps;
  if (space.kind == SpaceKind::surface) return sample_on_surface(space, asked, request, context);
  const double sphere = space.radius;
  sphere::require_sphere(sphere);
  require_fields(asked);
  require_request(request);
  const SphereGround ground(asked.fields, sphere, context);
  const auto stage = context.stage("sample");
  const ClassSampler<SphereGround> sampler(ground, asked, fixed_round(sphere, request.kept),
                                           request);
  Made<SphereGround> made = sampler.run(context);
  std::vector<Vec3> places;
  for (const auto& at : made.points.at) places.push_back({at[0], at[1], at[2]});
  Points points = sphere::on_sphere(sphere, places);
  for (const float r : sampler.radii_of(made)) {
    points.radius.push_back(static_cast<float>(static_cast<double>(r) * sphere));
  }
  points.class_id = std::move(made.points.class_id);
  if (request.progressive) rank_as_they_stand(points);
  ClassSurfaces scaled = asked;
  scaled.scale = made.scale;
  points.radii = std::make_shared<const Radii>(std::move(scaled));
  return points;
}

Points spaces::fixed_on_surface(Points kept, const Space& surface, const ClassSurfaces& classes,
                                Context& context) {
  using namespace class_maps;
  const SurfaceGround ground(*surface.mesh, surface.surface, classes.fields, context);
  const auto all = class_maps::fixed_on_surface(ground, {&kept, {}});
  Points feet;
  kept.radius.resize(kept.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ground.add_to(feet, all[i].at);
    // A point without a class keeps the least radius of all.
    double r = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < ground.class_count(); ++c) {
      const bool is_its = !all[i].class_id || static_cast<std::size_t>(*all[i].class_id) == c;
      if (is_its) r = std::min(r, ground.radius(c, all[i].at));
    }
    if (kept.radius[i] > 0) continue;
    kept.radius[i] = static_cast<float>(r * classes.scale * ground.unit());
  }
  kept.nx = feet.nx;
  kept.ny = feet.ny;
  kept.nz = feet.nz;
  kept.triangle = feet.triangle;
  kept.face = feet.face;
  kept.u = feet.u;
  kept.v = feet.v;
  return kept;
}

Certificate spaces::certify_classes(const Points& points, const ClassFields& asked,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  require_class_of_each(points, asked.fields.size());
  return class_maps::certify_on_grid(points, asked, kept, tolerance, context);
}

Certificate spaces::certify_classes(const Points& points, const ClassVolumes& asked,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  require_class_of_each(points, asked.fields.size());
  return class_maps::certify_on_grid(points, asked, kept, tolerance, context);
}

Certificate spaces::certify_by_rule(const Points& points, const VolumeField& field,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  return class_maps::certify_on_grid(points, class_maps::single(field), kept, tolerance, context,
                                     kept.rule);
}

Certificate spaces::certify_solid(const Points& points, const VolumeField& field,
                                  const FixedPoints& kept, double tolerance, Context& context) {
  return class_maps::certify_in_solid(points, class_maps::single(field), kept, kept.rule, tolerance,
                                      context);
}

Certificate spaces::certify_solid(const Points& points, const ClassVolumes& classes,
                                  const FixedPoints& kept, double tolerance, Context& context) {
  require_class_of_each(points, classes.fields.size());
  return class_maps::certify_in_solid(points, classes, kept, ConflictRule::mean, tolerance,
                                      context);
}

Certificate spaces::certify_solid(const Points& points, const ClassRadii& classes,
                                  const FixedPoints& kept, double tolerance, Context& context) {
  return certify_solid(points, class_maps::fields_in_solid(*points.space->mesh, classes, context),
                       kept, tolerance, context);
}

Certificate spaces::certify_classes(const Points& points, const ClassSurfaces& asked,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  using namespace class_maps;
  require_class_of_each(points, asked.fields.size());
  if (points.space->kind == SpaceKind::surface) {
    return certify_on_surface(points, asked, kept, tolerance, context);
  }
  const double sphere = points.space->radius;
  sphere::require_sphere(sphere);
  require_fields(asked);
  require_rule(kept.rule);
  sphere::require_on_sphere(points, sphere);
  const SphereGround ground(asked.fields, sphere, context);
  const Classes<SphereGround> classes(ground, {asked.distance, ConflictRule::mean, kept.rule},
                                      asked.scale);
  const auto all = placed<SphereGround>(points, [&](std::size_t i) {
    return Coordinates<3>{points.x[i] / sphere, points.y[i] / sphere, points.z[i] / sphere};
  });
  Certificate proof =
      prove(classes, obstacles_of(classes, fixed_round(sphere, kept)), all, tolerance, context);
  proof.hole_place = proof.hole_place.xyz() * sphere;
  return proof;
}

}  // namespace dapple

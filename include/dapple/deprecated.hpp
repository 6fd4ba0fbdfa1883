// Names of earlier versions, which the next one removes. Each calls the function that its message
// names; dapple/sample.hpp documents these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/certificate.hpp"
#include "dapple/drawing.hpp"
#include "dapple/point_files.hpp"
#include "dapple/sample.hpp"

namespace dapple {

using PointSet [[deprecated("use Points")]] = Points;
using SurfacePoints [[deprecated("use Points")]] = Points;
using VolumeCertificate [[deprecated("use Certificate")]] = Certificate;
using InsideCertificate [[deprecated("use Certificate")]] = Certificate;
using SurfaceCertificate [[deprecated("use Certificate")]] = Certificate;
using ClassCertificate [[deprecated("use Certificate")]] = Certificate;

struct ClassOptions {
  std::vector<double> radii = {};
  std::vector<double> shares = {};
  ClassDistance distance = ClassDistance::density;
  bool certify = false;
  bool progressive = false;
};
struct ProofOptions {
  std::size_t kept = 0;
  bool counted = false;
};
struct SurfaceSet {
  Points points = {};
  SurfaceRadius radius = {};
};
struct VolumeSet {
  Points points;
  VolumeField field;
};
struct SurfaceWithFixedPoints {
  Points points;
  std::size_t kept = 0;
  SurfaceRadius radius;
  std::size_t classes = 0;
};

namespace old_names {

// Returns options for new points alone, around fixed points that outlive the call.
inline SampleOptions options(std::int64_t count, bool progressive, const FixedPoints& kept) {
  SampleOptions how;
  how.count = count;
  how.progressive = progressive;
  how.conflict = kept.rule;
  how.only_new = true;
  if (kept.points != nullptr && !kept.points->empty()) {
    how.keep.points = std::make_shared<const Points>(*kept.points);
  }
  return how;
}
inline Space surface(const Mesh& mesh, const SurfaceOptions& options) {
  return Space::on_surface(mesh, options);
}
// Returns the points with what a proof needs.
inline Points known(Points points, const Space* space, Radii radii, const FixedPoints& kept = {}) {
  if (space != nullptr) points.space = std::make_shared<const Space>(*space);
  radii.rule = kept.rule;
  points.radii = std::make_shared<const Radii>(std::move(radii));
  points.around = kept.points != nullptr && !kept.points->empty()
                      ? std::make_shared<const Points>(*kept.points)
                      : nullptr;
  points.fixed = 0;
  return points;
}
// Returns the points of a plane, of which the first `kept` are fixed.
inline Points known(Points points, const DensityField& field, ConflictRule rule, std::size_t kept) {
  points.radii = std::make_shared<const Radii>(Radii{field, rule});
  points.fixed = kept;
  Points there;
  for (std::size_t i = 0; i < kept; ++i) there.append(points, i);
  if (kept > 0) points.around = std::make_shared<const Points>(std::move(there));
  return points;
}
inline Points known(const Points& points, const Mesh& mesh, SurfaceRadius radius,
                    const SurfaceOptions& options) {
  const Space space = surface(mesh, options);
  return known(points, &space, std::move(radius));
}
inline SurfaceRadius radius_of(const Points& points) {
  const auto* const even = points.radii->get<double>();
  return even != nullptr ? SurfaceRadius(*even) : *points.radii->get<SurfaceRadius>();
}
inline ClassRadii radii_of(const ClassOptions& classes) {
  return {classes.radii, classes.shares, classes.distance};
}
inline SampleOptions with(SampleOptions how, const ClassOptions& classes) {
  how.certify = classes.certify;
  how.progressive = classes.progressive;
  return how;
}
inline SurfaceWithFixedPoints around(const Points& made) {
  SurfaceRadius radius = radius_of(made);
  const std::size_t classes = radius.placed_classes;
  return {made, made.fixed, std::move(radius), classes};
}

}  // namespace old_names

[[deprecated("use sample(Space, Radii, SampleOptions, Context)")]] inline Points sample(
    const DensityField& field, SampleOptions options, std::int64_t count, Context& context) {
  options.count = count;
  return sample(field.domain(), field, options, context);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify(const Points& points,
                                                                          const DensityField& field,
                                                                          ConflictRule rule,
                                                                          Context& context,
                                                                          std::size_t kept = 0) {
  return certify(old_names::known(points, field, rule, kept), context);
}
[[deprecated("use verify(Points, Context)")]] inline void verify(const Points& points,
                                                                 const DensityField& field,
                                                                 ConflictRule rule,
                                                                 Context& context,
                                                                 const ProofOptions& terms = {}) {
  verify(old_names::known(points, field, rule, terms.kept), context, terms.counted);
}
[[deprecated("use sample() with SampleOptions::frame")]] inline Points sample_cut(
    const Domain& domain, double radius, std::int64_t count, Context& context) {
  SampleOptions how;
  how.count = count;
  how.frame = FrameEdge::cut;
  return sample(domain, radius, how, context);
}

[[deprecated("use sample(Space::box(), ...)")]] inline Points sample_volume(
    const Domain& domain, double depth, std::int64_t count, double radius, Context& context,
    bool progressive = false, const FixedPoints& kept = {}) {
  return sample(Space::box(domain, depth), radius, old_names::options(count, progressive, kept),
                context);
}
[[deprecated("use sample(Space::box(), ...)")]] inline VolumeSet sample_volume(
    const VolumeField& field, ConflictRule rule, std::int64_t count, Context& context,
    bool progressive = false, const FixedPoints& kept = {}) {
  const auto& side = field.side();
  Points made = sample(Space::box({side[0], side[1], field.wrap()}, side[2]), field,
                       old_names::options(count, progressive, {kept.points, rule}), context);
  VolumeField scaled = *made.radii->get<VolumeField>();
  return {std::move(made), std::move(scaled)};
}
[[deprecated("use sample(Space::box(), ...)")]] inline Points sample_4d(
    const std::array<double, 4>& sides, bool wrap, std::int64_t count, double radius,
    Context& context, bool progressive = false, const FixedPoints& kept = {}) {
  return sample(Space::box({sides[0], sides[1], wrap}, sides[2], sides[3]), radius,
                old_names::options(count, progressive, kept), context);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_volume(
    const Points& points, double radius, Context& context, double tolerance = 1e-5,
    const FixedPoints& kept = {}) {
  return certify(old_names::known(points, nullptr, radius, kept), context, tolerance);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_volume(
    const Points& points, const VolumeField& field, ConflictRule rule, Context& context,
    double tolerance = 2e-5, const FixedPoints& kept = {}) {
  return certify(old_names::known(points, nullptr, field, {kept.points, rule}), context, tolerance);
}
[[deprecated("use verify(Points, Context)")]] inline void verify_volume(
    const Points& points, double radius, Context& context, bool counted = false,
    const FixedPoints& kept = {}) {
  verify(old_names::known(points, nullptr, radius, kept), context, counted);
}

[[deprecated("use sample(Space::in_solid(), ...)")]] inline Points sample_inside(
    const Mesh& mesh, std::int64_t count, double radius, Context& context, bool progressive = false,
    const FixedPoints& kept = {}) {
  return sample(Space::in_solid(mesh), radius, old_names::options(count, progressive, kept),
                context);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_inside(
    const Points& points, const Mesh& mesh, Context& context, double tolerance = 1e-5,
    const FixedPoints& kept = {}) {
  const Space space = Space::in_solid(mesh);
  return certify(old_names::known(points, &space, *points.radii, kept), context, tolerance);
}
[[deprecated("use verify(Points, Context)")]] inline void verify_inside(
    const Points& points, const Mesh& mesh, Context& context, bool counted = false,
    const FixedPoints& kept = {}) {
  const Space space = Space::in_solid(mesh);
  verify(old_names::known(points, &space, *points.radii, kept), context, counted);
}

[[deprecated("use sample(Space::on_sphere(), ...)")]] inline Points sample_sphere(
    double sphere, std::int64_t count, double radius, Context& context, bool progressive = false,
    const FixedPoints& kept = {}) {
  return sample(Space::on_sphere(sphere), radius, old_names::options(count, progressive, kept),
                context);
}
[[deprecated("use sample(Space::on_sphere(), ...)")]] inline SurfaceSet sample_sphere(
    double sphere, std::int64_t count, const SurfaceRadius& radius, Context& context,
    bool progressive = false, const FixedPoints& kept = {}) {
  const bool varies = radius.texture.has_value();
  Points made = sample(
      Space::on_sphere(sphere), radius,
      old_names::options(count, progressive, {kept.points, varies ? radius.rule : kept.rule}),
      context);
  SurfaceRadius scaled = old_names::radius_of(made);
  return {std::move(made), std::move(scaled)};
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_sphere(
    const Points& points, double sphere, const SurfaceRadius& radius, Context& context,
    double tolerance = 1e-5, const FixedPoints& kept = {}) {
  const Space space = Space::on_sphere(sphere);
  return certify(old_names::known(points, &space, radius, kept), context, tolerance);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_sphere(
    const Points& points, double sphere, Context& context, double tolerance = 1e-5,
    const FixedPoints& kept = {}) {
  const Space space = Space::on_sphere(sphere);
  return certify(old_names::known(points, &space, *points.radii, kept), context, tolerance);
}
[[deprecated("use verify(Points, Context)")]] inline void verify_sphere(
    const Points& points, double sphere, const SurfaceRadius& radius, Context& context,
    bool counted = false, const FixedPoints& kept = {}) {
  const Space space = Space::on_sphere(sphere);
  verify(old_names::known(points, &space, radius, kept), context, counted);
}
[[deprecated("use verify(Points, Context)")]] inline void verify_sphere(
    const Points& points, double sphere, Context& context, bool counted = false,
    const FixedPoints& kept = {}) {
  const Space space = Space::on_sphere(sphere);
  verify(old_names::known(points, &space, *points.radii, kept), context, counted);
}

[[deprecated("use sample() with ClassRadii")]] inline Points sample_classes(
    const Domain& domain, double depth, const ClassOptions& classes, std::int64_t count,
    Context& context, const FixedPoints& kept = {}) {
  return sample(depth == 0 ? Space(domain) : Space::box(domain, depth),
                old_names::radii_of(classes),
                old_names::with(old_names::options(count, false, kept), classes), context);
}
[[deprecated("use sample() with ClassRadii")]] inline SurfaceSet sample_classes(
    const Mesh& mesh, const ClassOptions& classes, std::int64_t count,
    const SurfaceOptions& options, Context& context) {
  Points made = sample(old_names::surface(mesh, options), old_names::radii_of(classes),
                       old_names::with(old_names::options(count, false, {}), classes), context);
  SurfaceRadius radius = old_names::radius_of(made);
  return {std::move(made), std::move(radius)};
}
[[deprecated("use sample() with ClassFields")]] inline Points sample_classes(
    std::span<const DensityField> fields, const ClassOptions& classes, std::int64_t count,
    Context& context, const FixedPoints& kept = {}) {
  const ClassFields all{{fields.begin(), fields.end()}, classes.shares, classes.distance};
  return sample(fields.empty() ? Domain{} : fields.front().domain(), all,
                old_names::with(old_names::options(count, false, kept), classes), context);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify_classes(
    const Points& points, std::span<const DensityField> fields, ClassDistance distance,
    Context& context, double tolerance = 2e-5, const FixedPoints& kept = {}) {
  const ClassFields all{{fields.begin(), fields.end()}, {}, distance};
  return certify(old_names::known(points, nullptr, all, kept), context, tolerance);
}

[[deprecated("use sample(Space::on_surface(), ...)")]] inline Points sample_surface(
    const Mesh& mesh, const SurfaceRadius& radius, const SurfaceOptions& options,
    Context& context) {
  return sample(old_names::surface(mesh, options), radius,
                old_names::options(0, false, {nullptr, radius.rule}), context);
}
[[deprecated("use sample(Space::on_surface(), ...)")]] inline Points sample_surface_count(
    const Mesh& mesh, std::int64_t count, const SurfaceOptions& options, Context& context) {
  return sample(old_names::surface(mesh, options), 0.0, old_names::options(count, false, {}),
                context);
}
[[deprecated("use sample(Space::on_surface(), ...)")]] inline std::pair<Points, double>
sample_surface_count(const Mesh& mesh, std::int64_t count, const SurfaceRadius& radius,
                     const SurfaceOptions& options, Context& context) {
  Points made = sample(old_names::surface(mesh, options), radius,
                       old_names::options(count, false, {nullptr, radius.rule}), context);
  const SurfaceRadius scaled = old_names::radius_of(made);
  const double factor = radius.even > 0 ? scaled.even / radius.even : scaled.scale / radius.scale;
  return {std::move(made), factor};
}
[[deprecated("use order(Points, Context)")]] inline void order_progressively(
    Points& points, const SurfaceRadius& radius, const SurfaceOptions& options, Context& context,
    std::size_t kept = 0, double = 0) {
  Space space = points.space != nullptr ? *points.space : Space();
  space.kind = SpaceKind::surface;
  space.surface = options;
  points = old_names::known(std::move(points), &space, radius);
  points.fixed = kept;
  order(points, context);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify(
    const Points& points, const Mesh& mesh, const SurfaceRadius& radius,
    const SurfaceOptions& options, Context& context, double tolerance = 2e-5) {
  return certify(old_names::known(points, mesh, radius, options), context, tolerance);
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify(
    const Points& points, const Mesh& mesh, const SurfaceOptions& options, Context& context,
    double tolerance = 2e-5) {
  return certify(old_names::known(points, mesh, old_names::radius_of(points), options), context,
                 tolerance);
}
[[deprecated("use verify(Points, Context)")]] inline void verify(
    const Points& points, const Mesh& mesh, const SurfaceRadius& radius,
    const SurfaceOptions& options, Context& context, bool counted = false) {
  verify(old_names::known(points, mesh, radius, options), context, counted);
}
[[deprecated("use sample() with SampleOptions::keep")]] inline SurfaceWithFixedPoints
sample_surface_around(const Mesh& mesh, const Points& kept, std::int64_t count,
                      const SurfaceRadius& radius, const SurfaceOptions& options,
                      Context& context) {
  SampleOptions how = old_names::options(count, false, {&kept, radius.rule});
  how.only_new = false;
  return old_names::around(sample(old_names::surface(mesh, options), radius, how, context));
}
[[deprecated("use sample() with SampleOptions::keep")]] inline SurfaceWithFixedPoints
sample_classes_around(const Mesh& mesh, const Points& kept, const ClassOptions& classes,
                      std::int64_t count, ConflictRule rule, const SurfaceOptions& options,
                      Context& context) {
  SampleOptions how = old_names::options(count, false, {&kept, rule});
  how.only_new = false;
  return old_names::around(
      sample(old_names::surface(mesh, options), old_names::radii_of(classes), how, context));
}
[[deprecated("use certify(Points, Context)")]] inline Certificate certify(
    const SurfaceWithFixedPoints& set, const Mesh& mesh, const SurfaceOptions& options,
    Context& context, double tolerance = 2e-5) {
  const Space space = old_names::surface(mesh, options);
  Points points = old_names::known(set.points, &space, set.radius);
  if (set.points.around != nullptr) {
    Points there = *set.points.around;
    for (std::size_t i = 0; i < set.kept; ++i) there.radius[i] = set.points.radius[i];
    points.around = std::make_shared<const Points>(std::move(there));
  }
  points.fixed = set.kept;
  return certify(points, context, tolerance);
}

[[deprecated("use make_points()")]] inline SurfaceSet make_surface_points(
    const Image* map, const PointsOptions& options, Context& context) {
  Points made = make_points(map, options, context);
  SurfaceRadius radius = old_names::radius_of(made);
  return {std::move(made), std::move(radius)};
}
[[deprecated("use make_points()")]] inline Points make_inside_points(const PointsOptions& options,
                                                                     Context& context) {
  return make_points(nullptr, options, context);
}
[[deprecated("use make_points()")]] inline SurfaceSet make_sphere_points(
    const Image* map, const PointsOptions& options, Context& context) {
  Points made = make_points(map, options, context);
  SurfaceRadius radius = old_names::radius_of(made);
  return {std::move(made), std::move(radius)};
}

[[deprecated("use draw_in_space()")]] inline Image draw_surface(const Mesh& mesh,
                                                                const Points& points, int width,
                                                                int height, Context& context) {
  return draw_in_space(old_names::known(points, mesh, 1.0, {}), width, height, context);
}
[[deprecated("use draw_in_space()")]] inline Image draw_inside(const Mesh& mesh,
                                                               const Points& points, int width,
                                                               int height, Context& context) {
  const Space space = Space::in_solid(mesh);
  return draw_in_space(old_names::known(points, &space, 1.0), width, height, context);
}
[[deprecated("use analyze_points()")]] inline QualityReport analyze_surface(
    const Points& points, const Mesh& mesh, const SurfaceRadius& radius,
    const SurfaceOptions& options, Context& context) {
  return analyze_points(old_names::known(points, mesh, radius, options), context);
}
[[deprecated("use analyze_points()")]] inline QualityReport analyze_inside(const Points& points,
                                                                           const Mesh& mesh,
                                                                           Context& context) {
  const Space space = Space::in_solid(mesh);
  return analyze_points(old_names::known(points, &space, *points.radii), context);
}
[[deprecated("use analyze_points()")]] inline QualityReport analyze_sphere(
    const Points& points, double sphere, const SurfaceRadius& radius, Context& context) {
  const Space space = Space::on_sphere(sphere);
  return analyze_points(old_names::known(points, &space, radius), context);
}

}  // namespace dapple

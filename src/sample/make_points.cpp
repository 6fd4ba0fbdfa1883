// Makes a whole point set from the options of `sample`: reads the space and the radii, samples, and
// adds the columns of objects.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/regions.hpp"
#include "dapple/sample.hpp"
#include "sample/classes.hpp"
#include "sample/samplers.hpp"
#include "sample/spaces.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/unit_radii.hpp"

namespace dapple {
namespace {

// ---- a plane and a box, in pixels ----

Scale scale_of(const Domain& domain) {
  return {domain.shorter_side(), css_pixels_per_mm};
}

Domain domain_of(const PointsOptions& options) {
  return {static_cast<double>(options.size.pixel_width(css_pixels_per_mm)),
          static_cast<double>(options.size.pixel_height(css_pixels_per_mm)), options.sample.wrap};
}

// Returns the plane or the box that the size asks for.
Space space_of(const PointsOptions& options) {
  const Domain domain = domain_of(options);
  if (!is_volume(options, nullptr)) return domain;
  if (!has_four_dimensions(options)) return Space::box(domain, depth_of(options));
  return Space::box(domain, depth_of(options), extent_of(options));
}

Scale scale_of(const Space& space) {
  double shorter = space.domain.shorter_side();
  if (space.depth > 0) shorter = std::min(shorter, space.depth);
  if (space.extent > 0) shorter = std::min(shorter, space.extent);
  return {shorter, css_pixels_per_mm};
}

DensityField even_field(const PointsOptions& options, Context& context) {
  const auto stage = context.stage("field");
  const Domain domain = domain_of(options);
  return make_constant_field(domain, options.field, scale_of(domain), default_count);
}

DensityField inset_field(const DensityField& field, const PointsOptions& options,
                         Context& context) {
  const double distance = options.inset.pixels(scale_of(field.domain()));
  if (distance == 0 && options.inside == Containment::points) return field;
  if (field.domain().wrap && field.is_constant()) {
    context.warn("`inset` has no effect, because a torus has no border and there is no mask");
    return field;
  }
  return field.with_inset(distance, options.inside, context);
}

DensityField field_of(const Image& map, const PointsOptions& options, const FieldOptions& field,
                      Context& context) {
  const Scale scale{static_cast<double>(std::min(map.width(), map.height())), css_pixels_per_mm};
  return make_field(map, field, options.sample.wrap, scale, default_count, context);
}

Points in_window(const PointsOptions& options, const Image* map, Context& context) {
  const SampleOptions& how = options.sample;
  const FieldOptions& field = options.field;
  if (map != nullptr || field.map.mask.image || !how.keep.path.empty() || field.count > 0 ||
      how.wrap || how.certify || how.progressive || options.wang > 0 || options.inset.value != 0 ||
      how.method != SampleMethod::darts) {
    throw Error(ErrorKind::usage,
                "`window` works only with `radius` and `seed`: leave the map, `mask`, `keep`, "
                "`inset`, `count`, `wrap`, `certify`, `progressive`, `wang` and other methods out");
  }
  const Window& window = options.window;
  const LengthRange& radius = field.radius;
  if (radius.min.value == 0 || !(radius.min == radius.max)) {
    throw Error(ErrorKind::usage, Problem{"window", "needs one `radius`, such as `radius 4`"});
  }
  const Scale scale{std::min(window.width(), window.height()), css_pixels_per_mm};
  const auto stage = context.stage("sample");
  Points points = sample_window(radius.min.pixels(scale), window, context);
  scatter(points, options.scatter, scale, 0, context);
  return points;
}

// Makes a set of tiles; size, radius and count are those of one tile.
Points tiles(const PointsOptions& options, const Image* map, Context& context) {
  const bool plain = map == nullptr && options.sample.keep.path.empty() &&
                     options.inset.value == 0 && options.sample.method == SampleMethod::darts &&
                     options.scatter.classes.empty();
  if (!plain || options.size.width != options.size.height) {
    throw Error(
        ErrorKind::usage,
        "`wang` works only with square tiles and darts of one radius: leave the map, `keep`, "
        "`inset`, `classes` and other methods out, and give one side, such as `size 64`");
  }
  const DensityField field = even_field(options, context);
  const auto stage = context.stage("sample");
  Points points = wang_tiles(field.domain().width, field.radius({0, 0}), options.wang, context);
  scatter(points, options.scatter, scale_of(field.domain()), 0, context);
  return points;
}

// Throws Error(usage) for options that work only in the plane.
void refuse_in_volume(const PointsOptions& options) {
  const SampleOptions& how = options.sample;
  const std::string why = "works only in the plane: leave it or the depth of `size` out";
  if (how.method != SampleMethod::darts)
    refuse_option("method", why + "; volumes work only with darts");
  if (!how.settle) refuse_option("settle", why + "; points in volumes do not move");
  if (options.wang > 0) refuse_option("wang", why);
  if (!options.window.empty()) refuse_option("window", why);
  if (options.inset.value != 0) refuse_option("inset", why);
  if (options.size.unit != Unit::px) {
    refuse_option("size", "must be in pixels if it has a depth, such as 64x64x32");
  }
  if (options.class_radius.empty() && !options.scatter.classes.empty()) {
    refuse_option("classes", why + "; or give each class a distance by `class-radius`");
  }
}

// Adds the columns of objects. Points of classes with radii already have their classes.
Points scattered(Points points, const PointsOptions& options, const Scale& scale,
                 Context& context) {
  ScatterOptions columns = options.scatter;
  if (points.radii != nullptr && points.radii->class_count() > 0) columns.classes.clear();
  scatter(points, columns, scale, points.fixed, context);
  return points;
}

// Makes points of a plane from a field or from one radius.
Points field_points(const Image* map, const PointsOptions& options, const SampleOptions& how,
                    Context& context) {
  const DensityField field = map != nullptr ? field_of(*map, options, options.field, context)
                                            : even_field(options, context);
  const auto stage = context.stage("sample");
  if (how.frame == FrameEdge::cut) {
    return scattered(sample(field.domain(), field.radius({0, 0}), how, context), options,
                     scale_of(field.domain()), context);
  }
  const DensityField allowed = [&] {
    const auto part = context.part(0, 0.1);
    return inset_field(field, options, context);
  }();
  const auto part = context.part(0.1, 1);
  return scattered(sample(field.domain(), allowed, how, context), options, scale_of(field.domain()),
                   context);
}

// Makes a volume whose radii the slices of `map` give; each slice is one pixel deep.
Points slice_points(const Image& map, const PointsOptions& options, SampleOptions how,
                    Context& context) {
  const FieldOptions& wanted = options.field;
  if (how.count == 0 && wanted.radius.empty()) how.count = default_count;
  const VolumeField field = make_volume_field(map, wanted, how.wrap, default_count, context);
  const auto& side = field.side();
  const Space box = Space::box({side[0], side[1], field.wrap()}, side[2]);
  return scattered(sample(box, field, how, context), options, scale_of(box), context);
}

Points box_points(const PointsOptions& options, SampleOptions how, Context& context) {
  const Space space = space_of(options);
  const LengthRange& range = options.field.radius;
  if (!(range.min == range.max)) {
    refuse_option(
        "radius",
        "must be one length in a volume without a MAP of slices, such as `radius` 6, not " +
            to_text(range));
  }
  const double radius = range.min.pixels(scale_of(space));
  if (radius > 0 && how.count > 0) {
    refuse_option(
        "count",
        "cannot be combined with `radius`, which also sets the number of points: leave one of "
        "them out");
  }
  if (radius == 0 && how.count == 0) how.count = default_count;
  return scattered(sample(space, radius, how, context), options, scale_of(space), context);
}

Points class_points(const PointsOptions& options, const Image* map, const SampleOptions& how,
                    Context& context) {
  if (map != nullptr) refuse_option("class-radius", "works only without a map: leave the map out");
  const Space space = space_of(options);
  if (space.kind == SpaceKind::box) refuse_in_volume(options);
  if (space.extent > 0) {
    refuse_option(
        "class-radius",
        "works only in the plane and in volumes, because points in four dimensions have one "
        "radius");
  }
  ClassRadii classes;
  for (const Length& radius : class_radii_of(options.class_radius)) {
    classes.radii.push_back(radius.pixels(scale_of(space)));
  }
  classes.distance = options.class_distance;
  classes.shares = shares_of_classes(options.scatter.classes, classes.radii.size());
  return scattered(sample(space, classes, how, context), options, scale_of(space), context);
}

std::string size_of(const Image& map) {
  return std::to_string(map.width()) + " x " + std::to_string(map.height()) + " pixels";
}

void require_maps(const std::vector<NamedMap>& classes) {
  for (const NamedMap& one : classes) {
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorKind::input, Problem{"class", "the map of " + one.name + " " + why});
    };
    if (one.map.image == nullptr) refuse("was not read");
    const Image& first = *classes.front().map.image;
    if (one.map.image->width() != first.width() || one.map.image->height() != first.height()) {
      refuse("has " + size_of(*one.map.image) + ", but the map of " + classes.front().name +
             " has " + size_of(first) + ": scale them to one size");
    }
  }
}

std::string names_of(const std::vector<NamedMap>& classes) {
  std::string names;
  for (const NamedMap& one : classes) names += (names.empty() ? "" : ",") + one.name;
  return names;
}

// Returns the options of a map of a class, with its range of radii.
FieldOptions field_options_of(const NamedMap& map, const PointsOptions& options) {
  FieldOptions field = options.field;
  field.radius = map.radius;
  field.count = 0;
  return field;
}

// Returns the map of a class for a surface. Warns if only its first slice is used.
Image first_slice(const NamedMap& map, Context& context) {
  const Image& image = *map.map.image;
  if (image.slices <= 1) return image;
  context.warn("the map of " + map.name + " has " + std::to_string(image.slices) +
               " slices and only the first is used; `dimensions 3` uses all of them as a volume");
  return slice_of(image, 0);
}

// Reads a field for each class by read(map), with the shares of all classes.
template <class Field, class Read>
ClassesOf<Field> classes_by_maps(const PointsOptions& options, Context& context, const Read& read) {
  const std::vector<NamedMap>& maps = options.class_maps;
  ClassesOf<Field> classes;
  classes.distance = options.class_distance;
  classes.shares = shares_of_classes(options.scatter.classes, maps.size(), "class");
  for (std::size_t c = 0; c < maps.size(); ++c) {
    const auto count = static_cast<double>(maps.size());
    const auto part = context.part(0.2 * static_cast<double>(c) / count,
                                   0.2 * static_cast<double>(c + 1) / count);
    classes.fields.push_back(read(maps[c]));
  }
  return classes;
}

Points sample_named(const Space& space, const Radii& radii, const PointsOptions& options,
                    const SampleOptions& how, Context& context) {
  const auto part = context.part(0.2, 1);
  Points points = sample(space, radii, how, context);
  points.metadata.emplace_back(class_names_key, names_of(options.class_maps));
  return points;
}

Points class_map_points(const PointsOptions& options, const SampleOptions& how, Context& context) {
  const std::vector<NamedMap>& maps = options.class_maps;
  require_maps(maps);
  if (is_volume(options, maps.front().map.image.get())) {
    refuse_in_volume(options);
    const auto classes = classes_by_maps<VolumeField>(options, context, [&](const NamedMap& map) {
      return make_volume_field(*map.map.image, field_options_of(map, options), how.wrap,
                               default_count, context);
    });
    const VolumeField& first = classes.fields.front();
    const Space box = Space::box({first.side()[0], first.side()[1], first.wrap()}, first.side()[2]);
    return scattered(sample_named(box, classes, options, how, context), options, scale_of(box),
                     context);
  }
  const auto classes = classes_by_maps<DensityField>(options, context, [&](const NamedMap& map) {
    const DensityField field =
        field_of(first_slice(map, context), options, field_options_of(map, options), context);
    return inset_field(field, options, context);
  });
  const Domain domain = classes.fields.front().domain();
  return scattered(sample_named(domain, classes, options, how, context), options, scale_of(domain),
                   context);
}

// ---- in the unit of a mesh or of a sphere ----

// Returns the options with the range of radii of a class.
PointsOptions with_map(const PointsOptions& options, const NamedMap& map) {
  PointsOptions own = options;
  own.field = field_options_of(map, options);
  return own;
}

ClassRadii classes_on(const UnitShape& shape, const PointsOptions& options) {
  ClassRadii classes;
  for (const Length& radius : class_radii_of(options.class_radius)) {
    classes.radii.push_back(in_units_of(shape, radius, "class-radius"));
  }
  classes.distance = options.class_distance;
  classes.shares = shares_of_classes(options.scatter.classes, classes.radii.size());
  return classes;
}

// Reads the radii on a mesh, and the number of points.
Radii radii_on(const Mesh& mesh, const Image* map, const PointsOptions& options,
               std::int64_t& count, Context& context) {
  if (!options.class_radius.empty()) {
    if (options.sample.keep.points != nullptr &&
        options.sample.conflict == ConflictRule::candidate) {
      refuse_option("conflict", "must be mean, min or max on a mesh");
    }
    return classes_on(&mesh, options);
  }
  if (!options.class_maps.empty()) {
    require_maps(options.class_maps);
    return classes_by_maps<SurfaceRadius>(options, context, [&](const NamedMap& of) {
      const Image first = first_slice(of, context);
      return varying_radius(mesh, &first, with_map(options, of), context);
    });
  }
  if (map != nullptr || !options.radius_from.empty()) {
    count = count_asked(options);
    return varying_radius(mesh, map, options, context);
  }
  const Wanted wanted =
      wanted_of(options, &mesh, ", unless a map or `radius-from` chooses from a range");
  count = wanted.count;
  return wanted.radius;
}

Points surface_points(const Image* map, const PointsOptions& options, SampleOptions how,
                      Context& context) {
  const Mesh& mesh = *options.on.mesh;
  const bool adds_classes = !options.scatter.classes.empty() && options.class_radius.empty() &&
                            options.class_maps.empty();
  if (adds_classes && how.keep.points != nullptr && !how.keep.points->class_id.empty()) {
    refuse_option(
        "classes",
        "cannot be combined with points of `keep` that have a column class: leave one of them out");
  }
  const Radii radii = radii_on(mesh, map, options, how.count, context);
  const Space surface = Space::on_surface(options.on.mesh, options.surface);
  Points points = options.class_maps.empty() ? sample(surface, radii, how, context)
                                             : sample_named(surface, radii, options, how, context);
  if (adds_classes) {
    surface::add_classes(points, std::get<SurfaceRadius>(points.radii->source), options.surface,
                         shares_of(options.scatter.classes), context);
  }
  return points;
}

// Throws Error(usage) for a map that is wider than the mesh by more than a voxel and 5 %.
void require_proportions(const spaces::VoxelsInSolid& in_mesh,
                         const std::array<double, 3>& voxels) {
  const std::array sides{in_mesh.sides.x, in_mesh.sides.y, in_mesh.sides.z};
  // The longest side of the map stays, and the others follow it.
  const auto longest =
      static_cast<std::size_t>(std::max_element(voxels.begin(), voxels.end()) - voxels.begin());
  std::string needed;
  bool is_good = true;
  for (std::size_t a = 0; a < 3; ++a) {
    const double full = sides[a] / in_mesh.step;
    is_good = is_good && voxels[a] - full <= std::max(1.0, 0.05 * voxels[a]);
    needed += (a == 0 ? "" : " x ") +
              shortest(std::ceil(sides[a] / sides[longest] * voxels[longest] - 1e-9));
  }
  if (is_good) return;
  throw Error(ErrorKind::usage,
              Problem{"in", "needs slices in the proportions of the bounds of the mesh, such as " +
                                needed + " voxels, not " + shortest(voxels[0]) + " x " +
                                shortest(voxels[1]) + " x " + shortest(voxels[2])});
}

// Reads a field that spans the bounds of a mesh from slices, with radii of its options in the unit
// of the mesh.
VolumeField field_in(const Mesh& mesh, const Image& map, FieldOptions field, const char* option,
                     Context& context) {
  const std::array<double, 3> voxels{static_cast<double>(map.width()),
                                     static_cast<double>(map.slice_height()),
                                     static_cast<double>(std::max(map.slices, 1))};
  const spaces::VoxelsInSolid in_mesh(mesh, voxels);
  const double step = in_mesh.step;
  require_proportions(in_mesh, voxels);
  for (Length* length : {&field.radius.min, &field.radius.max}) {
    *length = {in_units_of(&mesh, *length, option) / step, Unit::px};
  }
  field.count = 0;
  return make_volume_field(map, field, false, default_count, context);
}

// Reads the radii in a solid, and the number of points.
Radii radii_in(const Mesh& mesh, const Image* map, const PointsOptions& options,
               std::int64_t& count, Context& context) {
  if (!options.class_radius.empty()) {
    if (map != nullptr) refuse_option("class-radius", "works only without a map");
    return classes_on(&mesh, options);
  }
  if (!options.class_maps.empty()) {
    require_maps(options.class_maps);
    return classes_by_maps<VolumeField>(options, context, [&](const NamedMap& of) {
      return field_in(mesh, *of.map.image, field_options_of(of, options), "class", context);
    });
  }
  if (!options.scatter.classes.empty()) {
    refuse_option("classes", "works in a solid only with `class-radius` or `class`");
  }
  if (map != nullptr) {
    count = count_asked(options);
    return field_in(mesh, *map, options.field, "radius", context);
  }
  const Wanted wanted = wanted_of(
      options, &mesh, " for points in a mesh, unless a map of slices chooses from a range");
  count = wanted.count;
  return wanted.radius;
}

Points solid_points(const Image* map, const PointsOptions& options, SampleOptions how,
                    Context& context) {
  const Radii radii = radii_in(*options.in.mesh, map, options, how.count, context);
  const Space solid = Space::in_solid(options.in.mesh);
  try {
    return options.class_maps.empty() ? sample(solid, radii, how, context)
                                      : sample_named(solid, radii, options, how, context);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::input) throw;
    throw Error(ErrorKind::input, e.what(), options.in.path);
  }
}

Points sphere_points(const Image* map, const PointsOptions& options, SampleOptions how,
                     Context& context) {
  const Space sphere = Space::on_sphere(*options.sphere);
  if (!options.class_radius.empty()) {
    if (map != nullptr) refuse_option("class-radius", "works only without a map");
    return sample(sphere, classes_on(*options.sphere, options), how, context);
  }
  if (!options.class_maps.empty()) {
    require_maps(options.class_maps);
    const auto classes = classes_by_maps<SurfaceRadius>(options, context, [&](const NamedMap& of) {
      return radius_round_sphere(first_slice(of, context), with_map(options, of), context);
    });
    return sample_named(sphere, classes, options, how, context);
  }
  if (!options.scatter.classes.empty()) {
    refuse_option("classes", "works on a sphere only with `class-radius` or `class`");
  }
  if (map != nullptr) {
    how.count = count_asked(options);
    return sample(sphere, radius_round_sphere(*map, options, context), how, context);
  }
  const Wanted wanted =
      wanted_of(options, *options.sphere, ", unless a map on the sphere chooses from a range");
  how.count = wanted.count;
  return sample(sphere, wanted.radius, how, context);
}

// Makes points in the unit of a mesh or a sphere, with the columns of objects.
Points unit_points(const Image* map, const PointsOptions& options, const SampleOptions& how,
                   Context& context) {
  UnitShape shape = options.sphere.value_or(0);
  if (!options.sphere) {
    const Mesh* const mesh = (options.in.mesh != nullptr ? options.in : options.on).mesh.get();
    validate(*mesh);
    shape = mesh;
  }
  Points points = options.sphere               ? sphere_points(map, options, how, context)
                  : options.in.mesh != nullptr ? solid_points(map, options, how, context)
                                               : surface_points(map, options, how, context);
  const LengthRange& size = options.scatter.size;
  scatter(points, options.scatter, options.align, in_units_of(shape, size.min, "object-size"),
          in_units_of(shape, size.max, "object-size"), context);
  return points;
}

// Returns the names of regions, one per line; empty if no region has one.
std::string names_of(const Regions& regions) {
  std::string names;
  bool any = false;
  for (const Region& region : regions.all) {
    any = any || !region.name.empty();
    std::string name = region.name;
    std::replace(name.begin(), name.end(), '\n', ' ');
    names += (&region == &regions.all.front() ? "" : "\n") + name;
  }
  return any ? names : "";
}

Points region_points(const Image* map, const PointsOptions& options, SampleOptions how,
                     Context& context) {
  if (map != nullptr) refuse_option("region", "works only without a map: leave the map out");
  const Regions& regions = *options.region.regions;
  validate(regions);
  const Box bounds = bounds_of(regions);
  const double shorter = std::min(bounds.width(), bounds.height());
  const auto in_units = [&](const Length& length, const char* option) {
    if (length.unit == Unit::px) return length.value;
    if (length.unit == Unit::percent) return length.value / 100 * shorter;
    refuse_option(option,
                  "must be a number in the unit of the file of `region`, or % of the shorter side "
                  "of its bounds, not " +
                      to_text(length));
  };
  const LengthRange& range = options.field.radius;
  if (!(range.min == range.max)) {
    refuse_option("radius", "must be one length with `region`, such as `radius` 1%");
  }
  const double radius = range.empty() ? 0 : in_units(range.min, "radius");
  std::vector<std::int64_t> counts;
  if (!options.count_from.empty()) {
    counts = counts_from(regions, options.count_from);
  } else if (radius == 0 && how.count == 0) {
    how.count = default_count;
  }
  Points points =
      sample(Space::in_regions(options.region.regions, std::move(counts)), radius, how, context);
  ScatterOptions columns = options.scatter;
  for (Length* length : {&columns.size.min, &columns.size.max}) {
    *length = {in_units(*length, "object-size"), Unit::px};
  }
  // The columns of objects are made in a plane that begins at the origin.
  Points flat = points;
  flat.space = nullptr;
  flat.domain = {std::nextafter(bounds.width(), INFINITY),
                 std::nextafter(bounds.height(), INFINITY)};
  for (double& x : flat.x) x -= bounds.x0;
  for (double& y : flat.y) y -= bounds.y0;
  scatter(flat, columns, {1, 1}, points.fixed, context);
  points.object_size = std::move(flat.object_size);
  points.rotation = std::move(flat.rotation);
  points.class_id = std::move(flat.class_id);
  if (const std::string names = names_of(regions); !names.empty()) {
    points.metadata.emplace_back(region_names_key, names);
  }
  return points;
}

// Makes points of the parts of maps that `crop` and `rotate` leave.
Points framed_points(const Image* map, const PointsOptions& options, Context& context) {
  if (options.on.mesh != nullptr || options.in.mesh != nullptr || options.sphere) {
    throw Error(ErrorKind::usage,
                "`crop` and `rotate` work only in the plane: a map of a mesh or a sphere covers "
                "all of it, so leave them out");
  }
  PointsOptions rest = options;
  FramedMap part;
  rest.field.map.prepare.crop = {};
  rest.field.map.prepare.rotate = 0;
  if (map != nullptr) {
    part = framed(*map, options.field.map, context);
    rest.field.map = part.options;
  }
  for (NamedMap& one : rest.class_maps) {
    if (one.map.image == nullptr) continue;
    FramedMap own = framed(*one.map.image, options.field.map, context);
    one.map.image = std::make_shared<const Image>(std::move(own.image));
    rest.field.map = own.options;
  }
  return make_points(map != nullptr ? &part.image : nullptr, rest, context);
}

}  // namespace

Points make_points(const Image* map, const PointsOptions& options, Context& context) {
  check(options);
  if (changes_frame(options.field.map.prepare)) return framed_points(map, options, context);
  SampleOptions how = options.sample;
  how.count = options.field.count;
  if (options.from.points != nullptr) return thin(*options.from.points, how, context);
  if (options.region.regions != nullptr) return region_points(map, options, how, context);
  if (options.on.mesh != nullptr || options.in.mesh != nullptr || options.sphere) {
    return unit_points(map, options, how, context);
  }
  const bool is_deep = is_volume(options, map);
  if (!options.window.empty() && !is_deep) return in_window(options, map, context);
  if (!options.class_maps.empty()) return class_map_points(options, how, context);
  if (!options.class_radius.empty()) return class_points(options, map, how, context);
  if (is_deep) {
    refuse_in_volume(options);
    return map != nullptr ? slice_points(*map, options, how, context)
                          : box_points(options, how, context);
  }
  if (options.wang > 0) return tiles(options, map, context);
  return field_points(map, options, how, context);
}

}  // namespace dapple

// Arguments that no caller should give. Every public function answers them with an Error that says
// what is wrong, or with a right result, and never ends or hangs the program that called it.
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include "core/parallel.hpp"
#include "dapple/dapple.hpp"
#include "dapple/error.hpp"

namespace {

using namespace dapple;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::array hostile{0.0, -1.0, -40.5, 1e300, -1e300, nan, infinity, -infinity};
constexpr std::array hostile_sides{0, -1, -4, std::numeric_limits<int>::min(),
                                   std::numeric_limits<int>::max()};

Image gray(int width, int height) {
  Image image;
  image.channels = {Plane<float>(width, height, 0.3f)};
  image.names = {"Y"};
  return image;
}

// Planes of different sizes.
Image uneven() {
  Image image = gray(16, 16);
  image.names = {"R", "G", "B", "A"};
  for (const int side : {16, 2, 1}) image.channels.emplace_back(side, side, 0.5f);
  return image;
}

PointSet some_points(int count = 30) {
  PointSet points;
  points.domain = {32, 32, true};
  for (int i = 0; i < count; ++i) points.add({(7.3 * i) - 32 * (7 * i / 32), 0.9 * i}, 2);
  for (std::size_t i = 0; i < points.size(); ++i) points.x[i] = points.domain.wrapped(points[i]).x;
  return points;
}

// Sets that hold what no set may.
std::vector<PointSet> broken_sets() {
  std::vector<PointSet> sets(7, some_points());
  sets[0].y.resize(3);
  sets[1].radius.resize(3);
  sets[2].x[4] = nan;
  sets[3].y[4] = infinity;
  sets[4].klass = {1, 2};
  sets[5].domain = {0, 0, true};
  sets[6].domain = {nan, -5, true};
  return sets;
}

DensityField field() {
  return DensityField::constant({32, 32, false}, 4);
}

class Doors : public ::testing::Test {
 protected:
  // The call is refused, as what the caller got wrong or as too much.
  template <class Call>
  void refused(const std::string& what, Call&& call) {
    try {
      call();
      ADD_FAILURE() << what << " is accepted";
    } catch (const Error& error) {
      expect_kind(what, error);
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << " throws what is no Error: " << error.what();
    }
  }
  // It is refused so, or makes something.
  template <class Call>
  void answered(const std::string& what, Call&& call) {
    try {
      call();
    } catch (const Error& error) {
      expect_kind(what, error);
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << " throws what is no Error: " << error.what();
    }
  }
  static void expect_kind(const std::string& what, const Error& error) {
    const bool good = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input ||
                      error.kind() == ErrorKind::limit;
    EXPECT_TRUE(good) << what << ": " << error.what();
  }

  // The option is at fault by name, whoever is called with it.
  template <class Options, class Call>
  void names(const char* option, const std::function<void(Options&)>& change, Call&& call) {
    Options options;
    change(options);
    try {
      call(options);
      ADD_FAILURE() << option << " is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
      EXPECT_EQ(error.option(), option) << error.what();
    }
  }

  Context context;
};

TEST_F(Doors, OptionsOfASampler) {
  const auto call = [&](const SampleOptions& o) { sample(field(), o, 0, context); };
  using O = SampleOptions;
  names<O>(
      "tries", [](O& o) { o.tries = 0; }, call);
  names<O>(
      "tries", [](O& o) { o.tries = -3; }, call);
  names<O>(
      "start", [](O& o) { o.start = "left"; }, call);
  names<O>(
      "method", [](O& o) { o.method = static_cast<SampleMethod>(77); }, call);
  names<O>(
      "conflict", [](O& o) { o.conflict = static_cast<ConflictRule>(-1); }, call);
  names<O>(
      "keep", [](O& o) { o.keep.path = "not-loaded.csv"; }, call);
  PointsOptions all;
  all.wang = -2;
  all.size = {nan, 4};
  refused("a set of tiles", [&] { make_points(nullptr, all, context); });
  refused("-1 points", [&] { sample(field(), {}, -1, context); });
  answered("more points than fit", [&] { sample(field(), {}, std::int64_t{1} << 60, context); });
  for (int m = 0; m < 11; ++m) {
    O options;
    options.method = static_cast<SampleMethod>(m);
    answered("points beyond memory",
             [&] { sample(field(), options, std::numeric_limits<std::int64_t>::max(), context); });
  }
}

TEST_F(Doors, PointsThatAreKept) {
  SampleOptions options;
  PointSet bare = some_points(3);
  bare.radius.clear();
  options.keep.points = std::make_shared<PointSet>(bare);
  EXPECT_GT(sample(field(), options, 0, context).size(), 3u) << "r is that of the field";
  for (PointSet& set : broken_sets()) {
    options.keep.points = std::make_shared<PointSet>(std::move(set));
    answered("a broken set", [&] { sample(field(), options, 0, context); });
  }
}

TEST_F(Doors, Fields) {
  for (const double v : hostile) {
    refused("a radius", [&] {
      DensityField::constant({32, 32, false}, v > 1 && v < infinity ? 0 : v);
    });
    if (v != 1e300) refused("a domain", [&] { DensityField::constant({v, 32, false}, 4); });
    if (v != 1e300) refused("a domain", [&] { DensityField::constant({32, v, true}, 4); });
    if (v != 1e300) {
      refused("a scale", [&] {
        DensityField::from_density(Plane<float>(4, 4, 1.0f), {4, 4, false}, v, 1.0);
      });
      refused("a slope", [&] {
        DensityField::from_density(Plane<float>(4, 4, 1.0f), {4, 4, false}, 1, v);
      });
      refused("a factor", [&] { field().scaled(v); });
      refused("a slope", [&] {
        Plane<float> radius(4, 4, 1.0f);
        limit_slope(radius, v, false);
      });
    }
    if (!(v >= 0 && v < 1e300)) refused("an inset", [&] { field().with_inset(v, Inside::points); });
  }
  refused("an inset without room", [&] { field().with_inset(1e300, Inside::discs); });
  refused("r_min above r_max", [&] {
    DensityField::from_density(Plane<float>(4, 4, 1.0f), {4, 4, false}, 1, 1.0, 3, 2);
  });
  refused("no density", [&] { DensityField::from_density({}, {4, 4, false}, 1, 1.0); });
  refused("no radius", [&] { DensityField::from_radius({}, {4, 4, false}, 1.0); });
}

TEST_F(Doors, Maps) {
  using O = FieldOptions;
  const Image map = gray(16, 16);
  const auto call = [&](const O& o) { make_field(map, o, false, {16, 0}, 100, context); };
  names<O>(
      "gamma", [](O& o) { o.gamma = 0; }, call);
  names<O>(
      "gamma", [](O& o) { o.gamma = nan; }, call);
  names<O>(
      "black", [](O& o) { o.black = nan; }, call);
  names<O>(
      "white", [](O& o) { o.white = o.black = 0.5; }, call);
  names<O>(
      "count", [](O& o) { o.count = -3; }, call);
  names<O>(
      "slope", [](O& o) { o.slope = -1; }, call);
  names<O>(
      "radius",
      [](O& o) {
        o.radius = {{-4, Unit::px}, {-4, Unit::px}};
      },
      call);
  names<O>(
      "radius",
      [](O& o) {
        o.radius = {{4, Unit(77)}, {4, Unit(77)}};
      },
      call);
  names<O>(
      "as", [](O& o) { o.as = static_cast<MapKind>(77); }, call);
  names<O>(
      "mask", [](O& o) { o.mask.path = "not-loaded.png"; }, call);
  for (const Image& image : {Image(), gray(0, 0), uneven()}) {
    refused("a broken image", [&] { read_demand(image, {}, context); });
    refused("a broken image", [&] { make_field(image, {}, false, {16, 0}, 100, context); });
    FieldOptions masked;
    masked.mask.image = std::make_shared<Image>(image);
    refused("a broken mask", [&] { read_demand(map, masked, context); });
  }
  refused("no points", [&] { make_field(map, {}, false, {16, 0}, 0, context); });
  refused("no points", [&] { make_constant_field({16, 16, false}, {}, {16, 0}, -1); });
  refused("no domain", [&] { make_constant_field({0, -4, false}, {}, {16, 0}, 10); });
}

TEST_F(Doors, AllProblemsAtOnce) {
  StippleOptions options;
  options.regularity = 99;
  options.edges = nan;
  options.margin = {-40, Unit::mm};
  options.method = static_cast<StippleMethod>(77);
  options.plotter.speed = 0;
  try {
    stipple(gray(16, 16), {}, options, context);
    FAIL() << "accepted";
  } catch (const Error& error) {
    std::vector<std::string> found;
    for (const Problem& problem : error.problems()) found.push_back(problem.option);
    EXPECT_EQ(found,
              (std::vector<std::string>{"method", "regularity", "edges", "margin", "speed"}));
    EXPECT_EQ(error.problems()[1].text(), "regularity: must be from 0 to 1, not 99");
  }
}

TEST_F(Doors, DefaultsPass) {
  check(FieldOptions());
  check(SampleOptions());
  check(ScatterOptions());
  check(MaskOptions());
  check(DitherOptions());
  check(SiteOptions(), WorleyOptions());
  check(PointsOptions());
  check(WorleyLook());
  check(WorleyChannels());
  check(StippleOptions());
  check(Plotter());
}

TEST_F(Doors, Stipplings) {
  using O = StippleOptions;
  const Image image = gray(16, 16);
  const auto call = [&](const O& o) { stipple(image, {}, o, context); };
  names<O>(
      "regularity", [](O& o) { o.regularity = nan; }, call);
  names<O>(
      "dots", [](O& o) { o.dots = -1; }, call);
  names<O>(
      "margin",
      [](O& o) {
        o.margin = {nan, Unit::mm};
      },
      call);
  names<O>(
      "gap",
      [](O& o) {
        o.gap = {-1, Unit::mm};
      },
      call);
  names<O>(
      "dpi", [](O& o) { o.dpi = 0; }, call);
  names<O>(
      "paper",
      [](O& o) {
        o.paper = {-210, 297, 1, Unit::mm};
      },
      call);
  names<O>(
      "ink", [](O& o) { o.ink.path = "blac"; }, call);
  names<O>(
      "background", [](O& o) { o.background = "blac"; }, call);
  names<O>(
      "shape", [](O& o) { o.shape = DotShape::outline; }, call);
  names<O>(
      "regularity", [](O& o) { o.regularity = -1; },
      [](const O& o) { StippleSequence(FieldOptions(), o); });
  for (const Image& broken : {Image(), gray(0, 0), uneven()}) {
    refused("a broken image", [&] { stipple(broken, {}, {}, context); });
  }
}

TEST_F(Doors, Masks) {
  using O = MaskOptions;
  const auto ranks = [&](const O& o) { make_ranks(16, 16, o, context); };
  const auto mask = [&](const O& o) { make_mask(o, context); };
  names<O>(
      "sigma", [](O& o) { o.sigma = 50; }, ranks);
  names<O>(
      "sigma", [](O& o) { o.sigma = nan; }, mask);
  names<O>(
      "channels", [](O& o) { o.channels = 0; }, mask);
  names<O>(
      "channels", [](O& o) { o.channels = 9; }, mask);
  names<O>(
      "kind", [](O& o) { o.kind = static_cast<MaskKind>(77); }, mask);
  names<O>(
      "bits", [](O& o) { o.bits = static_cast<MaskBits>(77); }, mask);
  names<O>(
      "size",
      [](O& o) {
        o.size = {-4, 8};
      },
      mask);
  names<O>(
      "size",
      [](O& o) {
        o.size = {nan, 8};
      },
      mask);
  O deep;
  deep.size = {8, 8, 1e300};
  refused("a depth", [&] { mask(deep); });
  for (const int side : hostile_sides) {
    refused("a side", [&] { make_ranks(side, 8, {}, context); });
    refused("a side", [&] { make_ranks(side, side, {}, context); });
  }
  refused("no ranks", [&] { mask_image({}, {}); });
  refused("uneven ranks", [&] { mask_image({Plane<std::int32_t>(4, 4), {}}, {}); });
  refused("no mask", [&] { stored_mask({}, {}); });
  refused("no mask", [&] { analyze_mask({}, context); });
  refused("an uneven mask", [&] { analyze_mask(uneven(), context); });
  O of_points;
  for (PointSet& set : broken_sets()) {
    of_points.points.points = std::make_shared<PointSet>(std::move(set));
    refused("a broken set", [&] { make_ranks(16, 16, of_points, context); });
  }
}

TEST_F(Doors, Dithers) {
  using O = DitherOptions;
  const auto call = [&](const O& o) { dither(gray(16, 16), o, context); };
  for (const int levels : {0, 1, -2, 257})
    names<O>(
        "levels", [=](O& o) { o.levels = levels; }, call);
  names<O>(
      "strength", [](O& o) { o.strength = nan; }, call);
  names<O>(
      "colours", [](O& o) { o.colors = 1; }, call);
  names<O>(
      "palette", [](O& o) { o.palette.path = "not-loaded.gpl"; }, call);
  names<O>(
      "alpha", [](O& o) { o.alpha = static_cast<DitherAlpha>(77); }, call);
  for (const Image& broken : {Image(), gray(0, 0), uneven()}) {
    refused("a broken image", [&] { dither(broken, {}, context); });
    O masked;
    masked.mask.image = std::make_shared<Image>(broken);
    refused("a broken mask", [&] { call(masked); });
  }
}

TEST_F(Doors, CellTextures) {
  using O = WorleyOptions;
  const PointSet sites = some_points();
  const auto call = [&](const O& o) { worley(sites, 16, 16, o, context); };
  names<O>(
      "octaves", [](O& o) { o.octaves = 0; }, call);
  names<O>(
      "octaves", [](O& o) { o.octaves = 99; }, call);
  names<O>(
      "frames", [](O& o) { o.frames = -1; }, call);
  names<O>(
      "warp",
      [](O& o) {
        o.warp = {nan, Unit::px};
      },
      call);
  names<O>(
      "power", [](O& o) { o.power = nan; }, call);
  names<O>(
      "outputs", [](O& o) { o.outputs = {"nothing"}; }, call);
  names<O>(
      "outputs", [](O& o) { o.outputs = {}; }, call);
  names<O>(
      "metric",
      [](O& o) {
        o.metric = {Metric::minkowski, 0};
      },
      call);
  names<O>(
      "roughness", [](O& o) { o.roughness = 4; }, [](const O& o) { has_rows(o); });
  for (const int side : hostile_sides) {
    refused("a side", [&] { worley(sites, side, 64, {}, context); });
    refused("a side", [&] { worley(sites, 64, side, {}, context); });
    refused("a side", [&] { worley_rows({&sites, 1}, side, 64, {}, context); });
    refused("a side", [&] { worley_picture({&sites, 1}, 64, side, {}, {}, context); });
  }
  for (const PointSet& set : broken_sets()) {
    refused("a broken set", [&] { worley(set, 16, 16, {}, context); });
    SiteOptions given;
    given.points.points = std::make_shared<PointSet>(set);
    answered("a broken set", [&] { worley_sites(given, {}, context); });
  }
  refused("no octaves", [&] { worley(std::span<const PointSet>(), 16, 16, {}, context); });
  const O plain;
  const ImageRows rows = worley_rows({&sites, 1}, 16, 16, plain, context);
  refused("rows beyond", [&] { rows.rows(9, 99); });
  refused("rows backwards", [&] { rows.rows(9, 3); });
  SiteOptions turned;
  turned.size = {-4, 8};
  refused("a size", [&] { worley_sites(turned, {}, context); });
  for (const int octaves : {0, -1, 99}) {
    refused("octaves", [&] { worley_octaves({}, octaves, {}, context); });
  }
}

TEST_F(Doors, LooksOfTextures) {
  using O = WorleyLook;
  const Image texture = worley(some_points(), 16, 16, {}, context);
  const auto call = [&](const O& o) { normalized(texture, o); };
  names<O>(
      "curve", [](O& o) { o.curve = 0; }, call);
  names<O>(
      "relief", [](O& o) { o.relief = nan; }, call);
  refused("no texture", [&] { normalized(Image()); });
  refused("no rows", [&] { normalized(ImageRows()); });
  refused("an uneven texture", [&] { normalized(uneven()); });
  WorleyChannels channels;
  channels.pack = {"R=f1"};
  refused("no texture", [&] { arranged({}, channels); });
  refused("a pack", [&] { packed_outputs(std::vector<std::string>{"", "R", "=", "R="}); });
  answered("no pack", [&] { packed_channels({}); });
}

TEST_F(Doors, PointSets) {
  for (const PointSet& set : broken_sets()) {
    answered("an index", [&] {
      const PointIndex index(set);
      std::vector<Neighbor> found;
      index.nearest({1, 1}, 3, found);
    });
    answered("an order", [&] { drawing_order(set, DotOrder::travel, context); });
    answered("a bound", [&] { way_bound(set, context); });
    refused("a proof", [&] { certify(set, field(), ConflictRule::mean, context); });
    refused("figures", [&] { analyze_points(set, context); });
    refused("figures", [&] { analyze_stippling(set, Plane<float>(8, 8, 0.5f), context); });
    refused("a file", [&] { encode_points(set, "csv"); });
    refused("a picture", [&] { draw_points(set); });
    PointSet scattered = set;
    ScatterOptions three;
    three.classes = "3";
    refused("objects", [&] { scatter(scattered, three, {32, 0}, 0, context); });
  }
  PointSet negative = some_points();
  negative.klass.assign(negative.size(), -7);
  refused("classes below 0", [&] { draw_points(negative); });
  refused("another domain", [&] {
    certify(some_points(), DensityField::constant({5, 5, false}, 4), ConflictRule::mean, context);
  });
  refused("an order", [&] { drawing_order(some_points(), static_cast<DotOrder>(77), context); });
  answered("no dots", [&] { analyze_stippling({}, {}, context); });
  answered("no points", [&] { analyze_points({}, context); });
  refused("a rule", [&] { packing_constant(static_cast<SampleMethod>(77), ConflictRule::mean); });
  answered("a rule", [&] { conflict_distance(static_cast<ConflictRule>(77), nan, infinity); });

  PointIndex index(some_points(3));
  const PointIndex moved = std::move(index);
  std::vector<Neighbor> found;
  refused("an index after a move", [&] { index.within({1, 1}, 3, found); });
  refused("an index after a move", [&] { index.nearest_of_all(3, context); });
  refused("no place", [&] { moved.within({nan, 1}, 3, found); });
  answered("all neighbors", [&] { moved.nearest({1, 1}, 2147483647, found, -77); });
}

TEST_F(Doors, Objects) {
  using O = ScatterOptions;
  const auto call = [&](const O& o) {
    PointSet points = some_points();
    scatter(points, o, {32, 0}, 0, context);
  };
  for (const char* classes : {"-4", "0", "1e9", "nan", "0.5,-1", ","}) {
    names<O>(
        "classes", [=](O& o) { o.classes = classes; }, call);
  }
  names<O>(
      "rotation", [](O& o) { o.rotation = "left"; }, call);
  names<O>(
      "object-size",
      [](O& o) {
        o.size = {{5, Unit::px}, {nan, Unit::px}};
      },
      call);
}

TEST_F(Doors, Windows) {
  for (const double v : hostile) {
    if (v == 1e300) continue;
    refused("a radius", [&] { EndlessPoints(v, {0, 0, 9, 9}, context); });
    refused("a window", [&] { sample_window(1, {0, 0, v, 9}, context); });
    refused("a side", [&] { wang_tiles(v, 1, 2, context); });
    refused("a radius", [&] { wang_tiles(20, v, 2, context); });
    refused("a depth", [&] { sample_volume({8, 8, false}, v, 10, 0, context); });
    refused("a radius", [&] { sample_volume({8, 8, false}, 8, 0, v, context); });
  }
  refused("sides", [&] { sample_volume({-4, -8, false}, 8, 10, 1, context); });
  refused("points", [&] { sample_volume({4, 8, false}, 8, -10, 1, context); });
  refused("colors", [&] { wang_tiles(20, 2, 77, context); });
  EndlessPoints endless(1, {0, 0, 9, 9}, context);
  EndlessPoints other = std::move(endless);
  std::vector<Vec2> strip;
  refused("points after a move", [&] { endless.next(strip); });
  EXPECT_TRUE(other.next(strip));
}

TEST_F(Doors, Planes) {
  refused("a side", [] { Plane<float>(-1, 4); });
  refused("a side", [] { Plane<float>::unset(4, -1); });
  refused("sides", [] { Plane<float>(2147483647, 2147483647); });
  const Image image = gray(16, 16);
  refused("a slice", [&] { slice_of(image, 9); });
  refused("a slice", [&] { slice_of(image, -1); });
  refused("a slice", [&] { slice_of(image.channels[0], 9, 2); });
  refused("slices", [&] { slice_of(image.channels[0], 0, 0); });
  refused("rows", [&] { rows_of(image, 40, 99); });
  refused("rows", [&] { rows_of(image, 9, 3); });
  refused("rows", [&] { rows_of(image, -1, 3); });
  refused("uneven planes", [&] { rows_of(uneven(), 0, 16); });
  Image all;
  refused("a strip", [&] { put_strip(all, image, 3, 2); });
  refused("a strip that has no first", [&] { put_strip(all, image, 1, 2); });
  Image slices = gray(4, 4);
  slices.slices = 0;
  refused("no slices", [&] { dither(slices, {}, context); });
}

TEST_F(Doors, Drawings) {
  const auto with = [](double v) {
    Drawing drawing;
    drawing.width = drawing.height = 10;
    drawing.layers.push_back({"1", "#000000", {{{5, v}, 1}}, {{{{1, 1}, {v, 2}}, 1}}, {}});
    return drawing;
  };
  for (const double v : {1e300, -1e300, nan, infinity}) {
    refused("a place", [&] { rasterize(with(v), 16, 16, context); });
    refused("a place", [&] { forecast(with(v)); });
    for (const char* format : {"svg", "pdf", "plt", "gcode"}) {
      refused("a place", [&] { encode_drawing(with(v), format); });
    }
    Drawing paper = with(1);
    paper.width = v;
    refused("a paper", [&] { rasterize(paper, 16, 16, context); });
    answered("a box", [&] { disc_box_area({v, 1}, v, {0, 0, 1, 1}); });
    answered("a spiral", [&] { spiral({{1, 1}, v}, 0.1); });
    answered("a spiral", [&] { spiral({{1, 1}, 1}, v); });
  }
  Drawing shapeless = with(1);
  shapeless.shape = DotShape::outline;
  refused("no shape", [&] { rasterize(shapeless, 16, 16, context); });
  Drawing slow = with(1);
  slow.plotter.speed = 0;
  refused("a plotter that stands", [&] { forecast(slow); });
  refused("a pen too thin", [] { spiral({{1, 1}, 1000}, 1e-9); });
  refused("no outline", [] { make_outline({}); });
  for (const int side : hostile_sides) {
    refused("a side", [&] { rasterize(with(1), side, 16, context); });
  }
}

TEST_F(Doors, Files) {
  for (const Image& broken : {Image(), gray(0, 0), uneven()}) {
    for (const char* format : {"png", "tif", "npy", "ktx2"}) {
      refused("a broken image", [&] { encode_image(broken, format); });
    }
    refused("a broken image", [&] { array_layout(broken, {}); });
  }
  answered("a frame", [] { frame_name("a-{frame}.png", 123456789, 2); });
  answered("a frame", [] { frame_name("a-{frame}.png", -5, -5); });
  refused("no frame", [] { frame_digits("a.png", "b.png"); });
  refused("a format", [&] { encode_drawing({}, "xyz"); });
  refused("a format", [&] { encode_points(some_points(), "xyz"); });
}

// Reports that no analysis makes.
TEST_F(Doors, Reports) {
  const QualityReport right = analyze_points(some_points(), context);
  const auto broken = [&](const std::function<void(QualityReport&)>& change) {
    for (const char* kind : {"points", "mask", "stippling"}) {
      QualityReport report = right;
      report.kind = kind;
      change(report);
      refused("a broken report", [&] { report_sheet(report, context); });
      const std::vector<Compared> sets{{"one", some_points(), report}};
      refused("a broken report", [&] { compare_sheet(sets, context); });
    }
  };
  broken([](QualityReport& report) { report.curves.push_back({"c", "x", "y", "", {1, 2}, {1}}); });
  broken([](QualityReport& report) { report.curves.push_back({"c", "x", "y", "", {1}, {1, 2}}); });
  for (const double place : {nan, infinity, -infinity}) {
    broken([&](QualityReport& report) {
      report.curves.push_back({"c", "x", "y", "", {0, place}, {1, 1}});
    });
  }
  broken([](QualityReport& report) { report.pictures.push_back({"p", {}}); });
  for (const double value : hostile) {
    QualityReport report = right;
    report.spectrum_extent = value;
    report.measurements.push_back({"m", value, "\xff", "\x1b"});
    report.curves.push_back({"c", "x", "y", "", {0, 1}, {value, 1}});
    report.curves.push_back({"d", "x", "y", "", {value > 0 ? 0.0 : 1.0, 1e300}, {value, 1}, true});
    answered("a figure", [&] { report_sheet(report, context); });
    answered("a figure", [&] { report_json(report); });
    answered("a figure", [&] { report_text(report); });
  }
  QualityReport empty;
  for (const char* kind : {"", "points", "mask", "stippling", "xyz"}) {
    empty.kind = kind;
    answered("an empty report", [&] { report_sheet(empty, context); });
  }
  refused("nothing to compare", [&] { compare_sheet({}, context); });
  answered("nothing to compare", [&] { compare_text({}); });
  for (const PointSet& points : broken_sets()) {
    const std::vector<Compared> sets{{"one", points, right}};
    refused("a broken set", [&] { compare_sheet(sets, context); });
  }
  const Result nothing;
  for (const Measured kind : {Measured::points, Measured::stippling, Measured::mask}) {
    refused("a result of nothing", [&] { measure(nothing, kind, context); });
  }
}

TEST_F(Doors, AThousandThreads) {
  context.threads = 1000;
  EXPECT_LE(thread_count(context), 1000);
  std::vector<int> seen(5000);
  parallel_for(context, seen.size(), [&](std::size_t i) { seen[i] = 1; });
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 5000);
  context.threads = -7;
  EXPECT_GE(thread_count(context), 1);
}

}  // namespace

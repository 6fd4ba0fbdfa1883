// Options that no caller should give. Every public function answers them with an Error that says
// what is wrong, or with a right result, and never ends or hangs the program that called it.
#include "old_names.hpp"
#include "preconditions/preconditions.hpp"

namespace {

using namespace dapple;
using namespace dapple::test;

TEST_F(Preconditions, OptionsOfASampler) {
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
  all.size = {not_a_number, 4};
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

TEST_F(Preconditions, PointsThatAreKept) {
  SampleOptions options;
  Points bare = some_points(3);
  bare.radius.clear();
  options.keep.points = std::make_shared<Points>(bare);
  EXPECT_GT(sample(field(), options, 0, context).size(), 3u) << "r is that of the field";
  for (Points& set : broken_sets()) {
    options.keep.points = std::make_shared<Points>(std::move(set));
    answered("a broken set", [&] { sample(field(), options, 0, context); });
  }
}

TEST_F(Preconditions, Fields) {
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
    if (!(v >= 0 && v < 1e300))
      refused("an inset", [&] { field().with_inset(v, Containment::points); });
  }
  refused("an inset without room", [&] { field().with_inset(1e300, Containment::discs); });
  refused("r_min above r_max", [&] {
    DensityField::from_density(Plane<float>(4, 4, 1.0f), {4, 4, false}, 1, 1.0, 3, 2);
  });
  refused("no density", [&] { DensityField::from_density({}, {4, 4, false}, 1, 1.0); });
  refused("no radius", [&] { DensityField::from_radius({}, {4, 4, false}, 1.0); });
}

TEST_F(Preconditions, Maps) {
  using O = FieldOptions;
  const Image map = gray(16, 16);
  const auto call = [&](const O& o) { make_field(map, o, false, {16, 0}, 100, context); };
  names<O>(
      "gamma", [](O& o) { o.map.gamma = 0; }, call);
  names<O>(
      "gamma", [](O& o) { o.map.gamma = not_a_number; }, call);
  names<O>(
      "black", [](O& o) { o.map.black = not_a_number; }, call);
  names<O>(
      "white", [](O& o) { o.map.white = o.map.black = 0.5; }, call);
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
      "as", [](O& o) { o.map.as = static_cast<MapKind>(77); }, call);
  names<O>(
      "mask", [](O& o) { o.map.mask.path = "not-loaded.png"; }, call);
  for (const Image& image : {Image(), gray(0, 0), uneven()}) {
    refused("a broken image", [&] { target_density(image, {}, context); });
    refused("a broken image", [&] { make_field(image, {}, false, {16, 0}, 100, context); });
    PictureOptions masked;
    masked.mask.image = std::make_shared<Image>(image);
    refused("a broken mask", [&] { target_density(map, masked, context); });
  }
  refused("no points", [&] { make_field(map, {}, false, {16, 0}, 0, context); });
  refused("no points", [&] { make_constant_field({16, 16, false}, {}, {16, 0}, -1); });
  refused("no domain", [&] { make_constant_field({0, -4, false}, {}, {16, 0}, 10); });
}

TEST_F(Preconditions, AllProblemsAtOnce) {
  StippleOptions options;
  options.regularity = 99;
  options.invert_darks = not_a_number;
  options.margin = {-40, Unit::mm};
  options.method = static_cast<StippleMethod>(77);
  options.plotter.speed = 0;
  try {
    stipple(gray(16, 16), {}, options, context);
    FAIL() << "accepted";
  } catch (const Error& error) {
    std::vector<std::string> found;
    for (const Problem& problem : error.problems()) found.push_back(problem.option);
    EXPECT_EQ(found, (std::vector<std::string>{"method", "regularity", "invert-darks", "margin",
                                               "speed"}));
    EXPECT_EQ(error.problems()[1].text(), "regularity: must be from 0 to 1, not 99");
  }
}

TEST_F(Preconditions, DefaultsPass) {
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

TEST_F(Preconditions, Stipplings) {
  using O = StippleOptions;
  const Image image = gray(16, 16);
  const auto call = [&](const O& o) { stipple(image, {}, o, context); };
  names<O>(
      "regularity", [](O& o) { o.regularity = not_a_number; }, call);
  names<O>(
      "dots", [](O& o) { o.dots = -1; }, call);
  names<O>(
      "margin",
      [](O& o) {
        o.margin = {not_a_number, Unit::mm};
      },
      call);
  names<O>(
      "gap",
      [](O& o) {
        o.gap = {-1, Unit::mm};
      },
      call);
  names<O>(
      "dpi", [](O& o) { o.dpi = -1; }, call);
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
      [](const O& o) { StippleSequence(PictureOptions(), o); });
  for (const Image& broken : {Image(), gray(0, 0), uneven()}) {
    refused("a broken image", [&] { stipple(broken, {}, {}, context); });
  }
}

TEST_F(Preconditions, Masks) {
  using O = MaskOptions;
  const auto ranks = [&](const O& o) { make_ranks(16, 16, o, context); };
  const auto mask = [&](const O& o) { make_mask(o, context); };
  names<O>(
      "sigma", [](O& o) { o.sigma = 50; }, ranks);
  names<O>(
      "sigma", [](O& o) { o.sigma = not_a_number; }, mask);
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
        o.size = {not_a_number, 8};
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
  for (Points& set : broken_sets()) {
    of_points.points.points = std::make_shared<Points>(std::move(set));
    refused("a broken set", [&] { make_ranks(16, 16, of_points, context); });
  }
}

TEST_F(Preconditions, Dithers) {
  using O = DitherOptions;
  const auto call = [&](const O& o) { dither(gray(16, 16), o, context); };
  for (const int levels : {0, 1, -2, 257})
    names<O>(
        "levels", [=](O& o) { o.levels = levels; }, call);
  names<O>(
      "strength", [](O& o) { o.strength = not_a_number; }, call);
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

TEST_F(Preconditions, CellTextures) {
  using O = WorleyOptions;
  const Points sites = some_points();
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
        o.warp = {not_a_number, Unit::px};
      },
      call);
  names<O>(
      "power", [](O& o) { o.power = not_a_number; }, call);
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
  for (const Points& set : broken_sets()) {
    refused("a broken set", [&] { worley(set, 16, 16, {}, context); });
    SiteOptions given;
    given.points.points = std::make_shared<Points>(set);
    answered("a broken set", [&] { worley_sites(given, {}, context); });
  }
  refused("no octaves", [&] { worley(std::span<const Points>(), 16, 16, {}, context); });
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

TEST_F(Preconditions, LooksOfTextures) {
  using O = WorleyLook;
  const Image texture = worley(some_points(), 16, 16, {}, context);
  const auto call = [&](const O& o) { normalized(texture, o); };
  names<O>(
      "curve", [](O& o) { o.curve = 0; }, call);
  names<O>(
      "relief", [](O& o) { o.relief = not_a_number; }, call);
  refused("no texture", [&] { normalized(Image()); });
  refused("no rows", [&] { normalized(ImageRows()); });
  refused("an uneven texture", [&] { normalized(uneven()); });
  WorleyChannels channels;
  channels.pack = {"R=f1"};
  refused("no texture", [&] { arranged({}, channels); });
  refused("a pack", [&] { packed_outputs(std::vector<std::string>{"", "R", "=", "R="}); });
  answered("no pack", [&] { packed_channels({}); });
}

}  // namespace

// Points, planes, drawings and reports that no caller should give: answered with an Error that says
// what is wrong, or with a right result.
#include "core/parallel.hpp"
#include "dapple/files.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"
#include "preconditions/preconditions.hpp"

namespace {

using namespace dapple;
using namespace dapple::test;

TEST_F(Preconditions, PointSets) {
  for (const Points& set : broken_sets()) {
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
    Points scattered = set;
    ScatterOptions three;
    three.classes = "3";
    refused("objects", [&] { scatter(scattered, three, {32, 0}, 0, context); });
  }
  Points negative = some_points();
  negative.class_id.assign(negative.size(), -7);
  refused("classes below 0", [&] { draw_points(negative); });
  refused("another domain", [&] {
    certify(some_points(), DensityField::constant({5, 5, false}, 4), ConflictRule::mean, context);
  });
  refused("an order", [&] { drawing_order(some_points(), static_cast<DotOrder>(77), context); });
  answered("no dots", [&] { analyze_stippling({}, {}, context); });
  answered("no points", [&] { analyze_points({}, context); });
  refused("a rule", [&] { packing_constant(static_cast<SampleMethod>(77), ConflictRule::mean); });
  answered("a rule",
           [&] { conflict_distance(static_cast<ConflictRule>(77), not_a_number, infinity); });

  PointIndex index(some_points(3));
  const PointIndex moved = std::move(index);
  std::vector<Neighbor> found;
  refused("an index after a move", [&] { index.within({1, 1}, 3, found); });
  refused("an index after a move", [&] { index.nearest_of_all(3, context); });
  refused("no place", [&] { moved.within({not_a_number, 1}, 3, found); });
  answered("all neighbors", [&] { moved.nearest({1, 1}, 2147483647, found, -77); });
}

TEST_F(Preconditions, Objects) {
  using O = ScatterOptions;
  const auto call = [&](const O& o) {
    Points points = some_points();
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
        o.size = {{5, Unit::px}, {not_a_number, Unit::px}};
      },
      call);
}

TEST_F(Preconditions, CutSets) {
  SampleOptions cut;
  cut.frame = FrameEdge::cut;
  const Space box = Space::box({9, 9, false}, 9);
  refused("no class", [&] { sample(box, ClassRadii{}, cut, context); });
  for (const double v : hostile) {
    refused("a side", [&] { sample(Space::box({9, v, false}, 9), 1.0, cut, context); });
    refused("a depth", [&] { sample(Space::box({9, 9, false}, v), 1.0, cut, context); });
    if (v != 1e300) refused("a radius", [&] { sample(box, v, cut, context); });
  }
  cut.frame = static_cast<FrameEdge>(9);
  refused("a frame", [&] { sample(box, 1.0, cut, context); });
}

TEST_F(Preconditions, PointsInSpace) {
  const Points round = sample(Space::on_sphere(1), 0.4, {}, context);
  const auto refuse = [&](const char* what, const auto& damage) {
    Points points = round;
    damage(points);
    refused(what, [&] { encode_points(points, "csv"); });
    refused(what, [&] { encode_points(points, "glb"); });
    refused(what, [&] { draw_in_space(points, 40, 30, context); });
  };
  refuse("z", [](Points& points) { points.z.pop_back(); });
  refuse("a part of normals", [](Points& points) { points.ny.clear(); });
  refuse("classes", [](Points& points) { points.class_id = {1}; });
  Points flat = sample(Domain{9, 9, false}, 1.0, {}, context);
  flat.y.pop_back();
  refused("y", [&] { order(flat, context); });
  ClassFields fields{{DensityField::constant({9, 9, false}, 1)}};
  for (const double v : {0.0, -1.0, std::nan("")}) {
    fields.scale = v;
    refused("a scale", [&] { sample(Domain{9, 9, false}, fields, {}, context); });
  }
}

TEST_F(Preconditions, Windows) {
  for (const double v : hostile) {
    if (v == 1e300) continue;
    refused("a radius", [&] { EndlessPoints(v, {0, 0, 9, 9}, context); });
    refused("a window", [&] { sample_window(1, {0, 0, v, 9}, context); });
    refused("a side", [&] { wang_tiles(v, 1, 2, context); });
    refused("a radius", [&] { wang_tiles(20, v, 2, context); });
    refused("a depth", [&] { sample_volume({8, 8, false}, v, 10, 0, context); });
    refused("a radius", [&] { sample_volume({8, 8, false}, 8, 0, v, context); });
    refused("a side", [&] { sample_4d({8, 8, 8, v}, true, 10, 0, context); });
    refused("a radius", [&] { sample_4d({8, 8, 8, 8}, true, 0, v, context); });
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

TEST_F(Preconditions, Planes) {
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

TEST_F(Preconditions, Drawings) {
  const auto with = [](double v) {
    Drawing drawing;
    drawing.width = drawing.height = 10;
    drawing.layers.push_back({"1", "#000000", {{{5, v}, 1}}, {{{{1, 1}, {v, 2}}, 1}}, {}});
    return drawing;
  };
  for (const double v : {1e300, -1e300, not_a_number, infinity}) {
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

TEST_F(Preconditions, Files) {
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
TEST_F(Preconditions, Reports) {
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
  for (const double place : {not_a_number, infinity, -infinity}) {
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
  for (const Points& points : broken_sets()) {
    const std::vector<Compared> sets{{"one", points, right}};
    refused("a broken set", [&] { compare_sheet(sets, context); });
  }
  const Result nothing;
  for (const Measured kind : {Measured::points, Measured::stippling, Measured::mask}) {
    refused("a result of nothing", [&] { measure(nothing, kind, context); });
  }
}

TEST_F(Preconditions, AThousandThreads) {
  context.threads = 1000;
  EXPECT_LE(thread_count(context), 1000);
  std::vector<int> seen(5000);
  parallel_for(context, seen.size(), [&](std::size_t i) { seen[i] = 1; });
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 5000);
  context.threads = -7;
  EXPECT_GE(thread_count(context), 1);
}

}  // namespace

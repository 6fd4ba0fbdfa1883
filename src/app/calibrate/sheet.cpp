#include "app/calibrate/sheet.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple::app {
namespace {

using Kind = CalibrationField::Kind;

constexpr double field_side = 16;  // mm; small, so that a sheet takes minutes, not hours
constexpr double field_pitch = 28;
constexpr double row_pitch = 28;
constexpr int columns = 3;
constexpr int rows = 4;
constexpr double cross_inset = 15;  // of the middle of a cross from two edges of the paper
constexpr double usual_pen = 0.5;
constexpr double usual_burn = 0.2;
constexpr double solid_spacing = 0.6;  // of the lines of a solid field, in widths

Box field_box(int place, const Drawing& drawing) {
  const int column = place % columns;
  const int row = place / columns;
  const double left =
      0.5 * (drawing.width - field_side) + (column - 0.5 * (columns - 1)) * field_pitch;
  const double top = 0.5 * (drawing.height - field_side) + (row - 0.5 * (rows - 1)) * row_pitch;
  return {left, top, left + field_side, top + field_side};
}

// Adds the dots of a stippling of one tone.
void add_dots(const Box& box, double tone, double width, Layer& layer, Context& context) {
  constexpr int pixels = 64;
  Image even;
  even.channels.emplace_back(pixels, pixels, static_cast<float>(tone));
  even.names = {"Y"};
  even.encoding = Encoding::data;
  MapOptions map;
  map.as = MapKind::density;
  StippleOptions options;
  options.shape = DotShape::point;
  options.pen = Length{width, Unit::mm};
  options.paper = Size{field_side, field_side, 1, Unit::mm};
  const Stippling made = stipple(even, PictureOptions(map), options, context);
  for (Disc disc : made.drawing.layers[0].discs) {
    disc.center = disc.center + Vec2{box.x0, box.y0};
    disc.radius = 0.5 * width;
    layer.discs.push_back(disc);
  }
}

void add_lines(const Box& box, double spacing, double width, Layer& layer) {
  const int count = std::max(2, static_cast<int>(field_side / spacing));
  for (int i = 0; i < count; ++i) {
    const double y = box.y0 + (i + 0.5) * field_side / count;
    Polyline line{{{box.x0, y}, {box.x1, y}}, width};
    if (i % 2 == 1) std::swap(line.points[0], line.points[1]);  // so that the pen travels little
    layer.lines.push_back(std::move(line));
  }
}

// Covers a field by one line to and fro.
void add_solid(const Box& box, double width, Layer& layer) {
  const int count = static_cast<int>(std::ceil(field_side / (solid_spacing * width)));
  Polyline line{{}, width};
  for (int i = 0; i <= count; ++i) {
    const double y = box.y0 + i * field_side / count;
    line.points.push_back({i % 2 == 0 ? box.x0 : box.x1, y});
    line.points.push_back({i % 2 == 0 ? box.x1 : box.x0, y});
  }
  layer.lines.push_back(std::move(line));
}

void add_cross(Vec2 at, double width, Layer& layer) {
  layer.lines.push_back({{at - Vec2{cross_arm, 0}, at + Vec2{cross_arm, 0}}, width});
  layer.lines.push_back({{at - Vec2{0, cross_arm}, at + Vec2{0, cross_arm}}, width});
}

void require_range(const char* option, const std::vector<double>& values, double most) {
  const auto is_good = [most](double v) { return v > 0 && v <= most; };
  constexpr std::size_t places = 3;
  if (!values.empty() && values.size() <= places &&
      std::all_of(values.begin(), values.end(), is_good)) {
    return;
  }
  throw Error(ErrorKind::usage, Problem{option, "must be one to three numbers above 0, at most " +
                                                    shortest(most) + ", separated by commas"});
}

}  // namespace

CalibrationSheet calibration_sheet(const CalibrationOptions& options, Context& context) {
  require_range("powers", options.powers, 100);
  require_range("dwells", options.dwells, 60);
  CalibrationSheet sheet;
  sheet.width = options.width > 0 ? options.width : options.laser ? usual_burn : usual_pen;
  Size paper = options.paper;
  if (options.paper.empty()) from_text("A5-portrait", paper);
  if (options.paper.plain) paper.unit = Unit::mm;
  Drawing& drawing = sheet.drawing;
  drawing.width = paper.width_mm();
  drawing.height = paper.height_mm();
  if (options.paper.turns && drawing.width > drawing.height)
    std::swap(drawing.width, drawing.height);
  const double least_width = 2 * (cross_inset + cross_arm) + field_pitch * (columns - 1);
  const double least_height = 2 * (cross_inset + cross_arm) + row_pitch * (rows - 1) + field_side;
  if (drawing.width < least_width || drawing.height < least_height) {
    throw Error(ErrorKind::usage,
                Problem{"paper", "must be at least " + shortest(least_width) + " x " +
                                     shortest(least_height) + " mm for the fields, not " +
                                     shortest(drawing.width) + " x " + shortest(drawing.height)});
  }
  drawing.shape = DotShape::point;
  drawing.pen = sheet.width;
  drawing.plotter = options.plotter;
  const double right = drawing.width - cross_inset;
  const double bottom = drawing.height - cross_inset;
  sheet.crosses = {
      {{cross_inset, cross_inset}, {right, cross_inset}, {right, bottom}, {cross_inset, bottom}}};
  sheet.mark = {cross_inset + 3 * cross_arm, cross_inset};

  const std::string ink = "black";
  drawing.layers.push_back({"1 " + ink, "#000000", {}, {}, {}, false, ink});
  for (const Vec2 at : sheet.crosses) add_cross(at, sheet.width, drawing.layers[0]);
  add_cross(sheet.mark, sheet.width, drawing.layers[0]);

  const auto add = [&](int place, Kind kind, double tone) {
    CalibrationField field{kind, field_box(place, drawing), drawing.layers.size() - 1};
    Layer& layer = drawing.layers.back();
    if (kind == Kind::dots) add_dots(field.box, tone, sheet.width, layer, context);
    if (kind == Kind::lines) add_lines(field.box, sheet.width / tone, sheet.width, layer);
    if (kind == Kind::solid) add_solid(field.box, sheet.width, layer);
    sheet.fields.push_back(field);
  };
  // Fields at the power of the plotter share its layer, before those with powers of their own.
  if (!options.laser) {
    int place = 0;
    for (const double tone : {0.1, 0.2, 0.35, 0.5, 0.65, 0.8}) add(place++, Kind::dots, tone);
    for (const double tone : {0.2, 0.35, 0.5, 0.65}) add(place++, Kind::lines, tone);
    add(place++, Kind::solid, 1);
    add(place++, Kind::solid, 1);
    return sheet;
  }
  constexpr int last_row = columns * (rows - 1);
  add(last_row, Kind::lines, 0.35);
  add(last_row + 1, Kind::solid, 1);
  add(last_row + 2, Kind::solid, 1);
  constexpr double burnt = 0.15;  // light enough that dots of twice the width lie apart
  for (std::size_t i = 0; i < options.powers.size(); ++i) {
    for (std::size_t k = 0; k < options.dwells.size(); ++k) {
      Layer layer;
      layer.name = std::to_string(drawing.layers.size() + 1) + " " + shortest(options.powers[i]) +
                   " % " + shortest(options.dwells[k]) + " s";
      layer.same_pen = true;
      layer.ink = ink;
      layer.laser_power = options.powers[i];
      layer.dwell = options.dwells[k];
      drawing.layers.push_back(std::move(layer));
      add(static_cast<int>(i) * columns + static_cast<int>(k), Kind::dots, burnt);
      sheet.fields.back().power = options.powers[i];
      sheet.fields.back().dwell = options.dwells[k];
    }
  }
  return sheet;
}

Drawing field_drawing(const CalibrationSheet& sheet, const CalibrationField& field, double width) {
  Drawing drawing;
  const Box& box = field.box;
  const Vec2 origin{box.x0 - field_surround, box.y0 - field_surround};
  drawing.width = drawing.height = field_side + 2 * field_surround;
  drawing.shape = DotShape::point;
  drawing.pen = width;
  const auto is_inside = [&](Vec2 p) {
    constexpr double hair = 1e-6;
    return p.x >= box.x0 - hair && p.y >= box.y0 - hair && p.x <= box.x1 + hair &&
           p.y <= box.y1 + hair;
  };
  const Layer& from = sheet.drawing.layers[field.layer];
  Layer layer;
  for (const Disc& disc : from.discs) {
    if (is_inside(disc.center)) layer.discs.push_back({disc.center - origin, 0.5 * width});
  }
  for (const Polyline& line : from.lines) {
    if (!is_inside(line.points.front())) continue;
    layer.lines.push_back({line.points, width});
    for (Vec2& p : layer.lines.back().points) p = p - origin;
  }
  drawing.layers.push_back(std::move(layer));
  return drawing;
}

}  // namespace dapple::app

// Cuts a drawing into tiles on one sheet, plotted one after the other. A straight seam shows,
// however well the sheet is placed: an error of a tenth of a millimeter makes it a light or dark
// line. So tiles share a band along the seam. A dot in the band goes to one tile by chance, more
// likely to the nearer one. The dots of each tile are even. A line ends at a random place in the
// band. The bands of two seams do not overlap.
#include "draw/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "draw/pen_path.hpp"
#include "draw/snap_to_grid.hpp"
#include "relax/dot_classes.hpp"

namespace dapple {
namespace {

enum class Axis { x, y };

double along(Axis axis, Vec2 p) {
  return axis == Axis::x ? p.x : p.y;
}

// One side of the paper in cells of the same length, with bands around the seams between them.
struct SideCells {
  Axis axis = Axis::x;
  int count = 1;
  double length = 0;  // of a cell
  double band = 0;    // half the width of a band

  int of(double v) const {
    return std::clamp(static_cast<int>(std::floor(v / length)), 0, count - 1);
  }
  double seam(int i) const { return length * i; }  // before cell i
  // Returns the seam whose band a place lies in; 0: none.
  int seam_near(double v) const {
    const int i = static_cast<int>(std::lround(v / length));
    return i > 0 && i < count && std::abs(v - seam(i)) < band ? i : 0;
  }
};

// Returns a cell for each dot. Two cells share the dots in a band.
std::vector<int> cells_of(const std::vector<Disc>& discs, const SideCells& cells, double width,
                          double height, Context& context) {
  std::vector<int> cell;
  std::vector<std::vector<std::size_t>> shared(static_cast<std::size_t>(cells.count));
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const double v = along(cells.axis, discs[i].center);
    cell.push_back(cells.of(v));
    const int seam = cells.seam_near(v);
    if (seam > 0) shared[static_cast<std::size_t>(seam)].push_back(i);
  }
  for (int seam = 1; seam < cells.count; ++seam) {
    const std::vector<std::size_t>& dots = shared[static_cast<std::size_t>(seam)];
    if (dots.empty()) continue;
    Points set;
    set.domain = {width, height, false};
    std::vector<std::vector<float>> shares(2);
    for (const std::size_t i : dots) {
      set.x.push_back(discs[i].center.x);
      set.y.push_back(discs[i].center.y);
      const double beyond = along(cells.axis, discs[i].center) - cells.seam(seam);
      const auto next = static_cast<float>(0.5 + 0.5 * beyond / cells.band);
      shares[0].push_back(1 - next);
      shares[1].push_back(next);
    }
    const std::vector<std::int32_t> side = dot_classes(set, shares, context);
    for (std::size_t k = 0; k < dots.size(); ++k) cell[dots[k]] = seam - 1 + side[k];
  }
  return cell;
}

struct Piece {
  Polyline line;
  int cell = 0;
};

// Cuts a line where it leaves its cell, each time at a new random place of the band.
class Cutter {
 public:
  Cutter(const SideCells& cells, Random random) : cells_(cells), random_(random) {}

  std::vector<Piece> cut(const Polyline& line) {
    pieces_.clear();
    if (line.points.empty()) return {};
    const int first = cells_.of(along(cells_.axis, line.points.front()));
    begin(line, first, line.points.front());
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      Vec2 from = line.points[i - 1];
      const Vec2 to = line.points[i];
      // Each turn of the loop advances by a cell.
      for (int steps = 0; steps <= cells_.count; ++steps) {
        const int cell = pieces_.back().cell;
        const double end = along(cells_.axis, to);
        const int way = end > upper_ ? 1 : end < lower_ ? -1 : 0;
        if (way == 0 || cell + way < 0 || cell + way >= cells_.count) break;
        const double bound = way > 0 ? upper_ : lower_;
        const double start = along(cells_.axis, from);
        // The segment may begin beyond the bound, if the step before passed the band.
        const double t = std::clamp((bound - start) / (end - start), 0.0, 1.0);
        from = from + (to - from) * t;
        pieces_.back().line.points.push_back(from);
        begin(line, cell + way, from);
      }
      pieces_.back().line.points.push_back(to);
    }
    return std::move(pieces_);
  }

 private:
  void begin(const Polyline& line, int cell, Vec2 at) {
    pieces_.push_back({{{at}, line.width}, cell});
    lower_ = cells_.seam(cell) - cells_.band * random_.uniform();
    upper_ = cells_.seam(cell + 1) + cells_.band * random_.uniform();
  }

  SideCells cells_;
  Random random_;
  std::vector<Piece> pieces_;
  double lower_ = 0;
  double upper_ = 0;
};

double side_of(const SideCells& cells, int cell, double reach) {
  double side = cells.length;
  if (cell > 0) side += cells.band + reach;
  if (cell + 1 < cells.count) side += cells.band + reach;
  return side;
}

class Tiler {
 public:
  Tiler(const Drawing& drawing, Context& context)
      : drawing_(drawing), context_(context), reach_(reach_of_marks(drawing)) {
    const Tiling& tiling = drawing.tiling;
    columns_ = {Axis::x, tiling.columns, drawing.width / tiling.columns, 0.5 * tiling.overlap};
    rows_ = {Axis::y, tiling.rows, drawing.height / tiling.rows, 0.5 * tiling.overlap};
    for (const SideCells* cells : {&columns_, &rows_}) {
      if (cells->count == 1 || cells->length >= 2 * (cells->band + reach_)) continue;
      throw Error(ErrorKind::usage,
                  Problem{"tiles", "a tile would be " + shortest(std::round(cells->length)) +
                                       "mm long, too short for the marks and the "
                                       "`tile-overlap`; use fewer tiles or a smaller overlap"});
    }
  }

  std::vector<DrawingTile> make() {
    for (int row = 0; row < rows_.count; ++row) {
      for (int column = 0; column < columns_.count; ++column) begin(column, row);
    }
    for (std::size_t i = 0; i < drawing_.layers.size(); ++i) share(i);
    for (DrawingTile& tile : tiles_) finish(tile);
    return std::move(tiles_);
  }

 private:
  void begin(int column, int row) {
    DrawingTile tile{column, row, {}, {}};
    const auto corner = [this](const SideCells& cells, int cell) {
      return cell == 0 ? 0 : cells.seam(cell) - cells.band - reach_;
    };
    tile.corner = {corner(columns_, column), corner(rows_, row)};
    tile.drawing = head_;
    tile.drawing.width = side_of(columns_, column, reach_);
    tile.drawing.height = side_of(rows_, row, reach_);
    for (const Layer& layer : drawing_.layers) {
      tile.drawing.layers.push_back(
          {layer.name, layer.color, {}, {}, {}, layer.same_pen, layer.ink});
    }
    tiles_.push_back(std::move(tile));
  }

  Layer& layer_of(int column, int row, std::size_t layer) {
    const int tile = row * columns_.count + column;
    return tiles_[static_cast<std::size_t>(tile)].drawing.layers[layer];
  }

  void share(std::size_t number) {
    const Layer& layer = drawing_.layers[number];
    const auto column = cells_of(layer.discs, columns_, drawing_.width, drawing_.height, context_);
    const auto row = cells_of(layer.discs, rows_, drawing_.width, drawing_.height, context_);
    for (std::size_t i = 0; i < layer.discs.size(); ++i) {
      layer_of(column[i], row[i], number).discs.push_back(layer.discs[i]);
    }
    std::uint64_t place = std::uint64_t{number} << 32;
    for (const Polyline& line : layer.lines) {
      const auto random = [&] {
        return Random(context_.seed, stream_of("seams of tiles"), place++);
      };
      for (const Piece& across : Cutter(columns_, random()).cut(line)) {
        for (Piece& piece : Cutter(rows_, random()).cut(across.line)) {
          layer_of(across.cell, piece.cell, number).lines.push_back(std::move(piece.line));
        }
      }
    }
  }

  void finish(DrawingTile& tile) {
    const Vec2 back = tile.corner * -1;
    for (Layer& layer : tile.drawing.layers) {
      for (Disc& disc : layer.discs) disc.center = disc.center + back;
      for (Polyline& line : layer.lines) {
        for (Vec2& p : line.points) p = p + back;
      }
      sort(layer, tile.drawing);
    }
    // A layer is the first of its pen if the layers before it are empty here.
    bool any = false;
    for (Layer& layer : tile.drawing.layers) {
      if (!layer.same_pen) any = false;
      layer.same_pen = layer.same_pen && any;
      any = any || !is_empty(layer);
    }
    tile.drawing.layers.insert(tile.drawing.layers.begin(), marks_of(tile));
  }

  // Orders the dots of one tile along the pen's way.
  void sort(Layer& layer, const Drawing& tile) const {
    if (drawing_.tiling.order == DotOrder::none || layer.discs.empty()) return;
    Points dots;
    dots.domain = {tile.width, tile.height, false};
    for (const Disc& disc : layer.discs) {
      dots.x.push_back(disc.center.x);
      dots.y.push_back(disc.center.y);
    }
    std::vector<Disc> sorted;
    for (const std::int32_t i : drawing_order(dots, drawing_.tiling.order, context_)) {
      sorted.push_back(layer.discs[static_cast<std::size_t>(i)]);
    }
    layer.discs = std::move(sorted);
  }

  // Returns crosses at the corners of the cell. Neighbors have them at the same places of the
  // sheet.
  Layer marks_of(const DrawingTile& tile) const {
    constexpr double arm = 2.5;  // mm
    const double width = drawing_.pen > 0 ? drawing_.pen : 0.2;
    Layer marks;
    marks.name = "0 registration";
    const auto within = [&](double v, double side) {
      const double room = arm + 0.5 * width;
      return std::clamp(v, room, std::max(room, side - room));
    };
    for (int down = 0; down < 2; ++down) {
      for (int right = 0; right < 2; ++right) {
        // A cross on the edge of the sheet moves inside it.
        const double x = within(columns_.seam(tile.column + right), drawing_.width);
        const double y = within(rows_.seam(tile.row + down), drawing_.height);
        const Vec2 p = Vec2{x, y} - tile.corner;
        marks.lines.push_back({{p - Vec2{arm, 0}, p + Vec2{arm, 0}}, width});
        marks.lines.push_back({{p - Vec2{0, arm}, p + Vec2{0, arm}}, width});
      }
    }
    return marks;
  }

  const Drawing& drawing_;
  Context& context_;
  double reach_;
  SideCells columns_;
  SideCells rows_;
  Drawing head_ = without_layers(drawing_);
  std::vector<DrawingTile> tiles_;

  static Drawing without_layers(const Drawing& drawing) {
    Drawing head = drawing;
    head.layers.clear();
    head.tiling = {};
    return head;
  }
};

}  // namespace

double reach_of_marks(const Drawing& drawing) {
  constexpr double arm = 2.5;  // mm, of registration crosses
  double reach = arm + 0.5 * drawing.pen;
  for (const Layer& layer : drawing.layers) {
    for (const Disc& disc : layer.discs) reach = std::max(reach, rim_of_mark(drawing, disc));
    for (const Polyline& line : layer.lines) reach = std::max(reach, 0.5 * line.width);
  }
  return reach;
}

std::vector<DrawingTile> tiles_of(const Drawing& drawing, Context& context) {
  require_drawable(drawing);
  return Tiler(drawing, context).make();
}

}  // namespace dapple

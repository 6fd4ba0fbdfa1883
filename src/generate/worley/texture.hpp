// Between the parts of the cell textures: the texture at any number of samples, what its outputs
// are made of, and its warp.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/output_row.hpp"
#include "generate/worley/search.hpp"
#include "generate/worley/shape.hpp"

namespace dapple::cells {

// worley() where a pixel of the options' lengths is `unit` pixels wide.
Image make_texture(std::span<const PointSet> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context);
// One slice of it, which lies at `place` from 0 to 1 of the depth; heights as they are, their range
// that of all slices where it is known.
Image make_slice(std::span<const PointSet> octaves, double place, int width, int height,
                 double unit, const WorleyOptions& options, const Extremes& heights,
                 Context& context);
// Refuses sites and sizes that make no texture of so many slices; warns of options that change
// nothing.
void check_texture(std::span<const PointSet> octaves, int width, int height, int slices,
                   const WorleyOptions& options, Context& context);
// Layers of a volume or frames of an animation; 1: neither. Throws Error(usage).
int slices_of(const WorleyOptions& options);
// Bytes, at most, while so many pixels are searched for at the same time.
double memory_needed(std::span<const PointSet> octaves, double pixels,
                     const WorleyOptions& options);
// Pixels that a length of the sites is.
double scale_of(const PointSet& sites, int width, int height);
// How far sites are lifted out of the slice (see SiteGrid); empty: not at all. Throws Error(usage)
// where that does not go with the metric.
std::vector<double> lifts_of(const PointSet& sites, int width, int height,
                             const WorleyOptions& options, double place);

// Cells longer than high, or higher than long: they are round on a raster that is finer along their
// short side.
class Stretch {
 public:
  Stretch(double stretch, int width, int height);

  explicit operator bool() const { return columns_ != width_ || rows_ != height_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  // Of the raster to a pixel; across the cells they are `across`.
  Vec2 steps() const { return {1.0 * columns_ / width_, 1.0 * rows_ / height_}; }
  double across() const { return std::max(steps().x, steps().y); }
  // The picture of planes of the raster. Distances are those across the cells.
  Plane<float> distances(const Plane<float>& raster, bool wrap, Context& context) const;
  Plane<std::int32_t> labels(const Plane<std::int32_t>& raster, bool wrap, Context& context) const;

 private:
  template <class T, class F>
  Plane<T> picture_of(const Plane<T>& raster, bool wrap, const F& value, Context& context) const;

  int width_, height_;
  int columns_, rows_;
};

// Distance to the nearest border of cells of any metric, of which all nearest sites are found, and
// the way from each pixel to its own: in pixels, within half of one. Cells are measured in the
// frame. Throws Error(input) where there is no border.
Band<float> traced_edges(const Domain& domain, const Band<std::int32_t>& nearest,
                         const std::function<Vec2(int x, int y)>& way, const Metric& metric,
                         const CellFrame& frame, Context& context);

// One texture on its way: outputs share what was searched for once.
class Texture {
 public:
  Texture(std::span<const PointSet> octaves, double place, int width, int height, double unit,
          const WorleyOptions& options, Context& context);
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  // Finds what outputs of these rows are made of, in place of what was found before.
  void search(RowRange range);
  void warp();  // of all rows
  // The range of heights, where outputs need it: `found` where that is known, else of all rows.
  void find_heights(const Extremes& found);

  const WorleyOptions& options;
  const std::vector<AskedOutput> outputs;  // those of the options
  Context& context;
  const int width;
  const int height;
  RowRange rows;
  const SiteGrid grid;
  Cells cells;
  Band<float> edges;
  Band<float> corners;
  Band<float> detail;  // what finer octaves add to plates; often empty
  std::vector<CellShape> shapes;
  std::vector<float> ranks;  // of each cell, below 1
  CellBorders borders;
  Extremes heights;

  // By what heights are multiplied so that their range is what `height-scale` says, and how much
  // steeper than distances the surface is that normals and occlusion are of.
  float height_factor() const;
  float steepness() const { return height_factor() * static_cast<float>(options.normal_strength); }
  // How many pixels of this texture one of the options is wide.
  double unit() const { return unit_; }
  // A length of the options, in pixels of this texture.
  float pixels(const Length& length) const {
    return static_cast<float>(length.pixels(scale_) * unit_);
  }

  // A plane of f(x, y), by rows.
  template <class F>
  Plane<float> plane_of(const F& f) const {
    auto band = Band<float>::unset(width, rows);
    each_row([&](int y) {
      float* values = band.row(y);
      for (int x = 0; x < width; ++x) values[x] = static_cast<float>(f(x, y));
    });
    return std::move(band.plane);
  }
  template <class F>
  void each_row(const F& f) const {
    parallel_for(context, static_cast<std::size_t>(rows.count()),
                 [&](std::size_t row) { f(rows.first + static_cast<int>(row)); });
  }
  // A plane of f(index of the nearest site).
  template <class F>
  Plane<float> plane_of_cells(const F& f) const {
    return plane_of([&](int x, int y) { return f(cells.nearest(x, y)); });
  }
  // The way from a pixel to its site.
  Vec2 way(int x, int y) const {
    const Vec2 center{x + 0.5, y + 0.5};
    if (!images_.empty()) return images_[static_cast<std::size_t>(image_(x, y))] - center;
    return grid.domain().delta(center, grid.position(cells.nearest(x, y)));
  }

 private:
  struct Octave {
    SiteGrid grid;
    CellQuery query;
    float weight;
    float size;  // of its cells against those of the first
  };

  // Nearest sites of the picture, of those on a raster of the stretch.
  Cells search_of(const SiteGrid& sites, const CellQuery& query, float size);
  Cells search_turned(const SiteGrid& sites, const CellQuery& query, float size);
  void require_sites() const;
  void add_octave(SiteGrid finer_grid, float weight, float size);
  bool has_detail() const { return needs_.relief && options.height_of == HeightOf::edge; }
  void check_smooth(const SiteGrid& of, float size) const;
  void smooth(const SiteGrid& of, Cells& found, float size) const;

  const std::optional<Turned> turned_;
  // The nearest image of a site, of turned cells, and where images are.
  Plane<std::int32_t> image_;
  std::vector<Vec2> images_;
  const Stretch stretch_;
  std::optional<SiteGrid> round_;  // the sites on its raster
  OutputNeeds needs_;
  double unit_;
  Scale scale_;
  EdgeSearch edge_search_;
  std::vector<Octave> finer_;
  std::optional<SiteGrid> corner_grid_;
};

// The relief that the outputs height, slope and normal are made of, in pixels, not yet lifted to 0.
class Relief {
 public:
  explicit Relief(const Texture& texture);
  float at(int x, int y) const;
  // Rise to the right and down: exact where that is known, else by central differences.
  Vec2 gradient(int x, int y) const;
  static bool has_exact_gradient(const WorleyOptions& options);
  Plane<float> occlusion() const;

 private:
  // One-sided at the rim of a flat texture.
  float difference(int x, int y, int dx, int dy) const;

  const Texture& texture_;
  float bevel_;
};

// The place that every pixel of a bent plane is taken from: smooth displacements, periodic in the
// size.
class Warp {
 public:
  Warp(int width, int height, bool wrap, float amount, Context& context);
  Plane<float> apply(const Plane<float>& plane) const;                // bilinear
  Plane<std::int32_t> apply(const Plane<std::int32_t>& plane) const;  // nearest

 private:
  int inside(int at, int extent) const;

  bool wrap_;
  Context& context_;
  std::array<Plane<float>, 2> offset_;
};

}  // namespace dapple::cells

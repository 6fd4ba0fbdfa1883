// Declares what the parts of cell textures share: the texture at any number of samples, the data of
// its outputs, and its warp.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/output_row.hpp"
#include "generate/worley/search.hpp"
#include "generate/worley/voronoi_cell.hpp"

namespace dapple::cells {

// Makes a texture as worley() does; a pixel of the options' lengths is `unit` pixels wide.
Image make_texture(std::span<const Points> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context);
// Makes one slice, which lies at `place` from 0 to 1 of the depth. Heights are not scaled; their
// range is `heights`, over all slices, if it is known.
Image make_slice(std::span<const Points> octaves, double place, int width, int height, double unit,
                 const WorleyOptions& options, const Extremes& heights, Context& context);
// Throws for sites and sizes that make no texture of `slices` slices; warns of options that change
// nothing.
void check_texture(std::span<const Points> octaves, int width, int height, int slices,
                   const WorleyOptions& options, Context& context);
// Returns the number of slices (layers of a volume or frames), or 1. Throws Error(usage).
int slices_of(const WorleyOptions& options);
// Returns the bytes needed, at most, while `pixels` pixels are searched at the same time.
double memory_needed(std::span<const Points> octaves, double pixels, const WorleyOptions& options);
// Returns the pixels per unit of length of the sites.
double scale_of(const Points& sites, int width, int height);
// Returns how far sites are lifted out of the slice (see SiteGrid); empty: not at all. Throws
// Error(usage) if the metric does not allow lifts.
std::vector<double> lifts_of(const Points& sites, int width, int height,
                             const WorleyOptions& options, double place);

// Cells longer than high, or higher than long. They are searched on a raster on which they are
// round, finer along their short side.
class Stretch {
 public:
  Stretch(double stretch, int width, int height);

  explicit operator bool() const { return columns_ != width_ || rows_ != height_; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }
  // Pixels of the raster per pixel of the picture, by axis; across() is the value across the cells.
  Vec2 steps() const { return {1.0 * columns_ / width_, 1.0 * rows_ / height_}; }
  double across() const { return std::max(steps().x, steps().y); }
  // Resample planes of the raster for the picture. Distances become distances across the cells.
  Plane<float> distances(const Plane<float>& raster, bool wrap, Context& context) const;
  Plane<std::int32_t> labels(const Plane<std::int32_t>& raster, bool wrap, Context& context) const;

 private:
  template <class T, class F>
  Plane<T> picture_of(const Plane<T>& raster, bool wrap, const F& value, Context& context) const;

  int width_, height_;
  int columns_, rows_;
};

// Finds the distance to the nearest border of cells of any metric, in pixels, within half a pixel.
// `nearest` has the nearest sites of all pixels; way(x, y) leads from a pixel to its site. Cells
// are measured in `frame`. Throws Error(input) if there is no border.
Band<float> traced_edges(const Domain& domain, const Band<std::int32_t>& nearest,
                         const std::function<Vec2(int x, int y)>& way, const Metric& metric,
                         const CellFrame& frame, Context& context);

// A texture while it is made. Outputs share the results of each search.
class Texture {
 public:
  Texture(std::span<const Points> octaves, double place, int width, int height, double unit,
          const WorleyOptions& options, Context& context);
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  // Finds the data from which outputs of rows `range` are made; replaces the data found before.
  void search(RowRange range);
  void warp();  // needs all rows
  // Finds the range of heights if outputs need it: `found` if it is known, otherwise from all rows.
  void find_heights(const Extremes& found);

  const WorleyOptions& options;
  const std::vector<AskedOutput> outputs;  // parsed options.outputs
  Context& context;
  const int width;
  const int height;
  RowRange rows;
  const SiteGrid grid;
  Cells cells;
  Band<float> edges;
  Band<float> corners;
  Band<float> detail;  // the part of plates from finer octaves; often empty
  std::vector<CellShape> shapes;
  std::vector<float> ranks;  // per cell, below 1
  CellBorders borders;
  Extremes heights;

  // height_factor() scales heights so that their range is `height-scale`. steepness() is how much
  // steeper than distances the surface is; normals and occlusion use it.
  float height_factor() const;
  float steepness() const { return height_factor() * static_cast<float>(options.normal_strength); }
  // Returns how many pixels of this texture a pixel of the options is wide.
  double unit() const { return unit_; }
  // Returns a length of the options, in pixels of this texture.
  float pixels(const Length& length) const {
    return static_cast<float>(length.pixels(scale_) * unit_);
  }

  // Returns a plane of f(x, y), computed by rows.
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
  // Returns a plane of f(index of the nearest site).
  template <class F>
  Plane<float> plane_of_cells(const F& f) const {
    return plane_of([&](int x, int y) { return f(cells.nearest(x, y)); });
  }
  // Returns the vector from a pixel to its site.
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
    float size;  // size of its cells relative to the first octave
  };

  // Finds the nearest sites for the picture; `sites` lie on the raster of the stretch, if any.
  Cells search_of(const SiteGrid& sites, const CellQuery& query, float size);
  Cells search_turned(const SiteGrid& sites, const CellQuery& query, float size);
  void require_sites() const;
  void add_octave(SiteGrid finer_grid, float weight, float size);
  bool has_detail() const { return needs_.relief && options.height_of == HeightOf::edge; }
  void check_smooth(const SiteGrid& of, float size) const;
  void smooth(const SiteGrid& of, Cells& found, float size) const;

  const std::optional<Turned> turned_;
  // For turned cells: the nearest image of a site per pixel, and the places of images.
  Plane<std::int32_t> image_;
  std::vector<Vec2> images_;
  const Stretch stretch_;
  std::optional<SiteGrid> stretched_grid_;  // the sites on the raster of the stretch
  OutputNeeds needs_;
  double unit_;
  Scale scale_;
  EdgeSearch edge_search_;
  std::vector<Octave> finer_;
  std::optional<SiteGrid> corner_grid_;
};

// The relief behind the outputs height, slope and normal, in pixels, not yet lifted to 0.
class Relief {
 public:
  explicit Relief(const Texture& texture);
  float at(int x, int y) const;
  // Returns the rise to the right and down: exact if known, otherwise by central differences.
  Vec2 gradient(int x, int y) const;
  static bool has_exact_gradient(const WorleyOptions& options);
  Plane<float> occlusion() const;

 private:
  // Returns a central difference, one-sided at the rim of a flat texture.
  float difference(int x, int y, int dx, int dy) const;

  const Texture& texture_;
  float bevel_;
};

// Bends planes: takes every pixel from a place that is displaced smoothly, periodic in the size.
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

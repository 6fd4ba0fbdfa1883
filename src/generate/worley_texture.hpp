// Between the parts of the cell textures: the texture at any number of samples, what its outputs
// are made of, and its warp.
#pragma once

#include <array>

#include "core/parallel.hpp"
#include "dapple/worley.hpp"
#include "generate/worley_outputs.hpp"
#include "generate/worley_shape.hpp"

namespace dapple {

// worley() where a pixel of the options' lengths is `unit` pixels wide.
Image make_texture(std::span<const PointSet> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context);

// One texture on its way: outputs share what was searched for once.
class Texture {
 public:
  Texture(const PointSet& sites, int width, int height, double unit, const WorleyOptions& options,
          Context& context);
  // `size` of its cells against those of the first.
  void add_octave(const PointSet& sites, float weight, float size);
  void warp();

  const WorleyOptions& options;
  Context& context;
  const int width;
  const int height;
  const SiteGrid grid;
  Cells cells;
  Plane<float> edges;
  Plane<float> corners;
  Plane<float> detail;  // what finer octaves add to plates; often empty
  std::vector<CellShape> shapes;

  // A length of the options, in pixels of this texture.
  float pixels(const Length& length) const {
    return static_cast<float>(length.pixels(scale_) * unit_);
  }

  // A plane of f(x, y), by rows.
  template <class F>
  Plane<float> plane_of(const F& f) const {
    Plane<float> plane(width, height);
    parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      float* values = plane.row(y);
      for (int x = 0; x < width; ++x) values[x] = static_cast<float>(f(x, y));
    });
    return plane;
  }
  // A plane of f(index of the nearest site).
  template <class F>
  Plane<float> plane_of_cells(const F& f) const {
    return plane_of([&](int x, int y) { return f(cells.nearest(x, y)); });
  }
  // The way from a pixel to its site.
  Vec2 way(int x, int y) const {
    return grid.domain().delta({x + 0.5, y + 0.5}, grid.position(cells.nearest(x, y)));
  }

 private:
  void search();
  void smooth(Cells& of, float over) const;

  OutputNeeds needs_;
  double unit_;
  Scale scale_;
};

// What the outputs height, slope and normal are made of, in pixels, not yet lifted to 0.
class Relief {
 public:
  explicit Relief(const Texture& texture)
      : texture_(texture), bevel_(texture.pixels(texture.options.bevel)) {}
  float at(int x, int y) const;
  // Rise along (dx, dy), by central differences; one-sided at the rim of a flat texture.
  float slope(int x, int y, int dx, int dy) const;

 private:
  const Texture& texture_;
  float bevel_;
};

// Where every pixel of a bent plane is taken from: smooth displacements, periodic in the size.
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

}  // namespace dapple

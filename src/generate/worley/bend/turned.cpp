// Searches cells whose length lies at an angle, on a raster along their length.
#include "generate/worley/bend/turned.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "generate/worley/search.hpp"

namespace dapple::cells {
namespace {

Box bounding_box(const std::vector<Vec2>& places) {
  Box box{places[0].x, places[0].y, places[0].x, places[0].y};
  for (const Vec2 p : places) {
    box.x0 = std::min(box.x0, p.x);
    box.y0 = std::min(box.y0, p.y);
    box.x1 = std::max(box.x1, p.x);
    box.y1 = std::max(box.y1, p.y);
  }
  return box;
}
std::vector<Vec2> corners_of(const Box& box) {
  return {{box.x0, box.y0}, {box.x1, box.y0}, {box.x0, box.y1}, {box.x1, box.y1}};
}
template <class Change>
Box box_of(const Box& box, const Change& change) {
  std::vector<Vec2> corners = corners_of(box);
  for (Vec2& p : corners) p = change(p);
  return bounding_box(corners);
}

float farthest_of(const Cells& cells) {
  float most = 0;
  for (const Band<float>& distance : cells.distance) {
    for (const float d : distance.plane.values()) most = std::max(most, d);
  }
  return most;
}

}  // namespace

CellFrame::CellFrame(double stretch, double angle) {
  const double cosine = portable_cosine(angle / 360);
  const double sine = portable_sine(angle / 360);
  // Turns anticlockwise; y points down.
  along = Vec2{cosine, -sine} * (stretch < 1 ? 1 / stretch : 1);
  across = Vec2{sine, cosine} * std::max(stretch, 1.0);
}

CellFrame CellFrame::of_steps(Vec2 steps) {
  CellFrame frame;
  frame.along.x = steps.x;
  frame.across.y = steps.y;
  return frame;
}

Vec2 CellFrame::back(Vec2 way) const {
  return Vec2{across.y * way.x - along.y * way.y, along.x * way.y - across.x * way.x} *
         (1 / area());
}

bool turns(double angle) {
  return std::fmod(angle, 180) != 0;
}

bool is_turned(const WorleyOptions& options) {
  return turns(options.angle) && (options.stretch != 1 || options.metric != Metric::euclidean);
}

bool is_bent(const WorleyOptions& options) {
  return options.stretch != 1 || is_turned(options);
}

Turned::Turned(const WorleyOptions& options, int width, int height)
    : width_(width),
      height_(height),
      frame_(options.stretch, options.angle),
      scale_(std::max(options.stretch, 1 / options.stretch)) {
  const Box box = box_of({0, 0, 1.0 * width, 1.0 * height}, frame_);
  // Every pixel lies between four pixels of the raster.
  origin_ = {std::floor(box.x0) - 1, std::floor(box.y0) - 1};
  columns_ = static_cast<int>(std::ceil(box.x1 - origin_.x)) + 1;
  rows_ = static_cast<int>(std::ceil(box.y1 - origin_.y)) + 1;
}

Turned::Images Turned::images_within(const SiteGrid& sites, double margin, Context& context) const {
  const Domain& domain = sites.domain();
  const Box near{-margin, -margin, columns_ + margin, rows_ + margin};
  const Box picture = box_of(near, [&](Vec2 p) { return frame_.back(p + origin_); });
  const auto period = [&](double at, double size) {
    return domain.wrap ? static_cast<int>(std::floor(at / size)) : 0;
  };
  const double share =
      domain.wrap ? near.width() * near.height() / frame_.area() / domain.area() : 1;
  context.require_memory(
      120 * share * static_cast<double>(sites.size()),
      "the raster of turned cells (more cells or a smaller `stretch` reduce it)");
  Images images;
  images.round.domain = {1.0 * columns_, 1.0 * rows_, false};
  for (int j = period(picture.y0, domain.height); j <= period(picture.y1, domain.height); ++j) {
    for (int i = period(picture.x0, domain.width); i <= period(picture.x1, domain.width); ++i) {
      const Vec2 away{i * domain.width, j * domain.height};
      for (const Site& site : sites.sites()) {
        const Vec2 place = Vec2{site.x, site.y} + away;
        const Vec2 round = frame_(place) - origin_;
        if (domain.wrap && !near.contains(round)) continue;
        images.round.add(round, 1);
        images.places.push_back(place);
        images.id.push_back(site.id);
      }
    }
  }
  return images;
}

Turned::Found Turned::search(const SiteGrid& sites, const CellQuery& query, const Change& change,
                             Context& context) const {
  const bool wrap = sites.domain().wrap;
  const double spacing = sites.spacing() * std::sqrt(frame_.area());
  Images images;
  Cells round;
  for (double margin = 2 * spacing * std::max(1, query.farthest()) + change.reach;; margin *= 1.6) {
    images = images_within(sites, margin, context);
    const SiteGrid grid(images.round, columns_, rows_, context);
    CellQuery asked = query;
    asked.distances[0] = true;  // it tells whether the margin was wide enough
    round = search_cells(grid, asked, {0, rows_}, context);
    if (wrap && farthest_of(round) + change.reach >= margin - 0.01) continue;
    if (change.make) change.make(grid, round);
    break;
  }
  Found found;
  const auto scale = static_cast<float>(1 / scale_);
  for (std::size_t k = 0; k < most_distances; ++k) {
    if (!query.distances[k]) continue;
    const auto distance = [&](const Plane<float>& raster, int x, int y, float u, float v) {
      const auto between = [u](float a, float b) { return a + u * (b - a); };
      const float above = between(raster(x, y), raster(x + 1, y));
      const float below = between(raster(x, y + 1), raster(x + 1, y + 1));
      return scale * (above + v * (below - above));
    };
    found.cells.distance[k] = {picture_of(round.distance[k].plane, distance, context), 0};
  }
  if (!query.nearest) return found;
  const auto label = [](const Plane<std::int32_t>& raster, int x, int y, float u, float v) {
    return raster(u < 0.5f ? x : x + 1, v < 0.5f ? y : y + 1);
  };
  found.image = picture_of(round.nearest.plane, label, context);
  found.images = std::move(images.places);
  auto nearest = Plane<std::int32_t>::unset(width_, height_);
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    nearest.values()[i] = images.id[static_cast<std::size_t>(found.image.values()[i])];
  }
  found.cells.nearest = {std::move(nearest), 0};
  return found;
}

// Calls value(raster, x, y, u, v) for every pixel. It lies (u, v) beyond the center of the raster's
// pixel (x, y), towards (x + 1, y + 1).
template <class T, class F>
Plane<T> Turned::picture_of(const Plane<T>& raster, const F& value, Context& context) const {
  auto picture = Plane<T>::unset(width_, height_);
  parallel_for(context, static_cast<std::size_t>(height_), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width_; ++x) {
      const Vec2 at = frame_({x + 0.5, y + 0.5}) - origin_ - Vec2{0.5, 0.5};
      const auto left = static_cast<int>(at.x);
      const auto top = static_cast<int>(at.y);
      picture(x, y) =
          value(raster, left, top, static_cast<float>(at.x - left), static_cast<float>(at.y - top));
    }
  });
  return picture;
}

}  // namespace dapple::cells

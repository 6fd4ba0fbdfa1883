// Computes the distance from every pixel to the nearest forbidden one (Felzenszwalb, Huttenlocher
// 2012: lower envelopes of parabolas, rows after columns, linear).
//
// Here the gap between two pixels counts, not the distance of their centers. The result then holds
// for every place of a pixel. The gap to a pixel is the distance of centers to the 3x3 block around
// it. So the forbidden pixels grow by one before the transform.
#include "field/inset.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "dapple/context.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Computes g(i) = min over k of f(k) + ((i - k) step)^2, on a circle if `wrap`.
class Envelope {
 public:
  void transform(std::vector<double>& f, double step, bool wrap) {
    const auto n = static_cast<std::ptrdiff_t>(f.size());
    vertex_.clear();
    from_.clear();
    const std::ptrdiff_t first = wrap ? -n : 0;
    const std::ptrdiff_t last = wrap ? 2 * n : n;
    const auto at = [&](std::ptrdiff_t k) { return f[static_cast<std::size_t>((k + n) % n)]; };
    for (std::ptrdiff_t k = first; k < last; ++k) {
      if (at(k) == infinity) continue;
      const auto x = static_cast<double>(k);
      double left = -infinity;
      while (!vertex_.empty()) {
        const auto v = static_cast<double>(vertex_.back());
        // `left` is the place where the parabola of k falls below the parabola of v.
        left = 0.5 * (x + v) + (at(k) - at(vertex_.back())) / (2 * step * step * (x - v));
        if (left > from_.back()) break;
        vertex_.pop_back();
        from_.pop_back();
        left = -infinity;
      }
      vertex_.push_back(k);
      from_.push_back(left);
    }
    if (vertex_.empty()) return;
    result_.resize(f.size());
    std::size_t piece = 0;
    for (std::ptrdiff_t i = 0; i < n; ++i) {
      const auto x = static_cast<double>(i);
      while (piece + 1 < from_.size() && from_[piece + 1] <= x) ++piece;
      const double d = (x - static_cast<double>(vertex_[piece])) * step;
      result_[static_cast<std::size_t>(i)] = at(vertex_[piece]) + d * d;
    }
    f.swap(result_);
  }

 private:
  std::vector<std::ptrdiff_t> vertex_;
  std::vector<double> from_;
  std::vector<double> result_;
};

// Returns 0 in forbidden pixels and the eight around each, otherwise infinity.
Plane<double> grown(const Plane<float>& radius, bool wrap, const Context& context) {
  const int w = radius.width();
  const int h = radius.height();
  Plane<double> f = Plane<double>::unset(w, h);
  for (int y = 0; y < h; ++y) {
    context.check();
    std::fill_n(f.row(y), w, infinity);
  }
  for (int y = 0; y < h; ++y) {
    context.check();
    for (int x = 0; x < w; ++x) {
      if (std::isfinite(radius(x, y))) continue;
      for (int j = y - 1; j <= y + 1; ++j) {
        for (int i = x - 1; i <= x + 1; ++i) {
          if (wrap) {
            f((i + w) % w, (j + h) % h) = 0;
          } else if (i >= 0 && j >= 0 && i < w && j < h) {
            f(i, j) = 0;
          }
        }
      }
    }
  }
  return f;
}

// Returns the squared gap to the nearest forbidden pixel.
Plane<double> squared_gaps(const Plane<float>& radius, Vec2 pixel, bool wrap,
                           const Context& context) {
  Plane<double> f = grown(radius, wrap, context);
  Envelope envelope;
  std::vector<double> line(static_cast<std::size_t>(f.height()));
  for (int x = 0; x < f.width(); ++x) {
    context.check();
    for (int y = 0; y < f.height(); ++y) line[static_cast<std::size_t>(y)] = f(x, y);
    envelope.transform(line, pixel.y, wrap);
    for (int y = 0; y < f.height(); ++y) f(x, y) = line[static_cast<std::size_t>(y)];
  }
  line.resize(static_cast<std::size_t>(f.width()));
  for (int y = 0; y < f.height(); ++y) {
    context.check();
    line.assign(f.row(y), f.row(y) + f.width());
    envelope.transform(line, pixel.x, wrap);
    std::copy(line.begin(), line.end(), f.row(y));
  }
  return f;
}

}  // namespace

void forbid_near(Plane<float>& radius, const Domain& domain, double inset, bool discs,
                 const Context& context) {
  const int w = radius.width();
  const int h = radius.height();
  const Vec2 pixel{domain.width / w, domain.height / h};
  const Plane<double> gaps = squared_gaps(radius, pixel, domain.wrap, context);
  for (int y = 0; y < h; ++y) {
    context.check();
    for (int x = 0; x < w; ++x) {
      float& r = radius(x, y);
      if (!std::isfinite(r)) continue;
      const double wanted = inset + (discs ? 0.5 * static_cast<double>(r) : 0.0);
      const double border = std::min({x * pixel.x, y * pixel.y, domain.width - (x + 1) * pixel.x,
                                      domain.height - (y + 1) * pixel.y});
      if (gaps(x, y) < wanted * wanted || (!domain.wrap && border < wanted)) {
        r = std::numeric_limits<float>::infinity();
      }
    }
  }
}

}  // namespace dapple

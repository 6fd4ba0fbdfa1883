// Makes masks of unit vectors: one vector per pixel, unlike its neighbors' vectors.
//
// The vectors are a fixed, even set (equal steps of the circle; the spherical Fibonacci lattice,
// Gonzalez 2010), each used once, so that only their places are to be found. Pairs of pixels are
// swapped if that lowers E, as in blue-noise dithered sampling (Georgiev and Fajardo 2016):
//
//     E = sum over pairs p, q of w(p - q) f(v_p . v_q).
//
// Unlike in that paper, f is a sum of few harmonics (cosines of the angle; Legendre polynomials by
// their addition theorem). So E is a sum over products of harmonics h_k:
//
//     E = sum_k sum_p h_k(v_p) F_k(p),   F_k(p) = sum over q != p of w(p - q) h_k(v_q).
//
// With the fields F_k the gain of a swap costs a few multiplications instead of two sums over
// neighborhoods. Fields are updated only after a swap, about once in some dozens of tries.
//
// In an animation, pixels also see the same pixel of the frames before and after (Wolfe, Morrical,
// Akenine-Moeller and Ramamoorthi 2022). Each frame has the whole set, and swaps stay within it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

constexpr int most_harmonics = 8;
using Harmonics = std::array<float, most_harmonics>;  // times the roots of their weights

constexpr double blur = 1.4;  // of w, in pixels, at the sigma of ordinary masks
constexpr int reach_in_blurs = 4;
constexpr int tries_a_pixel = 600;
constexpr double time_weight = 0.5;  // of the frames before and after
constexpr double time_blur = 1.2;    // frames
constexpr int time_reach = 4;

using Vector = std::array<double, 3>;

Vector circle_vector(std::size_t i, std::size_t count) {
  const Vec2 v = direction((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  return {v.x, v.y, 0};
}

Vector sphere_vector(std::size_t i, std::size_t count) {
  const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
  constexpr double turn = 2 - std::numbers::phi;  // the golden angle
  const Vec2 v = direction(static_cast<double>(i) * turn) * std::sqrt(1 - z * z);
  return {v.x, v.y, z};
}

// Returns a vector of the upper half sphere, as often as a diffuse surface sends light there: it
// covers the disc below evenly.
Vector cosine_vector(std::size_t i, std::size_t count) {
  const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
  constexpr double turn = 2 - std::numbers::phi;
  const Vec2 v = direction(static_cast<double>(i) * turn) * std::sqrt(part);
  return {v.x, v.y, std::sqrt(1 - part)};
}

// Returns harmonics of one, two and three times the angle, at weights 1, 1/2, 1/4.
Harmonics circle_harmonics(const Vector& v) {
  const double c = v[0];
  const double s = v[1];
  const double c2 = c * c - s * s;
  const double s2 = 2 * c * s;
  const double a = std::sqrt(0.5);
  const std::array<double, 6> h{
      c, s, a * c2, a * s2, 0.5 * (c * c2 - s * s2), 0.5 * (s * c2 + c * s2)};
  Harmonics result{};
  std::transform(h.begin(), h.end(), result.begin(),
                 [](double x) { return static_cast<float>(x); });
  return result;
}

// Returns harmonics of the Legendre polynomials of degree 1 and 2, at weights 1 and 1/2.
Harmonics sphere_harmonics(const Vector& v) {
  const double a = std::sqrt(0.5);
  const double b = a * std::numbers::sqrt3;
  const auto [x, y, z] = v;
  const std::array<double, 8> h{x,
                                y,
                                z,
                                b * x * y,
                                b * y * z,
                                b * z * x,
                                0.5 * b * (x * x - y * y),
                                0.5 * a * (3 * z * z - 1)};
  Harmonics result{};
  std::transform(h.begin(), h.end(), result.begin(),
                 [](double t) { return static_cast<float>(t); });
  return result;
}

class Swapper {
 public:
  Swapper(const Torus& torus, double sigma, std::vector<Harmonics> harmonics,
          std::vector<std::int32_t> vector_of)
      : width_(torus.width),
        height_(torus.height),
        frame_(static_cast<std::size_t>(torus.width) * static_cast<std::size_t>(torus.height)),
        harmonics_(std::move(harmonics)),
        vector_of_(std::move(vector_of)),
        fields_(vector_of_.size()) {
    // A pixel adds this weight to the others of the torus, by offset, summed over all its images.
    const double s = blur * sigma / tuned_sigma;
    const int reach = static_cast<int>(std::ceil(reach_in_blurs * s));
    const auto [width, height, depth] = torus;
    Plane<float> weight(width, height);
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        if (dx * dx + dy * dy > reach * reach) continue;
        weight(modulo(dx, width), modulo(dy, height)) +=
            static_cast<float>(portable_exp(-(dx * dx + dy * dy) / (2 * s * s)));
      }
    }
    weight(0, 0) = 0;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        if (weight(x, y) > 0) offsets_.push_back({x, y, weight(x, y)});
      }
    }
    weight_ = std::move(weight);
    over_time_.resize(static_cast<std::size_t>(depth));
    for (int dz = -time_reach; dz <= time_reach; ++dz) {
      over_time_[static_cast<std::size_t>(modulo(dz, depth))] +=
          static_cast<float>(time_weight * portable_exp(-dz * dz / (2 * time_blur * time_blur)));
    }
    over_time_[0] = 0;
    for (std::size_t p = 0; p < vector_of_.size(); ++p) spread(p, of(p));
  }

  void refine(const Random& random, Context& context, const std::function<void(double)>& progress) {
    std::uint64_t draw = 0;
    for (int sweep = 0; sweep < tries_a_pixel; ++sweep) {
      for (std::size_t p = 0; p < vector_of_.size(); ++p) {
        const auto in_frame = static_cast<std::size_t>(
            ((random.at(draw++) >> 32) * static_cast<std::uint64_t>(frame_)) >> 32);
        const std::size_t other = p / frame_ * frame_ + in_frame;
        if (other != p) try_swap(p, other);
      }
      context.check();
      progress(static_cast<double>(sweep + 1) / tries_a_pixel);
    }
  }

  const std::vector<std::int32_t>& vector_of() const { return vector_of_; }

 private:
  struct Offset {
    int x, y;
    float weight;
  };

  const Harmonics& of(std::size_t p) const {
    return harmonics_[static_cast<std::size_t>(vector_of_[p])];
  }

  // Adds harmonics at a pixel to the fields of the pixels around it.
  void spread(std::size_t pixel, const Harmonics& h) {
    const std::size_t in_frame = pixel % frame_;
    const std::size_t first = pixel - in_frame;
    const int px = static_cast<int>(in_frame) % width_;
    const int py = static_cast<int>(in_frame) / width_;
    for (const Offset& offset : offsets_) {
      int x = px + offset.x;
      int y = py + offset.y;
      if (x >= width_) x -= width_;
      if (y >= height_) y -= height_;
      Harmonics& field =
          fields_[first + static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                  static_cast<std::size_t>(x)];
      for (std::size_t k = 0; k < most_harmonics; ++k) field[k] += offset.weight * h[k];
    }
    std::size_t other = pixel;
    for (std::size_t dz = 1; dz < over_time_.size(); ++dz) {
      other += frame_;
      if (other >= fields_.size()) other -= fields_.size();
      if (over_time_[dz] == 0) continue;
      Harmonics& field = fields_[other];
      for (std::size_t k = 0; k < most_harmonics; ++k) field[k] += over_time_[dz] * h[k];
    }
  }

  void try_swap(std::size_t p, std::size_t q) {
    const Harmonics& a = of(p);
    const Harmonics& b = of(q);
    Harmonics difference;
    float gain = 0;
    float apart = 0;
    for (std::size_t k = 0; k < most_harmonics; ++k) {
      difference[k] = b[k] - a[k];
      gain += difference[k] * (fields_[p][k] - fields_[q][k]);
      apart += difference[k] * difference[k];
    }
    if (gain >= 0) return;
    // Each pixel sees the other: that part of the energy stays as it is.
    const int dx = static_cast<int>(q) % width_ - static_cast<int>(p) % width_;
    const int dy = static_cast<int>(q) / width_ - static_cast<int>(p) / width_;
    gain -= weight_(modulo(dx, width_), modulo(dy, height_)) * apart;
    if (gain >= -1e-6f) return;
    spread(p, difference);
    for (float& d : difference) d = -d;
    spread(q, difference);
    std::swap(vector_of_[p], vector_of_[q]);
  }

  int width_, height_;
  std::size_t frame_;                    // pixels per frame
  std::vector<float> over_time_;         // weight of a pixel for itself, by frames between
  std::vector<Harmonics> harmonics_;     // of each vector of the set
  std::vector<std::int32_t> vector_of_;  // of each pixel
  std::vector<Harmonics> fields_;
  std::vector<Offset> offsets_;
  Plane<float> weight_;
};

}  // namespace

std::vector<Plane<float>> unit_vectors(const Torus& torus, MaskValues values, std::uint64_t seed,
                                       double sigma, Context& context,
                                       const std::function<void(double)>& progress) {
  const bool circle = values == MaskValues::circle;
  const std::size_t count =
      static_cast<std::size_t>(torus.width) * static_cast<std::size_t>(torus.height);
  std::vector<Vector> vectors;
  std::vector<Harmonics> harmonics;
  for (std::size_t i = 0; i < count; ++i) {
    vectors.push_back(circle                         ? circle_vector(i, count)
                      : values == MaskValues::cosine ? cosine_vector(i, count)
                                                     : sphere_vector(i, count));
    harmonics.push_back(circle ? circle_harmonics(vectors[i]) : sphere_harmonics(vectors[i]));
  }
  std::vector<std::int32_t> start;
  for (int z = 0; z < torus.depth; ++z) {
    const std::uint64_t own =
        z == 0 ? seed : Random(seed, Stream::mask, 6).at(static_cast<std::uint64_t>(z));
    const Plane<std::int32_t> frame = white_ranks(torus.width, torus.height, own);
    start.insert(start.end(), frame.values().begin(), frame.values().end());
  }
  Swapper swapper(torus, sigma, std::move(harmonics), std::move(start));
  swapper.refine(Random(seed, Stream::mask, 1), context, progress);
  std::vector<Plane<float>> planes(circle ? 2 : 3,
                                   Plane<float>(torus.width, torus.height * torus.depth));
  for (std::size_t p = 0; p < planes[0].size(); ++p) {
    const Vector& v = vectors[static_cast<std::size_t>(swapper.vector_of()[p])];
    for (std::size_t k = 0; k < planes.size(); ++k) {
      planes[k].values()[p] = static_cast<float>(v[k]);
    }
  }
  return planes;
}

}  // namespace dapple::mask

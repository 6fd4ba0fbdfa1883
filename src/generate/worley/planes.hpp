// Helps rows of outputs to make their planes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {

using Planes = std::vector<Plane<float>>;

// Returns a vector of one plane: planes cannot be listed in braces without a copy.
inline Planes one(Plane<float> plane) {
  Planes planes;
  planes.push_back(std::move(plane));
  return planes;
}

template <class X, class Y>
Planes two(const X& x, const Y& y) {
  Planes planes = one(x());
  planes.push_back(y());
  return planes;
}

// Returns planes of both components of vector(x, y).
template <class F>
Planes vectors(const Texture& texture, const F& vector) {
  return two([&] { return texture.plane_of([&](int x, int y) { return vector(x, y).x; }); },
             [&] { return texture.plane_of([&](int x, int y) { return vector(x, y).y; }); });
}

// A random number below 1 for each cell; every `place` gives other numbers.
class CellRandom {
 public:
  explicit CellRandom(std::uint64_t seed, std::uint64_t place = 0)
      : numbers_(seed, Stream::worley, place) {}
  // Returns 24 bits as a float below 1.
  float of(std::int32_t id) const {
    return static_cast<float>(numbers_.at(static_cast<std::uint64_t>(id)) >> 40) * 0x1p-24f;
  }

 private:
  Random numbers_;
};

}  // namespace dapple::cells

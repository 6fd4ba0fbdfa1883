// Keeps places in columns, which vector code reads (place_lanes.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dapple::engine {

// Most lanes of a vector of floats.
constexpr std::size_t most_lanes = 16;

// Positions relative to the center of a tile. `limit` is the distance below which a place conflicts
// with others, or its radius. `number` is an id, only if `numbered`. Each column has room for a
// vector behind its end.
template <std::size_t D>
class Places {
 public:
  using Position = std::array<float, D>;

  std::vector<std::int32_t> number;
  std::size_t count = 0;
  bool numbered = false;

  float* at(std::size_t axis) { return values_.data() + axis * room_; }
  const float* at(std::size_t axis) const { return values_.data() + axis * room_; }
  float* limit() { return at(D); }
  const float* limit() const { return at(D); }
  Position place(std::size_t i) const {
    Position place;
    for (std::size_t a = 0; a < D; ++a) place[a] = at(a)[i];
    return place;
  }

  void clear() { count = 0; }
  void make_room(std::size_t more) {
    if (room_ < count + more + most_lanes) resize(count + more + most_lanes);
  }
  // Adds a place, for which there must be room.
  void add(const Position& place, float its_limit, std::int32_t its_number) {
    set(count++, place, its_limit, its_number);
  }
  void set(std::size_t i, const Position& place, float its_limit, std::int32_t its_number) {
    for (std::size_t a = 0; a < D; ++a) at(a)[i] = place[a];
    limit()[i] = its_limit;
    if (numbered) number[i] = its_number;
  }
  void add(const Places& others) {
    make_room(others.count);
    for (std::size_t c = 0; c <= D; ++c) std::copy_n(others.at(c), others.count, at(c) + count);
    if (numbered) std::copy_n(others.number.data(), others.count, number.data() + count);
    count += others.count;
  }
  // Keeps the places for which keep(number) is true.
  template <class Keep>
  void keep_if(const Keep& keep) {
    const std::size_t all = std::exchange(count, 0);
    for (std::size_t i = 0; i < all; ++i) {
      if (!keep(number[i])) continue;
      if (i != count) set(count, place(i), limit()[i], number[i]);
      ++count;
    }
  }

 private:
  void resize(std::size_t least) {
    const std::size_t room = least + least / 2;
    std::vector<float> values((D + 1) * room);
    for (std::size_t c = 0; c <= D; ++c) std::copy_n(at(c), count, values.data() + c * room);
    values_ = std::move(values);
    room_ = room;
    if (numbered) number.resize(room);
  }

  std::vector<float> values_;  // column after column, each of room_ floats
  std::size_t room_ = 0;
};

}  // namespace dapple::engine

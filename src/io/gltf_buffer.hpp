// Collects the numbers of a glTF 2.0 file (Khronos) in parts and describes where each part lies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dapple {

class GltfBuffer {
 public:
  using Json = nlohmann::ordered_json;

  // The purpose of a part, as glTF numbers it; `other` is data that an extension describes.
  enum class Use { other = 0, vertices = 34962, triangles = 34963 };

  // Adds rows of numbers and returns the index of their accessor. `bounds` adds the minimum and
  // maximum of each column, which positions must have.
  template <std::size_t N>
  std::size_t add(const std::vector<std::array<float, N>>& rows, Use use, bool bounds = false) {
    static_assert(N >= 2 && N <= 4);
    constexpr const char* types[] = {"VEC2", "VEC3", "VEC4"};
    Json& accessor =
        start(rows.size() * N * sizeof(float), use, float_type, rows.size(), types[N - 2]);
    for (const auto& row : rows) add_floats(row.data(), N);
    if (bounds) add_bounds(rows, accessor);
    return accessors_.size() - 1;
  }
  std::size_t add(const std::vector<std::uint16_t>& corners);

  const std::string& bytes() const { return bytes_; }
  // Describes all parts in `document`. `uri` is the file of the bytes, if it is another file.
  void describe(Json& document, const std::string& uri = "") const;

 private:
  static constexpr int float_type = 5126;
  static constexpr int short_type = 5123;

  Json& start(std::size_t size, Use use, int type, std::size_t count, const char* shape);
  void add_floats(const float* values, std::size_t count);
  template <std::size_t N>
  static void add_bounds(const std::vector<std::array<float, N>>& rows, Json& accessor) {
    std::array<float, N> low = rows.front();
    std::array<float, N> high = low;
    for (const auto& row : rows) {
      for (std::size_t a = 0; a < N; ++a) {
        low[a] = std::min(low[a], row[a]);
        high[a] = std::max(high[a], row[a]);
      }
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }

  std::string bytes_;
  Json accessors_ = Json::array();
  Json views_ = Json::array();
};

}  // namespace dapple

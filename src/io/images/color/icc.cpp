// Writes ICC profiles of version 4 (ISO 15076-1): a matrix, and one parametric curve.
#include <cmath>
#include <cstdint>

#include "io/images/color/spaces.hpp"
#include "io/images/png_file.hpp"

namespace dapple {
namespace {

constexpr std::size_t header_size = 128;

void put_fixed(std::string& bytes, double value) {
  put_big_endian(bytes, static_cast<std::uint32_t>(std::lround(value * 65536)), 4);
}

std::string type(std::string_view signature) {
  return std::string(signature) + std::string(4, '\0');
}

// Returns a text in English.
std::string text(std::string_view words) {
  std::string bytes = type("mluc");
  put_big_endian(bytes, 1, 4);   // records
  put_big_endian(bytes, 12, 4);  // bytes per record
  bytes += "enUS";
  put_big_endian(bytes, static_cast<std::uint32_t>(2 * words.size()), 4);
  put_big_endian(bytes, 28, 4);  // place of the text
  for (const char c : words) put_big_endian(bytes, static_cast<unsigned char>(c), 2);
  return bytes;
}

std::string xyz(double x, double y, double z) {
  std::string bytes = type("XYZ ");
  for (const double v : {x, y, z}) put_fixed(bytes, v);
  return bytes;
}

std::string curve(double gamma) {
  std::string bytes = type("para");
  put_big_endian(bytes, gamma == 0 ? 3 : 0, 2);
  put_big_endian(bytes, 0, 2);
  if (gamma != 0) {
    put_fixed(bytes, gamma);
  } else {
    for (const double v : {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}) put_fixed(bytes, v);
  }
  return bytes;
}

std::string matrix(const ColorMatrix& m) {
  std::string bytes = type("sf32");
  for (const auto& row : m) {
    for (const double v : row) put_fixed(bytes, v);
  }
  return bytes;
}

}  // namespace

std::string icc_profile(const ColorSpace& space) {
  const ColorMatrix m = matrix_to_d50(*space.primaries);
  const std::string shared = curve(space.gamma);
  const std::array<std::pair<std::string_view, std::string>, 10> tags{{
      {"desc", text(space.name)},
      {"cprt", text("CC0")},
      {"wtpt", xyz(0.9642, 1, 0.8249)},
      {"chad", matrix(adaptation_to_d50(*space.primaries))},
      {"rXYZ", xyz(m[0][0], m[1][0], m[2][0])},
      {"gXYZ", xyz(m[0][1], m[1][1], m[2][1])},
      {"bXYZ", xyz(m[0][2], m[1][2], m[2][2])},
      {"rTRC", shared},
      {"gTRC", shared},
      {"bTRC", shared},
  }};
  std::string table;
  std::string data;
  put_big_endian(table, tags.size(), 4);
  const std::size_t first = header_size + 4 + 12 * tags.size();
  std::size_t at = 0;
  for (const auto& [signature, bytes] : tags) {
    const bool repeats = signature == "gTRC" || signature == "bTRC";
    if (!repeats) {
      at = first + data.size();
      data += bytes;
      data.resize((data.size() + 3) / 4 * 4);
    }
    table += signature;
    put_big_endian(table, static_cast<std::uint32_t>(at), 4);
    put_big_endian(table, static_cast<std::uint32_t>(bytes.size()), 4);
  }
  std::string profile;
  put_big_endian(profile, static_cast<std::uint32_t>(first + data.size()), 4);
  put_big_endian(profile, 0, 4);
  put_big_endian(profile, 0x04200000, 4);  // version 4.2
  profile += "mntrRGB XYZ ";
  for (const std::uint32_t part : {2020u, 1u, 1u, 0u, 0u, 0u}) put_big_endian(profile, part, 2);
  profile += "acsp";
  profile.resize(64);
  put_big_endian(profile, 1, 4);  // relative colorimetric
  for (const double v : {0.9642, 1.0, 0.8249}) put_fixed(profile, v);
  profile.resize(header_size);
  return profile + table + data;
}

}  // namespace dapple

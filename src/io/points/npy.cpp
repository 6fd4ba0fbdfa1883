// Points as a NumPy array (NEP 1): N x 3 float64 of x, y, r in C order. Read: N x 2 or N x 3 of any
// integer or float type, either byte order, C or Fortran order, header versions 1 to 3.
#include <algorithm>
#include <bit>
#include <vector>

#include "dapple/error.hpp"
#include "io/images/formats.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

struct Header {
  char kind = 'f';  // f float, i signed, u unsigned
  std::size_t item_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::string_view body;
};

// The text that follows `'key':` in the header, a Python dictionary literal.
std::string_view value_of(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    const auto at = dictionary.find(quoted);
    if (at == std::string_view::npos) continue;
    std::string_view rest = dictionary.substr(at + quoted.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" :"), rest.size()));
    return rest;
  }
  fail("the NPY header has no '" + std::string(key) + "'");
}

void read_type(std::string_view text, Header& header) {
  const auto expected = [&]() {
    fail("the array has type " +
         std::string(text.substr(0, std::min(text.find('}'), std::size_t{40}))) +
         "; expected plain integers or floats of 4 or 8 bytes, such as '<f8'");
  };
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"')) expected();
  if (std::string_view("<>=|").find(text[1]) == std::string_view::npos) expected();
  header.big_endian = text[1] == '>';
  header.kind = text[2];
  header.item_bytes = static_cast<std::size_t>(text[3] - '0');
  const bool closed = text[4] == text[0];
  const bool power = header.item_bytes == 1 || header.item_bytes == 2 || header.item_bytes == 4 ||
                     header.item_bytes == 8;
  if (!closed || !power) expected();
  if (header.kind == 'f' ? header.item_bytes < 4 : header.kind != 'i' && header.kind != 'u') {
    expected();
  }
}

void read_shape(std::string_view text, Header& header) {
  std::vector<std::uint64_t> sides;
  const std::string_view all = text.substr(0, std::min(text.find(')'), std::size_t{60}));
  if (!text.starts_with('(')) fail("the NPY header has no shape such as (1000, 3)");
  text.remove_prefix(1);
  while (sides.size() < 4) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    std::uint64_t side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    if (error != std::errc{}) break;
    sides.push_back(side);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  if (sides.size() != 2 || !text.starts_with(')') || (sides[1] != 2 && sides[1] != 3)) {
    fail("the array has shape " + std::string(all) + (text.starts_with(')') ? ")" : "") +
         "; expected (N, 2) or (N, 3): x, y and r");
  }
  header.rows = sides[0];
  header.columns = sides[1];
}

Header read_header(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) {
    fail("is no NPY file: it does not begin with \\x93NUMPY");
  }
  const int version = bytes[6];
  if (version < 1 || version > 3) fail("NPY version " + std::to_string(version) + " is not known");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) fail("ends within its NPY header");
  const std::uint64_t length = bits_of(bytes.substr(8, length_bytes), false);
  bytes.remove_prefix(8 + length_bytes);
  if (length > bytes.size()) fail("ends within its NPY header");
  const std::string_view dictionary = bytes.substr(0, static_cast<std::size_t>(length));
  Header header;
  header.body = bytes.substr(static_cast<std::size_t>(length));
  read_type(value_of(dictionary, "descr"), header);
  header.fortran_order = value_of(dictionary, "fortran_order").starts_with("True");
  read_shape(value_of(dictionary, "shape"), header);
  if (header.body.size() / (header.item_bytes * header.columns) < header.rows) {
    fail("ends before the " + std::to_string(header.rows) + " rows that its header promises");
  }
  return header;
}

double item(const Header& header, std::uint64_t index) {
  const auto place = static_cast<std::size_t>(index * header.item_bytes);
  const std::uint64_t bits =
      bits_of(header.body.substr(place, header.item_bytes), header.big_endian);
  if (header.kind == 'f') {
    return header.item_bytes == 8
               ? std::bit_cast<double>(bits)
               : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (header.kind == 'u') return static_cast<double>(bits);
  const auto unused = 64 - 8 * header.item_bytes;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

PointSet decode_npy(std::string_view bytes, const Limits& limits) {
  const Header header = read_header(bytes);
  PointSet points;
  reserve(points, static_cast<double>(header.rows), limits);
  constexpr Column columns[] = {Column::x, Column::y, Column::radius};
  for (std::uint64_t row = 0; row < header.rows; ++row) {
    for (std::uint64_t column = 0; column < header.columns; ++column) {
      const std::uint64_t index =
          header.fortran_order ? column * header.rows + row : row * header.columns + column;
      if (store(points, columns[column], item(header, index))) continue;
      fail("row " + std::to_string(row + 1) + ": its " + std::string(name_of(columns[column])) +
           " is not a number that can be used");
    }
  }
  return finished(std::move(points), false);
}

std::string encode_npy(const PointSet& points) {
  std::string bytes = npy_header("<f8", "(" + std::to_string(points.size()) + ", 3)");
  bytes.reserve(bytes.size() + points.size() * 24);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const double value : {points.x[i], points.y[i], static_cast<double>(points.radius[i])}) {
      put(bytes, std::bit_cast<std::uint64_t>(value), 8);
    }
  }
  return bytes;
}

}  // namespace dapple

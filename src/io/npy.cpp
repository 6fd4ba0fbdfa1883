#include "io/npy.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <bit>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

// Returns the text that follows `'key':` in the header, a Python dictionary literal.
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

void read_type(std::string_view text, NpyHeader& header) {
  const auto expected = [&]() {
    const std::size_t end = text.empty() ? 0 : text.find(text[0], 1);
    fail(
        "the array has type " + std::string(text.substr(0, std::min(end, std::size_t{40}) + 1)) +
        "; expected truth values, or plain integers or floats of at most 8 bytes: convert it, such "
        "as by .astype('<f8')");
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
  const bool known = header.kind == 'f'   ? header.item_bytes >= 2
                     : header.kind == 'b' ? header.item_bytes == 1
                                          : header.kind == 'i' || header.kind == 'u';
  if (!known) expected();
}

void read_shape(std::string_view text, NpyHeader& header) {
  constexpr std::size_t most = 8;
  const std::string_view all = text.substr(0, std::min(text.find(')'), std::size_t{60}));
  if (!text.starts_with('(')) fail("the NPY header has no shape such as (1000, 3)");
  text.remove_prefix(1);
  while (header.shape.size() < most) {
    text.remove_prefix(std::min(text.find_first_not_of(" ,"), text.size()));
    std::uint64_t side = 0;
    if (take_number(text, side) != std::errc{}) break;
    header.shape.push_back(side);
  }
  if (!text.starts_with(')')) {
    fail("the array has shape " + std::string(all.substr(0, 40)) +
         "; expected numbers such as (1000, 3)");
  }
}

}  // namespace

NpyHeader npy_header_of(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with("\x93NUMPY")) {
    fail("is not an NPY file: it does not begin with \\x93NUMPY");
  }
  const int version = bytes[6];
  if (version < 1 || version > 3) fail("NPY version " + std::to_string(version) + " is not known");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) fail("ends within its NPY header");
  const std::uint64_t length = bits_of(bytes.substr(8, length_bytes), false);
  bytes.remove_prefix(8 + length_bytes);
  if (length > bytes.size() || length > npy_header_bytes) fail("ends within its NPY header");
  const std::string_view dictionary = bytes.substr(0, static_cast<std::size_t>(length));
  NpyHeader header;
  header.start = 8 + length_bytes + dictionary.size();
  read_type(value_of(dictionary, "descr"), header);
  header.fortran_order = value_of(dictionary, "fortran_order").starts_with("True");
  read_shape(value_of(dictionary, "shape"), header);
  return header;
}

std::string NpyHeader::shape_text() const {
  std::string text = "(";
  for (const std::uint64_t side : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + (shape.size() == 1 ? ",)" : ")");
}

double NpyHeader::item(std::string_view values, std::uint64_t index) const {
  const auto place = static_cast<std::size_t>(index * item_bytes);
  const std::uint64_t bits = bits_of(values.substr(place, item_bytes), big_endian);
  if (kind == 'f') {
    if (item_bytes == 2) {
      const auto half = Eigen::half_impl::raw_uint16_to_half(static_cast<std::uint16_t>(bits));
      return static_cast<double>(Eigen::half_impl::half_to_float(half));
    }
    return item_bytes == 8
               ? std::bit_cast<double>(bits)
               : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  if (kind == 'b') return bits != 0 ? 1 : 0;
  if (kind == 'u') return static_cast<double>(bits);
  const auto unused = 64 - 8 * item_bytes;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

bool NpyHeader::is_points() const {
  if (shape.size() != 2) return false;
  // Points in volumes are doubles. Other types, such as masks, may have as few columns.
  const bool doubles = kind == 'f' && item_bytes == 8;
  return shape[1] == 2 || shape[1] == 3 ||
         (doubles && (shape[1] == 4 || shape[1] == 5 || shape[1] == 7));
}

}  // namespace dapple

#include "io/ply.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

struct TypeName {
  std::string_view name, other_name;
  std::size_t bytes;
};
constexpr TypeName types[] = {
    {"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
    {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8}};

std::size_t size_of(PlyType type) {
  return types[static_cast<std::size_t>(type)].bytes;
}

double number_or(std::string_view text, double otherwise) {
  const auto value = take_number(text);
  return value && text.empty() ? *value : otherwise;
}

}  // namespace

std::string_view name_of(PlyType type) {
  return types[static_cast<std::size_t>(type)].name;
}

int ply_integer_bytes(std::string_view name) {
  for (const TypeName& type : types) {
    if (type.name == name && name != "float" && name != "double") {
      return static_cast<int>(type.bytes);
    }
  }
  return 0;
}

std::string_view take_word(std::string_view& line) {
  const auto first = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(first);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

int PlyElement::find(std::string_view property) const {
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (!properties[i].list && properties[i].name == property) return static_cast<int>(i);
  }
  return -1;
}

PlyFile::PlyFile(std::string_view bytes) : rest_(bytes) {
  read_header();
}

// ---- header -------------------------------------------------------------------------------------

void PlyFile::fail(const std::string& why) const {
  throw Error(ErrorKind::input, "line " + std::to_string(line_number_) + ": " + why);
}

std::string_view PlyFile::next_line() {
  const auto end = rest_.find('\n');
  ++line_number_;
  if (end == std::string_view::npos) fail("the header ends without end_header");
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void PlyFile::read_header() {
  if (next_line() != "ply") fail("a PLY file begins with a line `ply`");
  bool has_format = false;
  for (;;) {
    std::string_view line = next_line();
    const std::string_view word = take_word(line);
    if (word == "end_header") break;
    if (word == "format") {
      read_format(take_word(line));
      has_format = true;
    } else if (word == "comment") {
      comments_.emplace_back(line_number_, line);
    } else if (word == "element") {
      read_element(line);
    } else if (word == "property") {
      read_property(line);
    } else if (word != "obj_info" && !word.empty()) {
      fail("expected format, comment, element, property or end_header, not '" +
           std::string(word.substr(0, 40)) + "'");
    }
  }
  if (!has_format) fail("the header names no format");
}

void PlyFile::read_format(std::string_view name) {
  if (name == "ascii")
    encoding_ = Encoding::ascii;
  else if (name == "binary_little_endian")
    encoding_ = Encoding::little;
  else if (name == "binary_big_endian")
    encoding_ = Encoding::big;
  else
    fail("unknown format '" + std::string(name.substr(0, 40)) + "'");
}

void PlyFile::read_element(std::string_view line) {
  PlyElement& element = elements_.emplace_back();
  element.name = take_word(line);
  const std::string_view count = take_word(line);
  const auto number = parse_number<decltype(element.count)>(count);
  element.count = number.value_or(0);
  if (element.name.empty() || !number) {
    fail("expected `element NAME COUNT`");
  }
}

PlyType PlyFile::read_type(std::string_view name) const {
  for (std::size_t i = 0; i < std::size(types); ++i) {
    if (types[i].name == name || types[i].other_name == name) return static_cast<PlyType>(i);
  }
  fail("unknown type '" + std::string(name.substr(0, 40)) + "'");
}

void PlyFile::read_property(std::string_view line) {
  if (elements_.empty()) fail("a property stands before the first element");
  PlyProperty property;
  std::string_view type = take_word(line);
  if (type == "list") {
    property.list = true;
    property.count_type = read_type(take_word(line));
    if (property.count_type == PlyType::f32 || property.count_type == PlyType::f64) {
      fail("the length of a list must be a whole number");
    }
    type = take_word(line);
  }
  property.type = read_type(type);
  property.name = take_word(line);
  if (property.name.empty()) fail("expected `property TYPE NAME`");
  elements_.back().properties.push_back(property);
}

// ---- values -------------------------------------------------------------------------------------

namespace {

[[noreturn]] void ends_early(const PlyElement& element) {
  throw Error(ErrorKind::input, "ends before the " + std::to_string(element.count) +
                                    " of element " + std::string(element.name.substr(0, 40)) +
                                    " that its header promises");
}

}  // namespace

std::string_view PlyFile::take_bytes(std::uint64_t count, const PlyElement& element) {
  if (count > rest_.size()) ends_early(element);
  const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(count));
  rest_.remove_prefix(static_cast<std::size_t>(count));
  return bytes;
}

// Takes the next word of an ascii body.
std::string_view PlyFile::take_token(const PlyElement& element) {
  const auto first = rest_.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) ends_early(element);
  rest_.remove_prefix(first);
  return take_bytes(std::min(rest_.find_first_of(" \t\r\n"), rest_.size()), element);
}

double PlyFile::binary_value(const char* bytes, PlyType type) const {
  const std::uint64_t bits = bits_of({bytes, size_of(type)}, encoding_ == Encoding::big);
  switch (type) {
    case PlyType::i8:
      return static_cast<std::int8_t>(bits);
    case PlyType::i16:
      return static_cast<std::int16_t>(bits);
    case PlyType::i32:
      return static_cast<std::int32_t>(bits);
    case PlyType::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case PlyType::f64:
      return std::bit_cast<double>(bits);
    default:
      return static_cast<double>(bits);
  }
}

// Returns the smallest number of bytes that one item can take.
std::uint64_t PlyFile::least_bytes(const PlyElement& element) const {
  std::uint64_t bytes = 0;
  for (const PlyProperty& property : element.properties) {
    if (encoding_ == Encoding::ascii)
      bytes += 2;  // a digit and a blank
    else
      bytes += size_of(property.list ? property.count_type : property.type);
  }
  return bytes;
}

void PlyFile::require_room(const PlyElement& element) const {
  const std::uint64_t each = least_bytes(element);
  // The last value of an ascii file needs no blank after it.
  if (each > 0 && element.count > 0 && (rest_.size() + 1) / each < element.count) {
    ends_early(element);
  }
}

std::uint64_t PlyFile::list_length(const PlyProperty& property, const PlyElement& element) {
  const double count = encoding_ == Encoding::ascii
                           ? number_or(take_token(element), -1)
                           : binary_value(take_bytes(size_of(property.count_type), element).data(),
                                          property.count_type);
  if (!(count >= 0) || count > static_cast<double>(rest_.size())) ends_early(element);
  return static_cast<std::uint64_t>(count);
}

void PlyFile::read_list(std::size_t number, const PlyElement& element, const PlyVisitor& visitor) {
  const PlyProperty& property = element.properties[number];
  const std::uint64_t count = list_length(property, element);
  list_.clear();
  if (encoding_ == Encoding::ascii) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string_view token = take_token(element);
      if (visitor.list) {
        list_.push_back(number_or(token, std::numeric_limits<double>::quiet_NaN()));
      }
    }
  } else {
    const std::size_t each = size_of(property.type);
    const std::string_view bytes = take_bytes(count * each, element);
    for (std::size_t i = 0; visitor.list && i < count; ++i) {
      list_.push_back(binary_value(bytes.data() + i * each, property.type));
    }
  }
  if (visitor.list) visitor.list(number, list_);
}

void PlyFile::read(const PlyElement& element, const PlyVisitor& visitor) {
  require_room(element);
  if (element.properties.empty()) return;  // without properties, any count is valid
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (std::size_t number = 0; number < element.properties.size(); ++number) {
      const PlyProperty& property = element.properties[number];
      if (property.list) {
        read_list(number, element, visitor);
      } else if (encoding_ == Encoding::ascii) {
        const std::string_view token = take_token(element);
        if (visitor.text) visitor.text(number, token);
      } else {
        const std::string_view bytes = take_bytes(size_of(property.type), element);
        if (visitor.number) visitor.number(number, binary_value(bytes.data(), property.type));
      }
    }
    if (visitor.end_of_row) visitor.end_of_row();
  }
}

void PlyFile::skip(const PlyElement& element) {
  const bool lists = std::any_of(element.properties.begin(), element.properties.end(),
                                 [](const PlyProperty& property) { return property.list; });
  if (encoding_ == Encoding::ascii || lists) {
    read(element, {});
    return;
  }
  require_room(element);
  take_bytes(element.count * least_bytes(element), element);
}

}  // namespace dapple

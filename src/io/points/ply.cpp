// Points as PLY (Turk 1994).
//
// Written: binary little endian, double x y z, float radius, then int class, rank and id, float
// size and rotation; the domain and the metadata as comments. Read: the vertex element of any ascii
// or binary file, properties of any type in any order; elements before it are stepped over, those
// after it are not looked at.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "io/images/formats.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

enum class Type { i8, u8, i16, u16, i32, u32, f32, f64 };

struct TypeName {
  std::string_view name, other_name;
  std::size_t bytes;
};
constexpr TypeName types[] = {
    {"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
    {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8}};

std::size_t size_of(Type type) {
  return types[static_cast<std::size_t>(type)].bytes;
}

struct Property {
  Column column = Column::other;
  Type type = Type::f32;
  bool list = false;
  Type count_type = Type::u8;
};

struct Element {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Encoding { ascii, little, big };

// A value per line: a comment cannot hold line ends, a key no blanks.
std::string escaped(std::string_view text, bool key) {
  std::string line;
  for (const char c : text) {
    const auto special = std::string_view(key ? "\\\n\r " : "\\\n\r").find(c);
    if (special != std::string_view::npos) line += '\\';
    line += special == std::string_view::npos ? c : "\\nrs"[special];
  }
  return line;
}

std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    const char c = line[++i];
    text += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 's' ? ' ' : c;
  }
  return text;
}

std::string_view take_word(std::string_view& line) {
  const auto first = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(first);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const Limits& limits) : rest_(bytes), limits_(limits) {}

  PointSet read() {
    read_header();
    for (const Element& element : elements_) {
      if (element.name == "vertex") {
        read_vertices(element);
        return finished(std::move(points_), has_domain_);
      }
      skip(element);
    }
    throw Error(ErrorKind::input, "holds no vertex element");
  }

 private:
  // ---- header -----------------------------------------------------------------------------------
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(line_number_) + ": " + why);
  }

  std::string_view next_line() {
    const auto end = rest_.find('\n');
    ++line_number_;
    if (end == std::string_view::npos) fail("the header ends without end_header");
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void read_header() {
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
        read_comment(line);
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

  void read_format(std::string_view name) {
    if (name == "ascii")
      encoding_ = Encoding::ascii;
    else if (name == "binary_little_endian")
      encoding_ = Encoding::little;
    else if (name == "binary_big_endian")
      encoding_ = Encoding::big;
    else
      fail("unknown format '" + std::string(name.substr(0, 40)) + "'");
  }

  void read_comment(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == "dapple.domain") {
      const auto width = number(take_word(line));
      const auto height = number(take_word(line));
      const std::string_view kind = take_word(line);
      if (!width || !height || !(*width >= 0) || !(*height >= 0) ||
          (kind != "wrap" && kind != "flat")) {
        fail("expected `comment dapple.domain WIDTH HEIGHT flat|wrap`");
      }
      points_.domain = {*width, *height, kind == "wrap"};
      has_domain_ = true;
    } else if (word == "dapple.origin") {
      const auto x = number(take_word(line));
      const auto y = number(take_word(line));
      if (!x || !y) fail("expected `comment dapple.origin X Y`");
      points_.origin = {*x, *y};
    } else if (word == "dapple.metadata") {
      std::string key = unescaped(take_word(line));
      if (line.starts_with(' ')) line.remove_prefix(1);
      points_.metadata.emplace_back(std::move(key), unescaped(line));
    }
  }

  static std::optional<double> number(std::string_view text) {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
  }

  void read_element(std::string_view line) {
    Element& element = elements_.emplace_back();
    element.name = take_word(line);
    const std::string_view count = take_word(line);
    const auto [end, error] =
        std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (element.name.empty() || error != std::errc{} || end != count.data() + count.size()) {
      fail("expected `element NAME COUNT`");
    }
  }

  Type read_type(std::string_view name) const {
    for (std::size_t i = 0; i < std::size(types); ++i) {
      if (types[i].name == name || types[i].other_name == name) return static_cast<Type>(i);
    }
    fail("unknown type '" + std::string(name.substr(0, 40)) + "'");
  }

  void read_property(std::string_view line) {
    if (elements_.empty()) fail("a property before the first element");
    Property property;
    std::string_view type = take_word(line);
    if (type == "list") {
      property.list = true;
      property.count_type = read_type(take_word(line));
      if (property.count_type == Type::f32 || property.count_type == Type::f64) {
        fail("the length of a list must be a whole number");
      }
      type = take_word(line);
    }
    property.type = read_type(type);
    const std::string_view name = take_word(line);
    if (name.empty()) fail("expected `property TYPE NAME`");
    if (!property.list) property.column = column_of(name);
    for (const Property& other : elements_.back().properties) {
      if (property.column != Column::other && other.column == property.column) {
        fail("a second property " + std::string(name.substr(0, 40)));
      }
    }
    elements_.back().properties.push_back(property);
  }

  // ---- values -----------------------------------------------------------------------------------
  [[noreturn]] void ends_early(const Element& element) const {
    throw Error(ErrorKind::input, "ends before the " + std::to_string(element.count) +
                                      " of element " + std::string(element.name.substr(0, 40)) +
                                      " that its header promises");
  }

  std::string_view take_bytes(std::uint64_t count, const Element& element) {
    if (count > rest_.size()) ends_early(element);
    const std::string_view bytes = rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(static_cast<std::size_t>(count));
    return bytes;
  }

  // A word of an ascii body.
  std::string_view take_token(const Element& element) {
    const auto first = rest_.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) ends_early(element);
    rest_.remove_prefix(first);
    return take_bytes(std::min(rest_.find_first_of(" \t\r\n"), rest_.size()), element);
  }

  double binary_value(const char* bytes, Type type) const {
    const std::uint64_t bits = bits_of({bytes, size_of(type)}, encoding_ == Encoding::big);
    switch (type) {
      case Type::i8:
        return static_cast<std::int8_t>(bits);
      case Type::i16:
        return static_cast<std::int16_t>(bits);
      case Type::i32:
        return static_cast<std::int32_t>(bits);
      case Type::f32:
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      case Type::f64:
        return std::bit_cast<double>(bits);
      default:
        return static_cast<double>(bits);
    }
  }

  // Least bytes that one item can take.
  std::uint64_t least_bytes(const Element& element) const {
    std::uint64_t bytes = 0;
    for (const Property& property : element.properties) {
      if (encoding_ == Encoding::ascii)
        bytes += 2;  // a digit and a blank
      else
        bytes += size_of(property.list ? property.count_type : property.type);
    }
    return bytes;
  }

  // A header may promise anything: believe it only as far as there are bytes.
  void check_count(const Element& element, std::uint64_t each) const {
    // The last value of an ascii file needs no blank after it.
    if (element.count > 0 && (rest_.size() + 1) / each < element.count) ends_early(element);
  }

  void skip_list(const Property& property, const Element& element) {
    double count = 0;
    if (encoding_ == Encoding::ascii) {
      count = number(take_token(element)).value_or(-1);
    } else {
      count = binary_value(take_bytes(size_of(property.count_type), element).data(),
                           property.count_type);
    }
    if (!(count >= 0) || count > static_cast<double>(rest_.size())) ends_early(element);
    if (encoding_ == Encoding::ascii) {
      for (double i = 0; i < count; ++i) take_token(element);
    } else {
      take_bytes(static_cast<std::uint64_t>(count) * size_of(property.type), element);
    }
  }

  void skip(const Element& element) {
    const std::uint64_t each = least_bytes(element);
    if (each == 0) return;
    check_count(element, each);
    const bool lists = std::any_of(element.properties.begin(), element.properties.end(),
                                   [](const Property& property) { return property.list; });
    if (encoding_ != Encoding::ascii && !lists) {
      take_bytes(element.count * each, element);
      return;
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        if (property.list)
          skip_list(property, element);
        else if (encoding_ == Encoding::ascii)
          take_token(element);
        else
          take_bytes(size_of(property.type), element);
      }
    }
  }

  void read_vertices(const Element& element) {
    const auto has = [&](Column column) {
      return std::any_of(element.properties.begin(), element.properties.end(),
                         [&](const Property& property) { return property.column == column; });
    };
    if (!has(Column::x) || !has(Column::y)) {
      throw Error(ErrorKind::input, "its vertices have no properties x and y");
    }
    check_count(element, least_bytes(element));
    reserve(points_, static_cast<double>(element.count), limits_);
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        bool good = true;
        if (property.list) {
          skip_list(property, element);
        } else if (encoding_ == Encoding::ascii) {
          good = store(points_, property.column, take_token(element));
        } else {
          const std::string_view bytes = take_bytes(size_of(property.type), element);
          good = store(points_, property.column, binary_value(bytes.data(), property.type));
        }
        if (good) continue;
        throw Error(ErrorKind::input, "vertex " + std::to_string(i + 1) + ": its " +
                                          std::string(name_of(property.column)) +
                                          " is not a number that can be used");
      }
    }
  }

  std::string_view rest_;
  const Limits& limits_;
  std::size_t line_number_ = 0;
  Encoding encoding_ = Encoding::ascii;
  std::vector<Element> elements_;
  PointSet points_;
  bool has_domain_ = false;
};

template <class Value>
void append_little_endian(std::string& bytes, Value value) {
  using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  put(bytes, std::bit_cast<Bits>(value), sizeof(Value));
}

}  // namespace

PointSet decode_ply(std::string_view bytes, const Limits& limits) {
  return PlyReader(bytes, limits).read();
}

std::string encode_ply(const PointSet& points) {
  const Domain& domain = points.domain;
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment dapple.domain " +
                      shortest(domain.width) + " " + shortest(domain.height) +
                      (domain.wrap ? " wrap\n" : " flat\n");
  if (!(points.origin == Vec2{})) {
    bytes += "comment dapple.origin " + shortest(points.origin.x) + " " +
             shortest(points.origin.y) + "\n";
  }
  for (const auto& [key, value] : points.metadata) {
    bytes += "comment dapple.metadata " + escaped(key, true) + " " + escaped(value, false) + "\n";
  }
  bytes += "element vertex " + std::to_string(points.size()) +
           "\nproperty double x\nproperty double y\nproperty double z\nproperty float radius\n";
  for_each_extra(points, [&](Column column, const auto& values) {
    bytes +=
        std::is_integral_v<std::decay_t<decltype(values[0])>> ? "property int " : "property float ";
    bytes += std::string(name_of(column)) + "\n";
  });
  bytes += "end_header\n";
  bytes.reserve(bytes.size() + points.size() * 36);
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_little_endian(bytes, points.x[i]);
    append_little_endian(bytes, points.y[i]);
    append_little_endian(bytes, points.z.empty() ? 0.0 : points.z[i]);
    append_little_endian(bytes, points.radius[i]);
    for_each_extra(points,
                   [&](Column, const auto& values) { append_little_endian(bytes, values[i]); });
  }
  return bytes;
}

}  // namespace dapple

// Reads the structure of PLY files (Turk 1994) for points and meshes. A header lists elements and
// their properties; the values follow element by element, as text or bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

// Returns the name of a type, such as uchar.
std::string_view name_of(PlyType type);
// Returns the bytes of an integer type, or 0 for other names.
int ply_integer_bytes(std::string_view name);

struct PlyProperty {
  std::string_view name;
  PlyType type = PlyType::f32;
  bool list = false;
  PlyType count_type = PlyType::u8;
};

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;

  // Returns the index of the scalar property of that name, or -1 if there is none.
  int find(std::string_view property) const;
};

// Receives each value of an element with the index of its property. A text is a word of an ascii
// file. The visitor must refuse values that do not fit.
struct PlyVisitor {
  std::function<void(std::size_t property, std::string_view text)> text;
  std::function<void(std::size_t property, double value)> number;
  // Receives lists; words that are not numbers become NaN. If null, lists are skipped.
  std::function<void(std::size_t property, const std::vector<double>& values)> list = nullptr;
  std::function<void()> end_of_row = nullptr;
};

// A PLY file in `bytes`, which must outlive it. Read or skip elements in file order. Throws
// Error(input); errors in the header name the line.
class PlyFile {
 public:
  explicit PlyFile(std::string_view bytes);

  const std::vector<PlyElement>& elements() const { return elements_; }
  // Returns the comments with their line numbers.
  const std::vector<std::pair<std::size_t, std::string_view>>& comments() const {
    return comments_;
  }
  // Throws if fewer bytes are left than the element needs. Call this before reserving memory, since
  // a header may claim any size.
  void require_room(const PlyElement& element) const;
  void read(const PlyElement& element, const PlyVisitor& visitor);
  void skip(const PlyElement& element);

 private:
  enum class Encoding { ascii, little, big };

  std::string_view next_line();
  void read_header();
  void read_format(std::string_view name);
  void read_element(std::string_view line);
  void read_property(std::string_view line);
  PlyType read_type(std::string_view name) const;
  [[noreturn]] void fail(const std::string& why) const;
  std::string_view take_bytes(std::uint64_t count, const PlyElement& element);
  std::string_view take_token(const PlyElement& element);
  double binary_value(const char* bytes, PlyType type) const;
  std::uint64_t least_bytes(const PlyElement& element) const;
  std::uint64_t list_length(const PlyProperty& property, const PlyElement& element);
  void read_list(std::size_t number, const PlyElement& element, const PlyVisitor& visitor);

  std::string_view rest_;
  std::size_t line_number_ = 0;
  Encoding encoding_ = Encoding::ascii;
  std::vector<PlyElement> elements_;
  std::vector<std::pair<std::size_t, std::string_view>> comments_;
  std::vector<double> list_;
};

// Removes the next word and the blanks before it from `line`, and returns the word.
std::string_view take_word(std::string_view& line);

}  // namespace dapple

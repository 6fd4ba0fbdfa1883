// Reads well-known text (OGC 06-103r4): POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION, one after the
// other. Each geometry is a region.
#include <cctype>
#include <cmath>

#include "dapple/error.hpp"
#include "io/points/format.hpp"
#include "io/regions/formats.hpp"

namespace dapple {
namespace {

class WktReader {
 public:
  explicit WktReader(std::string_view text) : text_(text) {}

  Regions read() {
    regions_.y_up = true;
    while (skip_blanks(), at_ < text_.size()) {
      regions_.all.emplace_back();
      geometry(word());
      if (regions_.all.back().rings.empty()) fail("is empty: it has no polygon");
    }
    if (regions_.all.empty()) throw Error(ErrorKind::input, "holds no geometry");
    if (has_heights_) regions_.notes.emplace_back(note_of_heights);
    return std::move(regions_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, name_of_region(regions_, regions_.all.size() - 1) + " " + why);
  }
  [[noreturn]] void expect(const std::string& what) const {
    const std::string found(text_.substr(std::min(at_, text_.size()), 20));
    fail("needs " + what + (found.empty() ? " before the end" : ", not '" + found + "'"));
  }

  void skip_blanks() {
    while (at_ < text_.size() &&
           (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == ';')) {
      ++at_;
    }
  }
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  // Returns the next word in capitals, after numbers of reference systems.
  std::string word() {
    for (;;) {
      skip_blanks();
      std::string word;
      while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) {
        word += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_++])));
      }
      if (word != "SRID") return word;
      while (at_ < text_.size() && text_[at_] != ';') ++at_;
    }
  }

  void geometry(const std::string& type, int depth = 0) {
    if (depth > deepest_collection) fail("has collections of geometries inside each other");
    const std::size_t before = at_;
    const std::string next = word();
    if (next == "EMPTY") return;
    if (next != "Z" && next != "M" && next != "ZM") at_ = before;
    if (type.starts_with("POLYGON")) return list([&] { ring(); });
    if (type.starts_with("MULTIPOLYGON")) return list([&] { list([&] { ring(); }); });
    if (type.starts_with("GEOMETRYCOLLECTION")) {
      return list([&] { geometry(word(), depth + 1); });
    }
    if (type.empty()) expect("POLYGON or MULTIPOLYGON");
    fail("is a " + type + ": regions must be POLYGON or MULTIPOLYGON");
  }

  // Reads items between commas in parentheses.
  template <class Item>
  void list(const Item& item) {
    if (!take('(')) expect("(");
    do {
      item();
    } while (take(','));
    if (!take(')')) expect(", or )");
  }

  void ring() {
    std::vector<Vec2> places;
    list([&] {
      const double x = number();
      const double y = number();
      skip_blanks();
      while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')') {
        number();
        has_heights_ = true;
        skip_blanks();
      }
      places.push_back({x, y});
    });
    add_closed_ring(regions_, std::move(places));
  }

  double number() {
    skip_blanks();
    std::string_view rest = text_.substr(at_);
    const auto value = take_number(rest);
    if (!value || !std::isfinite(*value)) expect("a finite number");
    at_ = text_.size() - rest.size();
    return *value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Regions regions_;
  bool has_heights_ = false;
};

}  // namespace

Regions decode_wkt(std::string_view bytes) {
  return WktReader(bytes).read();
}

}  // namespace dapple

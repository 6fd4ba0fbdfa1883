// Reads lengths, sizes and ranges that users write: `2mm`, `1.5%`, `512x256`, `A4`, `2px:10px`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dapple {

enum class Unit { px, mm, cm, in, pt, percent };

// The scale by which a length becomes pixels.
struct Scale {
  double shorter_side = 0;   // pixels; the length of 100 %
  double pixels_per_mm = 0;  // 0: no physical size is known
};

struct Length {
  double value = 0;
  Unit unit = Unit::px;

  // Returns 0 to 1e9. Throws Error(usage) for other lengths, and for a physical unit if `scale` has
  // no physical size.
  double pixels(const Scale& scale) const;
  friend bool operator==(const Length&, const Length&) = default;
};

// Width by height, and the depth of a volume. Pixels or a physical unit.
struct Size {
  double width = 0;
  double height = 0;
  double depth = 1;
  Unit unit = Unit::px;
  double extent = 1;  // along a fourth axis

  bool empty() const { return width == 0 && height == 0; }
  bool is_flat() const { return depth == 1 && extent == 1; }
  // Return whole pixels. Throw Error(usage) for a physical size without pixels_per_mm, and for
  // sides below 1 px or above 2^31 - 1.
  int pixel_width(double pixels_per_mm = 0) const;
  int pixel_height(double pixels_per_mm = 0) const;
  double width_mm() const;  // Throws Error(usage) if the unit is px or %.
  double height_mm() const;
  friend bool operator==(const Size&, const Size&) = default;
};

// MIN:MAX, or one value for both.
struct LengthRange {
  Length min = {};
  Length max = {};

  bool empty() const { return min.value == 0 && max.value == 0; }
  friend bool operator==(const LengthRange&, const LengthRange&) = default;
};

// Convert text to a value and back; the text round-trips exactly. from_text throws Error(usage)
// with the expected form and an example. Plain numbers are pixels. Paper names are A0..A10, letter,
// legal, with an optional `-landscape`.
void from_text(std::string_view text, Length& value);
void from_text(std::string_view text, Size& value);
// Returns the names of papers that a Size reads, in any case: series A and B of ISO 216, letter,
// legal, tabloid, ledger and executive. Each may end with -landscape or -portrait.
std::vector<std::string> paper_names();
void from_text(std::string_view text, LengthRange& value);
std::string to_text(const Length& value);
std::string to_text(const Size& value);
std::string to_text(const LengthRange& value);

// A length, range or size on paper. Numbers without a unit are millimeters if there is a paper,
// otherwise pixels.
template <class T>
struct OnPaper : T {
  using Written = T;
  OnPaper() = default;
  OnPaper(const T& written) : T(written) {}
  template <class U = T>  // the copy takes `= {}`
  OnPaper& operator=(const U& written) {
    return *this = OnPaper(written);
  }

  bool plain = false;  // no unit was written; pixels, until with_units() settles it
  bool turns = false;  // a paper given only by name, which turns as the picture does
  friend bool operator==(const OnPaper&, const OnPaper&) = default;
};
std::string to_text(const OnPaper<Length>& value);
std::string to_text(const OnPaper<LengthRange>& value);
void from_text(std::string_view text, OnPaper<Length>& value);
void from_text(std::string_view text, OnPaper<LengthRange>& value);

// Return true if from_text() accepts to_text(value). The value must not be empty.
bool reads_back(const Length& value);
bool reads_back(const Size& value);
bool reads_back(const LengthRange& value);

// Returns the shortest decimal that reads back as the same number; "inf" or "nan" if not finite.
std::string shortest(double value);
std::string shortest(float value);
// Returns the same, but whole numbers below 1e7 in full: 100000, not 1e+05.
std::string plain_number(double value);

}  // namespace dapple

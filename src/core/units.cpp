// Parses, prints and converts lengths, sizes and ranges.
#include "dapple/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/constants.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

struct UnitName {
  std::string_view text;
  Unit unit;
  double mm;  // 0: not a physical unit
};
constexpr std::array<UnitName, 6> unit_names{{{"px", Unit::px, 0},
                                              {"mm", Unit::mm, 1},
                                              {"cm", Unit::cm, 10},
                                              {"in", Unit::in, mm_per_inch},
                                              {"pt", Unit::pt, mm_per_inch / 72},
                                              {"%", Unit::percent, 0}}};

const UnitName& name_of(Unit unit) {
  static const UnitName unknown{"?", Unit::px, 0};
  const auto i = static_cast<std::size_t>(unit);
  return i < unit_names.size() ? unit_names[i] : unknown;
}

double mm_of(double value, Unit unit) {
  const double mm = name_of(unit).mm;
  if (mm == 0) {
    throw Error(ErrorKind::usage, "expected a physical size such as 210x297mm or A4, not " +
                                      shortest(value) + std::string(name_of(unit).text));
  }
  return value * mm;
}

// Removes a decimal number from the front of `text` and returns it.
std::optional<double> take_finite(std::string_view& text) {
  double value = 0;
  if (take_number(text, value) != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<Unit> unit_of(std::string_view text) {
  if (text.empty()) return Unit::px;
  for (const UnitName& known : unit_names) {
    if (known.text == text) return known.unit;
  }
  return std::nullopt;
}

[[noreturn]] void throw_expected(std::string_view what, std::string_view text) {
  throw Error(ErrorKind::usage,
              "expected " + std::string(what) + ", not '" + std::string(text) + "'");
}

// The longest length, far beyond any paper. Numbers computed from lengths fit integers.
constexpr double longest = 1e9;

constexpr std::string_view length_form =
    "a length such as 12, 0.4mm or 1.5% (px, mm, cm, in, pt, %)";
constexpr std::string_view size_form =
    "a size such as 512, 512x256, 64x64x32, 32x32x32x16, A4, A3-landscape or 210x297mm";

// Sizes of American papers (ANSI/ASME Y14.1, and Executive) in mm.
struct NamedPaper {
  std::string_view name;
  double width;
  double height;
};
constexpr std::array american_papers{
    NamedPaper{"letter", 215.9, 279.4}, NamedPaper{"legal", 215.9, 355.6},
    NamedPaper{"tabloid", 279.4, 431.8}, NamedPaper{"ledger", 431.8, 279.4},
    NamedPaper{"executive", 184.15, 266.7}};
constexpr int smallest_iso = 10;

// Returns a paper of ISO 216 (series A and B) or an American one, in mm. `name` is in lower case.
std::optional<Size> paper_of(std::string_view name) {
  const auto drop_end = [&name](std::string_view end) {
    if (!name.ends_with(end)) return false;
    name.remove_suffix(end.size());
    if (name.ends_with('-')) name.remove_suffix(1);
    return true;
  };
  const bool landscape = drop_end("landscape");
  drop_end("portrait");
  if (name.starts_with("us")) name.remove_prefix(name.starts_with("us-") ? 3 : 2);
  Size size{0, 0, 1, Unit::mm};
  const auto* const american =
      std::find_if(american_papers.begin(), american_papers.end(),
                   [name](const NamedPaper& paper) { return paper.name == name; });
  if (american != american_papers.end()) {
    size.width = american->width;
    size.height = american->height;
  } else if (name.size() >= 2 && (name[0] == 'a' || name[0] == 'b')) {
    const int number = parse_number<int>(name.substr(1)).value_or(-1);
    if (number < 0 || number > smallest_iso) return std::nullopt;
    // Each size is half of the one before, rounded down.
    std::array<int, 2> sides = name[0] == 'a' ? std::array{841, 1189} : std::array{1000, 1414};
    for (int i = 0; i < number; ++i) sides = {sides[1] / 2, sides[0]};
    size.width = sides[0];
    size.height = sides[1];
  } else {
    return std::nullopt;
  }
  if (landscape) std::swap(size.width, size.height);
  return size;
}

// Returns the text in lower case without blanks.
std::string without_blanks(std::string_view text) {
  std::string plain = lower_case(text);
  std::erase(plain, ' ');
  return plain;
}

// Removes the unit before `x` or the end of the text, or returns nothing for an unknown one.
std::optional<Unit> take_unit(std::string_view& text) {
  for (const UnitName& known : unit_names) {
    if (!text.starts_with(known.text)) continue;
    text.remove_prefix(known.text.size());
    return known.unit;
  }
  if (!text.empty() && text.front() != 'x') return std::nullopt;
  return Unit::px;
}

int whole_pixels(double value, Unit unit, double pixels_per_mm) {
  double pixels = value;
  if (unit != Unit::px) {
    if (pixels_per_mm <= 0) {
      throw Error(ErrorKind::usage, "expected a size in pixels such as 512x256, not a size in " +
                                        std::string(name_of(unit).text));
    }
    pixels = std::round(mm_of(value, unit) * pixels_per_mm);
  }
  if (!(pixels >= 1) || pixels > std::numeric_limits<int>::max() || pixels != std::floor(pixels)) {
    throw Error(
        ErrorKind::usage,
        "a side must be a whole number of pixels from 1 to 2147483647, not " + shortest(pixels));
  }
  return static_cast<int>(pixels);
}

}  // namespace

std::string shortest(double value) {
  // Powers of ten from 1e5 on are shorter with an exponent.
  const auto whole = std::abs(value) < 1e5 ? static_cast<int>(value) : 0;
  if (whole != 0 && whole == value) return std::to_string(whole);
  return number_text(value);
}
std::string shortest(float value) {
  return number_text(value);
}
std::string plain_number(double value) {
  const auto whole = std::abs(value) < 1e7 ? static_cast<int>(value) : 0;
  return whole != 0 && whole == value ? std::to_string(whole) : shortest(value);
}

double Length::pixels(const Scale& scale) const {
  double pixels = value;
  if (unit == Unit::percent) {
    pixels = value * scale.shorter_side / 100;
  } else if (unit != Unit::px) {
    if (scale.pixels_per_mm <= 0) {
      throw Error(ErrorKind::usage,
                  "'" + to_text(*this) +
                      "' is a physical length, but the size of a pixel is unknown; use px or %");
    }
    pixels = mm_of(value, unit) * scale.pixels_per_mm;
  }
  if (pixels >= 0 && pixels <= longest) return pixels;
  throw Error(ErrorKind::usage, "'" + to_text(*this) + "' is " + shortest(pixels) +
                                    " pixels; a length must be from 0 to 1000000000 pixels");
}

int Size::pixel_width(double pixels_per_mm) const {
  return whole_pixels(width, unit, pixels_per_mm);
}
int Size::pixel_height(double pixels_per_mm) const {
  return whole_pixels(height, unit, pixels_per_mm);
}
double Size::width_mm() const {
  return mm_of(width, unit);
}
double Size::height_mm() const {
  return mm_of(height, unit);
}

void from_text(std::string_view text, Length& value) {
  std::string_view rest = text;
  const auto number = take_finite(rest);
  const auto unit = number ? unit_of(rest) : std::nullopt;
  if (!unit) throw_expected(length_form, text);
  if (*number < 0 || *number > longest) throw_expected("a length from 0 to 1000000000", text);
  value = {*number, *unit};
}

void from_text(std::string_view text, LengthRange& value) {
  const auto colon = text.find(':');
  LengthRange range;
  from_text(text.substr(0, colon), range.min);
  if (colon == std::string_view::npos) {
    range.max = range.min;
  } else {
    from_text(text.substr(colon + 1), range.max);
    // 1:4mm means millimeters for both.
    if (range.min.unit == Unit::px && text.substr(0, colon).find("px") == std::string_view::npos) {
      range.min.unit = range.max.unit;
    }
    if (range.min.unit == range.max.unit && range.min.value > range.max.value) {
      throw_expected("MIN:MAX with MIN <= MAX", text);
    }
  }
  value = range;
}

void from_text(std::string_view text, Size& value) {
  const std::string plain = without_blanks(text);
  if (const auto paper = paper_of(plain)) {
    value = *paper;
    return;
  }
  std::array<double, 4> sides{0, 0, 1, 1};
  std::string_view rest = plain;
  Unit unit = Unit::px;
  std::size_t n = 0;
  while (n < sides.size()) {
    const auto number = take_finite(rest);
    const bool has_unit = !rest.empty() && rest.front() != 'x';
    const Unit of_side = take_unit(rest).value_or(Unit::percent);  // no side is a percentage
    // 8.5inx11in has a unit per side, 210x297mm one for all.
    const bool other_unit = n > 0 && unit != Unit::px && has_unit && of_side != unit;
    const bool late_unit = n > 0 && unit != Unit::px && !has_unit;
    if (!number || *number <= 0 || of_side == Unit::percent || other_unit || late_unit) {
      throw_expected(size_form, text);
    }
    if (has_unit) unit = of_side;
    sides[n++] = *number;
    if (rest.empty() || rest.front() != 'x') break;
    rest.remove_prefix(1);
  }
  if (!rest.empty()) throw_expected(size_form, text);
  if (n == 1) sides[1] = sides[0];
  value = {sides[0], sides[1], sides[2], unit, sides[3]};
}

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  for (const NamedPaper& paper : american_papers) names.emplace_back(paper.name);
  for (const char series : {'A', 'B'}) {
    for (int i = 0; i <= smallest_iso; ++i) names.push_back(series + std::to_string(i));
  }
  return names;
}

std::string to_text(const Length& value) {
  return shortest(value.value) +
         (value.unit == Unit::px ? "" : std::string(name_of(value.unit).text));
}

std::string to_text(const LengthRange& value) {
  if (value.empty()) return "";
  if (value.min == value.max) return to_text(value.min);
  const bool ambiguous = value.min.unit == Unit::px && value.max.unit != Unit::px;
  return to_text(value.min) + (ambiguous ? "px:" : ":") + to_text(value.max);
}

std::string to_text(const Size& value) {
  if (value.empty()) return "";
  std::string text = shortest(value.width) + "x" + shortest(value.height);
  if (!value.is_flat()) text += "x" + shortest(value.depth);
  if (value.extent != 1) text += "x" + shortest(value.extent);
  if (value.unit != Unit::px) text += name_of(value.unit).text;
  return text;
}

bool reads_back(const Length& value) {
  return value.value >= 0 && value.value <= longest &&
         static_cast<std::size_t>(value.unit) < unit_names.size();
}

bool reads_back(const LengthRange& value) {
  return reads_back(value.min) && reads_back(value.max) &&
         (value.min.unit != value.max.unit || value.min.value <= value.max.value);
}

bool reads_back(const Size& value) {
  const auto is_side = [](double side) { return side > 0 && std::isfinite(side); };
  return is_side(value.width) && is_side(value.height) && is_side(value.depth) &&
         is_side(value.extent) && value.unit != Unit::percent &&
         static_cast<std::size_t>(value.unit) < unit_names.size();
}

namespace {

// Appends px to a length in pixels, unless it is a plain number.
std::string with_unit(std::string text, bool plain, Unit unit) {
  if (!text.empty() && unit == Unit::px && !plain) text += "px";
  return text;
}

template <class T>
void read_on_paper(std::string_view text, OnPaper<T>& value) {
  T written;
  from_text(text, written);
  value = written;
  value.plain = text.find_first_of("pmci%") == std::string_view::npos;
}

}  // namespace

std::string to_text(const OnPaper<Length>& value) {
  return with_unit(to_text(static_cast<const Length&>(value)), value.plain, value.unit);
}
std::string to_text(const OnPaper<LengthRange>& value) {
  return with_unit(to_text(static_cast<const LengthRange&>(value)), value.plain, value.max.unit);
}
void from_text(std::string_view text, OnPaper<Length>& value) {
  read_on_paper(text, value);
}
void from_text(std::string_view text, OnPaper<LengthRange>& value) {
  read_on_paper(text, value);
}

}  // namespace dapple

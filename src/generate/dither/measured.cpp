// Reads measured colors: CIELAB as in CSS, and tables of instruments in CGATS.17 (ISO 28178), as
// color management programs write them (.txt, .ti3). Measurements are for the light D50. A viewer
// gets used to the paper, so colors are relative to the measured paper if the table has it.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::palette {
namespace {

constexpr Rgb white_point{0.96422, 1, 0.82521};  // XYZ of D50

// From XYZ for D50 to linear sRGB for D65, adapted by the Bradford method.
constexpr std::array<Rgb, 3> from_xyz{{{3.1338561, -1.6168667, -0.4906146},
                                       {-0.9787684, 1.9161415, 0.0334540},
                                       {0.0719453, -0.2289914, 1.4052427}}};

Rgb xyz_of_lab(const Rgb& lab) {
  constexpr double kappa = 24389.0 / 27;
  constexpr double epsilon = 216.0 / 24389;
  const double y = (lab[0] + 16) / 116;
  const Rgb roots{y + lab[1] / 500, y, y - lab[2] / 200};
  Rgb xyz;
  for (std::size_t k = 0; k < 3; ++k) {
    const double cube = roots[k] * roots[k] * roots[k];
    xyz[k] = white_point[k] * (cube > epsilon ? cube : (116 * roots[k] - 16) / kappa);
  }
  return xyz;
}

// Returns the nearest color in sRGB, channel by channel.
Rgb8 rgb_of_xyz(const Rgb& xyz) {
  Rgb8 bytes;
  for (std::size_t c = 0; c < 3; ++c) {
    const double light =
        from_xyz[c][0] * xyz[0] + from_xyz[c][1] * xyz[1] + from_xyz[c][2] * xyz[2];
    const float encoded = linear_to_srgb(static_cast<float>(std::clamp(light, 0.0, 1.0)));
    bytes[c] = static_cast<std::uint8_t>(std::lround(encoded * 255.0f));
  }
  return bytes;
}

// The observer of 2 degrees (CIE 1931) and the light D50, every 10 nm from 380 nm.
struct Band {
  double x, y, z, light;
};
constexpr double first_band = 380;
constexpr double band_step = 10;
constexpr std::array<Band, 36> bands{{
    {0.001368, 0.000039, 0.006450, 24.49},  {0.004243, 0.000120, 0.020050, 29.87},
    {0.014310, 0.000396, 0.067850, 49.31},  {0.043510, 0.001210, 0.207400, 56.51},
    {0.134380, 0.004000, 0.645600, 60.03},  {0.283900, 0.011600, 1.385600, 57.82},
    {0.348280, 0.023000, 1.747060, 74.82},  {0.336200, 0.038000, 1.772110, 87.25},
    {0.290800, 0.060000, 1.669200, 90.61},  {0.195360, 0.090980, 1.287640, 91.37},
    {0.095640, 0.139020, 0.812950, 95.11},  {0.032010, 0.208020, 0.465180, 91.96},
    {0.004900, 0.323000, 0.272000, 95.72},  {0.009300, 0.503000, 0.158200, 96.61},
    {0.063270, 0.710000, 0.078250, 97.13},  {0.165500, 0.862000, 0.042160, 102.10},
    {0.290400, 0.954000, 0.020300, 100.75}, {0.433450, 0.994950, 0.008750, 102.32},
    {0.594500, 0.995000, 0.003900, 100.00}, {0.762100, 0.952000, 0.002100, 97.74},
    {0.916300, 0.870000, 0.001650, 98.92},  {1.026300, 0.757000, 0.001100, 93.50},
    {1.062200, 0.631000, 0.000800, 97.69},  {1.002600, 0.503000, 0.000340, 99.27},
    {0.854450, 0.381000, 0.000190, 99.04},  {0.642400, 0.265000, 0.000050, 95.72},
    {0.447900, 0.175000, 0.000020, 98.86},  {0.283500, 0.107000, 0, 95.67},
    {0.164900, 0.061000, 0, 98.19},         {0.087400, 0.032000, 0, 103.00},
    {0.046770, 0.017000, 0, 99.13},         {0.022700, 0.008210, 0, 87.38},
    {0.011359, 0.004102, 0, 91.60},         {0.005790, 0.002091, 0, 92.89},
    {0.002899, 0.001047, 0, 76.85},         {0.001440, 0.000520, 0, 86.51},
}};

// A field that holds the reflectance at a wavelength.
struct Wavelength {
  double nm;
  std::size_t field;
};

// Returns the reflectance at `nm`, linear between the fields of a row.
double reflectance(const std::vector<Wavelength>& spectrum, const std::vector<double>& row,
                   double nm) {
  const auto after = std::find_if(spectrum.begin(), spectrum.end(),
                                  [&](const Wavelength& at) { return at.nm >= nm; });
  if (after == spectrum.begin()) return row[after->field];
  const Wavelength& before = *(after - 1);
  if (after == spectrum.end()) return row[before.field];
  const double t = (nm - before.nm) / (after->nm - before.nm);
  return row[before.field] + t * (row[after->field] - row[before.field]);
}

Rgb xyz_of_spectrum(const std::vector<Wavelength>& spectrum, const std::vector<double>& row) {
  Rgb sum{};
  Rgb of_white{};
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const Band& band = bands[i];
    const double seen = reflectance(spectrum, row, first_band + band_step * static_cast<double>(i));
    const Rgb weights{band.light * band.x, band.light * band.y, band.light * band.z};
    for (std::size_t k = 0; k < 3; ++k) {
      sum[k] += weights[k] * seen;
      of_white[k] += weights[k];
    }
  }
  for (std::size_t k = 0; k < 3; ++k) sum[k] *= white_point[k] / of_white[k];
  return sum;
}

// Takes the next word, or the text in quotation marks. Skips comments. Returns nothing at the end.
std::optional<std::string_view> take_word(std::string_view& text) {
  for (;;) {
    text = text.substr(std::min(text.size(), text.find_first_not_of(" \t\r\n")));
    if (text.empty()) return {};
    if (text.front() != '#') break;
    text = text.substr(std::min(text.size(), text.find('\n')));
  }
  const bool quoted = text.front() == '"';
  if (quoted) text.remove_prefix(1);
  const std::size_t end = std::min(text.size(), text.find_first_of(quoted ? "\"\n" : " \t\r\n"));
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(quoted ? std::min(text.size(), end + 1) : end);
  return word;
}

// Returns the wavelength of a field such as SPECTRAL_NM380, SPEC_380 or nm380.
std::optional<double> wavelength_of(std::string_view field) {
  const std::size_t digits = field.find_last_not_of("0123456789") + 1;
  const std::string head = lower_case(field.substr(0, digits));
  constexpr std::array heads{"spectral_nm_", "spectral_nm", "spectral_", "spec_", "nm_", "nm"};
  if (std::find(heads.begin(), heads.end(), head) == heads.end()) return {};
  return parse_number<double>(field.substr(digits));
}

class Table {
 public:
  Table(std::string_view text, const std::string& file) : file_(file) {
    text.remove_prefix(text.find(format_mark) + format_mark.size());
    for (;;) {
      const std::optional<std::string_view> word = take_word(text);
      if (!word) fail("END_DATA_FORMAT is missing");
      if (*word == "END_DATA_FORMAT") break;
      add_field(*word);
    }
    check_fields();
    for (;;) {
      const std::optional<std::string_view> word = take_word(text);
      if (!word) fail("BEGIN_DATA is missing");
      if (*word == "BEGIN_DATA") break;
    }
    while (rows_.size() <= most_colors && read_row(text)) {
    }
  }

  static constexpr std::string_view format_mark = "BEGIN_DATA_FORMAT";

  std::vector<Rgb8> colors(std::vector<std::string>* names) const {
    std::vector<Rgb> all;
    for (const std::vector<double>& row : rows_) all.push_back(xyz_of(row));
    Rgb paper = white_point;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (lower_case(names_[i]) == "paper") paper = all[i];
    }
    if (!(*std::min_element(paper.begin(), paper.end()) > 0)) fail("the paper has no light");
    std::vector<Rgb8> bytes;
    for (Rgb& xyz : all) {
      for (std::size_t k = 0; k < 3; ++k) xyz[k] *= white_point[k] / paper[k];
      bytes.push_back(rgb_of_xyz(xyz));
    }
    if (names != nullptr) *names = names_;
    return bytes;
  }

 private:
  static constexpr double most_value = 1000;
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::usage, "as a table of CGATS: " + why, file_);
  }

  // Reads the fields of a color. Returns false at the end of the table.
  bool read_row(std::string_view& text) {
    const std::string number = std::to_string(rows_.size() + 1);
    std::vector<double> row;
    std::string name;
    for (std::size_t f = 0; f < fields_; ++f) {
      const std::optional<std::string_view> word = take_word(text);
      if (f == 0 && word == "END_DATA") return false;
      if (!word) fail("the table ends in color " + number + ", without END_DATA");
      if (f == name_) name = *word;
      const std::optional<double> value = parse_number<double>(*word);
      if (needed(f) && !(value && std::abs(*value) < most_value)) {
        fail("color " + number + ": expected a number from -1000 to 1000, not '" +
             std::string(word->substr(0, 60)) + "'");
      }
      row.push_back(value.value_or(0));
    }
    names_.push_back(std::move(name));
    rows_.push_back(std::move(row));
    return true;
  }

  void add_field(std::string_view field) {
    const std::string name = lower_case(field);
    constexpr std::array of_lab{"lab_l", "lab_a", "lab_b"};
    constexpr std::array of_xyz{"xyz_x", "xyz_y", "xyz_z"};
    for (std::size_t k = 0; k < 3; ++k) {
      if (name == of_lab[k]) lab_[k] = fields_;
      if (name == of_xyz[k]) xyz_[k] = fields_;
    }
    if (name == "sample_name" || (name == "sample_id" && name_ == none)) name_ = fields_;
    if (const std::optional<double> nm = wavelength_of(field)) spectrum_.push_back({*nm, fields_});
    ++fields_;
  }

  void check_fields() {
    std::sort(spectrum_.begin(), spectrum_.end(),
              [](const Wavelength& a, const Wavelength& b) { return a.nm < b.nm; });
    const auto same =
        std::adjacent_find(spectrum_.begin(), spectrum_.end(),
                           [](const Wavelength& a, const Wavelength& b) { return a.nm == b.nm; });
    if (same != spectrum_.end()) fail("has the wavelength " + shortest(same->nm) + " nm twice");
    const bool whole =
        !spectrum_.empty() && spectrum_.front().nm <= 420 && spectrum_.back().nm >= 680;
    if (!whole) spectrum_.clear();
    if (!has(lab_) && !has(xyz_) && spectrum_.empty()) {
      fail(
          "expected the fields LAB_L LAB_A LAB_B, XYZ_X XYZ_Y XYZ_Z, or SPECTRAL_NM400 to "
          "SPECTRAL_NM700");
    }
  }

  static bool has(const std::array<std::size_t, 3>& fields) {
    return std::find(fields.begin(), fields.end(), none) == fields.end();
  }
  bool needed(std::size_t field) const {
    if (has(lab_)) return std::find(lab_.begin(), lab_.end(), field) != lab_.end();
    if (has(xyz_)) return std::find(xyz_.begin(), xyz_.end(), field) != xyz_.end();
    return std::any_of(spectrum_.begin(), spectrum_.end(),
                       [&](const Wavelength& at) { return at.field == field; });
  }

  Rgb xyz_of(const std::vector<double>& row) const {
    if (has(lab_)) return xyz_of_lab({row[lab_[0]], row[lab_[1]], row[lab_[2]]});
    if (has(xyz_)) return {row[xyz_[0]] / 100, row[xyz_[1]] / 100, row[xyz_[2]] / 100};
    Rgb xyz = xyz_of_spectrum(spectrum_, row);
    if (in_percent()) {
      for (double& v : xyz) v /= 100;
    }
    return xyz;
  }

  // Returns true for reflectances of 0..100. No paper reflects twice the light, even if it glows.
  bool in_percent() const {
    for (const std::vector<double>& row : rows_) {
      for (const Wavelength& at : spectrum_) {
        if (row[at.field] > 2) return true;
      }
    }
    return false;
  }

  const std::string& file_;
  std::size_t fields_ = 0;
  std::size_t name_ = none;
  std::array<std::size_t, 3> lab_{none, none, none};
  std::array<std::size_t, 3> xyz_{none, none, none};
  std::vector<Wavelength> spectrum_;
  std::vector<std::vector<double>> rows_;
  std::vector<std::string> names_;
};

}  // namespace

std::optional<Rgb8> lab_color(std::string_view text) {
  if (!text.starts_with("lab(") || !text.ends_with(')')) return {};
  text.remove_prefix(4);
  text.remove_suffix(1);
  Rgb lab;
  for (double& v : lab) {
    text = trim_blanks(text);
    if (take_number(text, v) != std::errc{} || !std::isfinite(v)) return {};
    if (!text.empty() && text[0] != ' ') return {};
  }
  if (!trim_blanks(text).empty() || lab[0] < 0 || lab[0] > 100) return {};
  return color_of_lab(lab);
}

Rgb8 color_of_lab(const Rgb& lab) {
  return rgb_of_xyz(xyz_of_lab(lab));
}

bool is_measured_table(std::string_view text) {
  return text.find(Table::format_mark) != std::string_view::npos;
}

std::vector<Rgb8> parse_measured(std::string_view text, const std::string& file,
                                 std::vector<std::string>* names) {
  return Table(text, file).colors(names);
}

}  // namespace dapple::palette

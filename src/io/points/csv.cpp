// Reads and writes points as text in columns.
//
// Written: a first line `x,y,r`, then `z`, `w`, `class`, `rank`, `id`, `size` and `rotation` if the
// set has them. The sidecar holds the domain, since most readers would read a comment as a row.
// Read: values between commas, semicolons, tabs or blanks, with or without a first line of names.
// Any line ends, quoted values, numbers of rows, blank lines and # comments are accepted, also
// `//X;Y;Z` of CloudCompare and the number of points before them. The comment `# domain 512x512
// torus` sets the domain. With semicolons or tabs, a comma may be the decimal point, as in European
// spreadsheets.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "io/points/format.hpp"
#include "io/utf8.hpp"

namespace dapple {
namespace {

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return text.substr(0, 0);
  text = text.substr(first, text.find_last_not_of(blanks) - first + 1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Reads the domain from `domain WIDTHxHEIGHT[xDEPTH[xEXTENT]][ torus|flat]`. Returns false and
// changes nothing for any other text. Throws Error(input) for infinite sides.
bool read_domain_text(std::string_view text, Points& points) {
  while (text.starts_with(' ') || text.starts_with('#')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  if (!take(text, "domain ")) return false;
  const std::string given(text);
  std::array<double, 4> sides{};
  std::size_t count = 0;
  bool finite = true;
  do {
    double side = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), side);
    if (error == std::errc::invalid_argument || count == sides.size()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    finite = finite && error == std::errc{} && std::isfinite(side);
    if (finite && !(side >= 0)) return false;
    sides[count++] = side;
  } while (take(text, "x"));
  if (count < 2) return false;
  const bool wrap = take(text, " torus");
  if (!wrap) take(text, " flat");
  if (!text.empty()) return false;
  if (!finite) {
    throw Error(ErrorKind::input,
                "the sides of a domain must be finite, such as 512x256, not " + given);
  }
  points.domain = {sides[0], sides[1], wrap};
  points.depth = sides[2];
  points.extent = sides[3];
  return true;
}

class CsvReader {
 public:
  CsvReader(std::string_view bytes, bool is_cloud, const Limits& limits, const Placement* place)
      : rest_(utf8_of_text(bytes, converted_)),
        is_cloud_(is_cloud),
        whole_rows_(limits.decoding.whole_rows) {
    if (place != nullptr) put(points_, *place);
    has_domain_ = place != nullptr;
    require_text(rest_, "points as text, such as a first line x,y,r");
    const auto lines = 1 + std::count(rest_.begin(), rest_.end(), '\n');
    reserve(points_, static_cast<double>(lines), limits);
  }

  Points read() {
    if (!next_line()) throw Error(ErrorKind::input, "is empty: expected a first line x,y,r");
    // CloudCompare writes //X;Y;Z before the names of the columns.
    if (line_.starts_with("//")) line_.remove_prefix(2);
    choose_separator();
    split();
    if (is_cloud_ && fields_.size() == 1 && is_number(fields_.front())) {
      // The number of points, in files of scanners.
      if (!next_line()) throw Error(ErrorKind::input, "holds no points");
      choose_separator();
      split();
    }
    if (is_number(fields_.front())) {
      name_by_place();
      store_line();
    } else {
      read_names();
    }
    for (bool first = true; next_line(); first = false) {
      split();
      // The number of points after the names, and quoted names of rows in a column without a name.
      if (first && fields_.size() == 1 && columns_.size() > 1 && is_number(fields_[0])) continue;
      if (first && fields_.size() == columns_.size() + 1 && line_.starts_with('"')) {
        columns_.insert(columns_.begin(), Column::other);
        if (whole_rows_) points_.others.insert(points_.others.begin(), OtherColumn{"row"});
      }
      store_line();
    }
    return finished(std::move(points_), has_domain_, whole_rows_);
  }

 private:
  [[noreturn]] void fail(std::string_view at, const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(line_number_) + ", column " +
                                      std::to_string(at.data() - line_.data() + 1) + ": " + why);
  }

  // Reads the next line that is neither blank nor a comment.
  bool next_line() {
    while (!rest_.empty()) {
      const auto end = std::min(rest_.find_first_of("\r\n"), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(
          std::min(end + (rest_.substr(end).starts_with("\r\n") ? 2 : 1), rest_.size()));
      ++line_number_;
      const auto first = line_.find_first_not_of(blanks);
      if (first == std::string_view::npos) continue;
      if (line_[first] != '#') return true;
      if (has_domain_) continue;
      try {
        has_domain_ = read_domain_text(line_.substr(first), points_);
      } catch (const Error& error) {
        fail(line_, error.what());
      }
    }
    return false;
  }

  void choose_separator() {
    for (const char candidate : {';', '\t', ','}) {
      if (line_.find(candidate) == std::string_view::npos) continue;
      separator_ = candidate;
      return;
    }
    separator_ = ' ';
  }

  void split() {
    fields_.clear();
    std::string_view rest = line_;
    if (separator_ == ' ') {
      for (auto first = rest.find_first_not_of(blanks); first != std::string_view::npos;
           first = rest.find_first_not_of(blanks)) {
        rest.remove_prefix(first);
        fields_.push_back(trimmed(rest.substr(0, rest.find_first_of(blanks))));
        rest.remove_prefix(std::min(rest.find_first_of(blanks), rest.size()));
      }
      return;
    }
    for (;;) {
      // A separator between quotes belongs to the field.
      const auto first = rest.find_first_not_of(blanks);
      const bool quoted = first != std::string_view::npos && rest[first] == '"';
      const auto closed = quoted ? rest.find('"', first + 1) : 0;
      const auto end = closed == std::string_view::npos ? closed : rest.find(separator_, closed);
      fields_.push_back(trimmed(rest.substr(0, end)));
      if (end == std::string_view::npos) break;
      rest.remove_prefix(end + 1);
    }
    // Some programs end every line with a separator.
    if (fields_.size() > 1 && fields_.back().empty() && columns_.size() != fields_.size()) {
      fields_.pop_back();
    }
  }

  // Returns a number with a decimal point; replaces a decimal comma if the separator allows it.
  std::string_view plain_number(std::string_view field) {
    if (separator_ == ',' || separator_ == ' ' || field.find(',') == std::string_view::npos) {
      return field;
    }
    number_.assign(field);
    number_[number_.find(',')] = '.';
    return number_;
  }

  bool is_number(std::string_view field) {
    std::string_view text = plain_number(field);
    return take_number(text) && text.empty();
  }

  void name_by_place() {
    if (fields_.size() < 2) fail(line_, "expected two or three numbers: x, y and r");
    columns_.assign(fields_.size(), Column::other);
    columns_[0] = Column::x;
    columns_[1] = Column::y;
    if (columns_.size() > 2) columns_[2] = is_cloud_ ? Column::z : Column::radius;
    for (std::size_t i = 3; whole_rows_ && i < columns_.size(); ++i) {
      points_.others.push_back({"column" + std::to_string(i + 1)});
    }
  }

  void read_names() {
    for (const std::string_view name : fields_) {
      const Column column = column_of(name);
      if (column != Column::other &&
          std::find(columns_.begin(), columns_.end(), column) != columns_.end()) {
        fail(name, "column " + std::string(name_of(column)) + " occurs twice");
      }
      columns_.push_back(column);
      if (column == Column::other && whole_rows_) points_.others.push_back({std::string(name)});
    }
    for (const Column needed : {Column::x, Column::y}) {
      if (std::find(columns_.begin(), columns_.end(), needed) == columns_.end()) {
        fail(line_, "no column named " + std::string(name_of(needed)) +
                        "; the first line names the columns, such as x,y,r");
      }
    }
  }

  void store_line() {
    if (fields_.size() != columns_.size()) {
      fail(fields_.back(), std::to_string(fields_.size()) + " values, but " +
                               std::to_string(columns_.size()) + " columns");
    }
    std::size_t other = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (columns_[i] == Column::other && whole_rows_) {
        store(points_.others[other++], plain_number(fields_[i]));
        continue;
      }
      if (store(points_, columns_[i], plain_number(fields_[i]))) continue;
      const bool whole = columns_[i] == Column::class_id || columns_[i] == Column::rank ||
                         columns_[i] == Column::id;
      fail(fields_[i], std::string("expected a ") + (whole ? "whole number" : "number") +
                           (whole || columns_[i] == Column::radius ? " from 0 up" : "") + " for " +
                           std::string(name_of(columns_[i])) + ", not '" +
                           std::string(fields_[i].substr(0, 40)) + "'");
    }
  }

  Points points_;
  std::string converted_;  // text that was UTF-16
  std::string_view rest_;
  bool is_cloud_;  // unnamed columns are x, y and z
  bool whole_rows_;
  std::string_view line_;
  std::size_t line_number_ = 0;
  bool has_domain_ = false;
  char separator_ = ',';
  std::vector<std::string_view> fields_;
  std::vector<Column> columns_;
  std::string number_;
};

}  // namespace

Points decode_csv(std::string_view bytes, const Limits& limits, const Placement* place) {
  return CsvReader(bytes, false, limits, place).read();
}
Points decode_cloud(std::string_view bytes, const Limits& limits) {
  return CsvReader(bytes, true, limits, nullptr).read();
}

namespace {

// Returns a text between quotes if it holds a comma.
std::string csv_field(const std::string& text) {
  return text.find(',') == std::string::npos ? text : '"' + text + '"';
}

}  // namespace

std::string encode_csv(const Points& points) {
  const std::vector<NamedColumn> columns = columns_of(points);
  std::string text;
  for (const NamedColumn& column : columns) {
    text += csv_field(std::string(column.name));
    text += ',';
  }
  text.back() = '\n';
  text.reserve(text.size() + points.size() * 16 * columns.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const NamedColumn& column : columns) {
      if (const auto* const texts = texts_of(column)) {
        text += csv_field((*texts)[i]);
      } else {
        with_value(column, i, [&](auto value) { append(text, value); });
      }
      text += ',';
    }
    text.back() = '\n';
  }
  return text;
}

}  // namespace dapple

// Reads and writes points as JSON.
//
// Written:
//   {"domain": {"width", "height", "wrap", "depth", "extent"}, "metadata": {...},
//    "columns": {"x": [...], "y": [...], "r": [...]}}
// with depth for a z, extent for a w, and class, rank, id, size and rotation if the set has them.
// Read: the same, with columns at the top level, or rows [x, y, r] or {"x", "y", "r"}, alone or
// under "points". The text is parsed as a stream, so that skipped values take no memory, whatever
// their size or depth.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "io/points/format.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

class PointHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  PointHandler(std::string_view text, bool whole_rows) : text_(text), whole_rows_(whole_rows) {}

  Points finish() {
    if (!has_x_ || !has_y_) fail("holds no columns x and y");
    // An empty set may have an empty domain.
    if (has_domain_ && !points_.empty() && !(points_.domain.area() > 0)) {
      fail("its domain needs a width and a height above 0");
    }
    return finished(std::move(points_), has_domain_, whole_rows_);
  }

  bool null() override { return scalar("null"); }
  bool boolean(bool value) override {
    if (place() == Place::domain && key_ == "wrap") points_.domain.wrap = value;
    return scalar(value ? "true" : "false");
  }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  // Uses the text instead of the double, so that a float's shortest text gives the same float. The
  // text has the decimal point of the C locale.
  bool number_float(number_float_t, const string_t& text) override {
    std::string plain = text;
    std::replace(plain.begin(), plain.end(), ',', '.');
    return number(plain);
  }
  bool string(string_t& value) override {
    if (place() == Place::metadata) {
      points_.metadata.emplace_back(key_, value);
      return true;
    }
    return scalar(value);
  }
  bool binary(binary_t&) override { return true; }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool start_object(std::size_t) override { return start(false); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return start(true); }
  bool end_array() override { return end(); }

  bool parse_error(std::size_t position, const std::string& last,
                   const nlohmann::detail::exception&) override {
    // `position` counts the bytes read, including the invalid one.
    const std::string_view before = text_.substr(0, std::max<std::size_t>(position, 1) - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto line_start = before.rfind('\n');
    const auto column =
        before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1;
    const std::string where =
        "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
    if (position > text_.size()) fail(where + "the JSON ends too early");
    fail(where + "not JSON at '" +
         last.substr(last.size() - std::min<std::size_t>(last.size(), 20)) + "'");
  }

 private:
  // The container that holds the current value.
  enum class Place {
    nothing,
    root,
    domain,
    metadata,
    columns,
    column,
    other_column,
    rows,
    row,
    named_row,
    other
  };

  [[noreturn]] static void fail(const std::string& why) { throw Error(ErrorKind::input, why); }

  Place place() const { return depth_other_ > 0 ? Place::other : place_.back(); }

  // Returns the place of members in the array or object that starts here.
  Place inside(bool array) {
    switch (place()) {
      case Place::nothing:
        return array ? rows() : Place::root;
      case Place::root:
        if (!array && key_ == "domain") {
          has_domain_ = true;
          return Place::domain;
        }
        if (!array && key_ == "metadata") return Place::metadata;
        if (!array && key_ == "columns") return Place::columns;
        if (array && key_ == "points") return rows();
        [[fallthrough]];
      case Place::columns:
        column_ = column_of(key_);
        if (array && column_ == Column::other && whole_rows_ && place() == Place::columns) {
          points_.others.push_back({key_});
          return Place::other_column;
        }
        if (!array || column_ == Column::other) return Place::other;
        start_column();
        return Place::column;
      case Place::rows:
        row_start_ = points_.size();
        values_ = 0;
        return array ? Place::row : Place::named_row;
      case Place::column:
      case Place::row:
        fail("expected a number for " + std::string(name_of(column())) + " of point " +
             std::to_string(values_ + 1) + ", not another list");
      default:
        return Place::other;
    }
  }

  Place rows() {
    if (has_x_ || has_y_) fail("holds its points twice");
    has_x_ = has_y_ = true;
    return Place::rows;
  }

  void start_column() {
    bool& seen = seen_[static_cast<std::size_t>(column_)];
    if (seen || (column_ == Column::x && has_x_))
      fail("holds column " + std::string(name_of(column_)) + " twice");
    seen = true;
    has_x_ = has_x_ || column_ == Column::x;
    has_y_ = has_y_ || column_ == Column::y;
    values_ = 0;
  }

  bool start(bool array) {
    const Place next = inside(array);
    if (next == Place::other)
      ++depth_other_;
    else
      place_.push_back(next);
    return true;
  }

  bool end() {
    if (depth_other_ > 0) {
      --depth_other_;
      return true;
    }
    if (place() == Place::row || place() == Place::named_row) end_row();
    place_.pop_back();
    return true;
  }

  void end_row() {
    const std::size_t points = row_start_ + 1;
    if (points_.x.size() != points || points_.y.size() != points ||
        points_.radius.size() > points) {
      fail("point " + std::to_string(points) + " needs one x and one y");
    }
    points_.radius.resize(points, 0.0f);
  }

  // Returns the column of the next number. In a row, the number's position decides.
  Column column() const {
    switch (place()) {
      case Place::column:
        return column_;
      case Place::named_row: {
        const Column named = column_of(key_);
        return named == Column::x || named == Column::y || named == Column::radius ? named
                                                                                   : Column::other;
      }
      case Place::row:
        return values_ < 3 ? static_cast<Column>(values_) : Column::other;
      default:
        return Column::other;
    }
  }

  bool number(const std::string& text) {
    if (place() == Place::domain) return domain_number(text);
    if (place() == Place::rows || place() == Place::other_column) return scalar(text);
    const Column target = column();
    if (!store(points_, target, std::string_view(text))) return scalar(text);
    ++values_;
    return true;
  }

  bool domain_number(std::string_view text) {
    const auto value = take_number(text);
    if (key_ == "width") points_.domain.width = value.value_or(0);
    if (key_ == "height") points_.domain.height = value.value_or(0);
    if (key_ == "depth") points_.depth = value.value_or(0);
    if (key_ == "extent") points_.extent = value.value_or(0);
    if (key_ == "x") points_.origin.x = value.value_or(0);
    if (key_ == "y") points_.origin.y = value.value_or(0);
    return true;
  }

  // Handles a value that no column can hold. Ignores it outside of columns and rows.
  bool scalar(const std::string& value) {
    if (place() == Place::other_column) {
      store(points_.others.back(), value);
      return true;
    }
    if (place() == Place::rows)
      fail("expected points such as [x, y, r], not " + value.substr(0, 40));
    if (column() == Column::other) return true;
    const std::size_t point = place() == Place::column ? values_ + 1 : row_start_ + 1;
    fail("point " + std::to_string(point) + ": its " + std::string(name_of(column())) + " '" +
         value.substr(0, 40) + "' is not a number that can be used");
  }

  std::string_view text_;
  Points points_;
  bool has_domain_ = false;
  bool has_x_ = false;
  bool has_y_ = false;
  bool seen_[static_cast<std::size_t>(Column::other)] = {};
  std::vector<Place> place_{Place::nothing};
  std::size_t depth_other_ = 0;  // nesting depth inside a skipped value
  std::string key_;
  Column column_ = Column::other;
  std::size_t values_ = 0;  // stored in this column or row so far
  std::size_t row_start_ = 0;
  bool whole_rows_;
};

}  // namespace

Points decode_json(std::string_view bytes, const Limits& limits) {
  // A point takes at least four characters, "0,0,", so the text size bounds the number of points.
  require_points(static_cast<double>(bytes.size()) / 4, limits);
  PointHandler handler(bytes, limits.decoding.whole_rows);
  nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &handler);
  return handler.finish();
}

std::string encode_json(const Points& points, const Placement& place) {
  std::string text = "{\n\"domain\": {";
  if (points.space != nullptr || !(place.origin == Vec2{})) {
    text += "\"x\": " + shortest(place.origin.x) + ", \"y\": " + shortest(place.origin.y) + ", ";
  }
  text += "\"width\": " + shortest(place.domain.width) +
          ", \"height\": " + shortest(place.domain.height) +
          ", \"wrap\": " + (place.domain.wrap ? "true" : "false");
  if (place.depth > 0) text += ", \"depth\": " + shortest(place.depth);
  if (place.extent > 0) text += ", \"extent\": " + shortest(place.extent);
  text += "},\n\"metadata\": {";
  for (const auto& [key, value] : points.metadata) {
    if (!text.ends_with('{')) text += ", ";
    text += json_quoted(key) + ": " + json_quoted(value);
  }
  text += "},\n\"columns\": {";
  std::vector<NamedColumn> columns = columns_of(points);
  if (points.space == nullptr) {
    std::stable_partition(columns.begin(), columns.end(), [](const NamedColumn& column) {
      return column.name != "z" && column.name != "w";
    });
  }
  text.reserve(text.size() + points.size() * 16 * columns.size());
  for (const NamedColumn& column : columns) {
    text += (text.ends_with('{') ? "\n" : ",\n") + json_quoted(std::string(column.name)) + ": [";
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i > 0) text += ',';
      if (const auto* const texts = texts_of(column)) {
        text += json_quoted((*texts)[i]);
        continue;
      }
      with_value(column, i, [&](auto value) { append(text, value); });
      // JSON readers take a bare -0 as the integer 0.
      if (text.ends_with(",-0") || text.ends_with("[-0")) text += ".0";
    }
    text += ']';
  }
  return text + "\n}}\n";
}

}  // namespace dapple

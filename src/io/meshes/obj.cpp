// Reads meshes as Wavefront OBJ: lines `v X Y Z` with optional colors R G B, `vt U V`, and `f A B C
// ...`. Corners may be A/T/N. Numbers count from 1, or backwards from the end if negative. Skips
// all other lines.
#include <array>
#include <utility>
#include <vector>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "io/meshes/format.hpp"
#include "io/ply.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const Context& context, MeshNotes& notes)
      : rest_(bytes), notes_(notes) {
    // A vertex takes at least eight characters, a triangle six.
    const auto size = static_cast<double>(bytes.size());
    const bool uv = bytes.find("\nvt") != std::string_view::npos;
    require_mesh(size / 8, size / 6, context, {3, uv});
  }

  Mesh read() {
    while (!rest_.empty()) {
      notes_.check();
      std::string_view line = next_line();
      const std::string_view word = take_word(line);
      if (word == "v") read_vertex(line);
      if (word == "vt") read_texture_place(line);
      if (word == "f") read_face(line);
      if (word == "o" || word == "g") notes_.begin_object(take_word(line), mesh_);
    }
    drop_partial_uv(mesh_);
    add_colors();
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(line_number_) + ": " + why);
  }

  // Reads a line; a backslash at its end continues it on the next line.
  std::string_view next_line() {
    ++line_number_;
    std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.ends_with('\\')) return line;
    joined_.assign(line.substr(0, line.size() - 1));
    while (!rest_.empty()) {
      ++line_number_;
      end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      const bool goes_on = line.ends_with('\\');
      joined_ += ' ';
      joined_ += goes_on ? line.substr(0, line.size() - 1) : line;
      if (!goes_on) break;
    }
    return joined_;
  }

  // Takes the next number of a line; throws if there is none.
  double take(std::string_view& line, const char* expected) const {
    std::string_view word = take_word(line);
    const auto number = take_number(word);
    if (!number || !word.empty()) fail(expected);
    return *number;
  }

  void read_vertex(std::string_view line) {
    constexpr const char* expected = "expected v X Y Z";
    Vec3 vertex;
    for (double* value : {&vertex.x, &vertex.y, &vertex.z}) *value = take(line, expected);
    mesh_.vertices.push_back(vertex);
    std::array<float, 3> color;
    for (float& value : color) {
      std::string_view word = take_word(line);
      const auto number = take_number(word);
      if (!number || !word.empty()) return;
      value = static_cast<float>(*number);
    }
    colors_.push_back(color);
  }

  void read_texture_place(std::string_view line) {
    constexpr const char* expected = "expected vt U V";
    const double u = take(line, expected);
    const double v = take(line, expected);
    places_.push_back({u, v});
  }

  // Returns the index for `word`, which counts `so_far` vertices or texture coordinates (`what`).
  std::int32_t number_of(std::string_view word, std::size_t so_far, const char* what) const {
    const std::int64_t number = parse_number<std::int64_t>(word).value_or(0);
    const auto count = static_cast<std::int64_t>(so_far);
    if (number == 0 || number > count || number < -count) {
      fail("a face has corner '" + std::string(word.substr(0, 40)) + "', but so far the file has " +
           std::to_string(count) + " " + what);
    }
    return static_cast<std::int32_t>(number > 0 ? number - 1 : count + number);
  }

  void read_corner(std::string_view word) {
    const std::size_t slash = word.find('/');
    corners_.push_back(number_of(word.substr(0, slash), mesh_.vertices.size(), "vertices"));
    if (slash == std::string_view::npos) return;
    word.remove_prefix(slash + 1);
    const std::string_view place = word.substr(0, word.find('/'));
    if (place.empty()) return;
    const auto number =
        static_cast<std::size_t>(number_of(place, places_.size(), "texture coordinates"));
    uv_.push_back(places_[number]);
  }

  void read_face(std::string_view line) {
    corners_.clear();
    uv_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.starts_with('#')) break;
      read_corner(word);
    }
    if (corners_.size() < 3) fail("a face has " + std::to_string(corners_.size()) + " corners");
    notes_.add_face(mesh_, corners_, face_++, uv_);
  }

  void add_colors() {
    if (colors_.size() != mesh_.vertices.size()) return;
    constexpr std::array names{"red", "green", "blue"};
    for (std::size_t c = 0; c < names.size(); ++c) {
      Mesh::Column column{names[c], {}};
      column.values.reserve(colors_.size());
      for (const auto& color : colors_) column.values.push_back(color[c]);
      mesh_.columns.push_back(std::move(column));
    }
  }

  std::string_view rest_;
  MeshNotes& notes_;
  std::size_t line_number_ = 0;
  std::string joined_;
  std::vector<std::array<float, 3>> colors_;
  std::vector<Vec2> places_;  // texture coordinates
  std::vector<std::int32_t> corners_;
  std::vector<Vec2> uv_;  // of these corners
  std::int32_t face_ = 0;
  Mesh mesh_;
};

}  // namespace

Mesh decode_obj_mesh(std::string_view bytes, const Context& context, MeshNotes& notes) {
  return ObjReader(bytes, context, notes).read();
}

}  // namespace dapple

// Meshes as Wavefront OBJ: lines `v X Y Z` and `f A B C ...`, whose corners may be A/T/N and count
// from 1, or backwards from the end where they are negative. All other lines are stepped over.
#include <charconv>
#include <vector>

#include "dapple/error.hpp"
#include "io/meshes/format.hpp"
#include "io/ply.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, const Limits& limits) : rest_(bytes) {
    // A vertex takes eight characters and more, a triangle six.
    const auto size = static_cast<double>(bytes.size());
    require_mesh(size / 8, size / 6, limits);
  }

  Mesh read() {
    while (!rest_.empty()) {
      std::string_view line = next_line();
      const std::string_view word = take_word(line);
      if (word == "v") read_vertex(line);
      if (word == "f") read_face(line);
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(line_number_) + ": " + why);
  }

  // A backslash at its end goes on with the next.
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

  void read_vertex(std::string_view line) {
    Vec3 vertex;
    for (double* value : {&vertex.x, &vertex.y, &vertex.z}) {
      std::string_view word = take_word(line);
      const auto number = take_number(word);
      if (!number || !word.empty()) fail("expected v X Y Z");
      *value = *number;
    }
    mesh_.vertices.push_back(vertex);
  }

  std::int32_t corner(std::string_view word) const {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
    const bool ends = end == word.data() + word.size() || *end == '/';
    if (error != std::errc{} || !ends || number == 0 || number > count || number < -count) {
      fail("a face has corner '" + std::string(word.substr(0, 40)) + "' where there are " +
           std::to_string(count) + " vertices so far");
    }
    return static_cast<std::int32_t>(number > 0 ? number - 1 : count + number);
  }

  void read_face(std::string_view line) {
    corners_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.starts_with('#')) break;
      corners_.push_back(corner(word));
    }
    if (corners_.size() < 3) fail("a face of " + std::to_string(corners_.size()) + " corners");
    add_face(mesh_, corners_, face_++);
  }

  std::string_view rest_;
  std::size_t line_number_ = 0;
  std::string joined_;
  std::vector<std::int32_t> corners_;
  std::int32_t face_ = 0;
  Mesh mesh_;
};

}  // namespace

Mesh decode_obj_mesh(std::string_view bytes, const Limits& limits) {
  return ObjReader(bytes, limits).read();
}

}  // namespace dapple

// Reads meshes as glTF 2.0 (Khronos): .glb, or .gltf with its numbers as base64. Reads all
// triangles of the scene, transformed by their nodes, with texture coordinates, colors and numbers
// of vertices. Skins and morphs stay at rest. Refuses compressed data and data in other files, with
// a message that names them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "io/meshes/format.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

using Json = nlohmann::json;

constexpr std::size_t glb_head = 12;
constexpr std::size_t chunk_head = 8;
// Memory per byte of parsed text.
constexpr double bytes_of_json = 40;
// Primitives placed by nodes, the memory of each, and numbers per vertex.
constexpr std::size_t most_parts = 1 << 20;
constexpr double bytes_of_part = 300;
constexpr std::size_t most_columns = 256;

[[noreturn]] void refuse_gltf(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

// Returns a member of an object, or null if there is none.
const Json& member(const Json& of, const char* name) {
  static const Json none;
  if (!of.is_object()) return none;
  const auto found = of.find(name);
  return found == of.end() ? none : *found;
}

// Returns a whole number of at least 0, or `otherwise` if there is none.
std::size_t whole(const Json& value, std::optional<std::size_t> otherwise, const char* what) {
  if (value.is_null() && otherwise) return *otherwise;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() < (std::uint64_t{1} << 48)) {
    return value.get<std::size_t>();
  }
  refuse_gltf(std::string(what) + " must be a whole number of at least 0");
}

// Returns entry `number` of a list of the file.
const Json& entry(const Json& document, const char* list, std::size_t number) {
  const Json& all = member(document, list);
  if (!all.is_array() || number >= all.size()) {
    refuse_gltf("refers to number " + std::to_string(number) + " of its " + list +
                ", which does not exist");
  }
  return all[number];
}

double number_of(const Json& value, const char* what) {
  if (!value.is_number()) refuse_gltf(std::string(what) + " holds a value that is not a number");
  return value.get<double>();
}

// The transform from a node to the scene.
struct Transform {
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 origin;

  Vec3 turned(const Vec3& p) const { return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z; }
  Vec3 operator()(const Vec3& p) const { return turned(p) + origin; }
  Transform operator*(const Transform& inner) const {
    Transform both;
    for (std::size_t i = 0; i < 3; ++i) both.axes[i] = turned(inner.axes[i]);
    both.origin = (*this)(inner.origin);
    return both;
  }
  bool mirrors() const { return dot(cross(axes[0], axes[1]), axes[2]) < 0; }
};

template <std::size_t N>
std::array<double, N> numbers_of(const Json& values, const std::array<double, N>& otherwise,
                                 const char* what) {
  if (values.is_null()) return otherwise;
  if (!values.is_array() || values.size() != N) {
    refuse_gltf(std::string(what) + " of a node must be " + std::to_string(N) + " numbers");
  }
  std::array<double, N> found{};
  for (std::size_t i = 0; i < N; ++i) found[i] = number_of(values[i], what);
  return found;
}

Transform transform_of(const Json& node) {
  Transform made;
  const Json& matrix = member(node, "matrix");
  if (!matrix.is_null()) {
    const auto m = numbers_of<16>(matrix, {}, "the matrix");  // column by column
    for (std::size_t i = 0; i < 3; ++i) made.axes[i] = {m[4 * i], m[4 * i + 1], m[4 * i + 2]};
    made.origin = {m[12], m[13], m[14]};
    return made;
  }
  const auto t = numbers_of<3>(member(node, "translation"), {0, 0, 0}, "the translation");
  const auto q = numbers_of<4>(member(node, "rotation"), {0, 0, 0, 1}, "the rotation");
  const auto s = numbers_of<3>(member(node, "scale"), {1, 1, 1}, "the scale");
  const Vec3 v{q[0], q[1], q[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = made.axes[i];
    // Rotates the axis by a quaternion of length 1.
    made.axes[i] = (axis + cross(v, cross(v, axis) + axis * q[3]) * 2) * s[i];
  }
  made.origin = {t[0], t[1], t[2]};
  return made;
}

std::string from_base64(std::string_view text, const Context& context) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (const char c : text) {
    context.check();
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) refuse_gltf("a buffer is not base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255);
  }
  return bytes;
}

// Iterates over a text, and checks for a cancel now and then.
struct CheckedBytes {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const Context* context;

  reference operator*() const { return *at; }
  CheckedBytes& operator++() {
    ++at;
    context->check();
    return *this;
  }
  bool operator==(const CheckedBytes& other) const { return at == other.at; }
};

// An array of numbers in a file: rows of one to four numbers.
struct Accessor {
  std::string_view bytes;  // starts at the first number
  std::size_t count = 0;
  std::size_t width = 0;  // numbers per row
  std::size_t stride = 0;
  std::size_t size = 0;  // bytes of a number
  int type = 0;
  bool normalized = false;

  bool is_real() const { return type == 5126; }
  std::uint64_t bits(std::size_t row, std::size_t column) const {
    return bits_of(bytes.substr(row * stride + column * size, size), false);
  }
  double operator()(std::size_t row, std::size_t column) const {
    const std::uint64_t raw = bits(row, column);
    constexpr int signed_byte = 5120, signed_short = 5122;
    if (is_real()) {
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    }
    const double most = size == 1 ? 255 : size == 2 ? 65535 : 4294967295.0;
    if (type != signed_byte && type != signed_short) {
      return static_cast<double>(raw) / (normalized ? most : 1);
    }
    const double value = type == signed_byte ? static_cast<double>(static_cast<std::int8_t>(raw))
                                             : static_cast<double>(static_cast<std::int16_t>(raw));
    return normalized ? std::max(value / (most / 2 - 0.5), -1.0) : value;
  }
};

// A primitive of a mesh, placed by a node.
struct Part {
  const Json* primitive;
  std::string name;  // name of its node
  Transform transform;
  std::size_t triangles;  // at least
};

constexpr int mode_triangles = 4, mode_strip = 5, mode_fan = 6;

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const Context& context, MeshNotes& notes)
      : context_(context), notes_(notes) {
    std::string_view text = bytes;
    if (bytes.starts_with("glTF")) text = chunks_of(bytes);
    context.require_memory(bytes_of_json * static_cast<double>(text.size()),
                           "a glTF document of " + std::to_string(text.size()) + " bytes");
    document_ = Json::parse(CheckedBytes{text.data(), &context_},
                            CheckedBytes{text.data() + text.size(), &context_}, nullptr, false);
    if (!document_.is_object()) refuse_gltf("is not a glTF file: it holds no JSON object");
    const Json& version = member(member(document_, "asset"), "version");
    if (!version.is_string() || !version.get<std::string>().starts_with("2.")) {
      refuse_gltf("is not a glTF file of version 2");
    }
    require_known_extensions();
  }

  Mesh read() {
    read_buffers();
    collect();
    if (parts_.empty()) refuse_gltf("holds no triangles");
    for (const Part& part : parts_) {
      notes_.begin_object(part.name, mesh_);
      add(part);
    }
    drop_partial_uv(mesh_);
    for (Mesh::Column& column : columns_) {
      if (column.values.size() == mesh_.vertices.size()) {
        mesh_.columns.push_back(std::move(column));
      }
    }
    mesh_.meters_per_unit = 1;
    return std::move(mesh_);
  }

 private:
  // Returns the text of a .glb, and stores its binary chunk.
  std::string_view chunks_of(std::string_view bytes) {
    if (bytes.size() < glb_head + chunk_head || bits_of(bytes.substr(4, 4), false) != 2) {
      refuse_gltf("is not a .glb file of version 2");
    }
    std::string_view text;
    std::string_view rest = bytes.substr(glb_head);
    while (rest.size() >= chunk_head) {
      const auto size = static_cast<std::size_t>(bits_of(rest.substr(0, 4), false));
      const std::string_view kind = rest.substr(4, 4);
      rest.remove_prefix(chunk_head);
      if (size > rest.size()) refuse_gltf("ends within a chunk");
      if (kind == "JSON") text = rest.substr(0, size);
      if (kind == std::string_view("BIN\0", 4)) binary_ = rest.substr(0, size);
      rest.remove_prefix(size);
    }
    return text;
  }

  // Extensions of materials and textures do not affect the shape.
  void require_known_extensions() const {
    const Json& required = member(document_, "extensionsRequired");
    for (const Json& name : required) {
      if (!name.is_string()) refuse_gltf("requires an extension without a name");
      const std::string text = name.get<std::string>();
      if (text == "KHR_mesh_quantization" || text.starts_with("KHR_materials_") ||
          text.starts_with("KHR_texture_") || text.starts_with("EXT_texture_")) {
        continue;
      }
      refuse_gltf("needs the extension " + text.substr(0, 60) +
                  ", which is not supported; save it without compression, as a plain .glb");
    }
  }

  void read_buffers() {
    const Json& buffers = member(document_, "buffers");
    if (!buffers.is_array()) refuse_gltf("has no buffers");
    decoded_.reserve(buffers.size());
    for (const Json& buffer : buffers) {
      const Json& uri = member(buffer, "uri");
      if (uri.is_null()) {
        buffers_.push_back(binary_);
        continue;
      }
      if (!uri.is_string()) refuse_gltf("has a buffer whose uri is not a text");
      const auto& text = uri.get_ref<const std::string&>();
      const std::size_t start = text.find(";base64,");
      if (!text.starts_with("data:") || start == std::string::npos) {
        refuse_gltf("keeps its data in another file, " + text.substr(0, 60) +
                    "; save it as one .glb");
      }
      decoded_.push_back(from_base64(std::string_view(text).substr(start + 8), context_));
      buffers_.push_back(decoded_.back());
    }
  }

  Accessor accessor(const Json& number, const char* what) const {
    const Json& of = entry(document_, "accessors", whole(number, std::nullopt, what));
    if (!member(of, "sparse").is_null())
      refuse_gltf(std::string(what) + " is sparse, which is not supported");
    Accessor made;
    made.count = whole(member(of, "count"), std::nullopt, "the count of an accessor");
    made.type = static_cast<int>(
        whole(member(of, "componentType"), std::nullopt, "the type of an accessor"));
    made.size = made.type == 5120 || made.type == 5121   ? 1
                : made.type == 5122 || made.type == 5123 ? 2
                : made.type == 5125 || made.type == 5126 ? 4
                                                         : 0;
    const Json& shape = member(of, "type");
    made.width = shape == "SCALAR" ? 1
                 : shape == "VEC2" ? 2
                 : shape == "VEC3" ? 3
                 : shape == "VEC4" ? 4
                                   : 0;
    if (made.size == 0 || made.width == 0) refuse_gltf(std::string(what) + " has an unknown type");
    made.normalized = member(of, "normalized") == true;
    const Json& view =
        entry(document_, "bufferViews", whole(member(of, "bufferView"), std::nullopt, what));
    const std::size_t buffer =
        whole(member(view, "buffer"), std::nullopt, "the number of a buffer");
    if (buffer >= buffers_.size()) refuse_gltf("has a view of a buffer that does not exist");
    const std::size_t first = whole(member(view, "byteOffset"), 0, "the offset of a view");
    const std::size_t length =
        whole(member(view, "byteLength"), std::nullopt, "the length of a view");
    const std::size_t inside = whole(member(of, "byteOffset"), 0, "the offset of an accessor");
    made.stride = whole(member(view, "byteStride"), made.size * made.width, "the stride of a view");
    const std::string_view bytes = buffers_[buffer];
    const std::size_t row = made.size * made.width;
    const bool fits =
        first <= bytes.size() && length <= bytes.size() - first && inside <= length &&
        made.stride >= row &&
        (made.count == 0 ||
         (row <= length - inside && made.count - 1 <= (length - inside - row) / made.stride));
    if (!fits) refuse_gltf(std::string(what) + " reaches beyond its buffer");
    made.bytes = bytes.substr(first + inside, length - inside);
    return made;
  }

  // Collects all parts of the scene, node by node.
  void collect() {
    struct Open {
      std::size_t node;
      Transform transform;
    };
    std::vector<Open> open;
    const auto add_all = [&](const Json& nodes, const Transform& transform) {
      if (!nodes.is_array()) return;
      for (std::size_t i = nodes.size(); i-- > 0;) {
        open.push_back({whole(nodes[i], std::nullopt, "the number of a node"), transform});
      }
    };
    const Json& nodes = member(document_, "nodes");
    const Json& scenes = member(document_, "scenes");
    if (scenes.is_array() && !scenes.empty()) {
      const std::size_t scene = whole(member(document_, "scene"), 0, "the number of the scene");
      add_all(member(entry(document_, "scenes", scene), "nodes"), {});
    } else if (nodes.is_array()) {
      add_all(roots_of(nodes), {});
    }
    std::vector<bool> seen(nodes.is_array() ? nodes.size() : 0);
    while (!open.empty()) {
      const auto [number, outer] = open.back();
      open.pop_back();
      const Json& node = entry(document_, "nodes", number);
      if (seen[number]) refuse_gltf("has node " + std::to_string(number) + " twice in its tree");
      seen[number] = true;
      if (!member(member(node, "extensions"), "EXT_mesh_gpu_instancing").is_null()) {
        refuse_gltf("has instances in node " + std::to_string(number) +
                    "; such a file holds points, not a mesh");
      }
      const Transform transform = outer * transform_of(node);
      if (!member(node, "mesh").is_null())
        add_mesh(member(node, "mesh"), name_of(node, number), transform);
      add_all(member(node, "children"), transform);
    }
  }

  static std::string name_of(const Json& node, std::size_t number) {
    const Json& name = member(node, "name");
    if (!name.is_string() || name == "") return "node " + std::to_string(number);
    return name.get_ref<const std::string&>().substr(0, longest_name);  // saves memory per part
  }

  // Returns the nodes without a parent, for files without a scene.
  static Json roots_of(const Json& nodes) {
    std::vector<bool> child(nodes.size());
    for (const Json& node : nodes) {
      for (const Json& each : member(node, "children")) {
        const std::size_t number = whole(each, std::nullopt, "the number of a node");
        if (number < child.size()) child[number] = true;
      }
    }
    Json roots = Json::array();
    for (std::size_t i = 0; i < child.size(); ++i) {
      if (!child[i]) roots.push_back(i);
    }
    return roots;
  }

  // Each node may place all primitives of a mesh, so a small file can ask for billions of parts.
  void require_parts(std::size_t count) const {
    context_.check();
    if (count > most_parts) {
      throw Error(ErrorKind::limit, "places " + std::to_string(count) +
                                        " or more primitives by its nodes, but at most " +
                                        std::to_string(most_parts) +
                                        " are possible: join primitives or nodes");
    }
    context_.require_memory(bytes_of_part * static_cast<double>(count),
                            "a scene of " + std::to_string(count) + " primitives");
  }

  // Returns the most numbers per vertex that a primitive may have, and refuses too many.
  static double columns_in(const Json& attributes) {
    std::size_t count = 4;  // the color
    for (const auto& [name, number] : attributes.items()) count += name.starts_with('_') ? 1 : 0;
    if (count <= most_columns) return static_cast<double>(count);
    throw Error(ErrorKind::limit, "has " + std::to_string(count) +
                                      " numbers per vertex, but at most " +
                                      std::to_string(most_columns) + " are possible");
  }

  void add_mesh(const Json& number, const std::string& name, const Transform& transform) {
    const Json& mesh =
        entry(document_, "meshes", whole(number, std::nullopt, "the number of a mesh"));
    const Json& primitives = member(mesh, "primitives");
    require_parts(parts_.size() + primitives.size());
    for (const Json& primitive : primitives) {
      const std::size_t mode =
          whole(member(primitive, "mode"), mode_triangles, "the mode of a primitive");
      if (mode < mode_triangles || mode > mode_fan) continue;  // points and lines
      const Json& position = member(member(primitive, "attributes"), "POSITION");
      if (position.is_null()) continue;
      const Accessor places = accessor(position, "POSITION");
      if (places.width != 3) refuse_gltf("has vertex positions that are not three numbers each");
      const Json& indices = member(primitive, "indices");
      const std::size_t corners =
          indices.is_null() ? places.count : accessor(indices, "a list of corners").count;
      const std::size_t triangles =
          mode == mode_triangles ? corners / 3 : (corners < 3 ? 0 : corners - 2);
      parts_.push_back({&primitive, name, transform, triangles});
      columns_most_ = std::max(columns_most_, columns_in(member(primitive, "attributes")));
      vertices_ += static_cast<double>(places.count);
      triangles_ += static_cast<double>(triangles);
      require_mesh(vertices_, triangles_, context_, {columns_most_, true});
    }
  }

  void add(const Part& part) {
    const Json& attributes = member(*part.primitive, "attributes");
    const Accessor places = accessor(member(attributes, "POSITION"), "POSITION");
    const auto first = static_cast<std::int32_t>(mesh_.vertices.size());
    for (std::size_t i = 0; i < places.count; ++i) {
      context_.check();
      mesh_.vertices.push_back(part.transform({places(i, 0), places(i, 1), places(i, 2)}));
    }
    add_columns(attributes, places.count);
    std::optional<Accessor> uv;
    const Json& texture = member(attributes, "TEXCOORD_0");
    if (!texture.is_null()) uv = accessor(texture, "TEXCOORD_0");
    if (uv && (uv->count < places.count || uv->width != 2))
      refuse_gltf("has texture coordinates that do not match its vertices");
    std::optional<Accessor> indices;
    if (!member(*part.primitive, "indices").is_null()) {
      indices = accessor(member(*part.primitive, "indices"), "a list of corners");
      if (indices->is_real()) refuse_gltf("has corners that are not whole numbers");
    }
    const std::size_t mode =
        whole(member(*part.primitive, "mode"), mode_triangles, "the mode of a primitive");
    const auto corner = [&](std::size_t n) {
      const std::uint64_t i = indices ? indices->bits(n, 0) : n;
      if (i < places.count) return static_cast<std::size_t>(i);
      refuse_gltf("has a corner that does not exist; the mesh has " + std::to_string(places.count) +
                  " vertices");
    };
    for (std::size_t t = 0; t < part.triangles; ++t) {
      std::array<std::size_t, 3> n{3 * t, 3 * t + 1, 3 * t + 2};
      if (mode == mode_strip) n = {t, t + 1 + t % 2, t + 2 - t % 2};
      if (mode == mode_fan) n = {0, t + 1, t + 2};
      if (part.transform.mirrors()) std::swap(n[1], n[2]);
      std::array<std::int32_t, 3> corners{};
      std::array<Vec2, 3> in_texture{};
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t i = corner(n[c]);
        corners[c] = first + static_cast<std::int32_t>(i);
        // In glTF, v runs from the upper edge down.
        if (uv) in_texture[c] = {(*uv)(i, 0), 1 - (*uv)(i, 1)};
      }
      notes_.add_face(mesh_, corners, face_++,
                      uv ? std::span<const Vec2>(in_texture) : std::span<const Vec2>());
    }
  }

  // Adds colors, and custom numbers, whose names begin with _.
  void add_columns(const Json& attributes, std::size_t count) {
    for (const auto& [name, number] : attributes.items()) {
      const bool color = name == "COLOR_0";
      if (!color && !name.starts_with('_')) continue;
      const Accessor values = accessor(number, name.substr(0, 40).c_str());
      if (values.count < count)
        refuse_gltf("has fewer values of " + name.substr(0, 40) + " than vertices");
      constexpr std::array names{"red", "green", "blue", "alpha"};
      if (!color && values.width != 1) continue;
      for (std::size_t c = 0; c < values.width; ++c) {
        std::vector<float>* const column = column_of(color ? names[c] : name.substr(1), count);
        if (column == nullptr) continue;
        for (std::size_t i = 0; i < count; ++i) {
          const auto value = static_cast<float>(values(i, c));
          // glTF stores linear light; columns hold sRGB values, as from all other files.
          column->push_back(color && c < 3 ? linear_to_srgb(value) : value);
        }
      }
    }
  }

  // Returns the column for the last `count` vertices, or nullptr if earlier vertices lack it.
  std::vector<float>* column_of(const std::string& name, std::size_t count) {
    for (Mesh::Column& column : columns_) {
      if (column.name != name) continue;
      return column.values.size() + count == mesh_.vertices.size() ? &column.values : nullptr;
    }
    if (count != mesh_.vertices.size()) return nullptr;
    columns_.push_back({name, {}});
    return &columns_.back().values;
  }

  const Context& context_;
  MeshNotes& notes_;
  Json document_ = Json::object();
  std::string_view binary_;
  std::vector<std::string> decoded_;
  std::vector<std::string_view> buffers_;
  std::vector<Part> parts_;
  // Sums and maximum over the parts.
  double vertices_ = 0;
  double triangles_ = 0;
  double columns_most_ = 0;
  std::vector<Mesh::Column> columns_;
  std::int32_t face_ = 0;
  Mesh mesh_;
};

}  // namespace

Mesh decode_gltf_mesh(std::string_view bytes, const Context& context, MeshNotes& notes) {
  return GltfReader(bytes, context, notes).read();
}

}  // namespace dapple

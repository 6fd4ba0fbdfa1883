// tinyobjloader and tinygltf, called as a program that took meshes from them would.
#include "others.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_gltf.h>
#include <tiny_obj_loader.h>

namespace readers {
namespace {

using Place = std::array<double, 3>;
using Matrix = std::array<double, 16>;  // column by column

// ---- tinyobjloader ----

Read read_obj(const std::filesystem::path& file, bool cut, Triangles* wanted) {
  tinyobj::attrib_t attributes;
  std::vector<tinyobj::shape_t> shapes;
  std::vector<tinyobj::material_t> materials;
  std::string error;
  Read read;
  std::ifstream stream(file, std::ios::binary);
  if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &read.warned, &error, &stream, nullptr,
                        cut, false)) {
    read.refused = error.empty() ? "without a word" : error;
    return read;
  }
  read.vertices = attributes.vertices.size() / 3;
  bool all_uv = true;
  for (const tinyobj::shape_t& shape : shapes) {
    std::size_t first = 0;
    for (const std::size_t corners : shape.mesh.num_face_vertices) {
      for (std::size_t i = 2; i < corners; ++i) {
        ++read.triangles;
        if (wanted == nullptr) continue;
        for (const std::size_t c : {std::size_t{0}, i - 1, i}) {
          const tinyobj::index_t& index = shape.mesh.indices.at(first + c);
          const auto v = static_cast<std::size_t>(index.vertex_index);
          wanted->places.push_back({attributes.vertices.at(3 * v),
                                    attributes.vertices.at(3 * v + 1),
                                    attributes.vertices.at(3 * v + 2)});
          all_uv = all_uv && index.texcoord_index >= 0;
          if (!all_uv) continue;
          const auto t = static_cast<std::size_t>(index.texcoord_index);
          wanted->uv.push_back(
              {attributes.texcoords.at(2 * t), attributes.texcoords.at(2 * t + 1)});
        }
      }
      first += corners;
    }
  }
  if (!all_uv && wanted != nullptr) wanted->uv.clear();
  return read;
}

// ---- tinygltf ----

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix made{};
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t k = 0; k < 4; ++k)
        made[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return made;
}

Matrix matrix_of(const tinygltf::Node& node) {
  Matrix made{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  if (node.matrix.size() == 16) {
    std::copy(node.matrix.begin(), node.matrix.end(), made.begin());
    return made;
  }
  if (node.rotation.size() == 4) {
    const double x = node.rotation[0], y = node.rotation[1], z = node.rotation[2],
                 w = node.rotation[3];
    made = {1 - 2 * (y * y + z * z),
            2 * (x * y + z * w),
            2 * (x * z - y * w),
            0,
            2 * (x * y - z * w),
            1 - 2 * (x * x + z * z),
            2 * (y * z + x * w),
            0,
            2 * (x * z + y * w),
            2 * (y * z - x * w),
            1 - 2 * (x * x + y * y),
            0,
            0,
            0,
            0,
            1};
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (node.scale.size() == 3) {
      for (std::size_t row = 0; row < 3; ++row) made[4 * i + row] *= node.scale[i];
    }
    if (node.translation.size() == 3) made[12 + i] = node.translation[i];
  }
  return made;
}

Place moved(const Matrix& matrix, const Place& p) {
  Place made{};
  for (std::size_t a = 0; a < 3; ++a) {
    made[a] = matrix[a] * p[0] + matrix[4 + a] * p[1] + matrix[8 + a] * p[2] + matrix[12 + a];
  }
  return made;
}

double determinant(const Matrix& m) {
  return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) +
         m[8] * (m[1] * m[6] - m[5] * m[2]);
}

// Numbers of an accessor as they stand in its buffer; the library looks at none of them, so bounds
// are the caller's.
class Numbers {
 public:
  Numbers(const tinygltf::Model& model, int number) {
    const tinygltf::Accessor& accessor = model.accessors.at(static_cast<std::size_t>(number));
    const tinygltf::BufferView& view =
        model.bufferViews.at(static_cast<std::size_t>(accessor.bufferView));
    bytes_ = &model.buffers.at(static_cast<std::size_t>(view.buffer)).data;
    first_ = view.byteOffset + accessor.byteOffset;
    stride_ = static_cast<std::size_t>(accessor.ByteStride(view));
    type_ = accessor.componentType;
    size_ =
        static_cast<std::size_t>(tinygltf::GetComponentSizeInBytes(static_cast<unsigned>(type_)));
    count = accessor.count;
  }

  double operator()(std::size_t row, std::size_t column) const {
    const std::size_t at = first_ + row * stride_ + column * size_;
    if (at + size_ > bytes_->size()) throw std::out_of_range("a number beyond its buffer");
    const unsigned char* from = bytes_->data() + at;
    if (type_ == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE) return *from;
    if (type_ == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT) return take<std::uint16_t>(from);
    if (type_ == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT) return take<std::uint32_t>(from);
    if (type_ == TINYGLTF_COMPONENT_TYPE_FLOAT) return static_cast<double>(take<float>(from));
    throw std::out_of_range("a type that this program does not look at");
  }

  std::size_t count = 0;

 private:
  template <class T>
  static T take(const unsigned char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
  }

  const std::vector<unsigned char>* bytes_ = nullptr;
  std::size_t first_ = 0, stride_ = 0, size_ = 0;
  int type_ = 0;
};

void add_primitive(const tinygltf::Model& model, const tinygltf::Primitive& primitive,
                   const Matrix& matrix, bool& all_uv, Triangles& wanted) {
  const Numbers places(model, primitive.attributes.at("POSITION"));
  const auto texture = primitive.attributes.find("TEXCOORD_0");
  all_uv = all_uv && texture != primitive.attributes.end();
  const bool indexed = primitive.indices >= 0;
  const Numbers indices(model, indexed ? primitive.indices : primitive.attributes.at("POSITION"));
  const std::size_t corners = indexed ? indices.count : places.count;
  const bool rows = primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP;
  const bool fan = primitive.mode == TINYGLTF_MODE_TRIANGLE_FAN;
  for (std::size_t i = 0; i + 2 < corners; i += rows || fan ? 1 : 3) {
    std::array<std::size_t, 3> three{i, i + 1, i + 2};
    if (rows && i % 2 == 1) std::swap(three[1], three[2]);
    if (fan) three = {0, i + 1, i + 2};
    if (determinant(matrix) < 0) std::swap(three[1], three[2]);
    for (const std::size_t n : three) {
      const std::size_t v = indexed ? static_cast<std::size_t>(indices(n, 0)) : n;
      const Place p{places(v, 0), places(v, 1), places(v, 2)};
      wanted.places.push_back(moved(matrix, p));
      if (!all_uv) continue;
      const Numbers uv(model, texture->second);
      wanted.uv.push_back({uv(v, 0), 1 - uv(v, 1)});
    }
  }
}

void add_node(const tinygltf::Model& model, int number, const Matrix& outer, bool& all_uv,
              Triangles& wanted) {
  const tinygltf::Node& node = model.nodes.at(static_cast<std::size_t>(number));
  const Matrix matrix = outer * matrix_of(node);
  if (node.mesh >= 0) {
    for (const auto& primitive : model.meshes.at(static_cast<std::size_t>(node.mesh)).primitives) {
      if (primitive.mode < 0 || primitive.mode >= TINYGLTF_MODE_TRIANGLES)
        add_primitive(model, primitive, matrix, all_uv, wanted);
    }
  }
  for (const int child : node.children) add_node(model, child, matrix, all_uv, wanted);
}

Read read_gltf(const std::filesystem::path& file, bool plain, Triangles* wanted) {
  std::string bytes(std::filesystem::file_size(file), '\0');
  std::ifstream(file, std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const std::string folder = file.parent_path().string();
  tinygltf::TinyGLTF loader;
  if (plain) {
    loader.SetImageLoader([](tinygltf::Image*, int, std::string*, std::string*, int, int,
                             const unsigned char*, int, void*) { return true; },
                          nullptr);
    tinygltf::FsCallbacks none{};
    none.FileExists = [](const std::string&, void*) { return false; };
    none.ExpandFilePath = [](const std::string& name, void*) { return name; };
    none.ReadWholeFile = [](std::vector<unsigned char>*, std::string* error,
                            const std::string& name, void*) {
      *error += "no other file is opened: " + name;
      return false;
    };
    loader.SetFsCallbacks(none);
  }
  tinygltf::Model model;
  std::string error;
  Read read;
  const auto size = static_cast<unsigned>(bytes.size());
  const bool good =
      bytes.rfind("glTF", 0) == 0
          ? loader.LoadBinaryFromMemory(&model, &error, &read.warned,
                                        reinterpret_cast<const unsigned char*>(bytes.data()), size,
                                        folder)
          : loader.LoadASCIIFromString(&model, &error, &read.warned, bytes.data(), size, folder);
  if (!good) {
    read.refused = error.empty() ? "without a word" : error;
    return read;
  }
  const auto count_of = [&](int number) {
    const auto n = static_cast<std::size_t>(number);
    return n < model.accessors.size() ? model.accessors[n].count : 0;
  };
  for (const tinygltf::Mesh& mesh : model.meshes) {
    for (const tinygltf::Primitive& primitive : mesh.primitives) {
      const auto places = primitive.attributes.find("POSITION");
      if (places == primitive.attributes.end()) continue;
      read.vertices += count_of(places->second);
      read.triangles += count_of(primitive.indices >= 0 ? primitive.indices : places->second) / 3;
    }
  }
  if (wanted != nullptr) {
    bool all_uv = true;
    const auto scene = static_cast<std::size_t>(std::max(0, model.defaultScene));
    for (const int node : model.scenes.at(scene).nodes) {
      add_node(model, node, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, all_uv, *wanted);
    }
    if (!all_uv) wanted->uv.clear();
    read.triangles = wanted->places.size() / 3;
  }
  return read;
}

tinygltf::Model model_of(const std::filesystem::path& file) {
  tinygltf::TinyGLTF loader;
  tinygltf::Model model;
  std::string error;
  std::string warned;
  if (!loader.LoadBinaryFromFile(&model, &error, &warned, file.string()))
    throw std::runtime_error(error);
  return model;
}

}  // namespace

std::vector<std::array<double, 3>> instances_of(const std::filesystem::path& file) {
  const tinygltf::Model model = model_of(file);
  std::vector<Place> found;
  for (const tinygltf::Node& node : model.nodes) {
    const tinygltf::Value& all = node.extensions.at("EXT_mesh_gpu_instancing").Get("attributes");
    const Numbers places(model, all.Get("TRANSLATION").GetNumberAsInt());
    const Numbers turns(model, all.Get("ROTATION").GetNumberAsInt());
    const Numbers sizes(model, all.Get("SCALE").GetNumberAsInt());
    if (turns.count != places.count || sizes.count != places.count)
      throw std::runtime_error("columns of other lengths");
    const Matrix matrix = matrix_of(node);
    for (std::size_t i = 0; i < places.count; ++i)
      found.push_back(moved(matrix, {places(i, 0), places(i, 1), places(i, 2)}));
  }
  return found;
}

Read read_by(const std::string& reader, const std::filesystem::path& file, Triangles* wanted) {
  if (reader == "tinyobj") return read_obj(file, false, wanted);
  if (reader == "tinyobj-triangles") return read_obj(file, true, wanted);
  if (reader == "tinygltf") return read_gltf(file, false, wanted);
  if (reader == "tinygltf-plain") return read_gltf(file, true, wanted);
  throw std::invalid_argument("no such reader: " + reader);
}

}  // namespace readers

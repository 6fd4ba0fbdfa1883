#include "io/gltf_buffer.hpp"

#include <bit>
#include <utility>

#include "io/images/formats.hpp"

namespace dapple {

GltfBuffer::Json& GltfBuffer::start(std::size_t size, Use use, int type, std::size_t count,
                                    const char* shape) {
  Json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
  if (use != Use::other) view["target"] = static_cast<int>(use);
  views_.push_back(std::move(view));
  accessors_.push_back({{"bufferView", views_.size() - 1},
                        {"componentType", type},
                        {"count", count},
                        {"type", shape}});
  return accessors_.back();
}

void GltfBuffer::add_floats(const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) put(bytes_, std::bit_cast<std::uint32_t>(values[i]), 4);
}

std::size_t GltfBuffer::add(const std::vector<std::uint16_t>& corners) {
  start(corners.size() * sizeof(std::uint16_t), Use::triangles, short_type, corners.size(),
        "SCALAR");
  for (const std::uint16_t corner : corners) put(bytes_, corner, 2);
  bytes_.resize((bytes_.size() + 3) / 4 * 4);
  return accessors_.size() - 1;
}

void GltfBuffer::describe(Json& document, const std::string& uri) const {
  document["accessors"] = accessors_;
  document["bufferViews"] = views_;
  Json buffer{{"byteLength", bytes_.size()}};
  if (!uri.empty()) buffer["uri"] = uri;
  document["buffers"] = Json::array({buffer});
}

}  // namespace dapple

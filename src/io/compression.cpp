// How files pack values: docs/notes/files.md has what was measured.
#include "io/compression.hpp"

#include <algorithm>

namespace dapple {
namespace {

// Four strips of sixteen rows, of which OpenEXR packs each by itself.
Image sample_of(const Image& image) {
  constexpr int strips = 4;
  constexpr int rows = 16;
  const auto strips_of = [&](const auto& plane) {
    auto few = std::decay_t<decltype(plane)>(plane.width(), plane.empty() ? 0 : strips * rows);
    if (plane.empty()) return few;
    for (int i = 0; i < strips; ++i) {
      for (int y = 0; y < rows; ++y) {
        const auto* from = plane.row(plane.height() / strips * i + y);
        std::copy_n(from, plane.width(), few.row(i * rows + y));
      }
    }
    return few;
  };
  Image sample;
  sample.names = image.names;
  sample.labels = image.labels;
  sample.encoding = image.encoding;
  sample.type = image.type;
  for (const auto& plane : image.channels) sample.channels.push_back(strips_of(plane));
  for (const auto& plane : image.integers) sample.integers.push_back(strips_of(plane));
  return sample;
}

// The last bits of distances in floats are noise, which takes longest to pack and hardly packs.
bool packs(const Image& image, const ImageEncoding& how) {
  if (image.slices > 1 || image.height() < 512 || image.width() < 512) return true;
  ImageEncoding trial = how;
  trial.attributes = {{"compression", "zip:1"}};
  std::string bytes;
  const Image sample = sample_of(image);
  const ModuleError error =
      image_module().encode(sample, trial, bytes, [](double) { return true; });
  const double stored = 4.0 * static_cast<double>(sample.channels.size()) *
                        static_cast<double>(sample.channels[0].size());
  return !error.text.empty() || static_cast<double>(bytes.size()) < 0.9 * stored;
}

}  // namespace

Metadata packing_of(const Image& image, const ImageEncoding& how) {
  const std::string& format = how.extension;
  if (format == "exr" && image.type == PixelType::f16) return {{"compression", "zip:1"}};
  if (format == "exr") return {{"compression", packs(image, how) ? "zip" : "none"}};
  if (format.starts_with("tif") && image.type == PixelType::f32) {
    return {{"compression", "zip"}, {"tiff:zipquality", "1"}};
  }
  if (format.starts_with("tif")) return {{"compression", "zip"}};
  if (format.starts_with("jp")) {
    return {{"compression", "jpeg:95"}, {"jpeg:subsampling", "4:4:4"}};
  }
  if (format == "png" && image.type == PixelType::u16 && image.encoding == Encoding::data) {
    // Rows less the row above: what libpng chooses takes longer and mostly leaves more.
    return {{"png:compressionLevel", "3"}, {"png:filter", "32"}};
  }
  return {};
}

}  // namespace dapple

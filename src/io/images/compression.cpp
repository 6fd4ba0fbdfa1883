// Chooses how files pack values; docs/notes/files.md has the measurements.
#include <algorithm>

#include "io/images/formats.hpp"

namespace dapple {
namespace {

// Returns four strips of sixteen rows; OpenEXR packs each strip separately.
Image sample_of(const ImageRows& image) {
  constexpr int strips = 4;
  constexpr int rows = 16;
  Image sample;
  for (int i = 0; i < strips; ++i) {
    const int first = image.height / strips * i;
    put_strip(sample, image.rows(first, first + rows), i, strips);
  }
  sample.metadata.clear();
  return sample;
}

// Returns true if packing pays. Last bits of distances are noise: slow to pack, with little gain.
bool packs(const ImageRows& image, const ImageEncoding& how) {
  if (how.parts || image.height < 512 || image.width < 512) return true;
  ImageEncoding trial = how;
  trial.attributes = {{"compression", "zip:1"}};
  std::string bytes;
  const Image sample = sample_of(image);
  const ModuleError error =
      image_module(how.extension).encode(sample, trial, bytes, [](double) { return true; });
  const double stored = 4.0 * static_cast<double>(sample.channels.size()) *
                        static_cast<double>(sample.channels[0].size());
  return !error.text.empty() || static_cast<double>(bytes.size()) < 0.9 * stored;
}

}  // namespace

Metadata packing_of(const Image& image, const ImageEncoding& how) {
  const ImageRows rows{image.width(), image.height(), 64,
                       [&](int first, int last) { return rows_of(image, first, last); }};
  return packing_of(image, rows, how);
}

Metadata packing_of(const Image& some, const ImageRows& rows, const ImageEncoding& how) {
  const std::string& format = how.extension;
  if (format == "exr" && some.type == PixelType::f16) return {{"compression", "zip:1"}};
  if (format == "exr") return {{"compression", packs(rows, how) ? "zip" : "none"}};
  if (format.starts_with("tif") && some.type == PixelType::f32) {
    return {{"compression", "zip"}, {"tiff:zipquality", "1"}};
  }
  if (format.starts_with("tif")) return {{"compression", "zip"}};
  if (format.starts_with("jp")) {
    return {{"compression", "jpeg:95"}, {"jpeg:subsampling", "4:4:4"}};
  }
  if (format == "png" && some.type == PixelType::u16 && some.encoding == Encoding::data) {
    // Subtracts the row above. The choice of libpng takes longer and mostly packs worse.
    return {{"png:compressionLevel", "3"}, {"png:filter", "32"}};
  }
  return {};
}

}  // namespace dapple

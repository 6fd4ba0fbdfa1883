#include "faults/pictures.hpp"

#include "core/random.hpp"
#include "dapple/image_files.hpp"
#include "fuzz/mutations.hpp"

namespace dapple::faults {

std::map<std::string, std::string> pictures() {
  Image image;
  image.names = {"R", "G", "B"};
  Random random(3, Stream::tests);
  for (int c = 0; c < 3; ++c) {
    Plane<float>& plane = image.channels.emplace_back(48, 40);
    for (float& v : plane.values()) v = static_cast<float>(random.below(64)) / 64.0f;
  }
  std::map<std::string, std::string> all = fuzz::corpus("image");
  for (const char* format : {"png", "jpg", "tif", "exr", "tx", "hdr", "ppm", "pgm", "tga", "bmp"}) {
    Image fitting = image;
    if (std::string(format) == "pgm") {
      fitting.channels.resize(1);
      fitting.names = {"Y"};
    }
    all[std::string("written.") + format] = encode_image(fitting, format);
  }
  image.type = PixelType::f32;
  for (const char* format : {"tif", "exr", "tx"}) {
    all[std::string("floats.") + format] = encode_image(image, format);
  }
  return all;
}

std::string format_of(const std::string& bytes) {
  if (bytes.starts_with("\x89PNG")) return "png";
  if (bytes.starts_with("\xff\xd8")) return "jpeg";
  if (bytes.starts_with("II") || bytes.starts_with("MM")) return "tiff";
  if (bytes.starts_with("\x76\x2f\x31\x01")) return "openexr";
  if (bytes.starts_with("#?")) return "hdr";
  if (bytes.starts_with("PF") || bytes.starts_with("Pf")) return "pfm";
  if (bytes.starts_with("P")) return "pnm";
  if (bytes.starts_with("RIFF")) return "webp";
  if (bytes.starts_with("BM")) return "bmp";
  if (bytes.starts_with("GIF8")) return "gif";
  return "targa";
}

}  // namespace dapple::faults

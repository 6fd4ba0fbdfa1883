// An image module whose decoder is in a stranger's hands: what it says of a picture does not hold.
// The variable LIE says which.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "image_module_entry.hpp"

namespace dapple {
namespace {

bool lies(const char* how) {
  const char* wanted = std::getenv("LIE");
  return wanted != nullptr && std::strcmp(wanted, how) == 0;
}

void describe(ImageHeader& header, int width, int height) {
  header.width = header.stored_width = width;
  header.height = header.stored_height = height;
  header.channels = 3;
  header.names = {"R", "G", "B"};
  header.values = PixelType::u8;
  header.band = 1;
  header.working_bytes = 1 << 20;
  header.stored_bytes = 3.0 * width * height;
  header.format = "tiff";
}

class Liar : public BandReader {
 public:
  ModuleError count(int& frames) noexcept override {
    frames = lies("frames below zero") ? -3 : lies("no frames") ? 0 : 4;
    return {};
  }
  ModuleError seek(int, ImageHeader& header) noexcept override {
    if (lies("larger frames")) describe(header, 512, 512);
    if (lies("frames of less channels")) {
      header.channels = 1;
      header.names = {"Y"};
    }
    width_ = header.stored_width * header.channels;
    return {};
  }
  ModuleError band(int, void* rows) noexcept override {
    std::memset(rows, 60, static_cast<std::size_t>(width_));
    return {};
  }

 private:
  int width_ = 15;
};

ModuleError open(int, const std::string&, EmbeddedProfile, std::unique_ptr<BandReader>& reader,
                 ImageHeader& header) noexcept {
  describe(header, 5, 4);
  if (lies("bytes that no number holds")) {
    // 2^64 + 1.4 million of them in a band.
    header.width = 1000000;
    header.stored_width = (1 << 30) + 1 + 46340;
    header.stored_height = header.band = (1 << 30) + 1 - 46340;
    header.channels = 4;
    header.names = {"R", "G", "B", "A"};
    header.values = PixelType::f32;
  }
  if (lies("a band of terabytes")) {
    header.stored_width = header.stored_height = header.band = 1 << 20;
  }
  reader = std::make_unique<Liar>();
  return {};
}

}  // namespace

const ImageModule test_module = {DAPPLE_VERSION, "",      open,    nullptr,
                                 nullptr,        nullptr, nullptr, nullptr};

}  // namespace dapple

// Defines a reader of OpenImageIO, so that oiiotool, maketx and renderers open recipes named
// *.dapple as pictures.
#include <OpenImageIO/imageio.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>

#include "dapple/error.hpp"
#include "dapple/version.hpp"
#include "recipe_picture.hpp"

namespace dapple {
namespace {

constexpr int tile_side = 64;  // rows are made in multiples of this number

OIIO::TypeDesc type_of(StoredAs stored) {
  if (stored == StoredAs::u32) return OIIO::TypeDesc::UINT32;
  return stored == StoredAs::f16 ? OIIO::TypeDesc::HALF : OIIO::TypeDesc::FLOAT;
}

OIIO::ImageSpec spec_of(const RecipePicture& picture) {
  std::vector<OIIO::TypeDesc> types;
  for (const StoredAs stored : picture.types()) types.push_back(type_of(stored));
  const bool alike = std::all_of(types.begin(), types.end(),
                                 [&](const OIIO::TypeDesc& type) { return type == types[0]; });
  OIIO::ImageSpec spec(picture.width(), picture.height(), static_cast<int>(types.size()),
                       alike ? types[0] : OIIO::TypeDesc(OIIO::TypeDesc::FLOAT));
  if (!alike) spec.channelformats = types;
  spec.channelnames = picture.channels();
  spec.alpha_channel = -1;  // the fourth of four masks is not an alpha
  spec.tile_width = tile_side;
  spec.tile_height = tile_side;
  spec.attribute("oiio:ColorSpace", picture.is_linear() ? "Linear" : "sRGB");
  spec.attribute("oiio:subimages", picture.slices());
  spec.attribute("Software", "dapple " DAPPLE_VERSION);
  spec.attribute("dapple:recipe", picture.recipe());
  return spec;
}

class RecipeInput final : public OIIO::ImageInput {
 public:
  ~RecipeInput() override { close(); }
  const char* format_name() const override { return "dapple"; }
  int supports(OIIO::string_view feature) const override {
    return feature == "arbitrary_metadata" || feature == "multiimage" ? 1 : 0;
  }
  // Other files are not tried as recipes.
  bool valid_file(const std::string& name) const override { return name.ends_with(".dapple"); }

  bool open(const std::string& name, OIIO::ImageSpec& spec) override {
    close();
    return guarded([&] {
      const int threads = this->threads();
      picture_ = std::make_shared<RecipePicture>(
          name, threads > 0 ? threads : OIIO::get_int_attribute("threads"));
      subimage_ = 0;
      m_spec = spec_of(*picture_);
      spec = m_spec;
      return true;
    });
  }

  // Cancels a read on another thread and waits until it ends.
  bool close() override {
    if (const auto picture = std::atomic_load(&picture_)) picture->cancel();
    const lock_guard lock(*this);
    std::atomic_store(&picture_, std::shared_ptr<RecipePicture>());
    return true;
  }

  int current_subimage() const override { return subimage_; }
  int current_miplevel() const override { return 0; }
  bool seek_subimage(int subimage, int miplevel) override {
    const lock_guard lock(*this);
    if (!picture_ || subimage < 0 || subimage >= picture_->slices() || miplevel != 0) return false;
    subimage_ = subimage;
    return true;
  }

  bool read_native_scanline(int subimage, int miplevel, int y, int, void* data) override {
    const lock_guard lock(*this);
    return seek_subimage(subimage, miplevel) && read(0, m_spec.width, y, y + 1, data, 0);
  }

  bool read_native_tile(int subimage, int miplevel, int x, int y, int, void* data) override {
    const lock_guard lock(*this);
    if (!seek_subimage(subimage, miplevel)) return false;
    const std::size_t row = tile_side * m_spec.pixel_bytes(true);
    std::memset(data, 0, tile_side * row);
    return read(x, std::min(x + tile_side, m_spec.width), y, std::min(y + tile_side, m_spec.height),
                data, row);
  }

 private:
  using lock_guard = OIIO::ImageInput::lock_guard;

  template <class Work>
  bool guarded(const Work& work) {
    try {
      return work();
    } catch (const Error& error) {
      const std::string file = error.file().empty() ? "" : error.file() + ": ";
      errorfmt("{}{}", file, error.what());
    } catch (const std::exception& error) {
      errorfmt("{}", error.what());
    }
    return false;
  }

  bool read(int x0, int x1, int y0, int y1, void* data, std::size_t stride) {
    return guarded([&] {
      picture_->read(subimage_, x0, x1, y0, y1, static_cast<unsigned char*>(data), stride);
      return true;
    });
  }

  std::shared_ptr<RecipePicture> picture_;
  int subimage_ = 0;
};

}  // namespace
}  // namespace dapple

OIIO_PLUGIN_EXPORTS_BEGIN
OIIO_EXPORT int dapple_imageio_version = OIIO_PLUGIN_VERSION;
OIIO_EXPORT const char* dapple_imageio_library_version() {
  return "dapple " DAPPLE_VERSION;
}
OIIO_EXPORT OIIO::ImageInput* dapple_input_imageio_create() {
  return new dapple::RecipeInput;
}
OIIO_EXPORT const char* dapple_input_extensions[] = {"dapple", nullptr};
OIIO_PLUGIN_EXPORTS_END

// Stands in for the image module, its decoder process and their search on systems where a program
// loads no modules, such as browsers: names the formats that are there.
#include "io/images/module.hpp"
#include "io/images/read/openimageio_reader.hpp"

namespace dapple {

const ImageModule& image_module(std::string_view format) {
  throw Error(ErrorKind::usage,
              "this build of Dapple writes no ." + std::string(format) +
                  " files; use .png, .ktx2, .dds, .npy, .raw, .json, .svg or source code (.c, .h, "
                  ".glsl, .hlsl), or Dapple on a desktop");
}

ModuleError open_foreign(const InputFile&, const std::string& format, const HeaderProbe&,
                         const Context&, std::unique_ptr<BandReader>&, ImageHeader&) {
  return {ErrorKind::input, "is a " + format +
                                " file, and this build of Dapple reads only PNG, JPEG, PPM, PGM "
                                "and NPY: convert it to PNG, or use Dapple on a desktop"};
}

std::span<const std::string_view> loading_variables() {
  return {};
}
void clear_environment() {}

const std::string& color_config_path() {
  static const std::string none;
  return none;
}

}  // namespace dapple

// Writes images strip by strip while they are computed.
#include <array>
#include <exception>
#include <filesystem>
#include <sys/stat.h>

#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "io/images/exr_pack.hpp"
#include "io/images/formats.hpp"
#include "io/images/png_file.hpp"

namespace dapple {

bool takes_rows(const std::string& path, std::string_view extension) {
  constexpr std::array<std::string_view, 4> by_rows{"exr", "tif", "tiff", "png"};
  if (path == "-" || std::find(by_rows.begin(), by_rows.end(), extension) == by_rows.end()) {
    return false;
  }
  struct stat status {};
  return ::stat(std::filesystem::path(path).c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool write_image(FileGroup& files, const std::string& path, const ImageRows& image,
                 std::string_view extension, const Context& context) {
  ImageEncoding how;
  how.threads = context.threads;
  const auto fitted = [&](int first, int last) {
    return fit_image(image.rows(first, last), extension, how);
  };
  std::exception_ptr failure;
  const auto guarded = [&](int first, int last) {
    try {
      return fitted(first, last);
    } catch (...) {
      failure = std::current_exception();
      return Image();
    }
  };
  const Image first = fitted(0, 1);
  how.attributes = packing_of(first, {image.width, image.height, image.step, fitted}, how);
  const bool own = packs_exr(first, how) && image.step % ExrPacker::rows_together == 0;
  const auto encode = [&](int descriptor) {
    const auto encode_rows = own                      ? encode_exr_rows
                             : how.extension == "png" ? encode_png_rows
                                                      : image_module(how.extension).encode_rows;
    const ModuleError error = encode_rows({image.width, image.height, image.step, guarded}, how,
                                          descriptor, progress_of(context));
    if (failure) std::rethrow_exception(failure);
    if (!error.text.empty() && error.code == 0) throw Error(error.kind, error.text, path);
    return error.code;
  };
  return files.fill(path, encode);
}

bool write_image(const std::string& path, const ImageRows& image, std::string_view extension,
                 Overwrite overwrite, const Context& context) {
  FileGroup files(overwrite);
  const bool changed = write_image(files, path, image, extension, context);
  files.commit(context);
  return changed;
}

}  // namespace dapple

// The table through which the library reaches OpenImageIO: functions of the module `dapple-image`,
// which is opened when it is first needed: to read what is neither PNG nor JPEG, and to write all
// but PNG.
//
// Both sides come from one build, so C++ types may cross; exceptions may not. Every function is
// noexcept and hands errors back as a kind and a text.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "io/drawings/pdf_file.hpp"
#include "io/text_keys.hpp"

namespace dapple {

struct ModuleError {
  ErrorKind kind = ErrorKind::internal;
  std::string text;  // empty: all is well
  int code = 0;      // of the system, where it did not write
};

// What any reader or writer may have to say.
inline ModuleError stopped() {
  return {ErrorKind::cancelled, "cancelled"};
}
inline ModuleError no_memory() {
  return {ErrorKind::limit, "needs more memory than there is"};
}
inline ModuleError damaged_from(int row, const std::string& why) {
  return {ErrorKind::input,
          "is damaged or incomplete from row " + std::to_string(row) + " on: " + why};
}

// The facts that a file gives about itself, before any pixel is read or memory for it is taken.
struct ImageHeader {
  int width = 0;  // as stored, before orientation
  int height = 0;
  int channels = 0;
  double stored_bytes = 0;   // of all pixels, uncompressed
  double working_bytes = 0;  // that reading them takes beside the image
  std::string format;        // as OpenImageIO names it, such as "png"
  Metadata metadata;         // text keys

  // What the bands of a BandReader hold, and how they become the image.
  int stored_width = 0;  // of the stored pixels, which may be a part of the image, or more
  int stored_height = 0;
  int left = 0;  // of them in the image
  int top = 0;
  int band = 0;                       // rows
  PixelType values = PixelType::f32;  // or u8, u16
  PixelType type = PixelType::f32;    // of the image
  Encoding encoding = Encoding::srgb;
  bool premultiplied = false;
  int orientation = 1;             // as Exif numbers them
  std::vector<std::string> names;  // of the channels
};

// Called with 0..1 while a module works; false asks it to stop.
using ImageProgress = std::function<bool(double fraction)>;

// An open image file.
class ImageReader {
 public:
  virtual ~ImageReader() = default;
  // How many frames the file holds: parts or pages that are alike in all but their values, else 1.
  virtual ModuleError count(int& frames) noexcept {
    frames = 1;
    return {};
  }
  // Only where there are several.
  virtual ModuleError seek(int, ImageHeader&) noexcept { return {}; }
  virtual ModuleError read(Image& image, const ImageProgress& progress) noexcept = 0;
};

// The same, as a decoder hands it over: bands of whole rows, as stored.
class BandReader {
 public:
  virtual ~BandReader() = default;
  virtual ModuleError count(int& frames) noexcept = 0;
  virtual ModuleError seek(int frame, ImageHeader& header) noexcept = 0;
  // Rows first.. of the present frame, all channels of a pixel beside each other.
  virtual ModuleError band(int first, void* rows) noexcept = 0;
};

// How to write an image that the format can hold as it is.
struct ImageEncoding {
  std::string extension;
  bool premultiply = false;    // the format wants colors multiplied by alpha
  bool premultiplied = false;  // and they are
  bool parts = false;          // a part or page of the file for each slice
  Metadata attributes;         // for the writer: compression and the like
  int threads = 0;             // 0: all

  // Tiles, and the levels below the image; texts of theirs beside those of the image, to which the
  // writer adds the hash of the values.
  bool texture = false;
  std::vector<Image> levels;
  Metadata texture_texts;
};

// What the module's libraries take as soon as they are loaded, in bytes.
inline constexpr double image_module_memory = 140 << 20;

struct ImageModule {
  const char* version;      // of the build; modules of another one are refused
  const char* openimageio;  // version of OpenImageIO
  // A file of a format as OpenImageIO names it; the descriptor stays open as long as the reader.
  // Of a "pdf" there is no reader, and texts in the header alone.
  ModuleError (*open)(int descriptor, const std::string& format,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header) noexcept;
  ModuleError (*encode)(const Image& image, const ImageEncoding& how, std::string& bytes,
                        const ImageProgress& progress) noexcept;
  // Into an open file. Rows without channels ask it to stop.
  ModuleError (*encode_rows)(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                             const ImageProgress& progress) noexcept;
  ModuleError (*write_pdf)(const PdfPage& page, std::string& bytes) noexcept;
  // For a process that decodes and does nothing else: no threads of OpenEXR, whose stacks take
  // memory; those of OpenImageIO the environment keeps away before it is loaded.
  void (*prepare)() noexcept;
};

// Name of the module's one function, const ImageModule* dapple_image_module(), and the words that a
// module of this version holds.
inline constexpr const char* image_module_symbol = "dapple_image_module";
#define DAPPLE_MODULE_MARK "dapple image module of version " DAPPLE_VERSION

// Folders of the running program and of the library or program that holds this code, each once.
std::vector<std::filesystem::path> own_folders();

// The module, opened at the first call, and where it lies. They throw Error(internal) that lists
// where it was looked for, or says why it is not trusted.
const ImageModule& image_module();
std::string image_module_path();

// A module of this program: its file, what it is called, the words that one of this version holds,
// and how the sentence about a missing one ends.
struct ModuleFile {
  std::string file;
  std::string what;
  std::string mark;
  std::string missing;
};
// Where it lies. Throws as image_module_path() does.
std::string trusted_module(const ModuleFile& module);

// The program beside it that decodes strangers' files.
inline constexpr const char* decoder_name = "dapple-decode";

// How the names of environment variables begin that make the module, the libraries behind it or the
// loader load or configure what nobody asked for, and write where nobody looks.
std::span<const std::string_view> loading_variables();
// Takes these out of the environment of this process. Before any thread starts.
void clear_environment();

}  // namespace dapple

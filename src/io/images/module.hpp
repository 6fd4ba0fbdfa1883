// Declares the table through which the library reaches OpenImageIO: functions of the module
// `dapple-image`. The module is opened when it is first needed: to read or write a format that the
// library does not handle itself.
//
// Both sides come from one build, so C++ types may cross the interface, but exceptions may not.
// Every function is noexcept and returns an error as a kind and a text.
#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "io/drawings/pdf_file.hpp"
#include "io/images/color/primaries.hpp"
#include "io/images/read/color_profile.hpp"
#include "io/text_keys.hpp"

namespace dapple {

struct ModuleError {
  ErrorKind kind = ErrorKind::internal;
  std::string text;  // empty if there is no error
  int code = 0;      // error code of the system, if writing failed
};

// Errors that any reader or writer may return.
inline ModuleError stopped() {
  return {ErrorKind::cancelled, "cancelled"};
}
inline ModuleError no_memory() {
  return {ErrorKind::limit, "needs more memory than is available"};
}
// Returns the exception that is being handled, for handlers of all exceptions.
inline ModuleError caught_error() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  } catch (const std::exception& error) {
    return {ErrorKind::input, error.what()};
  } catch (...) {
    return {ErrorKind::internal, "the image module failed in an unknown way"};
  }
}
inline ModuleError damaged_from(int row, const std::string& why) {
  return {ErrorKind::input,
          "is damaged or incomplete from row " + std::to_string(row) + " on: " + why};
}

// Facts from the header of a file, before pixels are read or memory is allocated.
struct ImageHeader {
  int width = 0;  // as stored, before orientation
  int height = 0;
  int channels = 0;
  double stored_bytes = 0;   // of all pixels, uncompressed
  double working_bytes = 0;  // memory of reading, beside the image
  std::string format;        // name in OpenImageIO, such as "png"
  Metadata metadata;         // text keys
  ColorProfile profile;      // of colors that are not converted yet; never from another process
  std::string note;          // as in Image::notes
  std::string unconfined;    // what the system did not enforce in another process; "": nothing
  double dots_per_inch = 0;  // 0: unknown

  // The layout of the bands of a BandReader, for building the image.
  int stored_width = 0;  // stored pixels may cover a part of the image or exceed it
  int stored_height = 0;
  int left = 0;  // place of these pixels in the image
  int top = 0;
  int band = 0;                       // rows per band
  PixelType values = PixelType::f32;  // f32, u8 or u16
  PixelType type = PixelType::f32;    // of the image
  Encoding encoding = Encoding::srgb;
  bool premultiplied = false;
  int orientation = 1;             // Exif orientation
  std::vector<std::string> names;  // of the channels
};

// Receives 0..1 while a module works; returning false asks the module to stop.
using ImageProgress = std::function<bool(double fraction)>;

// An open image file.
class ImageReader {
 public:
  virtual ~ImageReader() = default;
  // Counts the frames: parts or pages that are alike in all but their values, otherwise 1.
  virtual ModuleError count(int& frames) noexcept {
    frames = 1;
    return {};
  }
  // Goes to a frame; called only if there are several.
  virtual ModuleError seek(int, ImageHeader&) noexcept { return {}; }
  virtual ModuleError read(Image& image, const ImageProgress& progress) noexcept = 0;
};

// An image file as a decoder delivers it: bands of whole stored rows.
class BandReader {
 public:
  virtual ~BandReader() = default;
  virtual ModuleError count(int& frames) noexcept = 0;
  virtual ModuleError seek(int frame, ImageHeader& header) noexcept = 0;
  // Reads the band of rows from `first` on of the current frame, with interleaved channels.
  virtual ModuleError band(int first, void* rows) noexcept = 0;
};

// How to write an image that the format can hold as it is.
struct ImageEncoding {
  std::string extension;
  bool premultiply = false;    // the format needs colors multiplied by alpha
  bool premultiplied = false;  // the colors are multiplied already
  bool parts = false;          // each slice becomes a part or page of the file
  Metadata attributes;         // for the writer, such as compression
  int threads = 0;             // 0: all
  ColorStatement color;        // the space of the colors, if one was chosen
  std::size_t clipped = 0;     // pixels with a color outside of what integers hold

  // A texture has tiles, levels below the image, and texts beside the image's own. The writer adds
  // the hash of the values to these texts.
  bool texture = false;
  std::vector<Image> levels;
  Metadata texture_texts;
};

// A conversion of an OpenColorIO configuration.
struct ConfigConversion {
  std::size_t source = 0;  // index of the space that it starts from
  bool is_linear = false;  // the result is light
  std::function<void(float* pixels, std::size_t count)> convert = nullptr;  // of three values
};

// Memory that the module's libraries take once they are loaded, in bytes.
inline constexpr double image_module_memory = 140 << 20;

struct ImageModule {
  const char* version;      // of the build; other modules are refused
  const char* openimageio;  // version of OpenImageIO
  // Opens a file; `format` is OpenImageIO's name. The descriptor must stay open as long as the
  // reader. A "pdf" has no reader, only texts in the header.
  ModuleError (*open)(int descriptor, const std::string& format, EmbeddedProfile profile,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header) noexcept;
  ModuleError (*encode)(const Image& image, const ImageEncoding& how, std::string& bytes,
                        const ImageProgress& progress) noexcept;
  // Writes into an open file. Stops if `rows` returns an image without channels.
  ModuleError (*encode_rows)(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                             const ImageProgress& progress) noexcept;
  ModuleError (*write_pdf)(const PdfPage& page, std::string& bytes) noexcept;
  // Finds the conversion to a space of a configuration, from the first of `sources` that the
  // configuration names.
  ModuleError (*color_config)(const std::string& config, const std::string& space,
                              const std::vector<std::string>& sources,
                              ConfigConversion& found) noexcept;
  // Prepares a process that only decodes: OpenEXR starts no threads, whose stacks take memory. The
  // environment prevents threads of OpenImageIO before loading it.
  void (*prepare)() noexcept;
};

// The name of the module's one function, const ImageModule* dapple_image_module(), and the mark in
// modules of this version.
inline constexpr const char* image_module_symbol = "dapple_image_module";
#define DAPPLE_MODULE_MARK "dapple image module of version " DAPPLE_VERSION

// Returns the folders of the running program and of the binary that holds this code, each once.
std::vector<std::filesystem::path> own_folders();

// Return the module, opened at the first call, and its path. Both throw Error(internal), which
// lists the places searched or says why the module is not trusted. A build without modules throws
// Error(usage) instead, which names the format that needs it.
const ImageModule& image_module(std::string_view format);
std::string image_module_path();

// A module of this program: its file, its name in messages, the mark of its version, and the end of
// the sentence about a missing module.
struct ModuleFile {
  std::string file;
  std::string what;
  std::string mark;
  std::string missing;
};
// Returns the path of a module. Throws as image_module_path() does.
std::string trusted_module(const ModuleFile& module);
// Opens a module and returns the table that `entry`, its only function, returns. Throws
// Error(usage) if the module is missing or cannot be opened.
const void* open_table(const ModuleFile& module, const char* entry);

// The program beside the module that decodes untrusted files.
inline constexpr const char* decoder_name = "dapple-decode";

// Returns prefixes of environment variables that affect the module, its libraries or the loader:
// they load or configure unwanted code, or write to unexpected places.
std::span<const std::string_view> loading_variables();
// Removes these variables from the environment of this process. Call it before any thread starts.
void clear_environment();
// Returns the OpenColorIO configuration that the environment named (OCIO), or "".
const std::string& color_config_path();

}  // namespace dapple

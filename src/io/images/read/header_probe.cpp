// Defines the table of formats by their first bytes: first the formats that are always read, then
// those that must be allowed.
#include "io/images/read/header_probe.hpp"

#include <algorithm>
#include <array>

#include "dapple/image_files.hpp"
#include "io/images/read/netpbm.hpp"
#include "io/images/read/npy_image.hpp"
#include "io/images/read/texture_image.hpp"

namespace dapple {
namespace {

using namespace std::string_view_literals;

struct Format {
  const char* name;
  std::size_t at;  // offset of `bytes`
  std::string_view bytes;
  HeaderProbe (*probe)(const InputFile& file) = nullptr;  // null: only the name is known
  bool is_common = false;                                 // read without `allow-format`
  bool (*is)(const InputFile& file) = nullptr;            // test used instead of `bytes`
};

bool is_netpbm_file(const InputFile& file) {
  return is_netpbm(file.bytes(0, 16));
}

constexpr Format formats[] = {
    {"png", 0, "\x89PNG\r\n\x1a\n", probe_png, true},
    {"jpeg", 0, "\xff\xd8\xff", probe_jpeg, true},
    {"pnm", 0, "", probe_netpbm, true, is_netpbm_file},
    {"npy", 0, "\x93NUMPY", probe_npy, true},
    {"texture", 0, "", probe_texture, true, is_plain_dds},
    {"texture", 0, "\xabKTX 20\xbb\r\n\x1a\n", probe_texture, true},
    {"gif", 0, "GIF87a", probe_gif, true},
    {"gif", 0, "GIF89a", probe_gif, true},
    {"tiff", 0, "II*\0"sv, probe_tiff, true},
    {"tiff", 0, "MM\0*"sv, probe_tiff, true},
    {"tiff", 0, "II+\0"sv, probe_tiff, true},
    {"tiff", 0, "MM\0+"sv, probe_tiff, true},
    {"openexr", 0, "\x76\x2f\x31\x01", probe_exr, true},
    {"hdr", 0, "#?", probe_hdr, true},
    {"webp", 8, "WEBP", probe_webp, true},
    {"bmp", 0, "BM", probe_bmp, true},
    {"psd", 0, "8BPS", probe_psd},
    {"dicom", 128, "DICM"},
    {"dpx", 0, "SDPX"},
    {"dpx", 0, "XPDS"},
    {"cineon", 0, "\x80\x2a\x5f\xd7"},
    {"dds", 0, "DDS "},
    {"fits", 0, "SIMPLE  ="},
    {"heif", 4, "ftyphei", probe_heif},
    {"heif", 4, "ftypmif", probe_heif},
    {"heif", 4, "ftypavi", probe_heif},
    {"jxl", 0, "\xff\x0a"},
    {"jxl", 4, "JXL \r\n\x87\n"},
    {"ffmpeg", 4, "ftyp"},
    {"ffmpeg", 0, "\x1a\x45\xdf\xa3"},
    {"ffmpeg", 8, "AVI "},
    {"jpeg2000", 4, "jP  "},
    {"iff", 0, "FOR4"},
    {"sgi", 0, "\x01\xda"},
    {"softimage", 0, "\x53\x80\xf6\x34"},
    {"openvdb", 0, " BDV"},
    {"targa", 0, "", probe_targa, true, is_targa},  // last: it has no fixed first bytes
};

bool is_one(const InputFile& file, const Format& format) {
  if (format.is != nullptr) return format.is(file);
  return file.bytes(format.at, format.bytes.size()) == format.bytes;
}

}  // namespace

bool is_common(const std::string& name) {
  return std::any_of(std::begin(formats), std::end(formats),
                     [&](const Format& format) { return format.is_common && format.name == name; });
}

bool is_of_phones(const std::string& name) {
  return name == "heif";
}

std::span<const std::string_view> other_formats() {
  static constexpr std::array<std::string_view, 17> names{
      "cineon",   "dds",     "dicom", "dpx", "ffmpeg", "fits", "heif",      "ico",  "iff",
      "jpeg2000", "openvdb", "psd",   "raw", "rla",    "sgi",  "softimage", "zfile"};
  return names;
}

HeaderProbe probe_header(const InputFile& file) {
  const auto* const found =
      std::find_if(std::begin(formats), std::end(formats),
                   [&](const Format& format) { return is_one(file, format); });
  if (found == std::end(formats)) return {};
  return found->probe != nullptr ? found->probe(file) : HeaderProbe{found->name};
}

int count_pages(const InputFile& file, const std::string& format, int most) {
  return format == "tiff" ? tiff_pages(file, most) : format == "gif" ? gif_pictures(file, most) : 0;
}

int count_animation(const InputFile& file, const std::string& format, int most) {
  return format == "gif"    ? gif_pictures(file, most)
         : format == "webp" ? webp_frames(file, most)
         : format == "png"  ? png_frames(file)
                            : 0;
}

}  // namespace dapple

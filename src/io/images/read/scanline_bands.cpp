// Builds images from bands. The first band is read before the image is allocated, so that a short
// file that claims to be huge fails early.
#include "io/images/read/scanline_bands.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>

#include "io/images/formats.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {
namespace {

std::size_t value_bytes(const ImageHeader& header) {
  return bytes_of(header.values == PixelType::f16 ? PixelType::f32 : header.values);
}

// Returns true if the stored pixels include every pixel of the image.
bool covers(const ImageHeader& header) {
  return header.left <= 0 && header.top <= 0 && header.stored_width + header.left >= header.width &&
         header.stored_height + header.top >= header.height;
}

void take_row(const ImageHeader& header, const unsigned char* row, int y, Image& image) {
  const int x0 = std::clamp(-header.left, 0, header.stored_width);
  const int x1 = std::clamp(header.width - header.left, 0, header.stored_width);
  if (y < 0 || y >= header.height || x1 <= x0) return;
  const int n = header.channels;
  for (int c = 0; c < n; ++c) {
    float* to = image.channels[static_cast<std::size_t>(c)].row(y) + (x0 + header.left);
    const std::ptrdiff_t start = static_cast<std::ptrdiff_t>(x0) * n + c;
    if (header.values == PixelType::u8) {
      unpack_row(row + start, x1 - x0, n, to);
    } else if (header.values == PixelType::u16) {
      unpack_row(reinterpret_cast<const std::uint16_t*>(row) + start, x1 - x0, n, to);
    } else {
      unpack_row(reinterpret_cast<const float*>(row) + start, x1 - x0, n, to);
    }
  }
}

}  // namespace

std::size_t band_bytes(const ImageHeader& header) {
  constexpr int farthest = 1000000000;  // so that sums of coordinates do not overflow
  const bool sound = header.width > 0 && header.height > 0 && header.stored_width > 0 &&
                     header.stored_height > 0 && header.channels > 0 && header.band > 0 &&
                     header.band <= header.stored_height && header.stored_width < farthest &&
                     header.stored_height < farthest &&
                     header.names.size() == static_cast<std::size_t>(header.channels) &&
                     std::abs(1.0 * header.left) + std::abs(1.0 * header.top) < farthest;
  if (!sound) return 0;
  const double bytes = 1.0 * header.stored_width * header.channels * header.band *
                       static_cast<double>(value_bytes(header));
  // The limits apply to working_bytes, so a band must not exceed it.
  constexpr double countable = 1e15;
  if (!(bytes <= std::min(header.working_bytes, countable))) return 0;
  return static_cast<std::size_t>(bytes);
}

ModuleError BandedImage::read(Image& image, const ImageProgress& progress) noexcept try {
  std::vector<unsigned char> rows(band_bytes(header_));
  if (rows.empty()) return {ErrorKind::input, "holds an image without pixels"};
  const std::size_t row_bytes = rows.size() / static_cast<std::size_t>(header_.band);
  for (int first = 0; first < header_.stored_height; first += header_.band) {
    if (!progress(1.0 * first / header_.stored_height)) return stopped();
    if (ModuleError error = bands_->band(first, rows.data()); !error.text.empty()) return error;
    if (first == 0) {
      for (int c = 0; c < header_.channels; ++c) {
        image.channels.push_back(covers(header_)
                                     ? Plane<float>::unset(header_.width, header_.height)
                                     : Plane<float>(header_.width, header_.height));
      }
    }
    for (int row = 0; row < std::min(header_.band, header_.stored_height - first); ++row) {
      // The system allocates memory on first use, which takes longer than copying the rows.
      if (row % 8 == 0 && !progress(1.0 * (first + row) / header_.stored_height)) return stopped();
      take_row(header_, rows.data() + static_cast<std::size_t>(row) * row_bytes,
               first + row + header_.top, image);
    }
  }
  for (Plane<float>& plane : image.channels) {
    if (!turn_upright(plane, header_.orientation, progress)) return stopped();
  }
  image.names = header_.names;
  image.metadata = header_.metadata;
  image.encoding = header_.encoding;
  image.type = header_.type;
  if (header_.premultiplied && !unpremultiply(image, progress)) return stopped();
  return {};
} catch (...) {
  return caught_error();
}

ModuleError open_in_process(int descriptor, const std::string& format, EmbeddedProfile profile,
                            std::unique_ptr<ImageReader>& reader, ImageHeader& header) {
  std::unique_ptr<BandReader> bands;
  ModuleError error = image_module(format).open(descriptor, format, profile, bands, header);
  if (error.text.empty()) reader = std::make_unique<BandedImage>(std::move(bands), header);
  return error;
}

}  // namespace dapple

// Encodes each frame as a PNG file by libpng and moves its chunks of pixels into the animation. The
// still picture comes first and is not a frame.
#include "io/images/animated_png.hpp"

#include <algorithm>
#include <libdeflate.h>
#include <string_view>

#include "dapple/error.hpp"
#include "io/images/png_file.hpp"
#include "io/points/format.hpp"

namespace dapple {

void put_big_endian(std::string& bytes, std::uint32_t number, int count) {
  for (int i = count - 1; i >= 0; --i) bytes += static_cast<char>(number >> (8 * i) & 255);
}

void put_png_chunk(std::string& bytes, std::string_view name, std::string_view data) {
  put_big_endian(bytes, static_cast<std::uint32_t>(data.size()), 4);
  const std::size_t start = bytes.size();
  bytes += name;
  bytes += data;
  put_big_endian(bytes, libdeflate_crc32(0, bytes.data() + start, bytes.size() - start), 4);
}

namespace {

constexpr std::size_t signature = 8;

// Calls visit(type, data, chunk) for each chunk of a file that Dapple wrote.
template <class Visit>
void for_chunks(std::string_view file, Visit&& visit) {
  for (std::size_t at = signature; at < file.size();) {
    const auto size = static_cast<std::size_t>(bits_of(file.substr(at, 4), true));
    visit(file.substr(at + 4, 4), file.substr(at + 8, size), file.substr(at, size + 12));
    at += size + 12;
  }
}

class Animation {
 public:
  explicit Animation(const Movie& movie) : movie_(movie) {
    header_.width = movie.width;
    header_.height = movie.height;
    header_.color_type = PNG_COLOR_TYPE_PALETTE;
    header_.level = 7;
    // Index 0 stands for unchanged pixels.
    header_.palette.push_back({});
    header_.alpha.push_back(0);
    for (const auto& [r, g, b] : movie.palette) header_.palette.push_back({r, g, b});
    changed_.resize(movie.frames.front().size());
  }

  std::string run() {
    std::string file;
    const std::string still = encoded(movie_.frames.back(), nullptr);
    file = still.substr(0, signature);
    bool counted = false;
    for_chunks(still, [&](std::string_view type, std::string_view, std::string_view chunk) {
      if (type == "IDAT" && !counted) {
        std::string control;
        put_big_endian(control, static_cast<std::uint32_t>(movie_.frames.size()), 4);
        put_big_endian(control, 0, 4);  // number of repeats; 0: endless
        put_png_chunk(file, "acTL", control);
        counted = true;
      }
      if (type != "IEND") file += chunk;
    });
    for (std::size_t f = 0; f < movie_.frames.size(); ++f) {
      put_frame(file, movie_.frames[f], f == 0 ? nullptr : &movie_.frames[f - 1],
                f + 1 == movie_.frames.size());
    }
    put_png_chunk(file, "IEND", {});
    return file;
  }

 private:
  std::string encoded(const std::vector<std::uint8_t>& frame,
                      const std::vector<std::uint8_t>* before) {
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const bool same = before != nullptr && (*before)[i] == frame[i];
      changed_[i] = same ? 0 : static_cast<png_byte>(frame[i] + 1);
    }
    std::string bytes;
    const ModuleError error = write_png(
        header_,
        [&](int y) {
          return changed_.data() +
                 static_cast<std::size_t>(y) * static_cast<std::size_t>(movie_.width);
        },
        [&](std::string_view more) {
          bytes += more;
          return 0;
        });
    if (!error.text.empty()) throw Error(error.kind, error.text);
    return bytes;
  }

  void put_frame(std::string& file, const std::vector<std::uint8_t>& frame,
                 const std::vector<std::uint8_t>* before, bool last) {
    std::string control;
    put_big_endian(control, sequence_++, 4);
    put_big_endian(control, static_cast<std::uint32_t>(movie_.width), 4);
    put_big_endian(control, static_cast<std::uint32_t>(movie_.height), 4);
    put_big_endian(control, 0, 4);  // left edge
    put_big_endian(control, 0, 4);  // top edge
    put_big_endian(
        control, static_cast<std::uint32_t>(last ? movie_.last_milliseconds : movie_.milliseconds),
        2);
    put_big_endian(control, 1000, 2);
    put_big_endian(control, 0, 1);                          // dispose: keep the frame
    put_big_endian(control, before == nullptr ? 0 : 1, 1);  // blend: replace, or draw over
    put_png_chunk(file, "fcTL", control);
    for_chunks(encoded(frame, before),
               [&](std::string_view type, std::string_view data, std::string_view) {
                 if (type != "IDAT") return;
                 std::string numbered;
                 put_big_endian(numbered, sequence_++, 4);
                 numbered += data;
                 put_png_chunk(file, "fdAT", numbered);
               });
  }

  const Movie& movie_;
  PngHeader header_;
  std::vector<png_byte> changed_;
  std::uint32_t sequence_ = 0;
};

}  // namespace

std::string encode_animated_png(const Movie& movie) {
  const std::size_t size = static_cast<std::size_t>(std::max(0, movie.width)) *
                           static_cast<std::size_t>(std::max(0, movie.height));
  const bool whole = std::all_of(movie.frames.begin(), movie.frames.end(), [&](const auto& frame) {
    return frame.size() == size && std::all_of(frame.begin(), frame.end(), [&](std::uint8_t index) {
             return index < movie.palette.size();
           });
  });
  if (size == 0 || movie.frames.empty() || movie.palette.size() > 255 || !whole) {
    throw Error(ErrorKind::usage,
                "all frames of an animation must have the same size and use its palette of at most "
                "255 colors");
  }
  return Animation(movie).run();
}

}  // namespace dapple

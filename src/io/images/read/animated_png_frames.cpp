// Reads the frames of an animated PNG (PNG specification, third edition, 2025). Each frame is
// decoded as a PNG file of its own: the chunks before the pixels, with the frame's size, and its
// data as IDAT. Only the first frame brings texts and profiles, which may be large. Frames are
// composited as browsers show them.
#include <algorithm>
#include <array>
#include <vector>

#include "draw/frame_sequence.hpp"
#include "io/images/png_file.hpp"
#include "io/images/read/format_probes.hpp"

namespace dapple {
namespace {

constexpr std::size_t signature = 8;
constexpr std::size_t around = 12;  // length, name and checksum of a chunk

// A rectangle of the canvas, and how to draw and remove it.
struct FrameControl {
  int width = 0, height = 0, left = 0, top = 0;
  int dispose = 0;  // 0: keep; 1: clear; 2: restore
  std::uint64_t milliseconds = 0;
  bool over = false;
  struct Data {
    std::uint64_t at;
    std::size_t size;
  };
  std::vector<Data> data = {};  // without sequence numbers
};

class AnimatedPng final : public ImageReader {
 public:
  AnimatedPng(const InputFile& file, std::unique_ptr<ImageReader> still, ImageHeader header)
      : file_(file), still_(std::move(still)), header_(std::move(header)) {}

  ModuleError count(int& frames) noexcept override try {
    find_frames();
    frames = std::max(static_cast<int>(frames_.size()), 1);
    if (!problem_.empty()) return {ErrorKind::input, "is damaged or incomplete: " + problem_};
    composites_ = !frames_.empty();
    return {};
  } catch (...) {
    return caught_error();
  }

  ModuleError seek(int frame, ImageHeader& header) noexcept override try {
    wanted_ = frame;
    header = header_;
    if (frame > 0 || frames_.size() < 2) return {};  // once per file, since it has all frames
    std::string durations;
    for (const FrameControl& one : frames_) {
      durations += (durations.empty() ? "" : " ") + std::to_string(one.milliseconds);
    }
    header.metadata.emplace_back(durations_key, std::move(durations));
    return {};
  } catch (...) {
    return caught_error();
  }

  ModuleError read(Image& image, const ImageProgress& progress) noexcept override try {
    if (!composites_) return still_->read(image, progress);
    if (wanted_ < next_) next_ = 0;
    while (next_ <= wanted_) {
      if (!progress(0)) return stopped();
      if (ModuleError error = compose(next_); !error.text.empty()) {
        error.text =
            "is damaged or incomplete from frame " + std::to_string(next_) + " on: " + error.text;
        return error;
      }
      ++next_;
    }
    image = canvas_;
    return {};
  } catch (...) {
    return caught_error();
  }

 private:
  // Lists the frames and the chunks before the pixels. Stops at the first wrong chunk.
  void find_frames() {
    frames_.clear();
    head_.clear();
    colors_.clear();
    bool has_pixels = false;
    for (std::uint64_t at = signature; at + around <= file_.size();) {
      const std::uint64_t size = file_.number(at, 4, true);
      const std::string name(file_.bytes(at + 4, 4));
      const std::uint64_t data = at + 8;
      if (size + around > file_.size() - at) {
        problem_ = "it ends within a chunk";
        return;
      }
      if (name == "fcTL") {
        const auto field = [&](std::uint64_t offset) {
          return static_cast<int>(
              std::min<std::uint64_t>(file_.number(data + offset, 4, true), 1u << 30));
        };
        FrameControl frame{field(4), field(8), field(12), field(16)};
        frame.dispose = static_cast<int>(file_.number(data + 24, 1));
        frame.over = file_.number(data + 25, 1) == 1;
        const std::uint64_t parts = file_.number(data + 22, 2, true);  // of a second; 0: 100
        frame.milliseconds = 1000 * file_.number(data + 20, 2, true) / (parts == 0 ? 100 : parts);
        if (frame.width < 1 || frame.height < 1 || frame.left > header_.width - frame.width ||
            frame.top > header_.height - frame.height) {
          problem_ = "frame " + std::to_string(frames_.size()) + " leaves the picture";
          return;
        }
        frames_.push_back(std::move(frame));
      } else if (name == "IDAT" || name == "fdAT") {
        const std::uint64_t skipped = name == "fdAT" ? 4 : 0;  // the sequence number
        has_pixels = true;
        if (!frames_.empty() && size >= skipped) {
          frames_.back().data.push_back({data + skipped, static_cast<std::size_t>(size - skipped)});
        }
      } else if (name == "IEND") {
        std::erase_if(frames_, [](const FrameControl& frame) { return frame.data.empty(); });
        return;
      } else if (!has_pixels && name != "acTL" && name != "IHDR") {
        const std::string_view chunk = file_.bytes(at, static_cast<std::size_t>(size + around));
        head_ += chunk;
        if (name == "PLTE" || name == "tRNS") colors_ += chunk;
      }
      at += size + around;
    }
    problem_ = "it has no end";
  }

  // Decodes a frame from its data and the chunks before them.
  ModuleError decode(const FrameControl& frame, const std::string& head, Image& image) const {
    std::string bytes(file_.bytes(0, signature));
    std::string header;
    put_big_endian(header, static_cast<std::uint32_t>(frame.width), 4);
    put_big_endian(header, static_cast<std::uint32_t>(frame.height), 4);
    header += file_.bytes(signature + 16, 5);
    put_png_chunk(bytes, "IHDR", header);
    bytes += head;
    for (const FrameControl::Data& part : frame.data) {
      put_png_chunk(bytes, "IDAT", file_.bytes(part.at, part.size));
    }
    put_png_chunk(bytes, "IEND", {});
    std::unique_ptr<ImageReader> reader;
    ImageHeader found;
    if (ModuleError error = open_png_bytes(std::move(bytes), reader, found); !error.text.empty()) {
      return error;
    }
    return reader->read(image, [](double) { return true; });
  }

  // Removes the frame before and draws frame `index` on the canvas.
  ModuleError compose(int index) {
    const FrameControl& frame = frames_[static_cast<std::size_t>(index)];
    Image drawn;
    const std::string& head = index == 0 ? head_ : colors_;
    if (ModuleError error = decode(frame, head, drawn); !error.text.empty()) return error;
    if (drawn.find("A") < 0) {
      drawn.channels.emplace_back(frame.width, frame.height, 1.0f);
      drawn.names.emplace_back("A");
    }
    if (index == 0) {
      canvas_ = drawn;
      for (auto& plane : canvas_.channels) plane = Plane<float>(header_.width, header_.height);
      before_ = {};
    } else {
      const FrameControl& last = frames_[static_cast<std::size_t>(index - 1)];
      // There is nothing to restore before the first frame, which is cleared instead.
      const bool restores = last.dispose == 2 && index > 1;
      if (restores) canvas_.channels = before_;
      if (last.dispose == 1 || (last.dispose == 2 && !restores)) {
        for (auto& plane : canvas_.channels) {
          for (int y = last.top; y < last.top + last.height; ++y) {
            std::fill_n(plane.row(y) + last.left, last.width, 0.0f);
          }
        }
      }
    }
    if (frame.dispose == 2) before_ = canvas_.channels;
    draw(drawn, frame);
    return {};
  }

  void draw(const Image& drawn, const FrameControl& frame) {
    const std::size_t colors = drawn.channels.size() - 1;
    for (int y = 0; y < frame.height; ++y) {
      const float* const alpha = drawn.channels[colors].row(y);
      float* const below = canvas_.channels[colors].row(frame.top + y) + frame.left;
      for (int x = 0; x < frame.width; ++x) {
        const float a = frame.over ? alpha[x] : 1;  // without `over`, pixels replace the canvas
        const float kept = below[x] * (1 - a);
        const float whole = a + kept;
        for (std::size_t c = 0; c < colors; ++c) {
          float& to = canvas_.channels[c].row(frame.top + y)[frame.left + x];
          const float from = drawn.channels[c].row(y)[x];
          to = kept <= 0 ? (a > 0 ? from : to) : (from * a + to * kept) / whole;
        }
        below[x] = frame.over ? whole : alpha[x];
      }
    }
  }

  const InputFile& file_;
  std::unique_ptr<ImageReader> still_;  // the picture for programs without animation
  ImageHeader header_;
  bool composites_ = false;
  std::string head_;    // chunks before the pixels, except IHDR and acTL
  std::string colors_;  // those of them that change pixels: the palette and its alpha
  std::vector<FrameControl> frames_;
  std::string problem_;
  int wanted_ = 0;
  int next_ = 0;  // the next frame to draw
  Image canvas_;
  std::vector<Plane<float>> before_;  // the canvas before a frame that will be removed
};

}  // namespace

std::unique_ptr<ImageReader> with_frames(const InputFile& file, std::unique_ptr<ImageReader> still,
                                         ImageHeader& header) {
  if (png_frames(file) < 2) return still;
  // The canvas, the canvas before, and the frame.
  header.working_bytes +=
      3.0 * sizeof(float) * (header.channels + 1) * header.width * header.height;
  return std::make_unique<AnimatedPng>(file, std::move(still), header);
}

}  // namespace dapple

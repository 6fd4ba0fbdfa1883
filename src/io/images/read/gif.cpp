// Reads GIF by giflib inside the image module. OpenImageIO composites animations wrongly: it
// ignores the disposal `restore to previous`, and clears the whole picture for `restore to
// background`.
#include <algorithm>
#include <array>
#include <cstdio>
#include <gif_lib.h>
#include <span>
#include <string>
#include <vector>

#include "draw/frame_sequence.hpp"
#include "io/images/read/decode.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {
namespace {

constexpr int rgba = 4;
constexpr int most_frames = 1 << 20;
constexpr int band_rows = 256;

int read_bytes(GifFileType* gif, GifByteType* bytes, int count) {
  auto* const file = static_cast<std::FILE*>(gif->UserData);
  return static_cast<int>(std::fread(bytes, 1, static_cast<std::size_t>(count), file));
}

struct CloseGif {
  void operator()(GifFileType* gif) const { DGifCloseFile(gif, nullptr); }
};

struct GifRect {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

class GifReader final : public BandReader {
 public:
  explicit GifReader(int descriptor) : descriptor_(descriptor) {}

  // Opens the file from its start, before the first frame.
  ModuleError start() {
    gif_ = nullptr;
    file_ = stream_of(descriptor_);
    if (file_ == nullptr) return no_memory();
    int code = 0;
    gif_.reset(DGifOpen(file_.get(), read_bytes, &code));
    if (gif_ == nullptr) return {ErrorKind::input, "cannot be read as an image: " + reason(code)};
    if (gif_->SWidth < 1 || gif_->SHeight < 1) {
      return {ErrorKind::input, "holds an image without pixels"};
    }
    canvas_.assign(
        static_cast<std::size_t>(gif_->SWidth) * static_cast<std::size_t>(gif_->SHeight) * rgba, 0);
    frame_ = -1;
    control_ = {};
    rect_ = {};
    return {};
  }

  ModuleError count(int& frames) noexcept override {
    return guarded([&]() -> ModuleError {
      if (ModuleError error = start(); !error.text.empty()) return error;
      frames = 0;
      durations_.clear();
      while (frames < most_frames) {
        if (ModuleError error = next_image(); !error.text.empty()) {
          if (!at_end_) ++frames;  // reading this frame tells what is wrong
          break;
        }
        if (frames == 0 && !covers_canvas()) channels_ = rgba;
        const bool clears = control_.DisposalMode == DISPOSE_BACKGROUND;
        if (clears || control_.TransparentColor != NO_TRANSPARENT_COLOR) channels_ = rgba;
        ++frames;
        constexpr int milliseconds = 10;  // the unit of GIF
        durations_ += (frames > 1 ? " " : "") + std::to_string(milliseconds * control_.DelayTime);
        if (!skip_pixels()) break;
      }
      if (frames < 2) durations_.clear();
      frames = std::max(frames, 1);
      if (ModuleError error = start(); !error.text.empty()) return error;
      ImageHeader header;
      return seek(0, header);
    });
  }

  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    return guarded([&]() -> ModuleError {
      if (frame < frame_) {
        if (ModuleError error = start(); !error.text.empty()) return error;
      }
      while (frame_ < frame) {
        if (ModuleError error = compose_next(); !error.text.empty()) {
          const int failed = frame_ + 1;
          const std::string from =
              failed > 0 ? " from frame " + std::to_string(failed) + " on" : "";
          return {ErrorKind::input, "is damaged or incomplete" + from + ": " + error.text};
        }
      }
      header = {};
      header.format = "gif";
      header.width = header.stored_width = gif_->SWidth;
      header.height = header.stored_height = gif_->SHeight;
      header.channels = channels_;
      header.names = {"R", "G", "B"};
      if (channels_ == rgba) header.names.emplace_back("A");
      header.type = header.values = PixelType::u8;
      header.band = std::min(band_rows, gif_->SHeight);
      header.stored_bytes = static_cast<double>(canvas_.size());
      // Once per file, since it has all frames.
      if (frame == 0 && !durations_.empty())
        header.metadata.emplace_back(durations_key, durations_);
      header.working_bytes = image_module_memory + 2.0 * static_cast<double>(canvas_.size());
      return {};
    });
  }

  ModuleError band(int first, void* rows) noexcept override {
    if (first < 0 || first >= gif_->SHeight) {
      return {ErrorKind::input, "has no row " + std::to_string(first)};
    }
    const int last = std::min(first + band_rows, gif_->SHeight);
    auto* to = static_cast<GifByteType*>(rows);
    for (std::size_t i = at(0, first); i < at(0, last); i += rgba) {
      to = std::copy_n(canvas_.data() + i, channels_, to);
    }
    return {};
  }

 private:
  static std::string reason(int code) {
    const char* const text = GifErrorString(code);
    return text == nullptr ? "it ends early" : first_line(text);
  }
  ModuleError failure() const { return {ErrorKind::input, reason(gif_->Error)}; }

  // Moves to the pixels of the next image and takes what applies to it.
  ModuleError next_image() {
    control_ = {};
    control_.TransparentColor = NO_TRANSPARENT_COLOR;
    at_end_ = true;
    for (;; at_end_ = false) {
      GifRecordType type = UNDEFINED_RECORD_TYPE;
      // Some files lack the trailer.
      if (DGifGetRecordType(gif_.get(), &type) == GIF_ERROR) return failure();
      if (type == TERMINATE_RECORD_TYPE) {
        at_end_ = true;
        return {ErrorKind::input, "it has no more frames"};
      }
      at_end_ = false;
      if (type == IMAGE_DESC_RECORD_TYPE) {
        return DGifGetImageHeader(gif_.get()) == GIF_ERROR ? failure() : ModuleError{};
      }
      if (type != EXTENSION_RECORD_TYPE) continue;
      int code = 0;
      GifByteType* block = nullptr;  // its first byte is its length
      if (DGifGetExtension(gif_.get(), &code, &block) == GIF_ERROR) return failure();
      if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr) {
        DGifExtensionToGCB(block[0], block + 1, &control_);
      }
      while (block != nullptr) {
        if (DGifGetExtensionNext(gif_.get(), &block) == GIF_ERROR) return failure();
      }
    }
  }

  bool skip_pixels() {
    int size = 0;
    GifByteType* block = nullptr;
    if (DGifGetCode(gif_.get(), &size, &block) == GIF_ERROR) return false;
    while (block != nullptr) {
      if (DGifGetCodeNext(gif_.get(), &block) == GIF_ERROR) return false;
    }
    return true;
  }

  bool covers_canvas() const {
    const GifImageDesc& image = gif_->Image;
    return image.Left == 0 && image.Top == 0 && image.Width >= gif_->SWidth &&
           image.Height >= gif_->SHeight;
  }

  // Calls use(pixels) for the rows of the canvas within a rectangle.
  template <class Use>
  void for_rows(const GifRect& rect, Use&& use) {
    const int left = std::clamp(rect.left, 0, gif_->SWidth);
    const int right = std::clamp(rect.left + rect.width, left, gif_->SWidth);
    const int bottom = std::min(rect.top + rect.height, gif_->SHeight);
    for (int y = std::max(rect.top, 0); y < bottom; ++y) {
      GifByteType* const row = canvas_.data() + at(0, y);
      use(std::span(row + rgba * left, row + rgba * right));
    }
  }
  std::size_t at(int x, int y) const {
    return rgba * (static_cast<std::size_t>(y) * static_cast<std::size_t>(gif_->SWidth) +
                   static_cast<std::size_t>(x));
  }

  // Removes the last image as its disposal asks.
  void dispose() {
    if (control_.DisposalMode == DISPOSE_BACKGROUND) {
      for_rows(rect_, [](std::span<GifByteType> row) { std::fill(row.begin(), row.end(), 0); });
    } else if (control_.DisposalMode == DISPOSE_PREVIOUS && !before_.empty()) {
      canvas_ = before_;
    }
  }

  ModuleError compose_next() {
    dispose();
    if (ModuleError error = next_image(); !error.text.empty()) return error;
    const GifImageDesc& image = gif_->Image;
    rect_ = {image.Left, image.Top, image.Width, image.Height};
    if (control_.DisposalMode == DISPOSE_PREVIOUS) before_ = canvas_;
    const ColorMapObject* const colors =
        image.ColorMap != nullptr ? image.ColorMap : gif_->SColorMap;
    std::vector<GifPixelType> line(static_cast<std::size_t>(std::max(image.Width, 1)));
    struct Pass {
      int first, step;
    };
    static constexpr std::array<Pass, 4> interlaced{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    static constexpr std::array<Pass, 1> plain{{{0, 1}}};
    const std::span<const Pass> passes =
        image.Interlace ? std::span<const Pass>(interlaced) : std::span<const Pass>(plain);
    for (const Pass& pass : passes) {
      for (int y = pass.first; y < image.Height; y += pass.step) {
        if (DGifGetLine(gif_.get(), line.data(), image.Width) == GIF_ERROR) return failure();
        if (colors != nullptr) draw_line(line, image.Top + y, *colors);
      }
    }
    ++frame_;
    return {};
  }

  void draw_line(const std::vector<GifPixelType>& line, int y, const ColorMapObject& colors) {
    if (y >= gif_->SHeight) return;
    const int end = std::min(rect_.width, gif_->SWidth - rect_.left);
    for (int x = 0; x < end; ++x) {
      const int index = line[static_cast<std::size_t>(x)];
      if (index == control_.TransparentColor || index >= colors.ColorCount) continue;
      const GifColorType& color = colors.Colors[index];
      GifByteType* const pixel = canvas_.data() + at(rect_.left + x, y);
      pixel[0] = color.Red;
      pixel[1] = color.Green;
      pixel[2] = color.Blue;
      pixel[3] = 255;
    }
  }

  int descriptor_;
  FileStream file_{nullptr, std::fclose};  // outlives its reader
  std::unique_ptr<GifFileType, CloseGif> gif_;
  std::vector<GifByteType> canvas_;  // RGBA
  std::vector<GifByteType> before_;  // the canvas before an image that will be removed
  std::string durations_;            // of several frames
  int channels_ = 3;                 // 4 if any pixel of a frame may be transparent
  bool at_end_ = false;              // no image has begun behind the last
  int frame_ = -1;                   // on the canvas
  GraphicsControlBlock control_{};   // of that frame
  GifRect rect_;
};

}  // namespace

ModuleError open_gif(int descriptor, std::unique_ptr<BandReader>& reader, ImageHeader& header) {
  auto gif = std::make_unique<GifReader>(descriptor);
  int frames = 0;
  if (ModuleError error = gif->count(frames); !error.text.empty()) return error;
  if (ModuleError error = gif->seek(0, header); !error.text.empty()) return error;
  reader = std::move(gif);
  return {};
}

}  // namespace dapple

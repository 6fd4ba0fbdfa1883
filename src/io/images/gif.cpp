// Writes GIF by giflib inside the image module: OpenImageIO would choose other colors. Slices are
// frames of an animation that runs forever.
#include <algorithm>
#include <gif_lib.h>
#include <memory>

#include "core/text/number_text.hpp"
#include "draw/frame_sequence.hpp"
#include "io/images/parts.hpp"

namespace dapple {
namespace {

// Returns the duration of each frame in hundredths of a second: as its texts say, otherwise for 25
// frames per second.
std::vector<int> durations_of(const Image& image) {
  std::vector<int> durations(static_cast<std::size_t>(image.slices), 4);
  for (const auto& [key, text] : image.metadata) {
    if (key != durations_key) continue;
    std::string_view rest = text;
    for (int& duration : durations) {
      int milliseconds = 0;
      if (take_number(rest, milliseconds) != std::errc()) break;
      duration = std::clamp(milliseconds, 0, 655350) / 10;
      if (!rest.empty()) rest.remove_prefix(1);  // the blank
    }
  }
  return durations;
}

int append(GifFileType* gif, const GifByteType* bytes, int count) {
  auto* const to = static_cast<std::string*>(gif->UserData);
  try {
    to->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return count;
}

struct CloseGif {
  void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};
struct FreeColors {
  void operator()(ColorMapObject* colors) const { GifFreeMapObject(colors); }
};

// Writes the extension that programs take for an animation without end.
bool put_loop(GifFileType* gif) {
  constexpr GifByteType forever[]{1, 0, 0};
  return EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(gif, 3, forever) == GIF_OK && EGifPutExtensionTrailer(gif) == GIF_OK;
}

bool put_delay(GifFileType* gif, int hundredths) {
  const GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
  GifByteType bytes[4];
  const auto count = static_cast<int>(EGifGCBToExtension(&control, bytes));
  return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, count, bytes) == GIF_OK;
}

}  // namespace

ModuleError encode_gif(const Image& image, std::string& bytes, const ImageProgress& progress) {
  const auto& palette = image.hints.palette;
  const int width = image.width();
  const int height = image.slice_height();
  const int bits = std::max(1, GifBitSize(static_cast<int>(palette.size())));
  int code = 0;
  std::unique_ptr<GifFileType, CloseGif> gif(EGifOpen(&bytes, append, &code));
  const std::unique_ptr<ColorMapObject, FreeColors> colors(GifMakeMapObject(1 << bits, nullptr));
  if (gif == nullptr || colors == nullptr) return no_memory();
  for (std::size_t i = 0; i < palette.size(); ++i) {
    colors->Colors[i] = {palette[i][0], palette[i][1], palette[i][2]};
  }
  const auto failure = [&]() -> ModuleError {
    const char* const why = GifErrorString(gif->Error);
    return {ErrorKind::output,
            "cannot be encoded as gif: " + std::string(why != nullptr ? why : "out of memory")};
  };
  EGifSetGifVersion(gif.get(), true);
  if (EGifPutScreenDesc(gif.get(), width, height, bits, 0, colors.get()) != GIF_OK ||
      (image.slices > 1 && !put_loop(gif.get()))) {
    return failure();
  }
  const std::vector<int> durations = durations_of(image);
  std::vector<GifPixelType> row(static_cast<std::size_t>(width));
  for (int y = 0; y < image.height(); ++y) {
    if (y % 64 == 0 && !progress(1.0 * y / image.height())) return stopped();
    if (y % height == 0 &&
        ((image.slices > 1 &&
          !put_delay(gif.get(), durations[static_cast<std::size_t>(y / height)])) ||
         EGifPutImageDesc(gif.get(), 0, 0, width, height, false, nullptr) != GIF_OK)) {
      return failure();
    }
    const float* const indices = image.channels[0].row(y);
    std::transform(indices, indices + width, row.begin(),
                   [](float index) { return static_cast<GifPixelType>(index); });
    if (EGifPutLine(gif.get(), row.data(), width) != GIF_OK) return failure();
  }
  if (EGifCloseFile(gif.release(), &code) != GIF_OK) {
    return {ErrorKind::output, "cannot be encoded as gif"};
  }
  return {};
}

}  // namespace dapple

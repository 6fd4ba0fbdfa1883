// into_own_memory: stipples a photo in the program's memory without a copy, and draws the dots into
// a window of the program's own screen.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <dapple/dapple.hpp>

int main() {
  using Byte = std::uint8_t;
  // A photo as from a camera: RGB, rows padded to 1024 bytes. It shows a sun over the sea.
  constexpr int width = 240, height = 160, row = 1024;
  std::vector<Byte> camera(row * height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int dx = x - 150, dy = y - 60;
      const bool sun = dx * dx + dy * dy < 40 * 40;
      Byte* pixel = &camera[static_cast<std::size_t>(y * row + 3 * x)];
      pixel[0] = static_cast<Byte>(sun ? 255 : 60 + y);
      pixel[1] = static_cast<Byte>(sun ? 240 : 80 + y / 2);
      pixel[2] = static_cast<Byte>(y > 100 ? 110 : 140);
    }
  }
  // A screen of RGBA; the drawing goes into a window of it.
  constexpr int screen_width = 800, screen_height = 600;
  std::vector<Byte> screen(4 * screen_width * screen_height, Byte{32});
  constexpr int left = 100, top = 50, shown_width = 600, shown_height = 400;

  try {
    dapple::Context context;
    const auto photo = dapple::ImageView::interleaved<Byte>(
        dapple::view_of<Byte>(camera, 3 * width, height, row), 3, dapple::Encoding::srgb);
    dapple::PictureOptions map;
    dapple::StippleOptions options;
    options.dots = 3000;
    const dapple::Stippling made = dapple::stipple(photo, map, options, context);

    const auto window =
        dapple::view_of<Byte>(std::span(screen).subspan(4 * (top * screen_width + left)),
                              4 * shown_width, shown_height, 4 * screen_width);
    dapple::rasterize(made.drawing, dapple::ImageTarget::interleaved(window, 4), context);

    std::printf("%zu dots; a pixel of the window has alpha %d, one beside it %d\n",
                made.dots.size(), screen[4 * (60 * screen_width + 300) + 3],
                screen[4 * (60 * screen_width + 50) + 3]);
    return screen[4 * (60 * screen_width + 300) + 3] == 255 ? 0 : 1;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

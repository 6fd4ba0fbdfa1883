// Drawings of dots smaller than pixels, as other programs show them: even, without seams, and about
// as dark as their ink. Of the programs below those that there are.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

class Viewers : public test::ProgramTest {
 protected:
  static constexpr int side = 250;  // pixels; 1.6 dots each

  // False where the program is not there.
  bool shows(std::vector<std::string> words) const {
    words[0] = "/usr/bin/" + words[0];
    if (!std::filesystem::exists(words[0])) return false;
    const test::Outcome outcome = test::run_process(words, folder.path());
    EXPECT_EQ(outcome.code, 0) << words[0] << ' ' << outcome.err;
    return outcome.code == 0;
  }

  // In levels of 255: how much lighter theirs is than the ink, and how far blocks of 5 pixels are
  // off beyond that (rms).
  struct Off {
    double mean = 0;
    double rms = 0;
  };
  Off off(const std::string& name) const {
    const Image ours = read_image((folder / "own.png").string(), Limits{});
    const Image theirs = read_image((folder / name).string(), Limits{});
    constexpr int block = 5;
    Off all;
    double squares = 0;
    int blocks = 0;
    // Without the rim, which viewers place by half a pixel as they like.
    for (int y = block; y + 2 * block <= side; y += block) {
      for (int x = block; x + 2 * block <= side; x += block) {
        double sum = 0;
        for (int j = y; j < y + block; ++j) {
          for (int i = x; i < x + block; ++i) {
            // Coverage is blended in linear light here and in encoded values there.
            sum += static_cast<double>(theirs.channels[0](i, j)) -
                   static_cast<double>(srgb_to_linear(ours.channels[0](i, j)));
          }
        }
        const double level = 255 * sum / (block * block);
        all.mean += level;
        squares += level * level;
        ++blocks;
      }
    }
    all.mean /= blocks;
    all.rms = std::sqrt(squares / blocks - all.mean * all.mean);
    return all;
  }
};

TEST_F(Viewers, ShowNoSeamsBetweenDotsBelowAPixel) {
  folder.write("even.pgm", "P5\n400 400\n255\n" + std::string(std::size_t{400} * 400, '\x7f'));
  const std::string pixels = std::to_string(side);
  good({"stipple", "even.pgm", "--contrast", "none", "--dots", "100000", "--size",
        pixels + "x" + pixels, "-o", "own.svg", "-o", "own.pdf", "-o", "own.png", "-q"});
  struct Viewer {
    std::vector<std::string> words;
    double mean;  // at most
    double rms;
  };
  // Paths of 2,000 dots have an rms of 1.40 and paths of 20,000 one of 1.11 in the first two, one
  // path .96; a page with all dots in one path has a mean of -88 in pdftoppm, and of -124 in
  // pdftocairo, which draw no line narrower than a pixel.
  const std::vector<Viewer> viewers{
      {{"rsvg-convert", "-w", pixels, "own.svg", "-o", "shown.png"}, 16, 1.04},
      {{"inkscape", "-w", pixels, "own.svg", "-o", "shown.png"}, 16, 1.04},
      {{"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--force-device-scale-factor=1", "--window-size=" + pixels + "," + pixels,
        "--screenshot=shown.png", "scaled.svg"},
       30,
       2.2},
      {{"pdftoppm", "-png", "-singlefile", "-scale-to", pixels, "own.pdf", "shown"}, 16, 4.2},
      {{"pdftocairo", "-png", "-singlefile", "-scale-to", pixels, "own.pdf", "shown"}, 76, 2.2}};
  // Chromium draws a file at the size that it says.
  std::string scaled = folder.read("own.svg");
  for (const std::string name : {"width=\"", "height=\""}) {
    const std::size_t at = scaled.find(name) + name.size();
    scaled.replace(at, scaled.find('"', at) - at, pixels);
  }
  folder.write("scaled.svg", scaled);
  for (const Viewer& viewer : viewers) {
    SCOPED_TRACE(viewer.words[0]);
    if (!shows(viewer.words)) continue;
    const Off shown = off("shown.png");
    EXPECT_LT(std::abs(shown.mean), viewer.mean);
    EXPECT_LT(shown.rms, viewer.rms);
    RecordProperty(viewer.words[0], std::to_string(shown.mean) + " " + std::to_string(shown.rms));
  }
}

// Some renderers drop strokes without length (QtSvg, so that previews in file managers were blank).
TEST_F(Viewers, ShowTheInkOfEveryDot) {
  folder.write("even.pgm", "P5\n400 400\n255\n" + std::string(std::size_t{400} * 400, '\x7f'));
  const std::string pixels = std::to_string(side);
  good({"stipple", "even.pgm", "--contrast", "none", "--dots", "400", "--size",
        pixels + "x" + pixels, "-o", "own.svg", "-o", "own.png", "-q"});
  const std::string qt =
      "from PyQt5.QtSvg import QSvgRenderer\nfrom PyQt5.QtGui import QGuiApplication, QImage, "
      "QPainter\na = QGuiApplication(['', '-platform', 'offscreen'])\n"
      "i = QImage(" +
      pixels + "," + pixels +
      ", QImage.Format_RGB32)\ni.fill(0xffffffff)\n"
      "p = QPainter(i)\np.setRenderHint(QPainter.Antialiasing)\n"
      "QSvgRenderer('own.svg').render(p)\np.end()\ni.save('shown.png')";
  const std::string cairo =
      "import cairosvg\ncairosvg.svg2png(url='own.svg', write_to='shown.png', output_width=" +
      pixels + ")";
  const std::string reportlab =
      "from svglib.svglib import svg2rlg\nfrom reportlab.graphics import renderPDF\n"
      "renderPDF.drawToFile(svg2rlg('own.svg'), 'shown.pdf')";
  struct Renderer {
    std::string module;  // of Python, or empty
    std::vector<std::vector<std::string>> commands;
  };
  const std::vector<Renderer> renderers{
      {"", {{"rsvg-convert", "-w", pixels, "own.svg", "-o", "shown.png"}}},
      {"", {{"inkscape", "-w", pixels, "own.svg", "-o", "shown.png"}}},
      {"PyQt5.QtSvg", {{"python3", "-c", qt}}},
      {"cairosvg", {{"python3", "-c", cairo}}},
      {"svglib",
       {{"python3", "-c", reportlab},
        {"pdftoppm", "-png", "-singlefile", "-scale-to", pixels, "shown.pdf", "shown"}}}};
  for (const Renderer& renderer : renderers) {
    const std::vector<std::string>& first = renderer.commands.front();
    SCOPED_TRACE(first[0] + " " + renderer.module);
    if (!renderer.module.empty() &&
        test::run_process({"/usr/bin/python3", "-c", "import " + renderer.module}, folder.path())
                .code != 0) {
      continue;
    }
    bool shown = true;
    for (const std::vector<std::string>& words : renderer.commands) shown = shown && shows(words);
    if (!shown) continue;
    // Renderers smooth rims differently; the ink has 127 levels.
    const double mean = off("shown.png").mean;
    EXPECT_LT(std::abs(mean), 10);
    RecordProperty(first[0] + renderer.module, std::to_string(mean));
  }
}

}  // namespace
}  // namespace dapple

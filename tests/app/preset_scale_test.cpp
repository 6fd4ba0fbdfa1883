// Texture presets show the same material at every size.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/color.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

constexpr int small_side = 256;

// Statistics of a picture, in linear light.
struct Tones {
  double mean = 0;
  double deviation = 0;
  double dark = 0;   // share of pixels below the middle
  double edges = 0;  // mean step to the right and to the lower neighbor
};

// Returns the luminance of a picture, reduced to small_side pixels by the means of boxes.
Plane<float> reduced(const Image& image) {
  const int box = image.width() / small_side;
  Plane<float> small(small_side, small_side);
  for (int y = 0; y < box * small_side; ++y) {
    for (int x = 0; x < box * small_side; ++x) {
      std::array<float, 3> light{};
      for (std::size_t c = 0; c < 3; ++c) light[c] = srgb_to_linear(image.channels[c](x, y));
      small(x / box, y / box) += luminance(light) / static_cast<float>(box * box);
    }
  }
  return small;
}

Tones tones_of(const Plane<float>& light, double middle) {
  Tones tones;
  const auto count = static_cast<double>(light.size());
  for (int y = 0; y < small_side; ++y) {
    for (int x = 0; x < small_side; ++x) {
      const auto value = static_cast<double>(light(x, y));
      const auto step = [&](int dx, int dy) {
        return std::abs(light((x + dx) % small_side, (y + dy) % small_side) - light(x, y));
      };
      tones.mean += value / count;
      tones.deviation += value * value / count;
      tones.dark += (value < middle ? 1 : 0) / count;
      tones.edges += static_cast<double>(step(1, 0) + step(0, 1)) / count;
    }
  }
  tones.deviation = std::sqrt(tones.deviation - tones.mean * tones.mean);
  return tones;
}

class PresetScale : public test::ProgramTest, public ::testing::WithParamInterface<std::string> {
 protected:
  Plane<float> made(int side) const {
    const std::string name = std::to_string(side) + ".png";
    good({"worley", "--preset", GetParam(), "--size", std::to_string(side), "-o", name});
    return reduced(read_image((folder / name).string(), Limits{}));
  }
};

// Returns a size that shows the grain of a preset: fine grain is smaller than a pixel at 256.
int smallest_size(const std::string& preset) {
  constexpr std::array<std::string_view, 6> fine{"texture-cloth", "texture-fur",  "texture-granite",
                                                 "texture-rust",  "texture-skin", "texture-stucco"};
  return std::find(fine.begin(), fine.end(), preset) == fine.end() ? small_side : 2 * small_side;
}

TEST_P(PresetScale, ShowsTheSameMaterialAtEverySize) {
  const Plane<float> large = made(4 * small_side);
  const double middle = tones_of(large, 0).mean;
  const Tones expected = tones_of(large, middle);
  const Tones found = tones_of(made(smallest_size(GetParam())), middle);
  EXPECT_NEAR(found.mean / expected.mean, 1, 0.06);
  EXPECT_NEAR(found.deviation / expected.deviation, 1, 0.15);
  EXPECT_NEAR(found.dark, expected.dark, 0.02);
  EXPECT_NEAR(found.edges / expected.edges, 1, 0.15);
}

// Returns the presets that paint. The data of texture-cell-data are in pixels.
std::vector<std::string> painted_presets() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(DAPPLE_SOURCE_FOLDER "/presets")) {
    const std::string name = entry.path().stem().string();
    if (name.starts_with("texture-") && name != "texture-cell-data") names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Textures, PresetScale, ::testing::ValuesIn(painted_presets()));

}  // namespace
}  // namespace dapple

// Small runs of every operation against pictures that somebody looked at.
//
// `scripts/regenerate golden` writes new pictures and hashes: look at `git diff --stat` and at the
// pictures themselves before you commit them.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "golden/compare.hpp"
#include "source_files.hpp"

namespace dapple::golden {
namespace {

struct Case {
  std::string name;
  std::string operation;
  std::vector<std::pair<std::string, std::string>> options;
  bool photo = false;
};

// What gtest prints of a case, in the names of tests too.
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"sample-torus", "sample", {{"size", "128"}, {"radius", "5"}, {"wrap", "true"}}},
      {"sample-photo", "sample", {{"as", "tone"}, {"count", "1500"}}, true},
      {"sample-min", "sample", {{"radius", "2:20"}, {"conflict", "min"}}, true},
      {"sample-bridson", "sample", {{"size", "128x96"}, {"radius", "6"}, {"method", "bridson"}}},
      {"stipple", "stipple", {{"dots", "2500"}}, true},
      {"stipple-sizes", "stipple", {{"dot-size", "1.5:5"}}, true},
      {"stipple-color",
       "stipple",
       {{"dots", "1500"}, {"ink", "#1b3a5c"}, {"background", "#f4efe4"}},
       true},
      {"mask", "mask", {{"size", "128"}}},
      {"mask-bayer", "mask", {{"size", "64"}, {"method", "bayer"}}},
      {"worley-f1", "worley", {{"size", "128"}, {"count", "40"}}},
      {"worley-border", "worley", {{"size", "128"}, {"count", "40"}, {"outputs", "edge"}}},
      {"worley-random", "worley", {{"size", "128x96"}, {"count", "60"}, {"outputs", "random"}}},
      {"dither-two", "dither", {{"levels", "2"}}, true},
      {"dither-palette", "dither", {{"palette", "#000000,#ffffff,#8a3324,#2f6f4f,#e0b050"}}, true},
  };
  return all;
}

std::string folder() {
  return std::string(DAPPLE_SOURCE_FOLDER) + "/tests/golden/ref/";
}

std::map<std::string, std::string> read_hashes() {
  std::map<std::string, std::string> hashes;
  std::ifstream file(folder() + "hashes.txt");
  for (std::string name, hash; file >> name >> hash;) hashes[name] = hash;
  return hashes;
}

// The picture of a case as it comes out of the operation, at most 128 pixels where it is drawn.
Image make(const Case& c) {
  const Operation* operation = find_operation(c.operation);
  if (operation == nullptr) throw std::runtime_error("no operation " + c.operation);
  Context context;
  Image photo;
  if (c.photo) {
    photo = thumbnail(
        read_image(std::string(DAPPLE_SOURCE_FOLDER) + "/samples/raccoon.png", context.limits),
        c.operation == "dither" ? 128 : 256);
  }
  const auto job = operation->make();
  OptionList options;
  job->describe(options);
  for (const auto& [name, value] : c.options) {
    Option* option = options.find(name);
    if (option == nullptr) throw std::runtime_error(c.operation + " has no option " + name);
    option->set(value);
  }
  const Result result = job->run(c.photo ? &photo : nullptr, context);
  if (const ImageMade* made = result.image()) {
    return made->display ? made->display(made->image) : made->image;
  }
  const Drawing drawing =
      result.drawing() != nullptr ? result.drawing()->drawing : draw_points(*result.points);
  const double scale = 128 / std::max(drawing.width, drawing.height);
  return rasterize(drawing, static_cast<int>(std::lround(drawing.width * scale)),
                   static_cast<int>(std::lround(drawing.height * scale)), context);
}

class Golden : public ::testing::TestWithParam<Case> {};

TEST_P(Golden, LooksAsBefore) {
  const Image made = thumbnail(make(GetParam()), 128);
  const std::string path = folder() + GetParam().name + ".png";
  if (test::is_updating()) {
    write_file(path, encode_image(made, "png"), Overwrite::if_changed);
    return;
  }
  Context context;
  const Image reference = read_image(path, context.limits);
  EXPECT_LT(blurred_difference(made, reference), harmless)
      << GetParam().name << " does not look like " << path
      << ".\nIf that is meant, run scripts/regenerate golden, look at the pictures and commit "
         "them.";
}

TEST_P(Golden, BytesAreUnchanged) {
  const Image made = make(GetParam());
  std::map<std::string, std::string> hashes = read_hashes();
  if (test::is_updating()) {
    hashes[GetParam().name] = fingerprint(made);
    std::ofstream file(folder() + "hashes.txt");
    for (const auto& [name, hash] : hashes) file << name << " " << hash << "\n";
    return;
  }
  EXPECT_EQ(fingerprint(made), hashes[GetParam().name])
      << "the result of " << GetParam().name
      << " is no longer the same to the last bit. Whether it "
      << "still looks the same, LooksAsBefore tells.\nIf the change is meant, run "
      << "scripts/regenerate golden, commit what it writes, and say in the message why results "
         "change.";
}

INSTANTIATE_TEST_SUITE_P(Operations, Golden, ::testing::ValuesIn(cases()), [](const auto& row) {
  std::string name = row.param.name;
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
});

// ---- the comparison itself can fail -------------------------------------------------------------

Drawing dots_in_rows(double shift) {
  Drawing drawing;
  drawing.width = 128;
  drawing.height = 128;
  drawing.layers.emplace_back();
  for (int y = 0; y < 21; ++y) {
    for (int x = 0; x < 21; ++x) {
      const double radius = 0.6 + 0.1 * ((x + y) % 17);
      drawing.layers[0].discs.push_back({{4 + 6.0 * x + shift, 4 + 6.0 * y}, radius});
    }
  }
  return drawing;
}

TEST(GoldenComparison, TellsHarmlessFromWrong) {
  Context context;
  const auto picture = [&](const Drawing& drawing) {
    return thumbnail(rasterize(drawing, 128, 128, context), 128);
  };
  const Image reference = picture(dots_in_rows(0));
  EXPECT_EQ(blurred_difference(reference, reference), 0);
  // A quarter of a pixel: many pixels change a lot, the picture does not.
  const Image shifted = picture(dots_in_rows(0.25));
  EXPECT_LT(blurred_difference(reference, shifted), harmless);
  EXPECT_GT(blurred_difference(reference, shifted, 0.1), 0.1);
  // A corner of 16 pixels is missing.
  Drawing corner = dots_in_rows(0);
  std::erase_if(corner.layers[0].discs,
                [](const Disc& d) { return d.center.x > 112 && d.center.y > 112; });
  EXPECT_GT(blurred_difference(reference, picture(corner)), harmless);
  // All dots a tenth too large.
  Drawing dark = dots_in_rows(0);
  for (Disc& d : dark.layers[0].discs) d.radius *= 1.1;
  EXPECT_GT(blurred_difference(reference, picture(dark)), harmless);
  // Another size, another number of channels.
  EXPECT_EQ(blurred_difference(reference, thumbnail(reference, 64)), 1);
  Image color = reference;
  color.channels.resize(3, color.channels[0]);
  EXPECT_EQ(blurred_difference(reference, color), 1);
}

TEST(GoldenComparison, TheHashSeesOneBit) {
  Context context;
  Image picture = rasterize(dots_in_rows(0), 64, 64, context);
  const std::string before = fingerprint(picture);
  EXPECT_EQ(fingerprint(picture), before);
  picture.channels[0](63, 63) = std::nextafter(picture.channels[0](63, 63), 0.5f);
  EXPECT_NE(fingerprint(picture), before);
}

}  // namespace
}  // namespace dapple::golden

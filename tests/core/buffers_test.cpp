// Images in memory of the caller: the same as from and into the library's own, and what is refused.
#include "dapple/buffers.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/mask.hpp"
#include "dapple/stipple.hpp"
#include "dapple/worley.hpp"

namespace dapple {
namespace {

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind() == ErrorKind::usage ? error.what() : "another kind";
  }
  return "nothing is refused";
}

// A picture of a ramp and a disc, as bytes of RGBA in rows with room to spare.
struct Camera {
  static constexpr int width = 37, height = 24, row = 4 * width + 11;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(row * height, 77);

  Camera() {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int c = 0; c < 4; ++c) at(x, y, c) = value(x, y, c);
      }
    }
  }
  static std::uint8_t value(int x, int y, int c) {
    if (c == 3) return x < 3 ? 90 : 255;
    const bool disc = (x - 20) * (x - 20) + (y - 10) * (y - 10) < 40;
    return static_cast<std::uint8_t>(disc ? 20 * c : 255 - 5 * x - c * y);
  }
  std::uint8_t& at(int x, int y, int c) {
    return bytes[static_cast<std::size_t>(y * row + 4 * x + c)];
  }
  ImageView view() const {
    return ImageView::interleaved(
        view_of(std::span<const std::uint8_t>(bytes), 4 * width, height, row), 4, Encoding::srgb);
  }
  // The same as an image of the library.
  static Image image() {
    Image image;
    image.names = {"R", "G", "B", "A"};
    for (int c = 0; c < 4; ++c) {
      Plane<float> plane(width, height);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) plane(x, y) = static_cast<float>(value(x, y, c)) / 255.0F;
      }
      image.channels.push_back(plane);
    }
    return image;
  }
};

TEST(Buffers, ImagesAreReadWhereTheyLie) {
  const Camera camera;
  const Image image = Camera::image();
  Context context;
  EXPECT_EQ(camera.view().copied().channels, image.channels);
  for (const MapKind as : {MapKind::tone, MapKind::density, MapKind::radius}) {
    for (const char* channel : {"luminance", "g", "a"}) {
      MapOptions options{.as = as, .channel = channel};
      EXPECT_EQ(target_density(camera.view(), options, context),
                target_density(image, options, context))
          << channel;
      options.prepare.detail = 1;
      EXPECT_EQ(target_density(camera.view(), options, context),
                target_density(image, options, context))
          << channel;
    }
  }
  const PictureOptions tone;
  for (const char* ink : {"black", "cmyk"}) {
    StippleOptions options;
    options.dots = 150;
    options.ink.path = ink;
    const Stippling made = stipple(camera.view(), tone, options, context);
    EXPECT_EQ(made.dots.x, stipple(image, tone, options, context).dots.x) << ink;
  }
}

// Floats with strides, upwards, in 16 bits: planes that are parts of something larger.
TEST(Buffers, PlanesOfAnyStride) {
  constexpr int w = 9, h = 7, stride = 21;
  std::vector<float> memory(stride * h + 5, -1);
  std::vector<std::uint16_t> whole(stride * h, 9);
  Plane<float> plane(w, h);
  Plane<float> upside(w, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      plane(x, y) = upside(x, h - 1 - y) = static_cast<float>(x + 10 * y) / 128.0F;
      memory[static_cast<std::size_t>(5 + y * stride + x)] = plane(x, y);
      whole[static_cast<std::size_t>(y * stride + x)] =
          static_cast<std::uint16_t>(65535.0F * plane(x, y) + 0.5F);
    }
  }
  const PlaneView<const float> down(memory.data() + 5, w, h, stride);
  const PlaneView<const float> up(down.row(h - 1), w, h, -stride);
  const auto read = [](const PlaneView<const float>& view) {
    return ImageView::planes<float>({view}, Encoding::linear).copied().channels.front();
  };
  EXPECT_EQ(read(down), plane);
  EXPECT_EQ(read(up), upside);
  const ImageView two = ImageView::planes<std::uint16_t>(
      {{whole.data(), w, h, stride}, {whole.data(), w, h, stride}}, Encoding::srgb);
  EXPECT_EQ(two.names(), (std::vector<std::string>{"Y", "A"}));
  EXPECT_NEAR(two.copied().channels[1](3, 4), plane(3, 4), 1e-5F);

  Context context;
  const Domain domain{w, h, false};
  EXPECT_EQ(DensityField::from_radius(down, domain, 1.0, context).radius_map(),
            DensityField::from_radius(plane, domain, 1.0).radius_map());
  EXPECT_EQ(DensityField::from_density(up, domain, 2, {}, 0, 0, context).radius_map(),
            DensityField::from_density(upside, domain, 2, {}).radius_map());
}

// Ranks, thresholds, textures and drawings, with what lies between rows left alone.
TEST(Buffers, WhatIsMadeGoesIntoMemoryOfTheCaller) {
  Context context;
  constexpr int w = 20, h = 12, stride = 23;
  std::vector<std::int32_t> ranks(stride * h, -5);
  make_ranks(view_of<std::int32_t>(ranks, w, h, stride), {}, context);
  const Plane<std::int32_t> own = make_ranks(w, h, {}, context);
  for (int y = 0; y < h; ++y) {
    const auto row = ranks.begin() + y * stride;
    EXPECT_TRUE(std::equal(own.row(y), own.row(y) + w, row));
    EXPECT_TRUE(y == h - 1 || std::count(row + w, row + stride, -5) == stride - w);
  }

  std::vector<std::uint8_t> rgb(3 * w * h);
  MaskOptions colors;
  colors.channels = 3;
  make_mask(colors, ImageTarget::interleaved(view_of<std::uint8_t>(rgb, 3 * w, h), 3), context);
  colors.size = {w, h};
  const Image mask = make_mask(colors, context);
  std::vector<float> vectors(2 * w * 2 * h);
  MaskOptions turns{.size = {w, h, 2}, .kind = MaskKind::vector2};
  const auto halves = std::span(vectors);
  make_mask(turns,
            ImageTarget::planes<float>(
                {view_of(halves, w, 2 * h, 2 * w), view_of(halves.subspan(w), w, 2 * h, 2 * w)}),
            context);
  turns.bits = MaskBits::f32;
  const Image turned = make_mask(turns, context);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(rgb[3 * static_cast<std::size_t>(y * w + x) + c],
                  std::lround(255.0F * mask.channels[c](x, y)));
      }
      EXPECT_EQ(vectors[static_cast<std::size_t>((h + y) * 2 * w + w + x)],
                turned.channels[1](x, h + y));
    }
  }

  // Worley in strips, and whole where rows alone do not make it; f1 and f2 in turns.
  Points sites;
  sites.domain = {64, 64, true};
  for (int i = 0; i < 40; ++i) sites.add({(i * 37) % 64 + 0.5, (i * 23) % 64 + 0.25}, 0);
  for (const auto& outputs : {std::vector<std::string>{"f1", "f2"}, {"f1", "area"}}) {
    const bool strips = outputs[1] == "f2";
    const int across = strips ? 2048 : 64;
    const int rows = strips ? 1040 : 48;  // more than are searched at a time
    std::vector<float> memory(static_cast<std::size_t>(2 * across * rows), -1);
    WorleyOptions options;
    options.outputs = outputs;
    const auto values = std::span(memory);
    const auto target = ImageTarget::planes<float>(
        {view_of(values, across, rows, 2 * across),
         view_of(values.subspan(static_cast<std::size_t>(across)), across, rows, 2 * across)});
    std::vector<double> told;
    context.on_progress = [&](std::string_view, double fraction) { told.push_back(fraction); };
    worley(sites, target, options, context);
    context.on_progress = {};
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    const Image texture = worley(sites, across, rows, options, context);
    for (std::size_t c = 0; c < 2; ++c) {
      for (int y = 0; y < rows; ++y) {
        const float* const row = texture.channels[c].row(y);
        ASSERT_TRUE(
            std::equal(row, row + across, memory.begin() + (2 * y + static_cast<int>(c)) * across));
      }
    }
  }

  // A drawing in gray, in RGB of bytes, and in RGBA of more rows than a strip.
  Drawing drawing;
  drawing.width = drawing.height = 100;
  drawing.layers.resize(1);
  for (int i = 0; i < 50; ++i) {
    drawing.layers[0].discs.push_back({{(i * 37) % 100 + 0.5, (i * 23) % 100 + 0.5}, 3.0});
  }
  std::vector<std::uint8_t> gray(50 * 40);
  rasterize(drawing, ImageTarget::planes<std::uint8_t>({view_of<std::uint8_t>(gray, 50, 40)}),
            context);
  const Image picture = rasterize(drawing, 50, 40, context);
  ASSERT_EQ(picture.channels.size(), 1U);
  constexpr int side = 1100;
  std::vector<float> rgba(4 * side * side);
  rasterize(drawing, ImageTarget::interleaved(view_of<float>(rgba, 4 * side, side), 4), context);
  const Image large = rasterize(drawing, side, side, context);
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 50; ++x) {
      EXPECT_EQ(gray[static_cast<std::size_t>(50 * y + x)],
                std::lround(255.0F * picture.channels[0](x, y)));
    }
  }
  for (int y = 0; y < side; ++y) {
    const float* const row = large.channels[0].row(y);
    const float* at = &rgba[static_cast<std::size_t>(4 * side * y)];
    for (int x = 0; x < side; ++x, at += 4) {
      ASSERT_TRUE(at[0] == row[x] && at[1] == row[x] && at[2] == row[x] && at[3] == 1) << x << y;
    }
  }
  drawing.layers[0].color = "#ff0000";
  EXPECT_EQ(refusal([&] {
              rasterize(drawing,
                        ImageTarget::planes<std::uint8_t>({view_of<std::uint8_t>(gray, 50, 40)}),
                        context);
            }),
            "the buffer has 1 channels, but the image has 3");
}

TEST(Buffers, WrongMemoryIsRefusedByName) {
  std::vector<float> memory(100);
  const auto all = std::span(memory);
  const auto view = [&](int w, int h, std::ptrdiff_t stride, std::size_t from = 0) {
    return PlaneView<float>(memory.data() + from, w, h, stride);
  };
  EXPECT_EQ(view_of(all, 8, 10, 10)(7, 9), 0.0F) << "98 of 100 values";
  EXPECT_EQ(refusal([&] { view_of(all, 9, 11, 10); }),
            "the buffer has 100 values, but a view of 9x11 with stride 10 needs 109");
  EXPECT_EQ(refusal([&] { view_of(all, 2000000000, 2000000000); }).substr(0, 23),
            "the buffer has 100 valu");
  EXPECT_EQ(refusal([&] { view_of(all, 0, 4); }), "a view must be at least 1x1, not 0x4");
  EXPECT_EQ(refusal([&] { view_of(all, 9, 4, -9); }),
            "the stride of rows of 9 values must be at least 9, not -9");

  const auto target = [&](const std::vector<PlaneView<float>>& views) {
    return refusal([&] { ImageTarget::planes(views); });
  };
  const auto image = [&](const PlaneView<const float>& rows, int channels) {
    return refusal([&] { ImageView::interleaved(rows, channels, Encoding::linear); });
  };
  EXPECT_EQ(target({}), "an image needs at least one channel");
  EXPECT_EQ(target({{nullptr, 4, 4, 4}}), "the buffer of channel 0 is a null pointer");
  EXPECT_EQ(target({view(8, 4, 7)}),
            "the buffer of channel 0 has rows of 8 values with stride 7, so they overlap");
  EXPECT_EQ(target({view(4, 4, 8), view(4, 3, 8, 40)}),
            "the buffer of channel 1 is 4x3, but the buffer of channel 0 is 4x4");
  EXPECT_EQ(target({view(4, 4, 8), view(4, 4, 8, 4)}), "nothing is refused") << "in turns";
  EXPECT_EQ(target({view(4, 4, 8), view(4, 4, 8, 3)}),
            "the buffers of channels 0 and 1 overlap; each channel needs its own memory");
  EXPECT_EQ(target({view(4, 4, 8), view(4, 4, -8, 24)}),
            "the buffers of channels 0 and 1 overlap; each channel needs its own memory");
  auto* const odd = reinterpret_cast<float*>(reinterpret_cast<std::byte*>(memory.data()) + 1);
  EXPECT_EQ(target({{odd, 4, 4, 4}}),
            "the buffer of channel 0 is not aligned: its address must be a multiple of 4");
  EXPECT_EQ(image(view(7, 4, 8), 3), "rows of 7 values do not hold whole pixels of 3 channels");
  EXPECT_EQ(image(view(7, 4, 8), 0), "rows of 7 values do not hold whole pixels of 0 channels");
  EXPECT_EQ(image(view(10, 4, 10), 5),
            "an image needs 1 to 4 channels (gray, gray and alpha, RGB, RGB and alpha), not 5");

  Context context;
  const auto here = ImageTarget::planes<float>({view(5, 4, 8)});
  MaskOptions sized;
  sized.size = {5, 5};
  EXPECT_EQ(refusal([&] { make_mask(sized, here, context); }),
            "the buffer is 5x4 pixels, but the mask is 5x5");
  EXPECT_EQ(refusal([&] { make_mask({.channels = 2}, here, context); }),
            "the buffer has 1 channels, but the mask has 2");
  EXPECT_EQ(refusal([&] { make_mask({.bits = MaskBits::u8}, here, context); }),
            "bits: must match the buffer, float: leave it out");
  std::vector<std::int32_t> ranks(20);
  EXPECT_EQ(refusal([&] { make_ranks(view_of<std::int32_t>(ranks, 5, 4), sized, context); }),
            "size: is 5x5, but the buffer of ranks is 5x4");
  Points sites;
  sites.domain = {5, 4, true};
  sites.add({1, 1}, 0);
  EXPECT_EQ(refusal([&] {
              worley(sites, here, {.outputs = {"f1", "id"}}, context);
            }),
            "the buffer has 1 channels, but the texture has 2");
  std::vector<std::uint8_t> bytes(20);
  const auto whole = ImageTarget::planes<std::uint8_t>({view_of<std::uint8_t>(bytes, 5, 4)});
  EXPECT_EQ(
      refusal([&] { worley(sites, whole, {}, context); }),
      "the buffer of a texture must hold floats, because distances in pixels do not fit integers");
  EXPECT_EQ(refusal([&] { worley(sites, here, {.frames = 3}, context); }),
            "the buffer has 4 rows, which is not a multiple of the 3 slices");
}

}  // namespace
}  // namespace dapple

// Colors of files with a profile, beside colors that the definitions of the spaces give.
#include "io/images/read/color_profile.hpp"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <lcms2.h>
#include <png.h>
#include <zlib.h>

#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/png_file.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using Color = std::array<double, 3>;

double to_light(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double from_light(double v) {
  v = std::clamp(v, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

// Display P3 to sRGB, both with white D65: the product of the matrices of the two spaces (SMPTE EG
// 432-1, IEC 61966-2-1).
Color p3_in_srgb(const Color& encoded) {
  const Color p{to_light(encoded[0]), to_light(encoded[1]), to_light(encoded[2])};
  return {from_light(1.2249402 * p[0] - 0.2249402 * p[1]),
          from_light(-0.0420570 * p[0] + 1.0420571 * p[1]),
          from_light(-0.0196376 * p[0] - 0.0786360 * p[1] + 1.0982736 * p[2])};
}

std::string bytes_of(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::string bytes(size, '\0');
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

std::string rgb_profile(const std::array<double, 8>& xy, double gamma) {
  const cmsCIExyY white{xy[6], xy[7], 1};
  const cmsCIExyYTRIPLE primaries{{xy[0], xy[1], 1}, {xy[2], xy[3], 1}, {xy[4], xy[5], 1}};
  const std::array<double, 5> srgb{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve* curve = gamma > 0 ? cmsBuildGamma(nullptr, gamma)
                                  : cmsBuildParametricToneCurve(nullptr, 4, srgb.data());
  cmsToneCurve* const curves[] = {curve, curve, curve};
  std::string bytes = bytes_of(cmsCreateRGBProfile(&white, &primaries, curves));
  cmsFreeToneCurve(curve);
  return bytes;
}
const std::array<double, 8> display_p3{0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290};
const std::array<double, 8> bt709{0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};

// A printer whose inks multiply: L = 100 (1 - k)(1 - (c + m + y) / 3), without hue.
std::string gray_printer() {
  cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
  cmsSetProfileVersion(profile, 2.4);
  cmsSetDeviceClass(profile, cmsSigOutputClass);
  cmsSetColorSpace(profile, cmsSigCmykData);
  cmsSetPCS(profile, cmsSigLabData);
  cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 4, 3);
  cmsStage* table = cmsStageAllocCLut16bit(nullptr, 9, 4, 3, nullptr);
  cmsStageSampleCLut16bit(
      table,
      [](const cmsUInt16Number in[], cmsUInt16Number out[], void*) -> cmsInt32Number {
        const double inks = (in[0] + in[1] + in[2]) / 3.0 / 65535;
        out[0] =
            static_cast<cmsUInt16Number>(std::lround(0xff00 * (1 - in[3] / 65535.0) * (1 - inks)));
        out[1] = out[2] = 0x8000;
        return 1;
      },
      nullptr, 0);
  cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table);
  cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
  cmsWriteTag(profile, cmsSigAToB1Tag, pipeline);
  cmsPipelineFree(pipeline);
  return bytes_of(profile);
}

class ColorProfiles : public test::ProgramTest {
 protected:
  // Writes a PNG of one color, after chunks that `describe` adds.
  template <class Describe>
  std::string png(const char* name, const std::array<png_byte, 3>& color, const Describe& describe,
                  int type = PNG_COLOR_TYPE_RGB) {
    std::string bytes;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &bytes,
        [](png_structp to, png_bytep data, png_size_t size) {
          static_cast<std::string*>(png_get_io_ptr(to))
              ->append(reinterpret_cast<char*>(data), size);
        },
        nullptr);
    png_set_IHDR(png, info, 1, 1, 8, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    describe(png, info);
    png_write_info(png, info);
    png_write_row(png, color.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    const std::string path = folder_ / name;
    write_file(path, bytes, Overwrite::always);
    return path;
  }
  static auto with(const std::string& icc) {
    return [&icc](png_structp png, png_infop info) {
      png_set_iCCP(png, info, "profile", PNG_COMPRESSION_TYPE_BASE,
                   reinterpret_cast<const png_byte*>(icc.data()),
                   static_cast<png_uint_32>(icc.size()));
    };
  }
  static void expect_color(const Image& image, const Color& expected, double within = 0.6) {
    ASSERT_EQ(image.channels.size(), 3u);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(255 * image.channels[c](0, 0), 255 * expected[c], within) << "channel " << c;
    }
  }
  // Writes the file by ImageMagick in another format.
  std::string converted(const std::string& from, const std::string& name,
                        std::vector<std::string> options = {}) {
    std::vector<std::string> words{"/usr/bin/convert-im6.q16", from};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(name);
    EXPECT_EQ(test::run_process(words, folder_).code, 0);
    return folder_ / name;
  }

  static Image read(const std::string& path, const Limits& limits = {}) {
    return read_image(path, limits);
  }

  const fs::path folder_ = folder.path();
};

constexpr std::array<png_byte, 3> orange{200, 100, 50};
const Color orange_in_p3 = p3_in_srgb({200 / 255.0, 100 / 255.0, 50 / 255.0});

TEST_F(ColorProfiles, EveryFormatIsConvertedToSrgb) {
  const std::string p3 = png("p3.png", orange, with(rgb_profile(display_p3, 0)));
  expect_color(read(p3), orange_in_p3);
  // A pixel of a JPEG is as exact as its quantization.
  expect_color(read(converted(p3, "p3.jpg", {"-quality", "100", "-sampling-factor", "1x1"})),
               orange_in_p3, 2.5);
  expect_color(read(converted(p3, "p3.tif")), orange_in_p3);
  expect_color(read(converted(p3, "p3-16.tif", {"-depth", "16"})), orange_in_p3);
  expect_color(read(converted(p3, "p3.webp", {"-define", "webp:lossless=true"})), orange_in_p3);
  Limits limits;
  limits.decoding.allowed_formats = {"psd"};
  expect_color(read(converted(p3, "p3.psd", {"-compress", "None"}), limits), orange_in_p3);
  limits.decoding.sandbox = Sandbox::never;
  expect_color(read(folder_ / "p3.tif", limits), orange_in_p3);
}

TEST_F(ColorProfiles, PhotosOfPhonesAreConverted) {
  if (!fs::exists("/usr/bin/heif-enc")) GTEST_SKIP();
  const std::string p3 = png("p3.png", orange, with(rgb_profile(display_p3, 0)));
  const std::string large =
      converted(p3, "large.png", {"-scale", "64x64!", "-define", "png:color-type=2"});
  expect_color(read(large), orange_in_p3);
  const test::Outcome made = test::run_process(
      {"/usr/bin/heif-enc", "-q", "95", "large.png", "-o", "photo.heic"}, folder_);
  ASSERT_EQ(made.code, 0) << made.err;
  expect_color(read(folder_ / "photo.heic"), orange_in_p3, 3);
}

TEST_F(ColorProfiles, TheyCanBeIgnored) {
  const std::string p3 = png("p3.png", orange, with(rgb_profile(display_p3, 0)));
  Limits limits;
  limits.decoding.profile = EmbeddedProfile::ignore;
  for (const std::string& path : {p3, converted(p3, "p3.tif")}) {
    expect_color(read(path, limits), {200 / 255.0, 100 / 255.0, 50 / 255.0}, 0.001);
  }
}

TEST_F(ColorProfiles, SrgbChangesNoValue) {
  const Color stored{200 / 255.0, 100 / 255.0, 50 / 255.0};
  const std::string profile = rgb_profile(bt709, 0);
  const std::string srgb = png("srgb.png", orange, with(profile));
  expect_color(read(srgb), stored, 1e-5);
  // Many programs write the gamma of sRGB to two digits, and its primaries.
  expect_color(read(png("gamma.png", orange,
                        [](png_structp png, png_infop info) {
                          png_set_gAMA(png, info, 0.45455);
                          png_set_cHRM(png, info, 0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06);
                        })),
               stored, 1e-5);
}

TEST_F(ColorProfiles, ChunksOfPngDescribeColors) {
  const std::string gamma = png("gamma.png", orange, [](png_structp png, png_infop info) {
    png_set_gAMA(png, info, 1 / 1.8);
  });
  const auto from_mac = [](double v) { return from_light(std::pow(v / 255, 1.8)); };
  expect_color(read(gamma), {from_mac(200), from_mac(100), from_mac(50)});
  const auto& xy = display_p3;
  const std::string primaries = png("primaries.png", orange, [&](png_structp png, png_infop info) {
    png_set_cHRM(png, info, xy[6], xy[7], xy[0], xy[1], xy[2], xy[3], xy[4], xy[5]);
  });
  expect_color(read(primaries), orange_in_p3);

  const auto code_points = [](png_byte first, png_byte transfer) {
    return [=](png_structp png, png_infop info) {
      std::array<png_byte, 4> values{first, transfer, 0, 1};
      png_unknown_chunk chunk{{'c', 'I', 'C', 'P', 0}, values.data(), 4, PNG_HAVE_IHDR};
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, chunk.name, 1);
      png_set_unknown_chunks(png, info, &chunk, 1);
    };
  };
  expect_color(read(png("cicp.png", orange, code_points(12, 13))), orange_in_p3);
  const Image hdr = read(png("hdr.png", orange, code_points(9, 16)));
  expect_color(hdr, {200 / 255.0, 100 / 255.0, 50 / 255.0}, 1e-5);
  ASSERT_EQ(hdr.notes.size(), 1u);
  EXPECT_NE(hdr.notes[0].find("HDR (PQ)"), std::string::npos) << hdr.notes[0];
}

TEST_F(ColorProfiles, GrayProfilesBelongToGrayPixels) {
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 1.8);
  const std::string icc = bytes_of(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  const Image gray = read(png("gray.png", orange, with(icc), PNG_COLOR_TYPE_GRAY));
  ASSERT_EQ(gray.channels.size(), 1u);
  EXPECT_NEAR(255 * gray.channels[0](0, 0), 255 * from_light(std::pow(200 / 255.0, 1.8)), 0.6);
}

TEST_F(ColorProfiles, InksOfAPrinterBecomeColors) {
  const std::string profile = folder_ / "printer.icc";
  write_file(profile, gray_printer(), Overwrite::always);
  const std::string source = png("source.png", orange, [](png_structp, png_infop) {});
  for (const std::string name : {"inks.jpg", "inks.tif"}) {
    // Inks of c 0, m 0, y 0, k 128 of 255: L is 49.8.
    const std::string inks =
        converted(source, name,
                  {"-colorspace", "CMYK", "-fill", "cmyk(0,0,0,128)", "-colorize", "100", "-type",
                   "ColorSeparation", "-quality", "100", "-profile", profile});
    const Image image = read(inks);
    const double light = std::pow((100 * (1 - 128 / 255.0) + 16) / 116, 3);
    expect_color(image, {from_light(light), from_light(light), from_light(light)}, 1.5);
  }
}

TEST_F(ColorProfiles, LabHasNoCast) {
  const std::string gray = png("gray.png", {128, 128, 128}, [](png_structp, png_infop) {});
  expect_color(read(converted(gray, "lab.tif", {"-depth", "16", "-colorspace", "Lab"})),
               {128 / 255.0, 128 / 255.0, 128 / 255.0}, 2);
}

TEST_F(ColorProfiles, PrimariesOfOpenExrAreConvertedInLight) {
  const std::string gray = png("p.png", {255, 0, 0}, [](png_structp, png_infop) {});
  const std::string red = folder_ / "red.exr";
  const test::Outcome made = test::run_process(
      {"/usr/bin/oiiotool", gray, "-d", "float", "--attrib:type=float[8]", "chromaticities",
       "0.68,0.32,0.265,0.69,0.15,0.06,0.3127,0.329", "-o", red},
      folder_);
  ASSERT_EQ(made.code, 0) << made.err;
  const Image image = read(red);
  // Colors outside of sRGB stay: light below 0 and above 1.
  EXPECT_NEAR(image.channels[0](0, 0), 1.2249, 1e-3);
  EXPECT_NEAR(image.channels[1](0, 0), -0.0421, 1e-3);
  EXPECT_NEAR(image.channels[2](0, 0), -0.0196, 1e-3);
}

TEST_F(ColorProfiles, WhatCannotBeUsedIsTold) {
  const std::string damaged = "this is no profile, but it is long enough to look like one";
  ColorProfile profile;
  profile.icc = damaged;
  std::string problem;
  EXPECT_EQ(ColorConversion::of(profile, ColorModel::rgb, PixelType::u8, Encoding::srgb, problem),
            nullptr);
  EXPECT_NE(problem.find("damaged color profile"), std::string::npos) << problem;
  // The program says so of a file. Its profile is packed, and no profile.
  std::string chunk("name\0\0", 6);
  std::string packed(damaged.size() + 64, '\0');
  uLongf size = packed.size();
  ASSERT_EQ(::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                       reinterpret_cast<const Bytef*>(damaged.data()), damaged.size()),
            Z_OK);
  chunk += packed.substr(0, size);
  const std::string path = png("damaged.png", orange, [&](png_structp png, png_infop info) {
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, nullptr, 0);
    png_unknown_chunk unknown{{'i', 'C', 'C', 'P', 0},
                              reinterpret_cast<png_byte*>(chunk.data()),
                              chunk.size(),
                              PNG_HAVE_IHDR};
    png_set_unknown_chunks(png, info, &unknown, 1);
  });
  const Image image = read(path);
  expect_color(image, {200 / 255.0, 100 / 255.0, 50 / 255.0}, 1e-5);
  ASSERT_EQ(image.notes.size(), 1u);
  EXPECT_NE(image.notes[0].find("damaged color profile"), std::string::npos) << image.notes[0];

  profile.icc = gray_printer();
  EXPECT_EQ(ColorConversion::of(profile, ColorModel::rgb, PixelType::u8, Encoding::srgb, problem),
            nullptr);
  EXPECT_NE(problem.find("for CMYK pixels, but its pixels are RGB"), std::string::npos) << problem;
}

TEST_F(ColorProfiles, TheProgramSaysAndRecordsWhatItIgnores) {
  png("p3.png", orange, with(rgb_profile(display_p3, 0)));
  const test::Outcome made = run({"dither", "p3.png", "--levels", "256", "--contrast", "none",
                                  "--profile", "ignore", "-o", "out.png"});
  ASSERT_EQ(made.code, 0) << made.err;
  expect_color(read(folder_ / "out.png"), {200 / 255.0, 100 / 255.0, 50 / 255.0}, 0.6);
  // The recipe keeps the choice.
  ASSERT_EQ(run({"reproduce", "out.png", "--input", "p3.png", "-o", "again.png"}).code, 0);
  EXPECT_EQ(read_file(folder_ / "again.png", 1 << 20, Context()),
            read_file(folder_ / "out.png", 1 << 20, Context()));
}

// Sheets and reports read the picture as the option says, too.
TEST_F(ColorProfiles, EveryReaderHeedsTheOption) {
  png("p3.png", orange, with(rgb_profile(display_p3, 0)));
  const auto sheet = [&](const std::string& profile) {
    good({"dither", "p3.png", "--variants", "levels=2,256", "--profile", profile, "-o", "sheet.png",
          "-q"});
    return read_image(folder_ / "sheet.png", Limits{});
  };
  EXPECT_NE(sheet("convert").channels, sheet("ignore").channels);
  good({"dither", "p3.png", "--levels", "256", "--variants", "profile=convert,ignore", "-o",
        "both.png", "-q"});
  good({"dither", "p3.png", "--levels", "256", "--variants", "profile=ignore,ignore", "-o",
        "same.png", "-q"});
  EXPECT_NE(read_image(folder_ / "both.png", Limits{}).channels,
            read_image(folder_ / "same.png", Limits{}).channels);

  write_file(folder_ / "p3.icc", rgb_profile(display_p3, 0), Overwrite::always);
  png("plain.png", orange, [](png_structp, png_infop) {});
  converted("plain.png", "mask.png",
            {"-resize", "16x16!", "-seed", "3", "+noise", "Random", "-profile", "p3.icc"});
  const auto report = [&](const std::string& profile) {
    return good({"analyze", "mask.png", "--as", "mask", "--profile", profile}).out;
  };
  EXPECT_NE(report("convert"), report("ignore"));
}

}  // namespace
}  // namespace dapple

// Certificates of masks, and masks that are odd.
#include "app/certificate.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "dapple/sample.hpp"
#include "io/digest.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
namespace fs = std::filesystem;

class Certificate : public test::ProgramTest {
 protected:
  json certificate(const std::string& file) const {
    return json::parse(folder.read(file + ".certificate.json"));
  }
  static json figure(const json& certificate, const std::string& name) {
    for (const json& entry : certificate["figures"]) {
      if (entry["name"] == name) return entry;
    }
    ADD_FAILURE() << "no " << name;
    return {};
  }
};

// FIPS 180-4's own examples, and every length round the border of a block.
TEST(Digest, IsThatOfOthers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const test::TemporaryFolder folder;
  for (std::size_t size = 54; size < 130; size += size == 66 ? 52 : 1) {
    const std::string bytes(size, static_cast<char>('a' + size % 26));
    folder.write("f", bytes);
    const Outcome outcome = test::run_process({"/usr/bin/sha256sum", "f"}, folder.path());
    EXPECT_EQ(sha256(bytes), outcome.out.substr(0, 64)) << size;
  }
}

// The examples of Fowler, Noll and Vo.
TEST(Digest, TakesTheFormOfOneThatWasRecorded) {
  const auto of = [](std::string_view bytes, std::string_view recorded) {
    Digest digest(recorded);
    digest.add(bytes.substr(0, 2));
    digest.add(bytes.substr(2));
    return digest.text();
  };
  EXPECT_EQ(of("foobar", "fnv1a64:0000000000000000"), "fnv1a64:85944171f73967e8");
  EXPECT_EQ(of("abc", ""), "sha256:" + sha256("abc"));
  EXPECT_EQ(of("abc", "sha256:00"), of("abc", ""));
}

TEST_F(Certificate, SaysWhatTheFileIsAndWhose) {
  const json record = json::parse(
      good({"mask", "--size", "64", "--seed", "3", "--certificate", "-o", "m.png", "--json"}).out);
  EXPECT_EQ(record["outputs"][0]["certificate"], "m.png.certificate.json");
  const json paper = certificate("m.png");
  EXPECT_EQ(paper["file"], "m.png");
  EXPECT_EQ(paper["bytes"], folder.read("m.png").size());
  EXPECT_EQ(paper["sha256"],
            test::run_process({"/usr/bin/sha256sum", "m.png"}, folder.path()).out.substr(0, 64));
  EXPECT_EQ(paper["seed"], 3);
  EXPECT_EQ(paper["width"], 64);
  const std::string whose = paper["ownership"];
  EXPECT_NE(whose.find("without attribution"), std::string::npos);
  EXPECT_NE(paper["recipe"].get<std::string>().find("command = \"mask\""), std::string::npos);
  EXPECT_EQ(paper["histogram"][0]["least_often"], 16);
  EXPECT_EQ(paper["histogram"][0]["most_often"], 16);
  const json analysis = json::parse(good({"analyze", "m.png", "--json"}).out);
  for (const char* name : {"p32", "grey_2", "d256", "missing"}) {
    EXPECT_EQ(figure(paper, name)["value"], analysis["report"]["measurements"][name]) << name;
  }
  EXPECT_EQ(figure(paper, "grey_2")["goal"], "<= 2.25");
  EXPECT_EQ(analysis["report"]["targets"]["grey_2"]["at_most"], 2.25);
  EXPECT_EQ(figure(paper, "grey_2")["met"], figure(paper, "grey_2")["value"] <= 2.25);
  EXPECT_EQ(figure(paper, "ramp1")["met"], figure(paper, "ramp1")["value"] <= 9.9);
  for (const char* share : {"1/32", "1/8", "1/2"}) {
    EXPECT_GT(paper["spectra"][share]["power"].size(), 5u);
    EXPECT_EQ(paper["spectra"][share]["power"].size(), paper["spectra"][share]["frequency"].size());
  }
}

TEST_F(Certificate, RanksAreThoseOfTheWholeMask) {
  good({"mask", "--size", "8x4x4", "--certificate", "-o", "v.png", "-o", "v_{frame}.png"});
  const json ranks = certificate("v.png")["ranks"];
  EXPECT_EQ(ranks["each_once"], true);
  EXPECT_EQ(ranks["checked"], true);
  EXPECT_EQ(ranks["of"], "mask");
  EXPECT_EQ(ranks["to"], 127);
  EXPECT_EQ(certificate("v.png")["depth"], 4);
  EXPECT_EQ(certificate("v_0002.png")["depth"], 1);
  EXPECT_FALSE(certificate("v_0002.png").contains("notes")) << "it is a quarter of the mask";
  good({"mask", "--size", "16", "--kind", "vector2", "--certificate", "-o", "w.png"});
  EXPECT_EQ(certificate("w.png")["ranks"]["checked"], false);
  EXPECT_FALSE(certificate("w.png").contains("notes"));
}

TEST_F(Certificate, GoalsAreForMasksOfTheirKind) {
  good({"mask", "--size", "3", "--certificate", "-o", "small.png"});
  EXPECT_FALSE(figure(certificate("small.png"), "grey_2").contains("goal"));
  for (const char* size : {"4", "10", "24", "48"}) {
    good({"mask", "--size", size, "--certificate", "-o", "side.png"});
    EXPECT_EQ(certificate("side.png")["all_goals_met"], true) << size;
  }
  good({"mask", "--size", "64", "--method", "white", "--certificate", "-o", "white.png"});
  EXPECT_FALSE(certificate("white.png").contains("all_goals_met"));
  const auto targets = [this](const std::vector<std::string>& options) {
    std::vector<std::string> words{"mask", "--size", "64", "--report", "--json", "-o", "m.png"};
    words.insert(words.end(), options.begin(), options.end());
    return json::parse(good(words).out)["report"].contains("targets");
  };
  EXPECT_TRUE(targets({}));
  EXPECT_FALSE(targets({"--method", "white"}));
  EXPECT_TRUE(targets({"--kind", "vector2"}));
}

TEST_F(Certificate, EveryFileHasItsOwn) {
  good({"mask", "--size", "16x8", "--certificate", "-o", "m.exr", "-o", "m.raw", "-o",
        "f_{frame}.npy"});
  EXPECT_EQ(certificate("m.exr")["measured"], "the file");
  EXPECT_NE(certificate("m.raw")["measured"], "the file");
  EXPECT_EQ(certificate("f_0000.npy")["frame"], 0);
  EXPECT_EQ(certificate("f_0000.npy")["sha256"], sha256(folder.read("f_0000.npy")));
  good({"mask", "--size", "1", "--certificate", "-o", "one.png"});
  EXPECT_NE(certificate("one.png")["notes"][0].get<std::string>().find("flat"), std::string::npos);
}

TEST_F(Certificate, MakesTheFileAgain) {
  good({"mask", "--size", "32", "--seed", "5", "--certificate", "-o", "m.ktx2", "-o",
        "f_{frame}.png"});
  good({"reproduce", "m.ktx2.certificate.json"});
  EXPECT_EQ(folder.read("m-reproduce.ktx2"), folder.read("m.ktx2"));
  good({"reproduce", "f_0000.png.certificate.json", "-o", "again.png"});
  EXPECT_EQ(folder.read("again.png"), folder.read("f_0000.png"));
  json other = certificate("m.ktx2");
  other["sha256"] = std::string(64, '0');
  folder.write("x.certificate.json", other.dump());
  EXPECT_EQ(run({"reproduce", "x.certificate.json", "-o", "x.ktx2"}).code, 6);
}

TEST_F(Certificate, IsCheckedByAnalyze) {
  good({"mask", "--size", "32", "--certificate", "-o", "m.png"});
  const std::string paper = "m.png.certificate.json";
  EXPECT_NE(good({"analyze", "m.png", "--certificate", paper}).out.find("certifies"),
            std::string::npos);
  // Other figures.
  json changed = certificate("m.png");
  for (json& entry : changed["figures"]) {
    if (entry["name"] == "grey_2") entry["value"] = entry["value"].get<double>() * 0.99;
  }
  folder.write("better.json", changed.dump());
  const Outcome boast = run({"analyze", "m.png", "--certificate", "better.json"});
  EXPECT_EQ(boast.code, 6);
  EXPECT_NE(boast.err.find("grey_2"), std::string::npos) << boast.err;
  // Another file.
  good({"mask", "--size", "32", "--seed", "2", "-o", "n.png"});
  const Outcome other = run({"analyze", "n.png", "--certificate", paper});
  EXPECT_EQ(other.code, 6);
  EXPECT_NE(other.err.find("is not the certified file"), std::string::npos) << other.err;
  folder.write("none.json", "{\"certificate\": 1}");
  EXPECT_EQ(run({"analyze", "m.png", "--certificate", "none.json"}).code, 3);
  EXPECT_EQ(run({"analyze", "m.png", "--certificate", "missing.json"}).code, 3);
}

TEST_F(Certificate, NeedsAFileOfItsOwn) {
  EXPECT_EQ(run({"mask", "--size", "8", "--certificate", "-o", "-"}).code, 2);
  EXPECT_EQ(run({"worley", "--certificate"}).code, 2);
  folder.write("m.png.certificate.json", "kept");
  EXPECT_EQ(
      run({"mask", "--size", "8", "--certificate", "--overwrite", "never", "-o", "m.png"}).code, 4);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"m.png.certificate.json"});
}

TEST(CertificateOfRanks, IsRefusedUnlessEachOccursOnce) {
  ImageMade result;
  result.image.names = {"R", "G"};
  result.image.slices = 2;
  Plane<std::int32_t> whole(2, 4);
  for (std::size_t i = 0; i < 8; ++i) whole.values()[i] = static_cast<std::int32_t>(i * 3 % 8);
  Plane<std::int32_t> by_slice(2, 4);
  for (std::size_t i = 0; i < 8; ++i) by_slice.values()[i] = static_cast<std::int32_t>(i * 3 % 4);
  result.ranks = {whole, by_slice};
  EXPECT_NO_THROW(app::check_ranks(result));
  for (const auto& [index, rank] : {std::pair{3, 8}, {3, -1}, {0, 1}, {7, 2}}) {
    ImageMade broken = result;
    broken.ranks[0].values()[static_cast<std::size_t>(index)] = rank;
    try {
      app::check_ranks(broken);
      ADD_FAILURE() << index << " " << rank;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::verification);
      EXPECT_NE(std::string(error.what()).find("channel R"), std::string::npos);
    }
  }
  result.ranks[1].values()[5] = 0;
  EXPECT_THROW(app::check_ranks(result), Error);
}

// A certificate is about the file, not about the mask in memory.
TEST_F(Certificate, IsRefusedIfTheFileHoldsOtherValues) {
  good({"mask", "--size", "16", "--seed", "1", "-o", "one.png"});
  good({"mask", "--size", "16", "--seed", "2", "-o", "two.png"});
  ImageMade made{read_image((folder / "one.png").string(), Limits{})};
  made.ranks.emplace_back(16, 16);
  for (std::size_t i = 0; i < 256; ++i) {
    made.ranks[0].values()[i] = static_cast<std::int32_t>(i);
  }
  app::Certified certified{"m.png", (folder / "one.png").string(), &made, -1, "", false};
  Context context;
  EXPECT_NO_THROW(app::make_certificate(certified, context));
  certified.bytes_at = (folder / "two.png").string();
  try {
    app::make_certificate(certified, context);
    ADD_FAILURE() << "certified";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::verification);
  }
}

// Formats of colors store z = 0 in blue, as of a normal map.
TEST_F(Certificate, VectorsOfThePlaneAreKnownInPictures) {
  for (const char* const name : {"v.png", "v.bmp", "v.ppm"}) {
    good({"mask", "--size", "32", "--kind", "vector2", "--certificate", "-o", name});
    const Image image = read_image((folder / name).string(), Limits{});
    ASSERT_EQ(image.channels.size(), 3u);
    for (const float blue : image.channels[2].values()) ASSERT_NEAR(blue * 255, 128, 0.01) << name;
    const json report = json::parse(good({"analyze", name, "--json"}).out);
    EXPECT_TRUE(report.dump().find("vector_low") != std::string::npos) << report.dump();
    EXPECT_TRUE(certificate(name).dump().find("vector_low") != std::string::npos);
  }
}

TEST_F(Certificate, LossyFormatsHoldNoMasks) {
  for (const char* const name : {"m.jpg", "m.jpeg"}) {
    const Outcome outcome = run({"mask", "--size", "16", "-o", name});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("changes values, and a mask needs each of them exactly"),
              std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.err.find("jpg, "), std::string::npos) << "not offered: " << outcome.err;
  }
  for (const char* const name : {"m.hdr", "m.exr", "m.tif", "m.bmp", "m.ppm", "m.npy", "m.ktx2"}) {
    good({"mask", "--size", "16", "--certificate", "-o", name});
  }
  good({"mask", "--size", "16x16x4", "--certificate", "-o", "v.npy", "-o", "v{frame}.npy", "-o",
        "v{frame}.png", "-o", "v.exr"});
}

// ---- odd masks ----------------------------------------------------------------------------------

class OddMask : public test::ProgramTest {
 protected:
  // A mask of 32 x 32 whose values are changed by a function of 0 .. 1023.
  template <class Change>
  void make(const std::string& name, PixelType type, Change&& change) const {
    Image image;
    image.names = {"Y"};
    image.encoding = Encoding::data;
    image.type = type;
    Plane<float> plane(32, 32);
    std::vector<int> ranks(plane.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = static_cast<int>(i);
    std::mt19937 random(7);
    std::shuffle(ranks.begin(), ranks.end(), random);
    for (std::size_t i = 0; i < ranks.size(); ++i) plane.values()[i] = change(ranks[i]);
    image.channels.push_back(std::move(plane));
    folder.write(name, encode_image(image, "png"));
  }
  json measured(const std::string& name) const {
    return json::parse(good({"analyze", name, "--json"}).out)["report"]["measurements"];
  }
  std::string said(const std::string& name) const { return good({"analyze", name}).out; }
  void dithers(const std::string& name) const {
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ascent.png", folder / "in.png",
             fs::copy_options::skip_existing);
    good({"dither", "in.png", "--mask", name, "--levels", "2", "-o", "out.png"});
    const Image out = read_image((folder / "out.png").string(), Limits{});
    const auto [low, high] =
        std::minmax_element(out.channels[0].values().begin(), out.channels[0].values().end());
    EXPECT_LT(*low, *high) << name;
  }
};

TEST_F(OddMask, EightBitsInSixteen) {
  make("m.png", PixelType::u16, [](int rank) { return static_cast<float>(rank / 4) / 255; });
  EXPECT_EQ(measured("m.png")["levels"], 256);
  EXPECT_EQ(measured("m.png")["missing"], 1024 - 256);
  EXPECT_NE(said("m.png").find("The 16 bits hold values of 8 bits only"), std::string::npos);
  dithers("m.png");
}

TEST_F(OddMask, RepeatedAndMissingRanks) {
  // 64 ranks from 512 on are those from 0 on again.
  make("m.png", PixelType::u16, [](int rank) {
    const int odd = rank >= 512 && rank < 576 ? rank - 512 : rank;
    return static_cast<float>(odd * 64) / 65535;
  });
  EXPECT_EQ(measured("m.png")["levels"], 960);
  EXPECT_EQ(measured("m.png")["missing"], 64);
  EXPECT_NE(said("m.png").find("64 do not: 960 thresholds tell 961 grays apart"), std::string::npos)
      << said("m.png");
  dithers("m.png");
}

TEST_F(OddMask, UnevenHistogram) {
  make("m.png", PixelType::u8, [](int rank) {
    const int level = rank / 4;
    return static_cast<float>(level < 100 ? 0 : level) / 255;
  });
  EXPECT_EQ(measured("m.png")["levels"], 157);
  EXPECT_NE(said("m.png").find("one of them 400 times"), std::string::npos) << said("m.png");
  dithers("m.png");
  EXPECT_NE(good({"dither", "in.png", "--mask", "m.png", "-o", "out.png"}).err.find("evenly"),
            std::string::npos);
}

TEST_F(OddMask, OneBitAndPalette) {
  const std::string convert = "/usr/bin/convert-im6.q16";
  if (!fs::exists(convert)) GTEST_SKIP();
  make("m.png", PixelType::u8, [](int rank) { return static_cast<float>(rank / 4) / 255; });
  for (const auto& [name, words] :
       {std::pair<std::string, std::vector<std::string>>{
            "bit.png", {"-threshold", "50%", "-type", "bilevel", "-depth", "1"}},
        {"palette.png", {"+dither", "-colors", "16", "-type", "Palette"}}}) {
    std::vector<std::string> line{convert, "m.png"};
    line.insert(line.end(), words.begin(), words.end());
    line.push_back((name == "bit.png" ? "PNG:" : "PNG8:") + name);
    ASSERT_EQ(test::run_process(line, folder.path()).code, 0);
    const json report = measured(name);
    const double levels = report["levels"];
    EXPECT_EQ(levels + report["missing"].get<double>(), 256);
    EXPECT_TRUE(name == "bit.png" ? levels == 2 : levels > 2 && levels <= 16) << levels;
    EXPECT_FALSE(report.contains("levels.G")) << "one gray, stored as three";
    dithers(name);
  }
}

TEST_F(OddMask, AGoodOneHasNothingSaidOfIt) {
  good({"mask", "--size", "32", "--bits", "16", "-o", "m.png"});
  for (const char* words : {" do not: ", "repeated", "bits"}) {
    EXPECT_EQ(said("m.png").find(words), std::string::npos) << words;
  }
  EXPECT_EQ(measured("m.png")["missing"], 0);
}

}  // namespace
}  // namespace dapple

// What is said of a plot before it begins, and what makes it fit its pen, paper and machine.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const std::string photo = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/raccoon.png";

struct Touch {
  double x = 0;
  double y = 0;
};

// The touches in an SVG file, as Dapple writes them.
std::vector<Touch> touches_in(const std::string& svg) {
  std::vector<Touch> touches;
  for (auto at = svg.find(" d=\"M"); at != std::string::npos; at = svg.find(" d=\"M", at + 1)) {
    std::string path = svg.substr(at + 5, svg.find('"', at + 5) - at - 5);
    double x = 0, y = 0;
    for (std::size_t i = 0; i < path.size();) {
      std::size_t used = 0;
      x += std::stod(path.substr(i), &used);
      i += used;
      y += std::stod(path.substr(i), &used);
      i += used;
      const double along = std::stod(path.substr(i + 1));  // after h
      touches.push_back({x + 0.5 * along, y});
      x += along;
      i = path.find('m', i);
      if (i != std::string::npos) ++i;
      if (i == std::string::npos) break;
    }
  }
  return touches;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

class Foretold : public test::ProgramTest {
 protected:
  // On a postcard.
  Words words(const Words& more) const {
    Words all{"stipple", photo, "--paper", "A6", "--margin", "10mm"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::string said(const Words& more) const { return good(words(more)).err; }
  json record(Words more) const {
    more.push_back("--json");
    return json::parse(good(words(more)).out);
  }
  std::string recipe(Words more) const {
    more.push_back("--print-recipe");
    return good(words(more)).out;
  }
};

testing::AssertionResult holds(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << text;
}

TEST_F(Foretold, OneLineSaysWhatAPlotTakes) {
  const Words pen{"--shape", "point", "--pen", "1mm", "-o", "a.svg"};
  EXPECT_TRUE(holds(said(pen), " touches, "));
  EXPECT_TRUE(holds(said(pen), "100 % of the ink"));
  EXPECT_FALSE(holds(said(pen), "warning"));
  // Also where only the file or the paper is a plotter's, and beside --json; not of pictures.
  EXPECT_TRUE(holds(said({"--dots", "300", "-o", "a.gcode"}), "plot: 300 touches"));
  EXPECT_TRUE(holds(said({"--dots", "300", "-o", "a.svg"}), "plot: 300 touches"));
  EXPECT_TRUE(holds(said({"--dots", "300", "-o", "a.svg", "--json"}), "plot: 300 touches"));
  EXPECT_FALSE(holds(said({"--dots", "300", "-o", "a.png"}), "plot:"));
  EXPECT_FALSE(holds(good({"stipple", photo, "--dots", "300", "-o", "a.svg"}).err, "plot:"));
  EXPECT_EQ(said({"--dots", "300", "-o", "a.svg", "-q"}), "");
}

TEST_F(Foretold, PicturesTooSmallForTheirDotsAreWarnedOf) {
  const auto warned = [&](const Words& more) {
    Words all{"stipple", photo, "-o", "a.png"};
    all.insert(all.end(), more.begin(), more.end());
    return good(all).err;
  };
  EXPECT_TRUE(holds(warned({"--dots", "3000", "--size", "100"}), "3,000 dots do not fit into"));
  EXPECT_TRUE(holds(warned({"--dots", "3000", "--size", "100"}), "pixels wide; --size "));
  EXPECT_FALSE(holds(warned({"--dots", "3000", "--size", "800"}), "do not fit"));
  EXPECT_FALSE(holds(good({"stipple", photo, "--dots", "3000", "--size", "100", "-o", "a.svg"}).err,
                     "do not fit"))
      << "only of pictures";
}

// Lists may be written with blanks.
TEST_F(Foretold, ListsMayHoldBlanks) {
  good({"stipple", photo, "--dots", "300", "--ink", "darkred,skyblue", "--no-recipe", "-o",
        "a.svg"});
  good({"stipple", photo, "--dots", "300", "--ink", " darkred, skyblue ", "--no-recipe", "-o",
        "b.svg"});
  EXPECT_EQ(folder.read("b.svg"), folder.read("a.svg"));
  const auto cells = [&](const char* outputs) {
    good({"worley", "--size", "32", "--count", "20", "--outputs", outputs, "--no-recipe", "-o",
          "a.exr"});
    return folder.read("a.exr");
  };
  EXPECT_EQ(cells("f1, id"), cells("f1,id"));
}

TEST_F(Foretold, LongPlotsWithoutAPenAreWarnedOf) {
  const Words many{"--dots", "100000", "-o", "a.gcode"};
  EXPECT_TRUE(holds(said(many), "plotting takes "));
  EXPECT_TRUE(holds(said(many), "use fewer --dots"));
  EXPECT_FALSE(holds(said({"--dots", "100000", "-o", "a.svg"}), "plotting takes "));
}

TEST_F(Foretold, PaleDarkAndLongPlotsAreWarnedOf) {
  const json full = record({"--shape", "point", "--pen", "1mm", "-o", "a.svg"});
  EXPECT_NEAR(full["plot"]["ink"], 1, 0.01);
  EXPECT_TRUE(full["warnings"].empty()) << full["warnings"];
  const std::int64_t dots = full["plot"]["touches"];
  const auto with = [&](double share, Words more) {
    more.insert(more.end(), {"--shape", "point", "--pen", "1mm", "-o", "a.svg", "--dots",
                             std::to_string(std::llround(share * static_cast<double>(dots)))});
    return record(more);
  };
  const json pale = with(0.25, {});
  EXPECT_NEAR(pale["plot"]["ink"], 0.25, 0.01);
  ASSERT_EQ(pale["warnings"].size(), 1u);
  EXPECT_TRUE(holds(pale["warnings"][0], "pale, with 25 % of the ink"));
  EXPECT_TRUE(holds(pale["warnings"][0], ": --pen 2mm or --dots 6,"));
  EXPECT_TRUE(with(0.7, {})["warnings"].empty());
  const json dark = with(1.3, {});
  ASSERT_EQ(dark["warnings"].size(), 1u);
  EXPECT_TRUE(holds(dark["warnings"][0], "dark, with 130 % of the ink"));
  EXPECT_TRUE(holds(dark["warnings"][0], ": --pen 0.8mm or --dots 6,"));
  const json lengthy = with(1, {"--pen-lift", "20"});
  ASSERT_EQ(lengthy["warnings"].size(), 1u);
  EXPECT_TRUE(holds(lengthy["warnings"][0], "plotting takes "));
  EXPECT_TRUE(holds(lengthy["warnings"][0], "--split"));
  const json line = record({"--path", "tsp", "--pen", "0.5mm", "--dots", "400", "-o", "l.svg"});
  EXPECT_TRUE(holds(line["warnings"].dump(), "pale, "));
}

TEST_F(Foretold, NumbersWithoutAUnitAreMillimetersOnPaperAlone) {
  const auto dots = [&](const std::string& unit) {
    good({"stipple", photo, "--paper", "148x105" + unit, "--margin", "10" + unit, "--shape",
          "point", "--pen", "1.5" + unit, "--gap", "0.3" + unit, "--no-recipe", "-o", "a.svg"});
    return folder.read("a.svg");
  };
  EXPECT_EQ(dots(""), dots("mm"));
  EXPECT_NE(dots("px"), dots("mm"));
  EXPECT_TRUE(holds(recipe({"--dot-size", "1:2"}), "dot-size = \"1mm:2mm\""));
  EXPECT_TRUE(holds(recipe({"--dot-size", "1:2px"}), "dot-size = \"1:2px\""));
  EXPECT_TRUE(holds(recipe({"--dot-size", "2%"}), "dot-size = \"2%\""));
  const std::string screen = good({"stipple", photo, "--dot-size", "3", "--print-recipe"}).out;
  EXPECT_TRUE(holds(screen, "dot-size = \"3px\""));
  // What is written reads back.
  folder.write("r.toml", recipe({"--dot-size", "1:2px", "--pen", "0.5"}));
  EXPECT_EQ(good({"stipple", photo, "--recipe", "r.toml", "--print-recipe"}).out,
            folder.read("r.toml"));
}

TEST_F(Foretold, PaperTurnsWithThePicture) {
  const auto width = [&](const std::string& picture, const std::string& paper) {
    const json made = json::parse(
        good({"stipple", picture, "--dots", "50", "--paper", paper, "-o", "a.svg", "--json"}).out);
    return made["outputs"][0]["width"].get<double>();
  };
  good({"stipple", photo, "--dots", "50", "--size", "60x80", "--paper", "60x80mm", "-o", "up.png"});
  EXPECT_EQ(width(photo, "A6"), 148);
  EXPECT_EQ(width(photo, "A6-portrait"), 105);
  EXPECT_EQ(width(photo, "A6-landscape"), 148);
  EXPECT_EQ(width(photo, "105x148mm"), 105);
  EXPECT_EQ(width("up.png", "A6"), 105);
  EXPECT_EQ(width("up.png", "A6-landscape"), 148);
  EXPECT_TRUE(holds(recipe({}), "paper = \"A6\""));
}

TEST_F(Foretold, PensAndMachinesHaveNames) {
  EXPECT_TRUE(holds(recipe({"--pen", "stabilo-88"}), "pen = \"0.4mm\""));
  const std::string red = recipe({"--pen", "stabilo-88-red"});
  EXPECT_TRUE(holds(red, "ink = \"#d8232a\""));
  EXPECT_TRUE(holds(recipe({"--ink", "navy", "--pen", "stabilo-88-red"}), "ink = \"navy\""));
  const auto typo = run(words({"--pen", "stabilo-8"}));
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(holds(typo.err, "there is no pen 'stabilo-8'; did you mean 'stabilo-88'?"));
  const std::string slow = recipe({"--speed", "20", "--machine", "cartesian"});
  EXPECT_TRUE(holds(slow, "speed = 20"));
  EXPECT_TRUE(holds(slow, "acceleration = 300"));
  EXPECT_EQ(run(words({"--machine", "cartesan"})).code, 2);
  // In recipes and batches too; a file of one's own adds to them.
  folder.write("r.toml", "command = \"stipple\"\nmachine = \"cartesian\"\npen = \"stabilo-88\"\n");
  EXPECT_TRUE(holds(recipe({"--recipe", "r.toml"}), "acceleration = 300"));
  folder.write("jobs.toml", "[[job]]\ncommand = \"stipple\"\ninput = \"" + photo +
                                "\"\ndots = 50\nshape = \"point\"\npen = \"stabilo-88-red\"\n"
                                "output = \"job.svg\"\n");
  good({"batch", "jobs.toml"});
  EXPECT_TRUE(holds(folder.read("job.svg"), "stroke=\"#d8232a\" stroke-width=\".4\""));
  EXPECT_TRUE(holds(good({"presets", "pens"}).out, "[stabilo-88]"));
  EXPECT_TRUE(holds(good({"presets", "machines"}).out, "[axidraw-v3]"));
}

TEST_F(Foretold, TheGapIsInTheFileToo) {
  for (const double pen : {0.8, 1.5}) {
    good(words({"--shape", "point", "--pen", std::to_string(pen) + "mm", "--gap", "0.3mm",
                "--no-recipe", "-o", "a.svg"}));
    const auto dots = touches_in(folder.read("a.svg"));
    ASSERT_GT(dots.size(), 300u);
    double least = 1e9;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        least = std::min(least, std::hypot(dots[i].x - dots[k].x, dots[i].y - dots[k].y));
      }
    }
    EXPECT_GE(least - pen, 0.3);
    EXPECT_LT(least - pen, 0.31) << "close ones are as close as they may be";
  }
}

TEST_F(Foretold, TouchesHaveTheLengthThatReadersNeed) {
  const Words pen{"--shape", "point", "--pen", "1mm", "--dots", "300", "-o", "a.svg", "-q"};
  said(pen);
  EXPECT_EQ(count_of(folder.read("a.svg"), "h.001"), 300u) << "no stroke has no length";
  Words longer = pen;
  longer.insert(longer.end(), {"--touch", "0.05"});
  said(longer);
  EXPECT_EQ(count_of(folder.read("a.svg"), "h.05"), 300u);
  said({"--touch", "0.1mm", "--dots", "300", "-o", "a.svg", "-q"});
  EXPECT_EQ(count_of(folder.read("a.svg"), "h.1m"), 299u) << "discs too";
  EXPECT_EQ(run(words({"--touch", "1mm", "--shape", "circle", "-o", "a.svg"})).code, 2);
}

TEST_F(Foretold, LinesEndWherePaperIsBare) {
  // Two dark squares, far apart.
  std::string picture = "P5 90 30 255\n";
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 90; ++x) {
      const bool dark = (x < 28 || x > 61) && y > 1 && y < 28 && x > 1 && x < 88;
      picture += static_cast<char>(dark ? 40 : 255);
    }
  }
  folder.write("two.pgm", picture);
  const auto lines = [&](const Words& more) {
    Words all{"stipple", "two.pgm", "--path", "tsp",   "--paper", "A6",
              "--pen",   "0.5",     "-o",     "a.svg", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return json::parse(good(all).out)["plot"]["lines"].get<int>();
  };
  const int usual = lines({});
  EXPECT_GT(usual, 1);
  EXPECT_LT(usual, 4) << "only there";
  EXPECT_EQ(lines({"--longest-hop", "none"}), 1);
  EXPECT_EQ(lines({"--longest-hop", "10"}), usual);
  EXPECT_EQ(lines({"--longest-hop", "200"}), 1);
  EXPECT_EQ(run(words({"--longest-hop", "10", "-o", "a.svg"})).code, 2);
  EXPECT_EQ(run(words({"--path", "tsp", "--longest-hop", "0", "-o", "a.svg"})).code, 2);
}

TEST_F(Foretold, PartsArePicturesAndPlotsGoOn) {
  const Words pen{"--shape", "point", "--pen", "1mm", "--dots", "2000", "-o", "a.svg"};
  said(pen);
  auto whole = touches_in(folder.read("a.svg"));
  Words parts = pen;
  parts.insert(parts.end(), {"--split", "4"});
  EXPECT_TRUE(holds(said(parts), " in 4 parts"));
  const std::string svg = folder.read("a.svg");
  EXPECT_EQ(count_of(svg, "inkscape:label=\"1 black, part "), 4u);
  auto split = touches_in(svg);
  const auto by_place = [](const Touch& a, const Touch& b) {
    const auto exact = [](double v) { return std::llround(2000 * v); };  // halves of the last digit
    return std::pair(exact(a.x), exact(a.y)) < std::pair(exact(b.x), exact(b.y));
  };
  ASSERT_EQ(split.size(), whole.size());
  // Each part has its share of every quarter of the picture.
  const auto left = [](const Touch& touch) { return touch.x < 74; };
  const auto all = std::count_if(whole.begin(), whole.end(), left);
  for (int part = 0; part < 4; ++part) {
    const auto from = split.begin() + part * 500;
    EXPECT_NEAR(static_cast<double>(std::count_if(from, from + 500, left)),
                static_cast<double>(all) / 4, 12);
  }
  std::sort(split.begin(), split.end(), by_place);
  std::sort(whole.begin(), whole.end(), by_place);
  for (std::size_t i = 0; i < split.size(); ++i) {
    EXPECT_NEAR(split[i].x, whole[i].x, 1e-9);
    EXPECT_NEAR(split[i].y, whole[i].y, 1e-9);
  }
  // Of one pen; a machine that stops for pens stops for parts.
  parts.insert(parts.end(), {"-o", "a.hpgl", "-o", "a.gcode"});
  said(parts);
  EXPECT_EQ(count_of(folder.read("a.hpgl"), "SP"), 2u) << "taken, and put back";
  EXPECT_EQ(count_of(folder.read("a.gcode"), "\nM0\n"), 3u);
  said(pen);
  const auto before = touches_in(folder.read("a.svg"));
  Words rest = pen;
  rest.insert(rest.end(), {"--from", "1990"});
  said(rest);
  const auto after = touches_in(folder.read("a.svg"));
  ASSERT_EQ(after.size(), 10u);
  EXPECT_NEAR(after[0].x, before[1990].x, 1e-9);
  EXPECT_EQ(run(words({"--dots", "50", "--from", "50", "-o", "a.svg"})).code, 2);
}

}  // namespace
}  // namespace dapple

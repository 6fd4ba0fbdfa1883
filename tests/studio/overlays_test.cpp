// What a page lays over the picture, without a server: tones, and strokes of the brush.
#include <cmath>
#include <filesystem>
#include <sstream>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "studio/session_test.hpp"

namespace dapple::studio {
namespace {

// A picture that moves has the bytes of one that is painted, and little of it is painted again.
TEST(Painter, WhatHasMovedIsNotPaintedAgain) {
  Context context;
  for (const char* color : {"#000000", "#a03060"}) {
    Drawing drawing;
    drawing.width = 40;
    drawing.height = 30;
    Layer layer;
    layer.color = color;
    for (int i = 0; i < 900; ++i) {
      layer.discs.push_back({{std::fmod(i * 0.7549, 1.0) * 40, std::fmod(i * 0.5698, 1.0) * 30},
                             0.3 + 0.001 * (i % 400)});
    }
    drawing.layers.push_back(layer);
    Picture made;
    made.width = 400;
    made.height = 300;
    made.drawing.emplace(std::make_shared<const Drawing>(drawing), context);
    const auto picture = std::make_shared<const Picture>(std::move(made));

    Painter painter;
    const double zoom = 1.37;
    View view;
    view.width = 200;
    view.height = 160;
    view.zoom = zoom;
    const auto see = [&](double left, double top) {
      view.left = left / zoom;
      view.top = top / zoom;
      const Frame frame = painter.paint(picture, view, context);
      const Frame anew = paint(*picture, view, context);
      EXPECT_EQ(frame.left, anew.left) << left << " " << top;
      EXPECT_EQ(frame.top, anew.top) << left << " " << top;
      EXPECT_EQ(frame.width, anew.width) << left << " " << top;
      EXPECT_EQ(frame.gray, anew.gray);
      EXPECT_TRUE(frame.pixels == anew.pixels) << left << " " << top;
      return painter.painted_pixels();
    };
    EXPECT_EQ(see(100, 100), 200u * 160);
    EXPECT_EQ(see(100, 100), 0u);
    EXPECT_EQ(see(107, 100), 7u * 160);
    EXPECT_EQ(see(107, 91), 200u * 9);
    EXPECT_EQ(see(101, 94), 200u * 3 + 6 * 157);
    EXPECT_EQ(see(-20, -10), 180u * 150);        // most of it is elsewhere
    EXPECT_EQ(see(-40, -10), 0u);                // towards where the paper ends
    EXPECT_EQ(see(-20, -10), 20u * 150);         // and back
    EXPECT_EQ(see(-20.5, -10), 180u * 150 + 0);  // not by whole pixels
    EXPECT_GT(see(400, 300), 0u);
    EXPECT_EQ(see(500, 400), 0u) << "the other end: less than before";
    view.until = 0.5;
    EXPECT_EQ(see(500, 400), 48u * 11);
    view.zoom = 1.5;
    EXPECT_GT(see(500, 400), 0u);
  }
}

// A dot in each pixel.
Picture crowd(double radius, Context& context) {
  auto drawing = std::make_shared<Drawing>();
  drawing->width = 400;
  drawing->height = 400;
  drawing->layers.emplace_back();
  for (int i = 0; i < 160'000; ++i) {
    drawing->layers[0].discs.push_back(
        {{i % 400 + 0.3 * std::fmod(i * 0.7549, 1.0), i / 400 + 0.3 * std::fmod(i * 0.5698, 1.0)},
         radius});
  }
  Picture picture;
  picture.width = 400;
  picture.height = 400;
  picture.drawing.emplace(drawing, context, true);
  return picture;
}

// Crowds of dots may be drawn by stamps, but where pixels are those of a file.
TEST(Painter, CrowdsAreExactAtTheScaleOfFiles) {
  Context context;
  const Picture picture = crowd(0.4, context);
  for (const double zoom : {0.75, 1.0}) {
    View view;
    view.width = 300;
    view.height = 300;
    view.zoom = zoom;
    const Frame seen = paint(picture, view, context);
    const Image exact =
        picture.drawing->rasterize({400 * zoom, 400 * zoom, {0, 0, 300, 300}}, context);
    ASSERT_EQ(seen.pixels.size(), exact.channels[0].size());
    int different = 0;
    for (std::size_t i = 0; i < seen.pixels.size(); ++i) {
      const auto pixel = static_cast<std::uint8_t>(seen.pixels[i]);
      const auto wanted = static_cast<int>(exact.channels[0].values()[i] * 255 + 0.5f);
      different += pixel != wanted;
      ASSERT_NEAR(pixel, wanted, 12) << i;
    }
    EXPECT_EQ(different > 0, zoom != 1) << zoom;
  }
}

// What takes long is sketched at any scale, where dots overlap as well, unless it has only moved.
TEST(Painter, SketchesWhatTakesLong) {
  Context context;
  for (const double radius : {0.4, 0.56}) {
    const auto picture = std::make_shared<const Picture>(crowd(radius, context));
    View view;
    view.width = 400;
    view.height = 400;
    Painter painter;
    EXPECT_TRUE(painter.takes_long(picture, view)) << radius;
    const Frame soon = sketch(*picture, view, context);
    const Frame exact = painter.paint(picture, view, context);
    ASSERT_EQ(soon.pixels.size(), exact.pixels.size());
    double apart = 0;
    for (std::size_t i = 0; i < soon.pixels.size(); ++i) {
      apart += std::abs(static_cast<std::uint8_t>(soon.pixels[i]) -
                        static_cast<std::uint8_t>(exact.pixels[i]));
    }
    EXPECT_GT(apart, 0) << radius;
    EXPECT_LT(apart / static_cast<double>(soon.pixels.size()), 25) << radius;
    view.left = 60;
    EXPECT_FALSE(painter.takes_long(picture, view)) << radius;
    view.left = 0;
    view.width = 200;
    Painter other;
    EXPECT_FALSE(other.takes_long(picture, view)) << radius << ": half of the dots are few";
  }
}

// What levels work on is counted once for what it depends on, and told.
TEST_F(SessionTest, TheHistogramIsThatOfThePreparedPhoto) {
  begin(stippling());
  const auto sum = [](const json& counts, std::size_t from, std::size_t to) {
    long all = 0;
    for (std::size_t i = from; i < to; ++i) all += counts[i].get<long>();
    return all;
  };
  set(1, "stipple", {{"dots", "300"}, {"contrast", "none"}});
  const json plain = wait_for("histogram")["counts"];
  ASSERT_EQ(plain.size(), 128u);
  const Image image = read_image(photo, Context());
  EXPECT_EQ(sum(plain, 0, 128), image.width() * image.height());
  long dark = 0;
  for (const float v : image.channels[0].values()) dark += v < 0.25f ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(sum(plain, 0, 32)), static_cast<double>(dark), 20);
  // More contrast moves tones outwards; levels themselves change nothing.
  set(2, "stipple", {{"dots", "300"}, {"contrast", "none"}, {"black", "0.2"}, {"gamma", "2"}});
  EXPECT_EQ(wait_for("state", "final")["number"], 2);
  set(3, "stipple", {{"dots", "300"}, {"contrast", "2"}});
  const json steep = wait_for("histogram")["counts"];
  EXPECT_GT(sum(steep, 0, 16), sum(plain, 0, 16));
  int told = 0;
  for (const std::string& text : texts) told += json::parse(text)["type"] == "histogram" ? 1 : 0;
  EXPECT_EQ(told, 2);
  // A command without levels has none.
  set(4, "dither", json::object());
  EXPECT_EQ(wait_for("histogram")["counts"].size(), 0u);
}

// Where tones are off is what the report of the program says.
TEST_F(SessionTest, ErrorsOfToneAreThoseOfTheReport) {
  begin(stippling());
  const auto tones = [&](int number) {
    std::unique_lock lock(mutex);
    Heard found;
    EXPECT_TRUE(heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next_frame < frames.size(); ++next_frame) {
        found = parted(frames[next_frame]);
        if (found.head.value("kind", "") != "tones" || found.head["number"] != number) continue;
        ++next_frame;
        return true;
      }
      return false;
    }));
    return found;
  };
  set(1, "stipple", {{"dots", "3000"}});
  wait_for("state", "final");
  say({{"type", "tones"}, {"shows", true}});
  const Heard first = tones(1);
  const json report = json::parse(
      good({"stipple", photo, "--dots", "3000", "--report", "--json", "-o", "y.svg"}).out);
  const double worst = report["report"]["measurements"]["worst"];
  EXPECT_NEAR(100 * first.head["worst"].get<double>(), worst, 1e-9);
  EXPECT_EQ(first.head["range"], 0.02);
  EXPECT_EQ(first.pixels.size(),
            4 * first.head["width"].get<std::size_t>() * first.head["height"].get<std::size_t>());
  set(2, "stipple", {{"dots", "500"}});
  const Heard second = tones(2);
  EXPECT_NE(second.pixels, first.pixels);
  // Of a picture that was kept, too.
  set(3, "stipple", {{"dots", "3000"}});
  EXPECT_EQ(tones(3).pixels, first.pixels);
  // What is not measured has none; and none come when they are not wanted.
  set(4, "stipple", {{"dots", "3000"}, {"invert-darks", "0.6"}});
  EXPECT_EQ(tones(4).head["width"], 0);
  say({{"type", "tones"}, {"shows", false}});
  set(5, "stipple", {{"dots", "400"}});
  set(6, "mask", {{"size", "16"}});
  while (wait_for("state", "final")["number"] != 6) {
  }
  const std::lock_guard lock(mutex);
  for (; next_frame < frames.size(); ++next_frame) {
    EXPECT_NE(parted(frames[next_frame]).head.value("kind", ""), "tones");
  }
}

// Inks can be hidden, and the pen's work seen half done: in the view alone, with what it takes
// told.
TEST_F(SessionTest, LayersAndThePensWayAreSeenApart) {
  begin(stippling());
  const json settings = {{"dots", "2000"},
                         {"ink", "black,red"},
                         {"shape", "point"},
                         {"pen", "0.8mm"},
                         {"paper", "a5"}};
  const auto look = [&](const json& hidden, double until) {
    say({{"type", "view"},
         {"number", 1},
         {"width", 200},
         {"height", 280},
         {"left", 0},
         {"top", 0},
         {"zoom", 0.3},
         {"hidden", hidden},
         {"until", until}});
    return frame("final");
  };
  set(1, "stipple", settings);
  const json state = wait_for("state", "final");
  ASSERT_EQ(state["layers"].size(), 2u);
  EXPECT_EQ(state["layers"][1]["color"], "red");
  EXPECT_EQ(state["layers"][0]["marks"].get<int>() + state["layers"][1]["marks"].get<int>(), 2000);
  const std::string told =
      good({"stipple", photo, "--dots", "2000", "--ink", "black,red", "--shape", "point", "--pen",
            "0.8mm", "--paper", "a5", "-o", "x.svg"})
          .err;
  EXPECT_NE(told.find(state["plot"].get<std::string>()), std::string::npos) << told;

  EXPECT_NE(state["forecast"].get<std::string>().find("2,000 touches"), std::string::npos);

  const Heard all = look(json::array(), 1);
  const Heard black = look({1}, 1);
  const Heard red = look({0}, 1);
  const Heard none = look({0, 1}, 1);
  EXPECT_EQ(none.mean(), 255);
  const double dark = 255 - all.mean();
  EXPECT_LT(255 - black.mean(), dark);
  EXPECT_LT(255 - red.mean(), dark);
  EXPECT_EQ(look(json::array(), 0).mean(), 255);
  double before = 0;
  for (const double until : {0.25, 0.5, 0.75, 1.0}) {
    const double there = 255 - look(json::array(), until).mean();
    EXPECT_GT(there, before) << until;
    before = there;
  }
  EXPECT_EQ(look(json::array(), 1).pixels, all.pixels);
  // A picture for the screen has one layer, and no pen.
  set(2, "stipple", {{"dots", "300"}});
  const json plain = wait_for("state", "final");
  EXPECT_EQ(plain["layers"].size(), 0u);
  EXPECT_EQ(plain["plot"], "");
}

class StrokesTest : public SessionTest {
 protected:
  void draw(int number, const std::string& tool, const json& points, double size = 0.3) {
    say({{"type", "stroke"},
         {"number", number},
         {"tool", tool},
         {"size", size},
         {"softness", 0.2},
         {"points", points}});
  }
  static json request(const std::string& type, int number, const json& strokes,
                      const json& settings = {{"dots", "3000"}}) {
    return {{"type", type}, {"number", number},     {"command", "stipple"},
            {"preset", ""}, {"settings", settings}, {"strokes", strokes}};
  }
  // Dots of a .csv in the left and in the right half of the photo.
  std::pair<int, int> halves(const std::string& name) {
    std::istringstream lines(folder.read(name));
    std::pair<int, int> count;
    std::string line;
    while (std::getline(lines, line)) {
      if (line.empty() || !std::isdigit(static_cast<unsigned char>(line[0]))) continue;
      ++(std::stod(line) < 256 ? count.first : count.second);
    }
    return count;
  }
};

// Strokes lie on the photo as it is, so they cannot follow a turn, and the page is told.
TEST_F(StrokesTest, HaveNoEffectOnATurnedPicture) {
  begin(stippling());
  view(0.3);
  draw(1, "more", {0.75, 0.1, 0.75, 0.9}, 0.5);
  say(request("set", 1, {1}, {{"dots", "500"}, {"rotate", "90"}}));
  const std::string warnings = wait_for("state", "final")["warnings"].dump();
  EXPECT_NE(warnings.find("no effect on a turned picture"), std::string::npos) << warnings;
  say(request("set", 2, {1}, {{"dots", "500"}, {"crop", "50%"}}));
  const std::string others = wait_for("state", "final")["warnings"].dump();
  EXPECT_EQ(others.find("turned"), std::string::npos) << others;
}

// Dots go where more are asked for, and what is exported is what the program makes of the weight.
TEST_F(StrokesTest, DotsFollowTheBrushAndSoDoesTheCommandLine) {
  begin(stippling());
  view(0.3);
  say(request("set", 1, json::array()));
  wait_for("state", "final");
  const Heard plain = frame("final");
  draw(1, "more", {0.75, 0.1, 0.75, 0.9}, 0.5);
  draw(2, "fewer", {0.25, 0.1}, 0.5);
  draw(2, "fewer", {0.25, 0.9});  // it goes on
  say(request("set", 2, {1, 2}));
  EXPECT_EQ(wait_for("state", "draft")["number"], 2);
  const json state = wait_for("state", "final");
  EXPECT_EQ(state["dots"], 3000);
  EXPECT_NE(state["line"].get<std::string>().find("--weight ascent-weight.png"), std::string::npos);
  EXPECT_NE(frame("final").pixels, plain.pixels);
  EXPECT_FALSE(std::filesystem::exists(folder / "ascent-weight.png")) << "before it is asked for";

  json order = request("export", 2, {1, 2});
  order["formats"] = {"csv", "svg"};
  say(order);
  json exported = wait_for("exported");
  ASSERT_EQ(exported["files"].size(), 4u) << exported;  // points have a sidecar
  EXPECT_EQ(exported["files"][0], (folder / "ascent-weight.png").string());
  good({"stipple", photo, "--dots", "3000", "--weight", "ascent-weight.png", "-o", "own.csv", "-o",
        "own.svg"});
  EXPECT_EQ(folder.read("ascent-stipple.csv"), folder.read("own.csv"));
  EXPECT_EQ(folder.read("ascent-stipple.svg"), folder.read("own.svg"));
  good({"stipple", photo, "--dots", "3000", "-o", "plain.csv"});
  const auto [left, right] = halves("own.csv");
  const auto [left_before, right_before] = halves("plain.csv");
  EXPECT_EQ(left + right, left_before + right_before);
  EXPECT_GT(right, right_before * 1.2);
  EXPECT_LT(left, left_before * 0.8);
  // The file carries its recipe, which names the weight beside it.
  EXPECT_NE(folder.read("ascent-stipple.svg").find("ascent-weight.png"), std::string::npos);

  // The same weight again is the same file; another gets another.
  order["formats"] = {"svg"};
  say(order);
  exported = wait_for("exported");
  EXPECT_EQ(exported["files"], json::array({(folder / "ascent-stipple-2.svg").string()}));
  say(request("line", 2, {1}));
  const json line = wait_for("line");
  EXPECT_EQ(line["files"], json::array({(folder / "ascent-weight-2.png").string()}));
  EXPECT_NE(line["line"].get<std::string>().find("ascent-weight-2.png"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "ascent-stipple-3.svg"));

  // Undone: the picture from before, and a line without a weight.
  say(request("set", 3, json::array()));
  const json back = wait_for("state");
  EXPECT_EQ(back["state"], "final");
  EXPECT_EQ(back["line"].get<std::string>().find("--weight"), std::string::npos);
  EXPECT_EQ(frame("final").pixels, plain.pixels);
}

// The dots that the page shows are those of the file: its weight in memory is the one that is read.
TEST_F(StrokesTest, ThePageShowsWhatIsExported) {
  begin(stippling());
  view(1, 100, 60);
  draw(7, "more", {0.4, 0.3, 0.5, 0.5});
  draw(9, "protect", {0.5, 0.5}, 0.1);
  draw(8, "fewer", {0.5, 0.4, 0.2, 0.5});
  say(request("set", 1, {7, 9, 8}));
  wait_for("state", "final");
  const Heard seen = frame("final");
  say(request("export", 1, {7, 9, 8}));
  wait_for("exported");
  const Image whole = read_image((folder / "ascent-stipple.png").string(), Context());
  EXPECT_LE(largest_difference(seen, whole), 1);
}

// A weight that the recipe brings along is gone on from; where there is none to go on from, or no
// such stroke, that is said.
TEST_F(StrokesTest, StrokesGoOnFromAWeight) {
  begin(stippling());
  draw(1, "more", {0.75, 0.5});
  say(request("line", 1, {1}));
  const std::string first = wait_for("line")["files"][0];
  draw(2, "fewer", {0.25, 0.5});
  say(request("line", 2, {2}, {{"dots", "3000"}, {"weight", first}}));
  const json line = wait_for("line");
  EXPECT_EQ(line["line"].get<std::string>().find("ascent-weight.png"), std::string::npos);
  const Image both = read_image(line["files"][0].get<std::string>(), Context());
  EXPECT_GT(both.channels[0](384, both.height() / 2), 0.6f);
  EXPECT_LT(both.channels[0](128, both.height() / 2), 0.4f);

  say(request("set", 3, {2}, {{"weight", (folder / "none.png").string()}}));
  EXPECT_NE(wait_for("problems").dump().find("none.png"), std::string::npos);
  say(request("set", 4, {77}));
  EXPECT_NE(wait_for("problems").dump().find("names a stroke"), std::string::npos);
  draw(3, "spray", {0.5, 0.5});
  EXPECT_NE(wait_for("problems").dump().find("tool"), std::string::npos);
  say(request("set", 5, {2}, {{"as", "density"}, {"dots", "300"}}));
  EXPECT_EQ(wait_for("state", "final")["number"], 5);
}

// A command without a weight leaves strokes alone.
TEST_F(StrokesTest, CommandsWithoutAWeightLeaveThemAlone) {
  begin(stippling());
  draw(1, "more", {0.75, 0.5});
  say({{"type", "set"},
       {"number", 1},
       {"command", "dither"},
       {"preset", ""},
       {"settings", json::object()},
       {"strokes", {1}}});
  const json state = wait_for("state", "final");
  EXPECT_EQ(state["line"].get<std::string>().find("weight"), std::string::npos);
}

}  // namespace
}  // namespace dapple::studio

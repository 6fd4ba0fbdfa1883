// The studio behind its page, without a server: what is wished is shown, and written.
#include "studio/session.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <gtest/gtest.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "app/presets.hpp"
#include "cli/program_test.hpp"
#include "dapple/image_files.hpp"

namespace dapple::studio {
namespace {

using nlohmann::json;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

// Collects what a page would hear.
class SessionTest : public test::ProgramTest {
 protected:
  void begin(Wish first) {
    session = std::make_unique<Session>(
        SessionOptions{std::move(first), folder.path().string(), 0},
        [this](int page, const std::string& message, bool binary) {
          const std::lock_guard lock(mutex);
          EXPECT_EQ(page, 1);
          (binary ? frames : texts).push_back(message);
          heard.notify_all();
        },
        [this] { ++gone; });
    session->opened(1);
  }
  void TearDown() override { session.reset(); }

  void say(const json& message) { session->said(1, message.dump()); }
  void set(int number, const std::string& command, const json& settings,
           const std::string& preset = "") {
    say({{"type", "set"},
         {"number", number},
         {"command", command},
         {"preset", preset},
         {"settings", settings}});
  }
  void view(double zoom, double left = 0, double top = 0) {
    say({{"type", "view"},
         {"number", 1},
         {"width", 200},
         {"height", 160},
         {"left", left},
         {"top", top},
         {"zoom", zoom}});
  }
  // The first message that is this one, of those that were not heard before.
  json wait_for(const std::string& type, const std::string& state = "") {
    std::unique_lock lock(mutex);
    json found;
    const bool came = heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next < texts.size(); ++next) {
        const json message = json::parse(texts[next]);
        if (message["type"] != type) continue;
        if (!state.empty() && message["state"] != state) continue;
        found = message;
        ++next;
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << type;
    return found;
  }
  struct Heard {
    json head;
    std::string pixels;
    double mean() const {
      double sum = 0;
      for (const char c : pixels) sum += static_cast<unsigned char>(c);
      return pixels.empty() ? -1 : sum / static_cast<double>(pixels.size());
    }
  };
  static Heard parted(const std::string& message) {
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(message[0])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(message[1]));
    return {json::parse(message.substr(4, length)), message.substr(4 + length)};
  }
  Heard frame(const std::string& state) {
    std::unique_lock lock(mutex);
    Heard found;
    const bool came = heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next_frame < frames.size(); ++next_frame) {
        found = parted(frames[next_frame]);
        lock.unlock();
        session->said(1, R"({"type":"ack"})");
        lock.lock();
        if (found.head["state"] != state) continue;
        ++next_frame;
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << state;
    return found;
  }
  static Wish stippling() {
    Wish wish;
    wish.input = photo;
    return wish;
  }

  std::mutex mutex;
  std::condition_variable heard;
  std::vector<std::string> texts, frames;
  std::size_t next = 0, next_frame = 0;
  std::atomic<int> gone{0};
  std::unique_ptr<Session> session;
};

TEST_F(SessionTest, TheGreetingHoldsEveryOptionOfEveryCommand) {
  begin(stippling());
  const json hello = wait_for("hello");
  EXPECT_EQ(hello["input"], "ascent.png");
  ASSERT_EQ(hello["commands"].size(), operations().size());
  for (const json& command : hello["commands"]) {
    const app::Run run(*find_operation(command["name"].get<std::string>()));
    std::set<std::string> names;
    for (const json& option : command["options"]) names.insert(option["name"]);
    for (const auto& option : run.options) EXPECT_TRUE(names.contains(option->name));
    EXPECT_TRUE(names.contains("seed"));
  }
  EXPECT_GT(hello["presets"].size(), 20u);
}

TEST_F(SessionTest, ADraftThenTheResultInTheView) {
  begin(stippling());
  view(0.3);
  set(1, "stipple", {{"dots", "3000"}});
  const json draft = wait_for("state", "draft");
  EXPECT_EQ(draft["dots"], 3000);
  const json result = wait_for("state", "final");
  EXPECT_EQ(result["number"], 1);
  EXPECT_EQ(result["dots"], 3000);
  EXPECT_EQ(result["values"]["dots"], "3000");
  const Heard seen = frame("final");
  EXPECT_EQ(seen.head["width"], 154);  // 512 pixels at 0.3
  EXPECT_TRUE(seen.head["gray"]);
  EXPECT_EQ(seen.pixels.size(), 154u * seen.head["height"].get<std::size_t>());
  const double mean = seen.mean();
  EXPECT_GT(mean, 60);
  EXPECT_LT(mean, 200);

  // Darker when asked to be.
  set(2, "stipple", {{"dots", "3000"}, {"gamma", "2.5"}});
  wait_for("state", "final");
  const double darker = frame("final").mean();
  EXPECT_LT(std::abs(darker - mean), 120);
  EXPECT_GT(std::abs(darker - mean), 5);

  // Back to what was there: the same picture, without work.
  set(3, "stipple", {{"dots", "3000"}});
  const json again = wait_for("state");
  EXPECT_EQ(again["state"], "final");
  EXPECT_EQ(frame("final").pixels, seen.pixels);
}

// A window at the scale of the file shows the pixels of the file.
TEST_F(SessionTest, AWindowIsACutOfTheFile) {
  begin(stippling());
  view(1, 100, 60);
  set(1, "stipple", {{"dots", "4000"}});
  wait_for("state", "final");
  const Heard seen = frame("final");
  good({"stipple", photo, "--dots", "4000", "-o", "whole.png"});
  const Image whole = read_image((folder / "whole.png").string(), Context());
  ASSERT_EQ(seen.head["width"], 200);
  ASSERT_EQ(seen.head["height"], 160);
  int worst = 0;
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 200; ++x) {
      const int file = static_cast<int>(std::lround(255 * whole.channels[0](100 + x, 60 + y)));
      const int page = static_cast<unsigned char>(
          seen.pixels[static_cast<std::size_t>(y) * 200 + static_cast<std::size_t>(x)]);
      worst = std::max(worst, std::abs(file - page));
    }
  }
  EXPECT_LE(worst, 1);
}

TEST_F(SessionTest, ExportsHaveTheBytesOfTheCommandLine) {
  begin(stippling());
  set(1, "stipple", {{"dots", "500"}, {"shape", "circle"}, {"pen", "1"}, {"seed", "7"}});
  say({{"type", "export"},
       {"number", 1},
       {"command", "stipple"},
       {"preset", ""},
       {"settings", {{"dots", "500"}, {"shape", "circle"}, {"pen", "1"}, {"seed", "7"}}}});
  const json exported = wait_for("exported");
  ASSERT_EQ(exported["files"].size(), 2u);
  const std::string file = exported["files"][0];
  EXPECT_EQ(std::filesystem::path(file).filename(), "ascent-stipple.svg");
  good({"stipple", photo, "--dots", "500", "--shape", "circle", "--pen", "1", "--seed", "7", "-o",
        "own.svg", "-o", "own.png"});
  EXPECT_EQ(folder.read("ascent-stipple.svg"), folder.read("own.svg"));
  EXPECT_EQ(folder.read("ascent-stipple.png"), folder.read("own.png"));
  // And the line that the page shows makes them, too.
  const std::string line = exported["line"];
  EXPECT_EQ(line.substr(0, 15), "dapple stipple ");
  EXPECT_EQ(test::run_process({"/bin/sh", "-c",
                               DAPPLE_PROGRAM + line.substr(6) + " --overwrite if-changed --json"},
                              folder.path())
                .code,
            0);
  // A second export replaces nothing.
  say({{"type", "export"},
       {"number", 1},
       {"command", "mask"},
       {"preset", ""},
       {"settings", {{"size", "16"}}}});
  say({{"type", "export"},
       {"number", 1},
       {"command", "mask"},
       {"preset", ""},
       {"settings", {{"size", "16"}}}});
  wait_for("exported");
  wait_for("exported");
  EXPECT_TRUE(std::filesystem::exists(folder / "mask-2.png"));
}

// What every preset makes of this photo comes by itself, after what is wanted now, each once.
TEST_F(SessionTest, LooksComeOfEveryPreset) {
  begin(stippling());
  say({{"type", "looks"}, {"side", 100}});
  set(1, "stipple", {{"dots", "3000"}});
  EXPECT_EQ(wait_for("state", "final")["number"], 1);
  const json looks = wait_for("looks")["looks"];
  EXPECT_GE(looks.size(), 20u);
  std::set<std::string> presets;
  for (const json& look : looks) presets.insert(look["preset"]);
  for (const app::Preset& preset : app::all_presets()) {
    const bool of_photo = find_operation(preset.recipe.command)->input == InputKind::image;
    EXPECT_EQ(presets.contains(preset.name), of_photo) << preset.name;
  }
  std::unique_lock lock(mutex);
  std::set<int> seen;
  std::set<std::string> different;
  EXPECT_TRUE(heard.wait_for(lock, std::chrono::seconds(60), [&] {
    for (; next_frame < frames.size(); ++next_frame) {
      const Heard frame = parted(frames[next_frame]);
      if (frame.head.value("kind", "") != "look") continue;
      EXPECT_TRUE(seen.insert(frame.head["look"].get<int>()).second);
      EXPECT_EQ(std::max(frame.head["width"].get<int>(), frame.head["height"].get<int>()), 100);
      different.insert(frame.pixels);
    }
    return seen.size() == looks.size();
  })) << seen.size();
  EXPECT_GE(different.size(), 20u);  // some dither to what another does, where it is so small
}

// Where the photo lies on its picture is told, for whoever lays one over the other.
TEST_F(SessionTest, ThePlaceOfThePhotoIsTold) {
  begin(stippling());
  set(1, "stipple", {{"dots", "300"}});
  json state = wait_for("state", "final");
  EXPECT_EQ(state["part"], json({0, 0, 1, 1}));
  EXPECT_NEAR(state["place"][0].get<double>(), 0, 1e-9);
  EXPECT_NEAR(state["place"][2].get<double>(), state["width"].get<double>(), 1e-6);
  set(2, "stipple", {{"dots", "300"}, {"paper", "100x200mm"}, {"margin", "10mm"}, {"dpi", "25.4"}});
  state = wait_for("state", "final");
  EXPECT_EQ(state["width"], 100);
  EXPECT_NEAR(state["place"][0].get<double>(), 10, 1e-6);
  EXPECT_NEAR(state["place"][2].get<double>(), 80, 1e-6);
  EXPECT_GT(state["place"][1].get<double>(), 20);
  // Cut at the sides where it is to fill the paper.
  set(3, "stipple",
      {{"dots", "300"},
       {"paper", "100x200mm"},
       {"margin", "10mm"},
       {"dpi", "25.4"},
       {"fit", "cover"}});
  state = wait_for("state", "final");
  EXPECT_NEAR(state["place"][3].get<double>(), 180, 0.5);
  EXPECT_NEAR(state["part"][0].get<double>() * 2 + state["part"][2].get<double>(), 1, 0.01);
  EXPECT_LT(state["part"][2].get<double>(), 0.8);
}

// As files by themselves hold four channels at most, more are written as the program itself would.
TEST_F(SessionTest, ExportsOfManyChannelsGoToAFileThatHoldsThem) {
  begin(stippling());
  const json settings = {{"size", "32"}, {"count", "9"}, {"outputs", "f1,f2,f3,edge,id"}};
  set(1, "worley", settings);
  EXPECT_EQ(wait_for("state", "final")["own"], json({"exr"}));
  say({{"type", "export"},
       {"number", 1},
       {"command", "worley"},
       {"preset", ""},
       {"settings", settings},
       {"formats", json::array()}});
  const json exported = wait_for("exported");
  ASSERT_EQ(exported["files"].size(), 1u);
  EXPECT_EQ(exported["files"][0], (folder / "worley.exr").string());
  good(
      {"worley", "--size", "32", "--count", "9", "--outputs", "f1,f2,f3,edge,id", "-o", "own.exr"});
  EXPECT_EQ(folder.read("worley.exr"), folder.read("own.exr"));
}

// A folder may have any name.
TEST_F(SessionTest, ExportsGoIntoAFolderWithBraces) {
  const auto odd = folder / "a {stem} b";
  std::filesystem::create_directory(odd);
  session = std::make_unique<Session>(
      SessionOptions{stippling(), odd.string(), 0},
      [this](int, const std::string& message, bool binary) {
        const std::lock_guard lock(mutex);
        (binary ? frames : texts).push_back(message);
        heard.notify_all();
      },
      [] {});
  session->opened(1);
  say({{"type", "export"},
       {"number", 1},
       {"command", "mask"},
       {"preset", ""},
       {"settings", {{"size", "16"}}}});
  EXPECT_EQ(wait_for("exported")["files"][0], (odd / "mask.png").string());
}

TEST_F(SessionTest, EveryCommandIsLive) {
  begin(stippling());
  view(0.5);
  int number = 0;
  for (const Operation& operation : operations()) {
    json settings = json::object();
    if (operation.name == "mask") settings["size"] = "32";
    if (operation.name == "worley") settings = {{"size", "64"}, {"count", "20"}};
    if (operation.name == "sample") settings["count"] = "200";
    set(++number, std::string(operation.name), settings);
    const json state = wait_for("state", "final");
    EXPECT_EQ(state["number"], number) << operation.name;
    EXPECT_GT(frame("final").mean(), 0) << operation.name;
  }
}

TEST_F(SessionTest, WhatIsWrongIsSaidByTheNameOfItsOption) {
  begin(stippling());
  set(1, "stipple", {{"regularity", "7"}});
  json problems = wait_for("problems");
  EXPECT_EQ(problems["number"], 1);
  EXPECT_EQ(problems["problems"][0]["option"], "regularity");
  set(2, "stipple", {{"shape", "circle"}});
  problems = wait_for("problems");
  EXPECT_NE(problems.dump().find("--pen"), std::string::npos) << problems.dump();
  set(3, "stipple", {{"no-such", "1"}});
  EXPECT_EQ(wait_for("problems")["problems"][0]["option"], "no-such");
  set(4, "carve", json::object());
  EXPECT_NE(wait_for("problems").dump().find("carve"), std::string::npos);
  for (const char* junk :
       {"", "{", "[]", "7", R"({"type":"view"})", R"({"type":"set","number":"1"})"}) {
    session->said(1, junk);
  }
  set(5, "mask", {{"size", "16"}});
  EXPECT_EQ(wait_for("state", "final")["number"], 5);
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
  static json wish(const std::string& type, int number, const json& strokes,
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

// Dots go where more are asked for, and what is exported is what the program makes of the weight.
TEST_F(StrokesTest, DotsFollowTheBrushAndSoDoesTheCommandLine) {
  begin(stippling());
  view(0.3);
  say(wish("set", 1, json::array()));
  wait_for("state", "final");
  const Heard plain = frame("final");
  draw(1, "more", {0.75, 0.1, 0.75, 0.9}, 0.5);
  draw(2, "fewer", {0.25, 0.1}, 0.5);
  draw(2, "fewer", {0.25, 0.9});  // it goes on
  say(wish("set", 2, {1, 2}));
  EXPECT_EQ(wait_for("state", "draft")["number"], 2);
  const json state = wait_for("state", "final");
  EXPECT_EQ(state["dots"], 3000);
  EXPECT_NE(state["line"].get<std::string>().find("--weight ascent-weight.png"), std::string::npos);
  EXPECT_NE(frame("final").pixels, plain.pixels);
  EXPECT_FALSE(std::filesystem::exists(folder / "ascent-weight.png")) << "before it is asked for";

  json order = wish("export", 2, {1, 2});
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
  say(wish("line", 2, {1}));
  const json line = wait_for("line");
  EXPECT_EQ(line["files"], json::array({(folder / "ascent-weight-2.png").string()}));
  EXPECT_NE(line["line"].get<std::string>().find("ascent-weight-2.png"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "ascent-stipple-3.svg"));

  // Undone: the picture from before, and a line without a weight.
  say(wish("set", 3, json::array()));
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
  say(wish("set", 1, {7, 9, 8}));
  wait_for("state", "final");
  const Heard seen = frame("final");
  say(wish("export", 1, {7, 9, 8}));
  wait_for("exported");
  const Image whole = read_image((folder / "ascent-stipple.png").string(), Context());
  int worst = 0;
  for (int y = 0; y < 160; ++y) {
    for (int x = 0; x < 200; ++x) {
      const int file = static_cast<int>(std::lround(255 * whole.channels[0](100 + x, 60 + y)));
      const int page = static_cast<unsigned char>(
          seen.pixels[static_cast<std::size_t>(y) * 200 + static_cast<std::size_t>(x)]);
      worst = std::max(worst, std::abs(file - page));
    }
  }
  EXPECT_LE(worst, 1);
}

// A weight that the recipe brings along is gone on from; where there is none to go on from, or no
// such stroke, that is said.
TEST_F(StrokesTest, StrokesGoOnFromAWeight) {
  begin(stippling());
  draw(1, "more", {0.75, 0.5});
  say(wish("line", 1, {1}));
  const std::string first = wait_for("line")["files"][0];
  draw(2, "fewer", {0.25, 0.5});
  say(wish("line", 2, {2}, {{"dots", "3000"}, {"weight", first}}));
  const json line = wait_for("line");
  EXPECT_EQ(line["line"].get<std::string>().find("ascent-weight.png"), std::string::npos);
  const Image both = read_image(line["files"][0].get<std::string>(), Context());
  EXPECT_GT(both.channels[0](384, both.height() / 2), 0.6f);
  EXPECT_LT(both.channels[0](128, both.height() / 2), 0.4f);

  say(wish("set", 3, {2}, {{"weight", (folder / "none.png").string()}}));
  EXPECT_NE(wait_for("problems").dump().find("none.png"), std::string::npos);
  say(wish("set", 4, {77}));
  EXPECT_NE(wait_for("problems").dump().find("strokes"), std::string::npos);
  draw(3, "spray", {0.5, 0.5});
  EXPECT_NE(wait_for("problems").dump().find("tool"), std::string::npos);
  say(wish("set", 5, {2}, {{"as", "density"}, {"dots", "300"}}));
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

// However fast the hand is: the last wish is met, drafts come between, and results give way.
TEST_F(SessionTest, AHandThatDoesNotRest) {
  begin(stippling());
  view(0.3);
  constexpr int changes = 40;
  for (int i = 1; i <= changes; ++i) {
    set(i, "stipple", {{"dots", "3000"}, {"black", std::to_string(0.005 * i)}});
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
  }
  std::set<int> drafts;
  while (true) {
    const json state = wait_for("state");
    ASSERT_TRUE(state.is_object());
    if (state["state"] == "draft") drafts.insert(state["number"].get<int>());
    if (state["number"] == changes && state["state"] == "final") break;
  }
  EXPECT_GT(drafts.size(), 1u);
}

TEST_F(SessionTest, ThePageThatGoesIsTold) {
  begin(stippling());
  session->closed(2);
  EXPECT_EQ(gone, 0);
  session->closed(1);
  EXPECT_EQ(gone, 1);
}

}  // namespace
}  // namespace dapple::studio

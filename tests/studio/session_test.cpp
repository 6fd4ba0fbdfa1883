// The studio behind its page, without a server: what is requested is shown, and written.
#include "studio/session_test.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "app/presets/presets.hpp"
#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"

namespace dapple::studio {
namespace {

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

// A page without a server has two such sessions: one makes drafts, the other results.
TEST_F(SessionTest, WithoutThreadsTheCallerRunsIt) {
  for (const bool makes_results : {false, true}) {
    const char* const wanted = makes_results ? "final" : "draft";
    std::vector<std::string> states;
    bool framed = false;
    SessionOptions options{stippling(), folder.path().string(), 1, {photo}};
    options.has_threads = false;
    options.makes_drafts = !makes_results;
    options.makes_results = makes_results;
    Session stepped(
        options,
        [&](int, const std::string& message, bool binary) {
          framed |= binary;
          if (binary) return;
          const json told = json::parse(message);
          if (told["type"] == "state") states.push_back(told["state"]);
        },
        [] {});
    stepped.opened(1);
    EXPECT_FALSE(stepped.step()) << "nothing is requested";
    stepped.said(1, json{{"type", "view"},
                         {"number", 1},
                         {"width", 200},
                         {"height", 160},
                         {"left", 0},
                         {"top", 0},
                         {"zoom", 0.3}}
                        .dump());
    stepped.said(1, json{{"type", "set"},
                         {"number", 1},
                         {"command", "stipple"},
                         {"preset", ""},
                         {"settings", {{"dots", "3000"}}}}
                        .dump());
    EXPECT_TRUE(states.empty()) << "work waits for step()";
    EXPECT_TRUE(stepped.step());
    EXPECT_EQ(states, std::vector<std::string>{wanted});
    EXPECT_TRUE(framed) << "the view is painted with its picture";
    EXPECT_FALSE(stepped.step());
  }
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

// What changes a little moves dots a little, and brings and takes few; also dots that come in
// ranks, and those of paper on ink.
TEST_F(SessionTest, DotsStayInDrafts) {
  begin(stippling());
  view(1, 100, 60);
  int number = 0;
  const auto final_of = [&](int requested) {
    Heard found = frame("final");
    while (found.head["number"] != requested) found = frame("final");
    return found;
  };
  for (json settings : {json{{"dots", "2000"}}, json{{"dots", "2000"}, {"progressive", "true"}},
                        json{{"dots", "2000"}, {"invert-darks", "0.5"}}}) {
    set(++number, "stipple", settings);
    const Heard before = final_of(number);
    const bool inverted = settings.contains("invert-darks");
    settings["gamma"] = inverted ? "1.01" : "1.05";  // which moves the border of what is covered
    set(++number, "stipple", settings);
    const Heard draft = frame("draft");
    EXPECT_EQ(draft.head["number"], number);
    EXPECT_EQ(draft.head["dots"], 2000);
    ASSERT_EQ(draft.pixels.size(), before.pixels.size());
    double moved = 0;
    double ink = 0;
    for (std::size_t i = 0; i < draft.pixels.size(); ++i) {
      const int now = static_cast<unsigned char>(draft.pixels[i]);
      const int then = static_cast<unsigned char>(before.pixels[i]);
      moved += std::abs(now - then);
      ink += 255 - then;
    }
    // .67 for dots that are thrown anew
    EXPECT_LT(moved, 0.45 * ink) << settings << moved / ink;
    final_of(number);
  }
}

// Very many dots are thrown, also where their number follows from their size.
TEST_F(SessionTest, DraftsOfVeryManyDotsAreThrown) {
  begin(stippling());
  view(1, 100, 60);
  int number = 0;
  for (json settings : {json{{"dots", "45000"}}, json{{"dot-size", "1.4"}}}) {
    set(++number, "stipple", settings);
    const Heard draft = frame("draft");
    EXPECT_EQ(draft.head["number"], number);
    EXPECT_GT(draft.head["dots"], 40000);
    settings["method"] = "poisson";
    settings["order"] = "none";
    set(++number, "stipple", settings);
    Heard thrown = frame("final");
    while (thrown.head["number"] != number) thrown = frame("final");
    EXPECT_EQ(draft.pixels, thrown.pixels) << settings;
  }
}

// A picture of another size is not shown in the view of the one before it.
TEST_F(SessionTest, APictureOfAnotherSizeWaitsForAViewOfIt) {
  begin(stippling());
  const auto look_at = [&](int number, const json& state) {
    say({{"type", "view"},
         {"number", number},
         {"width", 200},
         {"height", 160},
         {"left", 0},
         {"top", 0},
         {"zoom", 0.3},
         {"ofWidth", state["width"]},
         {"ofHeight", state["height"]}});
  };
  const auto request = [&](int number, const char* width) {
    set(number, "stipple",
        {{"dots", "300"}, {"method", "poisson"}, {"paper", width}, {"dpi", "25.4"}});
  };
  request(1, "300x200mm");
  look_at(1, wait_for("state", "final"));
  EXPECT_EQ(frame("final").head["pictureWidth"], 300);
  request(2, "400x200mm");
  const json state = wait_for("state", "final");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time to paint it, were that done
  look_at(2, state);
  const Heard seen = frame("final");
  EXPECT_EQ(seen.head["pictureWidth"], 400);
  EXPECT_EQ(seen.head["view"], 2);
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
  EXPECT_EQ(largest_difference(seen, whole), 0);
}

// Many dots are sketched at once, and then as the file has them.
TEST_F(SessionTest, ManyDotsAreSketchedFirst) {
  begin(stippling());
  say({{"type", "view"},
       {"number", 1},
       {"width", 512},
       {"height", 512},
       {"left", 0},
       {"top", 0},
       {"zoom", 1}});
  set(1, "stipple", {{"dots", "160000"}, {"method", "poisson"}});
  wait_for("state", "final");
  const Heard soon = frame("draft");
  const Heard seen = frame("final");
  EXPECT_EQ(soon.head["dots"], seen.head["dots"]);
  EXPECT_NE(soon.pixels, seen.pixels);
  EXPECT_NEAR(soon.mean(), seen.mean(), 8);
  good({"stipple", photo, "--dots", "160000", "--method", "poisson", "-o", "whole.png"});
  const Image whole = read_image((folder / "whole.png").string(), Context());
  ASSERT_EQ(seen.pixels.size(), whole.channels[0].size());
  for (std::size_t i = 0; i < seen.pixels.size(); ++i) {
    ASSERT_EQ(static_cast<unsigned char>(seen.pixels[i]),
              std::lround(255 * whole.channels[0].values()[i]))
        << i;
  }
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
  say({{"type", "export"},
       {"number", 1},
       {"command", "stipple"},
       {"preset", ""},
       {"settings", {{"dots", "100"}, {"plates", "true"}}},
       {"formats", {"tif", "svg"}}});
  wait_for("exported");
  EXPECT_TRUE(std::filesystem::exists(folder / "ascent-stipple-2-black.tif"));
  EXPECT_TRUE(std::filesystem::exists(folder / "ascent-stipple-2.svg"));
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

// Several photos: small drafts of all under one's settings, and a batch file whose files are those
// of the command line of each. Strokes are of their photo alone.
TEST_F(SessionTest, PhotosShareSettingsAndABatchFileMakesThemAll) {
  std::filesystem::create_directory(folder / "x");
  for (const char* name : {"a.png", "x/a.png"}) {
    photos.push_back((folder / name).string());
    Plane<float> gray(60, 40);
    for (int x = 0; x < 60; ++x) {
      for (int y = 0; y < 40; ++y) {
        gray(x, y) = static_cast<float>(name[0] == 'x' ? 59 - x : x) / 60;
      }
    }
    Image image;
    image.channels.push_back(std::move(gray));
    image.names = {"Y"};
    write_file(photos.back(), encode_image(std::move(image), "png"), Overwrite::never);
  }
  RenderRequest first;
  first.input = photos[0];
  begin(first);
  EXPECT_EQ(wait_for("hello")["photos"], json({"a.png", "a.png"}));
  say({{"type", "stroke"},
       {"number", 5},
       {"tool", "fewer"},
       {"size", 0.4},
       {"softness", 0.5},
       {"points", {0.2, 0.5}}});
  json request{{"type", "set"},
               {"number", 1},
               {"command", "stipple"},
               {"preset", ""},
               {"settings", {{"dots", "200"}, {"seed", "3"}}},
               {"photo", 1},
               {"strokes", {5}},
               {"strip", {json::array(), {5}}}};
  say({{"type", "strip"}, {"side", 48}});
  say(request);
  EXPECT_EQ(wait_for("state", "final")["dots"], 200);
  const auto drafts = [&] {
    std::unique_lock lock(mutex);
    std::map<int, double> means;
    EXPECT_TRUE(heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next_frame < frames.size() && means.size() < 2; ++next_frame) {
        const Heard frame = parted(frames[next_frame]);
        if (frame.head.value("kind", "") != "strip") continue;
        EXPECT_EQ(frame.head["width"], 48);
        means[frame.head["photo"]] = frame.mean();
      }
      return means.size() == 2;
    }));
    return means;
  };
  EXPECT_EQ(drafts().size(), 2u);
  request["number"] = 2;
  request["settings"]["dot-size"] = "2.5";
  say(request);
  EXPECT_LT(std::abs(drafts()[0] - 128), 127);  // both again, as they look now

  // A page names no files, and strokes for each photo.
  for (const json& wrong : {json(2), json(-1), json("a.png")}) {
    json other = request;
    other["photo"] = wrong;
    say(other);
    EXPECT_NE(wait_for("problems").dump().find("a photo that does not exist"), std::string::npos);
  }
  json other = request;
  other["strip"] = json::array();
  say(other);
  EXPECT_NE(wait_for("problems").dump().find("for each photo"), std::string::npos);

  request["type"] = "export";
  request["formats"] = {"svg"};
  say(request);
  const json written = wait_for("exported");
  ASSERT_EQ(written["files"].size(), 2u) << written;
  const std::string file = written["files"][0];
  EXPECT_EQ(std::filesystem::path(file).filename(), "stipple-jobs.toml");
  EXPECT_EQ(std::filesystem::path(written["files"][1].get<std::string>()).filename(),
            "a-weight.png");
  EXPECT_EQ(written["line"], "dapple batch " + file);
  const std::string text = folder.read("stipple-jobs.toml");
  EXPECT_NE(text.find("dots = 200\n"), std::string::npos) << text;
  good({"batch", file});
  const std::string weight = (folder / "a-weight.png").string();
  good(
      {"stipple", photos[0], "--dots", "200", "--seed", "3", "--dot-size", "2.5", "-o", "one.svg"});
  good({"stipple", photos[1], "--dots", "200", "--seed", "3", "--dot-size", "2.5", "--weight",
        weight, "-o", "two.svg"});
  EXPECT_EQ(folder.read("a-stipple.svg"), folder.read("one.svg"));
  EXPECT_EQ(folder.read("a-stipple-2.svg"), folder.read("two.svg"));
}

// A draft of many dots keeps those on the page, and one of a reduced photo has its tones.
TEST_F(SessionTest, DraftsResembleTheirResults) {
  begin(stippling());
  int number = 0;
  for (const char* dots : {"2000", "42000"}) {
    for (const char* gamma : {"1", "1.05"}) {
      set(++number, "stipple", {{"dots", dots}, {"gamma", gamma}, {"blur", "2"}, {"size", "512"}});
      wait_for("state", "draft");
      view(0.39);
      const Heard draft = frame("draft");
      const Heard result = frame("final");
      EXPECT_EQ(draft.head["dots"], result.head["dots"]);
      ASSERT_EQ(draft.pixels.size(), result.pixels.size());
      EXPECT_NEAR(draft.mean(), result.mean(), 3) << dots << ' ' << gamma;
    }
  }
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
  Context context;
  for (const app::Preset& preset : app::all_presets(context)) {
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

// Of an animation some commands take all frames, others the first, in whatever order they are
// chosen.
TEST_F(SessionTest, FramesGoToWhoTakesThem) {
  Image moving;
  moving.channels.emplace_back(64, 96);
  moving.names = {"Y"};
  moving.slices = 3;
  for (int y = 0; y < 96; ++y) {
    for (int x = 0; x < 64; ++x) moving.channels[0](x, y) = static_cast<float>(x) / 64;
  }
  RenderRequest request;
  request.input = (folder / "moving.tif").string();
  write_file(request.input, encode_image(moving, "tif"), Overwrite::never);
  begin(request);
  int number = 0;
  for (const char* command : {"dither", "stipple", "dither", "sample", "stipple"}) {
    const bool draws = std::string(command) != "dither";
    json settings = json::object();
    if (draws) settings[command == std::string("sample") ? "count" : "dots"] = "100";
    set(++number, command, settings);
    const json state = wait_for("state", "final");
    ASSERT_EQ(state["number"], number) << command;
    EXPECT_EQ(state["height"].get<double>() / state["width"].get<double>(), 0.5) << command;
    say({{"type", "export"},
         {"number", number},
         {"command", command},
         {"preset", ""},
         {"settings", settings},
         {"formats", {"tif"}}});
    const Image made = read_frames(wait_for("exported")["files"][0].get<std::string>(), Context());
    EXPECT_EQ(made.slices, draws ? 1 : 3) << command;
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

// However fast the hand is: the last request is met, drafts come between, and results give way.
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

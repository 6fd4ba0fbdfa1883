// What `dapple schema` says that a change costs is what it changes: each option of a stippling is
// changed, and dots that should lie where they were do, or are as large.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/help/schema.hpp"
#include "app/presets/settings.hpp"
#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/image_files.hpp"
#include "program_test.hpp"

namespace dapple::app {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;
using Dots = std::multiset<std::tuple<double, double, double>>;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

// A part of it, 128x96.
Image small_photo() {
  Image image = rows_of(read_image(photo, Context()), 100, 196);
  for (Plane<float>& channel : image.channels) {
    Plane<float> part(128, 96);
    for (int y = 0; y < 96; ++y) {
      for (int x = 0; x < 128; ++x) part(x, y) = channel(x + 150, y);
    }
    channel = part;
  }
  return image;
}

class Costs : public test::ProgramTest {
 protected:
  Dots dots_of(const Settings& settings) {
    app::Run again(*find_operation("stipple"));
    for (const auto& [name, text] : settings) set_option(name, text, again);
    Context context;
    load_files(again.options, context);
    const InMemory made = make(again, &image_, context, false);
    Dots dots;
    for (const Layer& layer : made.result.drawing()->drawing.layers) {
      for (const Disc& disc : layer.discs) {
        dots.insert({disc.center.x, disc.center.y, disc.radius});
      }
    }
    return dots;
  }
  static std::multiset<std::pair<double, double>> places_of(const Dots& dots) {
    std::multiset<std::pair<double, double>> places;
    for (const auto& [x, y, r] : dots) places.insert({x, y});
    return places;
  }

  Image image_ = small_photo();
};

struct Change {
  std::string text;
  Settings with = {};  // what the option needs to have a meaning, before and after
};

TEST_F(Costs, AreWhatAChangeChanges) {
  const std::map<std::string, Change> drawing{
      {"order", {"hilbert"}},
      {"registration", {"true", {{"margin", "8mm"}}}},
      {"size", {"300"}},
      {"touch", {"0.05mm", {{"shape", "point"}, {"pen", "0.3mm"}}}},
      {"split", {"3"}},
      {"ink", {"red"}},
      {"background", {"yellow"}},
      {"speed", {"20"}},
      {"travel-speed", {"90"}},
      {"acceleration", {"300"}},
      {"pen-lift", {"0.4"}},
      {"pen-change", {"9"}},
      {"pen-up", {"M5"}},
      {"pen-down", {"M3"}},
      {"laser-mode", {"dynamic"}},
      {"laser-power", {"50", {{"laser-mode", "dynamic"}}}},
      {"laser-full", {"255", {{"laser-mode", "dynamic"}}}},
      {"dwell", {"0.1", {{"laser-mode", "dynamic"}}}},
      {"line-corners", {"100"}},
  };
  const std::map<std::string, Change> sizes{
      {"shape", {"circle", {{"shape", "spiral"}, {"pen", "0.1mm"}}}},
      {"pen", {"0.2mm", {{"shape", "circle"}, {"pen", "0.1mm"}}}},
  };
  const std::map<std::string, Change> tone{
      {"size-from", {"detail", {{"dot-size", "0.3mm:1mm"}}}},
      {"size-steps", {"3", {{"dot-size", "0.3mm:1mm"}}}},
      {"no-overlap", {"true"}},
      {"gap", {"0.3mm"}},
      {"contrast", {"none"}},
      {"detail", {"1"}},
      {"sharpen", {"2"}},
      {"blur", {"3px"}},
      {"clean", {"true"}},
      {"as", {"density"}},
      {"tone", {"linear"}},
      {"invert", {"true"}},
      {"black", {"0.2"}},
      {"white", {"0.8"}},
      {"gamma", {"1.4"}},
      {"white-cutoff", {"0.7"}},
      {"invert-darks", {"0.6"}},
      {"solid-blacks", {"true", {{"black", "0.6"}}}},
  };
  const auto changes = [&](const std::string& name, const Change& change) {
    Settings before = change.with;
    before.emplace_back("dots", "200");
    if (name != "invert-darks") before.emplace_back("method", "poisson");  // which is soon done
    Settings after = before;
    after.emplace_back(name, change.text);
    return std::pair(dots_of(before), dots_of(after));
  };
  for (const auto& [name, change] : drawing) {
    EXPECT_EQ(cost_of(*find_operation("stipple"), name), Cost::drawing) << name;
    const auto [before, after] = changes(name, change);
    EXPECT_EQ(before, after) << name;
  }
  for (const auto& [name, change] : sizes) {
    EXPECT_EQ(cost_of(*find_operation("stipple"), name), Cost::sizes) << name;
    const auto [before, after] = changes(name, change);
    EXPECT_EQ(places_of(before), places_of(after)) << name;
    EXPECT_NE(before, after) << name;
  }
  for (const auto& [name, change] : tone) {
    EXPECT_EQ(cost_of(*find_operation("stipple"), name), Cost::tone) << name;
    const auto [before, after] = changes(name, change);
    EXPECT_NE(places_of(before), places_of(after)) << name;
    if (name != "invert-darks") {
      EXPECT_EQ(before.size(), after.size()) << name;
    }
  }
  EXPECT_EQ(cost_of(*find_operation("stipple"), "dots"), Cost::number);
  EXPECT_NE(dots_of({{"dot-size", "1mm"}}).size(), dots_of({{"dot-size", "2mm"}}).size());
}

TEST_F(Costs, AreToldOfEachOptionOfAResult) {
  using nlohmann::json;
  for (const json& command : json::parse(good({"schema"}).out)["commands"]) {
    const bool makes = find_operation(command["command"].get<std::string>()) != nullptr;
    for (const json& option : command["options"]) {
      const bool wants = makes && (!option["common"] || option["name"] == "seed");
      EXPECT_EQ(option.contains("cost"), wants) << command["command"] << option["name"];
    }
    if (!makes) continue;
    for (const json& option : command["options"]) {
      if (option["name"] == "seed") {
        EXPECT_EQ(option["cost"], "all");
      }
      if (option["name"] == "gamma") {
        EXPECT_EQ(option["cost"], "tone");
      }
    }
  }
}

}  // namespace
}  // namespace dapple::app

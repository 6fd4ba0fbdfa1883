// `dapple schema`: the option list as data.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "app/command.hpp"
#include "app/help/help.hpp"
#include "dapple/extend/options.hpp"
#include "program_test.hpp"

namespace dapple::app {
namespace {

using nlohmann::json;

class Schema : public test::ProgramTest {};

TEST_F(Schema, HoldsEveryOptionOfEveryCommand) {
  const json all = json::parse(good({"schema"}).out)["commands"];
  ASSERT_EQ(all.size(), commands().size());
  std::size_t options = 0;
  std::size_t sliders = 0;
  for (const json& object : all) {
    const Command* command = find_command(object["command"].get<std::string>());
    ASSERT_NE(command, nullptr);
    std::set<std::string> expected, found;
    const auto invocation = command->make();
    for (const OptionSection& section : sections_of(*invocation)) {
      for (const Option* option : section.options) expected.insert(option->name);
    }
    for (const json& option : object["options"]) {
      found.insert(option["name"].get<std::string>());
      if (const auto usual = option.find("usual"); usual != option.end()) {
        const double low = (*usual)["minimum"];
        const double high = (*usual)["maximum"];
        EXPECT_LT(low, high) << option["name"];
        EXPECT_GE(low, option.value("minimum", low)) << option["name"];
        EXPECT_LE(high, option.value("maximum", high)) << option["name"];
        if ((*usual)["logarithmic"]) {
          EXPECT_GT(low, 0) << option["name"];
        }
        ++sliders;
      }
      for (const char* key : {"doc", "type", "group", "default", "repeats", "essential"}) {
        EXPECT_TRUE(option.contains(key)) << option["name"] << " " << key;
      }
    }
    EXPECT_EQ(found, expected) << command->name;
    options += found.size();
  }
  EXPECT_GT(options, 300u);
  EXPECT_GE(sliders, 17u);
}

TEST_F(Schema, SaysWhatAnOptionMayBe) {
  const json object = json::parse(good({"schema", "stipple"}).out);
  const auto find = [&](const std::string& name) {
    for (const json& option : object["options"]) {
      if (option["name"] == name) return option;
    }
    return json();
  };
  EXPECT_EQ(find("method")["choices"][0], "kernel");
  EXPECT_EQ(find("method")["default"], "kernel");
  EXPECT_EQ(find("regularity")["minimum"], 0);
  EXPECT_EQ(find("regularity")["maximum"], 1);
  EXPECT_EQ(find("dots")["essential"], true);
  EXPECT_EQ(find("mask")["type"], "image");
  EXPECT_FALSE(object["examples"].empty());
  const test::Outcome outcome = run({"schema", "stiple"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("did you mean 'stipple'"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dapple::app

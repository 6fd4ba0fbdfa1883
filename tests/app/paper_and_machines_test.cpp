// Crops, lasers and calibrations, as a user gives them on the command line.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

const std::string photo = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/raccoon.png";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Machines : public test::ProgramTest {
 protected:
  void SetUp() override { own_.environment = {{"XDG_DATA_HOME", (folder / "data").string()}}; }
  // Runs the program for a user without pens and machines of their own.
  test::Outcome done(const Words& words) const { return good(words, own_); }
  std::string refused(const Words& words, int code = 2) const {
    const auto outcome = run(words, own_);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return outcome.err;
  }

 private:
  test::Spawn own_;
};

TEST_F(Machines, CropsAndTurnsInEveryCommand) {
  const auto size = [&](Words words) {
    words.insert(words.end(), {"--json", "-o", "a.png"});
    const json output = json::parse(done(words).out)["outputs"][0];
    return std::pair(output["width"].get<int>(), output["height"].get<int>());
  };
  EXPECT_EQ(size({"stipple", photo, "--dots", "50", "--crop", "400x300+10+20"}),
            std::pair(400, 300));
  EXPECT_EQ(size({"dither", photo, "--grey", "--rotate", "90", "--crop", "1:2"}),
            std::pair(512, 1024));
  EXPECT_EQ(size({"sample", photo, "--count", "50", "--crop", "50%x25%"}), std::pair(512, 192));
  EXPECT_EQ(size({"mask", "--density", photo, "--as", "tone", "--crop", "64x32"}),
            std::pair(64, 32));
  EXPECT_TRUE(holds(refused({"stipple", photo, "--crop", "1200x10", "-o", "a.png"}),
                    "--crop: '1200x10' is 1200x10 pixels, which does not lie in the picture of "
                    "1024x768 pixels"));
  EXPECT_TRUE(holds(refused({"sample", photo, "--sphere", "1", "--rotate", "90"}),
                    "--rotate: cannot be combined with --sphere"));
  EXPECT_TRUE(holds(refused({"sample", "--size", "64", "--crop", "50%"}), "without MAP or"));
  // A file made from the cropped picture is made again from its recipe.
  done({"stipple", photo, "--dots", "80", "--rotate", "12.5", "--crop", "3:2", "-o", "a.dxf"});
  done({"stipple", photo, "--recipe", "a.dxf", "-o", "b.dxf"});
  EXPECT_EQ(folder.read("a.dxf"), folder.read("b.dxf"));
}

TEST_F(Machines, ALaserHasPowerAndDwell) {
  const Words base{"stipple", photo, "--paper", "A6", "--shape", "point", "--pen", "1mm"};
  const auto with = [&](Words more) {
    Words words = base;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  done(with({"--machine", "laser-grbl", "--dwell", "0.05", "-o", "a.gcode"}));
  const std::string code = folder.read("a.gcode");
  EXPECT_TRUE(holds(code, "\nM3 S300\nG4 P0.05\nM5\nG0 "));
  EXPECT_FALSE(holds(code.substr(code.find("G21")), "Z"));
  EXPECT_TRUE(holds(refused(with({"--dwell", "0.05", "-o", "a.gcode"})),
                    "--dwell: has no effect without --laser-mode"));
  EXPECT_TRUE(holds(refused(with({"--machine", "laser-grbl", "--pen-up", "M5", "-o", "a.gcode"})),
                    "which a laser does not have"));
  EXPECT_EQ(run(with({"--laser-mode", "dynamic", "--laser-power", "101"})).code, 2);
  // The recipe of a stranger must not turn a laser on unnoticed.
  done(with({"--laser-mode", "dynamic", "-o", "a.svg"}));
  EXPECT_TRUE(holds(refused({"stipple", photo, "--recipe", "a.svg", "-o", "b.gcode"}),
                    "machine commands (laser-mode = dynamic)"));
}

TEST_F(Machines, CalibrationsAreSavedByName) {
  done({"calibrate", "--pen", "--width", "0.6", "-o", "sheet.png", "-o", "sheet.svg"});
  const auto read = done({"calibrate", "--pen", "--width", "0.6", "--scan", "sheet.png", "--json"});
  const json report = json::parse(read.out)["report"];
  EXPECT_NEAR(report["measurements"]["dot"].get<double>(), 0.6, 0.006);
  const auto saved =
      done({"calibrate", "--pen", "--width", "0.6", "--scan", "sheet.png", "--save", "my-pen"});
  EXPECT_TRUE(holds(saved.err, "use it with --pen my-pen")) << saved.err;
  EXPECT_TRUE(holds(saved.out, "dot ")) << saved.out;
  const std::string file = "data/dapple/presets/tools/pens.toml";
  folder.write(file, "# mine\n[brush]\npen = \"2mm\"\n" + folder.read(file));
  done({"calibrate", "--pen", "--width", "0.6", "--scan", "sheet.png", "--save", "my-pen"});
  const std::string pens = folder.read(file);
  EXPECT_TRUE(pens.starts_with("# mine\n[brush]\npen = \"2mm\"\n")) << pens;
  EXPECT_EQ(pens.find("[my-pen]"), pens.rfind("[my-pen]")) << pens;
  const std::string recipe = done({"stipple", photo, "--shape", "point", "--pen", "my-pen",
                                   "--paper", "A6", "--print-recipe"})
                                 .out;
  EXPECT_TRUE(holds(recipe, "pen = \"0.6")) << recipe;
  // The sheet of a laser as if all of its dots were alike: the quickest field is chosen.
  done({"calibrate", "--laser", "--machine", "laser-grbl", "--powers", "20,40", "-o", "burn.png",
        "-o", "burn.gcode"});
  EXPECT_TRUE(holds(folder.read("burn.gcode"), "M3 S400\nG4 P0.06\n"));
  done({"calibrate", "--laser", "--machine", "laser-grbl", "--powers", "20,40", "--scan",
        "burn.png", "--save", "my-laser"});
  EXPECT_TRUE(holds(folder.read("data/dapple/presets/tools/machines.toml"),
                    "laser-mode = \"dynamic\"\nlaser-power = 20\nlaser-full = 1000\ndwell = "
                    "0.005\n"));
  done({"stipple", photo, "--machine", "my-laser", "--shape", "point", "--pen", "1mm", "--paper",
        "A6", "-o", "a.gcode"});
  EXPECT_TRUE(holds(folder.read("a.gcode"), "M3 S200\nG4 P0.005\n"));
}

TEST_F(Machines, CalibrationsRefuseWhatTheyCannotUse) {
  EXPECT_TRUE(holds(refused({"calibrate"}), "needs --pen or --laser"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "0.4"}), "give the width as --width 0.4"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--laser"}), "cannot be combined"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--powers", "3"}), "without --laser"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--dwell", "3"}), "without --laser"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--save", "x"}), "without --scan"));
  EXPECT_TRUE(holds(refused({"calibrate", "--laser", "-o", "a.svg"}), "write .gcode or .nc"));
  EXPECT_TRUE(holds(refused({"calibrate", "--laser", "--powers", "1,2,3,4", "-o", "a.nc"}),
                    "must be one to three numbers"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--paper", "A7", "-o", "a.svg"}), "at least"));
  EXPECT_TRUE(holds(refused({"calibrate", "--pen", "--scan", photo}, 3), "fifth"));
  EXPECT_TRUE(
      holds(refused({"calibrate", "--pen", "--scan", photo, "-o", "a.svg"}), "no sheet is made"));
}

}  // namespace
}  // namespace dapple

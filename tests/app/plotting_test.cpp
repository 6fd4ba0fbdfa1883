// What the program says and writes for plotters. What reads the files here is not Dapple.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "dapple/extend/options.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

using nlohmann::json;

const std::string photo = std::string(DAPPLE_SOURCE_FOLDER) + "/samples/raccoon.png";

const std::string heart =
    "<svg xmlns='http://www.w3.org/2000/svg'><path d='M12 21C5 15 2 12 2 8a5 5 0 0 1 10-2 5 5 0 0 "
    "1 "
    "10 2c0 4-3 7-10 13z'/></svg>";

class Plotting : public test::ProgramTest {
 protected:
  // Of 400 dots on a postcard.
  json record(std::vector<std::string> options) const {
    options.insert(options.begin(), {"stipple", photo, "--dots", "400", "--paper", "148x105mm",
                                     "--margin", "10mm", "--json"});
    return json::parse(good(options).out);
  }
};

TEST_F(Plotting, ForecastsFollowTheOptions) {
  const json plot = record({"--shape", "point", "--pen", "0.5mm", "-o", "a.svg"})["plot"];
  EXPECT_EQ(plot["lifts"], 400);
  EXPECT_EQ(plot["drawn_mm"], 0);
  EXPECT_EQ(plot["pen_changes"], 0);
  const double travel = plot["travel_mm"];
  EXPECT_GT(travel, 1000);
  // Nothing but travel at 1 mm/s.
  const json slow = record({"--shape", "point", "--pen", "0.5mm", "-o", "a.svg", "--pen-lift", "0",
                            "--travel-speed", "1", "--acceleration", "1000000"})["plot"];
  EXPECT_NEAR(slow["seconds"], travel, 0.01 * travel);
  const json line = record({"--path", "tsp", "-o", "b.svg", "--report"});
  EXPECT_EQ(line["plot"]["lifts"], 1);
  EXPECT_GT(line["plot"]["drawn_mm"], 1000);
  EXPECT_LT(line["plot"]["travel_mm"], 400);
  const double above = line["report"]["measurements"]["above"];
  EXPECT_GE(above, 0);
  EXPECT_LT(above, 5);
  const auto outcome = good({"stipple", photo, "--dots", "50", "-v", "-o", "c.svg"});
  EXPECT_NE(outcome.err.find("50 touches"), std::string::npos) << outcome.err;
}

// hp2xx measures from the corner of what was drawn.
TEST_F(Plotting, AnotherProgramReadsHpgl) {
  good({"stipple", photo, "--dots", "300", "--path", "tsp", "--dpi", "254", "-o", "a.plt", "-o",
        "a.csv"});
  const auto outcome = test::run_process(
      {"/usr/bin/hp2xx", "-q", "-t", "-m", "cad", "-f", "-", "a.plt"}, folder.path());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  Points dots = read_points((folder / "a.csv").string(), Limits{});
  const double left = *std::min_element(dots.x.begin(), dots.x.end());
  const double bottom = *std::max_element(dots.y.begin(), dots.y.end());
  std::istringstream lines(outcome.out);
  std::size_t edges = 0;
  for (std::string line; std::getline(lines, line);) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    int a = 0, b = 0;
    if (std::sscanf(line.c_str(), "\\emline{%lf}{%lf}{%d}{%lf}{%lf}{%d}", &x0, &y0, &a, &x1, &y1,
                    &b) != 6) {
      continue;
    }
    ASSERT_LT(edges + 1, dots.size());
    EXPECT_NEAR(x0, 0.1 * (dots.x[edges] - left), 0.03);
    EXPECT_NEAR(y0, 0.1 * (bottom - dots.y[edges]), 0.03);
    ++edges;
    EXPECT_NEAR(x1, 0.1 * (dots.x[edges] - left), 0.03);
    EXPECT_NEAR(y1, 0.1 * (bottom - dots.y[edges]), 0.03);
  }
  EXPECT_EQ(edges, 299u);
}

// Mean difference of two pictures in gray maps, 0..255, as poppler and Dapple draw them.
double difference(const std::string& a, const std::string& b) {
  struct Map {
    int width = 0, height = 0;
    std::string pixels;
  };
  const auto read = [](const std::string& bytes) {
    Map map;
    std::istringstream in(bytes);
    std::string magic;
    int most = 0;
    in >> magic >> map.width >> map.height >> most;
    in.get();
    EXPECT_EQ(magic, "P5");
    EXPECT_EQ(most, 255);
    map.pixels.assign(std::istreambuf_iterator<char>(in), {});
    return map;
  };
  const Map l = read(a);
  const Map r = read(b);
  EXPECT_EQ(l.width, r.width);
  EXPECT_EQ(l.height, r.height);
  EXPECT_EQ(l.pixels.size(), r.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(l.pixels.size(), r.pixels.size()); ++i) {
    sum +=
        std::abs(static_cast<unsigned char>(l.pixels[i]) - static_cast<unsigned char>(r.pixels[i]));
  }
  return sum / static_cast<double>(l.pixels.size());
}

TEST_F(Plotting, StylesOfLinesGoToEveryMachineAndAreMadeAgainFromTheirRecipe) {
  for (const std::string style : {"voronoi", "flow", "spiral", "text"}) {
    good({"stipple", photo,   "--style", style, "--paper", "A6",    "--margin",
          "8mm",     "--pen", "0.5mm",   "-q",  "-o",      "a.svg", "-o",
          "a.pdf",   "-o",    "a.plt",   "-o",  "a.gcode", "-o",    "a.png"});
    EXPECT_NE(folder.read("a.plt").find("PD"), std::string::npos) << style;
    EXPECT_NE(folder.read("a.gcode").find("G1"), std::string::npos) << style;
    for (const std::string extension : {"svg", "pdf", "gcode", "png"}) {
      good({"reproduce", "a." + extension, "--input", photo, "-o", "b." + extension, "-q"});
      EXPECT_TRUE(folder.read("a." + extension) == folder.read("b." + extension))
          << style << " " << extension;
    }
    const auto refused = run({"stipple", photo, "--style", style, "-o", "a.csv"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(".csv holds points"), std::string::npos) << refused.err;
  }
  const json plot = record({"--style", "sine", "-o", "c.svg"});
  EXPECT_EQ(plot["plot"]["touches"], 0);
  EXPECT_GT(plot["plot"]["lines"], 0);
  EXPECT_FALSE(plot.contains("points"));
}

TEST_F(Plotting, PopplerShowsPdfsAsDappleDrawsThem) {
  folder.write("heart.svg", heart);
  const std::vector<std::vector<std::string>> drawings = {
      {"--background", "#dddddd"},
      {"--dot-size", "1mm:4mm"},
      {"--shape", "point", "--pen", "1mm"},
      {"--shape", "circle", "--pen", "0.5mm", "--dot-size", "3mm"},
      {"--shape", "spiral", "--pen", "0.5mm"},
      {"--shape", "heart.svg"},
      {"--shape", "heart.svg", "--pen", "0.5mm", "--dot-size", "3mm"},
      {"--path", "tsp"},
      {"--style", "flow"}};
  for (std::vector<std::string> options : drawings) {
    const std::string what = options[0] + " " + options[1];
    // A page of 800 x 600 pixels at 144 dpi, whole points.
    options.insert(options.begin(),
                   {"stipple", photo, "--dots", "400", "--paper", "400x300pt", "--margin", "20pt",
                    "--dpi", "144", "-o", "a.pdf", "-o", "a.pgm", "-q"});
    good(options);
    const auto shown = test::run_process(
        {"/usr/bin/pdftoppm", "-r", "144", "-gray", "-singlefile", "a.pdf", "shown"},
        folder.path());
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_EQ(shown.err, "") << what;
    const double same = difference(folder.read("a.pgm"), folder.read("shown.pgm"));
    EXPECT_LT(same, 9) << what;  // edges: light is added up in another way
    const std::string pdf = folder.read("a.pdf");
    EXPECT_NE(pdf.find("(1 black)"), std::string::npos) << what;
    EXPECT_NE(pdf.find("/Separation /Black"), std::string::npos) << what;
  }
  // The measure sees what is missing: dots against a line.
  good({"stipple", photo, "--dots", "400", "--paper", "400x300pt", "--margin", "20pt", "--dpi",
        "144", "-o", "b.pgm", "-q"});
  EXPECT_GT(difference(folder.read("b.pgm"), folder.read("shown.pgm")), 40);
}

TEST_F(Plotting, ShapesBelongToTheRecipe) {
  folder.write("heart (1).svg", heart);
  good({"stipple", photo, "--dots", "300", "--shape", "heart (1).svg", "-o", "a.svg", "-o", "a.png",
        "-o", "a.gcode"});
  for (const std::string name : {"a.svg", "a.png", "a.gcode"}) {
    const std::string bytes = folder.read(name);
    good({"reproduce", name, "--input", photo, "-o", "again" + name.substr(1)});
    EXPECT_EQ(folder.read("again" + name.substr(1)), bytes);
  }
  // Each plotter draws each heart.
  good({"stipple", photo, "--dots", "300", "--shape", "heart (1).svg", "-o", "a.hpgl", "-o",
        "a.gcode"});
  const std::string hpgl = folder.read("a.hpgl");
  std::size_t lines = 0;
  for (auto at = hpgl.find("PD"); at != std::string::npos; at = hpgl.find("PU", at + 1)) {
    at = hpgl.find("PD", at);
    if (at == std::string::npos) break;
    ++lines;
  }
  EXPECT_EQ(lines, 300u);
  folder.write("heart (1).svg", heart + "<!-- -->");
  const auto changed = run({"reproduce", "a.svg", "--input", photo, "-o", "b.svg"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("heart (1).svg"), std::string::npos) << changed.err;
  folder.write("heart (1).svg", "<svg><path fill='none' stroke='red' d='M0 0h5v5'/></svg>");
  const auto open = run({"stipple", photo, "--shape", "heart (1).svg", "-o", "b.svg"});
  EXPECT_EQ(open.code, 2);
  EXPECT_NE(open.err.find("open lines"), std::string::npos) << open.err;
  EXPECT_NE(open.err.find("--pen"), std::string::npos) << open.err;
  good({"stipple", photo, "--dots", "300", "--shape", "heart (1).svg", "--pen", "0.2mm", "-o",
        "b.gcode"});
  EXPECT_EQ(run({"stipple", photo, "--shape", "none.svg", "-o", "b.svg"}).code, 3);
  const auto word = run({"stipple", photo, "--shape", "dics", "-o", "b.svg"});
  EXPECT_EQ(word.code, 2);
  EXPECT_NE(word.err.find("nor FILE.svg; did you mean 'disc'"), std::string::npos) << word.err;
}

TEST_F(Plotting, PdfsAreReproduced) {
  good({"stipple", photo, "--dots", "300", "--shape", "point", "--pen", "0.3mm", "-o", "a.pdf",
        "--threads", "1"});
  const std::string bytes = folder.read("a.pdf");
  good({"reproduce", "a.pdf", "--input", photo, "-o", "again.pdf"});
  EXPECT_EQ(folder.read("again.pdf"), bytes);
  EXPECT_EQ(bytes.find("/CreationDate"), std::string::npos);
  EXPECT_EQ(run({"reproduce", "none.pdf"}).code, 3);
  std::ofstream(folder / "bad.pdf") << "no PDF at all";
  EXPECT_EQ(run({"reproduce", "bad.pdf"}).code, 3);
}

TEST_F(Plotting, SequencesAreNumberedFilesWhoseDotsStay) {
  for (const char* number : {"007", "008", "009"}) {
    std::filesystem::copy(std::string(DAPPLE_SOURCE_FOLDER) + "/samples/ramp.png",
                          folder / (std::string("shot.") + number + ".png"));
  }
  const json record = json::parse(good({"stipple", "shot.%03d.png", "--dots", "400", "-o",
                                        "dots.%03d.csv", "-o", "plot.{frame}.svg", "--json"})
                                      .out);
  ASSERT_EQ(record["outputs"].size(), 6u);
  EXPECT_EQ(record["outputs"][1]["path"], "dots.008.csv");
  EXPECT_EQ(record["outputs"][1]["frame"], 1);
  EXPECT_EQ(record["lost"], (json{0.0, 0.0}));
  EXPECT_EQ(folder.read("dots.009.csv"), folder.read("dots.007.csv"));
  EXPECT_TRUE(folder.read("dots.007.csv").starts_with("x,y,r,id\n"));
  // One picture again needs those before it.
  good({"reproduce", "plot.008.svg", "-o", "again.svg"});
  EXPECT_EQ(folder.read("again.svg"), folder.read("plot.008.svg"));
  EXPECT_EQ(run({"stipple", "shot.%03d.png", "-o", "plot.svg"}).code, 2);
  EXPECT_EQ(run({"stipple", "shot.%03d.png", "-o", "-"}).code, 2);
  EXPECT_EQ(run({"stipple", "shots.%03d.png"}).code, 3);
  EXPECT_EQ(run({"stipple", "shot.%03d.png", "-o", "dots.%03d.csv", "--overwrite", "never"}).code,
            4);
  good({"stipple", ".//shot.%03d.png", "--dots", "400", "-o", "same.%03d.csv"});
  EXPECT_EQ(folder.read("same.008.csv"), folder.read("dots.008.csv"));
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"stipple\"\ninput = \"shot.%03d.png\"\ndots = 400\n"
               "output = \"job.%03d.csv\"\n");
  good({"batch", "jobs.toml", "--manifest", "done.jsonl"});
  EXPECT_EQ(folder.read("job.009.csv"), folder.read("dots.009.csv"));
  std::filesystem::remove(folder / "shot.008.png");
  const auto gap = run({"stipple", "shot.%03d.png"});
  EXPECT_EQ(gap.code, 3);
  EXPECT_NE(gap.err.find("frame 8 is missing"), std::string::npos) << gap.err;
}

TEST_F(Plotting, ARunThatWasKilledGoesOnFromItsCheckpoint) {
  const std::vector<std::string> words{"stipple",
                                       photo,
                                       "--dots",
                                       "60000",
                                       "--order",
                                       "none",
                                       "--checkpoint",
                                       "dots.state",
                                       "--checkpoint-every",
                                       "0",
                                       "-o",
                                       "dots.csv"};
  good({"stipple", photo, "--dots", "60000", "--order", "none", "-o", "whole.csv"});
  // Machines differ: killed as soon as there is something to go on from.
  bool killed = false;
  for (int ms = 300; !killed && ms < 20000; ms = ms * 5 / 4) {
    std::filesystem::remove(folder / "dots.state");
    test::Spawn how;
    how.interrupt_after_ms = ms;
    how.signal = SIGKILL;
    const int code = run(words, how).code;
    if (code == 0) break;
    killed = std::filesystem::exists(folder / "dots.state");
  }
  ASSERT_TRUE(killed);
  EXPECT_FALSE(std::filesystem::exists(folder / "dots.csv"));
  // Of this run alone.
  auto other = words;
  other[3] = "50000";
  const auto refused = run(other);
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("checkpoint of a run with other options"), std::string::npos)
      << refused.err;
  good(words);
  EXPECT_EQ(folder.read("dots.csv"), folder.read("whole.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "dots.state"));
  folder.write("dots.state", "a letter");
  EXPECT_EQ(run(words).code, 3);
  EXPECT_EQ(folder.read("dots.state"), "a letter");
  EXPECT_EQ(run({"stipple", photo, "--method", "lbg", "--checkpoint", "c", "-o", "x.csv"}).code, 2);
  // It is removed at the end, which must not be the dots.
  const auto same =
      run({"stipple", photo, "--dots", "50", "--checkpoint", "./y.csv", "-o", "y.csv"});
  EXPECT_EQ(same.code, 2);
  EXPECT_NE(same.err.find("is an output, but also the checkpoint"), std::string::npos) << same.err;
}

TEST_F(Plotting, TilesAreFilesThatTellTheirPlaces) {
  const json made = record({"--shape", "point", "--pen", "0.5", "--tiles", "90x110mm", "-o",
                            "plot-{tile}.svg", "-o", "whole.png"});
  ASSERT_EQ(made["outputs"].size(), 3u);
  EXPECT_EQ(made["outputs"][0]["path"], "plot-1-1.svg");
  EXPECT_EQ(made["outputs"][0]["x_mm"], 0);
  EXPECT_EQ(made["outputs"][1]["tile"], "2-1");
  EXPECT_GT(made["outputs"][1]["x_mm"], 60);
  EXPECT_LE(made["outputs"][1]["width"], 90);
  EXPECT_EQ(made["outputs"][1]["height"], 105);
  EXPECT_EQ(made["plot"]["tiles"], 2);
  // Each is foretold by itself, its crosses too.
  std::int64_t touches = 0;
  for (const int tile : {0, 1}) {
    const json& plot = made["outputs"][static_cast<std::size_t>(tile)]["plot"];
    touches += plot["touches"].get<std::int64_t>();
    EXPECT_GT(plot["seconds"], 0.3 * plot["touches"].get<double>());
    EXPECT_LT(plot["seconds"], made["plot"]["seconds"].get<double>());
    EXPECT_GT(plot["lines"], 0);
  }
  EXPECT_EQ(touches, made["plot"]["touches"]);
  // One tile alone again.
  std::filesystem::copy(photo, folder / "raccoon.png");
  const auto again = good({"reproduce", "plot-2-1.svg", "-o", "again.svg"});
  EXPECT_NE(again.err.find("the same bytes"), std::string::npos) << again.err;
  EXPECT_EQ(folder.read("again.svg"), folder.read("plot-2-1.svg"));

  const std::vector<std::string> command{"stipple", photo, "--dots",  "50",    "--paper", "A5",
                                         "--pen",   "0.5", "--shape", "point", "--tiles", "2x1"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = command;
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  EXPECT_EQ(with({"-o", "plot.svg"}).code, 2);
  EXPECT_NE(with({"-o", "plot.svg"}).err.find("plot-{tile}.svg"), std::string::npos);
  EXPECT_EQ(with({"-o", "plot-{tile}.png"}).code, 2);
  EXPECT_EQ(with({"-o", "plot-{tile}.svg", "--from", "3"}).code, 2);
  EXPECT_NE(with({"-o", "plot-{tile}.svg"}).err.find(" touches, "), std::string::npos);
  EXPECT_EQ(with({}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "raccoon-stipple-2-1.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder / "raccoon-stipple.png"));
}

TEST_F(Plotting, WhatGoesOnAfterABreakIsCounted) {
  for (const char* parts : {"1", "3"}) {
    const json made = record({"--shape", "point", "--pen", "0.5", "--split", parts, "--from", "150",
                              "-o", "a.svg", "-o", "a.csv"});
    EXPECT_EQ(made["points"], 250);
    EXPECT_EQ(made["plot"]["touches"], 250);
    EXPECT_EQ(read_points((folder / "a.csv").string(), Limits{}).size(), 250u);
  }
}

// Lengths on paper are millimeters, of preparation too.
TEST_F(Plotting, BlurIsOnPaperToo) {
  const auto bytes = [&](const char* blur) {
    record({"--blur", blur, "-o", "a.csv", "--no-recipe"});
    return folder.read("a.csv");
  };
  const std::string plain = bytes("2");
  EXPECT_EQ(bytes("2mm"), plain);
  EXPECT_EQ(bytes("0.2cm"), plain);
  EXPECT_NE(bytes("2px"), plain);
  const auto recipe = good({"stipple", photo, "--paper", "A5", "--blur", "2", "--print-recipe"});
  EXPECT_NE(recipe.out.find("blur = \"2mm\""), std::string::npos) << recipe.out;
}

}  // namespace
}  // namespace dapple

// `dapple calibrate`: draws sheets that tell the width of a pen, or the power and dwell of a laser,
// and reads their scans.
#include "app/command.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/calibrate/scan.hpp"
#include "app/calibrate/sheet.hpp"
#include "app/escape_text.hpp"
#include "app/json.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/presets.hpp"
#include "app/run/plot.hpp"
#include "app/run/runner.hpp"
#include "app/run/summary.hpp"
#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/analyze.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

constexpr std::array pairs{
    PairRule{"pen", Pair::excludes, "laser", "which has a sheet of its own"},
    PairRule{"powers..dwells", Pair::needs, "laser"},
    PairRule{"save", Pair::needs, "scan"},
    PairRule{"out", Pair::excludes, "scan", "which is measured, so no sheet is made"},
    PairRule{"laser-power..dwell", Pair::needs, "laser"},
};

// Returns the numbers of a list such as 10,20; one that is no number becomes -1.
std::vector<double> numbers_of(const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    numbers.push_back(parse_number<double>(text).value_or(-1));
  }
  return numbers;
}

std::string list_of(const std::vector<double>& numbers) {
  std::string list;
  for (const double number : numbers) list += (list.empty() ? "" : ", ") + shortest(number);
  return list;
}

std::vector<std::string> texts_of(const std::vector<double>& numbers) {
  std::vector<std::string> texts;
  for (const double number : numbers) texts.push_back(shortest(number));
  return texts;
}

class CalibrateInvocation : public Invocation {
 public:
  CalibrateInvocation() {
    own_.group("Calibration");
    own_.add("pen", pen_, "Calibrate a pen: its width, and the gain of its dots").essential();
    own_.add("laser", options_.laser, "Calibrate a laser: power and dwell of its dots").essential();
    own_.add("scan", scan_,
             "Scan or photo of the plotted sheet, which is measured; without it, a "
             "sheet is made")
        .metavar("IMAGE")
        .essential();
    own_.add("width", options_.width,
             "About the width of the line, which the fields of the sheet are laid out for; for a "
             "laser the dots that you want; 0: 0.5 mm for a pen, 0.2 mm for a laser")
        .unit("mm")
        .range(0, 3)
        .essential();
    own_.add("paper", options_.paper, "Paper of the sheet; default: A5")
        .check(flat_size)
        .metavar("NAME|WxH")
        .essential();
    own_.add("powers", powers_, "Powers that the sheet of a laser compares, up to three, percent")
        .metavar("P,...");
    own_.add("dwells", dwells_, "Dwells that the sheet of a laser compares, up to three, s")
        .metavar("S,...");
    own_.add("save", save_,
             "Save the result under this name, which `--pen NAME` or `--machine NAME` of other "
             "commands then take")
        .metavar("NAME")
        .check([](std::string_view text) {
          const auto is_plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
          };
          const bool good = !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
                            std::all_of(text.begin(), text.end(), is_plain);
          return good || text.empty()
                     ? ""
                     : "must begin with a letter, and hold only a-z, 0-9 and -, such as my-pen";
        })
        .essential();
    describe(options_.plotter, own_);
    pairs_ = pairs;
    document_rules(pairs_, own_);
    describe_outputs(run_options, common, "calibrate-pen.svg, or calibrate-laser.gcode");
    common.group("Plotter");
    common
        .add("machine", run_options.machine,
             "Plotter or laser whose options to use, as in `dapple presets machines`")
        .metavar("NAME");
    describe_machine(run_options, common);
    common.group("Run");
    common.add("seed", run_options.seed, "Random seed; another seed gives other dots");
    describe_basics(run_options, common);
  }

  void set(const Command& command, const Arguments& arguments,
           std::vector<Problem>& problems) override {
    // The machine sets options that flags then replace.
    for (const auto& assignment : arguments.assignments) {
      if (assignment.option != common.find("machine")) continue;
      attempt(problems, [&] {
        const Recipe settings = machine_settings(assignment.text);
        apply(settings, own_, "");
        note_origin(settings, own_, "machine '" + assignment.text + "'");
      });
    }
    Invocation::set(command, arguments, problems);
    for (const auto& assignment : arguments.assignments) assignment.option->comes_from.clear();
    options_.powers = numbers_of(powers_);
    options_.dwells = numbers_of(dwells_);
    for (const std::string& operand : arguments.operands) {
      if (!parse_number<double>(operand)) continue;
      problems.assign(
          1, {"", "--pen and --laser take no number: give the width as --width " + operand});
    }
    if (!pen_ && !options_.laser && problems.empty()) {
      problems.push_back({"", "calibrate needs --pen or --laser: what is calibrated"});
    }
  }

  int run(const std::vector<std::string>&) override {
    configure(context, run_options);
    if (options_.laser && options_.plotter.laser == LaserPower::none) {
      options_.plotter.laser = LaserPower::dynamic;
    }
    tell(scan_.path.empty() ? make_sheet() : measure());
    return 0;
  }

 private:
  Record make_sheet() {
    auto names = run_options.outputs;
    if (names.empty()) {
      names.emplace_back(options_.laser ? "calibrate-laser.gcode" : "calibrate-pen.svg");
    }
    if (run_options.json && std::count(names.begin(), names.end(), "-") > 0) {
      throw Error(ErrorKind::usage, "--json and -o - both write to standard output: choose one");
    }
    Operation sheet;
    sheet.name = "calibrate";
    sheet.makes_drawing = true;
    sheet.makes_image = true;
    sheet.default_extension = "svg";
    const auto planned = plan_outputs(sheet, 0, names, {"calibrate", "", "", context.seed});
    for (const PlannedOutput& output : planned) {
      const bool has_power = output.extension == "gcode" || output.extension == "nc";
      if (!options_.laser || has_power || output.kind != OutputKind::drawing) continue;
      throw Error(ErrorKind::usage,
                  "." + output.extension +
                      " cannot hold the powers and dwells of a laser: write .gcode or .nc",
                  output.path);
    }
    check_targets(planned, run_options.overwrite);
    return recorded("calibrate", run_options, context, [&](Record& record) {
      CalibrationSheet made = calibration_sheet(options_, context);
      DrawingMade drawing{std::move(made.drawing)};
      drawing.on_paper = true;
      constexpr double dots_per_mm = 300 / mm_per_inch;
      drawing.raster_width = static_cast<int>(std::lround(drawing.drawing.width * dots_per_mm));
      drawing.raster_height = static_cast<int>(std::lround(drawing.drawing.height * dots_per_mm));
      std::vector<std::string> extensions;
      for (const PlannedOutput& output : planned) extensions.push_back(output.extension);
      record.plot = plot_of(drawing, extensions);
      Result result{std::nullopt, std::move(drawing)};
      const auto stage = context.stage("write");
      FileGroup files(run_options.overwrite);
      write_all(result, planned, "", files, context, record);
      commit(files, context);
    });
  }

  Record measure() {
    return recorded("calibrate", run_options, context, [&](Record& record) {
      {
        const auto stage = context.stage("read");
        load_files(own_, context);
      }
      const auto stage = context.stage("calibrate");
      const CalibrationSheet sheet = calibration_sheet(options_, context);
      const CalibrationReading reading = [&] {
        try {
          return read_scan(sheet, *scan_.image, context);
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::input) throw;
          throw Error(ErrorKind::input, error.what(), scan_.path);
        }
      }();
      record.report = options_.laser ? report_on_laser(reading, sheet) : report_on_pen(reading);
      if (!save_.empty()) save(reading);
    });
  }

  static QualityReport report_on_pen(const CalibrationReading& reading) {
    QualityReport report;
    report.kind = "pen";
    report.measurements = {
        {"dot", reading.dot_width, "mm", "width of a touch: --pen for --shape point"},
        {"line", reading.line_width, "mm", "width of a line: --pen for lines and outlines"},
        {"gain", std::round(1000 * reading.gain) / 10, "%",
         "growth of a tone of 50 % from the planned width on"},
        {"ink", 100 * reading.ink, "%", "light of solid ink, over that of bare paper"}};
    for (const MeasuredField& one : reading.fields) {
      const bool dots = one.field.kind == CalibrationField::Kind::dots;
      report.notes.push_back((dots ? "Dots" : "Lines") + std::string(" planned to cover ") +
                             rounded(100 * one.planned, 1) + " % cover " +
                             rounded(100 * one.cover, 1) + " %, as by a width of " +
                             rounded(one.width, 3) + " mm.");
    }
    return report;
  }

  // Returns the field whose dots are nearest to the wanted width; of equals the quickest.
  static const MeasuredField& best_of(const CalibrationReading& reading,
                                      const CalibrationSheet& sheet) {
    const auto cost = [&](const MeasuredField& one) {
      constexpr double per_second = 0.2;  // so that a longer dwell must be worth it
      return one.field.power > 0
                 ? std::abs(one.width / sheet.width - 1) + per_second * one.field.dwell
                 : 1e9;
    };
    return *std::min_element(reading.fields.begin(), reading.fields.end(),
                             [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  }

  QualityReport report_on_laser(const CalibrationReading& reading, const CalibrationSheet& sheet) {
    const MeasuredField& best = best_of(reading, sheet);
    options_.plotter.laser_power = best.field.power;
    options_.plotter.dwell = best.field.dwell;
    QualityReport report;
    report.kind = "laser";
    report.measurements = {
        {"dot", best.width, "mm", "width of a dot at this power and dwell: --pen"},
        {"power", best.field.power, "%", "--laser-power"},
        {"dwell", best.field.dwell, "s", "--dwell"},
        {"line", reading.line_width, "mm", "width of a line at the power of the machine"}};
    for (const MeasuredField& one : reading.fields) {
      if (one.field.power == 0) continue;
      report.notes.push_back(shortest(one.field.power) + " % for " + shortest(one.field.dwell) +
                             " s makes dots of " + rounded(one.width, 3) + " mm.");
    }
    return report;
  }

  void save(const CalibrationReading& reading) {
    const auto mm = [](double width) { return "pen = \"" + rounded(width, 3) + "mm\"\n"; };
    if (!options_.laser) {
      saved_ = save_tools(
          "pens", {{save_, mm(reading.dot_width)}, {save_ + "-lines", mm(reading.line_width)}});
      return;
    }
    OptionList list;
    Plotter plotter = options_.plotter;
    describe(plotter, list);
    std::string table;
    Recipe recipe = make_recipe("", list, true);
    for (const Recipe::Setting& setting : recipe.settings) {
      const bool of_pen = setting.name.starts_with("pen-") && setting.name != "pen-change";
      if (of_pen || setting.name.starts_with("hpgl-")) continue;
      const bool is_number = parse_number<double>(setting.text).has_value();
      const std::string quote = is_number ? "" : "\"";
      table += setting.name;
      table += " = " + quote + setting.text + quote + "\n";
    }
    saved_ = save_tools("machines", {{save_, table}});
  }

  void tell(const Record& record) const {
    if (!run_options.quiet) {
      for (const std::string& warning : record.warnings) note("warning: " + warning);
    }
    if (run_options.json) return print(json_of(record));
    if (record.report) print_text(report_text(*record.report));
    if (run_options.quiet) return;
    for (const std::string& line : summaries_of(record)) note(line);
    if (record.plot && options_.laser) {
      note("rows from the top: powers of " + list_of(options_.powers) + " %; columns: dwells of " +
           list_of(options_.dwells) + " s");
    }
    if (record.plot) note("plot: " + plot_of_tile(record.plot->forecast));
    if (!saved_.empty()) {
      note("saved in " + saved_ + ": use it with --" + (options_.laser ? "machine " : "pen ") +
           save_ + (options_.laser ? "" : " for --shape point, and " + save_ + "-lines for lines"));
    }
  }

  bool pen_ = false;
  ImageInput scan_;
  std::string save_;
  std::string saved_;
  CalibrationOptions options_;
  std::vector<std::string> powers_ = texts_of(CalibrationOptions{}.powers);
  std::vector<std::string> dwells_ = texts_of(CalibrationOptions{}.dwells);
};

}  // namespace

Command calibrate_command() {
  Command row;
  row.name = "calibrate";
  row.summary = "Finds a pen's width or a laser's power by a sheet";
  row.details =
      "Plot the sheet with the pen or the laser, on the paper that you will use. Scan it flat, or "
      "photograph it from above, and give the picture to --scan with the same --width, --paper and "
      "--seed. The program finds the crosses, and measures the tone of each field of dots and "
      "lines. For a pen it prints the width of a touch and of a line, and the gain of a tone of 50 "
      "%. For a laser it prints the power and the dwell whose dots are nearest to --width. --save "
      "keeps them under a name.\n\nThe scan may be turned, askew, and darker at one side. Switch "
      "automatic contrast and sharpening of the scanner off: they change tones.";
  row.operands = "";
  row.examples = {{"calibrate --pen --width 0.4 -o sheet.svg", "a sheet for a pen of about 0.4 mm"},
                  {"calibrate --pen --width 0.4 --scan scan.png --save my-pen",
                   "measures the scan of this sheet; then `stipple --pen my-pen`"},
                  {"calibrate --laser --machine laser-grbl -o sheet.gcode",
                   "nine fields of dots of three powers and three dwells"},
                  {"calibrate --laser --machine laser-grbl --scan burn.png --save my-laser",
                   "chooses the power and the dwell of dots of 0.2 mm"}};
  row.make = [] { return std::make_unique<CalibrateInvocation>(); };
  return row;
}

}  // namespace dapple::app

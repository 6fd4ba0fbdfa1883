// `dapple compare`: sampling methods and point files side by side.
#include <algorithm>
#include <array>
#include <chrono>

#include "app/command.hpp"
#include "app/json.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "app/run/runner.hpp"
#include "app/run/summary.hpp"
#include "core/doors.hpp"
#include "dapple/analyze.hpp"
#include "dapple/error.hpp"
#include "dapple/point_files.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t default_count = 4096;

SampleMethod method_of(const std::string& name) {
  const auto names = option_names(SampleMethod{});
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<SampleMethod>(found - names.begin());
  std::string known;
  for (const std::string_view n : names) known += (known.empty() ? "" : ", ") + std::string(n);
  const std::vector<std::string> words(names.begin(), names.end());
  const std::string nearest = nearest_word(name, words);
  throw Error(ErrorKind::usage, "--methods: '" + name + "' is not one of " + known +
                                    (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

constexpr std::array pairs{
    PairRule{"tones-from..interpolation", Pair::needs, "map"},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"slope", Pair::needs, "map"},
    PairRule{"size", Pair::excludes, "map", "whose size it is"},
    PairRule{"conflict", Pair::needs, "map"},
};

class CompareInvocation : public Invocation {
 public:
  CompareInvocation() {
    own_.group("Comparison");
    own_.add("methods", methods_,
             "Sampling methods, separated by commas; left out where files are given")
        .metavar("METHOD,...");
    own_.add("map", map_, "A density map that all methods follow; one radius everywhere without");
    own_.add("size", size_, "Size of the domain where no map is given")
        .metavar("WxH")
        .check(flat_size);
    own_.add("conflict", options_.conflict, "The rule of methods that keep distances");
    own_.add("flat", flat_, "Sample a flat domain, not a torus");
    describe(field_, own_);
    pairs_ = pairs;
    tell_needs(pairs_, own_);
    describe_outputs(run_options, common, "compare.png");
    describe_machine(run_options, common);
    common.group("Run");
    common.add("seed", run_options.seed, "Other seed, other points");
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& files) override {
    std::vector<std::string> names = methods_;
    if (names.empty() && files.empty()) {
      names = {"random", "jittered", "halton", "dart-throwing", "darts"};
    }
    if (names.empty()) refuse_all_but({}, "on the points of a FILE: it is for --methods");
    std::vector<SampleMethod> methods;
    for (const std::string& name : names) methods.push_back(method_of(name));
    configure(context, run_options);
    auto sheets = run_options.outputs;
    if (sheets.empty()) sheets.emplace_back("compare.png");
    const auto planned =
        plan_sheets("compare", "", sheets, run_options.json, run_options.overwrite, context);
    const auto start = std::chrono::steady_clock::now();
    Record record;
    record.command = "compare";
    record.seed = context.seed;
    {
      const Interrupt interrupt(context);
      const Progress progress(context, run_options.progress, run_options.quiet);
      for (const std::string& file : files) {
        PointSet points = read_points(file, context);
        points.z.clear();  // figures are those of a plane
        const auto stage = context.stage("analyze");
        QualityReport report = analyze_points(points, context);
        record.compared.push_back({stem_of(file), std::move(points), std::move(report)});
      }
      sample_all(methods, names, record);
      refuse_empty(record);
      const auto stage = context.stage("write");
      FileGroup sheet(run_options.overwrite);
      write_sheets(compare_sheet(record.compared, context), planned, sheet, context, record);
      commit(sheet, context);
    }
    close_record(record, context, start);
    tell(record);
    return 0;
  }

 private:
  DensityField field() {
    if (map_.path.empty()) {
      const Domain domain{static_cast<double>(size_.pixel_width()),
                          static_cast<double>(size_.pixel_height()), !flat_};
      return make_constant_field(domain, field_, {domain.shorter_side(), 0}, default_count);
    }
    load_files(own_, context);
    const Image& map = *map_.image;
    const Scale scale{static_cast<double>(std::min(map.width(), map.height())), 0};
    return make_field(map, field_, !flat_, scale, default_count, context);
  }

  void sample_all(const std::vector<SampleMethod>& methods, const std::vector<std::string>& names,
                  Record& record) {
    if (methods.empty()) return;
    const DensityField wanted = field();
    // Each set has as many points, so that spectra and figures share their scale.
    const double expected =
        packing_constant(SampleMethod::darts, options_.conflict) * wanted.integral();
    const bool by_radius = field_.count == 0 && !field_.radius.empty();
    const std::int64_t count = field_.count > 0 ? field_.count
                               : by_radius      ? std::max<std::int64_t>(1, std::llround(expected))
                                                : default_count;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      options_.method = methods[i];
      PointSet points;
      {
        const auto stage = context.stage("sample");
        points = sample(wanted, options_, count, context);
      }
      const auto stage = context.stage("analyze");
      // A method without a radius of its own is measured by its smallest distance.
      if (wanted.is_constant() && !keeps_distance(methods[i])) {
        std::fill(points.radius.begin(), points.radius.end(), 0.0f);
      }
      QualityReport report =
          wanted.is_constant()
              ? analyze_points(points, context)
              : analyze_points(points, scaled_to(wanted, points), options_.conflict, context);
      record.compared.push_back({names[i], std::move(points), std::move(report)});
    }
  }

  static void refuse_empty(const Record& record) {
    for (const Compared& set : record.compared) {
      if (!set.report.pictures.empty()) continue;
      throw Error(ErrorKind::input, set.name + " has fewer than two points: nothing to compare");
    }
  }

  void tell(const Record& record) const {
    if (!run_options.quiet) {
      for (const std::string& warning : record.warnings) note("warning: " + warning);
    }
    if (run_options.json) return print(json_of(record));
    for (const WrittenOutput& output : record.outputs) {
      if (output.path == "-") return;
      if (!run_options.quiet) note(summary_of(record, output));
    }
    print_text(compare_text(record.compared));
  }

  std::vector<std::string> methods_;
  ImageInput map_;
  Size size_{512, 512};
  bool flat_ = false;
  SampleOptions options_;
  FieldOptions field_;
};

}  // namespace

Command compare_command() {
  Command row;
  row.name = "compare";
  row.summary = "Draws sampling methods or point files side by side";
  row.details =
      "Places the same number of points by each of --methods, on a torus, or reads the point files "
      "given, whoever made them, and draws points, power spectra, radial power and the figures of "
      "`dapple analyze` next to each other, all at one scale. The figures are printed as well.";
  row.operands = "[FILE...]";
  row.max_operands = 40;
  row.examples = {
      {"compare -o sheet.png", "random, jittered, Halton and dart throwing next to darts"},
      {"compare --methods r2,bridson,darts --count 10000 -o sheet.png", "methods of your choice"},
      {"compare mine.csv theirs.csv --methods darts -o sheet.png", "point files of any tool"}};
  row.make = [] { return std::make_unique<CompareInvocation>(); };
  return row;
}

}  // namespace dapple::app

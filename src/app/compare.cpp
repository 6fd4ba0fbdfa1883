// `dapple compare`: draws sampling methods and point files side by side.
#include <algorithm>
#include <array>

#include "analyze/sheet/filling_sheet.hpp"
#include "app/command.hpp"
#include "app/json.hpp"
#include "app/run/runner.hpp"
#include "app/run/summary.hpp"
#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/point_files.hpp"
#include "dapple/sample.hpp"
#include "io/images/animated_png.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t default_count = 4096;
constexpr std::int64_t shown_count = 250;  // for a movie: cells and candidates stay visible
constexpr std::string_view movie_format = "apng";
constexpr int most_tries = 10000;

// A sampling method and its name.
struct Entry {
  std::string name;
  SampleMethod method;
  int tries;
};

// Returns a number of candidates in [1, most_tries], or 0 if `text` is not such a number.
int tries_of(std::string_view text) {
  const int tries = parse_number<int>(text).value_or(0);
  return tries >= 1 && tries <= most_tries ? tries : 0;
}

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
    PairRule{"rotate..interpolation", Pair::needs, "map"},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"slope", Pair::needs, "map"},
    PairRule{"size", Pair::excludes, "map", "which sets the size"},
    PairRule{"conflict", Pair::needs, "map"},
    PairRule{"frames", Pair::needs, "animate"},
    PairRule{"animate", Pair::excludes, "map", "which needs more than one radius"},
};

class CompareInvocation : public Invocation {
 public:
  CompareInvocation() {
    own_.group("Comparison");
    own_.add("methods", methods_, "Sampling methods, separated by commas; none if files are given")
        .metavar("METHOD,...")
        .essential();
    own_.add("tries", tries_,
             "Candidates around a point before bridson gives it up; several numbers draw bridson "
             "once with each")
        .metavar("K,...")
        .check([](std::string_view text) {
          OptionList list;
          std::vector<std::string> each;
          list.add("tries", each, "").set(text);
          const bool fine = !each.empty() && std::all_of(each.begin(), each.end(), tries_of);
          return fine ? "" : "must be numbers from 1 to 10000, such as 3,30";
        });
    describe(filling_, own_);
    own_.add("map", map_,
             "Density map that all methods follow; without it, the radius is the same everywhere")
        .essential();
    own_.add("size", size_, "Size of the domain if no map is given")
        .metavar("WxH")
        .essential()
        .check(flat_size);
    own_.add("conflict", options_.conflict, "Conflict rule of the methods that keep distances");
    own_.add("flat", flat_, "Sample a flat domain instead of a torus");
    describe(field_, own_);
    pairs_ = pairs;
    document_rules(pairs_, own_);
    describe_outputs(run_options, common, "compare.png");
    describe_machine(run_options, common);
    common.group("Run");
    common.add("seed", run_options.seed, "Random seed; another seed gives other points");
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& files) override {
    std::vector<std::string> names = methods_;
    if (filling_.animate && !files.empty()) {
      throw Error(ErrorKind::usage,
                  "--animate shows how --methods fill the plane, but a FILE does not record how "
                  "its points were placed: leave one of them out");
    }
    if (names.empty() && files.empty()) {
      if (filling_.animate) {
        names = {"bridson", "dart-throwing", "elimination"};
      } else {
        names = {"random", "jittered", "halton", "dart-throwing", "darts"};
      }
    }
    if (names.empty()) refuse_all_but({}, "on the points of a FILE: it needs --methods");
    const std::vector<Entry> entries = entries_of(names);
    configure(context, run_options);
    auto sheets = run_options.outputs;
    if (sheets.empty()) sheets.emplace_back("compare.png");
    const auto movies = filling_.animate ? plan_movies(sheets) : std::vector<PlannedOutput>();
    const auto planned =
        plan_sheets("compare", "", sheets, run_options.json, run_options.overwrite, context);
    std::vector<UsedFile> others;
    for (const std::string& file : files) others.push_back({file, "an input", false});
    for (const PlannedOutput& movie : movies) others.push_back({movie.path, "an output"});
    check_targets(planned, run_options.overwrite, std::move(others));
    tell(recorded("compare", run_options, context, [&](Record& record) {
      if (filling_.animate) {
        animate(entries, planned, movies, record);
      } else {
        compare(files, entries, planned, record);
      }
    }));
    return 0;
  }

 private:
  std::vector<Entry> entries_of(const std::vector<std::string>& names) const {
    std::vector<Entry> entries;
    bool grows = false;
    for (const std::string& name : names) {
      const SampleMethod method = method_of(name);
      grows |= method == SampleMethod::bridson;
      if (filling_.animate && !is_told(method)) {
        throw Error(ErrorKind::usage,
                    "--animate cannot show " + name +
                        ", which places many points at a time: use methods that place "
                        "one point at a time; dart-throwing gives the same distribution as darts");
      }
      if (method != SampleMethod::bridson || tries_.empty()) {
        entries.push_back({name, method, options_.tries});
        continue;
      }
      for (const std::string& tries : tries_) {
        entries.push_back(
            {tries_.size() > 1 ? name + ", k = " + tries : name, method, tries_of(tries)});
      }
    }
    if (!tries_.empty() && !grows) {
      throw Error(ErrorKind::usage, "--tries applies only to bridson: add it to --methods");
    }
    return entries;
  }

  // Moves the names of movies from `sheets` to the result.
  std::vector<PlannedOutput> plan_movies(std::vector<std::string>& sheets) const {
    std::vector<PlannedOutput> movies;
    std::erase_if(sheets, [&](const std::string& name) {
      if (extension_of(name) != movie_format) return false;
      PlannedOutput movie;
      movie.path = fill_name(name, {"compare", "", "", context.seed});
      movie.extension = movie_format;
      movie.kind = OutputKind::image;
      movies.push_back(std::move(movie));
      return true;
    });
    check_targets(movies, run_options.overwrite);
    return movies;
  }

  void compare(const std::vector<std::string>& files, const std::vector<Entry>& entries,
               const std::vector<PlannedOutput>& planned, Record& record) {
    for (const std::string& file : files) {
      Points points = read_points(file, context);
      if (!points.w.empty()) {
        throw Error(ErrorKind::usage,
                    "holds points in four dimensions, but compare measures only planes and "
                    "volumes: use `dapple analyze`",
                    file);
      }
      if (!(points.depth > 0)) points.z.clear();
      const bool is_other = record.compared.empty()
                                ? !points.z.empty() && !entries.empty()
                                : points.z.empty() != record.compared.front().points.z.empty();
      if (is_other) {
        throw Error(
            ErrorKind::usage,
            "holds points of another dimension: figures of planes and volumes cannot be compared",
            file);
      }
      const auto stage = context.stage("analyze");
      QualityReport report = analyze_points(points, context);
      record.compared.push_back({stem_of(file), std::move(points), std::move(report)});
    }
    sample_all(entries, record);
    refuse_empty(record);
    const auto stage = context.stage("write");
    FileGroup sheet(run_options.overwrite);
    write_sheets(compare_sheet(record.compared, context), planned, sheet, context, record);
    commit(sheet, context);
  }

  void animate(const std::vector<Entry>& entries, const std::vector<PlannedOutput>& planned,
               const std::vector<PlannedOutput>& movies, Record& record) {
    std::vector<Filled> sets;
    const DensityField wanted = field();
    const bool by_radius = field_.count == 0 && !field_.radius.empty();
    const std::int64_t count = by_radius ? 0 : field_.count > 0 ? field_.count : shown_count;
    for (const Entry& entry : entries) {
      const auto stage = context.stage("sample");
      options_.method = entry.method;
      options_.tries = entry.tries;
      sets.push_back({entry.name, filling(wanted, options_, count, context)});
      record.compared.push_back({entry.name, {}, figures_of(sets.back().filling)});
    }
    FileGroup files(run_options.overwrite);
    if (!planned.empty()) {
      const int frames = filling_.frames > 0 ? filling_.frames : 6;
      write_sheets(filling_sheet(sets, frames, context), planned, files, context, record);
    }
    if (!movies.empty()) write_movies(sets, movies, files, record);
    commit(files, context);
  }

  void write_movies(const std::vector<Filled>& sets, const std::vector<PlannedOutput>& movies,
                    FileGroup& files, Record& record) {
    const int frames = filling_.frames > 0 ? filling_.frames : 60;
    const Movie movie = filling_movie(sets, frames, context);
    const auto stage = context.stage("write");
    const std::string bytes = encode_animated_png(movie);
    for (const PlannedOutput& output : movies) {
      WrittenOutput& written = record.outputs.emplace_back();
      written.path = output.path;
      written.kind = output.kind;
      written.width = movie.width;
      written.height = movie.height;
      written.channels = 3;
      written.slices = frames;
      written.unchanged = !files.add(output.path, bytes);
    }
  }

  static QualityReport figures_of(const Filling& filling) {
    const std::size_t all = filling.steps.size();
    QualityReport report;
    report.kind = "points";
    report.measurements.push_back(
        {"N", static_cast<double>(points_after(filling, all).size()), "", "points"});
    report.measurements.push_back({"open", open_share(filling, all), "",
                                   "share of the plane that is farther than r from all points"});
    return report;
  }

  DensityField field() {
    const std::int64_t expected = filling_.animate ? shown_count : default_count;
    if (map_.path.empty()) {
      const Domain domain{static_cast<double>(size_.pixel_width()),
                          static_cast<double>(size_.pixel_height()), !flat_};
      return make_constant_field(domain, field_, {domain.shorter_side(), 0}, expected);
    }
    load_files(own_, context);
    const Image& map = *map_.image;
    const FramedPart part = framed_part(map.width(), map.height(), field_.map.prepare);
    const Scale scale{static_cast<double>(std::min(part.width, part.height)), 0};
    return make_field(map, field_, !flat_, scale, default_count, context);
  }

  void sample_all(const std::vector<Entry>& entries, Record& record) {
    if (entries.empty()) return;
    const DensityField wanted = field();
    // All sets get the same number of points, so that spectra and figures have the same scale.
    const double expected =
        packing_constant(SampleMethod::darts, options_.conflict) * wanted.integral();
    const bool by_radius = field_.count == 0 && !field_.radius.empty();
    const std::int64_t count = field_.count > 0 ? field_.count
                               : by_radius      ? std::max<std::int64_t>(1, std::llround(expected))
                                                : default_count;
    options_.count = count;
    for (const Entry& entry : entries) {
      options_.method = entry.method;
      options_.tries = entry.tries;
      Points points;
      {
        const auto stage = context.stage("sample");
        points = sample(wanted.domain(), wanted, options_, context);
      }
      const auto stage = context.stage("analyze");
      // Methods without a radius are measured by their smallest distance.
      if (wanted.is_constant() && !keeps_distance(entry.method)) {
        std::fill(points.radius.begin(), points.radius.end(), 0.0f);
      }
      QualityReport report =
          wanted.is_constant()
              ? analyze_points(points, context)
              : analyze_points(points, scaled_to(wanted, points), options_.conflict, context);
      record.compared.push_back({entry.name, std::move(points), std::move(report)});
    }
  }

  static void refuse_empty(const Record& record) {
    for (const Compared& set : record.compared) {
      if (!set.report.pictures.empty() || (!set.points.z.empty() && set.points.size() > 1)) {
        continue;
      }
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
  std::vector<std::string> tries_;
  FillingOptions filling_;
  SampleOptions options_;
  FieldOptions field_;
};

}  // namespace

Command compare_command() {
  Command row;
  row.name = "compare";
  row.summary = "Draws sampling methods or point files side by side";
  row.details =
      "Places the same number of points with each of --methods on a torus, or reads point files "
      "from any program. Draws the points, power spectra, radial power and the figures of `dapple "
      "analyze` side by side at one scale, and prints the figures. For teaching, --animate shows "
      "how methods that place one point at a time fill the plane with one radius: as .apng, which "
      "browsers play, or as a sheet of frames.";
  row.operands = "[FILE...]";
  row.max_operands = 40;
  row.examples = {
      {"compare -o sheet.png", "random, jittered, Halton and dart throwing next to darts"},
      {"compare --methods r2,bridson,darts --count 10000 -o sheet.png", "methods of your choice"},
      {"compare mine.csv theirs.csv --methods darts -o sheet.png", "point files from any tool"},
      {"compare --animate -o fill.apng", "how growth, darts and elimination fill a square"},
      {"compare --animate --methods bridson --tries 2,5,30 -o k.png", "what k changes"}};
  row.make = [] { return std::make_unique<CompareInvocation>(); };
  return row;
}

}  // namespace dapple::app

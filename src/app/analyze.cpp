// `dapple analyze`: measures an existing file from any program.
#include "dapple/analyze.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/certificate.hpp"
#include "app/command.hpp"
#include "app/json.hpp"
#include "app/metadata.hpp"
#include "app/proof.hpp"
#include "app/run/runner.hpp"
#include "core/guessed_domain.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/recipe.hpp"
#include "dapple/sample.hpp"
#include "generate/dither/strip_slices.hpp"

namespace dapple::app {
namespace {

enum class Kind { automatic, points, mask, stippling };
constexpr auto option_names(Kind) {
  return words_to<Kind::stippling>("auto", "points", "mask", "stippling");
}

bool holds_points(const std::string& file) {
  const std::string extension = extension_of(file);
  return extension == "svg" || is_point_format(extension) || is_cloud_format(extension);
}

Kind kind_for(const std::string& file, Kind asked, bool has_map) {
  if (asked != Kind::automatic) return asked;
  if (extension_of(file) == "npy" && !is_array_of_points(file)) return Kind::mask;
  if (!holds_points(file)) return Kind::mask;
  return has_map && extension_of(file) == "svg" ? Kind::stippling : Kind::points;
}

constexpr const char* advice_on_paper =
    "to measure a drawing with bare paper around it, use dapple stipple --report";

// Returns the margin in the recipe of the points, or "". A damaged recipe counts as none.
std::string margin_of(const Points& points) {
  const std::string* const recipe = recipe_in(points.metadata);
  if (recipe == nullptr) return "";
  try {
    for (const Recipe::Setting& set : parse_recipe(*recipe, "").settings) {
      if (set.name != "margin") continue;
      Length margin;
      from_text(set.text, margin);
      return margin.value == 0 ? "" : set.text;
    }
  } catch (const Error&) {
  }
  return "";
}

// Scales points to the pixels of the map if their file gives the size of their domain. Otherwise
// their coordinates are pixels of the map already.
void fit_to_map(Points& points, const std::string& file, int width, int height) {
  // A margin is not part of the picture. A similar aspect ratio would hide the mistake.
  if (const std::string margin = margin_of(points); !margin.empty()) {
    throw Error(ErrorKind::input, "has a margin of " + margin + "; " + advice_on_paper, file);
  }
  Domain domain{static_cast<double>(width), static_cast<double>(height), points.domain.wrap};
  if (!has_guessed_domain(points)) {
    const double sx = domain.width / points.domain.width;
    const double sy = domain.height / points.domain.height;
    if (std::abs(sx / sy - 1) > 0.02) {
      throw Error(ErrorKind::input,
                  "its size of " + shortest(points.domain.width) + " x " +
                      shortest(points.domain.height) +
                      " does not have the aspect ratio of the map, " + std::to_string(width) +
                      " x " + std::to_string(height) + "; " + advice_on_paper,
                  file);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      points.x[i] = std::min(points.x[i] * sx, std::nextafter(domain.width, 0.0));
      points.y[i] = std::min(points.y[i] * sy, std::nextafter(domain.height, 0.0));
      points.radius[i] = static_cast<float>(points.radius[i] * sx);
    }
  }
  points.domain = domain;
  validate(points);
}

// Options that need, expect or exclude others.
constexpr std::array pairs{
    PairRule{"rotate..slope", Pair::needs, "map"},
    PairRule{"tone", Pair::wants, "map-as tone"},
    PairRule{"white-cutoff", Pair::wants, "map-as tone"},
    PairRule{"conflict", Pair::needs, "map or certify"},
    PairRule{"domain", Pair::excludes, "map", "which sets the size"},
};

class AnalyzeInvocation : public Invocation {
 public:
  AnalyzeInvocation() {
    own_.group("Analysis");
    own_.add("map", map_, "Image or density map that the points or dots represent").essential();
    own_.add("conflict", conflict_, "Conflict rule that the points were made with");
    own_.add("wrap", wrap_, "The points are on a torus, so opposite borders meet").essential();
    own_.add("certify", certify_, "Prove spacing and coverage of points, or fail with exit code 6")
        .essential();
    own_.add("certificate", certificate_,
             "Check a mask against this certificate, or fail with exit code 6")
        .metavar("FILE");
    own_.add("slices", slices_,
             "Number of frames in a mask, a strip of frames below each other or side by side")
        .metavar("N")
        .range(1, 100000);
    own_.add("domain", domain_, "Size of the points' domain, if their file does not contain it")
        .essential()
        .check(flat_size);
    describe(field_, own_);
    // The field's own --as selects how a map is read; here --as selects what the file is.
    Option& map_as = *own_.find("as");
    map_as.name = "map-as";
    map_as.doc = "How to read --map; for a stippling it is always read as tone";
    pairs_ = pairs;
    document_rules(pairs_, own_);
    own_.group("Analysis");
    own_.add("as", kind_, "Kind of the file; auto treats images as masks").essential();
    describe_outputs(run_options, common, "");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& operands) override {
    const std::string& file = operands[0];
    const Kind kind = kind_for(file, kind_, !map_.path.empty());
    if (kind == Kind::stippling && map_.path.empty()) {
      throw Error(ErrorKind::usage, "a stippling is measured against its picture: add --map IMAGE");
    }
    refuse_idle(file, kind);
    configure(context, run_options);
    const auto planned = plan_sheets("analyze", file, run_options.outputs, run_options.json,
                                     run_options.overwrite, context);
    tell(recorded("analyze", run_options, context, [&](Record& record) {
      record.report = measure(file, kind, record);
      const auto stage = context.stage("write");
      if (planned.empty()) return;
      FileGroup sheet(run_options.overwrite);
      write_sheets(report_sheet(*record.report, context), planned, sheet, context, record);
      commit(sheet, context);
    }));
    return 0;
  }

 private:
  // Throws Error(usage) for options that apply only to points, if a mask or a stippling is
  // measured.
  void refuse_idle(const std::string& file, Kind kind) const {
    if (kind == Kind::points) return;
    const std::string why = "if '" + file + "' is read with --as " + std::string(word_of(kind));
    if (kind == Kind::mask) {
      return refuse_all_but({"as", "certificate", "certify", "profile", "slices"}, why);
    }
    refuse_all_but({"as",         "certificate",  "certify", "map",           "rotate", "crop",
                    "tones-from", "contrast",     "detail",  "sharpen",       "blur",   "clean",
                    "tone",       "invert",       "channel", "black",         "white",  "gamma",
                    "mask",       "white-cutoff", "nan",     "interpolation", "profile"},
                   why);
  }

  QualityReport measure(const std::string& file, Kind kind, Record& record) {
    auto reading = std::make_unique<Context::Stage>(context, "read");
    if (certify_ && kind != Kind::points) {
      throw Error(ErrorKind::usage, "--certify works only for point sets: use --as points");
    }
    if (!certificate_.empty() && kind != Kind::mask) {
      throw Error(ErrorKind::usage, "--certificate works only for masks: use --as mask");
    }
    if (slices_ > 1 && kind != Kind::mask) {
      throw Error(ErrorKind::usage, "--slices works only for masks: use --as mask");
    }
    if (kind == Kind::mask) {
      // Checks the bytes first: if another program replaced them, they may not be an image.
      const auto facts = certificate_.empty() ? CertificateFacts() : read_certificate(certificate_);
      if (!certificate_.empty()) check_certificate(facts, file, {});
      const Image mask = slices_of_strip(read_picture(file, true, own_, context), slices_, file);
      reading.reset();
      const auto stage = context.stage("analyze");
      QualityReport report = analyze_mask(mask, context);
      if (certificate_.empty()) return report;
      check_certificate(facts, file, report);
      report.notes.push_back("The file is the one that " + certificate_ +
                             " certifies, and measures as it says.");
      return report;
    }
    Points points = read_points(file, context);
    if (!points.height.empty()) {
      context.warn("z goes below 0 in " + file +
                   ", as for points on a mesh or a sphere: the figures use only x and y; "
                   "`dapple sample --on MESH --report` measures points on a surface");
    }
    // Points that represent a picture lie in a plane.
    if (kind == Kind::stippling || !map_.path.empty()) {
      points.z.clear();
      points.w.clear();
    }
    load_files(own_, context);
    if (map_.image != nullptr && changes_frame(field_.map.prepare)) {
      FramedMap part = framed(*map_.image, field_.map, context);
      map_.image = std::make_shared<const Image>(std::move(part.image));
      field_.map = part.options;
    }
    reading.reset();
    record.points = points.size();
    if (!domain_.empty()) {
      points.domain.width = domain_.pixel_width();
      points.domain.height = domain_.pixel_height();
    }
    points.domain.wrap |= wrap_;
    if (map_.image != nullptr) fit_to_map(points, file, map_.image->width(), map_.image->height());
    validate(points);
    const auto stage = context.stage("analyze");
    if (kind == Kind::stippling) {
      // An SVG file yields points whose radius is the diameter of the disc.
      if (extension_of(file) == "svg") {
        for (float& r : points.radius) r *= 0.5f;
      }
      field_.map.as = MapKind::tone;
      FieldOptions plain = field_;
      plain.map.prepare = {};
      const Plane<float> darkness = target_density(*map_.image, field_.map, context);
      Plane<float> photo = target_density(*map_.image, plain.map, context);
      if (photo == darkness) photo = {};
      return analyze_stippling(points, darkness, context, field_.map.interpolation, photo);
    }
    if (map_.image == nullptr) {
      if (certify_) prove_even(points, conflict_, context);
      return analyze_points(points, context);
    }
    const Scale scale{points.domain.shorter_side(), 0};
    const DensityField field = make_field(*map_.image, field_, points.domain.wrap, scale,
                                          static_cast<std::int64_t>(points.size()), context);
    const DensityField meant = field_.radius.empty() ? scaled_to(field, points) : field;
    if (certify_) {
      Points known = points;
      known.radii = std::make_shared<const Radii>(Radii{meant, conflict_});
      verify(known, context);
    }
    return analyze_points(points, meant, conflict_, context);
  }

  void tell(const Record& record) const {
    if (!run_options.quiet) {
      for (const std::string& warning : record.warnings) note("warning: " + warning);
    }
    if (run_options.json) return print(json_of(record));
    const auto& files = run_options.outputs;
    if (std::find(files.begin(), files.end(), "-") == files.end()) {
      print_text(report_text(*record.report));
    }
  }

  ImageInput map_;
  Kind kind_ = Kind::automatic;
  ConflictRule conflict_ = ConflictRule::mean;
  bool wrap_ = false;
  bool certify_ = false;
  std::string certificate_;
  int slices_ = 1;
  Size domain_;
  FieldOptions field_;
};

}  // namespace

Command analyze_command() {
  Command row;
  row.name = "analyze";
  row.summary = "Measures points, a mask or a stippling from any program";
  row.details =
      "Prints spacing, packing, holes and spectrum of points (CSV, PLY, JSON, NPY, SVG), ranks, "
      "spectrum and gray errors of a mask (an image), or the tone of a stippling (SVG or points) "
      "compared with its picture. With -o sheet.png, it also draws plots. docs/quality.md explains "
      "the figures.";
  row.operands = "FILE";
  row.min_operands = 1;
  row.max_operands = 1;
  row.examples = {
      {"analyze mask.png -o sheet.png", "prints the figures and draws the plots"},
      {"analyze photo-stipple.svg --map photo.jpg", "how well the dots match the tone"},
      {"analyze points.csv --map density.png --json", "points compared with their density"}};
  row.make = [] { return std::make_unique<AnalyzeInvocation>(); };
  return row;
}

}  // namespace dapple::app

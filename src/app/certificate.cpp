// Makes and checks certificates of masks.
#include "app/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyze/figures.hpp"
#include "app/json.hpp"
#include "app/run/outputs.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/version.hpp"
#include "io/digest.hpp"

namespace dapple::app {
namespace {

constexpr std::string_view suffix = ".certificate.json";
constexpr std::string_view kind = "dapple mask certificate 1";
constexpr std::int64_t largest_file = std::int64_t{1} << 32;

// Returns the number of parts that are each a permutation: 1, `slices`, or 0 for neither.
int permutations_of(const Plane<std::int32_t>& ranks, int slices) {
  const auto permutes = [&](int parts) {
    const std::size_t size = ranks.size() / static_cast<std::size_t>(parts);
    std::vector<bool> seen(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const auto rank = static_cast<std::size_t>(ranks.values()[i]);  // huge if negative
      const std::size_t place = i / size * size + rank;
      if (rank >= size || seen[place]) return false;
      seen[place] = true;
    }
    return true;
  };
  return permutes(1) ? 1 : permutes(slices) ? slices : 0;
}

Json ranks_of(const ImageMade& made) {
  if (made.ranks.empty()) return {{"each_once", nullptr}, {"checked", false}};
  const Plane<std::int32_t>& first = made.ranks.front();
  const int parts = permutations_of(first, made.image.slices);
  return {{"each_once", true},
          {"checked", true},
          {"of", parts == 1 ? "mask" : "slice"},
          {"from", 0},
          {"to", first.size() / static_cast<std::size_t>(parts) - 1}};
}

// Counts how often each value of the stored depth occurs.
Json histogram_of(const Plane<float>& plane, PixelType type) {
  std::vector<float> sorted(plane.values().begin(), plane.values().end());
  std::sort(sorted.begin(), sorted.end());
  const ValueCounts counts = count_values(sorted);
  const std::size_t levels = type == PixelType::u8 ? 256 : type == PixelType::u16 ? 65536 : 0;
  Json histogram = Json::object();
  histogram["depth"] = levels == 0 ? "float" : levels == 256 ? "8 bits" : "16 bits";
  if (levels > 0) histogram["values"] = levels;
  histogram["values_used"] = counts.distinct;
  histogram["least_often"] = counts.distinct < levels ? 0 : counts.least;
  histogram["most_often"] = counts.most;
  return histogram;
}

Json figure_of(const Measurement& m, bool with_goals) {
  Json figure{{"name", m.name}, {"value", m.value}};
  if (!m.unit.empty()) figure["unit"] = m.unit;
  figure["meaning"] = m.doc;
  if (with_goals && m.target) {
    figure["goal"] = (m.target->at_most ? "<= " : ">= ") + shortest(m.target->value);
    figure["met"] = m.target->is_met_by(m.value);
  }
  return figure;
}

// Returns the power curves; the anisotropy curves of the same names follow them in the report.
Json spectra_of(const QualityReport& report) {
  Json spectra{{"unit", "cycles per pixel; power of white noise is 1"}};
  for (const Curve& curve : report.curves) {
    if (spectra.contains(curve.name)) continue;
    spectra[curve.name] = {{"frequency", curve.x}, {"power", curve.y}};
  }
  return spectra;
}

// Returns the result of `make`, or nothing and `problem` if it throws Error(input).
template <class Make>
auto attempted(std::string& problem, const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    problem = error.what();
    return {};
  }
}

// Throws Error(verification) if a file does not hold the values of the mask `made`, up to its
// rounding. `in_file` is what the file holds, `mask` the image that was written.
void check_values(const Image& in_file, const Image& mask, const ImageMade& made,
                  const std::string& extension) {
  const bool is_byte = in_file.type == PixelType::u8 || extension == "hdr";
  const double levels = is_byte ? 255 : in_file.type == PixelType::u16 ? 65535 : 1024;
  // Ranks are read as thresholds if each occurs once, as other integers otherwise.
  const bool holds_ranks = extension == "npy" && made.arrays_hold_ranks;
  const bool as_thresholds = in_file.type == PixelType::f32;
  const double unit =
      as_thresholds ? 1 / static_cast<double>(in_file.channels.at(0).size()) : 1 / levels;
  const auto of_rank = [&](std::int32_t rank) { return unit * (rank + (as_thresholds ? 0.5 : 0)); };
  // Formats of colors repeat a single channel.
  bool is_same = in_file.channels.size() >= mask.channels.size() &&
                 in_file.width() == mask.width() && in_file.height() == mask.height();
  for (std::size_t c = 0; is_same && c < mask.channels.size(); ++c) {
    const auto& held = in_file.channels[c].values();
    for (std::size_t i = 0; is_same && i < held.size(); ++i) {
      const double wanted = holds_ranks ? of_rank(made.ranks[c].values()[i])
                                        : static_cast<double>(mask.channels[c].values()[i]);
      is_same = std::abs(static_cast<double>(held[i]) - wanted) < 1 / levels;
    }
  }
  if (is_same) return;
  throw Error(ErrorKind::verification,
              "the mask cannot be certified: the file does not hold the values that were written "
              "to it");
}

}  // namespace

std::string certificate_path(const std::string& file) {
  return file + std::string(suffix);
}

bool is_certificate(const std::string& path) {
  return path.ends_with(suffix);
}

void check_ranks(const ImageMade& result) {
  for (std::size_t c = 0; c < result.ranks.size(); ++c) {
    if (permutations_of(result.ranks[c], result.image.slices) > 0) continue;
    throw Error(ErrorKind::verification, "the mask cannot be certified: channel " +
                                             result.image.names.at(c) +
                                             " does not contain every rank exactly once");
  }
}

std::string make_certificate(const Certified& certified, Context& context) {
  const std::string bytes = read_file(certified.bytes_at, largest_file);
  std::string problem;
  // Uses the values on disk. Does not read formats that are only for other programs.
  const std::optional<Image> read =
      attempted(problem, [&] { return read_frames(certified.bytes_at, context); });
  const Image& whole = certified.made->image;
  const Image image = read                   ? *read
                      : certified.frame >= 0 ? slice_of(whole, certified.frame)
                                             : whole;
  // Vectors are stored in another form.
  if (read && !certified.made->ranks.empty() && certified.frame < 0) {
    check_values(image, whole, *certified.made, extension_of(certified.file));
  } else if (read && !certified.made->ranks.empty()) {
    ImageMade slice;
    for (const Plane<std::int32_t>& ranks : certified.made->ranks) {
      slice.ranks.push_back(slice_of(ranks, certified.frame, whole.slices));
    }
    slice.arrays_hold_ranks = certified.made->arrays_hold_ranks;
    check_values(image, slice_of(whole, certified.frame), slice, extension_of(certified.file));
  }
  // An image of one pixel or one value cannot be measured.
  QualityReport report;
  if (auto made = attempted(problem, [&] { return analyze_mask(image, context); })) {
    report = std::move(*made);
  } else {
    report.notes = {problem};
  }

  Json object = Json::object();
  object["certificate"] = kind;
  object["file"] = std::filesystem::path(certified.file).filename().string();
  object["bytes"] = bytes.size();
  object["sha256"] = sha256(bytes);
  object["ownership"] =
      "This mask belongs to whoever made it with the command below. It is free to use, change and "
      "pass on for any purpose, without attribution and without a fee: Dapple and its authors "
      "claim no rights in it.";
  object["made_by"] = std::string("dapple ") + DAPPLE_VERSION;
  object["seed"] = context.seed;
  object["recipe"] = certified.recipe;
  if (certified.frame >= 0) object["frame"] = certified.frame;
  object["width"] = image.width();
  object["height"] = image.slice_height();
  object["depth"] = image.slices;
  object["channels"] = image.channels.size();
  object["ranks"] = ranks_of(*certified.made);
  object["measured"] = read ? "the file" : "the values that were written to the file";
  object["histogram"] = Json::array();
  for (const Plane<float>& plane : image.channels) {
    object["histogram"].push_back(histogram_of(plane, image.type));
  }
  object["figures"] = Json::array();
  bool has_goals = false;
  bool all_met = true;
  for (const Measurement& m : report.measurements) {
    if (m.name == "width" || m.name == "height" || m.name == "slices") continue;
    object["figures"].push_back(figure_of(m, certified.goals));
    if (!certified.goals || !m.target) continue;
    has_goals = true;
    all_met = all_met && m.target->is_met_by(m.value);
  }
  // One slice of several, or a mask of unit vectors, may lack some values.
  const bool in_part = certified.frame >= 0 && whole.slices > 1;
  const bool whole_ranks = !certified.made->ranks.empty() && !in_part;
  if (!report.notes.empty() && (whole_ranks || report.measurements.empty()))
    object["notes"] = report.notes;
  if (has_goals) object["all_goals_met"] = all_met;
  object["spectra"] = spectra_of(report);
  return text_of(object);
}

CertificateFacts read_certificate(const std::string& path) {
  const std::string text = read_file(path, 256 << 20);
  CertificateFacts facts;
  try {
    const Json object = Json::parse(text);
    if (object.at("certificate") != kind) throw Error(ErrorKind::input, "");
    facts.file = object.at("file").get<std::string>();
    facts.sha256 = object.at("sha256").get<std::string>();
    facts.bytes = object.at("bytes").get<std::int64_t>();
    facts.recipe = object.at("recipe").get<std::string>();
    facts.frame = object.value("frame", -1);
    facts.measured_from_file = object.at("measured") == "the file";
    for (const Json& figure : object.at("figures")) {
      if (!figure.at("value").is_number()) continue;
      facts.figures.emplace_back(figure.at("name").get<std::string>(),
                                 figure.at("value").get<double>());
    }
  } catch (const std::exception&) {
    throw Error(ErrorKind::input, "is not a mask certificate made by dapple", path);
  }
  return facts;
}

void check_certificate(const CertificateFacts& facts, const std::string& file,
                       const std::optional<QualityReport>& report) {
  const std::string bytes = read_file(file, largest_file);
  if (static_cast<std::int64_t>(bytes.size()) != facts.bytes || sha256(bytes) != facts.sha256) {
    throw Error(ErrorKind::verification,
                "is not the certified file: the SHA-256 of its " + std::to_string(bytes.size()) +
                    " bytes is " + sha256(bytes) + ", not " + facts.sha256,
                file);
  }
  if (!report || !facts.measured_from_file) return;
  for (const auto& [name, value] : facts.figures) {
    const Measurement* found = report->find(name);
    const double allowed = 1e-6 * std::max(1.0, std::abs(value));
    if (found != nullptr && std::abs(found->value - value) <= allowed) continue;
    throw Error(
        ErrorKind::verification,
        "its certificate gives " + name + " as " + shortest(value) + ", but the file " +
            (found == nullptr ? "has no such figure" : "measures " + shortest(found->value)),
        file);
  }
}

}  // namespace dapple::app

// Making and checking certificates of masks.
#include "app/certificate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyze/figures.hpp"
#include "core/digest.hpp"
#include "core/gray_error.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/version.hpp"

namespace dapple::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view suffix = ".certificate.json";
constexpr std::string_view kind = "dapple mask certificate 1";
constexpr std::int64_t largest_file = std::int64_t{1} << 32;

// True where 0 .. n-1 occur once each.
bool permutes(std::span<const std::int32_t> ranks) {
  std::vector<bool> seen(ranks.size());
  for (const std::int32_t rank : ranks) {
    const auto i = static_cast<std::size_t>(rank);
    if (rank < 0 || i >= seen.size() || seen[i]) return false;
    seen[i] = true;
  }
  return true;
}

// What the ranks are a permutation of: `mask`, `slice`, or nothing.
std::string permutation_of(const Plane<std::int32_t>& ranks, int slices) {
  if (permutes(ranks.values())) return "mask";
  const std::size_t size = ranks.size() / static_cast<std::size_t>(slices);
  for (std::size_t i = 0; i < ranks.size(); i += size) {
    if (!permutes(ranks.values().subspan(i, size))) return "";
  }
  return "slice";
}

struct Goal {
  std::string_view name;
  bool at_most;
  double value;
};

constexpr std::array<Goal, 9> goals{{{"grey_1.5", true, grey_15_goal},
                                     {"grey_2", true, grey_2_goal},
                                     {"ramp1", true, ramp_1_goal},
                                     {"p32", true, 0.065},
                                     {"d256", false, 0.70},
                                     {"pk2", true, 2.6},
                                     {"aniso_32", true, 0.3},
                                     {"aniso_8", true, 0.3},
                                     {"aniso_2", true, 0.3}}};

Json json_of(const Measurement& m, bool with_goals) {
  Json figure;
  figure["name"] = m.name;
  figure["value"] = m.value;
  if (!m.unit.empty()) figure["unit"] = m.unit;
  figure["meaning"] = m.doc;
  for (const Goal& goal : goals) {
    const bool is_it = m.name == goal.name || m.name.starts_with(std::string(goal.name) + ".");
    if (!with_goals || !is_it) continue;
    figure["goal"] = (goal.at_most ? "<= " : ">= ") + shortest(goal.value);
    figure["met"] = goal.at_most ? m.value <= goal.value : m.value >= goal.value;
  }
  return figure;
}

// How often each value of the stored depth occurs.
Json histogram_of(const Plane<float>& plane, PixelType type) {
  std::vector<float> sorted(plane.values().begin(), plane.values().end());
  std::sort(sorted.begin(), sorted.end());
  auto [used, most, least] = count_values(sorted);
  Json histogram;
  const bool integer = type == PixelType::u8 || type == PixelType::u16;
  histogram["depth"] = type == PixelType::u8    ? "8 bits"
                       : type == PixelType::u16 ? "16 bits"
                                                : "float";
  const std::size_t levels = type == PixelType::u8 ? 256 : 65536;
  if (integer) {
    histogram["values"] = levels;
    if (used < levels) least = 0;
  }
  histogram["values_used"] = used;
  histogram["least_often"] = least;
  histogram["most_often"] = most;
  return histogram;
}

Json spectra_of(const QualityReport& report) {
  Json spectra = Json::object();
  spectra["unit"] = "cycles per pixel; power of white noise is 1";
  for (const std::string share : {"1/32", "1/8", "1/2"}) {
    for (const Curve& curve : report.curves) {
      if (curve.name != share) continue;
      spectra[share] = {{"frequency", curve.x}, {"power", curve.y}};
      break;
    }
  }
  return spectra;
}

// The values of the file as it stands on the disk; nothing where no reader here knows it.
std::optional<Image> read_again(const std::string& file, const Context& context) {
  const std::string extension = extension_of(file);
  constexpr std::array<std::string_view, 10> readable{"png",  "tif", "tiff", "exr", "jpg",
                                                      "jpeg", "tga", "bmp",  "ppm", "pgm"};
  if (std::find(readable.begin(), readable.end(), extension) == readable.end()) return {};
  return read_frames(file, context);
}

// A mask of one pixel, or of one value, has no figures.
QualityReport measured(const Image& image, Context& context) {
  try {
    return analyze_mask(image, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    QualityReport report;
    report.notes = {error.what()};
    return report;
  }
}

Json ranks_of(const Certified& certified) {
  const ImageMade& result = *certified.made;
  if (result.ranks.empty()) return {{"each_once", nullptr}, {"checked", false}};
  const int slices = result.image.slices;
  Json ranks;
  ranks["each_once"] = true;
  ranks["checked"] = true;
  ranks["of"] = permutation_of(result.ranks.front(), slices);
  const std::size_t all = result.ranks.front().size();
  ranks["from"] = 0;
  ranks["to"] = (ranks["of"] == "mask" ? all : all / static_cast<std::size_t>(slices)) - 1;
  return ranks;
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
    if (!permutation_of(result.ranks[c], result.image.slices).empty()) continue;
    throw Error(ErrorKind::verification, "the mask cannot be certified: in channel " +
                                             result.image.names.at(c) +
                                             " not every rank occurs once");
  }
}

std::string make_certificate(const Certified& certified, Context& context) {
  const std::string bytes = read_file(certified.file, largest_file);
  const std::optional<Image> read = read_again(certified.file, context);
  const Image& whole = certified.made->image;
  const Image image = read                   ? *read
                      : certified.frame >= 0 ? slice_of(whole, certified.frame)
                                             : whole;
  const QualityReport report = measured(image, context);

  Json object;
  object["certificate"] = kind;
  object["file"] = std::filesystem::path(certified.file).filename().string();
  object["bytes"] = bytes.size();
  object["sha256"] = sha256(bytes);
  object["ownership"] =
      "This mask belongs to whoever made it with the command below. It is free to use, change and "
      "pass on for any purpose, without attribution and without a fee: Dapple and its authors "
      "claim no rights in it.";
  object["made_by"] = std::string("dapple ") + DAPPLE_VERSION;
  object["seed"] = certified.recipe->seed;
  object["recipe"] = certified.toml;
  if (certified.frame >= 0) object["frame"] = certified.frame;
  object["width"] = image.width();
  object["height"] = image.slice_height();
  object["depth"] = image.slices;
  object["channels"] = image.channels.size();
  object["ranks"] = ranks_of(certified);
  object["measured"] = read ? "the file" : "the values that were written to the file";
  object["histogram"] = Json::array();
  for (const Plane<float>& plane : image.channels) {
    object["histogram"].push_back(histogram_of(plane, image.type));
  }
  object["figures"] = Json::array();
  bool all_met = true;
  for (const Measurement& m : report.measurements) {
    if (m.name == "width" || m.name == "height" || m.name == "slices") continue;
    object["figures"].push_back(json_of(m, certified.goals));
    all_met = all_met && object["figures"].back().value("met", true);
  }
  // A slice of several, or a unit vector, is not meant to hold every value.
  const bool in_part = certified.frame >= 0 && whole.slices > 1;
  const bool whole_ranks = !certified.made->ranks.empty() && !in_part;
  if (!report.notes.empty() && (whole_ranks || report.measurements.empty()))
    object["notes"] = report.notes;
  if (certified.goals) object["all_goals_met"] = all_met;
  object["spectra"] = spectra_of(report);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
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
    throw Error(ErrorKind::input, "is no certificate of a mask made by dapple", path);
  }
  return facts;
}

void check_certificate(const CertificateFacts& facts, const std::string& file,
                       const std::optional<QualityReport>& report) {
  const std::string bytes = read_file(file, largest_file);
  if (static_cast<std::int64_t>(bytes.size()) != facts.bytes || sha256(bytes) != facts.sha256) {
    throw Error(ErrorKind::verification,
                "is not the file that was certified: its " + std::to_string(bytes.size()) +
                    " bytes have the SHA-256 " + sha256(bytes) + ", not " + facts.sha256,
                file);
  }
  if (!report || !facts.measured_from_file) return;
  for (const auto& [name, value] : facts.figures) {
    const Measurement* found = report->find(name);
    const double allowed = 1e-6 * std::max(1.0, std::abs(value));
    if (found != nullptr && std::abs(found->value - value) <= allowed) continue;
    throw Error(ErrorKind::verification,
                "its certificate says " + name + " " + shortest(value) + ", but it measures " +
                    (found == nullptr ? "none" : shortest(found->value)),
                file);
  }
}

}  // namespace dapple::app

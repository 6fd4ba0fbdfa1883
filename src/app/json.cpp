// Writes records and errors as JSON.
#include "app/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/escape_text.hpp"
#include "app/exit_code.hpp"
#include "dapple/analyze.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"

namespace dapple::app {
namespace {

// Returns whole numbers, such as pixels, as integers.
Json number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

Json json_of(const PlotForecast& plot) {
  return {{"travel_mm", plot.travel}, {"drawn_mm", plot.drawn}, {"touches", plot.touches},
          {"lines", plot.lines},      {"lifts", plot.lifts},    {"pen_changes", plot.pen_changes},
          {"seconds", plot.seconds}};
}

Json json_of(const WrittenOutput& output) {
  Json object = Json::object();
  object["path"] = output.path;
  object["kind"] = kind_name(output.kind);
  if (output.kind == OutputKind::material) {
    object["unchanged"] = output.unchanged;
    return object;
  }
  if (output.width > 0) {  // points on a surface have no size
    object["width"] = number(output.width);
    object["height"] = number(output.height);
    object["unit"] = output.kind == OutputKind::drawing || output.in_mm ? "mm" : "px";
  }
  if (output.channels > 0) object["channels"] = output.channels;
  if (output.full_height > 0) object["full_height"] = output.full_height;
  if (output.slices > 1) object["slices"] = output.slices;
  if (!output.only.empty()) object["output"] = output.only;
  if (output.points) object["points"] = *output.points;
  if (output.frame >= 0) object["frame"] = output.frame;
  if (output.udim > 0) object["udim"] = output.udim;
  if (!output.part.empty()) {
    object["tile"] = output.part;
    object["x_mm"] = output.corner.x;
    object["y_mm"] = output.corner.y;
    object["plot"] = json_of(output.plot);
  }
  if (!output.layout.empty()) object["layout"] = output.layout;
  if (!output.certificate.empty()) object["certificate"] = output.certificate;
  object["unchanged"] = output.unchanged;
  return object;
}

}  // namespace

Json json_head(const std::string& command) {
  return {{"command", command}, {"version", DAPPLE_VERSION}};
}

std::string text_of(const Json& object, int indent) {
  return printable(object.dump(indent, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::string json_of(const Record& record) {
  Json object = json_head(record.command);
  object["seed"] = record.seed;
  object["outputs"] = Json::array();
  for (const WrittenOutput& output : record.outputs) {
    if (output.kind == OutputKind::sidecar) {  // sidecar of the previous file
      object["outputs"].back()["sidecar"] = output.path;
    } else {
      object["outputs"].push_back(json_of(output));
    }
  }
  if (record.points) object["points"] = *record.points;
  if (record.plot) {
    object["plot"] = json_of(record.plot->forecast);
    object["plot"]["parts"] = record.plot->parts;
    object["plot"]["ink"] = record.plot->ink;
  }
  if (record.plot && record.plot->tiles > 0) object["plot"]["tiles"] = record.plot->tiles;
  if (!record.lost.empty()) object["lost"] = record.lost;
  object["seconds"] = Json::object();
  for (const auto& [stage, seconds] : record.seconds) object["seconds"][stage] = seconds;
  object["peak_memory_mb"] = record.peak_memory_mb;
  if (record.report) object["report"] = Json::parse(report_json(*record.report));
  if (!record.compared.empty()) object["reports"] = Json::object();
  for (const Compared& set : record.compared) {
    object["reports"][set.name] = Json::parse(report_json(set.report));
  }
  object["warnings"] = record.warnings;
  return text_of(object);
}

std::string json_of(const std::string& command, ErrorKind kind, const std::string& message,
                    const std::vector<std::string>& warnings) {
  Json object = json_head(command);
  object["error"] = {{"kind", kind_name(kind)}, {"message", message}};
  object["warnings"] = warnings;
  return text_of(object);
}

std::string json_of_recipe(const std::string& command, std::uint64_t seed,
                           const std::string& toml) {
  Json object = json_head(command);
  object["seed"] = seed;
  object["recipe"] = toml;
  object["warnings"] = Json::array();
  return text_of(object);
}

}  // namespace dapple::app

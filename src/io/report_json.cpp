#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "dapple/analyze.hpp"
#include "dapple/files.hpp"

namespace dapple {

std::string report_json(const QualityReport& report) {
  // JSON has no infinity: a value that is not finite becomes null.
  nlohmann::ordered_json measurements = nlohmann::ordered_json::object();
  nlohmann::ordered_json units = nlohmann::ordered_json::object();
  nlohmann::ordered_json targets = nlohmann::ordered_json::object();
  for (const Measurement& m : report.measurements) {
    measurements[m.name] =
        std::isfinite(m.value) ? nlohmann::ordered_json(m.value) : nlohmann::ordered_json(nullptr);
    if (!m.unit.empty()) units[m.name] = m.unit;
    if (m.target) targets[m.name] = {{m.target->at_most ? "at_most" : "at_least", m.target->value}};
  }
  nlohmann::ordered_json curves = nlohmann::ordered_json::array();
  for (const Curve& c : report.curves) {
    nlohmann::ordered_json curve = nlohmann::ordered_json::object();
    curve["title"] = c.title;
    if (!c.name.empty()) curve["name"] = c.name;
    curve["x_label"] = c.x_label;
    curve["y_label"] = c.y_label;
    curve["x"] = c.x;
    curve["y"] = c.y;
    curves.push_back(std::move(curve));
  }
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  root["kind"] = report.kind;
  if (const std::string verdict = verdict_of(report); !verdict.empty()) root["verdict"] = verdict;
  root["measurements"] = std::move(measurements);
  root["units"] = std::move(units);
  if (!targets.empty()) root["targets"] = std::move(targets);
  root["notes"] = report.notes;
  root["curves"] = std::move(curves);
  // Names may contain any bytes.
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace dapple

// Reports as text for people and as JSON for programs.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dapple/analyze.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

// Four significant digits, whole numbers in full.
std::string readable(double value) {
  if (!std::isfinite(value)) return shortest(value);
  if (value == std::round(value) && std::abs(value) < 1e15) {
    return std::to_string(static_cast<long long>(value));
  }
  const int digits = 3 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  std::array<char, 64> text{};
  const auto result =
      digits > 6 ? std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, 2)
                 : std::to_chars(text.begin(), text.end(), value, std::chars_format::fixed,
                                 std::clamp(digits, 0, 6));
  return std::string(text.begin(), result.ptr);
}

}  // namespace

const Measurement* QualityReport::find(std::string_view name) const {
  for (const Measurement& m : measurements) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

std::string report_text(const QualityReport& report) {
  std::size_t name = 0;
  std::size_t value = 0;
  std::size_t unit = 0;
  for (const Measurement& m : report.measurements) {
    name = std::max(name, m.name.size());
    value = std::max(value, readable(m.value).size());
    unit = std::max(unit, m.unit.size());
  }
  std::string text = report.kind + "\n";
  for (const Measurement& m : report.measurements) {
    const std::string number = readable(m.value);
    std::string line = "  " + m.name + std::string(name - m.name.size() + 2, ' ');
    line += std::string(value - number.size(), ' ') + number;
    line += " " + m.unit + std::string(unit - m.unit.size() + 2, ' ') + m.doc;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const std::string& note : report.notes) text += "  " + note + "\n";
  return text;
}

std::string report_json(const QualityReport& report) {
  // JSON has no infinity: such a value is null.
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
    nlohmann::ordered_json curve;
    curve["title"] = c.title;
    if (!c.name.empty()) curve["name"] = c.name;
    curve["x_label"] = c.x_label;
    curve["y_label"] = c.y_label;
    curve["x"] = c.x;
    curve["y"] = c.y;
    curves.push_back(std::move(curve));
  }
  nlohmann::ordered_json root;
  root["kind"] = report.kind;
  root["measurements"] = std::move(measurements);
  root["units"] = std::move(units);
  if (!targets.empty()) root["targets"] = std::move(targets);
  root["notes"] = report.notes;
  root["curves"] = std::move(curves);
  // Names may be of any bytes.
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace dapple

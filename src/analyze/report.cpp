// Formats reports as text for people.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/text/number_text.hpp"
#include "dapple/analyze.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

// Formats a number with four significant digits, whole numbers in full.
std::string readable(double value) {
  if (!std::isfinite(value)) return shortest(value);
  if (value == std::round(value) && std::abs(value) < 1e15) {
    return std::to_string(static_cast<long long>(value));
  }
  const int digits = 3 - decimal_exponent(value);
  return digits > 6 ? number_text(value, std::chars_format::scientific, 2)
                    : number_text(value, std::chars_format::fixed, std::clamp(digits, 0, 6));
}

// As above, but without zeros at the end of a fraction, for sentences.
std::string spoken(double value) {
  std::string text = readable(value);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

const Measurement* QualityReport::find(std::string_view name) const {
  for (const Measurement& m : measurements) {
    if (m.name == name) return &m;
  }
  return nullptr;
}

namespace {

std::string goals_met(const QualityReport& report) {
  std::size_t goals = 0;
  std::string missed;
  for (const Measurement& m : report.measurements) {
    if (!m.target) continue;
    ++goals;
    if (m.target->is_met_by(m.value)) continue;
    const std::string unit = m.unit.empty() ? "" : " " + m.unit;
    missed += (missed.empty() ? "" : ", ") + m.name + " (" + spoken(m.value) + unit + ", " +
              spoken(m.target->value) + (m.target->at_most ? " or less" : " or more") + " is good)";
  }
  if (goals == 0) return "";
  return missed.empty() ? "All goals are met" : "Goals are missed: " + missed;
}

std::string meets_on_paper(const QualityReport& report) {
  std::string text;
  const auto add = [&](std::string_view name, const std::string& before, const std::string& after) {
    const Measurement* const m = report.find(name);
    if (m != nullptr) text += (text.empty() ? "" : ", ") + before + spoken(m->value) + after;
  };
  add("touches", "", " touches of the pen");
  // A mask has a figure of the same name, which is not a length.
  const Measurement* const line = report.find("line");
  if (line != nullptr && line->unit == "m") add("line", "", " m of line");
  add("minutes", "", " minutes");
  const Measurement* const gap = report.find("gap");
  if (gap != nullptr && gap->value < 0) {
    text += std::string(text.empty() ? "" : ", ") + "dots that overlap";
  } else {
    add("gap", "gaps of at least ", " mm");
  }
  return text;
}

}  // namespace

std::string verdict_of(const QualityReport& report) {
  std::string text = goals_met(report);
  const std::string paper = meets_on_paper(report);
  if (!paper.empty()) text += (text.empty() ? "On paper: " : "; on paper: ") + paper;
  return text.empty() ? text : text + ".";
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
  const std::string verdict = verdict_of(report);
  if (!verdict.empty()) text += "  " + verdict + "\n";
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

}  // namespace dapple

// Finds where a stippling is too light or too dark: the difference of tone, as picture and text.
#include <algorithm>
#include <cmath>

#include "analyze/figures.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

constexpr std::size_t most_places = 3;

// Returns the places of the largest errors: the worst, the worst outside its area, and so on.
std::vector<Vec2> worst_places(const Plane<float>& error, double apart) {
  std::vector<Vec2> places;
  for (std::size_t k = 0; k < most_places; ++k) {
    float worst = 0;
    Vec2 place;
    for (int y = 0; y < error.height(); ++y) {
      for (int x = 0; x < error.width(); ++x) {
        if (std::abs(error(x, y)) <= worst) continue;
        const Vec2 here{x + 0.5, y + 0.5};
        const bool near = std::any_of(places.begin(), places.end(),
                                      [&](Vec2 p) { return length(p - here) < apart; });
        if (near) continue;
        worst = std::abs(error(x, y));
        place = here;
      }
    }
    if (worst > 0) places.push_back(place);
  }
  return places;
}

float at(const Plane<float>& plane, Vec2 place) {
  return plane(static_cast<int>(place.x), static_cast<int>(place.y));
}

// Formats a number with three digits.
std::string rounded(double value) {
  const double unit = power_of_ten(decimal_exponent(std::max(value, 1e-9)) - 2);
  const double whole = std::round(value / unit);
  return shortest(unit < 1 ? whole / std::round(1 / unit) : whole * unit);
}

std::string sentence(const Plane<float>& error, const std::vector<Vec2>& places, double sigma,
                     int cells) {
  if (places.empty()) return "Tone is exact everywhere.";
  std::string text = "Seen through " + rounded(sigma / cells) + " pixels (2 h), tone is worst at ";
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto v = static_cast<double>(at(error, places[i]));
    if (i > 0) text += i + 1 == places.size() ? " and at " : ", at ";
    text += "x " + std::to_string(static_cast<int>(places[i].x) / cells) + ", y " +
            std::to_string(static_cast<int>(places[i].y) / cells) + " (" +
            rounded(100 * std::abs(v)) + (i == 0 ? " % of full scale too " : " % too ") +
            (v > 0 ? "light)" : "dark)");
  }
  return text + ".";
}

// Returns the next of 1, 2, 5, 10, ... percent, so that small errors stay pale.
double round_range(double worst) {
  double range = 0.01;
  for (int i = 0; range < worst; ++i) range *= i % 3 == 1 ? 2.5 : 2;
  return range;
}

}  // namespace

ToneError tone_error_of(const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                        int cells) {
  ToneError error;
  error.seen_through = sigma / cells;
  error.values = Plane<float>(wanted.width(), wanted.height());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    error.values.values()[i] = static_cast<float>(wanted.values()[i] - drawn.values()[i]);
  }
  error.places = worst_places(error.values, 4 * sigma);
  if (!error.places.empty()) {
    error.worst = std::abs(static_cast<double>(at(error.values, error.places[0])));
  }
  error.range = round_range(error.worst);
  return error;
}

void add_tone_error(QualityReport& report, const Plane<float>& darkness,
                    const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                    int cells) {
  const int width = darkness.width();
  const int height = darkness.height();
  ToneError off = tone_error_of(wanted, drawn, sigma, cells);
  Picture tone{"Tone wanted", Plane<float>(width, height), 0, {}};
  const std::string seen_through = rounded(off.seen_through) + " pixels (2 h)";
  Picture seen{"The dots seen through " + seen_through, Plane<float>(width, height), 0, {}};
  for (std::size_t i = 0; i < darkness.size(); ++i) {
    tone.values.values()[i] = 1 - darkness.values()[i];
    seen.values.values()[i] = static_cast<float>(1 - drawn.values()[i]);
  }
  report.measurements.push_back(
      {"worst", 100 * off.worst, "% of full", "largest error of tone seen through 2 h"});
  report.notes.push_back(sentence(off.values, off.places, sigma, cells));
  Picture error{"Error of tone, seen through " + seen_through, std::move(off.values), off.range,
                std::move(off.places)};
  for (Picture* picture : {&tone, &seen, &error}) report.pictures.push_back(std::move(*picture));
}

}  // namespace dapple

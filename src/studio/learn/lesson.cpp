#include "studio/learn/lesson.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "analyze/spectrum.hpp"
#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/sample.hpp"
#include "dapple/spectra.hpp"
#include "io/images/formats.hpp"
#include "sample/darts/constant.hpp"
#include "sample/samplers.hpp"
#include "studio/message_values.hpp"

namespace dapple::studio {
namespace {

using app::Json;

constexpr double least_radius = 12;  // about 5,000 points
constexpr double largest_radius = 300;
constexpr int most_tries = 1000;
constexpr double most_in_window = 1e6;
constexpr double farthest = 9e5;         // from the origin of the plane, in radii
constexpr std::size_t enough = 40;       // fewest points for a useful spectrum
constexpr double most_measured = 4000;   // points of a window
constexpr int spectrum_side = 160;       // about, in pixels
constexpr double spectrum_extent = 2.5;  // the ring of a maximal set is at about 1

Vec2 pair_at(const Json& pair, double least, double most) {
  if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_number()) {
    throw Error(ErrorKind::usage, "a position in a lesson must be two numbers");
  }
  return {std::clamp(pair[0].get<double>(), least, most),
          std::clamp(pair[1].get<double>(), least, most)};
}

void put_number(std::string& bytes, double value) {
  put(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
}

void put_place(std::string& bytes, Vec2 p) {
  put_number(bytes, p.x);
  put_number(bytes, p.y);
}

// Formats a position without loss of precision.
std::string start_text(Vec2 p) {
  return Json(p.x).dump() + "," + Json(p.y).dump();
}

void fill_square(const LessonRequest& request, Lesson& lesson, Context& context) {
  const Domain square{lesson_side, lesson_side, false};
  const DensityField field = DensityField::constant(square, request.radius);
  lesson.cell_width = lesson.cell_height = request.radius / std::numbers::sqrt2;
  SampleOptions options;
  if (request.method == Method::darts) {
    lesson.trials = darts_one_by_one(square, request.radius, request.tries, request.first, context);
  } else {
    options.method = SampleMethod::bridson;
    options.tries = request.tries;
    if (request.first) options.start = start_text(*request.first);
    bridson(field, options, context, &lesson.trials);
  }
  lesson.points.domain = square;
  for (const Trial& trial : lesson.trials) {
    if (trial.stays) lesson.points.add(trial.at, static_cast<float>(request.radius));
  }
  SampleOptions rest;
  rest.keep.points = std::make_shared<const Points>(lesson.points);
  rest.only_new = true;
  const Points gaps = sample(field.domain(), field, rest, context);
  for (std::size_t i = 0; i < gaps.size(); ++i) lesson.gaps.push_back(gaps[i]);
}

void cut_out(const LessonRequest& request, Lesson& lesson, Context& context) {
  const double expected = even_packing * request.window.width() * request.window.height() /
                          (request.radius * request.radius);
  if (expected > most_in_window) {
    throw Error(ErrorKind::limit, "this window has more points than a page can show: zoom in");
  }
  const auto lattice = constant::endless_lattice(request.radius);
  lesson.cell_width = lattice.cell_width;
  lesson.cell_height = lattice.cell_height;
  lesson.points = sample_window(request.radius, request.window, context);
}

// Returns the points to measure: the first `count`, or the middle of a window.
Points measured(const Lesson& lesson, std::size_t count) {
  const Points& all = lesson.points;
  Points points;
  points.domain = all.domain;
  if (lesson.request.method != Method::plane) {
    for (std::size_t i = 0; i < std::min(count, all.size()); ++i) points.append(all, i);
    return points;
  }
  const double side = std::min(all.domain.shorter_side(),
                               lesson.request.radius * std::sqrt(most_measured / even_packing));
  const Vec2 corner{(all.domain.width - side) / 2, (all.domain.height - side) / 2};
  points.domain = {side, side, false};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Vec2 p = all[i] - corner;
    if (points.domain.contains(p)) points.add(p, all.radius[i]);
  }
  return points;
}

}  // namespace

LessonRequest lesson_request_of(const Json& message) {
  LessonRequest request;
  request.number = static_cast<int>(number_at(message, "number", 0, 2e9));
  const auto method = message.find("method");
  if (method == message.end()) throw Error(ErrorKind::usage, "a lesson needs a method");
  if (*method == "darts") {
    request.method = Method::darts;
  } else if (*method == "plane") {
    request.method = Method::plane;
  } else if (*method != "bridson") {
    throw Error(ErrorKind::usage, "the method of a lesson must be darts, bridson or plane");
  }
  request.radius = number_at(message, "radius", least_radius, largest_radius);
  request.seed = static_cast<std::uint64_t>(number_at(message, "seed", 0, 2e9));
  if (request.method == Method::plane) {
    const auto window = message.find("window");
    if (window == message.end() || !window->is_array() || window->size() != 2) {
      throw Error(ErrorKind::usage, "a lesson of the plane needs a window");
    }
    const double most = farthest * request.radius;
    const Vec2 from = pair_at((*window)[0], -most, most);
    const Vec2 to = pair_at((*window)[1], -most, most);
    request.window = {from.x, from.y, to.x, to.y};
    return request;
  }
  request.tries = static_cast<int>(number_at(message, "tries", 1, most_tries));
  // Limits the work: nobody can see thousands of rings with a thousand candidates each.
  if (request.method == Method::bridson) request.tries = std::min(request.tries, most_tries / 10);
  if (const auto first = message.find("first"); first != message.end() && !first->is_null()) {
    request.first = pair_at(*first, 0, std::nextafter(lesson_side, 0));
  }
  return request;
}

Lesson make_lesson(const LessonRequest& request, Context& context) {
  context.seed = request.seed;
  Lesson lesson;
  lesson.request = request;
  if (request.method == Method::plane) {
    cut_out(request, lesson, context);
  } else {
    fill_square(request, lesson, context);
  }
  return lesson;
}

Json head_of(const Lesson& lesson) {
  const LessonRequest& request = lesson.request;
  const Domain& domain = lesson.points.domain;
  return {{"kind", "lesson"},
          {"number", request.number},
          {"radius", request.radius},
          {"tries", request.tries},
          {"trials", lesson.trials.size()},
          {"points", lesson.points.size()},
          {"gaps", lesson.gaps.size()},
          {"cell", {lesson.cell_width, lesson.cell_height}},
          {"corner", {lesson.points.origin.x, lesson.points.origin.y}},
          {"size", {domain.width, domain.height}}};
}

std::string bytes_of(const Lesson& lesson) {
  std::string bytes;
  if (lesson.request.method == Method::plane) {
    bytes.reserve(8 * lesson.points.size());
    for (std::size_t i = 0; i < lesson.points.size(); ++i) put_place(bytes, lesson.points[i]);
    return bytes;
  }
  bytes.reserve(12 * lesson.trials.size() + 8 * lesson.gaps.size());
  for (const Trial& trial : lesson.trials) {
    put_place(bytes, trial.at);
    put(bytes, 2 * static_cast<std::uint64_t>(trial.of + 1) + (trial.stays ? 1 : 0), 4);
  }
  for (const Vec2 p : lesson.gaps) put_place(bytes, p);
  return bytes;
}

LessonSpectrum spectrum_of(const Lesson& lesson, std::size_t count, Context& context) {
  LessonSpectrum result;
  const Points points = measured(lesson, count);
  result.points = points.size();
  if (points.size() < enough) return result;
  const PowerSpectrum spectrum = power_spectrum(points, context);
  const Plane<float> picture = spectrum_picture(spectrum, spectrum_extent, spectrum_side);
  result.extent = spectrum_extent;
  result.side = picture.width();
  result.power.reserve(picture.size());
  for (const float power : picture.values()) {
    const float shown = power < 0 ? 0 : power / (1 + power);
    result.power += static_cast<char>(static_cast<unsigned char>(std::lround(255 * shown)));
  }
  for (const Ring& ring : radial_power(spectrum)) {
    if (ring.frequency <= spectrum_extent) result.rings.push_back({ring.frequency, ring.power});
  }
  return result;
}

Json head_of(const LessonSpectrum& spectrum) {
  Json rings = Json::array();
  for (const Vec2 ring : spectrum.rings) rings.push_back({ring.x, ring.y});
  return {{"kind", "spectrum"},       {"points", spectrum.points}, {"extent", spectrum.extent},
          {"width", spectrum.side},   {"height", spectrum.side},   {"gray", true},
          {"rings", std::move(rings)}};
}

}  // namespace dapple::studio

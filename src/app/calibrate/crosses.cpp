// The crosses are found on a small copy of the scan: a place scores by how much darker its four
// arms are than the paper between them. They are then placed in the scan itself, to a part of a
// pixel, by the centers of darkness across their arms.
#include "app/calibrate/crosses.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"

namespace dapple::app {
namespace {

constexpr double search_scale = 4;    // pixels per mm of the small copy
constexpr double least_score = 0.04;  // of full light
constexpr double arm_from = 1;  // mm along an arm that scores; less than the arm, for other scales
constexpr double arm_to = 5;
constexpr double arm_step = 0.5;

double darkest(const Plane<float>& light, Vec2 p) {
  return bilinear(light, p);
}

// Returns how much darker the darkest-to-be arm is than the paper between the arms. `mm` is the
// length of a millimeter in pixels.
double score(const Plane<float>& light, Vec2 at, double mm, Vec2 along) {
  const std::array<Vec2, 4> arms{{along, {-along.y, along.x}, along * -1, {along.y, -along.x}}};
  constexpr int steps = static_cast<int>((arm_to - arm_from) / arm_step) + 1;
  double paper = 0;
  double lightest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double arm = 0;
    const Vec2 between = (arms[i] + arms[(i + 1) % 4]) * std::sqrt(0.5);
    for (int k = 0; k < steps; ++k) {
      const double t = (arm_from + arm_step * k) * mm;
      arm += darkest(light, at + arms[i] * t);
      paper += bilinear(light, at + between * t);
    }
    lightest = std::max(lightest, arm / steps);
  }
  return paper / (4 * steps) - lightest;
}

struct Cross {
  Vec2 at;
  double score = 0;
};

// Returns the cross nearest to a corner among those that score nearly as well as the best in the
// quarter of the plane at this corner.
Cross cross_at_corner(const Plane<float>& scores, bool right, bool low) {
  constexpr double nearly = 0.6;
  const int w = scores.width();
  const int h = scores.height();
  const int left = right ? w / 2 : 0;
  const int top = low ? h / 2 : 0;
  float best = 0;
  for (int y = top; y < top + h / 2; ++y) {
    for (int x = left; x < left + w / 2; ++x) best = std::max(best, scores(x, y));
  }
  Cross found;
  double nearest = 4.0 * w * w + 4.0 * h * h;
  for (int y = top; y < top + h / 2; ++y) {
    for (int x = left; x < left + w / 2; ++x) {
      const float here = scores(x, y);
      if (!(static_cast<double>(here) > nearly * static_cast<double>(best))) continue;
      bool is_peak = true;
      constexpr int around = 3;
      for (int j = std::max(0, y - around); j <= std::min(h - 1, y + around); ++j) {
        for (int i = std::max(0, x - around); i <= std::min(w - 1, x + around); ++i) {
          is_peak = is_peak && scores(i, j) <= here;
        }
      }
      const Vec2 away{right ? w - x : x + 0.0, low ? h - y : y + 0.0};
      if (!is_peak || length_squared(away) >= nearest) continue;
      nearest = length_squared(away);
      found = {{x + 0.5, y + 0.5}, static_cast<double>(here)};
    }
  }
  return found;
}

// Returns how far the middle of a stroke lies from `at`, along `across`.
double offset_across(const Plane<float>& light, Vec2 at, Vec2 across, double reach) {
  constexpr int steps = 24;
  std::array<double, 2 * steps + 1> values{};
  double paper = 0;
  for (int i = -steps; i <= steps; ++i) {
    double& v = values[static_cast<std::size_t>(i + steps)];
    v = bilinear(light, at + across * (reach * i / steps));
    paper = std::max(paper, v);
  }
  double sum = 0;
  double moment = 0;
  // Half the depth keeps noise of the paper out.
  const double darkest = *std::min_element(values.begin(), values.end());
  const double level = 0.5 * (paper + darkest);
  for (int i = -steps; i <= steps; ++i) {
    const double dark = std::max(0.0, level - values[static_cast<std::size_t>(i + steps)]);
    sum += dark;
    moment += dark * reach * i / steps;
  }
  return sum > 0 ? moment / sum : 0;
}

// Moves a place onto the middle of its cross. `along` is the direction of its first arm, of length
// one, and `mm` a millimeter in pixels.
Vec2 refined(const Plane<float>& light, Vec2 at, double mm, Vec2 along) {
  const Vec2 across{-along.y, along.x};
  constexpr double longest = 6;  // mm along the arms
  for (const double reach : {1.5, 1.0, 1.0}) {
    Vec2 moved;
    int count = 0;
    for (double t = 2; t <= longest; t += 0.25, count += 2) {
      for (const double side : {-t, t}) {
        moved = moved + across * offset_across(light, at + along * (side * mm), across, reach * mm);
        moved = moved + along * offset_across(light, at + across * (side * mm), along, reach * mm);
      }
    }
    at = at + moved * (1.0 / count);
  }
  return at;
}

Vec2 unit(Vec2 v) {
  return v * (1 / length(v));
}

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

}  // namespace

Projection Projection::between(const std::array<Vec2, 4>& from, const std::array<Vec2, 4>& to) {
  // Eight equations, solved by elimination with the largest pivot of each column.
  std::array<std::array<double, 9>, 8> rows{};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec2 p = from[i];
    const Vec2 q = to[i];
    rows[2 * i] = {p.x, p.y, 1, 0, 0, 0, -p.x * q.x, -p.y * q.x, q.x};
    rows[2 * i + 1] = {0, 0, 0, p.x, p.y, 1, -p.x * q.y, -p.y * q.y, q.y};
  }
  for (std::size_t c = 0; c < 8; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < 8; ++r) {
      if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
    }
    std::swap(rows[c], rows[pivot]);
    if (std::abs(rows[c][c]) < 1e-12) fail("the crosses of the sheet lie on a line");
    for (std::size_t r = 0; r < 8; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k < 9; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  Projection made;
  for (std::size_t c = 0; c < 8; ++c) made.m_[c] = rows[c][8] / rows[c][c];
  return made;
}

Projection place_of_sheet(const CalibrationSheet& sheet, const Plane<float>& light,
                          Context& context) {
  const double paper = sheet.drawing.width * sheet.drawing.height;
  const double full = std::sqrt(static_cast<double>(light.size()) / paper);  // pixels per mm
  const double shrunk = std::min(1.0, search_scale / full);
  const auto side = [&](int length) {
    return std::max(8, static_cast<int>(std::lround(length * shrunk)));
  };
  constexpr double soft = 0.3;  // mm, so that arms that are slightly askew still score
  const double mm = full * shrunk;
  const Plane<float> small = gaussian_blurred(
      resample(light, side(light.width()), side(light.height()), context), soft * mm, context);
  Plane<float> scores(small.width(), small.height());
  parallel_for(
      context, static_cast<std::size_t>(small.height()),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < small.width(); ++x) {
          scores(x, y) = static_cast<float>(score(small, {x + 0.5, y + 0.5}, mm, {1, 0}));
        }
      },
      16);
  std::array<Vec2, 4> seen;
  double weakest = 1;
  const std::array<std::pair<bool, bool>, 4> corners{
      {{false, false}, {true, false}, {true, true}, {false, true}}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Cross cross = cross_at_corner(scores, corners[i].first, corners[i].second);
    if (cross.score < least_score) {
      fail(
          "shows no cross in one of its corners: scan the whole sheet, lying flat, without "
          "anything else");
    }
    weakest = std::min(weakest, cross.score);
    seen[i] = {cross.at.x * light.width() / small.width(),
               cross.at.y * light.height() / small.height()};
  }
  // Places of crosses tell the direction of their arms and the scale.
  for (int round = 0; round < 2; ++round) {
    const std::array<Vec2, 4> rough = seen;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 next = i % 2 == 0 ? rough[i ^ 1] - rough[i] : rough[i] - rough[i ^ 1];
      const Vec2 along = i < 2 ? unit(next) : unit(next) * -1;
      seen[i] = refined(light, rough[i], full, along);
    }
  }
  Projection best;
  double best_score = 0;
  for (std::size_t turn = 0; turn < 4; ++turn) {
    std::array<Vec2, 4> turned;
    for (std::size_t i = 0; i < 4; ++i) turned[i] = seen[(i + turn) % 4];
    const Projection to_scan = Projection::between(sheet.crosses, turned);
    const Vec2 mark = to_scan(sheet.mark);
    const Vec2 ahead = to_scan(sheet.mark + Vec2{1, 0}) - mark;
    const double found = score(light, mark, length(ahead), unit(ahead));
    if (found <= best_score) continue;
    best_score = found;
    best = to_scan;
  }
  if (best_score < 0.4 * weakest) {
    fail(
        "shows four crosses, but not the fifth beside the first: is it a sheet of `dapple "
        "calibrate`, of this --paper?");
  }
  return best;
}

}  // namespace dapple::app

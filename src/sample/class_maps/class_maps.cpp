// Samples points of classes whose radii come from one map per class.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/certify/proved.hpp"
#include "sample/class_maps/order.hpp"
#include "sample/class_maps/throwing.hpp"
#include "sample/class_shares.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/fixed_points.hpp"
#include "sample/settle_order.hpp"
#include "sample/solve_radius.hpp"
#include "sample/spaces.hpp"

namespace dapple {
namespace class_maps {
namespace {

// All memory per point while darts are thrown, and what each class adds.
constexpr double bytes_a_point = 1000;
constexpr double bytes_a_class = 40;

void require_fields(const ClassFields& classes) {
  const std::vector<DensityField>& fields = classes.fields;
  require_classes(ClassRadii{std::vector(fields.size(), 1.0), classes.shares, classes.distance});
  require_above_0("the scale of the fields of classes", classes.scale);
  for (const DensityField& field : fields) {
    const Domain& one = fields.front().domain();
    const Domain& other = field.domain();
    if (one.width == other.width && one.height == other.height && one.wrap == other.wrap) continue;
    throw Error(ErrorKind::usage, "the fields of classes must have one domain, not " +
                                      shortest(one.width) + " x " + shortest(one.height) + " and " +
                                      shortest(other.width) + " x " + shortest(other.height));
  }
}

std::vector<double> wanted_shares(const ClassFields& classes) {
  std::vector<double> shares = classes.shares;
  if (shares.empty()) {
    for (const DensityField& field : classes.fields) shares.push_back(field.integral());
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

void require_memory(const Classes& classes, Context& context) {
  const double bytes = bytes_a_point + bytes_a_class * static_cast<double>(classes.count());
  context.require_memory(bytes * classes.integral(), "sampling classes of points");
}

// Returns the fixed points with their distances toward classes of a scale.
std::vector<KeptPoint> fixed_toward(const Classes& classes, const FixedPoints& kept) {
  std::vector<KeptPoint> found;
  if (kept.points == nullptr) return found;
  const Points points = in_the_plane(*kept.points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 at = points[i];
    if (!classes.domain().contains(at)) {
      throw Error(ErrorKind::input,
                  Problem{"keep", "point " + std::to_string(i + 1) + at_place(Vec3{at.x, at.y, 0}) +
                                      " is outside the domain"});
    }
    const double own = points.radius.empty() ? 0.0 : static_cast<double>(points.radius[i]);
    int kind = own > 0 ? classes.of_its_own() : classes.without_radius();
    Toward each(classes.count(), own);
    if (!points.class_id.empty()) {
      kind = points.class_id[i];
      if (kind < 0 || kind >= classes.of_its_own()) {
        throw Error(ErrorKind::input, Problem{"keep", unknown_class(i, kind, classes.count())});
      }
      if (std::isfinite(classes.radius(static_cast<std::size_t>(kind), at))) {
        classes.toward(static_cast<std::size_t>(kind), at, each.data());
      } else {
        kind = classes.without_radius();
      }
    }
    found.push_back({at, kind, std::move(each)});
  }
  return found;
}

Near obstacles_of(const Classes& classes, const FixedPoints& kept) {
  Near obstacles(classes, true);
  for (const KeptPoint& point : fixed_toward(classes, kept)) {
    obstacles.add(point.at, point.kind, point.each.data());
  }
  obstacles.put_in_order();
  return obstacles;
}

// Finds head starts by trials of few points, whose radii are larger accordingly.
HeadStarts search_in(const Classes& classes, const ClassFields& asked,
                     const std::vector<double>& wanted, Context& context) {
  const double points = class_packing * classes.integral();
  const double larger = std::sqrt(std::max(1.0, points / (2 * trial_points_of_classes)));
  const Classes trial(asked.fields, asked.distance, ConflictRule::mean, classes.scale() * larger);
  const Near none(trial, true);
  return search_by_trials(wanted, [&](const std::vector<double>& head_start) {
    return throw_darts(trial, none, head_start, context).class_id;
  });
}

struct Made {
  Sampled points;
  double scale = 1;  // factor of their radii
  std::size_t size() const { return points.size(); }
};

// Keeps the `count` points accepted first.
void cut(Sampled& made, std::size_t count) {
  auto rows = in_order_of_windows(made.window, [&](std::size_t i) {
    return hash(std::bit_cast<std::uint64_t>(made.at[i].x),
                std::bit_cast<std::uint64_t>(made.at[i].y));
  });
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  keep_rows(made.at, rows);
  keep_rows(made.class_id, rows);
}

}  // namespace
}  // namespace class_maps

Points spaces::sample_classes(const ClassFields& asked, const Request& request, Context& context) {
  using namespace class_maps;
  require_fields(asked);
  const FixedPoints& kept = request.kept;
  require_rule(kept.rule);
  const auto count = static_cast<double>(request.count);
  require_number("the number of points", count, 0);
  const std::vector<double> wanted = class_maps::wanted_shares(asked);
  const auto classes_at = [&](double factor) {
    return Classes(asked.fields, asked.distance, kept.rule, factor);
  };
  const auto stage = context.stage("sample");
  double scale = asked.scale;
  if (count > 0) {
    context.require_memory(120 * count, "sampling classes of points");
    scale = std::sqrt(class_packing * classes_at(1).integral() / count);
  }
  const Classes first = classes_at(scale);
  class_maps::require_memory(first, context);
  const auto thrown = [&](double factor, const std::vector<double>& starts) {
    const Classes classes = classes_at(factor);
    class_maps::require_memory(classes, context);
    const Near obstacles = class_maps::obstacles_of(classes, kept);
    return Made{throw_darts(classes, obstacles, starts, context), factor};
  };
  const auto fill = [&](const std::vector<double>& starts) {
    if (count == 0) return thrown(scale, starts);
    auto enough = fewest_enough(static_cast<std::size_t>(count), scale, 2,
                                [&](double factor) { return thrown(factor, starts); });
    cut(enough.made.points, static_cast<std::size_t>(count));
    return std::move(enough.made);
  };
  Made filled = with_good_shares(search_in(first, asked, wanted, context), fill,
                                 [](const Made& of) { return std::span(of.points.class_id); });
  Sampled& made = filled.points;
  warn_of_shares(made.class_id, wanted, context);
  const Classes classes = classes_at(filled.scale);
  Points points;
  points.domain = first.domain();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double r = classes.radius(static_cast<std::size_t>(made.class_id[i]), made.at[i]);
    points.add(made.at[i], static_cast<float>(r));
  }
  points.class_id = std::move(made.class_id);
  if (request.progressive) {
    points = picked(points, order_of(classes, points, fixed_toward(classes, kept), context));
    rank_as_they_stand(points);
  }
  ClassFields scaled = asked;
  scaled.scale = filled.scale;
  points.radii = std::make_shared<const Radii>(std::move(scaled));
  return points;
}

Certificate spaces::certify_classes(const Points& points, const ClassFields& asked,
                                    const FixedPoints& kept, double tolerance, Context& context) {
  class_maps::require_fields(asked);
  require_rule(kept.rule);
  require_columns(points);
  require_inside(points);
  require_class_of_each(points, asked.fields.size());
  const class_maps::Classes classes(asked.fields, asked.distance, kept.rule, asked.scale);
  return class_maps::prove(classes, class_maps::obstacles_of(classes, kept), points, tolerance,
                           context);
}

}  // namespace dapple

// Grows points from a start: tries candidates in a ring around a point until `tries` of them in a
// row fail (Bridson 2007). Differences: the radius varies, so the ring is as wide as the conflict
// distance in its own direction. Candidates are uniform in the ring's area. A tree instead of a
// grid finds neighbors at any ratio of radii. After growth, a few darts look for islands that
// growth could not reach.
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/darts/radius_tree.hpp"
#include "sample/darts/traced_darts.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {

bool parse_place(std::string_view text, double& x, double& y) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const auto first = parse_number<double>(text.substr(0, comma));
  const auto second = parse_number<double>(text.substr(comma + 1));
  if (!first || !second) return false;
  x = *first;
  y = *second;
  return true;
}

namespace {

class Growth {
 public:
  Growth(const DensityField& field, const SampleOptions& options, Context& context,
         std::vector<Trial>* steps)
      : field_(field),
        options_(options),
        context_(context),
        trials_(steps),
        tree_(field.domain()),
        random_(context.seed, Stream::bridson) {
    points_.domain = field.domain();
    expected_ = packing_constant(SampleMethod::bridson, options.conflict) * field.integral();
    const Points kept = kept_points(field, options);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      tree_.add(kept[i], static_cast<double>(kept.radius[i]) * safety);
      add_active(kept[i], kept.radius[i]);
    }
  }

  Points run() {
    const InverseDensity density(field_, context_);
    const auto somewhere = [&] {
      const double u = random_.uniform();
      return density.place(u, random_.uniform());
    };
    if (options_.start == "random") {
      try_add(somewhere());
    } else if (!try_add(start_place()) && options_.start == "center") {
      context_.warn(
          "no point may be placed at the center; growth starts at a random place instead");
      try_add(somewhere());
    }
    grow();
    const int darts = 64 + static_cast<int>(points_.size() / 16);
    for (int i = 0; i < darts; ++i) {
      if (try_add(somewhere())) grow();
      if (i % 1024 == 0) context_.check();
    }
    return std::move(points_);
  }

 private:
  Vec2 start_place() const {
    const Domain& domain = field_.domain();
    Vec2 p{0.5 * domain.width, 0.5 * domain.height};
    if (options_.start == "center") return p;
    if (!parse_place(options_.start, p.x, p.y)) {
      throw Error(ErrorKind::usage,
                  Problem{"start", "must be random, center or X,Y, not '" + options_.start + "'"});
    }
    if (!domain.contains(p) || !std::isfinite(field_.radius(p))) {
      throw Error(
          ErrorKind::usage,
          Problem{"start", "no point may be placed at " + options_.start + "; the domain is " +
                               shortest(domain.width) + " x " + shortest(domain.height)});
    }
    return p;
  }

  // `of`: number of the point that the candidate grows from; -1: none.
  bool try_add(Vec2 p, std::int32_t of = -1) {
    const double r = field_.radius(p) * safety;
    const bool stays = std::isfinite(r) && !tree_.conflicts(p, r, options_.conflict);
    tell(p, of, stays);
    if (!stays) return false;
    tree_.add(p, r);
    const auto radius = static_cast<float>(field_.radius(p));
    add_active(p, radius);
    points_.add(p, radius);
    return true;
  }

  void add_active(Vec2 p, float radius) {
    active_.push_back({p, static_cast<double>(radius) * safety, count_++});
  }

  void tell(Vec2 p, std::int32_t of, bool stays) {
    if (trials_ != nullptr) trials_->push_back({p, of, stays});
  }

  void grow() {
    while (!active_.empty()) {
      const std::size_t pick = random_.below(static_cast<std::uint32_t>(active_.size()));
      const Center center = active_[pick];
      bool grown = false;
      for (int i = 0; i < options_.tries && !grown; ++i) grown = try_candidate(center);
      if (!grown) {
        active_[pick] = active_.back();
        active_.pop_back();
      }
      if (++steps_ % 1024 == 0) {
        context_.progress(static_cast<double>(points_.size()) / std::max(1.0, expected_));
      }
    }
  }

  // A point that candidates grow from.
  struct Center {
    Vec2 at;
    double r;
    std::int32_t number;
  };

  bool try_candidate(const Center& center) {
    const Vec2 way = direction(random_.uniform());
    const double reach = std::sqrt(1 + 3 * random_.uniform());  // 1 to 2, uniform by area
    const Domain& domain = field_.domain();
    // The radius at the near edge of the ring decides how near the ring may begin.
    const Vec2 near = domain.wrapped(center.at + way * center.r);
    const double there = field_.radius(near) * safety;
    const double f =
        std::isfinite(there) ? conflict_distance(options_.conflict, there, center.r) : center.r;
    const Vec2 p = domain.wrapped(center.at + way * (f * reach));
    if (domain.contains(p)) return try_add(p, center.number);
    tell(p, center.number, false);
    return false;
  }

  const DensityField& field_;
  const SampleOptions& options_;
  Context& context_;
  std::vector<Trial>* trials_;
  RadiusTree tree_;
  Random random_;
  Points points_;
  std::vector<Center> active_;
  std::int32_t count_ = 0;
  double expected_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

Points bridson(const DensityField& field, const SampleOptions& options, Context& context,
               std::vector<Trial>* steps) {
  const double expected =
      packing_constant(SampleMethod::bridson, options.conflict) * field.integral();
  context.require_memory(expected * 150, "growing this many points");
  return Growth(field, options, context, steps).run();
}

}  // namespace dapple

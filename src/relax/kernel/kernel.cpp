// Relaxes dots under two Gaussian kernels.
//
// Each dot descends the difference between the other dots and the wanted density, both seen through
// the same Gaussians (kernel density model: Fattal 2011). The narrow one, 0.45 local spacings wide,
// keeps dots apart. The wide one, 0.9 spacings wide and sixteen times as heavy, makes the local ink
// right. Differences from that model: widths follow the density. A width between two levels of the
// density stack is a mixture of these levels. Pair forces and image term share the mixture, so that
// they balance. The picture is mirrored at its borders. Steps are scaled by the largest curvature
// of the energy, with heavy-ball momentum (Polyak 1964). At intervals all dots follow a flow that
// corrects errors over many spacings (tone_flow.hpp). At the end dots that lie too near each other
// move apart.
//
// Dots come in the order of a space-filling curve, so runs of sixteen lie together. Such a block
// shares one list of neighbors, and its forces are computed together. Until the lists are made
// again, the image term is extrapolated from its value and slope at the dot.
//
// A dot and its own mirror image repel each other, so the outermost dots would line up with the
// frame. Therefore the narrow kernel of each dot sees mirrors slightly inside or outside the frame,
// at a random distance of its own.
#include "relax/kernel/kernel.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/kernel/run.hpp"

namespace dapple {
namespace {

constexpr double momentum = 0.85;
constexpr double momentum_of_parts = 0.93;  // parts settle over many spacings, which takes longer
constexpr int calm = 14;  // number of last steps without that momentum, so that dots come to rest
constexpr double speed_limit = 0.3;   // spacings per step
constexpr double list_slack = 0.2;    // spacings that dots may move before lists are incomplete
constexpr double narrow_reach = 4.4;  // of the narrow kernel, in its widths
constexpr double core_at = 0.8;       // range of the repulsion, in hexagonal distances
constexpr double widest = 3;          // largest spacing that kernels follow, in mean spacings
constexpr double narrowest = 0.5;     // width of the narrowest kernel, in pixels
constexpr int first_measurings = 6;   // iterations for the first spacing
constexpr int settling = 10;          // first steps, in which dots move far, as parts do until calm
constexpr int oldest_list = 10;       // steps
constexpr int flow_from = 20;         // first step with a flow
constexpr int flow_every = 8;         // steps
constexpr int again_iterations = 30;  // steps of dots that lie well already
constexpr int again_flow_from = 5;
constexpr double flow_free_from = 0.3;  // mobility above which dots follow flows
constexpr double flow_share = 0.9;
constexpr double farthest_flow = 0.3;  // spacings
constexpr double rim_depth = 6;        // reach of the frame's effect, in mean spacings
constexpr int unshaken = 22;           // number of last steps without shaking
constexpr double shaken_by = 0.25;     // spacings, at the border
constexpr double shaken_within = 2;    // spacings from the border, where the shift is half as large
constexpr double largest_size = 1.5;   // of a dot, relative to those around it
constexpr double longer_for_parts = 1.9;
constexpr int yielding = 4;  // last steps, in which parts give way to the whole more and more
constexpr double look_up_after = 0.4;  // spacings that dots may move before parts look them up

// Reflects a coordinate that lies outside by less than a domain back inside.
std::int32_t reflected(double at, std::int32_t last) {
  if (at < 0) at = -at;
  if (at > last) at = 2.0 * last - at;
  return static_cast<std::int32_t>(std::clamp(at, 0.0, static_cast<double>(last)));
}

double densest(const Plane<float>& density) {
  const auto values = density.values();
  return static_cast<double>(*std::max_element(values.begin(), values.end()));
}

}  // namespace

struct KernelRun::Finer {
  int cut;
  Plane<float> density, wanted;  // empty: as given
  const Plane<float>& given;
  const Plane<float>* given_wanted;
  Points dots;

  Finer(const Points& of, const Plane<float>& map, const KernelOptions& options, Context& context)
      : given(map), given_wanted(options.wanted) {
    dots.domain = of.domain;
    dots.x = of.x;
    dots.y = of.y;
    const double narrow = Kernels(options.regularity, false).narrow / std::sqrt(densest(map));
    // A few dark specks must not cut all pixels.
    const double mean = std::sqrt(of.domain.area() / static_cast<double>(of.size()));
    cut = static_cast<int>(std::max(1.0, std::ceil(narrowest / std::max(narrow, 0.2 * mean))));
    if (cut == 1) return;
    density = cut_pixels(map, cut, context);
    if (given_wanted != nullptr) wanted = cut_pixels(*given_wanted, cut, context);
    scale(dots, cut);
  }
  const Plane<float>& map() const { return cut > 1 ? density : given; }
  // Returns the wanted ink if dots have masses, otherwise the density.
  const Plane<float>& ink() const {
    return given_wanted == nullptr ? map() : cut > 1 ? wanted : *given_wanted;
  }
};

KernelRun::KernelRun(const Points& dots, const Plane<float>& density, const KernelOptions& options,
                     Context& context)
    : KernelRun(Finer(dots, density, options, context), options, context) {}

KernelRun::KernelRun(const Finer& finer, const KernelOptions& options, Context& context)
    : context_(&context),
      count_(finer.dots.size()),
      domain_(finer.dots.domain),
      cut_(finer.cut),
      kernels_(options.regularity, options.shaken && options.parts.empty()),
      shaken_(options.shaken),
      mobility_(options.mobility),
      masses_(options.masses),
      mean_(std::sqrt(domain_.area() / static_cast<double>(count_))),
      // Only one reflection per side is searched, so kernels are no wider than the picture.
      smallest_(std::min(domain_.shorter_side() / (kernels_.reach + list_slack),
                         1 / std::sqrt(densest(finer.map())))),
      largest_(std::max(smallest_, std::min(widest * mean_, domain_.shorter_side() /
                                                                (kernels_.reach + list_slack)))),
      stack_(finer.map(), narrowest_kernel(), widest_kernel(), context),
      table_(stack_),
      tone_(finer.ink(), stack_, 1 / std::sqrt(densest(finer.map())), widest * mean_,
            kernels_.flow_cell, context),
      blocks_((count_ + block_dots - 1) / block_dots),
      boxes_(count_) {
  for (const DotPart& part : options.parts) parts_.emplace_back(part, finer.map(), context);
  if (!parts_.empty()) pace_.assign(count_, 1.0f);
  for (const PartForce& part : parts_) {
    for (const std::int32_t i : part.dots()) {
      pace_[static_cast<std::size_t>(i)] += static_cast<float>(part.stiffness());
    }
  }
  for (float& pace : pace_) pace = 1 / pace;
  image_.table = &table_;
  if (!masses_.empty()) {
    image_.ink = &ink_table_.emplace(
        ink_.emplace(finer.ink(), narrowest_kernel(), widest_kernel(), context));
    rules_.masses = masses_.data();
  }
  image_.smallest = smallest_;
  image_.largest = largest_;
  image_.narrow = kernels_.narrow;
  image_.narrow_weight = kernels_.narrow_weight;
  image_.pure = kernels_.pure;
  image_.wide_weight = kernels_.wide_weight;
  image_.core = core_at * hexagonal_spacing;
  image_.core_force = kernels_.core_force * kernels_.largest_curvature();
  image_.rate = 2.6 / kernels_.largest_curvature();
  rules_.momentum = parts_.empty() ? momentum : momentum_of_parts;
  rules_.speed_limit = speed_limit;
  const auto guess = static_cast<float>(std::min(mean_, largest_));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    blocks_[b].spacing.fill(guess);
    blocks_[b].still = again();
    for (std::size_t i = first(b); i < end(b); ++i) {
      blocks_[b].still &= !(mobility(i) > 0);
      movers_ += mobility(i);
    }
  }
  const double times = parts_.empty() ? 1 : longer_for_parts;
  iterations_ =
      again() ? again_iterations : static_cast<int>(std::lround(times * kernels_.iterations));
  place_dots(finer.dots);
}

double KernelRun::hexagonal_at(Vec2 p) const {
  return hexagonal_spacing / std::sqrt(std::max(stack_.value(mean_, p), 1e-12));
}

// Returns the mobility in flows. It is 0 for hardly free dots, which would all drift to any gap.
double KernelRun::flow_mobility(std::size_t i) const {
  return std::max(0.0, (mobility(i) - flow_free_from) / (1 - flow_free_from));
}

std::vector<Vec2> KernelRun::places() {
  std::vector<Vec2> places(count_);
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) places[i] = place(i);
  });
  return places;
}

void KernelRun::place_dots(const Points& dots) {
  const Domain& domain = domain_;
  at_.unit = std::max(domain.width, domain.height) * 0x1p-29;  // reflections reach twice as far
  const auto last = [&](double side) {
    return static_cast<std::int32_t>(std::ceil(side / at_.unit)) - 1;
  };
  const auto twice = [&](double side) { return static_cast<std::int32_t>(2 * side / at_.unit); };
  rules_.last_x = last(domain.width);
  rules_.last_y = last(domain.height);
  for (int m = 0; m < 9; ++m) {
    mirrors_[static_cast<std::size_t>(m)] = {m % 3 == 0 ? 1 : -1, m / 3 == 0 ? 1 : -1,
                                             m % 3 == 2 ? twice(domain.width) : 0,
                                             m / 3 == 2 ? twice(domain.height) : 0};
  }
  rules_.mirrors = mirrors_.data();
  const std::size_t padded = blocks_.size() * block_dots;
  at_.x.resize(padded);
  at_.y.resize(padded);
  for (std::size_t i = 0; i < padded; ++i) {
    const std::size_t dot = std::min(i, count_ - 1);
    at_.x[i] = std::min(static_cast<std::int32_t>(dots.x[dot] / at_.unit), rules_.last_x);
    at_.y[i] = std::min(static_cast<std::int32_t>(dots.y[dot] / at_.unit), rules_.last_y);
  }
  next_ = at_;
}

void KernelRun::read(Points& dots) const {
  if (!(movers_ > 0)) return;
  dots.domain = domain_;
  for (std::size_t i = 0; i < count_; ++i) {
    dots.x[i] = std::min(at_.x[i] * at_.unit, std::nextafter(domain_.width, 0.0));
    dots.y[i] = std::min(at_.y[i] * at_.unit, std::nextafter(domain_.height, 0.0));
  }
  if (cut_ > 1) scale(dots, 1.0 / cut_);
}

// Keeps the state that the next step needs, before the lists are made again.
void KernelRun::keep(int step) {
  const Checkpoint* checkpoint = context_->checkpoint.get();
  if (checkpoint == nullptr || again() || !measured_) return;
  state_ = {step, at_.x, at_.y, {}};
  for (const DotBlock& block : blocks_) {
    for (const DotBlock::Lanes* lanes : {&block.spacing, &block.velocity_x, &block.velocity_y}) {
      state_.lanes.insert(state_.lanes.end(), lanes->begin(), lanes->end());
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - kept_).count() < checkpoint->every) return;
  hand_over();
  kept_ = now;
}

// Passes the state to the checkpoint.
void KernelRun::hand_over() {
  if (!state_.x.empty()) context_->checkpoint->keep(encode(state_));
  state_ = {};
}

// Restores a kept state and returns the step to resume at, otherwise 0.
int KernelRun::go_on() {
  const Checkpoint* checkpoint = context_->checkpoint.get();
  if (checkpoint == nullptr || again() || checkpoint->kept.empty()) return 0;
  const KernelState state = decode_kernel_state(checkpoint->kept, at_.x.size());
  at_.x = state.x;
  at_.y = state.y;
  next_ = at_;
  auto lane = state.lanes.begin();
  for (DotBlock& block : blocks_) {
    for (DotBlock::Lanes* lanes : {&block.spacing, &block.velocity_x, &block.velocity_y}) {
      std::copy_n(lane, block_dots, lanes->begin());
      lane += block_dots;
    }
  }
  measured_ = true;
  return state.step;
}

void KernelRun::steps(int most, Context& context) {
  context_ = &context;
  if (!(movers_ > 0)) return;
  if (!begun_) next_step_ = go_on();
  begun_ = true;
  const int first_flow = again() ? again_flow_from : flow_from;
  try {
    for (int k = 0; k < most && next_step_ < iterations_; ++k) {
      const int i = next_step_;
      const bool far = i < settling || (!parts_.empty() && i + calm < iterations_);
      if (moved_ > (far ? 0.12 : 0.06) || age_ >= oldest_list) {
        keep(i);
        update_neighbors();
        moved_ = 0;
        age_ = 0;
      }
      if (!parts_.empty()) feel_parts();
      if (i + calm >= iterations_) rules_.momentum = momentum;
      const double moved = step();
      moved_ += moved;
      moved_since_look_up_ += moved;
      ++age_;
      ++next_step_;
      if (shaken_ && i + unshaken < iterations_) shake(i);
      const bool flows = i >= first_flow && (i - first_flow) % flow_every == 0;
      if (flows || next_step_ == iterations_) moved_ += flow(flow_share);
      context.progress(static_cast<double>(next_step_) / iterations_);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) hand_over();
    throw;
  }
}

void KernelRun::flow(Context& context) {
  context_ = &context;
  if (movers_ > 0) moved_ += flow(flow_share);
}

void KernelRun::finish(Context& context) {
  steps(iterations_, context);
  if (!(movers_ > 0)) return;
  part_dots();
  if (shaken_) return;
  // The flow restores the tone that moving dots apart costs, and leaves few dots too near. Dots
  // that are to be cut flow after the cut.
  flow(flow_share);
  part_dots();
}

void KernelRun::even_out(int flows, double share, Context& context) {
  context_ = &context;
  // Far from the frame no dots come too near each other, so blocks there are skipped. If dots have
  // mobilities, the mobilities already define the blocks to skip.
  const auto deep = static_cast<std::int32_t>(rim_depth * mean_ / at_.unit);
  for (std::size_t b = 0; b < blocks_.size() && !again(); ++b) {
    blocks_[b].still = true;
    for (std::size_t i = first(b); i < end(b); ++i) blocks_[b].still &= depth(i) > deep;
  }
  update_neighbors();
  for (int k = 0; k < flows; ++k) {
    flow(share);
    context.progress(static_cast<double>(k + 1) / flows);
  }
  part_dots();
}

// Makes the lists of neighbors and computes the image term.
void KernelRun::update_neighbors() {
  boxes_.update(at_);
  for_blocks([&](std::size_t b) {
    DotBlock& block = blocks_[b];
    if (block.still) return;
    std::int64_t x = 0;
    std::int64_t y = 0;
    for (std::size_t i = first(b); i < end(b); ++i) {
      x += at_.x[i];
      y += at_.y[i];
    }
    const auto count = static_cast<std::int64_t>(end(b) - first(b));
    block.center_x = static_cast<std::int32_t>(x / count);
    block.center_y = static_cast<std::int32_t>(y / count);
    look_at_image(b, block, image_, at_, measured_ ? 1 : first_measurings);
    const Random random(context_->seed, Stream::relax);
    for (std::size_t k = 0; k < block_dots; ++k) {
      block.frame[k] = static_cast<float>(2 * to_unit(random.at(first(b) + k)) - 1) *
                       static_cast<float>(kernels_.frame_play) * block.spacing[k];
      const bool is_dot = first(b) + k < count_;
      block.gain[k] *= is_dot ? static_cast<float>(mobility(first(b) + k)) : 0.0f;
      if (is_dot && !pace_.empty()) block.gain[k] *= pace_[first(b) + k];
    }
    find_neighbors(b);
  });
  measured_ = true;
}

// Computes the forces within parts.
void KernelRun::feel_parts() {
  const std::vector<Vec2> at = places();
  const bool moved_far = moved_since_look_up_ > look_up_after;
  if (moved_far) moved_since_look_up_ = 0;
  const double given_way = std::max(0, yielding + 1 - steps_left()) / (yielding + 1.0);
  std::vector<const std::vector<Vec2>*> found(parts_.size());
  parallel_for(*context_, parts_.size(), [&](std::size_t p) {
    if (moved_far) parts_[p].look_up(at);
    found[p] = &parts_[p].forces(at, kernels_.largest_curvature(), given_way, *context_);
  });
  std::vector<Vec2> forces(count_);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::span<const std::int32_t> dots = parts_[p].dots();
    for (std::size_t n = 0; n < dots.size(); ++n) {
      Vec2& force = forces[static_cast<std::size_t>(dots[n])];
      force = force + (*found[p])[n];
    }
  }
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) {
      blocks_[b].part_x[i % block_dots] = static_cast<float>(forces[i].x);
      blocks_[b].part_y[i % block_dots] = static_cast<float>(forces[i].y);
    }
  });
}

// Lists all dots whose force reaches a dot of the block.
void KernelRun::find_neighbors(std::size_t b) {
  DotBlock& block = blocks_[b];
  block.seen.clear();
  block.mirrored.clear();
  block.mirror.clear();
  thread_local std::vector<std::int32_t> near;
  thread_local DotsByDistance kept;
  Sight sight;
  const auto [left, right] = std::minmax_element(block.x.begin(), block.x.end());
  const auto [top, bottom] = std::minmax_element(block.y.begin(), block.y.end());
  sight.x0 = *left;
  sight.x1 = *right;
  sight.y0 = *top;
  sight.y1 = *bottom;
  for (std::size_t k = 0; k < block_dots; ++k) {
    const float far = static_cast<float>(kernels_.reach + list_slack) * block.spacing[k];
    sight.inverse_far2[k] = 1 / (far * far);
    sight.far = std::max(sight.far, far);
  }
  if (!kernels_.pure) {
    const auto share2 = [&](double spacings) {
      const double share = (spacings + list_slack) / (kernels_.reach + list_slack);
      return static_cast<float>(share * share);
    };
    sight.core2 = share2(core_at * hexagonal_spacing);
    sight.narrow2 = share2(narrow_reach * kernels_.narrow);
  }
  FixedBox box = boxes_.of_block(b);
  box.grow(static_cast<std::int32_t>(static_cast<double>(sight.far) / at_.unit) + 1);
  for (std::int32_t m = 0; m < 9; ++m) {
    // Reflected dots near the block are the dots near the block's reflection.
    const FixedMirror& mirror = mirrors_[static_cast<std::size_t>(m)];
    const FixedBox looked = box.reflected(mirror);
    if (looked.x1 < 0 || looked.y1 < 0 || looked.x0 > rules_.last_x || looked.y0 > rules_.last_y) {
      continue;
    }
    near.clear();
    boxes_.find(looked, near);
    keep_near(block, sight, at_, mirror, near, count_, kept);
    std::vector<std::int32_t>& list = m == 0 ? block.seen : block.mirrored;
    for (const DotsByDistance::List* part : {&kept.core, &kept.narrow, &kept.wide}) {
      list.insert(list.end(), part->dots.data(), part->dots.data() + part->count);
    }
    if (m == 0) {
      block.core_count = kept.core.count;
      block.narrow_count = block.core_count + kept.narrow.count;
    } else {
      block.mirror.resize(block.mirrored.size(), m);
    }
  }
}

// Moves every dot once. Returns the mean way in spacings.
double KernelRun::step() {
  // at_ and next_ hold the same places for a still block from the beginning.
  for_blocks([&](std::size_t b) {
    if (!blocks_[b].still) step_block(b, blocks_[b], rules_, at_, next_);
  });
  std::swap(at_, next_);
  return parallel_sum(*context_, blocks_.size(),
                      [&](std::size_t b) {
                        double sum = 0;
                        for (std::size_t k = 0; k < block_dots; ++k) {
                          const auto vx = static_cast<double>(blocks_[b].velocity_x[k]);
                          const auto vy = static_cast<double>(blocks_[b].velocity_y[k]);
                          sum += std::sqrt(vx * vx + vy * vy);
                        }
                        return sum;
                      }) /
         movers_;
}

void KernelRun::shake(int step) {
  const Random random(context_->seed, Stream::relax, static_cast<std::uint64_t>(step) + 1);
  const auto unit = static_cast<float>(at_.unit);
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) {
      const double spacings = static_cast<double>(static_cast<float>(depth(i)) * unit) / spacing(i);
      if (spacings >= shaken_within) continue;
      const double most = shaken_by * (1 - 0.5 * spacings / shaken_within) * spacing(i) / at_.unit;
      at_.x[i] = reflected(at_.x[i] + most * (2 * to_unit(random.at(2 * i)) - 1), rules_.last_x);
      at_.y[i] =
          reflected(at_.y[i] + most * (2 * to_unit(random.at(2 * i + 1)) - 1), rules_.last_y);
    }
  });
}

// Moves dots `part` of the way along the flow that evens out the tone. Returns the mean way in
// spacings.
double KernelRun::flow(double part) {
  std::vector<Vec2> ways = tone_.ways(places(), masses_, *context_);
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) {
      const double far = part * length(ways[i]) / spacing(i);
      const double share = far > farthest_flow ? part * farthest_flow / far : part;
      ways[i] = ways[i] * (share * flow_mobility(i));
      at_.x[i] = reflected(at_.x[i] + ways[i].x / at_.unit, rules_.last_x);
      at_.y[i] = reflected(at_.y[i] + ways[i].y / at_.unit, rules_.last_y);
    }
  });
  const double sum =
      parallel_sum(*context_, count_, [&](std::size_t i) { return length(ways[i]) / spacing(i); });
  return sum / movers_;
}

// Returns the size of each dot relative to those around it; empty if dots have no masses.
std::vector<float> KernelRun::relative_sizes() const {
  std::vector<float> sizes;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const double mean =
        ink_->value(mean_, place(i)) / std::max(stack_.value(mean_, place(i)), 1e-12);
    const double size = std::sqrt(static_cast<double>(masses_[i]) / std::max(mean, 1e-3));
    sizes.push_back(static_cast<float>(std::min(size, largest_size)));
  }
  return sizes;
}

// Returns the movable dots that have another dot too near.
std::vector<std::size_t> KernelRun::dots_at_fault(const Surroundings& surroundings) {
  std::vector<std::uint32_t> found(blocks_.size());
  for_blocks([&](std::size_t b) {
    if (blocks_[b].still) return;
    if (surroundings.sizes.empty()) {
      found[b] = dots_too_near(b, blocks_[b], table_, mean_, kernels_.least_apart, at_);
      return;
    }
    for (std::size_t i = first(b); i < end(b); ++i) {
      if (lies_too_near(i, at_, surroundings, kernels_.least_apart))
        found[b] |= 1u << (i - first(b));
    }
  });
  std::vector<std::size_t> at_fault;
  for (std::size_t i = 0; i < count_; ++i) {
    const bool is = (found[i / block_dots] >> (i % block_dots) & 1) != 0;
    if (is && mobility(i) > 0) at_fault.push_back(i);
  }
  return at_fault;
}

void KernelRun::part_dots() {
  const std::vector<float> sizes = relative_sizes();
  const Surroundings surroundings{
      [&](std::size_t i) { return std::span<const std::int32_t>(blocks_[i / block_dots].seen); },
      [&](Vec2 p) { return hexagonal_at(p); }, sizes};
  keep_apart(dots_at_fault(surroundings), at_, domain_, surroundings, kernels_.least_apart,
             *context_);
}

void relax_kernel(Points& dots, const Plane<float>& density, const KernelOptions& options,
                  Context& context) {
  if (dots.size() < 2) return;
  KernelRun run(dots, density, options, context);
  run.finish(context);
  run.read(dots);
}

void even_tone(Points& dots, const Plane<float>& density, const KernelOptions& options, int flows,
               double share, Context& context) {
  if (dots.size() < 2) return;
  KernelRun run(dots, density, options, context);
  run.even_out(flows, share, context);
  run.read(dots);
}

}  // namespace dapple

// Two-scale kernel relaxation of dots.
//
// Each dot descends the difference between the other dots and the wanted density, both seen through
// the same Gaussians (kernel density model: Fattal 2011), here two of them, 0.45 and 0.9 local
// spacings wide: the narrow one keeps dots apart, the wide one, sixteen times as heavy, makes the
// local amount of ink right. What differs: widths follow the density; a width between two levels of
// the density stack is a mixture of both, the same in the pair forces and in the image term, so
// that neither pulls against the other; the picture is mirrored at its borders; steps are scaled by
// the largest curvature of the energy, with heavy-ball momentum (Polyak 1964); now and then all
// dots follow the flow that undoes what is left of errors over many spacings (tone_flow.hpp), and
// at the end dots that still lie too near each other part.
//
// Dots come in the order of a space-filling curve, so runs of sixteen lie together: such a block
// shares one list of neighbors, and forces are computed for all of its dots at once, neighbor by
// neighbor. Between two makings of the lists the image term is its value and slope at the dot.
//
// Mirrors would show the frame: a dot and its own reflection repel each other, and the outermost
// dots line up with it. So the narrow kernel of each dot sees mirrors that stand a little inside or
// outside the frame, by its own random share of a spacing.
#include "relax/kernel/kernel.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/density_stack.hpp"
#include "relax/dot_boxes.hpp"
#include "relax/keep_apart.hpp"
#include "relax/kernel/image.hpp"
#include "relax/kernel/kernels.hpp"
#include "relax/kernel/state.hpp"
#include "relax/kernel/step.hpp"
#include "relax/tone_flow.hpp"

namespace dapple {
namespace {

constexpr double momentum = 0.85;
constexpr double speed_limit = 0.3;   // spacings a step
constexpr double list_slack = 0.2;    // spacings that dots may move beyond what lists see
constexpr double core_at = 0.8;       // of the hexagonal distance
constexpr double widest = 3;          // spacing that kernels follow, in mean spacings
constexpr double narrowest = 0.5;     // kernel, in pixels
constexpr int first_measurings = 6;   // steps to a spacing that nothing is known of
constexpr int settling = 10;          // steps while dots move far
constexpr int oldest_list = 10;       // steps
constexpr int flow_from = 20;         // step
constexpr int flow_every = 8;         // steps
constexpr int again_iterations = 30;  // of dots that lie well already
constexpr int again_flow_from = 5;
constexpr double flow_free_from = 0.3;  // mobility
constexpr double flow_share = 0.9;
constexpr double farthest_flow = 0.3;  // spacings
constexpr double rim_depth = 6;        // mean spacings that a frame makes itself felt
constexpr int unshaken = 22;           // steps, the last
constexpr double shaken_by = 0.25;     // spacings, at the border
constexpr double shaken_within = 2;    // spacings of the border; half as much there
constexpr double largest_size = 1.5;   // of a dot beside those round it
constexpr double longer_for_parts = 3;
constexpr std::size_t run_size = 16;  // blocks of one parallel item

class Relaxation {
 public:
  Relaxation(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
             Context& context);
  void run();
  void even_out(int flows, double share);

 private:
  template <class Body>
  void for_blocks(const Body& body) {
    parallel_for(context_, (blocks_.size() + run_size - 1) / run_size, [&](std::size_t run) {
      for (std::size_t b = run * run_size; b < std::min(blocks_.size(), (run + 1) * run_size);
           ++b) {
        body(b);
      }
    });
  }
  std::size_t first(std::size_t b) const { return b * block_dots; }
  std::size_t end(std::size_t b) const { return std::min(dots_.size(), (b + 1) * block_dots); }
  bool again() const { return !mobility_.empty(); }
  double mobility(std::size_t i) const { return again() ? static_cast<double>(mobility_[i]) : 1.0; }
  // Flows lead far: dots that are hardly free would all drift along to where a few are missing.
  double flow_mobility(std::size_t i) const {
    return std::max(0.0, (mobility(i) - flow_free_from) / (1 - flow_free_from));
  }
  double spacing(std::size_t i) const {
    return static_cast<double>(blocks_[i / block_dots].spacing[i % block_dots]);
  }
  // From the nearest border, in units.
  std::int32_t depth(std::size_t i) const {
    return std::min(std::min(at_.x[i], rules_.last_x - at_.x[i]),
                    std::min(at_.y[i], rules_.last_y - at_.y[i]));
  }
  double narrowest_kernel(const KernelOptions& options) const {
    return kernels_.narrow * smallest_ / (1 + 2 * options.edges);
  }
  double widest_kernel() const { return 4 * kernels_.narrow * largest_; }
  double hexagonal_at(Vec2 p) const {
    return hexagonal_spacing / std::sqrt(std::max(stack_.value(mean_, p), 1e-12));
  }
  Vec2 place(std::size_t i) const { return {at_.x[i] * at_.unit, at_.y[i] * at_.unit}; }

  std::vector<Vec2> places();
  void place_dots();
  void take_back();
  void keep(int step);
  void hand_over();
  int go_on();
  void steps();
  void look_round();
  void feel_parts();
  void find_neighbors(std::size_t b);
  double step();
  void shake(int step);
  double flow(double part);
  std::vector<float> relative_sizes() const;
  std::vector<std::size_t> dots_at_fault(const Surroundings& surroundings);
  void part_dots();

  PointSet& dots_;
  Context& context_;
  Kernels kernels_;
  bool shaken_;
  int quick_steps_;
  std::span<const float> mobility_;
  std::span<const float> masses_;
  double movers_ = 0;  // dots, by how free they are
  double mean_;        // spacing, pixels
  double smallest_;    // spacings of single dots
  double largest_;
  DensityStack stack_;
  LevelTable table_;
  std::optional<DensityStack> ink_;  // that is wanted, where dots have masses
  std::optional<LevelTable> ink_table_;
  ToneFlow tone_;
  std::vector<PartForce> parts_;
  std::vector<float> pace_;  // of each dot's steps, where there are parts
  ImageRules image_;
  StepRules rules_;
  std::array<FixedMirror, 9> mirrors_;
  std::vector<DotBlock> blocks_;
  FixedPlaces at_;
  FixedPlaces next_;
  DotBoxes boxes_;
  bool measured_ = false;
  KernelState state_;  // of the last step that can be gone on from; empty: it was handed over
  std::chrono::steady_clock::time_point kept_ = std::chrono::steady_clock::now();
};

// A place less than a domain outside, inside again.
std::int32_t reflected(double at, std::int32_t last) {
  if (at < 0) at = -at;
  if (at > last) at = 2.0 * last - at;
  return static_cast<std::int32_t>(std::clamp(at, 0.0, static_cast<double>(last)));
}

double densest(const Plane<float>& density) {
  const auto values = density.values();
  return static_cast<double>(*std::max_element(values.begin(), values.end()));
}

Relaxation::Relaxation(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
                       Context& context)
    : dots_(dots),
      context_(context),
      kernels_(options.regularity, options.shaken && options.parts.empty()),
      shaken_(options.shaken),
      quick_steps_(options.quick_steps),
      mobility_(options.mobility),
      masses_(options.masses),
      mean_(std::sqrt(dots.domain.area() / static_cast<double>(dots.size()))),
      // Reflections are looked up one deep, hence no wider than the picture.
      smallest_(std::min(dots.domain.shorter_side() / (kernels_.reach + list_slack),
                         1 / std::sqrt(densest(density)))),
      largest_(std::max(smallest_, std::min(widest * mean_, dots.domain.shorter_side() /
                                                                (kernels_.reach + list_slack)))),
      stack_(density, narrowest_kernel(options), widest_kernel(), context),
      table_(stack_),
      tone_(options.wanted != nullptr ? *options.wanted : density, stack_,
            1 / std::sqrt(densest(density)), widest * mean_, kernels_.flow_cell, context),
      blocks_((dots.size() + block_dots - 1) / block_dots),
      boxes_(dots.size()) {
  for (const DotPart& part : options.parts) parts_.emplace_back(part, density, context);
  if (!parts_.empty()) pace_.assign(dots.size(), 1.0f);
  for (const PartForce& part : parts_) {
    for (const std::int32_t i : part.dots()) {
      pace_[static_cast<std::size_t>(i)] += static_cast<float>(part.stiffness());
    }
  }
  for (float& pace : pace_) pace = 1 / pace;
  image_.table = &table_;
  if (!masses_.empty()) {
    image_.ink = &ink_table_.emplace(
        ink_.emplace(*options.wanted, narrowest_kernel(options), widest_kernel(), context));
    rules_.masses = masses_.data();
  }
  image_.smallest = smallest_;
  image_.largest = largest_;
  image_.narrow = kernels_.narrow;
  image_.narrow_weight = kernels_.narrow_weight;
  image_.pure = kernels_.pure;
  image_.wide_weight = kernels_.wide_weight;
  image_.edges = options.edges;
  image_.core = core_at * hexagonal_spacing;
  image_.core_force = kernels_.core_force * kernels_.largest_curvature();
  image_.rate = 2.6 / kernels_.largest_curvature();
  rules_.momentum = momentum;
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
  place_dots();
}

std::vector<Vec2> Relaxation::places() {
  std::vector<Vec2> places(dots_.size());
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) places[i] = place(i);
  });
  return places;
}

void Relaxation::place_dots() {
  const Domain& domain = dots_.domain;
  at_.unit = std::max(domain.width, domain.height) * 0x1p-29;  // reflections reach out twice as far
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
    const std::size_t dot = std::min(i, dots_.size() - 1);
    at_.x[i] = std::min(static_cast<std::int32_t>(dots_.x[dot] / at_.unit), rules_.last_x);
    at_.y[i] = std::min(static_cast<std::int32_t>(dots_.y[dot] / at_.unit), rules_.last_y);
  }
  next_ = at_;
}

void Relaxation::take_back() {
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    dots_.x[i] = std::min(at_.x[i] * at_.unit, std::nextafter(dots_.domain.width, 0.0));
    dots_.y[i] = std::min(at_.y[i] * at_.unit, std::nextafter(dots_.domain.height, 0.0));
  }
}

// Keeps what the next step needs, where the lists are about to be made again.
void Relaxation::keep(int step) {
  const Checkpoint* checkpoint = context_.checkpoint.get();
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

// Hands the state over to the checkpoint.
void Relaxation::hand_over() {
  if (!state_.x.empty()) context_.checkpoint->keep(encode(state_));
  state_ = {};
}

// The step to go on from.
int Relaxation::go_on() {
  const Checkpoint* checkpoint = context_.checkpoint.get();
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

void Relaxation::steps() {
  double moved = 1;  // spacings, of the mean dot since lists were made
  int age = 0;
  const double times = parts_.empty() ? 1 : longer_for_parts;
  const int iterations = quick_steps_ > 0 ? quick_steps_
                         : again()        ? again_iterations
                                   : static_cast<int>(std::lround(times * kernels_.iterations));
  const int first_flow = quick_steps_ > 0 ? 1 : again() ? again_flow_from : flow_from;
  const int every = quick_steps_ > 0 ? 2 : flow_every;
  for (int i = go_on(); i < iterations; ++i) {
    if (moved > (i < settling ? 0.12 : 0.06) || age >= oldest_list) {
      keep(i);
      look_round();
      moved = 0;
      age = 0;
    }
    if (!parts_.empty()) feel_parts();
    moved += step();
    ++age;
    if (shaken_ && i + unshaken < iterations) shake(i);
    const bool last = i + 1 == iterations;
    if (i >= first_flow && (last || (i - first_flow) % every == 0)) moved += flow(flow_share);
    context_.progress(static_cast<double>(i + 1) / iterations);
  }
}

void Relaxation::run() {
  if (!(movers_ > 0)) return;
  try {
    steps();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) hand_over();
    throw;
  }
  if (quick_steps_ > 0) return take_back();
  part_dots();
  if (!shaken_) {
    // The flow gives back the tone that parting costs, and hardly any dots are left to part then.
    // What is cut flows afterwards.
    flow(flow_share);
    part_dots();
  }
  take_back();
}

void Relaxation::even_out(int flows, double share) {
  // Far from the frame nothing is amiss: no dot there comes too near another. Where dots are free
  // to move by more or less, that says where.
  const auto deep = static_cast<std::int32_t>(rim_depth * mean_ / at_.unit);
  for (std::size_t b = 0; b < blocks_.size() && !again(); ++b) {
    blocks_[b].still = true;
    for (std::size_t i = first(b); i < end(b); ++i) blocks_[b].still &= depth(i) > deep;
  }
  look_round();
  for (int k = 0; k < flows; ++k) {
    flow(share);
    context_.progress(static_cast<double>(k + 1) / flows);
  }
  part_dots();
  take_back();
}

// Makes the lists, and reads the picture.
void Relaxation::look_round() {
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
    const Random random(context_.seed, Stream::relax);
    for (std::size_t k = 0; k < block_dots; ++k) {
      block.frame[k] = static_cast<float>(2 * to_unit(random.at(first(b) + k)) - 1) *
                       static_cast<float>(kernels_.frame_play) * block.spacing[k];
      const bool is_dot = first(b) + k < dots_.size();
      block.gain[k] *= is_dot ? static_cast<float>(mobility(first(b) + k)) : 0.0f;
      if (is_dot && !pace_.empty()) block.gain[k] *= pace_[first(b) + k];
    }
    find_neighbors(b);
  });
  measured_ = true;
}

// Reads the forces within parts.
void Relaxation::feel_parts() {
  const std::vector<Vec2> at = places();
  std::vector<const std::vector<Vec2>*> found(parts_.size());
  parallel_for(context_, parts_.size(), [&](std::size_t p) {
    found[p] = &parts_[p].forces(at, kernels_.largest_curvature(), context_);
  });
  std::vector<Vec2> forces(dots_.size());
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

// Lists all dots that any dot of the block can feel.
void Relaxation::find_neighbors(std::size_t b) {
  DotBlock& block = blocks_[b];
  block.seen.clear();
  block.mirrored.clear();
  block.mirror.clear();
  thread_local std::vector<std::int32_t> near;
  Sight sight;
  const auto [left, right] = std::minmax_element(block.x.begin(), block.x.end());
  const auto [top, bottom] = std::minmax_element(block.y.begin(), block.y.end());
  sight.x0 = *left;
  sight.x1 = *right;
  sight.y0 = *top;
  sight.y1 = *bottom;
  for (std::size_t k = 0; k < block_dots; ++k) {
    const float far = static_cast<float>(kernels_.reach + list_slack) * block.spacing[k];
    sight.far2[k] = far * far;
    sight.far = std::max(sight.far, far);
  }
  FixedBox box = boxes_.of_block(b);
  box.grow(static_cast<std::int32_t>(static_cast<double>(sight.far) / at_.unit) + 1);
  for (std::int32_t m = 0; m < 9; ++m) {
    // The others' reflections near the block are the others near the block's reflection.
    const FixedMirror& mirror = mirrors_[static_cast<std::size_t>(m)];
    const FixedBox looked = box.reflected(mirror);
    if (looked.x1 < 0 || looked.y1 < 0 || looked.x0 > rules_.last_x || looked.y0 > rules_.last_y) {
      continue;
    }
    near.clear();
    boxes_.find(looked, near);
    std::vector<std::int32_t>& list = m == 0 ? block.seen : block.mirrored;
    keep_near(block, sight, at_, mirror, near, dots_.size(), list);
    if (m != 0) block.mirror.resize(block.mirrored.size(), m);
  }
}

// Moves every dot once; returns the mean way in spacings.
double Relaxation::step() {
  // For a block that is still, both hold the same places from the beginning.
  for_blocks([&](std::size_t b) {
    if (!blocks_[b].still) step_block(b, blocks_[b], rules_, at_, next_);
  });
  std::swap(at_, next_);
  return parallel_sum(context_, blocks_.size(),
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

void Relaxation::shake(int step) {
  const Random random(context_.seed, Stream::relax, static_cast<std::uint64_t>(step) + 1);
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

// Moves dots along the flow that evens out the tone, a part of its way; returns the mean way in
// spacings.
double Relaxation::flow(double part) {
  std::vector<Vec2> ways = tone_.ways(places(), masses_, context_);
  for_blocks([&](std::size_t b) {
    for (std::size_t i = first(b); i < end(b); ++i) {
      const double far = part * length(ways[i]) / spacing(i);
      const double share = far > farthest_flow ? part * farthest_flow / far : part;
      ways[i] = ways[i] * (share * flow_mobility(i));
      at_.x[i] = reflected(at_.x[i] + ways[i].x / at_.unit, rules_.last_x);
      at_.y[i] = reflected(at_.y[i] + ways[i].y / at_.unit, rules_.last_y);
    }
  });
  const double sum = parallel_sum(context_, dots_.size(),
                                  [&](std::size_t i) { return length(ways[i]) / spacing(i); });
  return sum / movers_;
}

// How large dots are beside those round them, by their masses; empty where they have none.
std::vector<float> Relaxation::relative_sizes() const {
  std::vector<float> sizes;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const double mean =
        ink_->value(mean_, place(i)) / std::max(stack_.value(mean_, place(i)), 1e-12);
    const double size = std::sqrt(static_cast<double>(masses_[i]) / std::max(mean, 1e-3));
    sizes.push_back(static_cast<float>(std::min(size, largest_size)));
  }
  return sizes;
}

// Those that another lies too near to.
std::vector<std::size_t> Relaxation::dots_at_fault(const Surroundings& surroundings) {
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
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    const bool is = (found[i / block_dots] >> (i % block_dots) & 1) != 0;
    if (is && mobility(i) > 0) at_fault.push_back(i);
  }
  return at_fault;
}

void Relaxation::part_dots() {
  const std::vector<float> sizes = relative_sizes();
  const Surroundings surroundings{
      [&](std::size_t i) { return std::span<const std::int32_t>(blocks_[i / block_dots].seen); },
      [&](Vec2 p) { return hexagonal_at(p); }, sizes};
  keep_apart(dots_at_fault(surroundings), at_, dots_.domain, surroundings, kernels_.least_apart);
}

}  // namespace

namespace {

template <class Body>
void relax(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
           Context& context, const Body& body) {
  if (dots.size() < 2) return;
  const double narrow = Kernels(options.regularity, false).narrow / std::sqrt(densest(density));
  // Dark specks alone do not cut all pixels.
  const double mean = std::sqrt(dots.domain.area() / static_cast<double>(dots.size()));
  const double cuts = std::ceil(narrowest / std::max(narrow, 0.2 * mean));
  const int cut = static_cast<int>(std::max(1.0, cuts));
  if (cut == 1) {
    Relaxation relaxation(dots, density, options, context);
    return body(relaxation);
  }
  const Plane<float> finer = cut_pixels(density, cut, context);
  Plane<float> wanted;
  KernelOptions on_finer = options;
  if (options.wanted != nullptr) {
    wanted = cut_pixels(*options.wanted, cut, context);
    on_finer.wanted = &wanted;
  }
  scale(dots, cut);
  Relaxation relaxation(dots, finer, on_finer, context);
  body(relaxation);
  scale(dots, 1.0 / cut);
}

}  // namespace

void relax_kernel(PointSet& dots, const Plane<float>& density, const KernelOptions& options,
                  Context& context) {
  relax(dots, density, options, context, [](Relaxation& relaxation) { relaxation.run(); });
}

void even_tone(PointSet& dots, const Plane<float>& density, const KernelOptions& options, int flows,
               double share, Context& context) {
  relax(dots, density, options, context,
        [&](Relaxation& relaxation) { relaxation.even_out(flows, share); });
}

}  // namespace dapple

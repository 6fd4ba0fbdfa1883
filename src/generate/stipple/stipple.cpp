// Draws an image as dots of ink.
//
// The tone law is D = n * ink: darkness is the number of dots per area times the ink of a dot. So
// the size of dots and the darkness define their density, and the total ink is the total darkness
// (Deussen, Hiller, van Overveld, Strothotte 2000). The number of dots follows from the ink. Dots
// start on a space-filling curve. `kernel` relaxes them until Gaussian-weighted counts match the
// density, `voronoi` until they lie at the centroids of their cells. `lbg` splits dots until each
// holds its share. `poisson` samples with r = sqrt(kappa / n), where kappa is the sampler's packing
// constant. It is quicker and rougher.
#include "dapple/stipple.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/color.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/plane.hpp"
#include "draw/pen_path.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"
#include "field/reconstruct.hpp"
#include "field/resample.hpp"
#include "generate/stipple/darks.hpp"
#include "generate/stipple/default_dots.hpp"
#include "generate/stipple/gap.hpp"
#include "generate/stipple/inks.hpp"
#include "generate/stipple/job.hpp"
#include "generate/stipple/layout.hpp"
#include "generate/stipple/option_rules.hpp"
#include "generate/stipple/place.hpp"
#include "generate/stipple/plotting.hpp"
#include "generate/stipple/shapes.hpp"
#include "generate/stipple/sizes.hpp"
#include "generate/stipple/styled.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/dot_classes.hpp"
#include "relax/kernel/kernel.hpp"
#include "relax/progressive_order.hpp"
#include "relax/sequence/temporal_dots.hpp"

namespace dapple {

using namespace stippling;

namespace {

Plane<float> read_darkness(const ImageView& image, MapOptions field, Context& context) {
  const auto stage = context.stage("field");
  context.require_memory(30.0 * image.width() * image.height(), "a picture of this size");
  if (field.as == MapKind::radius) {
    throw Error(ErrorKind::usage, "a stippling needs `as tone` or `as density`, not `as radius`");
  }
  Plane<float> darkness = target_density(image, field, context);
  const auto values = darkness.values();
  make_again(darkness, context, [&](std::size_t i) { return std::min(values[i], 1.0f); });
  return darkness;
}

bool any_ink(const Plane<float>& darkness, const Context& context) {
  context.check();  // precedes every single-threaded pass over pixels
  const auto values = darkness.values();
  return std::any_of(values.begin(), values.end(), [](float d) { return d > 0; });
}

[[noreturn]] void fail_without_ink(const MapOptions& field) {
  throw Error(ErrorKind::input, std::string("nothing to place: the picture is ") +
                                    (field.as == MapKind::tone ? "white" : "black") +
                                    " everywhere after levels, mask, transparency and white "
                                    "cutoff; try `invert` or other levels");
}

// Warns of a mostly dark picture, whose dots leave only holes. Light ink on dark paper is fine.
void warn_of_night(const Plane<float>& darkness, const MapOptions& field,
                   const StippleOptions& options, const std::vector<Ink>& inks, Context& context) {
  if (field.as != MapKind::tone || field.invert || options.invert_darks < 1 || inks.size() > 1) {
    return;
  }
  if (!is_night(darkness)) return;
  if (options.background != "none" &&
      luminance(parse_color(inks[0].color)) > luminance(parse_color(options.background))) {
    return;
  }
  context.warn(
      "most of the picture is dark, so its dots nearly merge; `preset stipple-night` draws the "
      "lights instead");
}

// Returns the plan of a frame without ink.
DotPlan blank_plan(Plane<float> darkness, const StippleOptions& options) {
  DotPlan plan;
  plan.shape = options.shape;
  plan.density = darkness;
  plan.darkness = std::move(darkness);
  return plan;
}

void to_pixels(Points& dots, int cells) {
  if (cells == 1) return;
  scale(dots, 1.0 / cells);
  for (float& r : dots.radius) r /= static_cast<float>(cells);
}

// Returns the share of each ink that is wanted around a dot. Shares are averaged over about a dot,
// as no dot draws finer detail. They add up to 1.
std::vector<Plane<float>> shares_of(const std::vector<Plane<float>>& parts, std::int64_t dots,
                                    Context& context) {
  std::vector<Plane<float>> shares;
  if (parts.size() < 2 || dots == 0) return shares;
  const double spacing =
      std::sqrt(static_cast<double>(parts[0].size()) / static_cast<double>(dots));
  for (const Plane<float>& part : parts) {
    shares.push_back(gaussian_blurred(part, 0.3 * spacing, context));
  }
  in_runs(parts[0].size(), context, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      float sum = 0;
      for (const Plane<float>& share : shares) sum += share.values()[i];
      for (Plane<float>& share : shares) {
        share.values()[i] =
            sum > 0 ? share.values()[i] / sum : 1.0f / static_cast<float>(shares.size());
      }
    }
  });
  return shares;
}

// Orders dots so that every first part is a stippling. Rounds of the relaxation follow one another.
Points with_ranks(const Points& dots, bool rounds, Context& context) {
  std::map<std::int32_t, std::vector<std::size_t>> of_round;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    of_round[rounds ? dots.class_id[i] : 0].push_back(i);
  }
  Points out;
  out.domain = dots.domain;
  for (const auto& [round, chosen] : of_round) {
    Points own;
    own.domain = dots.domain;
    for (const std::size_t i : chosen) own.append(dots, i);
    for (const std::int32_t i : progressive_order(own, context)) {
      out.rank.push_back(static_cast<std::int32_t>(out.size()));
      out.append(own, static_cast<std::size_t>(i));
    }
  }
  if (rounds) out.class_id.clear();
  return out;
}

Points chosen(const Points& dots, const std::vector<std::size_t>& places) {
  Points out;
  out.domain = dots.domain;
  for (const std::size_t i : places) out.append(dots, i);
  return out;
}

// Sorts dots by ink, and the dots of each ink in `order`.
Points in_order(const Points& dots, std::size_t inks, DotOrder order, Context& context) {
  Points out;
  out.domain = dots.domain;
  for (std::size_t ink = 0; ink < inks; ++ink) {
    Points own;
    own.domain = dots.domain;
    for (std::size_t i = 0; i < dots.size(); ++i) {
      const bool belongs =
          dots.class_id.empty() || dots.class_id[i] == static_cast<std::int32_t>(ink);
      if (belongs) own.append(dots, i);
    }
    for (const std::int32_t i : drawing_order(own, order, context)) {
      out.append(own, static_cast<std::size_t>(i));
    }
  }
  return out;
}

Drawing draw(const Points& dots, const Plane<float>& darkness, const std::vector<Ink>& inks,
             const StippleLayout& layout, const StippleOptions& options, Context& context) {
  Drawing drawing;
  drawing.width = layout.paper_width;
  drawing.height = layout.paper_height;
  drawing.background = options.background;
  drawing.shape = options.shape;
  drawing.pen = options.shape == DotShape::disc ? 0 : layout.pen;
  const Scale scale{static_cast<double>(std::min(layout.width, layout.height)),
                    1 / layout.place.mm_per_pixel};
  drawing.touch = options.touch.pixels(scale) * layout.place.mm_per_pixel;
  drawing.gap = options.gap.pixels(scale) * layout.place.mm_per_pixel;
  drawing.slack = slack_of(drawing.gap);
  DotShapes shapes;
  if (options.shape == DotShape::outline) {
    shapes = choose_shapes(dots, darkness, options, context);
    drawing.outlines = shapes.outlines;
  }
  for (const Ink& ink : inks) {
    Layer layer;
    layer.name = std::to_string(drawing.layers.size() + 1) + " " + ink.name;
    layer.color = ink.color;
    layer.ink = ink.name;
    drawing.layers.push_back(std::move(layer));
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto ink =
        dots.class_id.empty() ? std::size_t{0} : static_cast<std::size_t>(dots.class_id[i]);
    drawing.layers[ink].discs.push_back(
        {layout.place(dots[i]), static_cast<double>(dots.radius[i]) * layout.place.mm_per_pixel,
         shapes.of_dots.empty() ? std::uint16_t{0} : shapes.of_dots[i]});
  }
  return drawing;
}

// Draws a layer for covered areas, the dots of paper on them, and the dots of ink.
Drawing draw_inverted(const Points& dots, const Plane<float>& darkness, const Ink& ink,
                      const StippleLayout& layout, const StippleOptions& options,
                      Context& context) {
  Points in_layers = dots;
  for (std::int32_t& class_id : in_layers.class_id) class_id = 2 - class_id;
  return draw(in_layers, darkness, {ink, {options.background, options.background}, ink}, layout,
              options, context);
}

// Adds crosses in the corners of the margin.
void add_registration(Drawing& drawing, const StippleLayout& layout) {
  constexpr double least_margin = 2;  // mm
  constexpr double longest_arm = 5;
  const double middle = 0.5 * layout.margin;
  if (layout.margin < least_margin) {
    throw Error(ErrorKind::usage,
                "`registration` needs room for its crosses: give a margin of at least " +
                    shortest(least_margin) + "mm, such as `margin 10mm`");
  }
  const double width = layout.pen > 0 ? layout.pen : std::min(0.25, 0.1 * middle);
  const double arm = std::min(longest_arm, 0.8 * middle);
  for (Layer& layer : drawing.layers) {
    if (is_empty(layer) || layer.same_pen) continue;
    for (const double y : {middle, drawing.height - middle}) {
      for (const double x : {middle, drawing.width - middle}) {
        layer.lines.push_back({{{x - arm, y}, {x + arm, y}}, width});
        layer.lines.push_back({{{x, y - arm}, {x, y + arm}}, width});
      }
    }
  }
}

// Adds what does not depend on the marks.
void finish(Stippling& made, const StippleLayout& layout, const StippleOptions& options) {
  made.drawing.plotter = options.plotter;
  if (options.registration) add_registration(made.drawing, layout);
  made.drawing.tiling = tiling_of(made.drawing, options, layout);
  made.place = layout.place;
  made.raster_width = layout.raster_width;
  made.raster_height = layout.raster_height;
}

// Returns the ink of each layer, mm^2, in proportion to its dots.
std::vector<double> inks_of(const Drawing& drawing, double all) {
  double dots = 0;
  for (const Layer& layer : drawing.layers) dots += static_cast<double>(layer.discs.size());
  std::vector<double> inks;
  for (const Layer& layer : drawing.layers) {
    inks.push_back(all * static_cast<double>(layer.discs.size()) / dots);
  }
  return inks;
}

}  // namespace

// The state that a frame passes on to the next.
struct StippleSequence::Memory {
  explicit Memory(const StippleOptions& options) : dots(kernel_options(options)) {}

  // Returns the dots of the next frame. Dots that stay keep their inks.
  Points next(const DotPlan& plan, const std::vector<Plane<float>>& parts, Context& context) {
    Points made = dots.next(plan.darkness, plan.density, plan.count, context);
    if (parts.size() < 2 || made.empty()) return made;
    std::vector<std::int32_t> given;
    for (const std::int32_t id : made.id) {
      const auto k = static_cast<std::size_t>(id);
      given.push_back(k < ink_of_id.size() ? ink_of_id[k] : -1);
    }
    made.class_id = dot_classes(
        made, shares_at(made, shares_of(parts, static_cast<std::int64_t>(made.size()), context)),
        context, given);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto k = static_cast<std::size_t>(made.id[i]);
      if (k >= ink_of_id.size()) ink_of_id.resize(k + 1, -1);
      ink_of_id[k] = made.class_id[i];
    }
    return made;
  }

  std::optional<DotScale> scale;
  TemporalDots dots;
  std::vector<std::int32_t> ink_of_id;
  int width = 0;
  int height = 0;
};

namespace {

// Holds the input of a draft. `reduced` is `photo` with fewer pixels, or nullptr.
struct DraftInput {
  DraftStarts& starts;
  const Image* photo;
  const Image* reduced;
};

Separation read_inks(const ImageView& image, const Image* own, const MapOptions& field,
                     const std::vector<Ink>& inks, const std::string& paper, const InkDots& dots,
                     Context& context) {
  if (inks.size() == 1) return {read_darkness(image, field, context), {}};
  const auto stage = context.stage("field");
  return separate(own != nullptr ? *own : image.copied(), field, inks, paper, dots, context);
}

// As above, but reads fewer pixels and enlarges the result to the size of the photo.
Separation read_inks(const DraftInput& draft, MapOptions field, const std::vector<Ink>& inks,
                     const std::string& paper, InkDots dots, Context& context) {
  const Image& small = *draft.reduced;
  const int width = draft.photo->width();
  const int height = draft.photo->height();
  OnPaper<Length>& blur = field.prepare.blur;
  if (blur.unit == Unit::px) blur.value *= 1.0 * small.width() / width;
  dots.spacing *= 1.0 * small.width() / width;
  Separation read = read_inks(small, &small, field, inks, paper, dots, context);
  read.darkness = resample(read.darkness, width, height, context);
  return read;
}

// `own`: the image if it is an object of the library, otherwise nullptr.
Stippling make(const ImageView& image, const Image* own, const MapOptions& map,
               const StippleOptions& given, StippleSequence::Memory* memory,
               const DraftInput* drafted, Context& context) {
  context.check();
  check(given);
  StippleOptions options = with_units(given);
  check(map);
  StippleOptions asked_for = given;
  if (given.shape != DotShape::outline) asked_for.outline = {};  // callers may keep an unused one
  check_together(stipple_pairs, asked_for);
  if (context.checkpoint &&
      (options.method != StippleMethod::kernel || memory != nullptr || options.invert_darks < 1)) {
    throw Error(ErrorKind::usage,
                "`checkpoint` works only with `method kernel` for a single picture without "
                "`invert-darks`: leave it out");
  }
  if (context.checkpoint && options.style != StippleStyle::dots) {
    throw Error(ErrorKind::usage,
                "`checkpoint` works only with `style dots`: leave one of them out");
  }
  if (changes_frame(map.prepare)) {
    const FramedMap part = framed(own != nullptr ? *own : image.copied(), map, context);
    return make(part.image, &part.image, part.options, given, memory, drafted, context);
  }
  if (options.background != "none") parse_color(options.background);
  const std::vector<Ink> inks = parse_inks(options.ink, options.background);
  if (covers_darks(options)) check_covered(options, inks.size());
  check_sizes(options, inks.size());
  const StippleLayout layout =
      lay_out(image.width(), image.height(), own != nullptr ? own->dots_per_inch : 0, options);
  const MapOptions field = in_pixels(map, options, layout);
  const bool of_lines = options.shape == DotShape::circle || options.shape == DotShape::spiral;
  if (of_lines && layout.pen <= 0) {
    throw Error(
        ErrorKind::usage,
        "`shape circle` and spiral need the width of the line: give it, such as `pen 0.3mm`");
  }
  // The borders of covered areas need all pixels.
  const bool reduces = drafted != nullptr && drafted->reduced != nullptr && own == drafted->photo &&
                       options.invert_darks == 1 && !options.solid_blacks;
  const InkDots dots{dot_spacing(options, layout), mix_from_afar(field, options, layout)};
  Separation asked = reduces
                         ? read_inks(*drafted, field, inks, options.background, dots, context)
                         : read_inks(image, own, field, inks, options.background, dots, context);
  if (options.fit != PaperFit::contain) {
    context.require_pixels(layout.width, layout.height, "the picture at the size of its paper");
    asked.darkness = fitted(asked.darkness, layout, context);
    for (Plane<float>& part : asked.parts) {
      part = fitted(resample(part, image.width(), image.height(), context), layout, context);
    }
  }
  if (memory == nullptr && !any_ink(asked.darkness, context)) fail_without_ink(field);
  if (options.style != StippleStyle::dots) {
    Stippling result = draw_styled(std::move(asked), inks, layout, options, context);
    if (options.from > 0) leave_out(result.drawing, options.from);
    finish(result, layout, options);
    return result;
  }
  if (memory == nullptr || !memory->scale) {
    context.check();
    warn_of_night(asked.darkness, field, options, inks, context);
    context.check();
    if (const std::int64_t dots = default_dots(asked.darkness, options, layout, context);
        dots > 0) {
      options.dots = dots;
    }
  }
  CoveredDarks darks;
  if (covers_darks(options)) {
    const auto stage = context.stage("field");
    darks = cover_darks(asked.darkness, options, layout, context);
    asked.darkness = darks.dots;
  }
  const bool inverted = !darks.rings.empty() && !options.solid_blacks;
  const bool blank = !any_ink(asked.darkness, context);
  const double asked_ink = sum_of(asked.darkness, context);
  std::optional<DotScale> scale;
  std::optional<DotScale>& settled = memory != nullptr ? memory->scale : scale;
  const bool first = !settled;
  DotPlan plan = blank ? blank_plan(std::move(asked.darkness), options)
                       : plan_dots(std::move(asked.darkness), options, layout, settled, context);
  const bool rounds =
      options.progressive && options.method == StippleMethod::kernel && inks.size() == 1;
  Stippling result;
  context.check();
  result.darkness = copied(plan.darkness, context);
  if (!blank && field.interpolation == Interpolation::smooth) {
    if (first) settled->cells = cells_of(plan);
    cut(plan, settled->cells, context);
    for (Plane<float>& part : asked.parts) {
      part = on_cells(std::move(part), plan.cells, false, context);
    }
    if (inverted) darks.of_paper = on_cells(std::move(darks.of_paper), plan.cells, false, context);
  }
  {
    const auto stage = context.stage("stipple");
    if (memory != nullptr) {
      result.dots = memory->next(plan, asked.parts, context);
      result.lost = memory->dots.lost();
    } else if (inverted) {
      result.dots = place_inverted(plan, darks, options,
                                   drafted != nullptr ? &drafted->starts : nullptr, context);
    } else {
      const std::vector<Plane<float>> shares = inks.size() > 1
                                                   ? shares_of(asked.parts, plan.count, context)
                                                   : plan.steps.shares(plan.tones, context);
      std::vector<float> inks_of_steps;
      for (const double diameter : plan.steps.diameters) {
        inks_of_steps.push_back(static_cast<float>(ink_of(plan, diameter)));
      }
      if (drafted != nullptr) {
        result.dots = drafted_dots(plan, options, drafted->starts, context);
      } else {
        result.dots = place_dots(plan, {shares, inks_of_steps, rounds}, options, context);
      }
      if (shares.size() > 1 && (options.method != StippleMethod::kernel || drafted != nullptr)) {
        result.dots.class_id = dot_classes(result.dots, shares_at(result.dots, shares), context);
      }
    }
    if (!result.dots.empty()) set_sizes(result.dots, plan, options, context);
    to_pixels(result.dots, plan.cells);
  }
  {
    const auto stage = context.stage("order");
    if (options.progressive) result.dots = with_ranks(result.dots, rounds, context);
    const DotOrder order = options.progressive ? DotOrder::none : options.order;
    result.dots = in_order(result.dots, inverted ? 2 : inks.size(), order, context);
  }
  result.drawing =
      inverted ? draw_inverted(result.dots, result.darkness, inks[0], layout, options, context)
               : draw(result.dots, result.darkness, inks, layout, options, context);
  for (std::vector<Vec2>& ring : darks.rings) {
    for (Vec2& p : ring) p = layout.place(p);
    result.drawing.layers[0].fills.push_back(std::move(ring));
  }
  if (options.path == DotPath::tsp && !result.dots.empty()) {
    draw_line(result.drawing, result.darkness,
              inks_of(result.drawing,
                      plan.line_ink * layout.place.mm_per_pixel * layout.place.mm_per_pixel),
              layout, options);
  }
  result.ink = ink_share(result, plan, layout, asked_ink);
  if (options.split > 1) {
    const auto stage = context.stage("order");
    result.dots =
        chosen(result.dots, split_layers(result.drawing, options.split, options.order, context));
  }
  if (options.from > 0) {
    std::vector<std::size_t> left(result.dots.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    left.erase(left.begin(),
               left.begin() + static_cast<std::ptrdiff_t>(leave_out(result.drawing, options.from)));
    result.dots = chosen(result.dots, left);
  }
  finish(result, layout, options);
  return result;
}

}  // namespace

Stippling stipple(const Image& image, const PictureOptions& field, const StippleOptions& options,
                  Context& context) {
  return make(image, &image, field, options, nullptr, nullptr, context);
}

Stippling stipple(const ImageView& image, const PictureOptions& field,
                  const StippleOptions& options, Context& context) {
  return make(image, nullptr, field, options, nullptr, nullptr, context);
}

Stippling stippling::draft(const Image& image, const MapOptions& field,
                           const StippleOptions& options, DraftStarts& start, const Image* reduced,
                           Context& context) {
  const DraftInput input{start, &image, reduced};
  return make(image, &image, field, options, nullptr, &input, context);
}

StippleSequence::StippleSequence(PictureOptions field, StippleOptions options)
    : field_(std::move(field)), options_(std::move(options)) {
  check(field_);
  check(options_);
  if (options_.style != StippleStyle::dots) {
    throw Error(ErrorKind::usage,
                Problem{"style",
                        "of lines does not stay the same from picture to picture: leave "
                        "it out, or make the pictures one by one"});
  }
  if (options_.method != StippleMethod::kernel) {
    throw Error(ErrorKind::usage,
                "a sequence keeps its dots only with `method kernel`: leave `method` out, or make "
                "its pictures one by one");
  }
  if (covers_darks(options_)) {
    throw Error(ErrorKind::usage, std::string("a sequence does not work with `") +
                                      (options_.solid_blacks ? "solid-blacks" : "invert-darks") +
                                      "`: leave it out");
  }
  if (options_.size_steps != 0 || options_.size_from == DotSizeFrom::random) {
    throw Error(ErrorKind::usage,
                "in a sequence the size of dots follows tone, detail or edges: leave `size-steps` "
                "and `size-from random` out");
  }
  if (options_.tiles) {
    throw Error(
        ErrorKind::usage,
        Problem{"tiles",
                "works only with one drawing, not with a sequence of pictures: leave it out"});
  }
  if (options_.progressive) {
    throw Error(ErrorKind::usage,
                "a sequence keeps the order of its dots: leave `progressive` out");
  }
}
StippleSequence::~StippleSequence() = default;

Stippling StippleSequence::next(const Image& frame, Context& context) {
  if (!memory_) {
    memory_ = std::make_unique<Memory>(options_);
    memory_->width = frame.width();
    memory_->height = frame.height();
  }
  if (frame.width() != memory_->width || frame.height() != memory_->height) {
    throw Error(ErrorKind::input,
                "is " + std::to_string(frame.width()) + " x " + std::to_string(frame.height()) +
                    " pixels, but all pictures of a sequence must have the size of the first, " +
                    std::to_string(memory_->width) + " x " + std::to_string(memory_->height));
  }
  return make(frame, &frame, field_, options_, memory_.get(), nullptr, context);
}

Plane<float> stippling::unprepared_darkness(const Image& image, const MapOptions& map,
                                            const StippleOptions& given, Context& context) {
  if (!changes_tones(map.prepare)) return {};
  if (changes_frame(map.prepare)) {
    const FramedMap part = framed(image, map, context);
    return unprepared_darkness(part.image, part.options, given, context);
  }
  const StippleOptions options = with_units(given);
  const StippleLayout layout = lay_out(image.width(), image.height(), image.dots_per_inch, options);
  const MapOptions field = in_pixels(map, options, layout);
  const std::vector<Ink> inks = parse_inks(options.ink, options.background);
  const auto read = [&](const MapOptions& as) {
    return inks.size() == 1
               ? read_darkness(image, as, context)
               : separate(image, as, inks, options.background,
                          {dot_spacing(options, layout), mix_from_afar(as, options, layout)},
                          context)
                     .darkness;
  };
  MapOptions plain = field;
  plain.prepare = {};
  Plane<float> darkness = read(plain);
  if (darkness == read(field)) return {};
  if (options.fit == PaperFit::contain) return darkness;
  return fitted(darkness, layout, context);
}

}  // namespace dapple

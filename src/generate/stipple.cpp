// An image as dots of ink.
//
// The tone law is D = n * ink: darkness is the number of dots per area times the ink of one, so a
// dot's size and the darkness fix the density of dots, and the total ink is the total darkness
// (Deussen, Hiller, van Overveld, Strothotte 2000). Dots are exactly as many as the ink needs. They
// start on a space-filling curve and are relaxed until Gaussian-weighted counts match the density
// (`kernel`), or until they lie at the centroids of their cells (`voronoi`), or split until each
// holds its share (`lbg`), or come from the sampler with r = sqrt(kappa / n), kappa being its own
// packing constant (`poisson`: quicker, rougher).
#include "dapple/stipple.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"
#include "generate/line.hpp"
#include "generate/registry.hpp"
#include "generate/stipple_layout.hpp"
#include "relax/density_stack.hpp"
#include "relax/kernel.hpp"
#include "relax/voronoi.hpp"

namespace dapple {
namespace {

constexpr int voronoi_iterations = 50;

Plane<float> read_darkness(const Image& image, FieldOptions field, Context& context) {
  const auto stage = context.stage("field");
  context.require_memory(30.0 * image.width() * image.height(), "a picture of this size");
  if (field.as == MapKind::radius) {
    throw Error(ErrorKind::usage, "a stippling needs darkness or density, not --as radius");
  }
  Plane<float> darkness = read_demand(image, field, context);
  float highest = 0;
  for (float& d : darkness.values()) {
    d = std::min(d, 1.0f);
    highest = std::max(highest, d);
  }
  if (!(highest > 0)) {
    throw Error(ErrorKind::input,
                std::string("nothing to place: the picture is ") +
                    (field.as == MapKind::tone ? "white" : "black") +
                    " everywhere, after levels, mask, transparency and white cut-off; try "
                    "--invert or other levels");
  }
  return darkness;
}

// Dots that touch shrink in proportion until they do not.
void shrink_touching(PointSet& dots) {
  const float largest = *std::max_element(dots.radius.begin(), dots.radius.end());
  const PointIndex index(dots);
  const std::vector<float> wanted = dots.radius;
  std::vector<Neighbour> found;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto own = static_cast<double>(wanted[i]);
    index.within(dots[i], own + static_cast<double>(largest), found);
    double factor = 1;
    for (const Neighbour& other : found) {
      const auto k = static_cast<std::size_t>(other.index);
      if (k == i) continue;
      factor = std::min(factor, other.distance / (own + static_cast<double>(wanted[k])));
    }
    // A little less, so that no rounding can make them touch.
    if (factor < 1) dots.radius[i] = static_cast<float>(own * factor * (1 - 1e-6));
  }
}

PointSet sampled_dots(const DotPlan& plan, std::optional<double> slope, double packing,
                      Context& context) {
  const Domain domain{static_cast<double>(plan.darkness.width()),
                      static_cast<double>(plan.darkness.height()), false};
  // Detail finer than the dots cannot be drawn, and single light pixels would keep dots away from
  // their surroundings: both are averaged out, unless the map is wanted as it is.
  double total = 0;
  for (const float d : plan.darkness.values()) total += static_cast<double>(d);
  const double spacing = std::sqrt(total / static_cast<double>(plan.count));  // at full darkness
  const Plane<float> density =
      slope ? gaussian_blurred(plan.density, 0.45 * spacing, context) : plan.density;
  SampleOptions darts;
  darts.settle = false;  // points that move apart carry tone with them
  return sample(DensityField::from_density(density, domain, std::sqrt(packing), slope), darts,
                plan.count, context);
}

PointSet place_dots(const DotPlan& plan, const FieldOptions& field, const StippleOptions& options,
                    double packing, Context& context) {
  PointSet dots;
  switch (options.method) {
    case StippleMethod::kernel:
      dots = walk_dots(plan.density, plan.count, context);
      relax_kernel(dots, plan.density, {options.regularity, options.edges}, context);
      break;
    case StippleMethod::lbg: {
      const bool finds_number = options.dots == 0 && field.count == 0 && !options.dot_size.empty();
      dots = lbg_dots(plan.density, finds_number ? 0 : plan.count, context);
      break;
    }
    case StippleMethod::voronoi:
      dots = walk_dots(plan.density, plan.count, context);
      relax_voronoi(dots, plan.density, voronoi_iterations, context);
      break;
    case StippleMethod::poisson:
      dots = sampled_dots(plan, field.slope, packing, context);
      break;
  }
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const float d = plan.darkness(static_cast<int>(dots.x[i]), static_cast<int>(dots.y[i]));
    dots.radius[i] = static_cast<float>(0.5 * plan.diameter(static_cast<double>(d)));
  }
  if (options.no_overlap && (plan.shape == DotShape::disc || plan.shape == DotShape::spiral))
    shrink_touching(dots);
  return dots;
}

PointSet reordered(const PointSet& dots, const std::vector<std::int32_t>& order) {
  PointSet out;
  out.domain = dots.domain;
  for (const std::int32_t i : order) {
    const auto k = static_cast<std::size_t>(i);
    out.add(dots[k], dots.radius[k]);
  }
  return out;
}

Drawing draw(const PointSet& dots, const StippleLayout& layout, const StippleOptions& options) {
  Drawing drawing;
  drawing.width = layout.paper_width;
  drawing.height = layout.paper_height;
  drawing.background = options.background;
  drawing.shape = options.shape;
  drawing.pen = options.shape == DotShape::disc ? 0 : layout.pen;
  Layer layer;
  layer.name = "1 " + options.ink;
  layer.colour = options.ink;
  layer.discs.reserve(dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    layer.discs.push_back(
        {layout.on_paper(dots[i]), static_cast<double>(dots.radius[i]) * layout.mm_per_pixel});
  }
  drawing.layers.push_back(std::move(layer));
  return drawing;
}

}  // namespace

Stippling stipple(const Image& image, const FieldOptions& field, const StippleOptions& options,
                  Context& context) {
  context.check();
  if (image.width() < 1 || image.height() < 1) {
    throw Error(ErrorKind::input, "the image has no pixels");
  }
  parse_colour(options.ink);
  if (options.background != "none") parse_colour(options.background);
  const StippleLayout layout = lay_out(image.width(), image.height(), options);
  const bool of_lines = options.shape == DotShape::circle || options.shape == DotShape::spiral;
  if (of_lines && layout.pen <= 0) {
    throw Error(ErrorKind::usage,
                "--shape circle and spiral need the width of their line, such as "
                "--pen 0.3mm");
  }
  const double packing = packing_constant(SampleMethod::darts, ConflictRule::mean);
  const DotPlan plan =
      plan_dots(read_darkness(image, field, context), field, options, layout, packing, context);
  Stippling result;
  {
    const auto stage = context.stage("stipple");
    result.dots = place_dots(plan, field, options, packing, context);
  }
  {
    const auto stage = context.stage("order");
    result.dots = reordered(result.dots, drawing_order(result.dots, options.order, context));
  }
  result.drawing = draw(result.dots, layout, options);
  result.drawing.plotter = options.plotter;
  if (options.path == DotPath::tsp) {
    draw_as_lines(result.drawing, layout.pen,
                  {plan.line_ink * layout.mm_per_pixel * layout.mm_per_pixel});
  }
  result.darkness = plan.darkness;
  result.raster_width = layout.raster_width;
  result.raster_height = layout.raster_height;
  return result;
}

namespace {

class StippleJob final : public Job {
 public:
  StippleJob() { field_.as = MapKind::tone; }

  void describe(OptionList& list) override {
    dapple::describe(options_, list);
    dapple::describe(field_, list);
  }

  Result run(const Image* input, Context& context) override {
    if (input == nullptr) throw Error(ErrorKind::usage, "stipple needs an image");
    Stippling made = stipple(*input, field_, options_, context);
    Result result;
    result.points = std::move(made.dots);
    result.drawing = std::move(made.drawing);
    result.darkness = std::move(made.darkness);
    result.raster_width = made.raster_width;
    result.raster_height = made.raster_height;
    return result;
  }

 private:
  StippleOptions options_;
  FieldOptions field_;
};

}  // namespace

Operation stipple_operation() {
  Operation row;
  row.name = "stipple";
  row.summary = "Draws an image as dots of ink";
  row.details =
      "Turns a picture into dots whose ink adds up to its darkness: few where it is light, many "
      "where it is dark. Writes SVG, PDF, HP-GL and G-code in real millimetres for plotters and "
      "print (dots in an "
      "order that keeps the pen's way short), pictures with exact edges (PNG, TIFF, EXR, JPEG) "
      "at any size, or the dots themselves (CSV, PLY, JSON, NPY).\n\n"
      "Give the number of dots or their size; the other follows from the tones. With --dot-size "
      "MIN:MAX dots grow where it is darker. For a pen plotter, --shape point makes each dot one "
      "touch of a --pen of that width.";
  row.input = InputKind::image;
  row.input_name = "IMAGE";
  row.makes_points = true;
  row.makes_drawing = true;
  row.default_extension = "svg";
  row.stage = "stipple";
  row.examples = {
      {"stipple photo.jpg -o portrait.svg -o portrait.png",
       "10,000 dots, as vectors and as a picture of the photo's size"},
      {"stipple photo.jpg --dots 40000 --size 3000 -o poster.png",
       "40,000 dots on a picture 3000 pixels wide"},
      {"stipple photo.jpg --paper A4 --margin 15mm --shape point --pen 0.3mm --dots 20000 -o "
       "plot.svg",
       "for a pen plotter: 20,000 touches of a 0.3 mm pen"},
      {"stipple photo.jpg --path tsp --pen 0.5mm --paper A4 --margin 15mm -o line.svg",
       "one line that never crosses itself"},
      {"stipple photo.jpg --invert --ink white --background black -o night.png",
       "white dots on black"},
  };
  row.make = [] { return std::unique_ptr<Job>(new StippleJob); };
  return row;
}

}  // namespace dapple

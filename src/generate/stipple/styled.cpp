// Plans a style: the pen, the spacing, the control of each ink and its points. Then orders the
// marks for the pen and puts them on paper.
#include "generate/stipple/styled.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"
#include "generate/stipple/place.hpp"
#include "generate/styles/style.hpp"
#include "relax/cut_pixels.hpp"

namespace dapple::stippling {
namespace {

using styles::Marks;

constexpr double least_rows = 1.5;  // pens between rows
constexpr double too_dark = 0.05;   // share of the picture beyond reach that is worth a warning
constexpr double correction_blur = 2.5;  // of errors of tone, spacings
// Limits to the factor by which marks get longer.
constexpr float shortest_mark = 0.5f;
constexpr float longest_mark = 2;
// Lines are straight if points lie this near to them, in pens and for long lines in pixels.
constexpr double flatness = 0.01;
constexpr double longest_flat = 4;  // pens
constexpr double rounding = 1e-9;

// Returns what each ink has to cover so that the wanted shares are seen, if layers lie at random on
// each other and later layers hide earlier ones.
std::vector<Plane<float>> covers_of(const Separation& asked, Context& context) {
  std::vector<Plane<float>> covers;
  if (asked.parts.empty()) {
    covers.push_back(copied(asked.darkness, context));
    return covers;
  }
  for (const Plane<float>& part : asked.parts) {
    covers.push_back(made_of(part, context, [&](std::size_t i) {
      return part.values()[i] * asked.darkness.values()[i];
    }));
  }
  in_runs(asked.darkness.size(), context, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      float open = 1;  // not hidden by later layers
      for (std::size_t k = covers.size(); k-- > 0;) {
        float& cover = covers[k].values()[i];
        const float seen = cover;
        cover = open > 0 ? std::min(1.0f, seen / open) : 0;
        open -= seen;
      }
    }
  });
  return covers;
}

// Returns points of a density in pixels, by the method of the options.
Points points_of(Plane<float> density, std::int64_t count, const StippleOptions& options,
                 Context& context) {
  DotPlan plan;
  plan.count = count;
  const float most = *std::max_element(density.values().begin(), density.values().end());
  plan.darkness =
      made_of(density, context, [&](std::size_t i) { return density.values()[i] / most; });
  plan.density = std::move(density);
  const int cells = cells_of(plan);
  cut(plan, cells, context);
  Points points = place_dots(plan, {}, options, context);
  if (cells > 1) scale(points, 1.0 / cells);
  return points;
}

// Calls piece(a, b) for the parts of a path inside the frame, and end() where it leaves the frame.
template <class Piece, class End>
void within(const Box& frame, const std::vector<Vec2>& path, const Piece& piece, const End& end) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec2 a = path[i - 1];
    const Vec2 step = path[i] - a;
    double from = 0;
    double to = 1;
    const auto cut_at = [&](double at, double along, double low, double high) {
      if (along == 0) {
        if (at < low || at > high) to = -1;
        return;
      }
      const auto [in, out] = std::minmax({(low - at) / along, (high - at) / along});
      from = std::max(from, in);
      to = std::min(to, out);
    };
    cut_at(a.x, step.x, frame.x0, frame.x1);
    cut_at(a.y, step.y, frame.y0, frame.y1);
    if (from > 0 || from > to) end();
    if (from < to) piece(a + step * from, to < 1 ? a + step * to : path[i]);
    if (to < 1) end();
  }
  end();
}

// Cuts marks at the frame of the picture, and leaves out points on straight lines.
Marks trimmed(const Marks& marks, const Domain& domain, double pen, Context& context) {
  const Box frame{0, 0, domain.width, domain.height};
  Marks kept;
  std::vector<Vec2> line;
  std::size_t count = 0;
  for (const std::vector<Vec2>& mark : marks) {
    if (++count % 1024 == 0) context.check();
    within(
        frame, mark,
        [&](Vec2 a, Vec2 b) {
          if (line.empty()) line.push_back(a);
          const bool is_short =
              line.size() < 2 || length(b - line[line.size() - 2]) < longest_flat * pen;
          styles::add_point(line, b, is_short ? flatness * pen : rounding);
        },
        [&] {
          if (line.size() > 1) kept.push_back(std::move(line));
          line.clear();
        });
  }
  return kept;
}

// Orders marks by their middles, and turns each so that the pen reaches it soon.
Marks in_pen_order(Marks marks, Domain domain, DotOrder order, Context& context) {
  Points middles;
  middles.domain = domain;
  for (const std::vector<Vec2>& mark : marks) {
    Vec2 p = mark[mark.size() / 2];
    p.x = std::clamp(p.x, 0.0, std::nextafter(domain.width, 0.0));
    p.y = std::clamp(p.y, 0.0, std::nextafter(domain.height, 0.0));
    middles.add(p, 0);
  }
  Marks ordered;
  for (const std::int32_t i : drawing_order(middles, order, context)) {
    std::vector<Vec2>& mark = marks[static_cast<std::size_t>(i)];
    if (!ordered.empty()) {
      const Vec2 pen = ordered.back().back();
      if (length(mark.back() - pen) < length(mark.front() - pen)) {
        std::reverse(mark.begin(), mark.end());
      }
    }
    ordered.push_back(std::move(mark));
  }
  return ordered;
}

// The pen and the spacing of rows, in pixels; the spacing is 0 for styles on points.
struct Pen {
  double width = 0;
  double spacing = 0;
};

Pen pen_of_rows(const styles::Style& style, double given, double area,
                const StippleOptions& options) {
  Pen pen{given, given * style.row_spacing};
  if (options.dots > 0 || given <= 0) {
    const std::int64_t marks = options.dots > 0 ? options.dots : style.marks;
    pen.spacing = std::sqrt(area / static_cast<double>(marks));
  }
  if (given <= 0) pen.width = pen.spacing / style.row_spacing;
  if (pen.spacing < least_rows * pen.width) {
    const double most = area / (least_rows * least_rows * pen.width * pen.width);
    throw Error(ErrorKind::usage,
                Problem{"dots", "leaves rows of this `pen` no room: use at most " +
                                    std::to_string(static_cast<std::int64_t>(most)) +
                                    ", or a narrower `pen`"});
  }
  return pen;
}

void warn_of_reach(const std::vector<Plane<float>>& covers, double darkest, Context& context) {
  double beyond = 0;
  double all = 0;
  for (const Plane<float>& cover : covers) {
    for (const float d : cover.values()) beyond += static_cast<double>(d) > darkest + 0.02 ? 1 : 0;
    all += static_cast<double>(cover.size());
  }
  if (beyond <= too_dark * all) return;
  context.warn("this `style` covers at most " + shortest(std::round(100 * darkest)) +
               " % of the paper, so all darker tones look the same; a wider `pen` or more `dots` "
               "may reach further");
}

// Draws marks of a tone, measures what they cover, and draws them longer where that is too little.
Marks fitted_marks(const styles::Style& style, styles::Request request, double darkest) {
  Context& context = request.context;
  const std::span<const float> tones = request.darkness.values();
  Marks marks = style.draw(request);
  for (int round = 0; round < style.corrections; ++round) {
    const double spacing =
        std::sqrt(static_cast<double>(tones.size()) / static_cast<double>(request.points.size()));
    const Plane<float> covered = styles::coverage(marks, request.pen, request.darkness.width(),
                                                  request.darkness.height(), context);
    const auto reach = static_cast<float>(darkest);
    const Plane<float> lack = gaussian_blurred(
        made_of(covered, context,
                [&](std::size_t i) { return std::min(tones[i], reach) - covered.values()[i]; }),
        correction_blur * spacing, context);
    if (request.longer.empty()) {
      request.longer = Plane<float>(covered.width(), covered.height(), 1.0f);
    }
    const std::span<const float> before = request.longer.values();
    make_again(request.longer, context, [&](std::size_t i) {
      if (!(tones[i] > 0)) return 1.0f;
      return std::clamp(before[i] + lack.values()[i] / tones[i], shortest_mark, longest_mark);
    });
    marks = style.draw(request);
  }
  return marks;
}

// The parts of a picture in a style. Lengths in pixels.
struct Plan {
  const styles::Style& style;
  styles::ToneCurve curve;
  Pen pen;
  std::vector<Plane<float>> covers{};    // by ink
  std::vector<Plane<float>> controls{};  // likewise
};

Plan plan_of(const Separation& asked, double given_pen, const StippleOptions& options,
             Context& context) {
  const styles::Style& style = styles::style_of(options.style);
  const auto area = static_cast<double>(asked.darkness.size());
  Pen pen{given_pen, 0};
  if (style.on_points && pen.width > 0 && options.dots > 0) {
    throw Error(ErrorKind::usage,
                Problem{"dots",
                        "cannot be combined with `pen` in this `style`, whose points follow "
                        "from the width of the pen and the tones: leave one of them out"});
  }
  if (!style.on_points) pen = pen_of_rows(style, pen.width, area, options);
  Plan plan{style,
            styles::tone_curve(
                style, style.on_points ? 0 : pen.spacing / pen.width, options,
                [&](const Plane<float>& density, std::int64_t count) {
                  return points_of(density, count, options, context);
                },
                context),
            pen, covers_of(asked, context)};
  warn_of_reach(plan.covers, plan.curve.darkest(), context);
  double points = 0;  // of a pen one pixel wide
  for (const Plane<float>& cover : plan.covers) {
    Plane<float> control = style.on_points
                               ? copied(cover, context)
                               : gaussian_blurred(cover, style.blur * pen.spacing, context);
    const std::span<const float> tones = control.values();
    make_again(control, context, [&](std::size_t i) {
      return static_cast<float>(plan.curve.control_for(static_cast<double>(tones[i])));
    });
    in_runs(control.size(), context, [&](std::size_t first, std::size_t end) {
      for (const float u : control.values().subspan(first, end - first)) {
        points += static_cast<double>(u) * static_cast<double>(u);
      }
    });
    plan.controls.push_back(std::move(control));
  }
  if (style.on_points && pen.width <= 0) {
    const std::int64_t marks = options.dots > 0 ? options.dots : style.marks;
    plan.pen.width = std::sqrt(points / static_cast<double>(marks));
  }
  constexpr double bytes = 400;  // per point or square between rows: cells, edges and lines
  const double width = plan.pen.width;
  context.require_memory(
      bytes * (style.on_points ? points / (width * width) : area / (pen.spacing * width)),
      "a drawing of this style");
  return plan;
}

// Returns the marks of ink `k` of `inks`, in the order of the pen.
Marks marks_of(const Plan& plan, std::size_t k, std::size_t inks, const StippleOptions& options,
               Context& context) {
  const Plane<float>& control = plan.controls[k];
  const double width = plan.pen.width;
  Points points;
  if (plan.style.on_points) {
    Plane<float> density = made_of(control, context, [&](std::size_t i) {
      const auto u = static_cast<double>(control.values()[i]) / width;
      return static_cast<float>(u * u);
    });
    const std::int64_t count = std::llround(sum_of(density, context));
    if (count == 0) return {};
    points = points_of(std::move(density), count, options, context);
  }
  // Rows of all inks cross at the largest angles.
  const double ink = static_cast<double>(k) / static_cast<double>(inks);
  const Domain domain{static_cast<double>(control.width()), static_cast<double>(control.height()),
                      false};
  const Marks marks = fitted_marks(plan.style,
                                   {plan.covers[k], control, points, width, plan.pen.spacing,
                                    plan.style.turns + 0.5 * ink, ink, options, context},
                                   plan.curve.darkest());
  Marks kept = trimmed(marks, domain, width, context);
  return plan.style.in_order ? kept : in_pen_order(std::move(kept), domain, options.order, context);
}

}  // namespace

Stippling draw_styled(Separation asked, const std::vector<Ink>& inks, const StippleLayout& layout,
                      const StippleOptions& options, Context& context) {
  const auto stage = context.stage("stipple");
  constexpr double planned = 0.2;  // share of the work
  const double mm = layout.place.mm_per_pixel;
  const Plan plan = [&] {
    const auto part = context.part(0, planned);
    return plan_of(asked, layout.pen / mm, options, context);
  }();
  Stippling result;
  result.drawing.width = layout.paper_width;
  result.drawing.height = layout.paper_height;
  result.drawing.background = options.background;
  result.drawing.pen = plan.pen.width * mm;
  double reached = 0;
  double wanted = 0;
  std::size_t lines = 0;
  for (std::size_t k = 0; k < inks.size(); ++k) {
    const double share = (1 - planned) / static_cast<double>(inks.size());
    const auto part = context.part(planned + share * static_cast<double>(k),
                                   planned + share * static_cast<double>(k + 1));
    for (const float tone : plan.covers[k].values()) {
      wanted += static_cast<double>(tone);
      reached += std::min(static_cast<double>(tone), plan.curve.darkest());
    }
    Layer layer;
    layer.name = std::to_string(k + 1) + " " + inks[k].name;
    layer.color = inks[k].color;
    layer.ink = inks[k].name;
    for (std::vector<Vec2>& mark : marks_of(plan, k, inks.size(), options, context)) {
      for (Vec2& p : mark) p = layout.place(p);
      layer.lines.push_back({std::move(mark), result.drawing.pen});
    }
    lines += layer.lines.size();
    result.drawing.layers.push_back(std::move(layer));
  }
  if (lines == 0) {
    throw Error(ErrorKind::usage, "a pen of " + shortest(std::round(10 * plan.pen.width) / 10) +
                                      " pixels is too wide to draw this picture in this `style`: "
                                      "use a narrower `pen`, or more `dots`");
  }
  result.ink = reached / wanted;
  result.dots.domain = {static_cast<double>(asked.darkness.width()),
                        static_cast<double>(asked.darkness.height()), false};
  result.darkness = std::move(asked.darkness);
  return result;
}

}  // namespace dapple::stippling

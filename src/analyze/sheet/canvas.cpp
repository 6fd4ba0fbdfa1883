// Draws boxes and pictures straight into pixels, and lines and lettering as a drawing over them.
#include "analyze/sheet/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

constexpr std::array<const char*, inks> colors = {"#e7e3da", "#7f8385", "#93bdc8", "#4f97a8",
                                                  "#0f6478", "#b4561c", "#22282c"};
constexpr const char* paper = "#fbfaf6";

std::array<float, 3> blend(const char* from, const char* to, float part) {
  const std::array<float, 3> a = parse_color(from);
  const std::array<float, 3> b = parse_color(to);
  std::array<float, 3> result{};
  for (std::size_t c = 0; c < 3; ++c) result[c] = a[c] + part * (b[c] - a[c]);
  return result;
}

}  // namespace

Sheet::Sheet(double width, double height, std::string_view title, std::string_view command)
    : width_(width), height_(height) {
  const std::array<float, 3> white = parse_color(paper);
  for (std::size_t c = 0; c < 3; ++c) {
    image_.channels.emplace_back(static_cast<int>(width), static_cast<int>(height), white[c]);
  }
  image_.names = {"R", "G", "B"};
  image_.encoding = Encoding::srgb;
  drawing_.width = width;
  drawing_.height = height;
  drawing_.background = "none";
  for (const char* color : colors) {
    Layer layer;
    layer.color = color;
    drawing_.layers.push_back(std::move(layer));
  }
  text(dark, title, {margin, margin + 16}, 18, TextAlign::left, 2.2);
  text(gray, command, {width - margin, margin + 16}, 9.5, TextAlign::right, 1.1);
  line(dark, {{margin, margin + 28}, {width - margin, margin + 28}}, 1.2);
}

void Sheet::line(Ink ink, std::vector<Vec2> points, double width) {
  drawing_.layers[ink].lines.push_back({std::move(points), width});
}

void Sheet::text(Ink ink, std::string_view words, Vec2 at, double height, TextAlign align,
                 double weight, bool upwards) {
  for (Polyline& stroke : lettering(words, at, height, weight, align, upwards)) {
    drawing_.layers[ink].lines.push_back(std::move(stroke));
  }
}

void Sheet::fill(Ink ink, const Box& box) {
  const std::array<float, 3> color = parse_color(colors[ink]);
  for_pixels(box, [&](int x, int y, double cover) {
    for (std::size_t c = 0; c < 3; ++c) {
      float& v = image_.channels[c](x, y);
      v += static_cast<float>(cover) * (color[c] - v);
    }
  });
}

void Sheet::show(const Plane<float>& plane, const Box& box, const Tint& tint) {
  const double sx = plane.width() / box.width();
  const double sy = plane.height() / box.height();
  for_pixels(box, [&](int x, int y, double) {
    const double x0 = std::max(0.0, (x - box.x0) * sx);
    const double x1 = std::min<double>(plane.width(), (x + 1 - box.x0) * sx);
    const double y0 = std::max(0.0, (y - box.y0) * sy);
    const double y1 = std::min<double>(plane.height(), (y + 1 - box.y0) * sy);
    std::array<double, 3> sum{};
    for (int j = static_cast<int>(y0); j < y1 && j < plane.height(); ++j) {
      for (int i = static_cast<int>(x0); i < x1 && i < plane.width(); ++i) {
        const double area = (std::min(x1, i + 1.0) - std::max<double>(x0, i)) *
                            (std::min(y1, j + 1.0) - std::max<double>(y0, j));
        const std::array<float, 3> color = tint(plane(i, j));
        for (std::size_t c = 0; c < 3; ++c) sum[c] += area * static_cast<double>(color[c]);
      }
    }
    const double area = (x1 - x0) * (y1 - y0);
    for (std::size_t c = 0; c < 3; ++c) {
      image_.channels[c](x, y) = static_cast<float>(sum[c] / area);
    }
  });
}

void Sheet::show(const Image& picture, Vec2 corner) {
  const std::size_t planes = picture.channels.size();
  const bool colors_too = planes >= 3;
  const Plane<float>* alpha = planes == 2 || planes == 4 ? &picture.channels.back() : nullptr;
  const auto left = static_cast<int>(corner.x);
  const auto top = static_cast<int>(corner.y);
  for (int y = 0; y < picture.height() && top + y < image_.height(); ++y) {
    for (int x = 0; x < picture.width() && left + x < image_.width(); ++x) {
      const float cover = alpha == nullptr ? 1.0f : std::clamp((*alpha)(x, y), 0.0f, 1.0f);
      for (std::size_t c = 0; c < 3; ++c) {
        const float own = std::clamp(picture.channels[colors_too ? c : 0](x, y), 0.0f, 1.0f);
        float& v = image_.channels[c](left + x, top + y);
        v += cover * (own - v);
      }
    }
  }
}

Image Sheet::finish(Context& context) {
  const Image lines = rasterize(drawing_, image_.width(), image_.height(), context);
  const Plane<float>& alpha = lines.channels.back();
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      float& v = image_.channels[c].values()[i];
      v += alpha.values()[i] * (lines.channels[c].values()[i] - v);
    }
  }
  return std::move(image_);
}

void Sheet::for_pixels(const Box& box, const std::function<void(int, int, double)>& visit) const {
  const int last_y = std::min(static_cast<int>(height_), static_cast<int>(std::ceil(box.y1)));
  const int last_x = std::min(static_cast<int>(width_), static_cast<int>(std::ceil(box.x1)));
  for (int y = static_cast<int>(box.y0); y < last_y; ++y) {
    for (int x = static_cast<int>(box.x0); x < last_x; ++x) {
      const double cover = (std::min(box.x1, x + 1.0) - std::max<double>(box.x0, x)) *
                           (std::min(box.y1, y + 1.0) - std::max<double>(box.y0, y));
      if (cover > 0) visit(x, y, cover);
    }
  }
}

std::string brief(double value) {
  if (!std::isfinite(value)) return "none";
  const double size = std::abs(value);
  if (size >= 1e5 && size < 1e15 && value == std::round(value)) {
    std::string digits = std::to_string(static_cast<long long>(value));
    for (std::size_t i = digits.size(); i > 3 + (value < 0 ? 1u : 0u); i -= 3) {
      digits.insert(i - 3, " ");
    }
    return digits;
  }
  if (size != 0 && (size < 1e-4 || size >= 1e6)) {
    const int tens = decimal_exponent(size);
    return shortest(std::round(value / power_of_ten(tens) * 10) / 10) + "e" + std::to_string(tens);
  }
  const double unit = size >= 1000  ? 1
                      : size >= 100 ? 10
                      : size >= 10  ? 100
                      : size >= 1   ? 1e3
                                    : 1e4;
  return shortest(std::round(value * unit) / unit);
}

Tint tint_between(const char* from, const char* to) {
  std::vector<std::array<float, 3>> table;
  for (int i = 0; i < 256; ++i) table.push_back(blend(from, to, static_cast<float>(i) / 255));
  return [table](float v) {
    return table[static_cast<std::size_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255))];
  };
}

Tint picture_tint() {
  return tint_between("#22282c", "#ffffff");
}

Tint difference_tint(double range) {
  const Tint light = tint_between("#f5f2ea", "#d9772b");
  const Tint dark = tint_between("#f5f2ea", "#1f5f8f");
  const auto scale = static_cast<float>(1 / range);
  return [=](float v) { return v > 0 ? light(v * scale) : dark(-v * scale); };
}

Tint spectrum_tint() {
  const Tint tint = tint_between("#0b2b36", "#fdfcf4");
  return [tint](float power) { return tint(power / (1 + power)); };
}

std::vector<std::vector<const Curve*>> plots_of(const QualityReport& report) {
  std::vector<std::vector<const Curve*>> plots;
  for (const Curve& curve : report.curves) {
    const auto same = std::find_if(plots.begin(), plots.end(), [&](const auto& plot) {
      return plot.front()->title == curve.title;
    });
    if (same == plots.end()) {
      plots.push_back({&curve});
    } else {
      same->push_back(&curve);
    }
  }
  return plots;
}

Box fitted(const Plane<float>& plane, double x, double y, double room, double high) {
  const double scale = std::min(room / plane.width(), high / plane.height());
  const double width = std::max(1.0, std::round(plane.width() * scale));
  const double height = std::max(1.0, std::round(plane.height() * scale));
  const double x0 = std::round(x);
  return {x0, std::round(y), x0 + width, std::round(y) + height};
}

}  // namespace dapple

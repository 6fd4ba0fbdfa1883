// Makes curves and pictures for the sheet.
#include "analyze/figures.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"

namespace dapple {

void add_radial_curves(QualityReport& report, const std::vector<Ring>& rings, double limit,
                       const std::string& x_label, const std::string& name) {
  Curve power{"Radial power", x_label, "power, white = 1", name, {}, {}, false};
  Curve aniso{"Anisotropy", x_label, "variance / mean^2, dB", name, {}, {}, false};
  for (const Ring& ring : rings) {
    if (ring.frequency > limit) break;
    power.x.push_back(ring.frequency);
    power.y.push_back(ring.power);
    aniso.x.push_back(ring.frequency);
    aniso.y.push_back(10 * portable_log10(std::max(ring.anisotropy, 1e-3)));
  }
  report.curves.push_back(std::move(power));
  report.curves.push_back(std::move(aniso));
}

void add_spacing_curve(QualityReport& report, const std::vector<double>& relative) {
  constexpr int bins = 60;
  constexpr double widest = 1.5;
  Curve curve{"Distance to the nearest", "distance / hexagonal", "share, %", "", {}, {}, true};
  curve.y.assign(bins, 0.0);
  for (int b = 0; b < bins; ++b) curve.x.push_back((b + 0.5) * widest / bins);
  for (const double rho : relative) {
    const double bin = std::min(bins - 1.0, rho / widest * bins);
    curve.y[static_cast<std::size_t>(bin)] += 100 / static_cast<double>(relative.size());
  }
  report.curves.push_back(std::move(curve));
}

Plane<float> picture_of(const Points& points, double part, const std::vector<double>& radius,
                        Context& context) {
  constexpr double pixels = 600;  // along the longer side
  const Domain& domain = points.domain;
  const double scale = pixels / (std::max(domain.width, domain.height) * part);
  const Vec2 corner{domain.width * (1 - part) / 2, domain.height * (1 - part) / 2};
  Drawing drawing;
  drawing.width = std::max(1.0, std::round(domain.width * part * scale));
  drawing.height = std::max(1.0, std::round(domain.height * part * scale));
  drawing.layers.emplace_back();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Disc disc{(points[i] - corner) * scale, radius[i] * scale};
    const bool seen = disc.center.x > -disc.radius && disc.center.y > -disc.radius &&
                      disc.center.x < drawing.width + disc.radius &&
                      disc.center.y < drawing.height + disc.radius;
    if (seen) drawing.layers.front().discs.push_back(disc);
  }
  const Image image = rasterize(drawing, static_cast<int>(drawing.width),
                                static_cast<int>(drawing.height), context);
  return image.channels.front();
}

}  // namespace dapple

// Measures dither masks: how even every threshold of a mask is, seen from near and from afar.
//
// Every figure depends only on the order of the values. So each pixel value is first replaced by
// its position in that order, 0..1.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

#include "analyze/figures.hpp"
#include "core/constants.hpp"
#include "core/figures/gray_error.hpp"
#include "core/figures/mask_goals.hpp"
#include "core/figures/pattern.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {

namespace {

// ---- order --------------------------------------------------------------------------------------

std::vector<float> sorted_values(const Plane<float>& mask, const Context& context) {
  std::vector<float> sorted(mask.values().begin(), mask.values().end());
  std::uint32_t compared = 0;
  std::sort(sorted.begin(), sorted.end(), [&](float a, float b) {
    if (++compared % 65536 == 0) context.check();
    return a < b;
  });
  return sorted;
}

// Returns the position of each pixel in the order of values, 0..1. Equal values get the mean one.
Plane<float> places(const Plane<float>& mask, Context& context) {
  const std::vector<float> sorted = sorted_values(mask, context);
  std::vector<float> values;
  std::vector<float> place;
  const double n = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    values.push_back(sorted[i]);
    place.push_back(static_cast<float>(0.5 * static_cast<double>(i + end) / n));
    i = end;
  }
  Plane<float> result(mask.width(), mask.height());
  parallel_for(context, static_cast<std::size_t>(mask.height()), [&](std::size_t y) {
    const float* from = mask.row(static_cast<int>(y));
    float* to = result.row(static_cast<int>(y));
    for (int x = 0; x < mask.width(); ++x) {
      const auto at = std::lower_bound(values.begin(), values.end(), from[x]) - values.begin();
      to[x] = place[static_cast<std::size_t>(at)];
    }
  });
  return result;
}

// Returns the pattern that the mask makes of the gray g: 1 if the threshold is below g.
Plane<float> pattern(const Plane<float>& place, double g) {
  Plane<float> result(place.width(), place.height());
  for (std::size_t i = 0; i < place.size(); ++i) {
    result.values()[i] = static_cast<double>(place.values()[i]) < g ? 1.0f : 0.0f;
  }
  return result;
}

struct Uniqueness {
  double missing = 0;  // values that should occur and do not
  double spread = 0;   // count of the commonest value minus count of the rarest
  double distinct = 0;
  double expected = 0;  // how many distinct values should occur
  double most = 0;      // how often the commonest value occurs
  bool coarse = false;  // values of 16 bits that 8 bits could hold
};

// Floats should be all different; integers should use every level equally often.
Uniqueness check_values(const Plane<float>& mask, PixelType type, const Context& context) {
  const double n = static_cast<double>(mask.size());
  const std::vector<float> sorted = sorted_values(mask, context);
  const ValueCounts counts = count_values(sorted);
  const auto distinct = static_cast<double>(counts.distinct);
  const auto most = static_cast<double>(counts.most);
  auto least = static_cast<double>(counts.least);
  const double levels = type == PixelType::u8 ? 256 : type == PixelType::u16 ? 65536 : n;
  const double expected = std::min(levels, n);
  if (distinct < expected && n >= levels) least = 0;
  if (n < levels) least = 1;  // each value at most once
  const bool coarse = type == PixelType::u16 && n > 256 &&
                      std::all_of(sorted.begin(), sorted.end(),
                                  [](float v) { return std::lround(v * 65535) % 257 == 0; });
  return {expected - std::min(distinct, expected), most - least, distinct, expected, most, coarse};
}

std::string count_text(double count) {
  return std::to_string(static_cast<std::int64_t>(count));
}

// Adds notes on irregular values.
void add_notes(QualityReport& report, const Uniqueness& u, const std::string& channel) {
  const std::string where = channel.empty() ? "" : " of channel " + channel;
  if (u.coarse) {
    report.notes.push_back("The 16 bits" + where +
                           " hold values of 8 bits only: the mask was saved with fewer levels.");
  }
  if (u.missing > 0) {
    report.notes.push_back("Of " + count_text(u.expected) + " values that should occur" + where +
                           ", " + count_text(u.missing) + " do not: " + count_text(u.distinct) +
                           " thresholds tell " + count_text(u.distinct + 1) + " grays apart.");
  }
  if (u.spread > 1) {
    report.notes.push_back("Values" + where + " are repeated unevenly, one of them " +
                           count_text(u.most) + " times: tones will be off where they crowd.");
  }
}

// ---- first and last pixels ----------------------------------------------------------------------

// Returns the pixels whose position in the order lies in [from, end).
std::vector<RasterPlace> pixels_between(const Plane<float>& place, double from, double end) {
  std::vector<RasterPlace> result;
  for (int y = 0; y < place.height(); ++y) {
    for (int x = 0; x < place.width(); ++x) {
      const auto at = static_cast<double>(place(x, y));
      if (at >= from && at < end) result.push_back({x, y});
    }
  }
  return result;
}

// ---- one channel --------------------------------------------------------------------------------

// Return a goal if the size has one.
std::optional<Target> at_most(double goal) {
  return goal == MaskGoals::none ? std::nullopt : std::optional(Target{goal, true});
}
std::optional<Target> at_least(double goal) {
  return goal == -MaskGoals::none ? std::nullopt : std::optional(Target{goal});
}

void add_spectra(QualityReport& report, const Plane<float>& place, const MaskGoals& goals,
                 const std::string& suffix, Context& context) {
  double line = 0;
  const auto spectrum_at = [&](double g) {
    PowerSpectrum spectrum = power_spectrum(pattern(place, g), context);
    // At 1/32 few pixels are set, and any pattern has lines.
    if (g > 0.1) line = std::max(line, largest_line(spectrum, place.width(), place.height()));
    return spectrum;
  };
  for (const int part : {32, 8, 2}) {
    const double g = 1.0 / part;
    const std::string share = "1/" + std::to_string(part);
    const PowerSpectrum spectrum = spectrum_at(g);
    const std::vector<Ring> radial = rings_of_pattern(spectrum);
    if (part == 32) {
      report.measurements.push_back(
          {"p32" + suffix, mean_power_below(spectrum, std::sqrt(g) / 2), "",
           "power below half the principal frequency at 1/32; 0 is best", at_most(goals.p32)});
    }
    if (part == 2) {
      report.measurements.push_back({"pk2" + suffix, peak_of(radial), "",
                                     "highest radial peak at 1/2; high means visible structure",
                                     at_most(goals.pk2)});
    }
    report.measurements.push_back({"aniso_" + std::to_string(part) + suffix, anisotropy_db(radial),
                                   "dB", "anisotropy at " + share + "; 0 has no direction",
                                   at_most(goals.aniso)});
    if (!suffix.empty()) continue;
    add_radial_curves(report, radial, spectrum.limit, "frequency, cycles per pixel", share);
    if (part == 8) {
      report.spectrum = spectrum_picture(spectrum, 0.5, 512);
      report.spectrum_extent = 0.5;
      report.spectrum_title = "Power at 1/8";
    }
  }
  for (const double g : {0.25, 0.75, 0.875}) spectrum_at(g);
  report.measurements.push_back({"line" + suffix, line, "of the power",
                                 "largest part in one frequency at 1/8 to 7/8; a lattice has much",
                                 at_most(goals.line)});
}

void add_channel(QualityReport& report, const Plane<float>& mask, PixelType type,
                 const std::string& suffix, Context& context) {
  auto& list = report.measurements;
  const MaskGoals goals = mask_goals(mask.width(), mask.height());
  const Uniqueness unique = check_values(mask, type, context);
  list.push_back({"levels" + suffix, unique.distinct, "", "different values"});
  list.push_back({"missing" + suffix, unique.missing, "",
                  "values that should occur and do not; 0 for a permutation of ranks"});
  list.push_back({"spread" + suffix, unique.spread, "pixels",
                  "commonest value less the rarest; 0 or 1 for an equal histogram"});
  add_notes(report, unique, suffix.empty() ? "" : suffix.substr(1));
  const Plane<float> place = places(mask, context);
  add_spectra(report, place, goals, suffix, context);
  context.progress(0.4);
  const GrayError grays(place, context);
  list.push_back({"grey_1.5" + suffix, grays.seen(1.5), "of 255",
                  "rms error over 63 grays seen through a Gaussian of 1.5 pixels",
                  at_most(goals.grey_15)});
  list.push_back({"grey_2" + suffix, grays.seen(2), "of 255",
                  "the same at 2 pixels; lattices win here, so read it with pk2 and aniso",
                  at_most(goals.grey_2)});
  context.progress(0.9);
  list.push_back({"ramp1" + suffix, ramp_error(place, 1, context), "of 255",
                  "rms error of a gradient over 512 pixels seen through a Gaussian of 1 pixel",
                  at_most(goals.ramp_1)});
  const auto spacing = [&](double from, double end) {
    return smallest_spacing(pixels_between(place, from, end), place.width(), place.height());
  };
  const auto fullest = [&](double from, double end) {
    return fullest_quarter(pixels_between(place, from, end), place.width(), place.height());
  };
  list.push_back({"d256" + suffix, spacing(0, 1.0 / 256), "of hexagonal",
                  "smallest spacing of the first 1/256 of the pixels", at_least(goals.d256)});
  list.push_back({"d256_top" + suffix, spacing(255.0 / 256, 2), "of hexagonal",
                  "smallest spacing of the last 1/256", at_least(goals.d256_top)});
  list.push_back({"top" + suffix,
                  std::max(fullest(254.0 / 256, 255.0 / 256), fullest(255.0 / 256, 2)), "of even",
                  "fullest quarter of rows or columns, of the last 1/256 and of that before it",
                  at_most(goals.top)});
}

// Returns the top left part of the mask, at most `side` pixels wide and high, as gray.
Plane<float> middle(const Plane<float>& mask, int side) {
  const int width = std::min(side, mask.width());
  const int height = std::min(side, mask.height());
  Plane<float> result(width, height);
  const auto [low, high] = std::minmax_element(mask.values().begin(), mask.values().end());
  const float scale = *high > *low ? 1 / (*high - *low) : 0.0f;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) result(x, y) = (mask(x, y) - *low) * scale;
  }
  return result;
}

// Returns a gradient from black to white, dithered with copies of the mask side by side.
Plane<float> gradient(const Plane<float>& place, int width, int height) {
  Plane<float> result(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float threshold = place(x % place.width(), y % place.height());
      result(x, y) = threshold < (static_cast<float>(x) + 0.5f) / static_cast<float>(width) ? 1 : 0;
    }
  }
  return result;
}

QualityReport analyze_slice(const Image& mask, Context& context) {
  const auto stage = context.stage("analyze");
  QualityReport report;
  report.kind = "mask";
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < mask.channels.size(); ++i) {
    const Plane<float>& plane = mask.channels[i];
    for (std::size_t k = 0; k < plane.size(); ++k) {
      if (std::isfinite(plane.values()[k])) continue;
      throw Error(ErrorKind::input,
                  "the value at (" + std::to_string(k % static_cast<std::size_t>(plane.width())) +
                      ", " + std::to_string(k / static_cast<std::size_t>(plane.width())) +
                      ") is not a finite number, but a mask needs one threshold per pixel");
    }
    const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
    // Skips an opaque alpha, and copies of a gray stored as R, G and B.
    if (plane.empty() || *low == *high) continue;
    const bool copy = std::any_of(measured.begin(), measured.end(),
                                  [&](std::size_t m) { return mask.channels[m] == plane; });
    if (!copy) measured.push_back(i);
  }
  if (measured.empty()) {
    // Certificates hold this text, so that its words are part of their bytes.
    throw Error(ErrorKind::input,
                "the image is one flat value: it is no mask, which holds different thresholds");
  }
  report.measurements.push_back({"width", static_cast<double>(mask.width()), "pixels", ""});
  report.measurements.push_back({"height", static_cast<double>(mask.height()), "pixels", ""});
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::size_t channel = measured[i];
    const std::string name =
        channel < mask.names.size() ? mask.names[channel] : std::to_string(channel);
    add_channel(report, mask.channels[channel], mask.type, i == 0 ? "" : "." + name, context);
  }
  const Plane<float>& first = mask.channels[measured.front()];
  report.pictures.push_back({"The mask", middle(first, 256)});
  report.pictures.push_back({"A gradient through it", gradient(places(first, context), 340, 150)});
  return report;
}

// Replaces the counts of slices by those of the volume, since ranks may spread over all slices.
void check_whole(QualityReport& report, const Image& volume, const Context& context) {
  report.notes.clear();
  for (std::size_t c = 0; c < volume.channels.size(); ++c) {
    const std::string suffix = c == 0 ? "" : "." + volume.names[c];
    const Uniqueness whole = check_values(volume.channels[c], volume.type, context);
    const std::array<std::pair<std::string, double>, 3> values{
        {{"levels", whole.distinct}, {"missing", whole.missing}, {"spread", whole.spread}}};
    bool found = false;
    for (Measurement& m : report.measurements) {
      for (const auto& [name, value] : values) {
        if (m.name != name + suffix) continue;
        m.value = value;
        found = true;
      }
    }
    if (found) add_notes(report, whole, suffix.empty() ? "" : suffix.substr(1));
  }
}

// Returns the figures of the first slice, and the worst value of each figure over all slices.
QualityReport analyze_slices(const Image& mask, Context& context) {
  QualityReport report = analyze_slice(slice_of(mask, 0), context);
  std::vector<Measurement> worst = report.measurements;
  for (int i = 1; i < mask.slices; ++i) {
    const QualityReport other = analyze_slice(slice_of(mask, i), context);
    for (Measurement& m : worst) {
      const Measurement* found = other.find(m.name);
      if (found == nullptr) continue;
      const bool more_is_better = m.name.starts_with("d256");
      m.value = more_is_better ? std::min(m.value, found->value) : std::max(m.value, found->value);
    }
    context.progress(static_cast<double>(i) / mask.slices);
  }
  // Frames may share one set of ranks, as slices of a volume do.
  const Uniqueness whole = check_values(mask.channels.front(), mask.type, context);
  if (mask.volume || (whole.missing == 0 && whole.spread <= 1)) {
    check_whole(report, mask, context);
    std::erase_if(worst, [](const Measurement& m) {
      return m.name.starts_with("levels") || m.name.starts_with("missing") ||
             m.name.starts_with("spread");
    });
  }
  auto& list = report.measurements;
  list.insert(list.begin() + 2,
              {"slices", static_cast<double>(mask.slices), "", "figures are of the first"});
  for (Measurement& m : worst) {
    if (m.name == "width" || m.name == "height") continue;
    list.push_back({m.name + ".worst", m.value, m.unit, "of all slices"});
  }
  return report;
}

// Removes goals if the image is no mask. White noise has power 1 at each frequency. An image with
// three times as much at low frequencies is a picture or a texture.
void note_missing_masks(QualityReport& report) {
  constexpr double of_pictures = 3;
  const Measurement* const low = report.find("p32");
  if (low == nullptr || low->value < of_pictures) return;
  for (Measurement& m : report.measurements) m.target.reset();
  report.notes.insert(report.notes.begin(),
                      "Low frequencies hold more power than those of white noise do (p32, where "
                      "noise has 1): this is a picture or a texture, and no mask to be held "
                      "against goals.");
}

}  // namespace

ValueCounts count_values(std::span<const float> sorted) {
  ValueCounts counts{0, 0, sorted.size()};
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i;
    while (end < sorted.size() && sorted[end] == sorted[i]) ++end;
    ++counts.distinct;
    counts.most = std::max(counts.most, end - i);
    counts.least = std::min(counts.least, end - i);
    i = end;
  }
  return counts;
}

QualityReport analyze_mask(const Image& mask, Context& context) {
  require_planes(mask);
  if (holds_unit_vectors(mask)) return analyze_vectors(mask, context);
  QualityReport report =
      mask.slices > 1 ? analyze_slices(mask, context) : analyze_slice(mask, context);
  if (mask.slices > 1) {
    for (Measurement& m : report.measurements) m.target.reset();
  }
  if (mask.slices > 1 && !mask.volume) {
    for (std::size_t c = 0; c < mask.channels.size(); ++c) {
      const std::string suffix = c == 0 ? "" : "." + mask.names[c];
      // Channels that repeat another are left out.
      if (report.find("grey_2" + suffix) == nullptr) continue;
      const Plane<float> place = places(mask.channels[c], context);
      add_time_figures(report, place, mask.slices, suffix, context);
      add_frame_errors(report, place, mask.slices, suffix, context);
    }
  }
  note_missing_masks(report);
  return report;
}

}  // namespace dapple

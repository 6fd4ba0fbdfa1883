#include "generate/stipple/inks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/color.hpp"
#include "core/parallel.hpp"
#include "core/text/hex_text.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"
#include "generate/dither/palette.hpp"
#include "generate/dither/picture_rows.hpp"

namespace dapple::stippling {
namespace {

constexpr std::size_t most_inks = 16;

std::string hex_of(const palette::Rgb8& color) {
  return "#" + hex_text(color);
}

std::vector<Ink> inks_of_palette(const TextInput& input, const std::string& paper) {
  const palette::Rgb8 sheet = palette::parse_rgb8(paper == "none" ? "white" : paper);
  std::vector<Ink> inks;
  std::vector<std::string> names;
  const std::vector<palette::Rgb8> colors = palette::parse(input, &names);
  names.resize(colors.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const palette::Rgb8& color = colors[i];
    if (color == sheet) continue;
    const std::string hex = hex_of(color);
    const bool unique = std::count(names.begin(), names.end(), names[i]) == 1;
    inks.push_back({unique && !names[i].empty() ? names[i] : hex, hex});
  }
  if (inks.size() > most_inks) {
    throw Error(ErrorKind::usage,
                "a palette can have at most " + std::to_string(most_inks) + " inks, this one has " +
                    std::to_string(inks.size()),
                input.path);
  }
  return inks;
}

// The tolerance of colors that are seen from afar. It is small: a pale shade of a dark color is far
// off if its mean is off by a hundredth.
constexpr double tolerance_from_afar = 0.03;

palette::Rgb light_of(const palette::Rgb8& color) {
  palette::Rgb light{};
  for (std::size_t c = 0; c < 3; ++c) light[c] = srgb_to_linear(color[c] / 255.0f);
  return light;
}

// Returns the most paper that dots of an ink should cover. The last gaps take much ink, and paper
// that shows in them matters only beside dark inks.
double most_covered(const palette::Rgb8& ink) {
  return 1 - std::min(0.05, 0.005 + 0.5 * luminance(light_of(ink)));
}

// Returns the mean color of an ink that covers a part of the paper.
palette::Rgb8 on_paper(const palette::Rgb8& ink, const palette::Rgb8& paper, double covered) {
  const palette::Rgb dots = light_of(ink);
  const palette::Rgb gaps = light_of(paper);
  palette::Rgb8 mean{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto light = static_cast<float>(covered * dots[c] + (1 - covered) * gaps[c]);
    mean[c] = static_cast<std::uint8_t>(std::lround(linear_to_srgb(light) * 255.0f));
  }
  return mean;
}

// Returns the channels of a picture, one or three, resampled to fewer pixels.
std::vector<Plane<float>> averaged(const dithering::Picture& picture, int width, int height,
                                   Context& context) {
  std::vector<Plane<float>> channels;
  Plane<float> all = Plane<float>::unset(picture.width(), picture.height());
  for (int c = 0; c < picture.channels(); ++c) {
    parallel_for(context, static_cast<std::size_t>(all.height()), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      picture.read_row(c, y, all.row(y));
    });
    channels.push_back(resample(all, width, height, context));
  }
  return channels;
}

palette::Rgb wanted_at(const dithering::PictureRows& rows, int x, bool invert) {
  palette::Rgb wanted{};
  const std::array<float, 3> rgb = rows.at(x);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto v = static_cast<double>(rgb[c]);
    wanted[c] = invert ? 1 - v : v;
  }
  return wanted;
}

// The pixels between two dots that a separation reads. Dots show no finer detail.
constexpr double most_pixels = 10;

// Passes on the light that inks cannot mix to the neighborhood, as error diffusion does but in all
// directions. A mean color that inks can mix is then right even if single pixels are too vivid.
class Correction {
 public:
  Correction() = default;
  Correction(const dithering::Picture& picture, const palette::Mixer& mixer, bool invert,
             double spacing, Context& context) {
    const double cell = std::max(1.0, least_cell * spacing);
    const auto cells = [&](int pixels) {
      return std::max(1, static_cast<int>(std::lround(pixels / cell)));
    };
    std::vector<Plane<float>> light =
        averaged(picture, cells(picture.width()), cells(picture.height()), context);
    light.resize(3, light[0]);  // a gray picture has one channel
    for (Plane<float>& plane : light) {
      for (float& v : plane.values()) v = invert ? 1 - v : v;
      added_.emplace_back(plane.width(), plane.height());
    }
    across_ = static_cast<double>(light[0].width()) / picture.width();
    down_ = static_cast<double>(light[0].height()) / picture.height();
    for (int round = 0; round < rounds; ++round) {
      std::vector<Plane<float>> missing = light;
      parallel_for(context, static_cast<std::size_t>(light[0].height()), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        palette::Mixture mixture;
        for (int x = 0; x < light[0].width(); ++x) {
          palette::Rgb wanted{};
          for (std::size_t c = 0; c < 3; ++c) {
            wanted[c] = static_cast<double>(light[c](x, y) + added_[c](x, y));
          }
          mixture = mixer.mix(limited(wanted), mixture);
          const palette::Rgb mean = mixer.mean(mixture);
          for (std::size_t c = 0; c < 3; ++c) missing[c](x, y) -= static_cast<float>(mean[c]);
        }
      });
      for (std::size_t c = 0; c < 3; ++c) {
        const Plane<float> spread =
            gaussian_blurred(missing[c], reach * spacing * across_, context);
        for (std::size_t i = 0; i < spread.size(); ++i) added_[c].values()[i] += spread.values()[i];
      }
    }
  }

  // Returns a wanted color of pixel (x, y) with the light that its neighborhood lacks.
  palette::Rgb added(palette::Rgb wanted, int x, int y) const {
    if (added_.empty()) return wanted;
    const Vec2 place{(x + 0.5) * across_, (y + 0.5) * down_};
    for (std::size_t c = 0; c < 3; ++c) wanted[c] += bilinear(added_[c], place);
    return limited(wanted);
  }

 private:
  static constexpr double least_cell = 0.5;  // spacings
  static constexpr double reach = 3;         // spacings
  static constexpr int rounds = 4;

  static palette::Rgb limited(palette::Rgb wanted) {
    for (double& v : wanted) v = std::clamp(v, 0.0, 1.0);
    return wanted;
  }

  std::vector<Plane<float>> added_;  // light per cell
  double across_ = 1;                // cells per pixel
  double down_ = 1;
};

// The paper that relaxed dots of one ink cover, and of several inks in photos, for ink of 0, 0.1,
// ... of the area of the paper. Dots of several inks are less even, so more of them overlap.
constexpr double ink_step = 0.1;
constexpr std::array<double, 15> one_covers{0,     0.1,    0.2,   0.3,   0.4,    0.5,   0.6,   0.7,
                                            0.798, 0.8844, 0.945, 0.978, 0.9935, 0.998, 0.9993};
constexpr std::array<double, 15> several_cover{
    0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.598, 0.69, 0.774, 0.842, 0.893, 0.932, 0.958, 0.976, 0.988};

// Returns the ink that covers a share of the paper. `mixed`: 0 for one ink, 1 for several.
double ink_that_covers(double share, double mixed) {
  const auto covered = [&](std::size_t i) {
    return one_covers[i] + mixed * (several_cover[i] - one_covers[i]);
  };
  std::size_t i = 1;
  while (i + 1 < one_covers.size() && covered(i) < share) ++i;
  const double before = covered(i - 1);
  const double t = std::min(1.0, (share - before) / (covered(i) - before));
  return ink_step * (static_cast<double>(i) - 1 + t);
}

// Returns the part of all ink that overlaps of dots of the same ink hide, if it has a share of all.
// Dots of an ink that has few keep apart.
double hidden_alone(double ink, double share) {
  const double at = std::min(ink / ink_step, one_covers.size() - 1.001);
  const auto i = static_cast<std::size_t>(at);
  const double t = at - static_cast<double>(i);
  const double hidden = ink - (one_covers[i] + t * (one_covers[i + 1] - one_covers[i]));
  return hidden * share * share * share * share * share;
}

double sum_of_squares(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share * share;
  return sum;
}

// Replaces the shares of inks in the seen area by their shares in all ink. Each layer hides some of
// the layers below it. Overlaps of two inks are as frequent as the product of their shares.
void allow_for_layers(double seen, double ink, std::span<double> shares) {
  constexpr int rounds = 4;
  constexpr double least_pairs = 1e-3;
  const std::vector<double> wanted(shares.begin(), shares.end());
  for (int round = 0; round < rounds; ++round) {
    double hidden = ink - seen;
    for (const double share : shares) hidden -= hidden_alone(ink, share);
    const double pairs = 0.5 * (1 - sum_of_squares(shares));
    const double per_pair = pairs > least_pairs ? std::max(0.0, hidden) / pairs : 0;
    double above = 0;
    double sum = 0;
    for (std::size_t i = shares.size(); i-- > 0;) {
      const double needed = seen * wanted[i] + hidden_alone(ink, shares[i]);
      shares[i] = needed / std::max(0.4 * ink, ink - per_pair * above);
      above = std::min(1.0, above + shares[i]);
      sum += shares[i];
    }
    for (double& share : shares) share /= sum;
  }
}

// Converts areas that are seen to areas of ink, whose sum may exceed 1.
void allow_for_overlap(Separation& made, Context& context) {
  parallel_for(context, static_cast<std::size_t>(made.darkness.height()), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    std::vector<double> shares(made.parts.size());
    for (int x = 0; x < made.darkness.width(); ++x) {
      for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i] = static_cast<double>(made.parts[i](x, y));
      }
      const auto seen = static_cast<double>(made.darkness(x, y));
      const double mixed = std::clamp(4 * (1 - sum_of_squares(shares)), 0.0, 1.0);
      const double ink = ink_that_covers(seen, mixed);
      made.darkness(x, y) = static_cast<float>(ink);
      if (ink - seen < 1e-4) continue;
      allow_for_layers(seen, ink, shares);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        made.parts[i](x, y) = static_cast<float>(shares[i]);
      }
    }
  });
}

}  // namespace

std::vector<Ink> parse_inks(const TextInput& input, const std::string& paper) {
  if (input.text) return inks_of_palette(input, paper);
  const std::string_view text = input.path;
  if (text == "cmyk") {
    return {
        {"cyan", "#00a0dc"}, {"magenta", "#e0007a"}, {"yellow", "#ffe600"}, {"black", "#000000"}};
  }
  std::vector<Ink> inks;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string color(trim_blanks(text.substr(from, comma - from)));
    const palette::Rgb8 bytes = palette::parse_rgb8(color);
    for (const Ink& other : inks) {
      if (palette::parse_rgb8(other.color) == bytes) {
        throw Error(ErrorKind::usage,
                    "two inks have the same color '" + color + "': leave one of them out");
      }
    }
    inks.push_back({color, palette::lab_color(color) ? hex_of(bytes) : color});
    from = comma + 1;
  }
  return inks;
}

Separation separate(const Image& image, const MapOptions& field, const std::vector<Ink>& inks,
                    const std::string& paper, const InkDots& dots, Context& context) {
  if (field.as != MapKind::tone) {
    throw Error(ErrorKind::usage, "several inks work only with `as tone`: leave `as` out");
  }
  if (field.channel != "luminance") {
    throw Error(ErrorKind::usage,
                "several inks need the colors of the picture: leave `channel` "
                "out, or use one ink");
  }
  if (changes_tones(field.prepare)) {
    MapOptions rest = field;
    rest.prepare = {};
    const std::string channel = dithering::Picture::channel_of(image);
    return separate(prepared(image, field.prepare, context, channel), rest, inks, paper, dots,
                    context);
  }
  const int width = image.width();
  const int height = image.height();
  const bool linear = field.tone == Tone::linear;
  if (dots.spacing > most_pixels) {
    const auto side = [&](int pixels) {
      return std::max(1, static_cast<int>(std::lround(pixels * most_pixels / dots.spacing)));
    };
    context.require_memory(12.0 * width * height, "a picture of this size in several inks");
    const dithering::Picture whole(image, false, linear);
    Image small;
    small.encoding = linear ? Encoding::linear : Encoding::srgb;
    small.type = PixelType::f32;
    small.channels = averaged(whole, side(width), side(height), context);
    small.names = small.channels.size() == 1 ? std::vector<std::string>{"Y"}
                                             : std::vector<std::string>{"R", "G", "B"};
    if (const Plane<float>* alpha = whole.alpha()) {
      small.names.emplace_back("A");
      small.channels.push_back(resample(*alpha, side(width), side(height), context));
    }
    Separation made = separate(small, field, inks, paper, {most_pixels, dots.from_afar}, context);
    made.darkness = resample(made.darkness, width, height, context);
    return made;
  }
  context.require_memory(4.0 * (static_cast<double>(inks.size()) + 4) * width * height,
                         "a picture of this size in several inks");
  const palette::Rgb8 sheet = palette::parse_rgb8(paper == "none" ? "white" : paper);
  std::vector<palette::Rgb8> colors{sheet};
  for (const Ink& ink : inks) {
    colors.push_back(palette::parse_rgb8(ink.color));
    if (colors.back() == sheet) {
      throw Error(ErrorKind::usage, "the ink '" + ink.name + "' has the color of the paper");
    }
  }
  std::vector<double> covers(inks.size(), 1);
  for (std::size_t i = 0; dots.from_afar && i < inks.size(); ++i) {
    covers[i] = most_covered(colors[i + 1]);
    colors[i + 1] = on_paper(colors[i + 1], sheet, covers[i]);
  }
  const palette::Mixer mixer(colors, linear ? palette::Space::light : palette::Space::values, true,
                             1, dots.from_afar ? tolerance_from_afar : 1);
  // The mixer sorts the colors.
  std::vector<std::size_t> ink_of(colors.size(), 0);  // counted from 1; 0: paper
  for (std::size_t m = 0; m < colors.size(); ++m) {
    const auto at = std::find(colors.begin(), colors.end(), mixer.colors()[m]);
    ink_of[m] = static_cast<std::size_t>(at - colors.begin());
  }

  Separation made;
  for (std::size_t i = 0; i < inks.size(); ++i) made.parts.emplace_back(width, height);
  // The tone that the inks cover, as a picture for levels, gamma, mask and transparency.
  Image covered;
  covered.names = {"Y"};
  covered.encoding = Encoding::srgb;
  covered.type = PixelType::f32;
  covered.channels.emplace_back(width, height);
  const dithering::Picture picture(image, false, linear);
  const Correction correction =
      dots.from_afar ? Correction(picture, mixer, field.invert, dots.spacing, context)
                     : Correction();
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    dithering::PictureRows rows(picture);
    rows.read(y);
    palette::Mixture mixture;
    for (int x = 0; x < width; ++x) {
      mixture = mixer.mix(correction.added(wanted_at(rows, x, field.invert), x, y), mixture);
      double all = 0;
      for (int k = 0; k < mixture.count; ++k) {
        const palette::Part& part = mixture.parts[static_cast<std::size_t>(k)];
        const std::size_t ink = ink_of[static_cast<std::size_t>(part.color)];
        if (ink == 0) continue;
        const double area = covers[ink - 1] * part.weight;
        made.parts[ink - 1](x, y) = static_cast<float>(area);
        all += area;
      }
      for (Plane<float>& part : made.parts) {
        if (all > 0) part(x, y) = static_cast<float>(static_cast<double>(part(x, y)) / all);
      }
      const auto bare = static_cast<float>(std::clamp(1 - all, 0.0, 1.0));
      covered.channels[0](x, y) = linear ? linear_to_srgb(bare) : bare;
    }
  });
  if (const Plane<float>* alpha = picture.alpha()) {
    covered.names.emplace_back("A");
    covered.channels.push_back(*alpha);
  }
  MapOptions tone = field;
  tone.invert = false;
  made.darkness = target_density(covered, tone, context);
  for (float& d : made.darkness.values()) d = std::min(d, 1.0f);
  if (dots.from_afar) allow_for_overlap(made, context);
  return made;
}

}  // namespace dapple::stippling

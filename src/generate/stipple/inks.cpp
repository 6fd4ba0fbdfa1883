#include "generate/stipple/inks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/plane.hpp"
#include "generate/dither/palette.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::stippling {
namespace {

constexpr std::size_t most_inks = 16;

std::vector<Ink> inks_of_palette(const TextInput& input, const std::string& paper) {
  const palette::Rgb8 sheet = palette::parse_rgb8(paper == "none" ? "white" : paper);
  std::vector<Ink> inks;
  std::vector<std::string> names;
  const std::vector<palette::Rgb8> colors = palette::parse(input, &names);
  names.resize(colors.size());
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const palette::Rgb8& color = colors[i];
    if (color == sheet) continue;
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex = "#";
    for (const std::uint8_t byte : color) {
      hex += digits[byte / 16];
      hex += digits[byte % 16];
    }
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
    parse_color(color);
    for (const Ink& other : inks) {
      if (palette::parse_rgb8(other.color) == palette::parse_rgb8(color)) {
        throw Error(ErrorKind::usage,
                    "two inks have the same color '" + color + "': leave one of them out");
      }
    }
    inks.push_back({color, color});
    from = comma + 1;
  }
  return inks;
}

Separation separate(const Image& image, const MapOptions& field, const std::vector<Ink>& inks,
                    const std::string& paper, Context& context) {
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
    return separate(prepared(image, field.prepare, context, channel), rest, inks, paper, context);
  }
  const int width = image.width();
  const int height = image.height();
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
  const bool linear = field.tone == Tone::linear;
  const palette::Mixer mixer(colors, linear ? palette::Space::light : palette::Space::values);
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
  parallel_for(context, static_cast<std::size_t>(height), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    std::array<std::vector<float>, 3> rgb;
    for (std::size_t c = 0; c < 3; ++c) {
      rgb[c].resize(static_cast<std::size_t>(width));
      picture.read_row(picture.channels() == 3 ? static_cast<int>(c) : 0, y, rgb[c].data());
    }
    palette::Mixture mixture;
    for (int x = 0; x < width; ++x) {
      palette::Rgb wanted{};
      for (std::size_t c = 0; c < 3; ++c) {
        const auto v = static_cast<double>(rgb[c][static_cast<std::size_t>(x)]);
        wanted[c] = field.invert ? 1 - v : v;
      }
      mixture = mixer.mix(wanted, mixture);
      double all = 0;
      for (int k = 0; k < mixture.count; ++k) {
        const palette::Part& part = mixture.parts[static_cast<std::size_t>(k)];
        const std::size_t ink = ink_of[static_cast<std::size_t>(part.color)];
        if (ink == 0) continue;
        made.parts[ink - 1](x, y) = static_cast<float>(part.weight);
        all += part.weight;
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
  return made;
}

}  // namespace dapple::stippling

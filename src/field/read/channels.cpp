#include "field/read/channels.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/color.hpp"
#include "core/text/lower_case.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "field/curve_table.hpp"

namespace dapple {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return lower_case(a) == lower_case(b);
}

int find_channel(const ImageView& image, std::string_view name) {
  const int exact = image.find(name);
  if (exact >= 0) return exact;
  for (std::size_t i = 0; i < image.names().size(); ++i) {
    if (same_word(image.names()[i], name)) return static_cast<int>(i);
  }
  return -1;
}

[[noreturn]] void no_channel(const ImageView& image, const std::string& wanted) {
  std::string names;
  for (const std::string& name : image.names()) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::input, wanted + "; the image has the channels " + names + " (0.." +
                                    std::to_string(image.channels() - 1) +
                                    "); choose one with `channel`");
}

}  // namespace

Channels choose_channels(const ImageView& image, const std::string& wanted) {
  const int count = static_cast<int>(image.channels());
  Channels chosen;
  chosen.alpha = find_channel(image, "A");
  const int colors = count - (chosen.alpha >= 0 ? 1 : 0);
  const int gray = chosen.alpha == 0 ? 1 : 0;  // the only color channel, if there is one

  if (const auto number = parse_number<int>(wanted)) {
    if (*number < 0 || *number >= count) {
      no_channel(image, "channel " + wanted + " does not exist");
    }
    chosen.color = {*number};
  } else if (same_word(wanted, "luminance")) {
    const std::vector<int> rgb{find_channel(image, "R"), find_channel(image, "G"),
                               find_channel(image, "B")};
    if (std::min({rgb[0], rgb[1], rgb[2]}) >= 0) {
      chosen.color = rgb;
    } else if (colors == 1) {
      chosen.color = {gray};
    } else if (colors == 0) {
      chosen.color = {chosen.alpha};
    } else {
      no_channel(image, "the image is neither gray nor RGB, so it has no luminance");
    }
  } else {
    int found = find_channel(image, wanted);
    const bool primary = same_word(wanted, "r") || same_word(wanted, "g") || same_word(wanted, "b");
    if (found < 0 && primary && colors == 1) found = gray;
    if (found < 0) no_channel(image, "channel \"" + wanted + "\" does not exist");
    chosen.color = {found};
  }
  // Alpha that is itself the map does not count a second time.
  if (chosen.color.size() == 1 && chosen.color[0] == chosen.alpha) chosen.alpha = -1;
  return chosen;
}

void read_row(const ImageView& image, const Channels& channels, int y, float* out) {
  const auto value = [](float v) { return is_light(v) ? v : 0.0f; };
  const auto row = [&](std::size_t i, float* room) {
    return image.row(static_cast<std::size_t>(channels.color[i]), y, room);
  };
  const int w = image.width();
  const float* r = row(0, out);
  if (channels.color.size() == 1) {
    std::transform(r, r + w, out, value);
    return;
  }
  std::vector<float> room(image.in_place() ? 0 : 2 * static_cast<std::size_t>(w));
  const float* g = row(1, room.data());
  const float* b = row(2, room.data() + room.size() / 2);
  const bool encoded = image.encoding() == Encoding::srgb;
  for (int x = 0; x < w; ++x) {
    const float red = value(r[x]);
    const float green = value(g[x]);
    const float blue = value(b[x]);
    if (red == green && green == blue) {
      out[x] = red;  // exact: white stays white
    } else if (encoded) {
      out[x] =
          to_srgb()(luminance<float>({to_linear()(red), to_linear()(green), to_linear()(blue)}));
    } else {
      out[x] = luminance<float>({red, green, blue});
    }
  }
}

}  // namespace dapple

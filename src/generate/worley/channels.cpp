// Places a texture's channels in the channels of a file.
#include <algorithm>
#include <array>

#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/worley/outputs.hpp"

namespace dapple {

using namespace cells;

namespace {

constexpr std::array<std::string_view, 4> letters{"R", "G", "B", "A"};

// One entry of a pack, such as R=normal.R or B=0: where it goes, and its output and channel, or a
// constant.
struct Packed {
  std::size_t letter;
  std::string output;
  std::string channel;
  std::optional<float> constant = std::nullopt;
};

[[noreturn]] void refuse(const std::string& entry, const std::string& why) {
  throw Error(ErrorKind::usage, Problem{"pack", "'" + entry + "': " + why});
}

Packed parse_entry(const std::string& entry) {
  const std::size_t equals = entry.find('=');
  const auto letter = std::find(letters.begin(), letters.end(), entry.substr(0, equals));
  if (equals == std::string::npos || letter == letters.end()) {
    refuse(entry, "expected R, G, B or A and an output or a constant, such as R=edge or B=0");
  }
  Packed packed{static_cast<std::size_t>(letter - letters.begin()), entry.substr(equals + 1), {}};
  packed.constant = parse_number<float>(packed.output);
  if (packed.constant) {
    if (!(*packed.constant >= 0 && *packed.constant <= 1)) {
      refuse(entry, "a constant goes from 0 (black) to 1 (white)");
    }
    return packed;
  }
  std::string part;
  if (!parse_sum(packed.output)) {
    const std::size_t point = std::min(packed.output.find('.'), packed.output.size());
    part = packed.output.substr(point);
    packed.output.resize(point);
  }
  std::vector<std::string> channels;
  try {
    channels = parse_output(packed.output).channels;
  } catch (const Error& error) {
    refuse(entry, error.what());
  }
  packed.channel = channels[0];
  if (channels.size() == 1 && !part.empty()) {
    refuse(entry, packed.output + " has only one channel: leave " + part + " out");
  }
  if (channels.size() > 1) {
    packed.channel = packed.output + part;
    if (std::find(channels.begin(), channels.end(), packed.channel) == channels.end()) {
      std::string names;
      for (const std::string& name : channels) names += (names.empty() ? "" : ", ") + name;
      refuse(entry, packed.output + " has the channels " + names + ": name one of them");
    }
  }
  return packed;
}

std::vector<Packed> parse_pack(std::span<const std::string> pack) {
  std::vector<Packed> all;
  for (const std::string& entry : pack) {
    all.push_back(parse_entry(entry));
    const auto same = [&](const Packed& other) { return other.letter == all.back().letter; };
    if (std::count_if(all.begin(), all.end(), same) > 1)
      refuse(entry, "the channel is assigned twice");
  }
  const auto is_constant = [](const Packed& one) { return one.constant.has_value(); };
  if (!all.empty() && std::all_of(all.begin(), all.end(), is_constant)) {
    throw Error(ErrorKind::usage, Problem{"pack", "names no output, only constants"});
  }
  return all;
}

Image in_layer(Image image, const std::string& layer) {
  if (layer.empty()) return image;
  for (std::string& name : image.names) name.insert(0, layer + ".");
  for (std::string& name : image.hints.labels) name.insert(0, layer + ".");
  return image;
}

}  // namespace

namespace cells {

Image out_of_layer(Image image, const std::string& layer) {
  if (layer.empty()) return image;
  for (std::string& name : image.names) name.erase(0, layer.size() + 1);
  for (std::string& name : image.hints.labels) name.erase(0, layer.size() + 1);
  return image;
}

}  // namespace cells

void describe(WorleyChannels& channels, OptionList& list) {
  list.group("Channels");
  list.add("pack", channels.pack,
           "Outputs to write as channels of one picture instead of `outputs`, such as "
           "R=edge,G=id,B=normal.R; or constants from 0 to 1, such as R=occlusion,G=roughness,B=0")
      .metavar("R=NAME|X,...")
      .check([](std::string_view text) {
        parse_pack(items_of(text));
        return std::string();
      });
  list.add("layer", channels.layer,
           "Layer name in front of the channel names (NAME.F1), by which programs group the "
           "channels of an .exr")
      .metavar("NAME")
      .check([](std::string_view text) {
        const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
          return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '_';
        });
        return std::string(plain ? "" : "must be letters, digits and _");
      });
  list.add("bits", channels.bits,
           "Depth of a value; 8 and 16 bits are normalized to the range of values; auto: what the "
           "format supports, half in .tx");
  list.add("ids", channels.ids,
           "How the output id is written in .exr and .tif: as floats or as 32-bit integers");
}

std::vector<std::string> packed_outputs(std::span<const std::string> pack) {
  std::vector<std::string> outputs;
  for (Packed& packed : parse_pack(pack)) {
    if (packed.constant) continue;
    if (std::find(outputs.begin(), outputs.end(), packed.output) == outputs.end()) {
      outputs.push_back(std::move(packed.output));
    }
  }
  return outputs;
}

int packed_channels(std::span<const std::string> pack) {
  std::size_t last = 0;
  for (const Packed& packed : parse_pack(pack)) last = std::max(last, packed.letter);
  // A picture has one channel, three or four.
  return last == 0 ? 1 : last == 3 ? 4 : 3;
}

Image arranged(const Image& texture, const WorleyChannels& channels) {
  check(channels);
  require_planes(texture);
  if (channels.pack.empty()) return in_layer(texture, channels.layer);
  Image image;
  image.encoding = texture.encoding;
  image.type = texture.type;
  image.hints.tileable = texture.hints.tileable;
  image.hints.half_enough = texture.hints.half_enough;
  image.slices = texture.slices;
  image.volume = texture.volume;
  image.channels.assign(static_cast<std::size_t>(packed_channels(channels.pack)),
                        Plane<float>(texture.width(), texture.height()));
  image.names.assign(letters.begin(),
                     letters.begin() + static_cast<std::ptrdiff_t>(image.channels.size()));
  for (const Packed& packed : parse_pack(channels.pack)) {
    if (packed.constant) {
      for (float& v : image.channels[packed.letter].values()) v = *packed.constant;
      image.metadata.emplace_back("dapple:pack." + std::string(letters[packed.letter]),
                                  shortest(*packed.constant));
      continue;
    }
    const int from = texture.find(packed.channel);
    if (from < 0)
      throw Error(ErrorKind::usage,
                  Problem{"pack", "channel " + packed.channel + " does not exist"});
    const auto source = static_cast<std::size_t>(from);
    image.channels[packed.letter] = texture.channels[source];
    if (texture.is_label(source)) image.hints.labels.push_back(image.names[packed.letter]);
    if (!texture.hints.integers.empty()) {
      image.hints.integers.resize(image.channels.size());
      image.hints.integers[packed.letter] = texture.hints.integers[source];
    }
    image.metadata.emplace_back("dapple:pack." + std::string(letters[packed.letter]),
                                packed.channel);
    // Keeps the metadata of packed channels only.
    for (const auto& [key, value] : texture.metadata) {
      if (key == scale_key + packed.channel) image.metadata.emplace_back(key, value);
    }
  }
  return in_layer(std::move(image), channels.layer);
}

}  // namespace dapple

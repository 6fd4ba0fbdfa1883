// Lists the outputs of a cell texture, one row per output, and parses sums of distances.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generate/worley/output_row.hpp"

namespace dapple::cells {

// Scales heights to 0..1.
void lift_heights(Plane<float>& heights, const Extremes& found);
// Writes into the metadata how many pixels heights from 0 to 1 stand for; `unit` as in Texture.
void note_full_height(Image& image, const Extremes& found, const WorleyOptions& options,
                      double unit);

std::span<const Output> output_rows();

// Parses a sum of f1 .. f8 with signs and factors, such as f2-f1 or 2*f1-0.5f3.
std::optional<DistanceSum> parse_sum(std::string_view text);

// Parse names of outputs. Throw Error(usage) for an unknown name.
AskedOutput parse_output(const std::string& text);
std::vector<AskedOutput> parse_outputs(std::span<const std::string> texts);
// The metadata key, before a channel's name, of the range of 0 and full scale in an integer file.
inline const std::string scale_key = "dapple:scale.";
// The metadata key of the length that the whole range of heights stands for.
inline const std::string full_height_key = "dapple:full-height";

// Returns what the outputs need; `outputs` are the parsed options.outputs. Throws Error(usage) for
// options that exclude each other.
OutputNeeds needs_of(std::span<const AskedOutput> outputs, const WorleyOptions& options);
inline OutputNeeds needs_of(const WorleyOptions& options) {
  return needs_of(parse_outputs(options.outputs), options);
}
// Returns the output to which a channel belongs, by the channel's name.
std::string output_of_channel(std::string_view name);
// Returns the span of a channel, by its name.
Span span_of_channel(std::string_view name);
// Returns a texture as it was before arranged() put its channels into a layer.
Image out_of_layer(Image image, const std::string& layer);
// Returns one pixel of value 0 with the channels of the image that take_image() will make.
Image empty_pixel(const WorleyOptions& options);
// Returns the texture's image. Moves planes that a search filled out of the texture.
Image take_image(Texture& texture);

}  // namespace dapple::cells

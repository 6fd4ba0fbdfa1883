// The outputs of a cell texture: one row per output, and sums of distances.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generate/worley/output_row.hpp"

namespace dapple::cells {

// Heights from 0 to 1.
void lift_heights(Plane<float>& heights, const Extremes& found);
// Says in the metadata how many pixels heights from 0 to 1 stand for; `unit` as in Texture.
void note_full_height(Image& image, const Extremes& found, const WorleyOptions& options,
                      double unit);

std::span<const Output> output_rows();

// f1 .. f8 with signs and factors: f2-f1, 2*f1-0.5f3.
std::optional<DistanceSum> parse_sum(std::string_view text);

// Throws Error(usage) for unknown ones.
AskedOutput parse_output(const std::string& text);
std::vector<AskedOutput> parse_outputs(std::span<const std::string> texts);
// In metadata, before the name of a channel: what 0 and full scale of an integer file stand for.
inline const std::string scale_key = "dapple:scale.";
// Likewise, what the whole range of heights stands for.
inline const std::string full_height_key = "dapple:full-height";

// Of all outputs that are asked for, which are those of the options. Throws Error(usage) for what
// does not go together.
OutputNeeds needs_of(std::span<const AskedOutput> outputs, const WorleyOptions& options);
inline OutputNeeds needs_of(const WorleyOptions& options) {
  return needs_of(parse_outputs(options.outputs), options);
}
// The output that a channel is of, by its name.
std::string output_of_channel(std::string_view name);
// The span of a channel by its name.
Span span_of_channel(std::string_view name);
// A texture as it was before arranged() put its channels into a layer.
Image out_of_layer(Image image, const std::string& layer);
// A pixel of the image that take_image() will make, of 0.
Image empty_pixel(const WorleyOptions& options);
// The texture's image; what was searched for is moved out of the texture.
Image take_image(Texture& texture);

}  // namespace dapple::cells

// Worley-style cell textures (Worley 1996) from any point set, exact at any density.
#pragma once

#include "dapple/sample.hpp"

namespace dapple {

enum class Metric { euclidean, manhattan, chebyshev };
std::span<const std::string_view> option_names(Metric);

// One output: a name and its channels. f1 f2 f3 f2-f1 edge (distance to the nearest cell border) in
// pixels; id: index of the nearest site; random: 0..1 from the id; position: the nearest site (x,
// y), pixels; direction: unit vector to it (x, y); normal: of the f1 height field, xyz packed as
// 0..1; height: 1 - f1 / max.
struct WorleyOptions {
  Size size{512, 512};
  PointsInput points;                      // sites as they are, scaled to the size
  ImageInput density;                      // density map for the sampler
  std::vector<std::string> outputs{"f1"};  // --outputs, and --output on the command line
  Metric metric = Metric::euclidean;
  bool wrap = true;
  bool invert_output = false;  // 8 and 16 bit files: white becomes black
  double normal_strength = 1;
};
void describe(WorleyOptions& options, OptionList& list);

// Valid names of outputs.
std::span<const std::string_view> worley_outputs();

// The texture of `sites` at width x height pixels over sites.domain; one image, channels named
// after the outputs (F1, F2, edge, id, position.x ...), raw values: pixels for distances. Exact:
// error <= 1e-4 px in f1..f3 and edge, ties to the lowest index. Never a fixed window: the search
// grows until it is proven complete. Throws Error(input) for no sites or sites outside the domain.
Image worley(const PointSet& sites, int width, int height, const WorleyOptions& options,
             Context& context);

// Sites as the options say: given, or sampled by field.count (256 where neither count nor radius is
// given), by radius or by the density map.
PointSet worley_sites(const WorleyOptions& options, const FieldOptions& field, Context& context);

}  // namespace dapple

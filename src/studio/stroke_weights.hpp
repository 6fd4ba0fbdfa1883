// Turns brush strokes into the `--weight` image: in memory for previews, as a file on export.
#pragma once

#include <string>

#include "studio/brush.hpp"
#include "studio/picture.hpp"
#include "studio/render_request.hpp"

namespace dapple::studio {

// Returns true if the run can use a weight for its photo.
bool takes_strokes(const app::Run& run);

class StrokeWeights {
 public:
  // Returns the layers of a request on top of the run's own weight, valid until the next call.
  // Returns nullptr if the request has no strokes or the run takes none. Throws like read_image()
  // and unbrushed().
  const BrushLayers* layers(const RenderRequest& request, const app::Run& run, const Image* photo,
                            Context& context);
  // Sets the weight of the run, in memory.
  void weigh(const RenderRequest& request, app::Run& run, const Image* photo, Context& context);

 private:
  Brush brush_;
  std::string begun_;  // photo size and weight without strokes
};

// Returns weight and shield as the first two of four bytes per pixel, with no side longer than
// `side`.
Frame frame_of(const BrushLayers& layers, int side);

// Writes the weight to `folder` as PHOTO-weight.png, or with a number if that file has other
// content. Reuses a file with the same bytes. Throws Error(output).
struct WeightFile {
  std::string path;
  bool is_new = false;
};
WeightFile write_weight(const BrushLayers& layers, const std::string& photo,
                        const std::string& folder, const Context& context);
// Returns the first free name for a weight file.
std::string free_weight_name(const std::string& photo, const std::string& folder);

}  // namespace dapple::studio

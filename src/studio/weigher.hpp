// What strokes do to a run: its --weight, in memory while one looks, as a file where it is to last.
#pragma once

#include <string>

#include "studio/brush.hpp"
#include "studio/picture.hpp"
#include "studio/wish.hpp"

namespace dapple::studio {

// Whether the run reads a weight of its photo.
bool takes_strokes(const app::Run& run);

class Weigher {
 public:
  // The layers of a wish with strokes, on the weight that the run has by its options; nullptr where
  // there are none, or the run takes none. They hold until the next call. Throws as read_image()
  // and unbrushed() do.
  const BrushLayers* layers(const Wish& wish, const app::Run& run, const Image* photo,
                            Context& context);
  // Gives the run that weight, in memory.
  void weigh(const Wish& wish, app::Run& run, const Image* photo, Context& context);

 private:
  Brush brush_;
  std::string begun_;  // the photo's size, and its weight without strokes
};

// Weight and shield as the first two of four bytes a pixel, no side longer than that.
Frame frame_of(const BrushLayers& layers, int side);

// A file of it in that folder, beside the photo's other files: PHOTO-weight.png, numbered where
// another is there. One that holds the same already is taken. Throws Error(output).
struct WeightFile {
  std::string path;
  bool is_new = false;
};
WeightFile write_weight(const BrushLayers& layers, const std::string& photo,
                        const std::string& folder, const Context& context);
// The first such name that is free.
std::string free_weight_name(const std::string& photo, const std::string& folder);

}  // namespace dapple::studio

// The picture that a recipe makes, for readers that know nothing of recipes: its size is known at
// once, its rows are made when they are asked for.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/operation.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {

class RecipePicture {
 public:
  // Reads the recipe in `path`. Recipes may be those of strangers: one that names a file is
  // refused, whatever the file is. Throws Error.
  RecipePicture(const std::string& path, int threads);

  int width() const { return shape_.width; }
  int height() const { return shape_.height; }  // of a slice
  int slices() const { return shape_.slices; }
  const std::vector<std::string>& channels() const { return shape_.pixel.names; }
  const std::vector<StoredAs>& types() const { return types_; }
  // As outputs carry it.
  const std::string& recipe() const { return recipe_; }
  bool is_linear() const { return shape_.pixel.encoding != Encoding::srgb; }

  // Pixels x0..x1 of rows y0..y1 of a slice, channels of a pixel beside each other in their types,
  // rows `stride` bytes apart. Throws Error, also of a cancel.
  void read(int slice, int x0, int x1, int y0, int y1, unsigned char* to, std::size_t stride);
  // Ends the work that is under way, and all that is asked for later; from any thread.
  void cancel() noexcept { context_.cancel(); }

 private:
  struct Band {
    int first = 0;
    Image image;
  };
  void make();
  // What holds row `y` of the slices below each other.
  const Band& band_of(int y);
  Image fitted(Image image) const;

  Context context_;
  std::optional<app::Run> run_;
  ImageShape shape_;
  std::vector<StoredAs> types_;
  std::string recipe_;
  bool is_made_ = false;
  ImageRows rows_;         // where it is made by rows
  std::list<Band> bands_;  // the last used first
};

}  // namespace dapple

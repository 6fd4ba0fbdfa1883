// Presents a recipe as a picture, for readers that do not know recipes. The size is known at once;
// rows are made on request.
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
  // Reads the recipe in `path`. Throws Error, also for a recipe that names any file, since recipes
  // may come from strangers.
  RecipePicture(const std::string& path, int threads);

  int width() const { return shape_.width; }
  int height() const { return shape_.height; }  // of a slice
  int slices() const { return shape_.slices; }
  const std::vector<std::string>& channels() const { return shape_.pixel.names; }
  const std::vector<StoredAs>& types() const { return types_; }
  // Returns the recipe in the form that outputs carry.
  const std::string& recipe() const { return recipe_; }
  bool is_linear() const { return shape_.pixel.encoding != Encoding::srgb; }

  // Writes pixels [x0, x1) of rows [y0, y1) of a slice to `to`: channels interleaved, each in its
  // type, rows `stride` bytes apart. Throws Error, also after cancel().
  void read(int slice, int x0, int x1, int y0, int y1, unsigned char* to, std::size_t stride);
  // Ends the current read and all later reads. May be called from any thread.
  void cancel() noexcept { context_.cancel(); }

 private:
  struct Band {
    int first = 0;
    Image image;
  };
  void make();
  // Returns the band that holds row `y`; slices lie below each other.
  const Band& band_of(int y);
  Image fitted(Image image) const;

  Context context_;
  std::optional<app::Run> run_;
  ImageShape shape_;
  std::vector<StoredAs> types_;
  std::string recipe_;
  bool is_made_ = false;
  ImageRows rows_;         // if the picture is made by rows
  std::list<Band> bands_;  // most recently used first
};

}  // namespace dapple

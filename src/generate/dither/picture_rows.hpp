// Reads rows of a picture as wanted colors.
#pragma once

#include "generate/dither/parts.hpp"

namespace dapple::dithering {

// Gray pictures have three equal channels.
class PictureRows {
 public:
  explicit PictureRows(const Picture& picture) : picture_(picture) {
    rows_.resize(static_cast<std::size_t>(picture.channels()),
                 std::vector<float>(static_cast<std::size_t>(picture.width())));
  }
  void read(int y) {
    for (std::size_t c = 0; c < rows_.size(); ++c) {
      picture_.read_row(static_cast<int>(c), y, rows_[c].data());
    }
  }
  std::array<float, 3> at(int x) const {
    const auto i = static_cast<std::size_t>(x);
    if (rows_.size() == 1) return {rows_[0][i], rows_[0][i], rows_[0][i]};
    return {rows_[0][i], rows_[1][i], rows_[2][i]};
  }

 private:
  const Picture& picture_;
  std::vector<std::vector<float>> rows_;
};

}  // namespace dapple::dithering

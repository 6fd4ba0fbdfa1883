// Builds images from the bands of rows of a decoder, in any process. The decoder's answers are
// checked, since a malicious file may control it.
#pragma once

#include <memory>

#include "io/images/module.hpp"

namespace dapple {

// Returns the bytes of a band of this image. Returns 0 if the header is inconsistent, for example
// if a band exceeds working_bytes.
std::size_t band_bytes(const ImageHeader& header);

class BandedImage : public ImageReader {
 public:
  BandedImage(std::unique_ptr<BandReader> bands, ImageHeader header)
      : bands_(std::move(bands)), header_(std::move(header)) {}
  ModuleError count(int& frames) noexcept override { return bands_->count(frames); }
  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    const ModuleError error = bands_->seek(frame, header_);
    header = header_;
    return error;
  }
  ModuleError read(Image& image, const ImageProgress& progress) noexcept override;

 private:
  std::unique_ptr<BandReader> bands_;
  ImageHeader header_;
};

// Opens a file by the image module in this process.
ModuleError open_in_process(int descriptor, const std::string& format, EmbeddedProfile profile,
                            std::unique_ptr<ImageReader>& reader, ImageHeader& header);

}  // namespace dapple

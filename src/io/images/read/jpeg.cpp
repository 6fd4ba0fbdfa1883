// Reads JPEG files by libjpeg, whose error function must not return. Objects with destructors live
// outside the functions that longjmp may leave.
#include "io/images/read/jpeg.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <jerror.h>
#include <jpeglib.h>

#include "io/images/scanlines.hpp"

namespace dapple {
namespace {

constexpr int app1 = JPEG_APP0 + 1;
constexpr int app2 = JPEG_APP0 + 2;  // ICC profiles

// Each scan of a progressive file refines the whole picture, so thousands of small scans take
// minutes. Encoders make about ten scans, and no file needs 100.
constexpr int most_scans = 100;

class JpegReader : public ImageReader {
 public:
  explicit JpegReader(FileStream file) : file_(std::move(file)) {
    jpeg_.err = jpeg_std_error(&errors_);
    errors_.error_exit = on_error;
    errors_.emit_message = on_message;
    jpeg_.client_data = this;
    scans_.progress_monitor = on_progress;
  }
  ~JpegReader() override { jpeg_destroy_decompress(&jpeg_); }

  ModuleError read_header(ImageHeader& header) {
    if (!start()) return {ErrorKind::input, "cannot be read as an image: " + problem_};
    header.width = static_cast<int>(jpeg_.image_width);
    header.height = static_cast<int>(jpeg_.image_height);
    header.channels = jpeg_.num_components;
    header.stored_bytes = 1.0 * jpeg_.image_width * jpeg_.image_height * jpeg_.num_components;
    // libjpeg keeps the coefficients of a picture in several scans, padded to whole blocks.
    const double kept = jpeg_has_multiple_scans(&jpeg_) != 0 ? 2.5 * header.stored_bytes : 0;
    header.working_bytes = kept + 64.0 * header.width * header.channels + (4 << 20);
    jpeg_.mem->max_memory_to_use = static_cast<long>(header.working_bytes);
    header.format = "jpeg";
    take_profile(header.profile);
    if (jpeg_.saw_JFIF_marker && jpeg_.density_unit != 0) {
      header.dots_per_inch = jpeg_.X_density * (jpeg_.density_unit == 2 ? 2.54 : 1);
    }
    take_markers(header);
    return {};
  }

  bool is_plain() const { return plain_; }

  ModuleError read(Image& image, const ImageProgress& progress) noexcept override try {
    if (!progress(0)) return stopped();
    progress_ = &progress;
    if (!start_rows()) {
      return stopped_ ? stopped() : too_many_scans_ ? scans_problem() : damaged_from(0, problem_);
    }
    const auto channels = static_cast<std::size_t>(jpeg_.output_components);
    const auto width = static_cast<int>(jpeg_.output_width);
    const auto height = static_cast<int>(jpeg_.output_height);
    row_.resize(channels * jpeg_.output_width);
    const int look = rows_of_look(row_.size());
    for (int y = 0; y < height; ++y) {
      if (y % look == 0 && !progress(1.0 * y / height)) return stopped();
      if (!read_row()) return damaged_from(y, problem_);
      for (std::size_t c = 0; c < channels; ++c) {
        // Takes memory only after the first row was read.
        if (y == 0) image.channels.push_back(Plane<float>::unset(width, height));
        unpack_row(row_.data() + c, width, static_cast<int>(channels), image.channels[c].row(y));
      }
    }
    for (Plane<float>& plane : image.channels) {
      if (!turn_upright(plane, orientation_, progress)) return stopped();
    }
    image.names = channels == 1   ? std::vector<std::string>{"Y"}
                  : channels == 4 ? std::vector<std::string>{"C", "M", "Y", "K"}
                                  : std::vector<std::string>{"R", "G", "B"};
    image.encoding = Encoding::srgb;
    image.type = PixelType::u8;
    return {};
  } catch (...) {
    return caught_error();
  }

 private:
  static JpegReader& of(j_common_ptr jpeg) { return *static_cast<JpegReader*>(jpeg->client_data); }
  static void on_error(j_common_ptr jpeg) {
    std::array<char, JMSG_LENGTH_MAX> text{};
    jpeg->err->format_message(jpeg, text.data());
    of(jpeg).problem_ = text.data();
    std::longjmp(of(jpeg).back_, 1);
  }
  // libjpeg only warns of an incomplete file, and fills the rest with gray. Warnings about headers
  // and about stray bytes between markers are common and harmless.
  static void on_message(j_common_ptr jpeg, int level) {
    const bool harmless = jpeg->err->msg_code == JWRN_EXTRANEOUS_DATA;
    if (level < 0 && of(jpeg).decoding_ && !harmless) on_error(jpeg);
  }

  static void on_progress(j_common_ptr jpeg) {
    JpegReader& self = of(jpeg);
    self.stopped_ = self.progress_ != nullptr && !(*self.progress_)(0);
    self.too_many_scans_ = self.jpeg_.input_scan_number > most_scans;
    if (self.too_many_scans_ || self.stopped_) std::longjmp(self.back_, 1);
  }
  static ModuleError scans_problem() {
    return {ErrorKind::limit, "has more than " + std::to_string(most_scans) +
                                  " scans, the limit for a JPEG; save it again as a plain JPEG"};
  }

  bool start() {
    if (setjmp(back_) != 0) return false;
    jpeg_create_decompress(&jpeg_);
    jpeg_stdio_src(&jpeg_, file_.get());
    jpeg_save_markers(&jpeg_, app1, 0xffff);
    jpeg_save_markers(&jpeg_, app2, 0xffff);
    jpeg_save_markers(&jpeg_, JPEG_COM, 0xffff);
    jpeg_read_header(&jpeg_, TRUE);
    return true;
  }
  bool start_rows() {
    if (setjmp(back_) != 0) return false;
    jpeg_.out_color_space = jpeg_.num_components == 1   ? JCS_GRAYSCALE
                            : jpeg_.num_components == 4 ? JCS_CMYK
                                                        : JCS_RGB;
    decoding_ = true;
    jpeg_.progress = &scans_;
    jpeg_start_decompress(&jpeg_);
    return true;
  }
  bool read_row() {
    if (setjmp(back_) != 0) return false;
    jpeg_.progress = nullptr;
    JSAMPROW row = row_.data();
    jpeg_read_scanlines(&jpeg_, &row, 1);
    return true;
  }

  void take_profile(ColorProfile& profile) {
    JOCTET* icc = nullptr;
    unsigned size = 0;
    if (jpeg_read_icc_profile(&jpeg_, &icc, &size) == FALSE) return;
    profile.icc.assign(reinterpret_cast<const char*>(icc), size);
    std::free(icc);
  }
  // The module converts inks that have no profile.
  void take_markers(ImageHeader& header) {
    const bool has_profile = !header.profile.icc.empty();
    plain_ = jpeg_.num_components == 1 || jpeg_.num_components == 3 ||
             (jpeg_.num_components == 4 && has_profile);
    for (const jpeg_marker_struct* m = jpeg_.marker_list; m != nullptr; m = m->next) {
      const std::string_view data(reinterpret_cast<const char*>(m->data), m->data_length);
      if (data.find("dapple:") != std::string_view::npos) plain_ = false;
      if (m->marker != app1) continue;
      const ExifFacts exif = exif_facts(data);
      if (exif.orientation > 0) orientation_ = exif.orientation;
      if (header.dots_per_inch == 0) header.dots_per_inch = exif.dots_per_inch;
      if (data.starts_with("http:") && data.find("Orientation") != std::string_view::npos) {
        plain_ = false;
      }
    }
  }

  FileStream file_;
  jpeg_decompress_struct jpeg_{};
  jpeg_progress_mgr scans_{};
  const ImageProgress* progress_ = nullptr;
  bool stopped_ = false;
  bool too_many_scans_ = false;
  jpeg_error_mgr errors_{};
  std::jmp_buf back_{};
  std::string problem_;
  bool plain_ = false;
  bool decoding_ = false;
  int orientation_ = 1;
  std::vector<JSAMPLE> row_;
};

}  // namespace

ExifFacts exif_facts(std::string_view data) {
  constexpr std::string_view start("Exif\0\0", 6);
  if (!data.starts_with(start)) return {};
  const std::string_view tiff = data.substr(start.size());
  const auto number = [&](std::size_t at, std::size_t count) {
    return static_cast<std::size_t>(number_in(tiff, at, count, tiff.starts_with("MM")));
  };
  ExifFacts facts;
  double resolution = 0;
  std::size_t unit = 2;  // inches, unless a tag says centimeters
  const std::size_t directory = number(4, 4);
  const std::size_t entries = number(directory, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12 * i;
    const std::size_t tag = number(entry, 2);
    if (tag == 0x0112) {
      const std::size_t value = number(entry + 8, 2);
      if (facts.orientation == 0 && value >= 1 && value <= 8)
        facts.orientation = static_cast<int>(value);
    } else if (tag == 0x011a) {  // a fraction
      const std::size_t at = number(entry + 8, 4);
      const auto below = static_cast<double>(number(at + 4, 4));
      if (below > 0) resolution = static_cast<double>(number(at, 4)) / below;
    } else if (tag == 0x0128) {
      unit = number(entry + 8, 2);
    }
  }
  if (unit == 2 || unit == 3) facts.dots_per_inch = resolution * (unit == 3 ? 2.54 : 1);
  return facts;
}

ModuleError open_jpeg(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                      ImageHeader& header) {
  FileStream stream = file.stream();
  // out of reach: descriptors run out between two calls
  if (stream == nullptr) return {};
  auto jpeg = std::make_unique<JpegReader>(std::move(stream));
  const ModuleError error = jpeg->read_header(header);
  if (error.text.empty() && jpeg->is_plain()) reader = std::move(jpeg);
  return error;
}

}  // namespace dapple

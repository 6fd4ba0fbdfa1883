// Follows the manual pages pbm(5), pgm(5), ppm(5) and pfm(5) of Netpbm. Reads only the first image
// of a file.
#include "io/images/read/netpbm.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/text/number_text.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {
namespace {

bool is_space(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Splits a file into words between spaces and comments, which go from # to the end of the line.
class Words {
 public:
  Words(const InputFile& file, std::uint64_t at) : file_(file), at_(at) {}
  std::uint64_t at() const { return at_; }

  // Returns the next word, or "" at the end or for a word longer than any number.
  std::string next() {
    while (is_space(peek()) || peek() == '#') skip();
    std::string word;
    while (peek() >= 0 && !is_space(peek()) && peek() != '#' && word.size() < 32) {
      word += static_cast<char>(peek());
      ++at_;
    }
    return word.size() < 32 ? word : "";
  }
  // Returns the next digit of a bitmap; digits need no spaces between them.
  int next_bit() {
    while (is_space(peek()) || peek() == '#') skip();
    const int c = peek();
    ++at_;
    return c;
  }

 private:
  int peek() {
    if (at_ < start_ || at_ >= start_ + window_.size()) {
      window_ = file_.bytes(at_, 16384);
      start_ = at_;
    }
    return window_.empty()
               ? -1
               : static_cast<unsigned char>(window_[static_cast<std::size_t>(at_ - start_)]);
  }
  void skip() {
    const bool comment = peek() == '#';
    while (comment && peek() >= 0 && peek() != '\n') ++at_;
    if (peek() >= 0) ++at_;
  }

  const InputFile& file_;
  std::uint64_t at_;
  std::uint64_t start_ = 0;
  std::string_view window_;
};

template <class T>
bool parse(const std::string& word, T& value) {
  const auto parsed = parse_number<T>(word);
  value = parsed.value_or(T{});
  return parsed.has_value();
}

class NetpbmReader : public ImageReader {
 public:
  NetpbmReader(const InputFile& file, NetpbmHeader header)
      : file_(file), header_(std::move(header)) {}

  ModuleError read(Image& image, const ImageProgress& progress) noexcept override try {
    Words words(file_, header_.start);
    std::vector<float> row(static_cast<std::size_t>(header_.width) *
                           static_cast<std::size_t>(header_.channels()));
    for (int y = 0; y < header_.height; ++y) {
      if (y % 64 == 0 && !progress(1.0 * y / header_.height)) return stopped();
      if (!(header_.is_text() ? read_words(words, row) : read_bytes(y, row))) {
        return damaged_from(y, "there are no more values");
      }
      // Floats are stored from the bottom row up.
      const int to = header_.is_float() ? header_.height - 1 - y : y;
      for (int c = 0; c < header_.channels(); ++c) {
        if (y == 0) image.channels.push_back(Plane<float>::unset(header_.width, header_.height));
        unpack_row(row.data() + c, header_.width, header_.channels(),
                   image.channels[static_cast<std::size_t>(c)].row(to));
      }
    }
    image.names = header_.channels() == 1 ? std::vector<std::string>{"Y"}
                                          : std::vector<std::string>{"R", "G", "B"};
    image.encoding = header_.is_float() ? Encoding::linear : Encoding::srgb;
    image.type = header_.is_float()   ? PixelType::f32
                 : header_.most > 255 ? PixelType::u16
                                      : PixelType::u8;
    return {};
  } catch (...) {
    return caught_error();
  }

 private:
  bool read_words(Words& words, std::vector<float>& row) const {
    for (float& v : row) {
      unsigned value = 0;
      if (header_.kind == '1') {
        const int bit = words.next_bit();
        if (bit != '0' && bit != '1') return false;
        v = bit == '1' ? 0.0f : 1.0f;  // 1 is ink
      } else {
        if (!parse(words.next(), value)) return false;
        v = level(value);
      }
    }
    return true;
  }

  bool read_bytes(int y, std::vector<float>& row) const {
    const std::size_t count = header_.row_bytes();
    const std::string_view bytes =
        file_.bytes(header_.start + static_cast<std::uint64_t>(y) * count, count);
    if (bytes.size() < count) return false;
    const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
    const bool lowest_first = header_.is_float() && header_.most < 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (header_.kind == '4') {
        row[i] = (from[i / 8] >> (7 - i % 8) & 1) != 0 ? 0.0f : 1.0f;
      } else if (header_.is_float()) {
        const auto value = number_in(bytes, 4 * i, 4, !lowest_first);
        row[i] = std::bit_cast<float>(static_cast<std::uint32_t>(value));
      } else if (header_.value_bytes() == 2) {
        row[i] = level(256u * from[2 * i] + from[2 * i + 1]);
      } else {
        row[i] = level(from[i]);
      }
    }
    return true;
  }

  float level(unsigned value) const {
    const auto most = static_cast<float>(header_.most);
    return std::min(static_cast<float>(value), most) / most;
  }

  const InputFile& file_;
  NetpbmHeader header_;
};

}  // namespace

bool is_netpbm(std::string_view start) {
  return start.size() > 2 && start[0] == 'P' && (std::strchr("123456Ff", start[1]) != nullptr) &&
         (is_space(start[2]) || start[2] == '#');
}

NetpbmHeader netpbm_header(const InputFile& file) {
  NetpbmHeader header;
  header.kind = static_cast<char>(file.number(1, 1));
  Words words(file, 2);
  const bool sized = parse(words.next(), header.width) && parse(words.next(), header.height) &&
                     header.width > 0 && header.height > 0;
  if (!sized) header.problem = "its header gives no size";
  if (sized && !header.is_bits()) {
    const bool range = parse(words.next(), header.most) && std::isfinite(header.most) &&
                       (header.is_float() ? header.most != 0
                                          : header.most >= 1 && header.most <= 65535 &&
                                                header.most == std::floor(header.most));
    if (!range) header.problem = "its header gives no range of values";
  }
  header.start = words.at() + 1;  // a single space ends the header
  return header;
}

ModuleError open_netpbm(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                        ImageHeader& header) {
  NetpbmHeader found = netpbm_header(file);
  if (!found.problem.empty()) {
    return {ErrorKind::input, "cannot be read as an image: " + found.problem};
  }
  header.width = found.width;
  header.height = found.height;
  header.channels = found.channels();
  header.stored_bytes = static_cast<double>(found.row_bytes()) * found.height;
  header.format = "pnm";
  reader = std::make_unique<NetpbmReader>(file, std::move(found));
  return {};
}

}  // namespace dapple

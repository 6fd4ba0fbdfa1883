// OpenImageIO makes the header for a file of one row; then the height is corrected. libdeflate
// packs the rows in half the time of zlib's fastest level, and smaller.
#include "io/images/exr_pack.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <libdeflate.h>
#include <optional>
#include <unistd.h>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "io/images/deflate.hpp"
#include "io/images/scanlines.hpp"
#include "io/write_all.hpp"

namespace dapple {
namespace {

constexpr int level = 1;

// Checks the header that OpenImageIO made.
void require(bool holds) {
  // out of reach: another version writes another header
  if (!holds)
    throw Error(ErrorKind::output, "cannot be encoded as exr: its header is not understood");
}

// Visits name, place of the value and size of every attribute. Returns the end of the header.
template <class Visit>
std::size_t each_attribute(const std::string& file, const Visit& visit) {
  std::size_t at = 8;  // magic number and version
  require(at < file.size());
  for (; file[at] != 0; require(at < file.size())) {
    const std::string name = file.c_str() + at;
    const std::size_t size_at =
        at + name.size() + 1 + std::strlen(file.c_str() + at + name.size() + 1) + 1;
    std::uint32_t size = 0;
    require(size_at + sizeof size <= file.size());
    std::memcpy(&size, file.data() + size_at, sizeof size);
    require(size <= file.size() - size_at - sizeof size);
    visit(name, size_at + sizeof size, std::size_t{size});
    at = size_at + sizeof size + size;
  }
  return at + 1;
}

template <class T>
void append_bytes(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Converts to binary16, to nearest, ties to even, without a branch; see half_of().
std::uint16_t half_bits(float value) {
  constexpr std::uint32_t infinity = 0x7f800000, most = 0x47800000, least_normal = 0x38800000;
  constexpr std::uint32_t subnormal = 0x3f000000;  // 1/2: its last bit is worth one subnormal half
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000u;
  const std::uint32_t size = bits ^ sign;
  const std::uint32_t normal = (size + 0xc8000fffu + ((size >> 13) & 1)) >> 13;
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(std::min(size, least_normal)) + 0.5f) -
      subnormal;
  const std::uint32_t large = size > infinity ? 0x7e00u : 0x7c00u;
  const std::uint32_t half = size >= most ? large : size < least_normal ? small : normal;
  return static_cast<std::uint16_t>(half | sign >> 16);
}

void put_row(const Image& image, std::size_t c, StoredAs stored, int y, char* to) {
  const float* from = image.channels[c].row(y);
  const auto width = static_cast<std::size_t>(image.width());
  if (stored == StoredAs::u32) {
    std::memcpy(to, image.hints.integers[c].row(y), 4 * width);
  } else if (stored == StoredAs::f32) {
    std::memcpy(to, from, 4 * width);
  } else {
    thread_local std::vector<std::uint16_t> halves;
    halves.resize(width);
    for (std::size_t x = 0; x < width; ++x) halves[x] = half_bits(from[x]);
    std::memcpy(to, halves.data(), 2 * width);
  }
}

// Writes even bytes first, then odd bytes, each as the difference from the byte before.
void predict(const std::string& raw, std::string& bytes) {
  const std::size_t half = raw.size() / 2;  // values take two bytes or four
  bytes.resize(2 * half);
  // A second buffer: in place, each difference would wait for the one before.
  thread_local std::vector<char> apart;
  apart.resize(2 * half);
  const char* const from = raw.data();
  char* const even = apart.data();
  char* const odd = even + half;
  for (std::size_t i = 0; i < half; ++i) {
    const char first = from[2 * i], second = from[2 * i + 1];
    even[i] = first;
    odd[i] = second;
  }
  char* const to = bytes.data();
  to[0] = even[0];
  for (std::size_t i = 1; i < 2 * half; ++i) {
    to[i] = static_cast<char>(even[i] - even[i - 1] + 128);
  }
}

// Leaves `packed` empty if packing does not make the bytes smaller.
void deflate(const std::string& bytes, std::string& packed) {
  packed.resize(bytes.size() - 1);
  packed.resize(libdeflate_zlib_compress(&compressor_of(level), bytes.data(), bytes.size(),
                                         packed.data(), packed.size()));
}

}  // namespace

bool packs_exr(const Image& image, const ImageEncoding& how) {
  if (how.extension != "exr" || how.parts || how.texture || !how.levels.empty()) return false;
  if (how.premultiply && image.find("A") >= 0) return false;
  for (const auto& [name, text] : how.attributes) {
    if (name == "compression") return text == "zip" || text.starts_with("zip:");
  }
  return false;
}

ExrPacker::ExrPacker(const Image& row, int height, const ImageEncoding& how)
    : names_(row.names),
      chunks_(static_cast<std::size_t>((height + rows_together - 1) / rows_together)) {
  const ModuleError error =
      image_module(how.extension).encode(row, how, header_, [](double) { return true; });
  if (!error.text.empty()) throw Error(error.kind, error.text);
  std::size_t windows = 0;
  const std::size_t end =
      each_attribute(header_, [&](const std::string& name, std::size_t at, std::size_t size) {
        if (name != "dataWindow" && name != "displayWindow") return;
        require(size == 16);
        const std::int32_t last = height - 1;  // the rows begin at 0
        std::memcpy(header_.data() + at + 12, &last, sizeof last);
        ++windows;
      });
  require(windows == 2);
  header_.resize(end);
  read_channels();
  end_ = header_.size() + 8 * chunks_;
}

void ExrPacker::read_channels() {
  each_attribute(header_, [&](const std::string& name, std::size_t at, std::size_t) {
    if (name != "channels") return;
    constexpr std::size_t more = 16;  // type and sampling
    while (header_[at] != 0) {
      const std::string channel = header_.c_str() + at;
      const auto found = std::find(names_.begin(), names_.end(), channel);
      require(found != names_.end());
      order_.push_back(static_cast<std::size_t>(found - names_.begin()));
      at += channel.size() + 1 + more;
    }
  });
  require(order_.size() == names_.size());
}

std::string ExrPacker::begin() const {
  return header_ + std::string(8 * chunks_, '\0');
}

std::string ExrPacker::chunk(const Image& image, int from, int to, int first) const {
  const std::vector<StoredAs> stored = stored_channels(image);
  std::size_t row = 0;
  for (const StoredAs s : stored) row += bytes_of(s) * static_cast<std::size_t>(image.width());
  // Each thread keeps its buffers, since the system clears new memory every time.
  thread_local std::string raw, bytes, packed;
  raw.resize(row * static_cast<std::size_t>(to - from));
  char* at = raw.data();
  for (int y = from; y < to; ++y) {
    for (const std::size_t c : order_) {
      put_row(image, c, stored[c], y, at);
      at += bytes_of(stored[c]) * static_cast<std::size_t>(image.width());
    }
  }
  predict(raw, bytes);
  deflate(bytes, packed);
  const std::string& smaller = packed.empty() ? raw : packed;
  std::string made;
  made.reserve(8 + smaller.size());
  append_bytes(made, static_cast<std::int32_t>(first));
  append_bytes(made, static_cast<std::int32_t>(smaller.size()));
  return made += smaller;
}

std::string ExrPacker::pack(const Image& image, int from, int to, int first, int threads) {
  Context context;  // the caller checks for cancellation between calls
  context.threads = threads;
  const auto count = static_cast<std::size_t>((to - from + rows_together - 1) / rows_together);
  std::vector<std::string> chunks(count);
  parallel_for(context, count, [&](std::size_t i) {
    const int skipped = static_cast<int>(i) * rows_together;
    chunks[i] =
        chunk(image, from + skipped, std::min(to, from + skipped + rows_together), first + skipped);
  });
  std::string bytes;
  for (std::string& made : chunks) {
    places_.push_back(end_ + bytes.size());
    bytes += made;
    made = {};
  }
  end_ += bytes.size();
  return bytes;
}

std::string encode_exr(const Image& image, const ImageEncoding& how, const Context& context) {
  constexpr int band = 64 * ExrPacker::rows_together;
  ExrPacker packer(rows_of(image, 0, 1), image.height(), how);
  std::string bytes = packer.begin();
  for (int y = 0; y < image.height(); y += band) {
    context.check();
    context.progress(1.0 * y / image.height());
    const int end = std::min(y + band, image.height());
    bytes += packer.pack(image, y, end, y, how.threads);
  }
  const std::string table = packer.table();
  return bytes.replace(packer.table_at(), table.size(), table);
}

ModuleError encode_exr_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress) {
  const auto written = [&](std::string_view bytes) {
    const int code = write_all(descriptor, bytes);
    return code == 0 ? ModuleError() : ModuleError{ErrorKind::output, "cannot be written", code};
  };
  const ModuleError cancelled{ErrorKind::cancelled, "cancelled"};
  std::optional<ExrPacker> packer;
  for (int y = 0; y < rows.height; y += rows.step) {
    const int end = std::min(y + rows.step, rows.height);
    const Image strip = rows.rows(y, end);
    if (strip.channels.empty() || !progress(1.0 * y / rows.height)) return cancelled;
    if (!packer) {
      packer.emplace(rows_of(strip, 0, 1), rows.height, how);
      if (const ModuleError error = written(packer->begin()); !error.text.empty()) return error;
    }
    const std::string bytes = packer->pack(strip, 0, end - y, y, how.threads);
    if (const ModuleError error = written(bytes); !error.text.empty()) return error;
  }
  if (::lseek(descriptor, static_cast<off_t>(packer->table_at()), SEEK_SET) < 0) {
    return {ErrorKind::output, "cannot be written", errno};
  }
  return written(packer->table());
}

std::string ExrPacker::table() const {
  std::string bytes;
  for (const std::uint64_t place : places_) append_bytes(bytes, place);
  return bytes;
}

}  // namespace dapple

// Readers of pictures. Our own (PNG, JPEG, Netpbm, PFM) run in this process, where sanitizers see
// them; the header is read for every format; those of others decode in a
// process of their own (docs/reliability.md), and what comes back from there is read here as well.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "fuzz/targets.hpp"
#include "io/images/png_file.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/jpeg.hpp"
#include "io/images/read/netpbm.hpp"
#include "io/images/read/npy_image.hpp"
#include "io/images/read/scanline_bands.hpp"
#include "io/images/read/texture_image.hpp"
#include "io/images/sandbox/decoder_protocol.hpp"

namespace dapple::fuzz {
namespace {

// A file without a name but for /proc.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("image", MFD_CLOEXEC)) {
    const auto size = static_cast<ssize_t>(bytes.size());
    require(::write(descriptor_, bytes.data(), bytes.size()) == size, "a file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void require_sound(const Image& image) {
  require(!image.channels.empty() && image.width() > 0, "an image has pixels");
  require(image.names.size() == image.channels.size(), "channels have names");
  require(image.slices > 0 && image.height() % image.slices == 0, "slices are of one size");
  for (const auto& plane : image.channels) {
    require(plane.width() == image.width() && plane.height() == image.height(),
            "planes are of one size");
  }
}

struct Limited : Context {
  Limited() { limits = small; }
};

void require_bad_file(ErrorKind kind) {
  require(kind == ErrorKind::input || kind == ErrorKind::limit,
          "a bad image is an error of the input");
}

void read_picture(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    require_sound(read_frames(file.path(), Limited()));
  } catch (const Error& error) {
    require_bad_file(error.kind());
  }
}

using Opens = ModuleError (*)(const InputFile&, std::unique_ptr<ImageReader>&, ImageHeader&);

// Reads what a reader of ours opens, and nothing else.
void read_own(std::string_view bytes, Opens opens) {
  const MemoryFile memory(bytes);
  try {
    const InputFile file(memory.path(), Limited());
    std::unique_ptr<ImageReader> reader;
    ImageHeader header;
    const HeaderProbe probe = probe_header(file);
    if (probe.width * probe.height > static_cast<double>(small.max_pixels)) return;
    const ModuleError error = opens(file, reader, header);
    if (!error.text.empty()) return require_bad_file(error.kind);
    if (reader == nullptr) return;
    require(header.width == probe.width && header.height == probe.height,
            "a file holds what its header says");
  } catch (const Error& error) {
    return require_bad_file(error.kind());
  }
  read_picture(bytes);
}

// Each chunk with the checksum that belongs to it: without it libpng would read none.
std::string with_checksums(std::string png) {
  std::size_t at = 8;
  while (at + 12 <= png.size()) {
    const auto length = static_cast<std::size_t>(number_in(png, at, 4, true));
    if (length > png.size() - at - 12) break;
    const auto* start = reinterpret_cast<const Bytef*>(png.data() + at + 4);
    const uLong sum = ::crc32(0, start, static_cast<uInt>(length + 4));
    for (std::size_t i = 0; i < 4; ++i) {
      png[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i) & 255);
    }
    at += 12 + length;
  }
  return png;
}

void read_png(std::string_view bytes) {
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) return;
  read_own(bytes, open_png);
  const std::string right = with_checksums(std::string(bytes));
  if (right != bytes) read_own(right, open_png);
}

void read_jpeg(std::string_view bytes) {
  if (bytes.starts_with("\xff\xd8\xff")) read_own(bytes, open_jpeg);
  exif_facts(bytes);
}

void read_netpbm(std::string_view bytes) {
  if (!is_netpbm(bytes)) return;
  read_own(bytes, open_netpbm);
}

void read_array(std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY")) read_own(bytes, open_npy);
  if (bytes.starts_with("DDS ") || bytes.starts_with("\xabKTX 20")) read_own(bytes, open_texture);
}

// Headers of all formats.
void read_header(std::string_view bytes) {
  const MemoryFile memory(bytes);
  try {
    const InputFile file(memory.path(), Limited());
    const HeaderProbe probe = probe_header(file);
    require(std::isfinite(probe.width) && probe.width >= 0 && std::isfinite(probe.height) &&
                probe.height >= 0 && std::isfinite(probe.channels) && probe.channels >= 1,
            "a header gives a size");
    require(probe.least_bytes >= 0, "a header gives a number of bytes");
    for (const char* format : {"tiff", "gif"}) {
      const int pages = count_pages(file, format, 1000);
      require(pages >= 0 && pages <= 1000, "pages are counted up to a bound");
    }
  } catch (const Error& error) {
    require_bad_file(error.kind());
  }
}

// Pixels of any value.
class SomeBands : public BandReader {
 public:
  explicit SomeBands(std::size_t size) : size_(size) {}
  ModuleError count(int&) noexcept override { return {}; }
  ModuleError seek(int, ImageHeader&) noexcept override { return {}; }
  ModuleError band(int, void* rows) noexcept override {
    std::fill_n(static_cast<unsigned char*>(rows), size_, static_cast<unsigned char>(60));
    return {};
  }

 private:
  std::size_t size_;
};

// What a decoder answers that is in a stranger's hands: an error, a header and pixels.
void take_answer(const std::string& message) {
  ImageHeader header;
  try {
    protocol::Reader reply(message);
    protocol::get_error(reply);
    header = protocol::get_header(reply);
  } catch (const std::runtime_error&) {
    return;  // as documented
  }
  const std::size_t size = band_bytes(header);
  if (size > std::size_t{16} << 20) return;
  // Limits hold the image; of what is stored beside it a decoder can only take its own time.
  for (const double pixels :
       {1.0 * header.width * header.height, 1.0 * header.stored_width * header.stored_height}) {
    if (!(pixels * header.channels <= static_cast<double>(small.max_pixels))) return;
  }
  Image image;
  const auto go_on = [](double) { return true; };
  BandedImage reader(std::make_unique<SomeBands>(size), header);
  if (reader.read(image, go_on).text.empty()) require_sound(image);
}

// The bytes as they are, and as packets of a socket, whose lengths stand before them.
void read_wire(std::string_view bytes) {
  take_answer(std::string(bytes));
  const protocol::Channel channel;
  require(channel.mine >= 0, "a socket");
  int sent = 0;
  for (std::size_t at = 0; at < bytes.size() && sent < 8; ++sent) {
    const std::size_t length = static_cast<unsigned char>(bytes[at]);
    const std::string_view packet = bytes.substr(at + 1, length);
    ::send(channel.theirs, packet.data(), packet.size(), MSG_NOSIGNAL);
    at += 1 + length;
  }
  ::close(channel.theirs);
  std::string message;
  std::vector<int> files;
  int received = 0;
  while (protocol::receive(channel.mine, message, &files) == protocol::Arrival::message) {
    require(++received <= sent, "no more messages come than packets");
    take_answer(message);
  }
  ::close(channel.mine);
}

constexpr std::array<Target, 7> all{{
    {"png", "image", 30, read_png},
    {"jpeg", "image", 30, read_jpeg},
    {"netpbm", "image", 30, read_netpbm},
    {"array", "array", 300, read_array},
    {"header", "image", 30, read_header},
    {"wire", "wire", 300, read_wire},
    {"image", "image", 5, read_picture},
}};

}  // namespace

std::span<const Target> image_targets() {
  return all;
}

}  // namespace dapple::fuzz

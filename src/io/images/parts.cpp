// Joins pages of TIFF and parts of OpenEXR byte by byte.
#include "io/images/parts.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace dapple {
namespace {

static_assert(std::endian::native == std::endian::little);

// Checks files that the encoders of OpenImageIO made.
void require(bool holds, const char* otherwise) {
  // out of reach: another version writes other files
  if (!holds) throw std::out_of_range(otherwise);
}

template <class T>
T get(const std::string& bytes, std::size_t at) {
  T value;
  require(at + sizeof value <= bytes.size(), "the encoder left an incomplete file");
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
  get<T>(bytes, at);  // checks that the value is inside
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

template <class T>
std::string as_bytes(T value) {
  std::string bytes(sizeof value, '\0');
  put(bytes, 0, value);
  return bytes;
}

std::size_t total_size(const std::vector<std::string>& files) {
  std::size_t total = 0;
  for (const std::string& file : files) total += file.size();
  return total;
}

// ---- TIFF ---------------------------------------------------------------------------------------

constexpr std::size_t tiff_header = 8;
constexpr std::size_t tiff_link = 4;  // place in the header of the link to the first directory

constexpr std::size_t entries_of(std::size_t directory) {
  return directory + 2;
}

// Adds `shift` to all file offsets in the directory. Returns the offset of its link to the next
// directory.
std::size_t move_directory(std::string& page, std::size_t directory, std::uint32_t shift) {
  constexpr std::size_t type_sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
  constexpr std::uint16_t strip_offsets = 273, tile_offsets = 324, long_type = 4;
  const auto count = get<std::uint16_t>(page, directory);
  const auto add = [&](std::size_t at) { put(page, at, get<std::uint32_t>(page, at) + shift); };
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = entries_of(directory) + 12 * i;
    const auto tag = get<std::uint16_t>(page, entry);
    const auto type = get<std::uint16_t>(page, entry + 2);
    const auto values = get<std::uint32_t>(page, entry + 4);
    require(type < std::size(type_sizes), "the encoder wrote a tag of unknown type");
    const bool apart = type_sizes[type] * values > 4;
    if (tag == strip_offsets || tag == tile_offsets) {
      require(type == long_type, "the encoder wrote offsets that are not 32-bit numbers");
      const std::size_t first = apart ? get<std::uint32_t>(page, entry + 8) : entry + 8;
      for (std::size_t k = 0; k < values; ++k) add(first + 4 * k);
    }
    if (apart) add(entry + 8);
  }
  return entries_of(directory) + 12 * std::size_t{count};
}

// ---- OpenEXR ------------------------------------------------------------------------------------

constexpr std::size_t exr_header = 8;  // size of magic number and version; attributes follow

// Returns one attribute: name, type, size and value.
std::string attribute(const std::string& name, const std::string& type, const std::string& value) {
  return name + '\0' + type + '\0' + as_bytes(static_cast<std::uint32_t>(value.size())) + value;
}

struct ExrPart {
  std::string header;  // of the part, in a multi-part file
  std::size_t table;   // offset of its chunk table in the single file
  std::size_t chunks;  // number of chunks and table entries
};

// Sorts attributes by name and adds those that only parts have.
ExrPart part_of(const std::string& file) {
  ExrPart part;
  std::size_t at = exr_header;
  std::vector<std::pair<std::string, std::string>> all;
  while (get<char>(file, at) != 0) {
    const std::string name = file.c_str() + at;
    const std::size_t type = at + name.size() + 1;
    const std::size_t size = type + std::strlen(file.c_str() + type) + 1;
    const std::size_t end = size + 4 + get<std::uint32_t>(file, size);
    all.emplace_back(name, file.substr(at, end - at));
    at = end;
  }
  part.table = at + 1;
  part.chunks = (get<std::uint64_t>(file, part.table) - part.table) / sizeof(std::uint64_t);
  const auto chunks = static_cast<std::int32_t>(part.chunks);
  all.emplace_back("chunkCount", attribute("chunkCount", "int", as_bytes(chunks)));
  all.emplace_back("type", attribute("type", "string", "scanlineimage"));
  std::sort(all.begin(), all.end());
  for (const auto& [name, bytes] : all) part.header += bytes;
  part.header += '\0';
  return part;
}

}  // namespace

ModuleError join_tiff_pages(std::vector<std::string> pages, std::string& file) {
  // Each page starts at an even offset, as the format requires for directories.
  // out of reach: takes four gigabytes of pages
  if (total_size(pages) + pages.size() > std::numeric_limits<std::uint32_t>::max()) {
    return {ErrorKind::output,
            "holds at most 4 GB of pages; write .exr, or one file per page with {frame} in its "
            "name"};
  }
  file.clear();
  file.reserve(total_size(pages) + pages.size());
  std::size_t link = tiff_link;
  for (std::string& page : pages) {
    const bool first = file.empty();
    if (!first && file.size() % 2 != 0) file += '\0';
    const std::size_t shift = first ? 0 : file.size() - tiff_header;
    const std::size_t directory = get<std::uint32_t>(page, tiff_link);
    const std::size_t next = move_directory(page, directory, static_cast<std::uint32_t>(shift));
    file.append(page, first ? 0 : tiff_header);
    put(file, link, static_cast<std::uint32_t>(directory + shift));
    link = next + shift;
    page = {};
  }
  return {};
}

ModuleError join_exr_parts(std::vector<std::string> files, std::string& joined) {
  constexpr std::uint32_t multi_part = 0x1000;
  std::vector<ExrPart> parts;
  std::uint32_t version = multi_part;
  std::size_t size = exr_header + 1;
  std::size_t chunks = 0;
  for (const std::string& file : files) {
    parts.push_back(part_of(file));
    version |= get<std::uint32_t>(file, 4);
    size += parts.back().header.size() + file.size() - parts.back().table;
    chunks += parts.back().chunks;
  }
  joined.clear();
  joined.reserve(size + 4 * chunks);
  joined.append(files[0], 0, 4).append(as_bytes(version));
  for (const ExrPart& part : parts) joined += part.header;
  joined += '\0';
  std::size_t entry = joined.size();
  joined.resize(entry + sizeof(std::uint64_t) * chunks);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::string& file = files[i];
    for (std::size_t k = 0; k < parts[i].chunks; ++k, entry += sizeof(std::uint64_t)) {
      // A chunk holds its row, the size of the packed data, and the data.
      const std::size_t from = get<std::uint64_t>(file, parts[i].table + 8 * k);
      const std::size_t length = 8 + std::size_t{get<std::uint32_t>(file, from + 4)};
      require(from + length <= file.size(), "the encoder left a truncated file");
      put(joined, entry, std::uint64_t{joined.size()});
      joined += as_bytes(static_cast<std::int32_t>(i));
      joined.append(file, from, length);
    }
    file = {};
  }
  return {};
}

}  // namespace dapple

// Replaces a function of libtiff. OpenImageIO calls it for a TIFF that takes more than five
// seconds, to save an intermediate state. The bytes of the file would then depend on the time, and
// incomplete files are discarded here anyway. The linker resolves the call to this definition,
// because the module comes before its libraries.
struct tiff;

extern "C" {
__attribute__((visibility("default"))) int TIFFCheckpointDirectory(tiff* file);

int TIFFCheckpointDirectory(tiff* /*file*/) {
  return 1;  // success
}
}

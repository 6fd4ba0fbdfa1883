#include "io/utf8.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "dapple/error.hpp"

namespace dapple {
namespace {

// The first byte of U+EF80 to U+EFFF in UTF-8. The second byte holds one bit of the encoded byte,
// the third holds six.
constexpr std::string_view lead = "\xee";

bool stands_for_byte(std::string_view text) {
  return text.size() >= 3 && text.starts_with(lead) && utf8_length(text) == 3 &&
         (static_cast<unsigned char>(text[1]) & 0xfe) == 0xbe;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Reject overlong forms, surrogates and values above U+10FFFF.
  if (length > 2) {
    const unsigned char second = byte(1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
      return 0;
    }
  }
  return length;
}

std::string_view utf8_of_text(std::string_view bytes, std::string& memory) {
  if (bytes.starts_with("\xef\xbb\xbf")) return bytes.substr(3);
  const bool big_endian = bytes.starts_with("\xfe\xff");
  if (!big_endian && !bytes.starts_with("\xff\xfe")) return bytes;
  const auto unit = [&](std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
    return static_cast<char32_t>(big_endian ? byte(i) << 8 | byte(i + 1)
                                            : byte(i + 1) << 8 | byte(i));
  };
  memory.clear();
  memory.reserve(bytes.size() / 2);
  for (std::size_t i = 2; i < bytes.size(); i += 2) {
    char32_t code = i + 1 < bytes.size() ? unit(i) : 0xd800;
    if (code >= 0xd800 && code < 0xe000) {  // one half of a pair
      const char32_t low = i + 3 < bytes.size() ? unit(i + 2) : 0;
      if (code >= 0xdc00 || low < 0xdc00 || low >= 0xe000) {
        throw Error(ErrorKind::input, "begins as UTF-16, but is damaged at byte " +
                                          std::to_string(i) + "; save it as UTF-8");
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      i += 2;
    }
    const auto put = [&](char32_t bits) { memory += static_cast<char>(bits); };
    if (code < 0x80) {
      put(code);
      continue;
    }
    if (code < 0x800) {
      put(0xc0 | code >> 6);
    } else {
      if (code < 0x10000) {
        put(0xe0 | code >> 12);
      } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
      }
      put(0x80 | (code >> 6 & 0x3f));
    }
    put(0x80 | (code & 0x3f));
  }
  return memory;
}

void require_text(std::string_view bytes, std::string_view expected) {
  using namespace std::string_view_literals;
  constexpr std::size_t looked_at = 4096;
  const bool has_zero = bytes.substr(0, looked_at).find('\0') != std::string_view::npos;
  struct Kind {
    std::string_view bytes;
    std::string_view name;
  };
  constexpr std::array kinds{Kind{"\x89PNG"sv, "a PNG picture"},
                             Kind{"\xff\xd8\xff"sv, "a JPEG picture"},
                             Kind{"GIF8"sv, "a GIF picture"},
                             Kind{"%PDF"sv, "a PDF document"},
                             Kind{"PK\3\4"sv, "a ZIP archive or a document of an office program"},
                             Kind{"\x1f\x8b"sv, "a gzip archive"}};
  const auto* const kind = std::find_if(kinds.begin(), kinds.end(), [bytes](const Kind& known) {
    return bytes.starts_with(known.bytes);
  });
  if (!has_zero && kind == kinds.end()) return;
  const std::string_view name = kind == kinds.end() ? "a binary file" : kind->name;
  throw Error(ErrorKind::input, "is " + std::string(name) + "; expected " + std::string(expected));
}

std::string utf8_of_name(std::string_view name) {
  // Most names are ASCII.
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(name.begin(), name.end(), is_plain)) return std::string(name);
  std::string text;
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    if (length == 0 || stands_for_byte(name)) {
      const auto byte = static_cast<unsigned char>(name.front());
      text += lead;
      text += static_cast<char>(0xbe | (byte >> 6 & 1));
      text += static_cast<char>(0x80 | (byte & 0x3f));
      name.remove_prefix(1);
    } else {
      text += name.substr(0, length);
      name.remove_prefix(length);
    }
  }
  return text;
}

std::string name_of_utf8(std::string_view text) {
  if (text.find(lead) == std::string_view::npos) return std::string(text);
  std::string name;
  while (!text.empty()) {
    const bool is_byte = stands_for_byte(text);
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    name += is_byte ? static_cast<char>(0x80 | (at(1) & 1) << 6 | (at(2) & 0x3f)) : text.front();
    text.remove_prefix(is_byte ? 3 : 1);
  }
  return name;
}

void require_name(const std::string& path) {
  if (path.empty()) throw Error(ErrorKind::usage, "the name of an output is empty");
  if (path.find('\0') != std::string::npos) {
    throw Error(ErrorKind::usage, "the name contains a NUL character: leave it out",
                path.substr(0, path.find('\0')));
  }
  std::error_code failure;
  static_cast<void>(std::filesystem::symlink_status(path, failure));
  if (failure == std::errc::filename_too_long) {
    throw Error(ErrorKind::output,
                "the name is too long for the file system: shorten it to 255 bytes per part", path);
  }
#ifdef _WIN32
  const std::string problem = name_problem(path);
  if (!problem.empty()) throw Error(ErrorKind::output, problem + ": choose another name", path);
#endif
}

}  // namespace dapple

#include "app/escape_text.hpp"

#include <cstdio>

#include "io/utf8.hpp"

namespace dapple::app {
namespace {

std::string escape(char kind, unsigned code, int digits) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text = std::string("\\") + kind;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) text += hex[code >> shift & 15];
  return text;
}

// Returns the code of one character of 1 to 3 bytes; is_hidden() tests no larger codes.
unsigned code_of(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() == 2) return (byte(0) & 0x1fu) << 6 | (byte(1) & 0x3fu);
  if (bytes.size() == 3) {
    return (byte(0) & 0x0fu) << 12 | (byte(1) & 0x3fu) << 6 | (byte(2) & 0x3fu);
  }
  return byte(0);
}

// Returns true for controls (C0, DEL, C1), for marks, embeddings, overrides and isolates of
// direction, and for line and paragraph separators.
bool is_hidden(unsigned code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    const bool ends_line = character == "\n" || text.starts_with("\r\n");
    if (length == 0) {
      out += escape('x', static_cast<unsigned char>(text.front()), 2);
    } else if (length < 4 && character != "\t" && !ends_line && is_hidden(code_of(character))) {
      out += escape('u', code_of(character), 4);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char character : text) {
    if (character == '\n' || character == '\r') {
      out += escape('u', static_cast<unsigned char>(character), 4);
    } else {
      out += character;
    }
  }
  return out;
}

std::string rounded(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

}  // namespace dapple::app

// Converts names and texts to UTF-8. File names become valid UTF-8, which TOML, JSON and XML
// require: a byte outside every valid sequence becomes the character U+EF00 + byte, in the private
// use area. The bytes of such a character in a name are encoded the same way, so every name reads
// back unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dapple {

// Returns the length of the UTF-8 sequence at the front of nonempty `text`, or 0 if it is invalid.
std::size_t utf8_length(std::string_view text);

std::string utf8_of_name(std::string_view name);
std::string name_of_utf8(std::string_view text);

// Returns a text in UTF-8 without a byte order mark. UTF-16 with a mark is converted into `memory`;
// other bytes stay where they are. Throws Error(input) for damaged UTF-16.
std::string_view utf8_of_text(std::string_view bytes, std::string& memory);

// Throws Error(input) for bytes that are no text, and names the kind of file if its first bytes
// tell. `expected` says what the reader reads.
void require_text(std::string_view bytes, std::string_view expected);

// Throws Error(usage) if the name of an output is empty, and Error(output) if the system would not
// store a file under this name: on Windows, that of a device or of a part of another file.
void require_name(const std::string& path);

}  // namespace dapple

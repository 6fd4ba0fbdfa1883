// What an animated PNG holds, read without the program's own code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dapple::test {

inline std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i)
    number = number << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return number;
}

struct Chunk {
  std::string type;
  std::string data;
  std::string whole;
};

inline std::vector<Chunk> chunks_of(const std::string& file) {
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = number_at(file, at);
    chunks.push_back(
        {file.substr(at + 4, 4), file.substr(at + 8, size), file.substr(at, size + 12)});
    at += size + 12;
  }
  return chunks;
}

inline std::uint32_t check_of(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

inline std::string bytes_of(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

// Each frame as the bytes of a still picture, which covers those before it.
inline std::vector<std::string> frames_of(const std::string& file) {
  std::string head = file.substr(0, 8);
  std::vector<std::string> frames;
  for (const Chunk& chunk : chunks_of(file)) {
    if (chunk.type == "fcTL") {
      frames.push_back(head);
    } else if (chunk.type == "fdAT") {
      const std::string data = "IDAT" + chunk.data.substr(4);
      frames.back() +=
          bytes_of(static_cast<std::uint32_t>(data.size() - 4)) + data + bytes_of(check_of(data));
    } else if (chunk.type != "acTL" && chunk.type != "IDAT" && chunk.type != "IEND") {
      head += chunk.whole;
    }
  }
  for (std::string& frame : frames) frame += bytes_of(0) + "IEND" + bytes_of(check_of("IEND"));
  return frames;
}

}  // namespace dapple::test

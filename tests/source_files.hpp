// The files of the repository, as tests read, compare and record them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace dapple::test {

inline const std::filesystem::path root = DAPPLE_SOURCE_FOLDER;

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Returns true if tests record pictures and hashes instead of comparing them (scripts/regenerate).
inline bool is_updating() {
  const char* value = std::getenv("DAPPLE_UPDATE");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace dapple::test

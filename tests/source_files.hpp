// The files of the repository, as tests of its documents read them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace dapple::test {

inline const std::filesystem::path root = DAPPLE_SOURCE_FOLDER;

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace dapple::test

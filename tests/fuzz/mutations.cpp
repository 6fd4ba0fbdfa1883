#include "fuzz/mutations.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace dapple::fuzz {
namespace {

namespace fs = std::filesystem;

std::uint32_t below(Random& random, std::size_t n) {
  return random.below(static_cast<std::uint32_t>(std::max<std::size_t>(n, 1)));
}

void change(std::string& bytes, const std::vector<std::string>& others, Random& random) {
  static const std::string_view pieces[] = {"999999999999999999999",
                                            "-1",
                                            "0",
                                            "1e308",
                                            "1e-320",
                                            "nan",
                                            "inf",
                                            "",
                                            "\n",
                                            "\r",
                                            std::string_view("\0", 1),
                                            "\xff",
                                            "\"",
                                            "{",
                                            "[",
                                            "]",
                                            "}",
                                            "<",
                                            ">",
                                            ",",
                                            ";",
                                            "=",
                                            "#",
                                            "\\",
                                            "\x7f\xff\xff\xff",
                                            std::string_view("\x80\0", 2)};
  // Half of the changes are to the header.
  const std::size_t reach =
      random.below(2) == 0 ? std::min<std::size_t>(bytes.size(), 512) : bytes.size();
  const std::size_t at = below(random, reach + 1);
  const std::size_t length = std::min<std::size_t>(bytes.size() - at, 1 + below(random, 16));
  switch (random.below(7)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random.below(256));
      break;
    case 2:
      bytes.erase(at, length);
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 4:
      bytes.replace(at, random.below(2) * length, pieces[random.below(std::size(pieces))]);
      break;
    case 5:
      bytes.resize(at);
      break;
    default: {
      const std::string& other = others[below(random, others.size())];
      bytes.insert(at, other.substr(below(random, other.size()), 1 + below(random, 64)));
    }
  }
}

}  // namespace

std::map<std::string, std::string> corpus(std::string_view folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(DAPPLE_SOURCE_FOLDER) / "tests/fuzz/corpus" / folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

void mutate(std::string& bytes, const std::vector<std::string>& others, Random& random) {
  for (std::uint32_t n = 1 + random.below(4); n > 0; --n) change(bytes, others, random);
}

}  // namespace dapple::fuzz

// Points from files.
#include "dapple/error.hpp"
#include "dapple/files.hpp"

namespace dapple {

PointSet read_points(const std::string& path, const Limits& limits) {
  const std::string extension = path == "-" ? "" : std::filesystem::path(path).extension().string();
  if (path != "-" && extension.empty()) {
    throw Error(ErrorKind::usage,
                "a point file needs an extension: .csv .tsv .txt .ply .json .npy or .svg", path);
  }
  const std::string bytes = read_file(path, memory_limit(limits));
  try {
    return decode_points(bytes, extension, limits);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path == "-" ? "standard input" : path);
  }
}

}  // namespace dapple

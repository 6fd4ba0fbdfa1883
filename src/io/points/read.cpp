// Reads points from a file and its sidecar.
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "io/points/format.hpp"
#include "io/points/sidecar.hpp"

namespace dapple {
namespace {

// Returns the bytes of the file's sidecar, or nothing if it does not exist.
std::optional<std::string> sidecar_beside(const std::string& path, std::string_view extension,
                                          const Context& context) {
  constexpr std::int64_t most = 1 << 20;  // parsing takes twenty times as much memory
  std::error_code ignored;
  if (path == "-" || !has_sidecar(extension)) return std::nullopt;
  if (!std::filesystem::is_regular_file(sidecar_path(path), ignored)) return std::nullopt;
  return read_file(sidecar_path(path), most, context);
}

Points decode_with_sidecar(const std::string& path, std::string_view extension,
                           std::string_view bytes, Context& context) {
  try {
    const auto text = sidecar_beside(path, extension, context);
    if (!text) return decode_placed(bytes, extension, context.limits, nullptr);
    Sidecar sidecar = decode_sidecar(*text, bytes);
    const Placement* place = sidecar.place ? &*sidecar.place : nullptr;
    Points points = decode_placed(bytes, extension, context.limits, place);
    std::move(sidecar.metadata.begin(), sidecar.metadata.end(),
              std::back_inserter(points.metadata));
    return points;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    Points points = decode_placed(bytes, extension, context.limits, nullptr);
    context.warn(sidecar_path(path) + " " + error.what() + "; the points are read without it");
    return points;
  }
}

}  // namespace

Points read_points(const std::string& path, const Limits& limits) {
  Context context;
  context.limits = limits;
  return read_points(path, context);
}

Points read_points(const std::string& path, Context& context) {
  const std::string extension = path == "-" ? "" : std::filesystem::path(path).extension().string();
  if (path != "-" && extension.empty()) {
    throw Error(ErrorKind::usage,
                "a point file needs an extension: .csv .tsv .txt .ply .json .npy or .svg", path);
  }
  const std::string bytes = read_file(path, memory_limit(context.limits), context);
  try {
    Points points = decode_with_sidecar(path, extension, bytes, context);
    for (const std::string& note : points.notes) context.warn(path + ": " + note);
    return points;
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path == "-" ? "standard input" : path);
  }
}

}  // namespace dapple

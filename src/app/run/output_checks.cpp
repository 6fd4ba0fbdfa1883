// Checks the target paths of a run before it computes anything.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "app/run/outputs.hpp"
#include "dapple/error.hpp"
#include "dapple/point_files.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

void check_target(const std::string& path, Overwrite overwrite) {
  require_name(path);
  const fs::path folder = fs::path(path).parent_path();
  const std::string folder_name = folder.empty() ? "." : folder.string();
  std::error_code ignored;
  std::error_code failure;
  if (!fs::is_directory(folder_name, failure)) {
    const bool known = !failure || failure == std::errc::no_such_file_or_directory;
    throw Error(ErrorKind::output,
                "the folder '" + folder_name + "' " +
                    (known ? "does not exist: make it first"
                           : "cannot be written to: " + failure.message()),
                path);
  }
  if (access(fs::path(folder_name).c_str(), W_OK | X_OK) != 0) {
    const std::string reason = std::generic_category().message(errno);
    throw Error(ErrorKind::output,
                "the folder '" + folder_name + "' cannot be written to: " + reason, path);
  }
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::output, "is a folder: name a file in it", path);
  }
  if (overwrite == Overwrite::never && fs::exists(path, ignored)) {
    throw Error(ErrorKind::output, "already exists, and --overwrite never keeps it", path);
  }
}

}  // namespace

std::vector<std::string> files_of(const PlannedOutput& output) {
  if (output.kind == OutputKind::points && output.path != "-" && has_sidecar(output.extension)) {
    return {output.path, sidecar_path(output.path)};
  }
  if (!has_udim(output.path)) return {output.path};
  std::vector<std::string> files;
  for (int v = 0; v < output.udim.rows; ++v) {
    for (int u = 0; u < output.udim.columns; ++u) files.push_back(udim_name(output.path, u, v));
  }
  return files;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool are_taken(const std::vector<PlannedOutput>& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [](const PlannedOutput& output) {
    const std::vector<std::string> files = files_of(output);
    return std::any_of(files.begin(), files.end(), is_there);
  });
}

void check_targets(const std::vector<PlannedOutput>& outputs, Overwrite overwrite,
                   std::vector<UsedFile> others) {
  for (const PlannedOutput& output : outputs) {
    if (output.path == "-") continue;
    for (const std::string& path : files_of(output)) {
      check_target(path, overwrite);
      others.push_back({path, path == output.path                 ? "an output"
                              : output.kind == OutputKind::points ? "the sidecar of an output"
                                                                  : "a tile of an output"});
    }
  }
  require_own_files(others);
}

}  // namespace dapple::app

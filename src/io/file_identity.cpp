#include "io/file_identity.hpp"

#include <map>
#include <sys/stat.h>
#include <system_error>

#include "dapple/error.hpp"

namespace dapple {

namespace fs = std::filesystem;

fs::path behind_links(fs::path path) {
  std::error_code ignored;
  for (int i = 0; i < 40 && fs::is_symlink(path, ignored); ++i) {
    const fs::path target = fs::read_symlink(path, ignored);
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  return path;
}

namespace {

// Returns the canonical path, or the absolute path if the system cannot tell, as on a store that is
// gone.
fs::path canonical_of(const fs::path& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  if (failed) return path;
  const fs::path canonical = fs::weakly_canonical(absolute, failed);
  return failed || canonical.empty() ? absolute.lexically_normal() : canonical;
}

}  // namespace

std::string file_identity(const std::string& path) {
  if (path.empty() || path == "-") return "";
  fs::path target = path;
#ifndef _WIN32  // whose stat() counts no inodes
  const auto identity = [](const struct stat& status) {
    return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
  };
  // A path through a folder that does not exist yet comes second, without the folder.
  for (int i = 0; i < 2; ++i) {
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) {
      return S_ISREG(status.st_mode) ? identity(status) : std::string();
    }
    target = behind_links(target);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (::stat(folder.c_str(), &status) == 0) {
      return identity(status) + "/" + target.filename().string();
    }
    target = canonical_of(target);
  }
#endif
  return canonical_of(target).string();
}

FileIdentities::Folder FileIdentities::read(const std::string& folder) {
  const fs::path path = folder.empty() ? "." : folder;
  Folder made;
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, failed)) {
    made.names.insert(entry.path().filename().string());
  }
  made.is_listed = !failed || !fs::exists(path, failed);
  // The identity of a file that does not exist begins with that of its folder.
  std::string name = "x";
  while (made.names.contains(name)) name += 'x';
  made.identity = file_identity((path / name).string());
  made.identity.resize(made.identity.size() - name.size());
  return made;
}

std::string FileIdentities::of(const std::string& path) {
  const std::size_t start = path.rfind('/') + 1;
  const std::string_view name = std::string_view(path).substr(start);
  // A system may take `\\` for a separator too.
  const bool is_plain = !name.empty() && name != "-" && name != "." && name != ".." &&
                        name.find('\\') == std::string_view::npos;
  if (!is_plain) return file_identity(path);
  const std::string folder = path.substr(0, start);
  auto found = folders_.find(folder);
  if (found == folders_.end()) found = folders_.emplace(folder, read(folder)).first;
  const Folder& known = found->second;
  const bool is_new = known.is_listed && !known.names.contains(std::string(name));
  return is_new ? known.identity + std::string(name) : file_identity(path);
}

void require_own_files(const std::vector<UsedFile>& files) {
  std::map<std::string, const UsedFile*> known;
  std::vector<Problem> problems;
  for (const UsedFile& file : files) {
    const std::string identity = file_identity(file.path);
    if (identity.empty()) continue;
    const auto [place, is_new] = known.emplace(identity, &file);
    const UsedFile& first = *place->second;
    if (is_new || (!file.is_written && !first.is_written)) continue;
    const std::string other = first.path == file.path ? "" : " ('" + first.path + "')";
    const std::string what = first.use == file.use
                                 ? "is named twice as " + file.use + other
                                 : "is " + file.use + ", but also " + first.use + other;
    problems.push_back({"", what + ": name another file", file.path});
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

}  // namespace dapple

// Reads control groups, see cgroups(7): /proc/self/cgroup names the group of each hierarchy, as a
// path below the mount point. Inside a container the path may be a path of the host; then the
// mounted folder itself is the group.
#include "core/memory_limits.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <malloc.h>

namespace dapple {
namespace {

namespace fs = std::filesystem;

// Returns a limit, or infinity. A group without a limit has "max" or a number beyond any memory.
double limit_in(const fs::path& file) {
  std::ifstream stream(file);
  double bytes = 0;
  return stream >> bytes && bytes > 0 ? bytes : std::numeric_limits<double>::infinity();
}

double limit_above(const fs::path& mounted, fs::path group, const char* name) {
  double least = limit_in(mounted / name);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    least = std::min(least, limit_in(mounted / group / name));
  }
  return least;
}

}  // namespace

double control_group_memory(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  std::ifstream groups(fs::path(root) / "proc/self/cgroup");
  const fs::path mounts = fs::path(root) / "sys/fs/cgroup";
  // Lines look like "0::/user.slice" in version 2 and "4:memory:/docker/1f" in version 1.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string names = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (names == ",,") {
      least = std::min(least, limit_above(mounts, group, "memory.max"));
    } else if (names.find(",memory,") != std::string::npos) {
      least = std::min(least, limit_above(mounts / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

void give_back_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace dapple

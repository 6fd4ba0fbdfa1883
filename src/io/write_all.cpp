#include "io/write_all.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace dapple {

int open_file(const std::filesystem::path& path, int flags) {
  int descriptor = -1;
  if (path.native().find('\0') != std::string::npos) {  // the system would open a shorter name
    errno = EINVAL;
    return descriptor;
  }
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace dapple

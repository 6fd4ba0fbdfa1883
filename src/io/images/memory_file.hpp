// Bytes in memory that look like a file to writers which insist on one.
#pragma once

#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace dapple {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("dapple-image", MFD_CLOEXEC)) {}
  ~MemoryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  bool read(std::string& bytes) const {
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    if (size < 0) return false;
    bytes.resize(static_cast<std::size_t>(size));
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t n =
          ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  }

 private:
  int descriptor_;
};

}  // namespace dapple

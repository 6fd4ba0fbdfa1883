// Opens an image file only once, so that the checked bytes are the decoded bytes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

#include "dapple/forward.hpp"

namespace dapple {

// Returns the number in `count` bytes at an offset, low or high byte first; 0 beyond the end.
std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t count,
                        bool highest_first);

using FileStream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Returns a stream of an open file, from its start, with its own descriptor; null on failure.
inline FileStream stream_of(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  // out of reach: descriptors run out between two calls
  std::FILE* file = copy < 0 ? nullptr : ::fdopen(copy, "rb");
  // out of reach: descriptors run out between two calls
  if (file == nullptr && copy >= 0) ::close(copy);
  // out of reach: descriptors run out between two calls
  if (file != nullptr) std::rewind(file);
  return {file, std::fclose};
}

class InputFile {
 public:
  // "-" is standard input. Standard input and pipes cannot seek, so they are read into memory
  // first. Throws Error(input), and Error(limit) for a pipe of more than 2 GB.
  InputFile(const std::string& path, const Context& context);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& shown() const { return shown_; }  // its name in messages
  int descriptor() const { return descriptor_; }
  std::uint64_t size() const { return size_; }
  FileStream stream() const { return stream_of(descriptor_); }
  // Call this after a read failed. Throws Error(input) if the file can no longer be read, for
  // example on a lost network drive.
  void require_readable() const;

  // Returns the available bytes from an offset on; valid until the next call.
  std::string_view bytes(std::uint64_t at, std::size_t count) const;
  std::uint64_t number(std::uint64_t at, std::size_t count, bool highest_first = false) const {
    return number_in(bytes(at, count), 0, count, highest_first);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void take_in(const std::string& bytes);

  std::string shown_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  mutable std::string window_;  // the last bytes read; start_ is their offset
  mutable std::uint64_t start_ = 0;
};

}  // namespace dapple

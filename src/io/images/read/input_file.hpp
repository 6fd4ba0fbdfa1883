// Opens a file as an image only once, so that the bytes that were checked are those decoded.
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

// Returns the number of `count` bytes at an offset, lowest or highest first; 0 beyond the end.
std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t count,
                        bool highest_first);

using FileStream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// Returns a stream of an open file, from its start, by its own descriptor; null on failure.
inline FileStream stream_of(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  // out of reach: descriptors end between two calls
  std::FILE* file = copy < 0 ? nullptr : ::fdopen(copy, "rb");
  // out of reach: descriptors end between two calls
  if (file == nullptr && copy >= 0) ::close(copy);
  // out of reach: descriptors end between two calls
  if (file != nullptr) std::rewind(file);
  return {file, std::fclose};
}

class InputFile {
 public:
  // "-" is standard input. It and pipes cannot seek, and are read into memory first. Throws
  // Error(input), and Error(limit) for a pipe of more than 2 GB.
  InputFile(const std::string& path, const Context& context);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& shown() const { return shown_; }  // its name in messages
  int descriptor() const { return descriptor_; }
  std::uint64_t size() const { return size_; }
  FileStream stream() const { return stream_of(descriptor_); }
  // Called after reading went wrong. Throws Error(input) if the file cannot be read any more, as
  // when a store of another machine has gone.
  void require_readable() const;

  // Returns bytes from an offset on, as far as there are any; valid until the next call.
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
  mutable std::string window_;  // the bytes that were read last; start_ is their offset
  mutable std::uint64_t start_ = 0;
};

}  // namespace dapple

#include "io/images/read/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/write_all.hpp"

namespace dapple {

std::uint64_t number_in(std::string_view bytes, std::size_t at, std::size_t count,
                        bool highest_first) {
  if (bytes.size() < count || at > bytes.size() - count) return 0;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = highest_first ? i : count - 1 - i;
    value = value * 256 + static_cast<unsigned char>(bytes[at + from]);
  }
  return value;
}

InputFile::InputFile(const std::string& path, const Context& context)
    : shown_(path == "-" ? "standard input" : path) {
  constexpr std::int64_t max_bytes = std::int64_t{1} << 31;
  if (path == "-") {
    take_in(read_file(path, max_bytes, context));
    return;
  }
  struct stat status {};
  if (::stat(std::filesystem::path(path).c_str(), &status) != 0)
    fail(std::generic_category().message(errno));
  if (S_ISDIR(status.st_mode)) fail(std::generic_category().message(EISDIR));
  if (!S_ISREG(status.st_mode)) {
    take_in(read_file(path, max_bytes, context));
    return;
  }
  descriptor_ = open_file(path, O_RDONLY);
  if (descriptor_ < 0) fail(std::generic_category().message(errno));
  const bool known = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  if (!known || status.st_size == 0) {
    ::close(descriptor_);
    fail(known ? "the file is empty" : "it was replaced while it was opened");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void InputFile::fail(const std::string& why) const {
  throw Error(ErrorKind::input, "cannot be read as an image: " + why, shown_);
}

void InputFile::require_readable() const {
  char byte = 0;
  while (::pread(descriptor_, &byte, 1, 0) < 0) {
    if (errno != EINTR) fail(std::generic_category().message(errno));
  }
}

void InputFile::take_in(const std::string& bytes) {
  if (bytes.empty()) fail("the input is empty");
#ifdef __EMSCRIPTEN__
  if (std::FILE* const file = std::tmpfile()) descriptor_ = ::dup(::fileno(file));
#else
  descriptor_ = memfd_create("dapple-input", MFD_CLOEXEC);
#endif
  const int code = descriptor_ < 0 ? errno : write_all(descriptor_, bytes);
  if (code != 0) {
    if (descriptor_ >= 0) ::close(descriptor_);
    fail(std::generic_category().message(code));
  }
  size_ = bytes.size();
}

std::string_view InputFile::bytes(std::uint64_t at, std::size_t count) const {
  constexpr std::size_t ahead = 16384;
  if (at >= size_) return {};
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - at));
  if (at < start_ || at + count > start_ + window_.size()) {
    window_.resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(std::max(count, ahead), size_ - at)));
    start_ = at;
    std::size_t done = 0;
    while (done < window_.size()) {
      const ssize_t n = ::pread(descriptor_, window_.data() + done, window_.size() - done,
                                static_cast<off_t>(at + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      done += static_cast<std::size_t>(n);
    }
    window_.resize(done);
  }
  const std::string_view window = window_;
  const std::uint64_t before = std::min<std::uint64_t>(at - start_, window.size());
  return window.substr(static_cast<std::size_t>(before), count);
}

}  // namespace dapple

#pragma once

#include <filesystem>
#include <string_view>

namespace dapple {

// Calls open() again while a signal interrupts it. Returns the descriptor, or -1 and sets errno.
int open_file(const std::filesystem::path& path, int flags);
// Writes all bytes to an open file. Returns 0 or the error code of the system.
int write_all(int descriptor, std::string_view bytes);
// Adds or replaces a file, which appears whole; replaces a link, not its target. Does not wait for
// the disk, so a machine that stops may leave the file damaged. Returns 0 or the error code.
int replace_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace dapple

#include "app/run/desktop.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <system_error>
#include <unistd.h>

namespace dapple::app {

std::string open_on_desktop(const std::string& path) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
    return "no desktop is available: neither DISPLAY nor WAYLAND_DISPLAY is set";
  }
  // An absolute path is never taken for an option.
  std::error_code failure;
  std::string file = std::filesystem::absolute(path, failure).string();
  if (failure) return "its folder cannot be found: " + failure.message();
  std::string program = "xdg-open";
  const std::array<char*, 3> words{program.data(), file.data(), nullptr};

  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&streams, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, program.c_str(), &streams, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&streams);
  if (error == ENOENT) return "xdg-open is not installed; install xdg-utils";
  if (error != 0) return "xdg-open: " + std::generic_category().message(error);
  return "";
}

}  // namespace dapple::app

// System calls that the headers of emscripten declare and its C library lacks. Each fails as on a
// system without it.
#include <cerrno>
#include <spawn.h>
#include <unistd.h>

extern "C" {

int syncfs(int) {
  errno = ENOSYS;
  return -1;
}
int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                 char* const*, char* const*) {
  return ENOSYS;
}

}  // extern "C"

// A library that nobody asked for: it leaves a file behind when it is loaded.
#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void leave_mark() {
  if (const char* path = std::getenv("HOSTILE_MARK")) {
    if (std::FILE* file = std::fopen(path, "w")) std::fclose(file);
  }
}

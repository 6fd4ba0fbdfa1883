// Opens files in programs of the desktop.
#pragma once

#include <string>

namespace dapple::app {

// Starts the desktop's program for `path` without waiting. Returns an error message, or "".
std::string open_on_desktop(const std::string& path);

}  // namespace dapple::app

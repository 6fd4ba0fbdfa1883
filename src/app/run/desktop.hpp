// Files shown by the programs that a desktop has for them.
#pragma once

#include <string>

namespace dapple::app {

// Starts that program and does not wait for it. Returns why it cannot, or "".
std::string open_on_desktop(const std::string& path);

}  // namespace dapple::app

#include "app/run/desktop.hpp"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// Needs the types of windows.h.
#include <shellapi.h>

namespace dapple::app {

std::string open_on_desktop(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path file = std::filesystem::absolute(path, failure);
  if (failure) return "its folder cannot be found: " + failure.message();
  // Returns more than 32 on success.
  const auto result = reinterpret_cast<std::intptr_t>(
      ShellExecuteW(nullptr, L"open", file.c_str(), nullptr, nullptr, SW_SHOWNORMAL));
  if (result > 32) return "";
  return "Windows knows no program for it (error " + std::to_string(result) + ")";
}

}  // namespace dapple::app

// Reads by OpenImageIO inside the image module, and shares helpers with the writers there.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "io/images/module.hpp"

namespace dapple {

// Returns the first line of an OpenImageIO message, without its newline.
inline std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

// Runs a function and returns exceptions as errors, so that none leaves the module.
template <class Function>
ModuleError guarded(Function&& function) noexcept {
  try {
    return function();
  } catch (...) {
    ModuleError error = caught_error();
    error.text = first_line(std::move(error.text));
    return error;
  }
}

// Opens a file; see ImageModule::open.
ModuleError open_file(int descriptor, const std::string& format, EmbeddedProfile profile,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header);

// Opens a GIF as open_file() does. Its frames are composited (GIF89a, CompuServe 1990), as browsers
// show them.
ModuleError open_gif(int descriptor, std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple

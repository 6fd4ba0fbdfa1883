// Reading by OpenImageIO inside of the image module, and what its writers share with that.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "io/images/module.hpp"

namespace dapple {

// OpenImageIO's messages end in line breaks and may hold several lines: the first says it.
inline std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

// Runs a function so that nothing is thrown across the border.
template <class Function>
ModuleError guarded(Function&& function) noexcept {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::exception& error) {
    return {ErrorKind::input, first_line(error.what())};
  } catch (...) {
    return {ErrorKind::internal, "the image module failed in an unknown way"};
  }
}

// As ImageModule's open.
ModuleError open_file(int descriptor, const std::string& format,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple

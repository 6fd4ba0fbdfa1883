// The entry of an image module of the tests, which defines `test_module`.
#pragma once

#include "dapple/version.hpp"
#include "io/images/module.hpp"

namespace dapple {

extern const ImageModule test_module;

}  // namespace dapple

extern "C" {
__attribute__((visibility("default"))) extern const char dapple_image_mark[];
__attribute__((used)) const char dapple_image_mark[] = DAPPLE_MODULE_MARK;

__attribute__((visibility("default"))) const dapple::ImageModule* dapple_image_module() {
  return &dapple::test_module;
}
}

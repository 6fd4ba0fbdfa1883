// SHA-256 (FIPS 180-4): the hash that `sha256sum` prints, for certificates.
#pragma once

#include <string>
#include <string_view>

namespace dapple::app {

// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace dapple::app

// Computes digests with nettle, which uses the processor's SHA instructions if there are any.
#include "io/digest.hpp"

#include <array>

#include "core/text/hex_text.hpp"

namespace dapple {
namespace {

constexpr std::string_view fnv_name = "fnv1a64:";

}  // namespace

Digest::Digest(std::string_view recorded) : is_fnv_(recorded.starts_with(fnv_name)) {
  sha256_init(&sha256_);
}

void Digest::add(std::string_view bytes) {
  if (!is_fnv_) {
    sha256_update(&sha256_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    return;
  }
  for (const char c : bytes) fnv_ = (fnv_ ^ static_cast<std::uint8_t>(c)) * 0x100000001b3ULL;
}

std::string Digest::text() {
  if (!is_fnv_) {
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> bytes;
    sha256_digest(&sha256_, bytes.size(), bytes.data());
    return "sha256:" + hex_text(bytes);
  }
  std::array<std::uint8_t, 8> bytes;
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<std::uint8_t>(fnv_ >> (56 - 8 * i));
  return std::string(fnv_name) + hex_text(bytes);
}

std::string digest_of(std::string_view bytes, std::string_view recorded) {
  Digest digest(recorded);
  digest.add(bytes);
  return digest.text();
}

std::string sha256(std::string_view bytes) {
  return digest_of(bytes).substr(7);
}

}  // namespace dapple

// Digests of what runs read and write: recipes, manifests, certificates and checkpoints carry them.
#pragma once

#include <cstdint>
#include <nettle/sha2.h>
#include <string>
#include <string_view>

namespace dapple {

// The SHA-256 (FIPS 180-4) of bytes that come in parts, as `sha256:` and 64 hexadecimal digits.
class Digest {
 public:
  // Takes the form of a recorded digest that it is to be compared with: the first files that Dapple
  // made hold `fnv1a64:` and 16 digits (FNV-1a by Fowler, Noll and Vo).
  explicit Digest(std::string_view recorded = {});
  void add(std::string_view bytes);
  std::string text();  // once, at the end

 private:
  bool is_fnv_;
  std::uint64_t fnv_ = 0xcbf29ce484222325ULL;
  sha256_ctx sha256_;
};

// The 64 digits alone, which `sha256sum` prints too.
std::string sha256(std::string_view bytes);

}  // namespace dapple

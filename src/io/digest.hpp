// Computes digests of input and output data for recipes, manifests, certificates and checkpoints.
#pragma once

#include <cstdint>
#include <nettle/sha2.h>
#include <string>
#include <string_view>

namespace dapple {

// Computes the SHA-256 (FIPS 180-4) of bytes in parts, as `sha256:` and 64 hexadecimal digits.
class Digest {
 public:
  // Uses the form of `recorded`, the digest to compare with. Early files of Dapple hold `fnv1a64:`
  // and 16 digits (FNV-1a by Fowler, Noll and Vo).
  explicit Digest(std::string_view recorded = {});
  void add(std::string_view bytes);
  std::string text();  // call once, at the end

 private:
  bool is_fnv_;
  std::uint64_t fnv_ = 0xcbf29ce484222325ULL;
  sha256_ctx sha256_;
};

// Returns the digest of all bytes at once.
std::string digest_of(std::string_view bytes, std::string_view recorded = {});

// Returns only the 64 digits, as `sha256sum` prints them.
std::string sha256(std::string_view bytes);

}  // namespace dapple

// Generates counter-based random numbers. A value is a hash of its place of use, not the next value
// of a shared engine. Threads and the order of work therefore cannot change it.
//
// The mixer is the finalizer of SplitMix64 (Steele, Lea, Flood 2014), variant 13 of Stafford
// (2011).
#pragma once

#include <cstdint>
#include <string_view>

namespace dapple {

// A number for every purpose that draws random numbers, so that two stages never share a stream.
enum class Stream : std::uint64_t {
  darts = 1,
  fill,
  count,
  bridson,
  simple_samplers,
  mask,
  worley,
  stipple,
  dither,
  tests,
  dense = 30,
  progressive,
  sequences = 40,
  dart_throwing,
  scatter,
  wang,
  volume,
  surface,
  relax = 50,
};

constexpr std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Returns the stream of a generator that is not in the list, by its name.
constexpr Stream stream_of(std::string_view name) {
  std::uint64_t key = 0;
  for (const char letter : name) key = mix(key + static_cast<unsigned char>(letter));
  return static_cast<Stream>(key);
}

constexpr std::uint64_t hash(std::uint64_t key, std::uint64_t counter) {
  return mix(key + (counter + 1) * 0x9e3779b97f4a7c15ULL);
}

// Returns a uniform number in [0, 1), a multiple of 2^-53.
constexpr double to_unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// A stream of numbers keyed by (seed, purpose, place). Copying it copies its position.
class Random {
 public:
  constexpr Random(std::uint64_t seed, Stream stream, std::uint64_t place = 0)
      : key_(hash(hash(mix(seed), static_cast<std::uint64_t>(stream)), place)) {}

  constexpr std::uint64_t bits() { return hash(key_, counter_++); }
  constexpr double uniform() { return to_unit(bits()); }
  // Returns a uniform number in 0 .. n-1 for 0 < n <= 2^32. The bias is below n / 2^64.
  constexpr std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((bits() >> 32) * n) >> 32);
  }
  // Returns the i-th value of the stream, whatever was drawn before.
  constexpr std::uint64_t at(std::uint64_t i) const { return hash(key_, i); }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace dapple

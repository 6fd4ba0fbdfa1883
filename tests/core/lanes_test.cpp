// Vectors of numbers, against the plain operations lane by lane, for every set of instructions that
// this processor can run.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/lanes_test.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/lanes.hpp"
#include "simd_targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Floats = Lanes<float, 8>;
using Integers = Lanes<std::int32_t, 8>;
constexpr std::size_t count = Floats::count;

template <class T, std::size_t most>
std::vector<T> values_of(Lanes<T, most> lanes) {
  std::vector<T> values(Lanes<T, most>::count);
  lanes.store(values.data());
  return values;
}

// Compares each lane with what `plain` makes of the places of the lane.
template <class T, std::size_t most, class Plain>
void expect_lanes(const char* what, Lanes<T, most> lanes, const Plain& plain) {
  const std::vector<T> values = values_of(lanes);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], plain(i)) << what << " " << i;
}

void arithmetic() {
  const float a[8] = {1, -2, 3.5f, 0, 1e30f, -7, 0.1f, 9};
  const float b[8] = {3, 5, -0.25f, 2, 1e30f, 0.3f, 0.2f, -9};
  const Floats u = Floats::load(a), v = Floats::load(b);
  expect_lanes("sum", u + v, [&](std::size_t i) { return a[i] + b[i]; });
  expect_lanes("difference", u - v, [&](std::size_t i) { return a[i] - b[i]; });
  expect_lanes("product", u * v, [&](std::size_t i) { return a[i] * b[i]; });
  expect_lanes("quotient", u / v, [&](std::size_t i) { return a[i] / b[i]; });
  expect_lanes("of a number", 2 * u, [&](std::size_t i) { return 2 * a[i]; });
  expect_lanes("min", min(u, v), [&](std::size_t i) { return std::min(a[i], b[i]); });
  expect_lanes("max", max(u, v), [&](std::size_t i) { return std::max(a[i], b[i]); });
  expect_lanes("root", sqrt(abs(u)), [&](std::size_t i) { return std::sqrt(std::abs(a[i])); });
  expect_lanes("sign", copy_sign(u, v), [&](std::size_t i) { return std::copysign(a[i], b[i]); });
  expect_lanes("beyond", beyond(u, 2),
               [&](std::size_t i) { return std::max(std::abs(a[i]) - 2, 0.0f); });
  expect_lanes("truncated", convert<Integers>(min(u, 100)),
               [&](std::size_t i) { return static_cast<std::int32_t>(std::min(a[i], 100.0f)); });
  expect_lanes("count", Integers::count_from(5),
               [](std::size_t i) { return static_cast<std::int32_t>(5 + i); });
  expect_lanes("same bits", as<Floats>(as<Integers>(u)), [&](std::size_t i) { return a[i]; });
  const Integers places = Integers::count_from(0) ^ 1;
  if constexpr (count > 1) {
    expect_lanes("gathered", Floats::gather(a, places), [&](std::size_t i) { return a[i ^ 1]; });
    expect_lanes("looked up", look_up(u, places), [&](std::size_t i) { return a[i ^ 1]; });
  }
  float least = a[0], greatest = a[0];
  for (std::size_t i = 1; i < count; ++i) {
    least = std::min(least, a[i]);
    greatest = std::max(greatest, a[i]);
  }
  EXPECT_EQ(first_of(u), a[0]);
  EXPECT_EQ(least_of(u), least);
  EXPECT_EQ(greatest_of(u), greatest);
}

void masks() {
  const Integers at = Integers::count_from(0);
  EXPECT_EQ(bits_of(at == 0), 1u);
  EXPECT_EQ(bits_of(at > -1), (1u << count) - 1);
  EXPECT_EQ(bits_of((at > 0) & (at < 3)), 0b110u & ((1u << count) - 1));
  EXPECT_EQ(bits_of((at < 1) | (at == 1)), 0b11u & ((1u << count) - 1));
  EXPECT_TRUE(all(at != -1));
  EXPECT_FALSE(any(at == -1));
  EXPECT_TRUE(any(at == 0));
  for (std::size_t n = 0; n <= count; ++n) EXPECT_EQ(bits_of(Integers::first(n)), (1u << n) - 1);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(any(Floats(nan) < Floats(1)) || any(Floats(nan) <= Floats(1)) ||
               any(Floats(nan) >= Floats(1)));
  expect_lanes("selected", select(at == 0, Floats(1), Floats(2)),
               [](std::size_t i) { return i == 0 ? 1.0f : 2.0f; });
  expect_lanes("kept", keep(at == 0, Floats(3)), [](std::size_t i) { return i == 0 ? 3.0f : 0; });
}

void bits() {
  using Words = Lanes<std::uint16_t, 8>;
  const Words high = 0xfff0, low = 0x20;
  expect_lanes("saturated sum", saturated_sum(high, low), [](std::size_t) { return 0xffff; });
  expect_lanes("saturated difference", saturated_difference(low, high),
               [](std::size_t) { return 0; });
  expect_lanes("high half", high_product(high, low),
               [](std::size_t) { return 0xfff0 * 0x20 >> 16; });
  expect_lanes("left", shift_left<3>(Integers(5)), [](std::size_t) { return 40; });
  expect_lanes("right", shift_right<1>(Integers(5)), [](std::size_t) { return 2; });
  expect_lanes("by lanes", Integers(1) << Integers::count_from(0),
               [](std::size_t i) { return 1 << i; });
}

// As many lanes as there can be, each in turn the one that is sought.
void widest() {
  using Words = Lanes<std::uint16_t, 32>;
  for (std::size_t i = 0; i < Words::count; ++i) {
    std::vector<std::uint16_t> numbers(Words::count, 60000);
    numbers[i] = 50000;
    const Words words = Words::load(numbers.data());
    EXPECT_EQ(least_of(words), 50000);
    EXPECT_EQ(bits_of(words == Words(std::uint16_t{50000})), std::uint32_t{1} << i);
  }
}

// Bytes, whose sum is wider than they are.
void bytes() {
  using Bytes = Lanes<std::uint8_t, 64>;
  std::vector<std::uint8_t> numbers(3 * Bytes::count);
  std::iota(numbers.begin(), numbers.end(), std::uint8_t{200});
  ByteSums<64> sums;
  for (std::size_t i = 0; i < numbers.size(); i += Bytes::count) {
    sums.add(Bytes::load(numbers.data() + i));
  }
  EXPECT_EQ(sums.total(), std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0}));
  const Bytes some = Bytes::load(numbers.data());
  expect_lanes("bits set", bits_set(some),
               [](std::size_t i) { return std::uint8_t(std::popcount(std::uint8_t(200 + i))); });
}

// Numbers of twice the width, in groups of three and rounded towards 0.
void doubles() {
  using Doubles = Lanes<double, 8>;
  std::vector<double> numbers(3 * Doubles::count);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) - 4.75;
  const auto threes = Doubles::load_threes(numbers.data());
  for (std::size_t part = 0; part < 3; ++part) {
    expect_lanes("of threes", threes[part], [&](std::size_t i) { return numbers[3 * i + part]; });
    expect_lanes("whole", convert<Lanes<std::int32_t, Doubles::count>>(threes[part]),
                 [&](std::size_t i) { return static_cast<std::int32_t>(numbers[3 * i + part]); });
  }
}

// Vectors over all of some numbers, fewer than a vector has or with some left over.
void all_numbers() {
  for (const std::ptrdiff_t n : {0, 1, 7, 16, 23}) {
    std::vector<float> numbers(static_cast<std::size_t>(n), 1);
    std::vector<float> twice(numbers.size());
    each_vector<float, 16>(n, [&](auto vector, std::ptrdiff_t i) {
      const auto at = decltype(vector)::load(numbers.data() + i);
      (at + at).store(twice.data() + i);
    });
    EXPECT_EQ(twice, std::vector<float>(numbers.size(), 2));
  }
}

// Every pattern of kept lanes, packed.
void packing() {
  const Integers at = Integers::count_from(10);
  for (std::uint32_t kept = 0; kept < 1u << count; ++kept) {
    std::vector<std::int32_t> packed(count, -1);
    const std::size_t n = store_kept(at, kept, packed.data());
    std::vector<std::int32_t> wanted;
    for (std::size_t i = 0; i < count; ++i) {
      if ((kept >> i & 1) != 0) wanted.push_back(static_cast<std::int32_t>(10 + i));
    }
    packed.resize(n);
    EXPECT_EQ(packed, wanted);
  }
}

// Of as many as there are.
void packing_of_many() {
  using Many = Lanes<float, 16>;
  const Many at = Many::count_from(10);
  for (std::uint32_t kept = 0; kept<1u << Many::count; kept += Many::count> 8 ? 321 : 1) {
    std::vector<float> packed(Many::count, -1), wanted;
    packed.resize(store_kept(at, kept, packed.data()));
    for (std::size_t i = 0; i < Many::count; ++i) {
      if ((kept >> i & 1) != 0) wanted.push_back(static_cast<float>(10 + i));
    }
    EXPECT_EQ(packed, wanted);
  }
}

// Bits of each multiple of 3 among 1000 numbers, of a range that ends within a word.
void words() {
  std::vector<std::int32_t> numbers(1000 + 64);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i % 3 == 0 ? 1 : 0;
  std::size_t seen = 0;
  each_word<count>(
      1, 1000, [&](std::size_t i) { return Integers::load(numbers.data() + i) == 1; },
      [&](std::size_t from, std::uint64_t word) {
        for (std::size_t i = 0; i < 64; ++i) {
          const bool wanted = from + i < 1000 && (from + i) % 3 == 0;
          EXPECT_EQ((word >> i & 1) != 0, wanted) << from + i;
          seen += word >> i & 1;
        }
      });
  EXPECT_EQ(seen, 333u);
}

void everything() {
  arithmetic();
  masks();
  bits();
  widest();
  bytes();
  doubles();
  all_numbers();
  packing();
  packing_of_many();
  words();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(everything);

TEST(Lanes, AreThePlainNumbersForEverySetOfInstructions) {
  int targets = 0;
  for_each_simd_target([&](const char* target) {
    SCOPED_TRACE(target);
    HWY_DYNAMIC_DISPATCH(everything)();
    ++targets;
  });
  EXPECT_GE(targets, 1);
}

}  // namespace
}  // namespace dapple
#endif

#include "core/radix_sort.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace dapple {
namespace {

struct Thing {
  std::uint64_t key;
  int number;
  bool operator==(const Thing&) const = default;
};

template <class KeyOf>
void expect_sorted(int count, const KeyOf& key_of) {
  std::vector<Thing> things;
  for (int i = 0; i < count; ++i) things.push_back({key_of(static_cast<std::uint64_t>(i)), i});
  std::vector<Thing> expected = things;
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Thing& a, const Thing& b) { return a.key < b.key; });
  sort_by_hash(things, [](const Thing& thing) { return thing.key; });
  EXPECT_EQ(things, expected) << count;
}

TEST(SortHashes, AreInOrderAndOneKeyKeepsItsOwn) {
  for (const int count : {0, 1, 2, 4095, 4096, 30000}) {
    expect_sorted(count, [](std::uint64_t i) { return mix(i); });
    expect_sorted(count, [](std::uint64_t i) { return mix(i % 1000); });
  }
}

TEST(SortHashes, MayBeAnyKeys) {
  expect_sorted(20000, [](std::uint64_t) { return ~std::uint64_t{0}; });
  expect_sorted(20000, [](std::uint64_t i) { return mix(i) >> 40; });  // high bits are all equal
  expect_sorted(20000, [](std::uint64_t i) { return 20000 - i; });
  expect_sorted(20000, [](std::uint64_t i) { return (i % 7) << 61 | (i % 3); });
}

}  // namespace
}  // namespace dapple

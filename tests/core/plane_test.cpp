// Planes and the memory they lie in.
#include "dapple/plane.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace dapple {
namespace {

TEST(Plane, HoldsTheValueItIsGiven) {
  // Below and above the size from which pages are large; the second takes memory that was in use.
  for (const int side : {3, 700, 1500, 1500}) {
    Plane<float> plane(side, side);
    const auto all = [&](float value) {
      return std::count(plane.values().begin(), plane.values().end(), value) ==
             static_cast<std::ptrdiff_t>(side) * side;
    };
    EXPECT_TRUE(all(0)) << side;
    plane = Plane<float>(side, side, 7);
    EXPECT_TRUE(all(7)) << side;
  }
}

TEST(Plane, CopiesAndUnsetOnesHaveValuesOfTheirOwn) {
  auto plane = Plane<std::int32_t>::unset(1300, 900);
  ASSERT_EQ(plane.size(), 1300U * 900U);
  EXPECT_EQ(plane.width(), 1300);
  for (std::size_t i = 0; i < plane.size(); ++i) plane.values()[i] = static_cast<std::int32_t>(i);
  Plane<std::int32_t> copy = plane;
  EXPECT_EQ(copy, plane);
  copy(1299, 899) = -1;
  EXPECT_NE(copy, plane);
  EXPECT_EQ(plane(1299, 899), 1300 * 900 - 1);
  const Plane<std::int32_t> moved = std::move(copy);
  EXPECT_EQ(moved(1, 2), 2601);
}

}  // namespace
}  // namespace dapple

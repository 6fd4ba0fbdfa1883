// Planes and the memory they lie in.
#include "dapple/plane.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

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

// Else the system clears their memory again.
TEST(Plane, LargeOnesTakeWhatThoseOfTheirSizeLeft) {
  const auto address = [](const Plane<float>& plane) { return plane.row(0); };
  constexpr int width = 2048, height = 1024;  // 8 MiB
  const float* left = nullptr;
  {
    const auto first = Plane<float>::unset(width, height);
    left = address(first);
    EXPECT_NE(address(Plane<float>::unset(width, height)), left);  // one that is there still
  }
  std::vector<Plane<float>> planes;
  bool found = false;
  for (int i = 0; i < 2; ++i) {
    planes.push_back(Plane<float>::unset(width, height));
    found = found || address(planes.back()) == left;
  }
  EXPECT_TRUE(found);
  // What is set to a value is so, whatever was there before.
  planes.back()(7, 9) = 3;
  planes.clear();
  for (const float value : Plane<float>(width, height).values()) ASSERT_EQ(value, 0);
}

TEST(Plane, ThreadsShareWhatIsLeft) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong, t] {
      for (int i = 0; i < 20; ++i) {
        const Plane<std::int32_t> plane(1024, 1024 + 512 * (i % 2), t);
        const auto values = plane.values();
        if (values.front() != t || values.back() != t) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace dapple

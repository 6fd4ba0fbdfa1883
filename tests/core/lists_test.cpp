#include "core/lists.hpp"

#include <gtest/gtest.h>

namespace dapple {
namespace {

std::vector<int> values_of(const Lists<int>& lists, std::size_t i) {
  const auto of = lists.of(i);
  return {of.begin(), of.end()};
}

TEST(ListsOfValues, KeepTheOrderOfEachList) {
  const Lists<int> lists(3, [](const auto& add) {
    add(2, 7);
    add(0, 5);
    add(2, 6);
  });
  ASSERT_EQ(lists.size(), 3u);
  EXPECT_EQ(values_of(lists, 0), std::vector<int>{5});
  EXPECT_TRUE(lists.of(1).empty());
  EXPECT_EQ(values_of(lists, 2), (std::vector<int>{7, 6}));
  EXPECT_EQ(lists.start(2), 1u);
  EXPECT_EQ(lists.total(), 3u);
}

TEST(ListsOfValues, GrowListByList) {
  Lists<int> lists;
  EXPECT_EQ(lists.size(), 0u);
  lists.add(1);
  lists.end_list();
  lists.end_list();
  lists.add(std::vector{2, 3, 4}, std::vector{1, 2});
  ASSERT_EQ(lists.size(), 4u);
  EXPECT_EQ(values_of(lists, 0), std::vector<int>{1});
  EXPECT_TRUE(lists.of(1).empty());
  EXPECT_EQ(values_of(lists, 2), std::vector<int>{2});
  EXPECT_EQ(values_of(lists, 3), (std::vector<int>{3, 4}));
}

}  // namespace
}  // namespace dapple

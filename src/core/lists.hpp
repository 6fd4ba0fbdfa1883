// Keeps lists of values in one vector, one list after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "core/parallel.hpp"

namespace dapple {

template <class T, class Offset = std::size_t>
class Lists {
 public:
  Lists() = default;
  // Makes `count` lists. visit(add) calls add(list, value) for each value. It runs twice, first to
  // count the values. A list keeps the order of its values.
  template <class Visit>
  Lists(std::size_t count, const Visit& visit) : start_(count + 1) {
    visit([&](std::size_t list, const T&) { ++start_[list + 1]; });
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    all_.resize(start_.back());
    std::vector<Offset> next(start_.begin(), start_.end() - 1);
    visit([&](std::size_t list, const T& value) { all_[next[list]++] = value; });
  }

  // Appends a value to the list that end_list() ends.
  void add(const T& value) { all_.push_back(value); }
  void end_list() { start_.push_back(static_cast<Offset>(all_.size())); }
  // Appends lists that lie in `values` one after the other.
  template <class Lengths>
  void add(const std::vector<T>& values, const Lengths& lengths) {
    all_.insert(all_.end(), values.begin(), values.end());
    for (const auto length : lengths) start_.push_back(start_.back() + static_cast<Offset>(length));
  }
  void reserve(std::size_t count, std::size_t values) {
    start_.reserve(count + 1);
    all_.reserve(values);
  }

  std::size_t size() const { return start_.size() - 1; }
  std::size_t total() const { return all_.size(); }
  // Returns the number of values before those of list i.
  std::size_t start(std::size_t i) const { return start_[i]; }
  std::span<const T> of(std::size_t i) const { return {all_.data() + start_[i], length(i)}; }
  std::span<T> of(std::size_t i) { return {all_.data() + start_[i], length(i)}; }

 private:
  std::size_t length(std::size_t i) const { return start_[i + 1] - start_[i]; }

  std::vector<Offset> start_{0};
  std::vector<T> all_;
};

// Makes `count` lists on threads. make(i, values) appends the values of list i. Each group of lists
// has a copy of `make`, which may hold buffers.
template <class T, class Make>
Lists<T> make_lists(Context& context, std::size_t count, const Make& make) {
  constexpr std::size_t group_size = 1024;
  struct Group {
    std::vector<T> values;
    std::vector<std::size_t> lengths;
  };
  std::vector<Group> groups((count + group_size - 1) / group_size);
  parallel_for(context, groups.size(), [&](std::size_t g) {
    Group& group = groups[g];
    Make own = make;
    for (std::size_t i = g * group_size; i < std::min(count, (g + 1) * group_size); ++i) {
      const std::size_t before = group.values.size();
      own(i, group.values);
      group.lengths.push_back(group.values.size() - before);
    }
  });
  Lists<T> made;
  std::size_t total = 0;
  for (const Group& group : groups) total += group.values.size();
  made.reserve(count, total);
  for (Group& group : groups) {
    made.add(group.values, group.lengths);
    group = {};
  }
  return made;
}

}  // namespace dapple

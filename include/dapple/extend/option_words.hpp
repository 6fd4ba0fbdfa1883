// The words that users write for the values of an enum.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "dapple/language.hpp"

namespace dapple {

// The words for the values of an enum, in the order of the enumerators, which count from 0. Every
// enum that is an option has an overload of option_names(), found by argument-dependent lookup. It
// names the last enumerator, so that no enumerator is left without a word:
//     enum class NormalY { up, down };
//     constexpr auto option_names(NormalY) { return words_to<NormalY::down>("up", "down"); }
template <auto last, class... Words>
constexpr auto words_to(Words... words) {
  static_assert(sizeof...(Words) == static_cast<std::size_t>(last) + 1, "a word per enumerator");
  return std::array<std::string_view, sizeof...(Words)>{words...};
}
template <class E>
concept OptionEnum = std::is_enum_v<E> && requires(E e) {
  option_names(e).front();
};
// Returns the word of one value.
template <OptionEnum E>
constexpr std::string_view word_of(E value) {
  return option_names(value)[static_cast<std::size_t>(value)];
}

}  // namespace dapple

// Converts numbers to text and back: exactly, without a locale, and alike on every system. Nothing
// else calls std::from_chars or std::to_chars for floating point, because libc++ lacks them.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace dapple {

// Behave as std::from_chars: on an error `value` stays unchanged, and a number that is too large or
// too small for the type is result_out_of_range.
std::from_chars_result read_number(const char* first, const char* last, double& value,
                                   std::chars_format format = std::chars_format::general);
std::from_chars_result read_number(const char* first, const char* last, float& value,
                                   std::chars_format format = std::chars_format::general);
template <std::integral Integer>
std::from_chars_result read_number(const char* first, const char* last, Integer& value,
                                   int base = 10) {
  return std::from_chars(first, last, value, base);
}

// Behave as std::to_chars: without a precision, they write the shortest digits that read back.
std::to_chars_result write_number(char* first, char* last, double value);
std::to_chars_result write_number(char* first, char* last, float value);
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format);
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format,
                                  int precision);
template <std::integral Integer>
std::to_chars_result write_number(char* first, char* last, Integer value) {
  return std::to_chars(first, last, value);
}

// Removes a number from the front of `text`. On an error, `text` and `value` stay unchanged.
template <class Number>
std::errc take_number(std::string_view& text, Number& value) {
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error;
}

// Returns the number that is the whole of `text`; nothing for other texts and for numbers that are
// not finite.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  if (take_number(text, value) != std::errc{} || !text.empty()) return std::nullopt;
  if constexpr (std::floating_point<Number>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

// Returns a number as text; `how` is a format, or a format and a precision.
template <class Number, class... How>
std::string number_text(Number value, How... how) {
  char text[400];  // 309 digits and a fraction at most
  return {text, write_number(text, text + sizeof text, value, how...).ptr};
}

}  // namespace dapple

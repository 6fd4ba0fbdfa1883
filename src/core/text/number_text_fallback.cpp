// Stands in for number_text.cpp if the C++ library converts only integers (libc++ before 20). Reads
// by fast_float (Lemire 2021); writes the shortest digits by Dragonbox (Jeon 2020) in fmt, in the
// layout of [charconv.to.chars].
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fast_float/fast_float.h>
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include "core/text/number_text.hpp"

namespace dapple {
namespace {

template <class Real>
std::from_chars_result read_real(const char* first, const char* last, Real& value,
                                 std::chars_format format) {
  Real read = 0;
  const auto [end, error] = fast_float::from_chars(first, last, read,
                                                   format == std::chars_format::fixed
                                                       ? fast_float::chars_format::fixed
                                                       : fast_float::chars_format::general);
  if (error != std::errc{}) return {end, error};
  // fast_float gives infinity and 0 for numbers that are out of range.
  const char* digit = first + (*first == '-' ? 1 : 0);
  if ((*digit >= '0' && *digit <= '9') || *digit == '.') {
    bool lost = std::isinf(read);
    for (; read == 0 && digit < end && *digit != 'e' && *digit != 'E'; ++digit) {
      lost |= *digit >= '1' && *digit <= '9';
    }
    if (lost) return {end, std::errc::result_out_of_range};
  }
  value = read;
  return {end, std::errc{}};
}

std::to_chars_result write_text(char* first, char* last, std::string_view text) {
  if (static_cast<std::size_t>(last - first) < text.size()) {
    return {last, std::errc::value_too_large};
  }
  std::memcpy(first, text.data(), text.size());
  return {first + text.size(), std::errc{}};
}

std::string printed(const char* how, int precision, double value) {
  char text[1100];
  const int length = std::snprintf(text, sizeof text, how, precision, value);
  return {text, static_cast<std::size_t>(length)};
}

// Writes the shortest digits: in the shorter notation (general), without an exponent (fixed), or
// with one (scientific).
template <class Real>
std::to_chars_result write_shortest(char* first, char* last, Real value, std::chars_format format) {
  char text[400];  // the longest are 309 digits, or 323 zeros and 17 digits
  char* end = text;
  const auto put = [&](std::string_view part) { end = std::copy(part.begin(), part.end(), end); };
  if (std::signbit(value)) put("-");
  const Real size = std::abs(value);
  if (!std::isfinite(value)) {
    put(std::isnan(value) ? "nan" : "inf");
    return write_text(first, last, {text, static_cast<std::size_t>(end - text)});
  }
  fmt::detail::dragonbox::decimal_fp<Real> decimal{};
  if (size != 0) decimal = fmt::detail::dragonbox::to_decimal(size);
  for (; decimal.significand != 0 && decimal.significand % 10 == 0; ++decimal.exponent) {
    decimal.significand /= 10;
  }
  const fmt::format_int number(decimal.significand);
  const std::string_view digits(number.data(), number.size());
  const int count = static_cast<int>(digits.size());
  const int power = decimal.exponent + count - 1;  // of the first digit
  const int length = decimal.exponent >= 0 ? power + 1 : power >= 0 ? count + 1 : count - power + 1;
  const int least_exponent = std::abs(power) < 100 ? 2 : 3;  // digits
  const int scientific = count + (count > 1 ? 1 : 0) + 2 + least_exponent;
  if (format == std::chars_format::scientific ||
      (format == std::chars_format::general && scientific < length)) {
    put(digits.substr(0, 1));
    if (count > 1) put(".");
    put(digits.substr(1));
    put(power < 0 ? "e-" : "e+");
    if (std::abs(power) < 10) put("0");
    const fmt::format_int exponent(std::abs(power));
    put({exponent.data(), exponent.size()});
  } else if (decimal.exponent > 0 && size >= Real{1 << 24}) {
    put(printed("%.*f", 0, static_cast<double>(size)));  // zeros may stand for other digits
  } else if (decimal.exponent >= 0) {
    put(digits);
    end = std::fill_n(end, decimal.exponent, '0');
  } else if (power >= 0) {
    put(digits.substr(0, static_cast<std::size_t>(power) + 1));
    put(".");
    put(digits.substr(static_cast<std::size_t>(power) + 1));
  } else {
    put("0.");
    end = std::fill_n(end, -power - 1, '0');
    put(digits);
  }
  return write_text(first, last, {text, static_cast<std::size_t>(end - text)});
}

}  // namespace

std::from_chars_result read_number(const char* first, const char* last, double& value,
                                   std::chars_format format) {
  return read_real(first, last, value, format);
}
std::from_chars_result read_number(const char* first, const char* last, float& value,
                                   std::chars_format format) {
  return read_real(first, last, value, format);
}

std::to_chars_result write_number(char* first, char* last, double value) {
  return write_shortest(first, last, value, std::chars_format::general);
}
std::to_chars_result write_number(char* first, char* last, float value) {
  return write_shortest(first, last, value, std::chars_format::general);
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format) {
  return write_shortest(first, last, value, format);
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format,
                                  int precision) {
  const char* const how = format == std::chars_format::fixed        ? "%.*f"
                          : format == std::chars_format::scientific ? "%.*e"
                                                                    : "%.*g";
  return write_text(first, last, printed(how, precision, value));
}

}  // namespace dapple

// Stands in for number_text.cpp if the C++ library converts only integers (libc++ before 20). Reads
// by fast_float (Lemire 2021); writes the shortest digits by Dragonbox (Jeon 2020) in fmt, in the
// layout of [charconv.to.chars].
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

// The shortest digits, in the shorter notation (general) or without an exponent (fixed).
template <class Real>
std::string shortest_digits(Real value, std::chars_format format) {
  const std::string sign = std::signbit(value) ? "-" : "";
  if (!std::isfinite(value)) return sign + (std::isnan(value) ? "nan" : "inf");
  const Real size = std::abs(value);
  std::string digits = "0";
  int exponent = 0;  // of the last digit
  if (size != 0) {
    const auto decimal = fmt::detail::dragonbox::to_decimal(size);
    digits = std::to_string(decimal.significand);
    exponent = decimal.exponent;
    for (; digits.size() > 1 && digits.back() == '0'; ++exponent) digits.pop_back();
  }
  const int power = exponent + static_cast<int>(digits.size()) - 1;  // of the first digit
  std::string fixed;
  if (exponent >= 0) {
    fixed = printed("%.*f", 0, static_cast<double>(size));
  } else if (power >= 0) {
    fixed = digits;
    fixed.insert(static_cast<std::size_t>(power) + 1, ".");
  } else {
    fixed = "0." + std::string(static_cast<std::size_t>(-power - 1), '0') + digits;
  }
  if (format == std::chars_format::fixed) return sign + fixed;
  std::string scientific = digits;
  if (digits.size() > 1) scientific.insert(1, ".");
  scientific += power < 0 ? "e-" : "e+";
  if (std::abs(power) < 10) scientific += '0';
  scientific += std::to_string(std::abs(power));
  const bool is_fixed = format == std::chars_format::general && fixed.size() <= scientific.size();
  return sign + (is_fixed ? fixed : scientific);
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
  return write_text(first, last, shortest_digits(value, std::chars_format::general));
}
std::to_chars_result write_number(char* first, char* last, float value) {
  return write_text(first, last, shortest_digits(value, std::chars_format::general));
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format) {
  return write_text(first, last, shortest_digits(value, format));
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format,
                                  int precision) {
  const char* const how = format == std::chars_format::fixed        ? "%.*f"
                          : format == std::chars_format::scientific ? "%.*e"
                                                                    : "%.*g";
  return write_text(first, last, printed(how, precision, value));
}

}  // namespace dapple

// The conversions of number_text_fallback.cpp, compiled into a namespace of its own, against those
// of the C++ library: same texts, same values, same errors.
#include "core/text/number_text.hpp"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>

#include "core/random.hpp"

namespace dapple_fallback {

using Format = std::chars_format;
std::from_chars_result read_number(const char* first, const char* last, double& value, Format how);
std::from_chars_result read_number(const char* first, const char* last, float& value, Format how);
std::to_chars_result write_number(char* first, char* last, double value);
std::to_chars_result write_number(char* first, char* last, float value);
std::to_chars_result write_number(char* first, char* last, double value, Format how);
std::to_chars_result write_number(char* first, char* last, double value, Format how, int precision);

}  // namespace dapple_fallback

namespace dapple {
namespace {

using Format = std::chars_format;

template <class Number, class... How>
std::string written_by_fallback(Number value, How... how) {
  char text[400];
  return {text, dapple_fallback::write_number(text, text + sizeof text, value, how...).ptr};
}

template <class Real>
void expect_same_value(std::string_view text, Format how = Format::general) {
  const char* const last = text.data() + text.size();
  Real expected = 7;
  Real value = 7;
  const auto library = std::from_chars(text.data(), last, expected, how);
  const auto fallback = dapple_fallback::read_number(text.data(), last, value, how);
  EXPECT_EQ(fallback.ptr - text.data(), library.ptr - text.data()) << text;
  EXPECT_EQ(fallback.ec, library.ec) << text;
  EXPECT_TRUE(std::memcmp(&value, &expected, sizeof value) == 0 || std::isnan(expected)) << text;
}

void expect_same(double value) {
  ASSERT_EQ(written_by_fallback(value), number_text(value));
  const auto narrow = static_cast<float>(value);
  ASSERT_EQ(written_by_fallback(narrow), number_text(narrow));
  expect_same_value<double>(number_text(value));
  expect_same_value<float>(number_text(value));
  if (!std::isfinite(value)) return;
  for (const Format how : {Format::fixed, Format::scientific}) {
    ASSERT_EQ(written_by_fallback(value, how), number_text(value, how));
  }
  for (const auto& [how, precision] :
       {std::pair{Format::fixed, 3}, {Format::scientific, 2}, {Format::general, 12}}) {
    if (how == Format::fixed && std::abs(value) > 1e15) continue;
    ASSERT_EQ(written_by_fallback(value, how, precision), number_text(value, how, precision));
  }
}

TEST(NumberText, FallbackWritesAndReadsAsTheLibrary) {
  const Random random(7, Stream::tests);
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random.at(i);
    expect_same(std::bit_cast<double>(bits));
    expect_same(static_cast<double>(bits >> 11) * 0x1p-53);
    expect_same(static_cast<double>(static_cast<float>(bits >> 40) * 0x1p-14f));
    expect_same(std::round(static_cast<double>(bits >> 40)) / 1000);
    expect_same(static_cast<double>(bits >> 44));
  }
  for (int exponent = -1074; exponent < 1024; ++exponent) expect_same(std::ldexp(1.0, exponent));
  for (const double value : {0.0, -0.0, 1e22, 1e23, 123456789012345680000.0}) expect_same(value);
}

TEST(NumberText, FallbackRefusesWhatTheLibraryRefuses) {
  for (const char* text :
       {"1e400", "1e-400", "-1e999", "inf",  "nan",    "infinity", "-inf", "+1",
        " 1",    "1e",     "1.5e+",  ".5",   "5.",     "-",        "",     "0x10",
        "0e999", "1e-320", "1e-60",  "1e60", "nan(x)", "-.5",      "1,5"}) {
    for (const Format how : {Format::general, Format::fixed}) {
      expect_same_value<double>(text, how);
      expect_same_value<float>(text, how);
    }
  }
}

TEST(NumberText, WholeTextsAreParsed) {
  EXPECT_EQ(parse_number<int>("12"), 12);
  EXPECT_EQ(parse_number<double>("1e3"), 1000);
  for (const char* wrong : {"", "12 ", "1x", "inf", "nan", "1e999"}) {
    EXPECT_FALSE(parse_number<double>(wrong)) << wrong;
  }
  std::string_view text = "3.5px";
  double value = 0;
  EXPECT_EQ(take_number(text, value), std::errc{});
  EXPECT_EQ(value, 3.5);
  EXPECT_EQ(text, "px");
  EXPECT_EQ(take_number(text, value), std::errc::invalid_argument);
  EXPECT_EQ(text, "px");
  EXPECT_EQ(value, 3.5);
}

}  // namespace
}  // namespace dapple

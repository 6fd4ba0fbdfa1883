#include "core/text/number_text.hpp"

namespace dapple {

std::from_chars_result read_number(const char* first, const char* last, double& value,
                                   std::chars_format format) {
  return std::from_chars(first, last, value, format);
}
std::from_chars_result read_number(const char* first, const char* last, float& value,
                                   std::chars_format format) {
  return std::from_chars(first, last, value, format);
}

std::to_chars_result write_number(char* first, char* last, double value) {
  return std::to_chars(first, last, value);
}
std::to_chars_result write_number(char* first, char* last, float value) {
  return std::to_chars(first, last, value);
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format) {
  return std::to_chars(first, last, value, format);
}
std::to_chars_result write_number(char* first, char* last, double value, std::chars_format format,
                                  int precision) {
  return std::to_chars(first, last, value, format, precision);
}

}  // namespace dapple

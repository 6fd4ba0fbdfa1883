// Examines the field of an option without making its text, so that a call with valid options makes
// no texts.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/text/trim_blanks.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {

bool Option::is_valid() const {
  if (named_maps == nullptr && is_loaded()) return true;
  const Seen seen = see_ == nullptr ? Seen::unknown : see_(*this, field_);
  return seen == Seen::none || (seen == Seen::right && !rule_);
}

bool Option::is_given() const {
  if (bits_ != nullptr) return !is_default();
  const std::string text = get();
  return text.empty() ? is_loaded() : text != default_text;
}

bool Option::is_in_range(double value) const {
  return (!minimum || value >= *minimum) && (!maximum || value <= *maximum);
}

bool Option::is_word(std::string_view text) const {
  return choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end() ||
         (has_other_form_ && has_other_form_(text));
}

Option::Seen Option::see_word(const Option&, const void*) {
  return Seen::right;
}

Option::Seen Option::see_each(const Option& option, const void* field) {
  if (static_cast<const std::vector<std::string>*>(field)->empty()) return Seen::none;
  return option.choices.empty() ? Seen::right : Seen::unknown;
}

Option::Seen Option::see_length(const Length& value) {
  return reads_back(value) ? Seen::right : Seen::unknown;
}
Option::Seen Option::see_length(const LengthRange& value) {
  if (value.empty()) return Seen::none;
  return reads_back(value) ? Seen::right : Seen::unknown;
}

// Examines a field of type T. OptionList stores this function with the field.
template <class T>
Option::Seen Option::see(const Option& option, const void* field) {
  const T& value = *static_cast<const T*>(field);
  const auto right_if = [](bool is) { return is ? Seen::right : Seen::unknown; };
  if constexpr (std::is_same_v<T, bool>) {
    return right_if(option.choices.empty());
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    return right_if(option.choices.empty() &&
                    (!value || (std::isfinite(*value) && option.is_in_range(*value))));
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto number = static_cast<double>(value);
    return right_if(option.choices.empty() && std::isfinite(number) && option.is_in_range(number) &&
                    (!std::is_same_v<T, std::uint64_t> || number < 0x1p63));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.empty() ? Seen::none : right_if(option.is_word(value));
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    if (value.empty()) return Seen::none;
    return right_if(std::all_of(value.begin(), value.end(), [&](const std::string& item) {
      return !item.empty() && trim_blanks(item) == item && item.find(',') == std::string::npos &&
             option.is_word(item);
    }));
  } else if constexpr (std::is_same_v<T, Size>) {
    return value.empty() ? Seen::none : right_if(reads_back(value));
  } else if constexpr (std::is_same_v<T, std::vector<NamedMap>>) {
    return value.empty() ? Seen::none : Seen::unknown;
  } else {  // input files, of which a rule knows more
    return value.path.empty() ? Seen::none : Seen::unknown;
  }
}

void Option::forget() {
  repeats = takes_words_ = false;
  minimum.reset();
  maximum.reset();
  choices.clear();
  other_form.clear();
  rule_ = nullptr;
  has_other_form_ = nullptr;
  image_input = nullptr;
  points_input = nullptr;
  mesh_input = nullptr;
  text_input = nullptr;
  outline_input = nullptr;
  regions_input = nullptr;
  named_maps = nullptr;
}

template Option::Seen Option::see<bool>(const Option&, const void*);
template Option::Seen Option::see<int>(const Option&, const void*);
template Option::Seen Option::see<std::int64_t>(const Option&, const void*);
template Option::Seen Option::see<std::uint64_t>(const Option&, const void*);
template Option::Seen Option::see<double>(const Option&, const void*);
template Option::Seen Option::see<std::optional<double>>(const Option&, const void*);
template Option::Seen Option::see<std::string>(const Option&, const void*);
template Option::Seen Option::see<std::vector<std::string>>(const Option&, const void*);
template Option::Seen Option::see<Size>(const Option&, const void*);
template Option::Seen Option::see<ImageInput>(const Option&, const void*);
template Option::Seen Option::see<std::vector<NamedMap>>(const Option&, const void*);
template Option::Seen Option::see<PointsInput>(const Option&, const void*);
template Option::Seen Option::see<MeshInput>(const Option&, const void*);
template Option::Seen Option::see<RegionsInput>(const Option&, const void*);
template Option::Seen Option::see<TextInput>(const Option&, const void*);

}  // namespace dapple

// Implements options bound to fields: reads and writes values as text, and reports wrong texts.
#include "dapple/extend/options.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "core/options/named_maps.hpp"
#include "core/text/number_text.hpp"
#include "core/text/trim_blanks.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

[[noreturn]] void expected(const std::string& what, std::string_view text) {
  throw Error(ErrorKind::usage, "expected " + what + ", not '" + std::string(text) + "'");
}

// Removes the digits at the start of `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

// Removes digits such as 10,000 from the start of `text` and returns them; "" if there are none.
std::string take_grouped(std::string_view& text) {
  std::string digits(take_digits(text));
  if (digits.empty() || digits.size() > 3) return digits;
  while (text.starts_with(',')) {
    text.remove_prefix(1);
    const std::string_view group = take_digits(text);
    if (group.size() != 3) return "";
    digits += group;
  }
  return digits;
}

// Reads texts such as 12, 10,000, 1e5, 1.5k (thousands) and 2M (millions) that are whole numbers.
std::optional<std::int64_t> whole_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::string digits = take_grouped(text);
  if (digits.empty()) return std::nullopt;
  int exponent = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    std::string_view fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
    while (fraction.ends_with('0')) fraction.remove_suffix(1);
    digits += fraction;
    exponent -= static_cast<int>(std::min<std::size_t>(fraction.size(), 100));
  }
  if (text == "k" || text == "K") {
    exponent += 3;
  } else if (text == "M") {
    exponent += 6;
  } else if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(text.starts_with("e+") || text.starts_with("E+") ? 2 : 1);
    const std::string_view power = take_digits(text);
    if (power.empty() || power.size() > 2 || !text.empty()) return std::nullopt;
    exponent += std::stoi(std::string(power));
  } else if (!text.empty()) {
    return std::nullopt;
  }
  const bool zero = digits.find_first_not_of('0') == std::string::npos;
  if (zero) return 0;
  if (exponent < 0) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  if (negative) digits.insert(0, "-");
  return parse_number<std::int64_t>(digits);
}

template <class Integer>
Integer integer_of(std::string_view text) {
  const auto value = whole_number(text);
  if (!value || !std::in_range<Integer>(*value)) expected("a whole number", text);
  return static_cast<Integer>(*value);
}

double number_of(std::string_view text) {
  const auto value = parse_number<double>(text);
  if (!value) expected("a number", text);
  return *value;
}

bool flag_of(std::string_view text) {
  if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "off" || text == "no" || text == "0") return false;
  expected("true or false", text);
}

std::string joined(std::span<const std::string> items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

// Returns the Levenshtein (1966) distance, computed row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

std::string suggestion(std::string_view word, std::span<const std::string> words) {
  const std::string near = nearest_word(word, words);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace

std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view item = trim_blanks(text.substr(0, comma));
    if (item.empty()) expected("a list such as a,b,c without empty items", text);
    items.emplace_back(item);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty())
      expected("a list such as a,b,c without a comma at its end", items.back() + ",");
  }
  return items;
}

std::string nearest_word(std::string_view word, std::span<const std::string> words) {
  std::string best;
  std::size_t best_distance = (word.size() + 2) / 3 + 1;
  for (const std::string& candidate : words) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

Option& Option::metavar(std::string_view text) {
  if (is_told_of_) meta = text;
  return *this;
}

Option& Option::alias(std::string_view long_name) {
  other_name = long_name;
  return *this;
}

Option& Option::letter(char name_letter) {
  short_name = name_letter;
  return *this;
}

Option& Option::essential() {
  is_essential = true;
  return *this;
}

Option& Option::unit(std::string_view text) {
  unit_name = text;
  return *this;
}

Option& Option::range(double lowest, double highest) {
  minimum = lowest;
  maximum = highest;
  return *this;
}

Option& Option::at_least(double lowest) {
  minimum = lowest;
  return *this;
}

Option& Option::words(std::vector<std::string> accepted) {
  choices = std::move(accepted);
  return *this;
}

Option& Option::or_form(std::string_view form, std::function<bool(std::string_view)> accepts) {
  other_form = form;
  has_other_form_ = std::move(accepts);
  return *this;
}

Option& Option::check(std::function<std::string(std::string_view)> rule) {
  rule_ = std::move(rule);
  return *this;
}

void Option::set(std::string_view text) {
  const auto fail = [&](const std::string& why) -> Error {
    return Error(ErrorKind::usage, Problem{name, why});
  };
  if (!choices.empty()) {
    const std::vector<std::string> items =
        type == OptionType::list ? items_of(text) : std::vector<std::string>{std::string(text)};
    for (const std::string& item : items) {
      if (std::find(choices.begin(), choices.end(), item) != choices.end()) continue;
      if (has_other_form_ && has_other_form_(item)) continue;
      throw fail("'" + item + "' is not one of " + joined(choices, ", ") +
                 (other_form.empty() ? "" : ", nor " + other_form) + suggestion(item, choices));
    }
  }
  if ((minimum || maximum) && text != "none") {
    double value = 0;
    try {
      value = type == OptionType::integer ? static_cast<double>(integer_of<std::int64_t>(text))
                                          : number_of(text);
    } catch (const Error& error) {
      throw fail(error.what());
    }
    const std::string unit_text = unit_name.empty() ? "" : " " + unit_name;
    if (minimum && maximum && (value < *minimum || value > *maximum)) {
      throw fail("must be from " + plain_number(*minimum) + " to " + plain_number(*maximum) +
                 unit_text + ", not " + std::string(text));
    }
    if (minimum && value < *minimum) {
      throw fail("must be at least " + plain_number(*minimum) + unit_text + ", not " +
                 std::string(text));
    }
  }
  try {
    if (rule_) {
      if (const std::string why = rule_(text); !why.empty()) {
        throw fail(why + ", not '" + std::string(text) + "'");
      }
    }
    set_(text);
  } catch (const Error& error) {
    if (error.option() == name) throw;
    throw fail(error.what());
  }
}

// Returns an unused option. Options are allocated in rows, because a list has dozens of them.
Option& OptionList::make_room() {
  if (rooms_.empty()) {  // if the list was moved from, another list owns its old rooms
    free_ = {};
    spare_ = nullptr;
  }
  if (spare_ != nullptr) return *std::exchange(spare_, nullptr);
  if (free_.empty()) {
    const std::size_t count = extent_ == Extent::doubts ? 2 : 16;
    rooms_.push_back(std::make_unique<Option[]>(count));
    free_ = {rooms_.back().get(), count};
  }
  Option& option = free_.front();
  free_ = free_.subspan(1);
  return option;
}

Option& OptionList::add_bound(std::string_view name, OptionType type, std::string_view doc,
                              std::function<std::string()> get,
                              std::function<void(std::string_view)> set,
                              const Option::Field& field) {
  if (extent_ == Extent::doubts) settle();
  Option* const option = &make_room();
  option->name = name;
  option->type = type;
  option->field_ = field.at;
  option->see_ = field.see;
  if (extent_ == Extent::whole) {
    if (find(name) != nullptr) {
      throw Error(ErrorKind::internal, "option " + std::string(name) + " is described twice");
    }
    option->is_told_of_ = true;
    option->doc = doc;
    option->group = group_;
  }
  if (extent_ == Extent::whole || extent_ == Extent::settings) {
    option->default_text = get();
    option->bits_ = field.bits;
    if (field.bits != nullptr) option->default_bits_ = field.bits(field.at);
  }
  option->get_ = std::move(get);
  option->set_ = std::move(set);
  options_.push_back(option);
  return *option;
}

Option& OptionList::add(std::string_view name, bool& field, std::string_view doc) {
  return add_bound(
      name, OptionType::flag, doc, [&field] { return field ? "true" : "false"; },
      [&field](std::string_view text) { field = flag_of(text); },
      {&field, Option::see<bool>, Option::bits<bool>});
}

Option& OptionList::add(std::string_view name, int& field, std::string_view doc) {
  return add_bound(
             name, OptionType::integer, doc, [&field] { return std::to_string(field); },
             [&field](std::string_view text) { field = integer_of<int>(text); },
             {&field, Option::see<int>, Option::bits<int>})
      .metavar("N");
}

Option& OptionList::add(std::string_view name, std::int64_t& field, std::string_view doc) {
  return add_bound(
             name, OptionType::integer, doc, [&field] { return std::to_string(field); },
             [&field](std::string_view text) { field = integer_of<std::int64_t>(text); },
             {&field, Option::see<std::int64_t>, Option::bits<std::int64_t>})
      .metavar("N");
}

Option& OptionList::add(std::string_view name, std::uint64_t& field, std::string_view doc) {
  return add_bound(
             name, OptionType::integer, doc, [&field] { return std::to_string(field); },
             [&field](std::string_view text) {
               // TOML integers are signed, hence 63 bits.
               const auto value = integer_of<std::int64_t>(text);
               if (value < 0) expected("a number from 0 to 9223372036854775807", text);
               field = static_cast<std::uint64_t>(value);
             },
             {&field, Option::see<std::uint64_t>, Option::bits<std::uint64_t>})
      .metavar("N");
}

Option& OptionList::add(std::string_view name, double& field, std::string_view doc) {
  return add_bound(
             name, OptionType::number, doc, [&field] { return shortest(field); },
             [&field](std::string_view text) { field = number_of(text); },
             {&field, Option::see<double>, Option::bits<double>})
      .metavar("X");
}

Option& OptionList::add(std::string_view name, std::optional<double>& field, std::string_view doc) {
  return add_bound(
             name, OptionType::number, doc,
             [&field] { return field ? shortest(*field) : std::string("none"); },
             [&field](std::string_view text) {
               if (text == "none") {
                 field.reset();
               } else {
                 field = number_of(text);
               }
             },
             {&field, Option::see<std::optional<double>>, nullptr})
      .metavar("X|none");
}

Option& OptionList::add(std::string_view name, std::string& field, std::string_view doc) {
  return add_bound(
             name, OptionType::text, doc, [&field] { return field; },
             [&field](std::string_view text) { field = text; },
             {&field, Option::see<std::string>, nullptr})
      .metavar("TEXT");
}

Option& OptionList::add(std::string_view name, std::vector<std::string>& field,
                        std::string_view doc) {
  return add_bound(
             name, OptionType::list, doc, [&field] { return joined(field, ","); },
             [&field](std::string_view text) { field = items_of(text); },
             {&field, Option::see<std::vector<std::string>>, nullptr})
      .metavar("A,B,...");
}

Option& OptionList::add_each(std::string_view name, std::vector<std::string>& field,
                             std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::text, doc, [&field] { return joined(field, "\n"); },
                       [&field](std::string_view text) { field.emplace_back(text); },
                       {&field, Option::see_each, nullptr})
                       .metavar("TEXT");
  option.repeats = true;
  return option;
}

Option& OptionList::add(std::string_view name, Length& field, std::string_view doc) {
  return add_bound(
             name, OptionType::text, doc, [&field] { return to_text(field); },
             [&field](std::string_view text) { from_text(text, field); },
             {&field, Option::see_text<Length>, nullptr})
      .metavar("LENGTH");
}

Option& OptionList::add(std::string_view name, LengthRange& field, std::string_view doc) {
  return add_bound(
             name, OptionType::text, doc, [&field] { return to_text(field); },
             [&field](std::string_view text) { from_text(text, field); },
             {&field, Option::see_text<LengthRange>, nullptr})
      .metavar("LENGTH|MIN:MAX");
}

Option& OptionList::add(std::string_view name, Size& field, std::string_view doc) {
  return add_bound(
             name, OptionType::text, doc, [&field] { return to_text(field); },
             [&field](std::string_view text) { from_text(text, field); },
             {&field, Option::see<Size>, nullptr})
      .metavar("WxH");
}

std::string OptionList::word_at(std::span<const std::string_view> words, std::size_t place) {
  return place < words.size() ? std::string(words[place]) : std::to_string(place);
}

std::size_t OptionList::place_of(std::span<const std::string_view> words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

Option& OptionList::add_choice(std::string_view name, std::string_view doc,
                               std::span<const std::string_view> words, std::size_t now,
                               std::function<std::string()> get,
                               std::function<void(std::string_view)> set,
                               const Option::Field& field) {
  // In a list of doubts, no caller reads the choices of an option whose word is valid.
  const bool known = extent_ == Extent::doubts && now < words.size();
  Option& option = add_bound(name, OptionType::text, doc, std::move(get), std::move(set),
                             {field.at, known ? field.see : nullptr, field.bits});
  if (known) return option;
  option.choices.assign(words.begin(), words.end());
  return option.is_told_of_ ? option.metavar(joined(option.choices, "|")) : option;
}

void OptionList::settle() {
  if (options_.empty() || !options_.back()->is_valid()) return;
  spare_ = options_.back();
  options_.pop_back();
  spare_->forget();
}

namespace {

void check_value(Option& option) {
  if (option.named_maps != nullptr) return check_named_maps(option);
  std::string text = option.get();
  if (text.empty() || option.is_loaded()) return;
  if (option.names_file()) {
    throw Error(ErrorKind::usage, Problem{option.name, "its file '" + text + "' was not read"});
  }
  if (!option.repeats) return option.set(text);
  for (std::size_t end = 0; end != std::string::npos; text.erase(0, end + 1)) {
    end = text.find('\n');
    option.set(std::string_view(text).substr(0, end));
  }
}

}  // namespace

void check_values(OptionList& options) {
  options.settle();
  std::vector<Problem> problems;
  for (const auto& option : options) {
    try {
      check_value(*option);
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

Option* OptionList::find(std::string_view name) const {
  for (const auto& option : options_) {
    if (option->name == name || (!name.empty() && option->other_name == name)) return option;
  }
  return nullptr;
}

Option* OptionList::find(char letter) const {
  for (const auto& option : options_) {
    if (letter != 0 && option->short_name == letter) return option;
  }
  return nullptr;
}

std::string OptionList::nearest(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& option : options_) names.push_back(option->name);
  return nearest_word(name, names);
}

}  // namespace dapple

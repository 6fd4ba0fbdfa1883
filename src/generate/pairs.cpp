// Options that ask something of each other.
#include "dapple/pairs.hpp"

#include <algorithm>

#include "dapple/error.hpp"

namespace dapple {
namespace {

using Texts = std::vector<std::string>;

Texts split(std::string_view text, std::string_view separator) {
  Texts parts;
  for (auto end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

struct Companion {
  std::string option;
  Texts values;
};

std::vector<Companion> companions_of(const PairRule& rule) {
  std::vector<Companion> all;
  for (const std::string& part : split(rule.companions, " or ")) {
    const auto space = part.find(' ');
    all.push_back({part.substr(0, space), {}});
    if (space != part.npos) all.back().values = split(part.substr(space + 1), "|");
  }
  return all;
}

bool is_operand(const Companion& companion) {
  return companion.option.front() >= 'A' && companion.option.front() <= 'Z';
}

// Such as `method` darts or dense.
std::string text_of(const Companion& companion) {
  if (is_operand(companion)) return companion.option;
  if (companion.values == Texts{"false"}) return "`no-" + companion.option + "`";
  std::string text = "`" + companion.option;
  for (const std::string& value : companion.values) {
    text += value == companion.values.front() ? " " + value + "`" : " or " + value;
  }
  return companion.values.empty() ? text + "`" : text;
}

std::string text_of(const std::vector<Companion>& companions) {
  std::string text;
  for (const Companion& companion : companions) {
    text += (text.empty() ? "" : " or ") + text_of(companion);
  }
  return text;
}

bool is_given(const Option& option) {
  const std::string text = option.get();
  if (!text.empty()) return text != option.default_text;
  return (option.image_input != nullptr && option.image_input->image != nullptr) ||
         (option.points_input != nullptr && option.points_input->points != nullptr) ||
         (option.text_input != nullptr && option.text_input->text != nullptr);
}

// The options that a rule is about, in the order of their list.
std::vector<const Option*> options_of(const PairRule& rule, const OptionList& list) {
  const Texts ends = split(rule.options, "..");
  std::vector<const Option*> found;
  for (const auto& option : list) {
    if (option->name == ends.front() || !found.empty()) found.push_back(option.get());
    if (option->name == ends.back()) return found;
  }
  return {};
}

// The lists of one run, searched as one.
class Together {
 public:
  Together(std::initializer_list<const OptionList*> lists, std::string_view operand,
           bool has_operand)
      : lists_(lists), operand_(operand), has_operand_(has_operand) {}

  // What is wrong with an option that is given; "" where nothing is.
  std::string broken(const PairRule& rule) const {
    const std::vector<Companion> companions = companions_of(rule);
    return rule.kind == Pair::needs ? not_met(companions) : met(companions, rule.why);
  }

 private:
  const Option* find(const Companion& companion) const {
    for (const OptionList* list : lists_) {
      if (const Option* option = list->find(companion.option)) return option;
    }
    return nullptr;
  }
  bool is_known(const Companion& companion) const {
    return is_operand(companion) ? companion.option == operand_ : find(companion) != nullptr;
  }
  bool is_met(const Companion& companion) const {
    if (is_operand(companion)) return companion.option == operand_ && has_operand_;
    const Option* option = find(companion);
    if (option == nullptr) return false;
    if (companion.values.empty()) return is_given(*option);
    const Texts items =
        option->type == OptionType::list ? split(option->get(), ",") : Texts{option->get()};
    return std::find_first_of(items.begin(), items.end(), companion.values.begin(),
                              companion.values.end()) != items.end();
  }
  // As it stands on the command line, such as `method voronoi`.
  std::string written(const Companion& companion) const {
    const Option* option = find(companion);
    if (option == nullptr) return companion.option;
    if (option->type == OptionType::flag) {
      return (option->get() == "true" ? "`" : "`no-") + option->name + "`";
    }
    const bool is_word = !option->choices.empty() && option->type != OptionType::list;
    return "`" + option->name + (is_word ? " " + option->get() : "") + "`";
  }

  std::string met(const std::vector<Companion>& companions, std::string_view why) const {
    for (const Companion& companion : companions) {
      if (!is_met(companion)) continue;
      return "does not go with " + written(companion) + (why.empty() ? "" : ", ") +
             std::string(why) + ": leave one of them out";
    }
    return "";
  }
  std::string not_met(const std::vector<Companion>& companions) const {
    std::string instead;
    for (const Companion& companion : companions) {
      if (is_met(companion) || !is_known(companion)) return "";
      const Option* option = find(companion);
      if (option != nullptr && is_given(*option)) instead = written(companion);
    }
    if (instead.empty()) return "does nothing without " + text_of(companions);
    return "is for " + text_of(companions) + ", not for " + instead + ": leave one of them out";
  }

  std::vector<const OptionList*> lists_;
  std::string_view operand_;
  bool has_operand_;
};

}  // namespace

void check_together(std::span<const PairRule> rules, std::initializer_list<const OptionList*> lists,
                    std::string_view operand, bool has_operand) {
  const Together together(lists, operand, has_operand);
  std::vector<Problem> problems;
  for (const PairRule& rule : rules) {
    for (const OptionList* list : lists) {
      for (const Option* option : options_of(rule, *list)) {
        if (!is_given(*option)) continue;
        const std::string broken = together.broken(rule);
        if (!broken.empty()) problems.push_back({option->name, broken});
      }
    }
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

void tell_needs(std::span<const PairRule> rules, const OptionList& list) {
  for (const PairRule& rule : rules) {
    if (rule.kind != Pair::needs) continue;
    for (const Option* found : options_of(rule, list)) {
      list.find(found->name)->doc += "; with " + text_of(companions_of(rule));
    }
  }
}

}  // namespace dapple

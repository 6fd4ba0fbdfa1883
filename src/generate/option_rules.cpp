// Checks rules between options.
#include "dapple/extend/option_rules.hpp"

#include <algorithm>

#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/split_list.hpp"

namespace dapple {
namespace {

using Texts = std::vector<std::string>;

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

// Returns a text such as: `method darts` or dense.
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

// Returns true for words such as FILE.svg, which stand for any file.
bool is_any_file(const std::string& value) {
  return value.starts_with("FILE");
}

// Returns true if a list item fits a value of a rule. "..=color" fits R=color and R=color.G.
bool is_value(const std::string& item, const std::string& value) {
  if (!value.starts_with("..=")) return item == value;
  const auto equals = item.find('=');
  return equals != item.npos &&
         item.substr(equals, item.find('.', equals) - equals) == value.substr(2);
}

// Returns the source of an option, such as a preset, or "" if the user gave it.
std::string told_by(const Option& option) {
  return option.comes_from.empty() ? "" : " (set by " + option.comes_from + ")";
}

// Returns the words that restore the default of an option, or "" if no words do.
std::string taken_back(const Option& option) {
  if (option.type == OptionType::flag) {
    return (option.default_text == "true" ? "`" : "`no-") + option.name + "`";
  }
  return option.default_text.empty() ? "" : "`" + option.name + " " + option.default_text + "`";
}

// Returns the first and the last option that a rule is about.
std::pair<std::string_view, std::string_view> ends_of(const PairRule& rule) {
  const auto dots = rule.options.find("..");
  if (dots == std::string_view::npos) return {rule.options, rule.options};
  return {rule.options.substr(0, dots), rule.options.substr(dots + 2)};
}

// Returns the options that a rule is about, in the order of their list.
std::vector<const Option*> options_of(const PairRule& rule, const OptionList& list) {
  const auto [first, last] = ends_of(rule);
  std::vector<const Option*> found;
  for (const auto& option : list) {
    if (option->name == first || !found.empty()) found.push_back(option);
    if (option->name == last) return found;
  }
  return {};
}

// A list and its given options, which are few.
struct Listed {
  explicit Listed(const OptionList& options) : list(&options) {
    for (const auto& option : options) {
      if (option->is_given()) given.push_back(option);
    }
  }

  const OptionList* list;
  std::vector<const Option*> given;
};

// Returns the given options that a rule is about, in the order of their list.
std::vector<const Option*> given_of(const PairRule& rule, const Listed& listed) {
  std::vector<const Option*> found;
  if (listed.given.empty()) return found;
  const auto [first, last] = ends_of(rule);
  if (first != last) {
    found = options_of(rule, *listed.list);
    std::erase_if(found, [&](const Option* option) {
      return std::find(listed.given.begin(), listed.given.end(), option) == listed.given.end();
    });
    return found;
  }
  for (const Option* option : listed.given) {
    if (option->name == first) found.push_back(option);
  }
  return found;
}

// Searches the lists of one run as one.
class Together {
 public:
  Together(std::initializer_list<const OptionList*> lists, std::string_view operand,
           bool has_operand)
      : lists_(lists), operand_(operand), has_operand_(has_operand) {}

  // Returns an error message if a given option breaks the rule, otherwise "".
  std::string broken(const PairRule& rule, const Option& given) const {
    const std::vector<Companion> companions = companions_of(rule);
    const std::string wrong =
        rule.kind == Pair::excludes ? met(companions, rule.why, given) : not_met(companions, given);
    return wrong.empty() || given.comes_from.empty() ? wrong
                                                     : "(set by " + given.comes_from + ") " + wrong;
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
    if (companion.values.empty()) return option->is_given();
    if (option->outline_input != nullptr && option->outline_input->outline != nullptr) {
      return std::any_of(companion.values.begin(), companion.values.end(), is_any_file);
    }
    if (option->names_file() &&
        std::any_of(companion.values.begin(), companion.values.end(), is_any_file)) {
      return true;
    }
    const Texts items =
        option->type == OptionType::list ? split(option->get(), ",") : Texts{option->get()};
    return std::find_first_of(items.begin(), items.end(), companion.values.begin(),
                              companion.values.end(), is_value) != items.end();
  }
  // Returns the option as written on the command line, such as `method voronoi`.
  std::string written(const Companion& companion) const {
    const Option* option = find(companion);
    if (option == nullptr) return companion.option;
    if (option->type == OptionType::flag) {
      return (option->get() == "true" ? "`" : "`no-") + option->name + "`" + told_by(*option);
    }
    const bool is_word = !option->choices.empty();
    return "`" + option->name + (is_word ? " " + option->get() : "") + "`" + told_by(*option);
  }

  // Returns advice about two options that exclude each other. Users cannot omit a preset's options.
  static std::string way_out(const Option& given, const Option* other) {
    const Option* const preset = !given.comes_from.empty()                        ? &given
                                 : other != nullptr && !other->comes_from.empty() ? other
                                                                                  : nullptr;
    const std::string back = preset == nullptr ? "" : taken_back(*preset);
    if (back.empty()) return ": leave one of them out";
    return ": leave one of them out, or override " + preset->comes_from + " with " + back;
  }

  std::string met(const std::vector<Companion>& companions, std::string_view why,
                  const Option& given) const {
    for (const Companion& companion : companions) {
      if (!is_met(companion)) continue;
      return "cannot be combined with " + written(companion) + (why.empty() ? "" : ", ") +
             std::string(why) + way_out(given, find(companion));
    }
    return "";
  }
  std::string not_met(const std::vector<Companion>& companions, const Option& given) const {
    std::string instead;
    const Option* other = nullptr;
    for (const Companion& companion : companions) {
      if (is_met(companion) || !is_known(companion)) return "";
      const Option* option = find(companion);
      if (option == nullptr || !option->is_given()) continue;
      instead = written(companion);
      other = option;
    }
    if (instead.empty()) {
      return "has no effect without " + text_of(companions) +
             (given.comes_from.empty() ? "" : way_out(given, nullptr));
    }
    return "works only with " + text_of(companions) + ", not with " + instead +
           way_out(given, other);
  }

  std::vector<const OptionList*> lists_;
  std::string_view operand_;
  bool has_operand_;
};

}  // namespace

void check_together(std::span<const PairRule> rules, std::initializer_list<const OptionList*> lists,
                    std::string_view operand, bool has_operand) {
  const Together together(lists, operand, has_operand);
  std::vector<Listed> searched;
  for (const OptionList* list : lists) searched.emplace_back(*list);
  std::vector<Problem> problems;
  for (const PairRule& rule : rules) {
    for (const Listed& listed : searched) {
      for (const Option* option : given_of(rule, listed)) {
        if (rule.kind == Pair::wants && !option->comes_from.empty()) continue;
        const std::string broken = together.broken(rule, *option);
        if (!broken.empty()) problems.push_back({option->name, broken});
      }
    }
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

void check_described(std::span<const PairRule> rules,
                     const std::function<void(OptionList& list)>& describe_all) {
  OptionList list;
  describe_all(list);
  check_together(rules, {&list});
}

void document_rules(std::span<const PairRule> rules, const OptionList& list) {
  for (const PairRule& rule : rules) {
    if (rule.kind == Pair::excludes) continue;
    for (const Option* found : options_of(rule, list)) {
      list.find(found->name)->doc += "; only with " + text_of(companions_of(rule));
    }
  }
}

}  // namespace dapple

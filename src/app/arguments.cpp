// Sorting words into options and operands.
#include "app/arguments.hpp"

#include "app/problems.hpp"

namespace dapple::app {
namespace {

class Parser {
 public:
  Parser(std::span<const std::string> words, std::initializer_list<const OptionList*> lists)
      : words_(words), lists_(lists) {}

  Arguments parse() {
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      if (word == "--") {
        found_.operands.insert(found_.operands.end(),
                               words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end());
        break;
      }
      if (word.starts_with("--")) {
        long_option(std::string_view(word).substr(2));
      } else if (word.starts_with("-") && word != "-") {
        short_options(std::string_view(word).substr(1));
      } else {
        found_.operands.push_back(word);
      }
    }
    return std::move(found_);
  }

 private:
  template <class Name>
  Option* find(Name name) const {
    for (const OptionList* list : lists_) {
      if (Option* option = list->find(name)) return option;
    }
    return nullptr;
  }

  // The nearest name in any list, flags also in their negative form.
  std::string nearest(std::string_view name) const {
    std::vector<std::string> names;
    for (const OptionList* list : lists_) {
      for (const auto& option : *list) {
        names.push_back(option->name);
        if (!option->other_name.empty()) names.push_back(option->other_name);
        if (option->type == OptionType::flag) names.push_back("no-" + option->name);
      }
    }
    return nearest_word(name, names);
  }

  // A word that cannot be meant as a value: another option. Negative numbers are values.
  static bool is_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-' && word.find_first_of("0123456789.") != 1;
  }

  void take_value(Option& option, std::string_view written) {
    if (next_ < words_.size() && !is_option(words_[next_])) {
      found_.assignments.push_back({&option, words_[next_++]});
      return;
    }
    found_.problems.push_back(std::string(written) + " needs a value: " + std::string(written) +
                              " " + option.meta);
  }

  void long_option(std::string_view text) {
    const auto equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const bool has_value = equals != std::string_view::npos;
    if (Option* option = find(name)) {
      if (has_value) {
        found_.assignments.push_back({option, std::string(text.substr(equals + 1))});
      } else if (option->type == OptionType::flag) {
        found_.assignments.push_back({option, "true"});
      } else {
        take_value(*option, "--" + std::string(name));
      }
      return;
    }
    if (name.starts_with("no-") && !has_value) {
      Option* option = find(name.substr(3));
      if (option != nullptr && option->type == OptionType::flag) {
        found_.assignments.push_back({option, "false"});
        return;
      }
    }
    const std::string near = nearest(name);
    const Option* meant = find(std::string_view(near));
    // The value of a mistyped option is no operand.
    if (!has_value && meant != nullptr && meant->type != OptionType::flag &&
        next_ < words_.size() && !is_option(words_[next_])) {
      ++next_;
    }
    found_.unknown = true;
    found_.problems.push_back("there is no option --" + std::string(name) +
                              (near.empty() ? "" : "; did you mean --" + near + "?"));
  }

  void short_options(std::string_view letters) {
    while (!letters.empty()) {
      Option* option = find(letters.front());
      const std::string written = std::string("-") + letters.front();
      letters.remove_prefix(1);
      if (option == nullptr) {
        found_.problems.push_back("there is no option " + written);
        found_.unknown = true;
        return;
      }
      if (option->type == OptionType::flag) {
        found_.assignments.push_back({option, "true"});
        continue;
      }
      if (letters.empty()) {
        take_value(*option, written);
      } else {
        found_.assignments.push_back({option, std::string(letters)});
      }
      return;
    }
  }

  std::span<const std::string> words_;
  std::vector<const OptionList*> lists_;
  std::size_t next_ = 0;
  Arguments found_;
};

}  // namespace

Arguments parse_arguments(std::span<const std::string> words,
                          std::initializer_list<const OptionList*> lists) {
  return Parser(words, lists).parse();
}

void set_all(const std::vector<Arguments::Assignment>& assignments,
             std::vector<std::string>& problems) {
  for (const auto& assignment : assignments) {
    attempt(problems, [&] { assignment.option->set(assignment.text); });
  }
}

}  // namespace dapple::app

// Sorts words into options and operands through CLI11, with flags declared from the lists. CLI11
// gets no fields, checks or required options, which would stop it at the first problem. Users want
// to see all problems at once. Only this file includes CLI11, which takes 5 s to compile.
#include "app/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

// The value that CLI11 reports for an option without a value. No command-line word contains it.
const std::string no_value("\0", 1);

class Parser {
 public:
  explicit Parser(std::initializer_list<const OptionList*> lists) {
    app_.set_help_flag();
    app_.allow_extras();
    app_.allow_windows_style_options(false);  // a path may begin with /
    for (const OptionList* list : lists) {
      for (const auto& option : *list) declare(*option);
    }
  }

  Arguments parse(std::span<const std::string> words) {
    const auto end = std::find(words.begin(), words.end(), "--");
    std::vector<std::string> backwards;
    for (auto word = words.begin(); word != end; ++word) add_words(*word, backwards);
    std::reverse(backwards.begin(), backwards.end());
    try {
      app_.parse(std::move(backwards));
    } catch (const CLI::Error& error) {
      found_.problems.push_back({"", error.what()});
    }
    take_options();
    for (const std::string& word : app_.remaining()) take_other(word);
    if (end != words.end()) found_.operands.insert(found_.operands.end(), end + 1, words.end());
    return std::move(found_);
  }

 private:
  // Declares `option`, except names that an earlier list declared.
  void declare(Option& option) {
    std::string flags;
    const auto add = [&](const std::string& flag, const std::string& prefix) {
      if (app_.get_option_no_throw(flag) != nullptr) return;
      flags += (flags.empty() ? "" : ",") + prefix + flag;
      if (flag.starts_with("--")) names_.push_back(flag.substr(2));
    };
    const bool is_flag = option.type == OptionType::flag;
    add("--" + option.name, "");
    if (!option.other_name.empty()) add("--" + option.other_name, "");
    if (option.short_name != 0) add(std::string("-") + option.short_name, "");
    if (is_flag) add("--no-" + option.name, "!");
    if (flags.empty()) return;
    CLI::Option* declared = is_flag ? app_.add_flag(flags) : app_.add_option(flags);
    // If an option required a value, CLI11 would take the next option as its value.
    if (!is_flag) declared->expected(0, 1)->default_str(no_value);
    declared->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    options_[declared] = &option;
  }

  // Rewrites two forms that CLI11 misreads: an empty value after `=`, and -.5, which it takes as a
  // letter.
  void add_words(const std::string& word, std::vector<std::string>& words) const {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (word.starts_with("--") && word.find('=') == word.size() - 1) {
      words.push_back(word.substr(0, word.size() - 1));
      words.emplace_back();
    } else if (word.size() > 2 && word.starts_with("-.") && is_digit(word[2])) {
      words.push_back("-0" + word.substr(1));
    } else {
      words.push_back(word);
    }
  }

  // CLI11 stores the values of each option and, separately, the order of options.
  void take_options() {
    std::map<const CLI::Option*, std::size_t> taken;
    for (const CLI::Option* given : app_.parse_order()) {
      Option* option = options_.at(given);
      const std::string& text = given->results().at(taken[given]++);
      if (text == no_value) {
        const std::string written = "--" + option->name;
        found_.problems.push_back(
            {"", written + " needs a value: " + written + " " + option->meta});
      } else {
        found_.assignments.push_back({option, text});
      }
    }
  }

  // Handles an operand, or an option that does not exist.
  void take_other(const std::string& word) {
    if (word.starts_with("--")) {
      const std::string name = word.substr(2, word.find('=') - 2);
      const std::string near = nearest_word(name, names_);
      refuse(name, "there is no option --" + name +
                       (near.empty() ? "" : "; did you mean --" + near + "?"));
    } else if (word.size() > 1 && word[0] == '-' && word.find_first_of("0123456789") != 1) {
      refuse(word.substr(1, 1), "there is no option " + word.substr(0, 2));
    } else {
      found_.operands.push_back(word);
    }
  }

  void refuse(const std::string& name, const std::string& why) {
    found_.unknown.push_back({name, found_.problems.size()});
    found_.problems.push_back({"", why});
  }

  CLI::App app_;
  std::map<const CLI::Option*, Option*> options_;
  std::vector<std::string> names_;
  Arguments found_;
};

}  // namespace

Arguments parse_arguments(std::span<const std::string> words,
                          std::initializer_list<const OptionList*> lists) {
  return Parser(lists).parse(words);
}

void set_all(const std::vector<Arguments::Assignment>& assignments,
             std::vector<Problem>& problems) {
  for (const auto& assignment : assignments) {
    attempt(problems, [&] { assignment.option->set(assignment.text); });
  }
}

}  // namespace dapple::app

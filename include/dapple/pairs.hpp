// What options ask of each other. A table of rules stands beside the options of each command; one
// place holds all of them, so that no option is ignored in silence:
//
//     constexpr PairRule pairs[]{
//         {"tries", Pair::needs, "method bridson"},
//         {"no-overlap", Pair::excludes, "path tsp", "which draws no dots"},
//     };
//
// A rule is about options that are given: whose value is not the default.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>

#include "dapple/forward.hpp"

namespace dapple {

// wants: as needs, but a preset may say it for runs that have no use for it.
enum class Pair { needs, wants, excludes };

struct PairRule {
  std::string_view options;  // one of them, or several that stand in a row, as FIRST..LAST
  Pair kind = Pair::needs;
  // Any of these, with " or " between them: an option that is given, one that has some value
  // ("method darts|dense"; of a list, one of its items, or of pairs in it, "pack ..=color" for
  // R=color.G; "shape FILE.svg": any file), or the operand of the command ("MAP").
  std::string_view companions;
  std::string_view why = {};  // of what is excluded; ends a sentence
};

// Throws one Error(usage) with every pair of options that breaks a rule, both by name. The lists
// are searched as one; a rule about an option that is in none of them holds. `operand` is the word
// that rules have for the operand, "" where there is none.
void check_together(std::span<const PairRule> rules, std::initializer_list<const OptionList*> lists,
                    std::string_view operand = {}, bool has_operand = false);
// Checks the options that `describe_all` adds to an empty list, as check_together() does.
void check_described(std::span<const PairRule> rules,
                     const std::function<void(OptionList& list)>& describe_all);
template <class Options>
void check_together(std::span<const PairRule> rules, const Options& options) {
  Options values;  // described as they are by default
  check_described(rules, [&](OptionList& list) {
    describe(values, list);
    values = options;
  });
}

// Adds to the documentation of options what they need.
void tell_needs(std::span<const PairRule> rules, const OptionList& list);

}  // namespace dapple

// Declares rules between options. Each command has a table of its rules beside its options, so that
// no option is ignored in silence:
//
//     constexpr PairRule pairs[]{
//         {"tries", Pair::needs, "method bridson"},
//         {"no-overlap", Pair::excludes, "path tsp", "which draws no dots"},
//     };
//
// A rule applies to options that are given: their value is not the default.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>

#include "dapple/forward.hpp"

namespace dapple {

// wants: as needs, but a preset may set the option for runs that have no use for it.
enum class Pair { needs, wants, excludes };

struct PairRule {
  std::string_view options;  // one option, or several neighbors in the list, as FIRST..LAST
  Pair kind = Pair::needs;
  // Any of these, with " or " between them: a given option, an option with some value ("method
  // darts|dense"), or the operand of the command ("MAP"). A value is also an item of a list, or
  // part of a pair: "pack ..=color" fits R=color.G. "shape FILE.svg" fits any file.
  std::string_view companions;
  std::string_view why = {};  // the reason for an exclusion; ends a sentence
};

// Throws one Error(usage) that names every pair of options that breaks a rule. The lists are
// searched as one. A rule about an option that no list holds is not broken. `operand` is the word
// of the rules for the operand, "" if there is none.
void check_together(std::span<const PairRule> rules, std::initializer_list<const OptionList*> lists,
                    std::string_view operand = {}, bool has_operand = false);
// Applies check_together() to the options that `describe_all` adds to an empty list.
void check_described(std::span<const PairRule> rules,
                     const std::function<void(OptionList& list)>& describe_all);
template <class Options>
void check_together(std::span<const PairRule> rules, const Options& options) {
  Options values;  // describes the defaults before the values are set
  check_described(rules, [&](OptionList& list) {
    describe(values, list);
    values = options;
  });
}

// Adds to the documentation of options the companions that they need.
void document_rules(std::span<const PairRule> rules, const OptionList& list);

}  // namespace dapple

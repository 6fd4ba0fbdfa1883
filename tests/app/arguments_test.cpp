// Words of a command line to options and operands.
#include "app/arguments.hpp"

#include <gtest/gtest.h>

#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

struct Fields {
  Fields() {
    list.add("seed", seed, "").alias("start-at");
    list.add("wrap", wrap, "");
    list.add("quiet", quiet, "").letter('q');
    list.add("verbose", verbose, "").letter('v');
    list.add_each("out", outputs, "").metavar("FILE").letter('o');
    list.add("title", title, "").metavar("TEXT");
    other.add("title", ignored, "");
    other.add("count", count, "");
  }
  Arguments parse(const std::vector<std::string>& words) {
    return parse_arguments(words, {&list, &other});
  }
  // Assignments as `name=text`, in order.
  std::vector<std::string> assigned(const std::vector<std::string>& words) {
    const Arguments arguments = parse(words);
    EXPECT_TRUE(arguments.problems.empty());
    std::vector<std::string> all;
    for (const auto& [option, text] : arguments.assignments) {
      all.push_back(option->name + "=" + text);
    }
    return all;
  }

  OptionList list, other;
  std::int64_t seed = 0, count = 0;
  bool wrap = true, quiet = false, verbose = false;
  std::vector<std::string> outputs;
  std::string title, ignored;
};

using Words = std::vector<std::string>;

TEST(Arguments, EveryFormOfAValue) {
  EXPECT_EQ(Fields().assigned({"--seed", "3", "--seed=4", "--start-at", "5", "-oa", "-o", "b"}),
            (Words{"seed=3", "seed=4", "seed=5", "out=a", "out=b"}));
  EXPECT_EQ(Fields().assigned({"--title=", "--title", "", "--title=a=b", "--title=[a,b]"}),
            (Words{"title=", "title=", "title=a=b", "title=[a,b]"}));
  EXPECT_EQ(Fields().assigned({"--title={}", "--title", "a,b", "--title", "-"}),
            (Words{"title={}", "title=a,b", "title=-"}));
}

TEST(Arguments, NegativeNumbersAreValues) {
  EXPECT_EQ(Fields().assigned({"--seed", "-1", "--title", "-2px", "--title", "-3,-4"}),
            (Words{"seed=-1", "title=-2px", "title=-3,-4"}));
  EXPECT_EQ(Fields().assigned({"--title", "-.5"}), (Words{"title=-0.5"}));
}

TEST(Arguments, Flags) {
  EXPECT_EQ(Fields().assigned({"--no-wrap", "-qv", "--wrap", "--wrap=false", "-vqotext"}),
            (Words{"wrap=false", "quiet=true", "verbose=true", "wrap=true", "wrap=false",
                   "verbose=true", "quiet=true", "out=text"}));
}

TEST(Arguments, OrderHoldsAcrossOptions) {
  EXPECT_EQ(
      Fields().assigned({"-o", "1", "--seed", "2", "--count", "3", "-q", "-o", "4", "--seed", "5"}),
      (Words{"out=1", "seed=2", "count=3", "quiet=true", "out=4", "seed=5"}));
}

TEST(Arguments, TheEarlierListWins) {
  Fields fields;
  const Arguments arguments = fields.parse({"--title", "a"});
  ASSERT_EQ(arguments.assignments.size(), 1u);
  EXPECT_EQ(arguments.assignments[0].option, fields.list.find("title"));
}

TEST(Arguments, OperandsStandAnywhere) {
  const Arguments arguments = Fields().parse({"a", "-q", "b", "-", "-1", "--", "-o", "--", "--x"});
  EXPECT_EQ(arguments.operands, (Words{"a", "b", "-", "-1", "-o", "--", "--x"}));
  EXPECT_TRUE(arguments.problems.empty());
  EXPECT_TRUE(arguments.unknown.empty());
}

TEST(Arguments, AllProblemsAtOnce) {
  const Arguments arguments = Fields().parse(
      {"--sed", "4", "-Z", "--seed", "--out", "-q", "--no-wrpa", "--xyzzy=1", "--title", "--"});
  EXPECT_FALSE(arguments.unknown.empty());
  Words problems;
  for (const Problem& problem : arguments.problems) problems.push_back(problem.text());
  std::sort(problems.begin(), problems.end());
  EXPECT_EQ(problems, (Words{"--out needs a value: --out FILE", "--seed needs a value: --seed N",
                             "--title needs a value: --title TEXT",
                             "there is no option --no-wrpa; "
                             "did you mean --no-wrap?",
                             "there is no option --sed; did you mean "
                             "--seed?",
                             "there is no option --xyzzy", "there is no option -Z"}));
}

}  // namespace
}  // namespace dapple::app

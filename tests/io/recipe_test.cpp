// Recipes: every option of every operation through TOML and back, and what is said about bad ones.
#include "dapple/recipe.hpp"

#include <gtest/gtest.h>

#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "io/jobs_toml.hpp"

namespace dapple {
namespace {

std::string message_of(const std::function<void()>& step) {
  try {
    step();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "nothing was thrown";
}

// Values that are worth trying for an option, from what it says about itself.
std::vector<std::string> candidates(const Option& option) {
  std::vector<std::string> texts;
  if (!option.choices.empty()) {
    texts = option.choices;
    if (option.type == OptionType::list) {
      texts.push_back(option.choices.front() + "," + option.choices.back());
    }
    return texts;
  }
  switch (option.type) {
    case OptionType::flag:
      return {"true", "false"};
    case OptionType::integer:
      texts = {"3", "2", "7", "1"};
      if (option.minimum) texts.push_back(shortest(*option.minimum));
      if (option.maximum && *option.maximum < 1e9) texts.push_back(shortest(*option.maximum));
      return texts;
    case OptionType::number:
      texts = {"0.1", "0.30000000000000004", "1e-07", "3", "123456789012345680000", "none"};
      if (option.minimum && option.maximum) {
        texts.push_back(shortest((*option.minimum + *option.maximum) / 3));
        texts.push_back(shortest(*option.minimum));
      }
      return texts;
    case OptionType::list:
      return {"a,b", "f1,id", "R=edge,B=normal.B", "#000,#a0b1c2",
              "oak=a,b.png:4:9,fern=c:2.png:3"};
    case OptionType::text:
    case OptionType::image:
    case OptionType::points:
    case OptionType::mesh:
    case OptionType::text_file:
      return {"0.5mm:2mm", "2.5mm", "12",  "64x48",      "210x297mm", "center",   "1,2",
              "#a0b1c2",   "red",   "g",   "cmyk",       "a \"b\"\\", "t\tab",    "line\nbreak",
              "ä/ö.png",   "true",  "1e5", "0,-1,10,20", "star.svg",  "gauss:1.5"};
  }
  return texts;
}

class EveryOption : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryOption, RoundTripsThroughToml) {
  const Operation& operation = *find_operation(GetParam());
  if (operation.make == nullptr) GTEST_SKIP();
  const auto first = operation.make();
  OptionList options;
  first->describe(options);
  for (const auto& option : options) {
    int accepted = 0;
    for (const std::string& text : candidates(*option)) {
      const auto job = operation.make();
      OptionList set;
      job->describe(set);
      try {
        set.find(option->name)->set(text);
      } catch (const Error&) {
        continue;
      }
      if (!set.find(option->name)->is_default()) ++accepted;
      for (const bool all : {false, true}) {
        const std::string toml = to_toml(make_recipe(operation.name, set, all), set);
        const auto again = operation.make();
        OptionList read;
        again->describe(read);
        const Recipe recipe = parse_recipe(toml, "test.toml");
        EXPECT_EQ(recipe.command, operation.name);
        apply(recipe, read, "test.toml");
        for (const auto& other : set) {
          EXPECT_EQ(read.find(other->name)->get(), other->get())
              << "--" << option->name << "=" << text << " in\n"
              << toml;
        }
        EXPECT_EQ(to_toml(make_recipe(operation.name, read, all), read), toml);
      }
    }
    EXPECT_GT(accepted, 0) << "no value other than the default was tried for --" << option->name;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Operation& row : operations()) all.emplace_back(row.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryOption, ::testing::ValuesIn(names()),
                         [](const auto& row) { return row.param; });

// Options of every type, without an operation.
struct Fields {
  bool wrap = true;
  int tries = 30;
  std::int64_t count = 0;
  std::uint64_t key = 1;
  double sigma = 1.5;
  std::optional<double> slope = 1.0;
  std::string ink = "black";
  std::vector<std::string> outputs{"f1"};
  Size size{512, 256};
  LengthRange radius;
  ImageInput mask;

  void describe(OptionList& list) {
    list.add("wrap", wrap, "");
    list.add("tries", tries, "").range(1, 1000);
    list.add("count", count, "");
    list.add("key", key, "");
    list.add("sigma", sigma, "").range(0, 1e30);
    list.add("slope", slope, "");
    list.add("ink", ink, "");
    list.add("outputs", outputs, "").alias("output").words({"f1", "f2", "id"});
    list.add("size", size, "");
    list.add("radius", radius, "");
    list.add("mask", mask, "");
  }
};

TEST(Recipe, ValuesAreTyped) {
  Fields fields;
  OptionList list;
  fields.describe(list);
  fields.wrap = false;
  fields.tries = 7;
  fields.count = std::numeric_limits<std::int64_t>::min();
  fields.key = 9223372036854775807ULL;
  fields.sigma = 123456789012345680000.0;  // looks whole, but TOML's integers end below
  fields.slope.reset();
  fields.ink = "a \"quoted\" \\ text\n\x01";
  fields.outputs = {"f1", "id"};
  const std::string toml = to_toml(make_recipe("worley", list, false), list);
  EXPECT_EQ(toml,
            "command = \"worley\"\n"
            "wrap = false\n"
            "tries = 7\n"
            "count = -9223372036854775808\n"
            "key = 9223372036854775807\n"
            "sigma = 123456789012345683968.0\n"
            "slope = \"none\"\n"
            "ink = \"a \\\"quoted\\\" \\\\ text\\u000a\\u0001\"\n"
            "outputs = [\"f1\", \"id\"]\n");
  Fields again;
  OptionList read;
  again.describe(read);
  apply(parse_recipe(toml, "x"), read, "x");
  EXPECT_EQ(again.count, fields.count);
  EXPECT_EQ(again.key, fields.key);
  EXPECT_EQ(again.sigma, fields.sigma);
  EXPECT_FALSE(again.slope);
  EXPECT_EQ(again.ink, fields.ink);
  EXPECT_EQ(again.outputs, fields.outputs);
}

// The last of them holds, as UTF-8, a character that stands for a byte.
TEST(Recipe, NamesThatAreNotUtf8ReadBackAsTheyWere) {
  for (const std::string name :
       {"caf\xe9.png", "\xff", "\xed\xa0\x80\xc0\xaf", "caf\xc3\xa9 \xf0\x9f\x8e\xa8", "\xee\xbe",
        "\xee\xbe\xa9 \xee\xbf\xbf \xee\xbd\x80"}) {
    Recipe recipe;
    recipe.input = name;
    recipe.comment = "What it is";
    const std::string toml = to_toml(recipe, {});
    const Recipe read = parse_recipe(toml, "x");
    EXPECT_EQ(read.input, name) << toml;
    EXPECT_EQ(read.comment, "What it is");
  }
}

TEST(Recipe, KeysBesideTheOptions) {
  const Recipe recipe = parse_recipe(
      "# Cells of a leaf\n#\n# for screens\n"
      "command = 'worley'\nversion = '0.1.0'\ninput = 'a.png'\ninput_hash = 'h'\n"
      "seed = 9223372036854775807\nmask_hash = 'm'\nsigma = 0x10\n# not this one\noutput = ['f1', "
      "'f2']\n",
      "cells.toml");
  EXPECT_EQ(recipe.comment, "Cells of a leaf\n\nfor screens");
  EXPECT_EQ(recipe.command, "worley");
  EXPECT_EQ(recipe.input, "a.png");
  EXPECT_EQ(recipe.input_hash, "h");
  EXPECT_TRUE(recipe.has_seed);
  EXPECT_EQ(recipe.seed, 9223372036854775807ULL);
  ASSERT_EQ(recipe.file_hashes.size(), 1u);
  EXPECT_EQ(recipe.file_hashes[0].first, "mask");
  ASSERT_EQ(recipe.settings.size(), 2u);
  EXPECT_EQ(recipe.settings[0].text, "16");
  EXPECT_EQ(recipe.settings[0].line, 10);
  EXPECT_EQ(recipe.settings[1].text, "f1,f2");
  Fields fields;
  OptionList list;
  fields.describe(list);
  apply(recipe, list, "cells.toml");
  EXPECT_EQ(fields.outputs, (std::vector<std::string>{"f1", "f2"}));
  // What was read is written as it was read.
  const Recipe again = parse_recipe(to_toml(recipe, list), "x");
  EXPECT_EQ(to_toml(again, list), to_toml(recipe, list));
}

TEST(Recipe, SyntaxErrorsNameTheirPlace) {
  EXPECT_EQ(message_of([] {
              parse_recipe("size = 3\nsigma = = 2\n", "dir/a.toml");
            }).find("dir/a.toml:2:9: "),
            0u);
  const std::string twice = message_of([] { parse_recipe("a = 1\n\n  a = 2\n", "a.toml"); });
  EXPECT_EQ(twice.find("a.toml:3:"), 0u) << twice;
}

TEST(Recipe, EveryBadKeyIsReportedWithItsPlace) {
  EXPECT_EQ(message_of([] {
              parse_recipe("command = 3\nseed = -1\n[field]\nx = 1\n[other]\n", "a.toml");
            }),
            "a.toml:1:1: command: expected a text in quotes\n"
            "a.toml:3:2: 'field' is a table, but a recipe is a flat list of options\n"
            "a.toml:5:2: 'other' is a table, but a recipe is a flat list of options\n"
            "a.toml:2:1: seed: expected a whole number from 0 to 9223372036854775807");
  const std::string nested = message_of([] { parse_recipe("a = [[1]]\nb = ['x,y']\n", "a.toml"); });
  EXPECT_NE(nested.find("a.toml:1:1: a: expected"), std::string::npos) << nested;
  EXPECT_NE(nested.find("a.toml:2:1: b: expected"), std::string::npos) << nested;
}

TEST(Recipe, EveryBadValueIsReportedWithItsPlaceAndTheNearestName) {
  Fields fields;
  OptionList list;
  fields.describe(list);
  const Recipe recipe = parse_recipe(
      "tries = 0\nsigam = 2\n wrap = 'maybe'\noutputs = ['f1', 'f9']\ntries2 = 5\n", "bad.toml");
  const std::string message = message_of([&] { apply(recipe, list, "bad.toml"); });
  EXPECT_EQ(message,
            "bad.toml:1:1: tries: must be from 1 to 1000, not 0\n"
            "bad.toml:2:1: there is no option 'sigam'; did you mean 'sigma'?\n"
            "bad.toml:3:2: wrap: expected true or false, not 'maybe'\n"
            "bad.toml:4:1: outputs: 'f9' is not one of f1, f2, id; did you mean 'f1'?\n"
            "bad.toml:5:1: there is no option 'tries2'; did you mean 'tries'?");
  EXPECT_EQ(fields.tries, 30);
}

TEST(Recipe, KeysOfAnotherKindAreErrors) {
  for (const char* text :
       {"seed = -1\n", "seed = \"7\"\n", "outputs = [\"f1,id\"]\n", "outputs = [[\"f1\"]]\n",
        "outputs = [1979-05-27]\n", "command = 7\n", "[outputs]\nf1 = 1\n"}) {
    EXPECT_NE(message_of([&] { parse_recipe(text, "k.toml"); }).find("k.toml:1:"),
              std::string::npos)
        << text;
  }
}

// Files of other systems, and comments with empty lines.
TEST(Recipe, CommentsComeBack) {
  const Recipe recipe = parse_recipe("# Dots\r\n#\r\n#for walls\r\nseed = 3\r\n", "x");
  EXPECT_EQ(recipe.comment, "Dots\n\nfor walls");
  EXPECT_EQ(to_toml(recipe, {}), "# Dots\n#\n# for walls\nseed = 3\n");
  EXPECT_EQ(parse_recipe("# alone", "x").comment, "alone");
}

// What no option would take is still TOML, for the message that will say so.
TEST(Recipe, TextsThatAreNoValuesAreWrittenAsTexts) {
  Fields fields;
  OptionList list;
  fields.describe(list);
  Recipe recipe;
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"wrap", "maybe"},
                                                        {"tries", "007"},
                                                        {"tries", "7x"},
                                                        {"sigma", "-"},
                                                        {"sigma", "1e5"},
                                                        {"outputs", ""},
                                                        {"outputs", "f1,"},
                                                        {"no option", "a"}}) {
    recipe.settings.push_back({name, text, 0, 0});
  }
  EXPECT_EQ(to_toml(recipe, list),
            "wrap = \"maybe\"\ntries = \"007\"\ntries = \"7x\"\nsigma = \"-\"\nsigma = 1e5\n"
            "outputs = []\noutputs = [\"f1\"]\n\"no option\" = \"a\"\n");
}

// Earlier versions wrote 0 where no sphere was given.
TEST(Recipe, OfEarlierVersionsSayThatAnOptionIsNotGiven) {
  const Operation* sample = find_operation("sample");
  ASSERT_NE(sample, nullptr);
  for (const char* const zero : {"0", "0.0", "\"0\""}) {
    const auto job = sample->make();
    OptionList list;
    job->describe(list);
    list.find("sphere")->set("3");
    apply(parse_recipe(std::string("sphere = ") + zero, "old.toml"), list, "old.toml");
    EXPECT_TRUE(list.find("sphere")->is_default()) << zero;
    EXPECT_NE(message_of([&] { list.find("sphere")->set("0"); }).find("not 0"), std::string::npos);
  }
}

TEST(Recipe, OfEarlierVersionsNameWhatReplacesAnOption) {
  const auto job = find_operation("stipple")->make();
  OptionList list;
  job->describe(list);
  EXPECT_EQ(message_of([&] { apply(parse_recipe("edges = 0.5", "old.toml"), list, "old.toml"); }),
            "old.toml:1:1: there is no option 'edges': use 'sharpen'");
}

TEST(Recipe, HostileFilesAreErrors) {
  for (const std::string& text :
       {std::string("\xff\xfe"), std::string("a = 1e999999\n"), std::string("\0\0", 2),
        "a = " + std::string(100000, '['), std::string("a = 99999999999999999999\n"),
        std::string("= 1"), std::string("a = \"\n\"")}) {
    EXPECT_NE(message_of([&] {
                Fields fields;
                OptionList list;
                fields.describe(list);
                apply(parse_recipe(text, "h.toml"), list, "h.toml");
              }).find("h.toml:"),
              std::string::npos);
  }
}

// ---- batch files --------------------------------------------------------------------------------

std::vector<std::string> values_of(const std::string& value) {
  const std::vector<JobTable> jobs = parse_jobs("[[job]]\nradius = " + value + "\n", "a.toml");
  return jobs.at(0).keys.at(0).values;
}

// Tables of tables are deleted by recursion, so very deep ones would overflow the stack.
TEST(Recipe, KeysWithVeryManyDotsAreErrors) {
  std::string key = "a";
  for (int i = 0; i < 200000; ++i) key += i % 2 == 0 ? ".a" : " . 'a'";
  const std::string deep = key + " = 1\n";
  for (const std::string& toml :
       {deep, "\n[" + key + "]\nx = 1\n", R"(x = { s = """a"b""", )" + deep, R"("=\"#".)" + deep,
        "# '\n" + deep, "s = '''\n\"'''\n" + deep}) {
    const auto expect_refused = [&](const auto& read) {
      try {
        read();
        ADD_FAILURE() << "was read: " << toml.substr(0, 40);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_NE(std::string(error.what()).find("a key has more than 100 dots"), std::string::npos)
            << error.what();
      }
    };
    expect_refused([&] { parse_recipe(toml, "x.toml"); });
    expect_refused([&] { parse_jobs(toml, "x.toml"); });
  }
  // Dots in values and comments do not count.
  const std::string dots(5000, '.');
  const Recipe text = parse_recipe("stem = \"" + dots + "\" # " + dots + "\n", "x");
  EXPECT_EQ(text.settings.at(0).text, dots);
  std::string list = "1.5";
  for (int i = 0; i < 300; ++i) list += ", 1.5";
  EXPECT_EQ(parse_recipe("list = [" + list + "]\n", "x").settings.at(0).text.size(), 301 * 4u - 1);
}

TEST(Jobs, RangesAreDecimals) {
  EXPECT_EQ(values_of("{ from = 0.1, to = 0.5, step = 0.1 }"),
            (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(values_of("{ from = 7, to = 1, step = -3 }"),
            (std::vector<std::string>{"7", "4", "1"}));
  EXPECT_EQ(values_of("{ from = 1, to = 2, step = 0.5 }"),
            (std::vector<std::string>{"1", "1.5", "2"}));
  EXPECT_EQ(values_of("{ from = 9007199254740991, to = 9007199254740992 }"),
            (std::vector<std::string>{"9007199254740991", "9007199254740992"}));
  // One table is a list of one.
  EXPECT_EQ(parse_jobs("size = 8\n[job]\ncommand = \"mask\"\n", "a.toml").at(0).keys.size(), 2u);
}

TEST(Jobs, TheirOwnKeysWinOverThoseOfAll) {
  const auto jobs = parse_jobs("size = 8\nseed = 2\n[[job]]\nsize = 16\n[[job]]\n", "a.toml");
  ASSERT_EQ(jobs.size(), 2U);
  ASSERT_EQ(jobs[0].keys.size(), 2U);
  EXPECT_EQ(jobs[0].keys[1].values, std::vector<std::string>{"16"});
  EXPECT_EQ(jobs[1].keys[0].values, std::vector<std::string>{"8"});
}

TEST(Jobs, ValuesThatMakeNoJobSayWhy) {
  const std::pair<const char*, const char*> cases[] = {
      {"{ from = 1, too = 3 }", "not 'too'"},
      {"{ from = \"a\", to = 3 }", "from must be a number"},
      {"{ from = 1 }", "needs from and to"},
      {"{ to = 1 }", "needs from and to"},
      {"{ from = 1, to = 3, step = -1 }", "is empty"},
      {"{ from = 1, to = nan }", "from, to and step must be from"},
      {"{ from = 1, to = 3, step = nan }", "from, to and step must be from"},
      {"{ from = 1, to = 3, step = 9223372036854775807 }", "from, to and step must be from"},
      {"{ from = 1, to = 3, step = 0 }", "more than a million"},
      {"{ from = 1, to = 1e9 }", "more than a million"},
      {"{ from = -9223372036854775807, to = 9223372036854775807, step = 4611686018427387904 }",
       "from, to and step must be from"},
      {"[]", "the list is empty"},
      {"[{ from = 1 }]", "expected a list of texts"},
      {"1979-05-27", "expected a text, a number"}};
  for (const auto& [value, expected] : cases) {
    try {
      values_of(value);
      ADD_FAILURE() << value;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos)
          << value << " gives: " << error.what();
      EXPECT_EQ(error.problems().front().place, "a.toml:2:1") << value;
    }
  }
  EXPECT_THROW(parse_jobs("job = 3\n", "a.toml"), Error);
}

}  // namespace
}  // namespace dapple

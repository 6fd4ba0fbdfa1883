// Extremes of every option of every command, taken from the lists of options themselves: whatever a
// value is, the program ends by itself, with an exit code that says why, in little time and memory.
#include "dapple/extend/options.hpp"

#include <sys/resource.h>

#include "app/command.hpp"
#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

using app::Command;

// A cheap run of each command; options in it give way to the one that is tried.
const std::map<std::string, std::vector<Words>> runs{
    {"sample", {{"p.png", "--count", "20", "-o", "o.csv"}, {"--size", "16", "-o", "o.svg"}}},
    {"stipple",
     {{"p.png", "--dots", "20", "-o", "o.svg"}, {"p.png", "--paper", "A6", "-o", "o.png"}}},
    {"mask", {{"--size", "16", "-o", "o.png"}}},
    {"worley",
     {{"--size", "16", "--count", "9", "-o", "o.png"}, {"--points", "p.csv", "-o", "o.tif"}}},
    {"dither", {{"p.png", "-o", "o.png"}}},
    {"analyze", {{"p.csv"}, {"p.png"}}},
    {"compare", {{"p.csv", "q.csv"}}},
    {"batch", {{"plan", "jobs.toml"}, {"run", "jobs.toml"}}},
    {"reproduce", {{"p.png", "-o", "o.png"}}},
};

Words values_of(const Option& option) {
  Words values = option.choices;
  const auto also = [&](std::initializer_list<const char*> more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  if (option.minimum) values.push_back(shortest(*option.minimum));
  if (option.maximum) values.push_back(shortest(*option.maximum));
  also({"", " ", "-", "\xff\xfe", "\x1b[31mred", "'\"`$(true)", "none"});
  switch (option.type) {
    case OptionType::flag:
      also({"true", "maybe"});
      break;
    case OptionType::integer:
      also({"0", "-1", "1", "2147483647", "-2147483648", "4294967296", "9223372036854775807",
            "9223372036854775808", "1e3", "0x10"});
      break;
    case OptionType::number:
      also({"0", "-0", "5e-324", "1e-9", "1e9", "1.7e308", "-1.7e308", "nan", "inf", "1e999"});
      break;
    case OptionType::image:
    case OptionType::points:
    case OptionType::mesh:
    case OptionType::text_file:
      also({"missing.png", ".", "/dev/null", "/dev/zero", "p.png", "p.csv", "jobs.toml"});
      break;
    case OptionType::text:
    case OptionType::list:
      also({"0",
            "-1",
            "5e-324",
            "1e-9",
            "1e9",
            "1e308",
            "nan",
            "1:1e300",
            "1e300:1",
            "1e30in",
            "1e30%",
            "1e-300mm",
            "0:0",
            "1:2:3",
            "0x0",
            "2147483647x1",
            "1x2147483647",
            "65536x65536",
            "1e9x1e9",
            "1x1x2147483647",
            "16x16x16",
            "A0",
            "1,2,3",
            "a,,b",
            "a=p.ppm:1e-9:2",
            "a=p.ppm:4:1e9,a=:1:2,b=/dev/zero:2",
            "0,0,1e300,1e300",
            "0,0,1e6,1e6",
            "center",
            "2147483648",
            "../..",
            "/dev/full"});
      values.push_back(std::string(100000, '9'));
      break;
  }
  return values;
}

// The words of a run, with the option in place of what it says of it.
Words words_of(const std::string& command, const Words& run, const Option& option,
               const std::string& value) {
  Words words{command};
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool own = run[i] == "--" + option.name || (run[i] == "-o" && option.name == "output");
    if (own) {
      ++i;
    } else {
      words.push_back(run[i]);
    }
  }
  words.push_back("--" + option.name + "=" + value);
  return words;
}

// Many times what any of these needs.
void limit_memory_and_time() {
  const rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30};
  const rlimit seconds{20, 20};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CPU, &seconds);
}

TEST(Faults, ExtremesOfEveryOption) {
  Sweep sweep("extremes of options");
  const auto make = [&](Words words) {
    words.insert(words.begin(), DAPPLE_PROGRAM);
    ASSERT_EQ(test::run_process(words, sweep.folder.path()).code, 0);
  };
  make({"mask", "--size", "16", "-o", "p.png"});
  make({"sample", "--size", "64", "--count", "30", "-o", "p.csv"});
  make({"sample", "--size", "64", "--count", "30", "--seed", "2", "-o", "q.csv"});
  sweep.folder.write("jobs.toml",
                     "[[job]]\ncommand = \"mask\"\nsize = \"16\"\noutput = \"j.png\"\n");
  Spawn how;
  how.before = limit_memory_and_time;
  int at = 0;
  for (const Command& command : app::commands()) {
    const auto found = runs.find(command.name);
    if (found == runs.end()) continue;
    for (const Words& run : found->second) {
      const auto invocation = command.make();
      for (const OptionList* list : {&invocation->options(), &std::as_const(invocation->common)}) {
        for (const auto& option : *list) {
          for (const std::string& value : values_of(*option)) {
            if (at++ % every(40) != 0) continue;
            Words words = words_of(command.name, run, *option, value);
            std::string line = "dapple";
            for (const std::string& word : words) line += " " + word.substr(0, 60);
            words.insert(words.begin(), DAPPLE_PROGRAM);
            const Outcome outcome = sweep.run_line(words, how, {0, 1, 2, 3, 4, 5, 6}, line);
            sweep.require(outcome.code == 0 || !(outcome.err + outcome.out).empty(),
                          line + " fails without a word");
          }
        }
      }
    }
  }
  EXPECT_GT(at, 10000);
}

}  // namespace
}  // namespace dapple::faults

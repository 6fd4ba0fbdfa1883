// Reads the tables of a batch file without interpreting their keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// One key of a [[job]]. A list or a range `{ from = 1, to = 300, step = 1 }` has several values;
// each is a text for Option::set.
struct JobKey {
  std::string name;
  std::vector<std::string> values;
  bool list = false;   // written as a list
  bool quoted = true;  // written as text, not as a whole number, flag or range
  std::string joined;  // a list as one value: its items separated by commas
  int line = 0;
  int column = 0;
};

struct JobTable {
  std::vector<JobKey> keys;  // in file order; keys above the first [[job]] come first,
                             // unless the job sets them too
  int line = 0;
};

// Reads the jobs of a batch file. Messages give the place as file:line:column. Throws one
// Error(usage) with all problems.
std::vector<JobTable> parse_jobs(std::string_view toml, const std::string& file);

// Quotes a text. utf8_of_name() encodes bytes that are not UTF-8, and reading decodes them.
std::string toml_text(std::string_view text);

}  // namespace dapple

// The tables of a batch file, before anybody has asked what their keys mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// One key of a [[job]]. A list or a range `{ from = 1, to = 300, step = 1 }` has several values,
// each as the text that Option::set reads.
struct JobKey {
  std::string name;
  std::vector<std::string> values;
  bool list = false;   // written as a list
  bool quoted = true;  // written as text; whole numbers, flags and ranges are not
  std::string joined;  // a list as one value: its items with commas between them
  int line = 0;
  int column = 0;
};

struct JobTable {
  std::vector<JobKey> keys;  // in the order of the file; keys above the first [[job]] come first,
                             // where the job itself does not have them
  int line = 0;
};

// `file` is for messages, which say file:line:column. Throws one Error(usage) that lists every
// problem.
std::vector<JobTable> parse_jobs(std::string_view toml, const std::string& file);

// A text in quotes. Bytes that are no UTF-8 are written as utf8_of_name() does, and read back.
std::string toml_text(std::string_view text);

}  // namespace dapple

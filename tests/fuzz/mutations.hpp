// The files that fuzzers begin with, and changes to them of the kinds that break readers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"

namespace dapple::fuzz {

// The files of a folder of the corpus by their names, in the same order everywhere.
std::map<std::string, std::string> corpus(std::string_view folder);

// One to four changes: bits, lost and doubled pieces, huge numbers, early ends, and pieces of
// other files.
void mutate(std::string& bytes, const std::vector<std::string>& others, Random& random);

}  // namespace dapple::fuzz

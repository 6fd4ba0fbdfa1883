// Small pictures of every format, and every way in which a format stores them.
#pragma once

#include <map>
#include <string>

namespace dapple::faults {

// The bytes by a name. Those that the program writes are written by it, others come from the corpus
// of the fuzzers, of which huge.png and nan.hdr are no pictures.
std::map<std::string, std::string> pictures();

// What reads a picture, by its first bytes; "targa" where these say nothing.
std::string format_of(const std::string& bytes);

}  // namespace dapple::faults

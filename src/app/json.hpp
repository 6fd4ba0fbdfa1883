// The object that --json prints, for success and for failure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/run/record.hpp"
#include "dapple/error.hpp"

namespace dapple::app {

using Json = nlohmann::ordered_json;

// How every object begins: its command and version.
Json json_head(const std::string& command);
// An object as text; an indent below 0 leaves it on one line. Paths need not be UTF-8, JSON must
// be.
std::string text_of(const Json& object, int indent = 2);

std::string json_of(const Record& record);
// A run that failed; `command` may be empty where the command line did not get that far.
std::string json_of(const std::string& command, ErrorKind kind, const std::string& message,
                    const std::vector<std::string>& warnings);
// A recipe that was asked for by --print-recipe.
std::string json_of_recipe(const std::string& command, std::uint64_t seed, const std::string& toml);

}  // namespace dapple::app

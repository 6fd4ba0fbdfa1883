// Builds the object that --json prints, for success and for failure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/run/record.hpp"
#include "dapple/error.hpp"

namespace dapple::app {

using Json = nlohmann::ordered_json;

// Returns the first members of every object: command and version.
Json json_head(const std::string& command);
// Returns an object as text; a negative `indent` keeps it on one line. Bytes of paths that are not
// UTF-8 are replaced.
std::string text_of(const Json& object, int indent = 2);

std::string json_of(const Record& record);
// Describes a failed run. `command` is empty if the error came before a command was found.
std::string json_of(const std::string& command, ErrorKind kind, const std::string& message,
                    const std::vector<std::string>& warnings);
// Describes a recipe that --print-recipe prints.
std::string json_of_recipe(const std::string& command, std::uint64_t seed, const std::string& toml);

}  // namespace dapple::app

// What --json prints: one object, for success and for failure.
#pragma once

#include <string>
#include <vector>

#include "app/run/runner.hpp"
#include "dapple/error.hpp"

namespace dapple::app {

std::string json_of(const Record& record);
// A run that failed; `command` may be empty where the command line did not get that far.
std::string json_of(const std::string& command, ErrorKind kind, const std::string& message,
                    const std::vector<std::string>& warnings);
// A recipe that was asked for by --print-recipe.
std::string json_of_recipe(const std::string& command, std::uint64_t seed, const std::string& toml);

}  // namespace dapple::app

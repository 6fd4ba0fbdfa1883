// Runs of the real program that tell of themselves in JSON.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "program_test.hpp"

namespace dapple::test {

inline const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

class Cli : public ProgramTest {
 protected:
  // Standard output as one JSON object and nothing else.
  static nlohmann::json parsed(const Outcome& outcome) {
    nlohmann::json object = nlohmann::json::parse(outcome.out, nullptr, false);
    EXPECT_TRUE(object.is_object()) << outcome.out;
    return object;
  }
};

}  // namespace dapple::test

// A fixture that runs the real program in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include "subprocess.hpp"

namespace dapple::test {

class ProgramTest : public ::testing::Test {
 protected:
  Outcome run(std::vector<std::string> words, const Spawn& how = {}) const {
    words.insert(words.begin(), tested_program());
    return run_process(words, folder.path(), how);
  }
  // A run that must succeed.
  Outcome good(const std::vector<std::string>& words, const Spawn& how = {}) const {
    Outcome outcome = run(words, how);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }

  TemporaryFolder folder;
};

}  // namespace dapple::test

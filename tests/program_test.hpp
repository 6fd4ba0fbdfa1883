// A fixture that runs the real program in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
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
  // A run of another program of the system that must succeed.
  void tool(std::vector<std::string> words) const {
    words[0] = "/usr/bin/" + words[0];
    const Outcome outcome = run_process(words, folder.path());
    ASSERT_EQ(outcome.code, 0) << words[0] << ' ' << outcome.err;
  }
  Image picture(const std::string& name) const {
    return read_image((folder / name).string(), Limits{});
  }

  TemporaryFolder folder;
};

}  // namespace dapple::test

// Handles of the C interface that free themselves, and what most of its tests ask for.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dapple/dapple.h"

namespace dapple::test {

struct Freed {
  void operator()(dapple_context* context) const { dapple_context_free(context); }
  void operator()(dapple_job* job) const { dapple_job_free(job); }
  void operator()(dapple_result* result) const { dapple_result_free(result); }
};
using Host = std::unique_ptr<dapple_context, Freed>;
using JobHandle = std::unique_ptr<dapple_job, Freed>;
using ResultHandle = std::unique_ptr<dapple_result, Freed>;
using Settings = std::vector<std::pair<std::string, std::string>>;

inline Host host() {
  return Host(dapple_context_new());
}

inline JobHandle job_of(const Host& host, const std::string& operation,
                        const Settings& settings = {}) {
  dapple_job* job = nullptr;
  EXPECT_EQ(dapple_job_new(host.get(), operation.c_str(), &job), DAPPLE_OK)
      << dapple_error_message(host.get());
  for (const auto& [name, text] : settings) {
    EXPECT_EQ(dapple_job_set(job, name.c_str(), text.c_str()), DAPPLE_OK)
        << dapple_error_message(host.get());
  }
  return JobHandle(job);
}

inline ResultHandle result_of(const Host& host, const JobHandle& job) {
  dapple_result* result = nullptr;
  EXPECT_EQ(dapple_job_run(job.get(), &result), DAPPLE_OK) << dapple_error_message(host.get());
  return ResultHandle(result);
}

inline std::string bytes_of(const Host& host, const ResultHandle& result,
                            const std::string& extension) {
  const void* bytes = nullptr;
  size_t count = 0;
  EXPECT_EQ(dapple_result_encode(result.get(), extension.c_str(), &bytes, &count), DAPPLE_OK)
      << dapple_error_message(host.get());
  return {static_cast<const char*>(bytes), count};
}

inline dapple_column column_of(const ResultHandle& result, const std::string& name) {
  dapple_column column{};
  for (size_t i = 0; dapple_result_column(result.get(), i, &column) == DAPPLE_OK; ++i) {
    if (column.name == name) return column;
  }
  return {};
}

}  // namespace dapple::test

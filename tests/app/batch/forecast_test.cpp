// The model of a batch's forecast, given what jobs took.
#include "app/batch/forecast.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "dapple/context.hpp"
#include "subprocess.hpp"

namespace dapple::app {
namespace {

class BatchForecast : public ::testing::Test {
 protected:
  // A kind of two jobs for each size.
  void make(const std::string& sizes) {
    folder.write("jobs.toml", "[[job]]\ncommand = \"mask\"\nsize = " + sizes +
                                  "\nseed = [1, 2]\noutput = \"{size}_{seed}.png\"\n");
    Context context;
    jobs = read_jobs((folder / "jobs.toml").string(), context);
    std::vector<const BatchJob*> all;
    for (const BatchJob& job : jobs) all.push_back(&job);
    forecaster = std::make_unique<Forecaster>(all);
  }
  const BatchJob& job(std::size_t kind) const { return jobs[2 * kind]; }

  test::TemporaryFolder folder;
  std::vector<BatchJob> jobs;
  std::unique_ptr<Forecaster> forecaster;
};

constexpr double gb = 1024;

TEST_F(BatchForecast, AMeasuredJobStandsForItsKind) {
  make("[64, 128]");
  forecaster->add(job(0), {1, 2, gb});
  forecaster->add(job(1), {10, 30, 2 * gb});
  const Forecast forecast = forecaster->forecast(2);
  EXPECT_NEAR(forecast.processor, 2 * (2 + 30), 1e-9);
  EXPECT_NEAR(forecast.seconds, 2 * (1 + 10) / 2.0, 1e-9);
  EXPECT_EQ(forecast.measured, 2u);
  EXPECT_EQ(forecast.guessed, 0u);
}

TEST_F(BatchForecast, KindsBetweenAndBeyondFollowAPowerOfTheWork) {
  make("[256, 512, 1024, 2048]");
  const auto seconds = [&](std::size_t kind) {
    return 1e-3 * std::pow(forecaster->work(job(kind)), 1.5);
  };
  for (const std::size_t kind : {0u, 2u})
    forecaster->add(job(kind), {seconds(kind), seconds(kind)});
  double all = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) all += 2 * seconds(kind);
  EXPECT_NEAR(forecaster->forecast(1).processor, all, 1e-9 * all);
}

// What libraries and tables take does not grow with the work: in proportion, the last would be said
// to take 32 GB.
TEST_F(BatchForecast, MemoryGrowsAlongALine) {
  make("[256, 512, 1024]");
  const auto memory = [&](std::size_t kind) {
    return 4 * gb + gb * forecaster->work(job(kind)) / forecaster->work(job(0));
  };
  for (const std::size_t kind : {0u, 1u}) forecaster->add(job(kind), {1, 1, memory(kind)});
  EXPECT_NEAR(forecaster->forecast(1).memory_mb, memory(2), 1e-6 * memory(2));
}

// And what grows fast between small kinds does not go on like that: along their line, the last
// would be said to take 31 GB.
TEST_F(BatchForecast, MemoryGrowsNoFasterThanTheWork) {
  make("[256, 512, 1024]");
  forecaster->add(job(0), {1, 1, gb});
  forecaster->add(job(1), {1, 1, 7 * gb});
  const double share = forecaster->work(job(2)) / forecaster->work(job(1));
  EXPECT_NEAR(forecaster->forecast(1).memory_mb, share * 7 * gb, gb);
}

TEST_F(BatchForecast, ABegunJobTakesNoLessThanItDid) {
  make("[256, 512]");
  forecaster->add(job(0), {1, 1, gb});
  forecaster->add_begun(job(1), {100, 200, gb});
  EXPECT_NEAR(forecaster->forecast(1).processor, 2 * (1 + 200), 1e-9);
  EXPECT_NEAR(forecaster->forecast(1).seconds, 2 * (1 + 100), 1e-9);
}

TEST_F(BatchForecast, WhatABegunJobTakesIsKnown) {
  make("[256, 512, 1024]");
  for (const std::size_t kind : {0u, 1u}) {
    forecaster->add(job(kind), {1, 1, gb * forecaster->work(job(kind))});
  }
  const double beyond = gb * forecaster->work(job(1)) + gb;
  forecaster->add_begun(job(2), {3, 3, beyond});
  EXPECT_NEAR(forecaster->forecast(1).memory_mb, beyond, 1e-6 * beyond);
}

// A thread that sleeps is at work, as where it waits for a disk, but takes no processor.
TEST_F(BatchForecast, OneKindAloneIsAskedInProportion) {
  make("[256, 512]");
  EXPECT_EQ(forecaster->forecast(1).guessed, 4u);
  forecaster->add(job(1), {1, 1, 4 * gb});
  const Forecast forecast = forecaster->forecast(1);
  EXPECT_EQ(forecast.guessed, 0u);
  EXPECT_GE(forecast.memory_mb, 4 * gb);
  std::vector<const BatchJob*> order{&job(0), &job(1)};
  forecaster->longest_first(order);
  EXPECT_EQ(order.front(), &job(1));
}

TEST_F(BatchForecast, TimesAreToldInUnitsThatSaySomething) {
  Forecast forecast;
  forecast.jobs = 9;
  forecast.guessed = 2;
  for (const auto& [seconds, text] : std::vector<std::pair<double, std::string>>{
           {0.26, "0.3 s"}, {42.4, "42 s"}, {5400, "90 min"}, {72000, "20 h"}}) {
    forecast.seconds = seconds;
    EXPECT_NE(text_of(forecast).find("9 jobs: " + text + " elapsed,"), std::string::npos)
        << text_of(forecast);
  }
  EXPECT_NE(text_of(forecast).find("2 jobs are a guess"), std::string::npos);
}

TEST_F(BatchForecast, StopwatchesTellWorkFromWaiting) {
  const CpuTimer watch;
  volatile double sum = 0;
  for (int i = 0; i < 3'000'000; ++i) sum = sum + 1.0 / (1 + i);
  const Spent worked = watch.spent();
  EXPECT_GT(worked.processor, 0);
  EXPECT_GE(worked.seconds, worked.processor);
  EXPECT_GT(worked.peak_mb, 0);
}

}  // namespace
}  // namespace dapple::app

// The model of a batch's forecast, given what jobs took; jobs as they are read, and plans of them.
#include "app/batch/forecast.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <set>

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

// Every shard reads all jobs, so a job holds only its own seed, files and names.
TEST_F(BatchForecast, JobsOfManySeedsShareTheirOptions) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = 5000 }\noutput = "
               "\"{seed}.png\"\n");
  Context context;
  context.threads = 1;
  jobs = read_jobs((folder / "jobs.toml").string(), context);
  ASSERT_EQ(jobs.size(), 5000u);
  std::set<const JobOptions*> options;
  std::set<std::string> ids;
  for (const BatchJob& job : jobs) {
    options.insert(job.options.get());
    ids.insert(job.id());
  }
  EXPECT_LE(options.size(), 4u);
  EXPECT_EQ(ids.size(), 5000u);
  EXPECT_EQ(jobs[41].outputs, std::vector<std::string>{"42.png"});
  EXPECT_EQ(jobs[41].recipe().seed, 42u);
}

// Shards of batches that differ in anything must not be merged.
TEST_F(BatchForecast, TheHashOfABatchIsOfEverythingInIt) {
  const std::string job =
      "[[job]]\ncommand = \"worley\"\nsize = 8\nseed = [1, 2]\noutput = \"{seed}.png\"\n";
  const auto hash = [&](const std::string& text) {
    folder.write("jobs.toml", text);
    Context context;
    return hash_of(read_jobs((folder / "jobs.toml").string(), context));
  };
  const auto with = [&](const std::string& part, const std::string& other) {
    std::string text = job;
    return text.replace(text.find(part), part.size(), other);
  };
  std::set<std::string> hashes{hash(job)};
  EXPECT_EQ(hash(job + "# a comment\n"), hash(job));
  for (const std::string& other :
       {with("= 8", "= 9"), with("[1, 2]", "[1, 3]"), with("[1, 2]", "1"),
        with("{seed}.png", "{seed}.exr"), job + "no-recipe = true\n", job + "count = 9\n",
        with("{seed}.png", "{seed}_{output}.png") + "material = \"gltf\"\n"}) {
    EXPECT_TRUE(hashes.insert(hash(other)).second) << other;
  }
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Four jobs, the last of which takes much more than the others, on a machine of 8 cores and 16 GB.
class PlanTexts : public ::testing::Test {
 protected:
  PlanTexts() {
    folder.write("jobs.toml",
                 "[[job]]\ncommand = \"mask\"\nsize = [8, 9, 10, 512]\noutput = \"{size}.png\"\n");
    Context context;
    jobs = read_jobs((folder / "jobs.toml").string(), context);
    figures.threads = 1;
    figures.cores = 8;
    figures.memory_mb = 16'000;
    figures.list_mb = 50;
    figures.jobs = {{1.26, 1, 20}, {1.26, 1, 20}, {1.26, 1, 20}, {1200, 1200, 6000}};
  }
  std::string plan(PlanFormat format, int shards = 0) const {
    return plan_text(jobs, {format, "jobs.toml", shards}, figures);
  }
  test::TemporaryFolder folder;
  std::vector<BatchJob> jobs;
  PlanFigures figures;
};

TEST_F(PlanTexts, ParallelKeepsToCoresAndMemory) {
  const std::string text = plan(PlanFormat::parallel);
  EXPECT_TRUE(text.starts_with("# parallel -j 2 --memfree 12000M\n")) << text;
  EXPECT_EQ(count_of(text, " --threads=1 "), 4u) << text;
  EXPECT_NE(text.find("--out=8.png  # 1 core, 20 MB, 1.3 s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("--out=512.png  # 1 core, 6000 MB, 1200 s\n"), std::string::npos) << text;
  figures.jobs.back().peak_mb = 20;
  EXPECT_TRUE(plan(PlanFormat::parallel).starts_with("# parallel -j 8 --memfree 40M\n"));
  figures.threads = 3;
  EXPECT_TRUE(plan(PlanFormat::parallel).starts_with("# parallel -j 2 --memfree 40M\n"));
}

TEST_F(PlanTexts, NinjaHasAPoolOnlyForJobsThatNeedIt) {
  std::string text = plan(PlanFormat::ninja);
  EXPECT_NE(text.find("pool memory\n  depth = 1\n"), std::string::npos) << text;
  EXPECT_EQ(count_of(text, "pool = "), 1u) << text;
  EXPECT_TRUE(text.ends_with("memory_mb = 6000\n  seconds = 1200\n  pool = memory\n")) << text;
  figures.jobs.back().peak_mb = 20;
  EXPECT_EQ(plan(PlanFormat::ninja).find("pool"), std::string::npos);
  // A job of several threads takes the place of several jobs.
  figures.threads = 4;
  text = plan(PlanFormat::ninja);
  EXPECT_NE(text.find("pool threads\n  depth = 2\n"), std::string::npos) << text;
  EXPECT_EQ(count_of(text, "  cores = 4\n"), 4u) << text;
  EXPECT_EQ(count_of(text, "  pool = threads\n"), 4u) << text;
}

TEST_F(PlanTexts, SlurmReservesTwiceOfWhatATaskNeeds) {
  std::string text = plan(PlanFormat::slurm);
  EXPECT_NE(text.find("#SBATCH --cpus-per-task=1\n#SBATCH --mem=12100M\n#SBATCH --time=40\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at most 6050 MB and 1200 s"), std::string::npos) << text;
  // A task of several jobs takes the time of all of them. The list of jobs does not grow.
  figures.jobs = {{1200, 1200, 20}, {1200, 1200, 20}, {1200, 1200, 20}, {60, 60, 20}};
  figures.threads = 2;
  text = plan(PlanFormat::slurm, 1);
  EXPECT_NE(text.find("--cpus-per-task=2\n#SBATCH --mem=512M\n#SBATCH --time=122\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" --jobs 1 --threads \"${SLURM_CPUS_PER_TASK:-2}\""), std::string::npos);
}

}  // namespace
}  // namespace dapple::app

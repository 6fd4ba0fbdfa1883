// The figures of plans: threads, cores, memory and time of each job.
#include <cmath>

#include "app/batch/batch.hpp"
#include "batch_test.hpp"
#include "dapple/context.hpp"

namespace dapple::test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Four jobs, the last of which takes much more than the others, on a machine of 8 cores and 16 GB.
class PlanFigures : public Batch {
 protected:
  PlanFigures() {
    folder.write("jobs.toml",
                 "[[job]]\ncommand = \"mask\"\nsize = [8, 9, 10, 512]\noutput = \"{size}.png\"\n");
    Context context;
    jobs = app::read_jobs((folder / "jobs.toml").string(), context);
    figures.threads = 1;
    figures.cores = 8;
    figures.memory_mb = 16'000;
    figures.list_mb = 50;
    figures.jobs = {{1.26, 1, 20}, {1.26, 1, 20}, {1.26, 1, 20}, {1200, 1200, 6000}};
  }
  std::string plan(app::PlanFormat format, int shards = 0) const {
    return app::plan_text(jobs, format, "jobs.toml", shards, figures);
  }
  std::vector<app::BatchJob> jobs;
  app::PlanFigures figures;
};

TEST_F(PlanFigures, ParallelKeepsToCoresAndMemory) {
  const std::string text = plan(app::PlanFormat::parallel);
  EXPECT_TRUE(text.starts_with("# parallel -j 2 --memfree 12000M\n")) << text;
  EXPECT_EQ(count_of(text, " --threads=1 "), 4u) << text;
  EXPECT_NE(text.find("--out=8.png  # 1 core, 20 MB, 1.3 s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("--out=512.png  # 1 core, 6000 MB, 1200 s\n"), std::string::npos) << text;
  figures.jobs.back().peak_mb = 20;
  EXPECT_TRUE(plan(app::PlanFormat::parallel).starts_with("# parallel -j 8 --memfree 40M\n"));
  figures.threads = 3;
  EXPECT_TRUE(plan(app::PlanFormat::parallel).starts_with("# parallel -j 2 --memfree 40M\n"));
}

TEST_F(PlanFigures, NinjaHasAPoolOnlyForJobsThatNeedIt) {
  std::string text = plan(app::PlanFormat::ninja);
  EXPECT_NE(text.find("pool memory\n  depth = 1\n"), std::string::npos) << text;
  EXPECT_EQ(count_of(text, "pool = "), 1u) << text;
  EXPECT_TRUE(text.ends_with("memory_mb = 6000\n  seconds = 1200\n  pool = memory\n")) << text;
  figures.jobs.back().peak_mb = 20;
  EXPECT_EQ(plan(app::PlanFormat::ninja).find("pool"), std::string::npos);
  // A job of several threads takes the place of several jobs.
  figures.threads = 4;
  text = plan(app::PlanFormat::ninja);
  EXPECT_NE(text.find("pool threads\n  depth = 2\n"), std::string::npos) << text;
  EXPECT_EQ(count_of(text, "  cores = 4\n"), 4u) << text;
  EXPECT_EQ(count_of(text, "  pool = threads\n"), 4u) << text;
}

TEST_F(PlanFigures, SlurmReservesTwiceOfWhatATaskNeeds) {
  std::string text = plan(app::PlanFormat::slurm);
  EXPECT_NE(text.find("#SBATCH --cpus-per-task=1\n#SBATCH --mem=12100M\n#SBATCH --time=40\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("at most 6050 MB and 1200 s"), std::string::npos) << text;
  // A task of several jobs takes the time of all of them. The list of jobs does not grow.
  figures.jobs = {{1200, 1200, 20}, {1200, 1200, 20}, {1200, 1200, 20}, {60, 60, 20}};
  figures.threads = 2;
  text = plan(app::PlanFormat::slurm, 1);
  EXPECT_NE(text.find("--cpus-per-task=2\n#SBATCH --mem=512M\n#SBATCH --time=122\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(" --jobs 1 --threads \"${SLURM_CPUS_PER_TASK:-2}\""), std::string::npos);
}

// Memory is within a quarter of what a job takes as a process of its own. Time, which other
// programs change too, is only of the right order.
TEST_F(Batch, PlansPredictWhatJobsTake) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"worley\"\nsize = [64, 512, 2048]\noutput = "
               "\"{size}.png\"\n");
  double memory = 1;
  double time = 10;
  for (int attempt = 0; attempt < 4 && (memory > 0.25 || time > 3); ++attempt) {
    const json plan = json::parse(good({"batch", "plan", "jobs.toml", "--emit", "json"}).out);
    EXPECT_EQ(folder.names(), Words{"jobs.toml"});
    ASSERT_EQ(plan.size(), 3u);
    memory = time = 0;
    for (const json& job : plan) {
      EXPECT_EQ(job["threads"], 1);
      EXPECT_EQ(job["cores"], 1);
      Words words = job["arguments"].get<Words>();
      EXPECT_NE(std::find(words.begin(), words.end(), "--threads=1"), words.end());
      words.emplace_back("--json");
      const json run = json::parse(good(words).out);
      const double off = job["memory_mb"].get<double>() / run["peak_memory_mb"].get<double>();
      memory = std::max(memory, std::abs(off - 1));
      const double ratio = job["seconds"].get<double>() / run["seconds"]["total"].get<double>();
      if (words[1] == "--size=2048x2048") time = std::abs(std::log2(ratio));
      fs::remove(folder / job["outputs"][0].get<std::string>());
    }
  }
  EXPECT_LT(memory, 0.25);
  EXPECT_LT(time, 3);
}

TEST_F(Batch, PlansPassOnTheThreadsOfAJob) {
  folder.write("jobs.toml", matrix);
  const Outcome plan = good({"batch", "plan", "jobs.toml", "--threads", "2"});
  EXPECT_EQ(count_of(plan.out, " --threads=2 "), 12u) << plan.out;
  EXPECT_EQ(count_of(plan.out, "# 2 cores, "), 12u) << plan.out;
}

}  // namespace
}  // namespace dapple::test

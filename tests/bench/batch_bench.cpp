// The time that each shard of a large batch spends before its first job.
#include <benchmark/benchmark.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "app/batch/batch.hpp"
#include "dapple/context.hpp"

namespace dapple::app {
namespace {

void batch_start(benchmark::State& state) {
  const auto file =
      std::filesystem::temp_directory_path() / ("jobs-" + std::to_string(getpid()) + ".toml");
  std::ofstream(file) << "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = "
                      << state.range(0) << " }\noutput = \"out/m_{size}_{seed}.png\"\n";
  Context context;
  context.threads = 1;
  for (auto _ : state) {
    const std::vector<BatchJob> jobs = read_jobs(file.string(), context);
    benchmark::DoNotOptimize(hash_of(jobs));
    benchmark::DoNotOptimize(jobs_of({1, 1000}, jobs).size());
  }
  std::filesystem::remove(file);
}
BENCHMARK(batch_start)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple::app

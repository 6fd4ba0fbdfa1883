// Every reader under ten thousand changed files of each of its formats: what the targets of the
// fuzzers promise, without a sanitizer but within limits of memory and time.
#include <array>

#include "faults/fenced.hpp"
#include "faults/pictures.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/targets.hpp"

namespace dapple::faults {
namespace {

struct Format {
  const char* name;
  const char* target;
};

// Of pictures each format by itself: first by readers of ours, then by those of others.
constexpr std::array formats{
    Format{"csv", "csv"},         Format{"ply", "ply"},         Format{"json", "json"},
    Format{"npy", "npy"},         Format{"svg", "svg"},         Format{"gcode", "gcode"},
    Format{"recipe", "recipe"},   Format{"jobs", "jobs"},       Format{"options", "options"},
    Format{"wire", "wire"},       Format{"palette", "palette"}, Format{"header", "header"},
    Format{"png", "png"},         Format{"jpeg", "jpeg"},       Format{"pnm", "netpbm"},
    Format{"pfm", "netpbm"},      Format{"tiff", "image"},      Format{"openexr", "image"},
    Format{"hdr", "image"},       Format{"webp", "image"},      Format{"targa", "image"},
    Format{"bmp", "image"},       Format{"gif", "image"},       Format{"mesh", "mesh"},
    Format{"sidecar", "sidecar"}, Format{"array", "array"}};

const fuzz::Target& target_of(const Format& format) {
  const auto all = fuzz::targets();
  return *std::find_if(all.begin(), all.end(),
                       [&](const auto& target) { return target.name == format.target; });
}

std::vector<std::string> seeds_of(const Format& format) {
  std::vector<std::string> seeds;
  const std::string_view folder = target_of(format).folder;
  if (folder != "image" || std::string(format.name) == "header") {
    for (const auto& [name, bytes] : fuzz::corpus(folder)) seeds.push_back(bytes);
  } else {
    for (const auto& [name, bytes] : pictures()) {
      if (format_of(bytes) == format.name) seeds.push_back(bytes);
    }
  }
  return seeds;
}

class ReaderFaults : public testing::TestWithParam<Format> {};

TEST_P(ReaderFaults, ChangedFilesAreReadOrRefused) {
  const Format& format = GetParam();
  const auto run = target_of(format).run;
  const std::vector<std::string> seeds = seeds_of(format);
  ASSERT_FALSE(seeds.empty());
  ASSERT_NO_THROW(run(seeds.front()));  // starts what the processes share
  const auto bytes_of = [&](int i) {
    Random random(11, Stream::tests, static_cast<std::uint64_t>(i));
    std::string bytes = seeds[static_cast<std::size_t>(i) % seeds.size()];
    fuzz::mutate(bytes, seeds, random);
    return bytes;
  };
  Tally tally(std::string("changed files, ") + format.name);
  const int count = 10000 / every(100);
  tally.add(count);
  run_fenced(
      count, {}, [&](int i) { run(bytes_of(i)); },
      [&](int i, const std::string& how) {
        const char* folder = std::getenv("DAPPLE_FAULTS_KEEP");  // for files that make it fail
        const std::string name = std::string(format.name) + "-" + std::to_string(i);
        if (folder != nullptr) std::ofstream(fs::path(folder) / name) << bytes_of(i);
        tally.fail("case " + std::to_string(i) + " " + how);
      });
}

INSTANTIATE_TEST_SUITE_P(Formats, ReaderFaults, testing::ValuesIn(formats),
                         [](const auto& instance) { return std::string(instance.param.name); });

// Each target is swept.
TEST(ReaderFaults, NoTargetIsLeftOut) {
  for (const fuzz::Target& target : fuzz::targets()) {
    EXPECT_TRUE(std::any_of(formats.begin(), formats.end(), [&](const Format& format) {
      return target.name == format.target;
    })) << target.name;
  }
}

}  // namespace
}  // namespace dapple::faults

// Disks that are full and calls that fail: nothing is cut, nothing is left, all outputs or none.
#include <cerrno>
#include <sys/mount.h>

#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

TEST(Faults, FileSizeLimit) {
  Sweep sweep("file size limit");
  for (const Job& job : jobs()) {
    if (job.words.front() == "batch") continue;  // its manifest is cut as well
    std::uintmax_t largest = 0;
    sweep.run(job, false, {}, {0}, "no limit");
    for (const std::string& output : job.outputs) {
      largest = std::max(largest, fs::file_size(sweep.folder / output));
    }
    // Every byte near the end, where encoders finish what they have begun.
    const auto near = largest > 40 ? largest - 40 : 0;
    const auto step =
        std::max<std::uintmax_t>(1, largest / static_cast<unsigned>(std::max(1, 300 / every(30))));
    const auto end = largest + static_cast<unsigned>(every(20));
    for (std::uintmax_t most = 0; most < end; most += most < near ? step : every(20)) {
      Spawn how;
      how.before = [most] { limit(RLIMIT_FSIZE, most); };
      // What the decoder hands over is bound by the limit too.
      const int code = job.name == "foreign" ? 5 : most < largest ? 4 : 0;
      sweep.run(job, most % 2 == 0, how, {code}, std::to_string(most) + " bytes");
    }
  }
}

std::vector<std::pair<std::string, int>> faults_of(Call call) {
  switch (call) {
    case Call::read:
      return {{"EIO", EIO}, {"EINTR", EINTR}, {"short", 0}};
    case Call::write:
      return {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EINTR", EINTR}, {"short", 0}};
    case Call::open:
      return {{"EMFILE", EMFILE}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}};
    case Call::fopen:
      return {{"EMFILE", EMFILE}, {"EIO", EIO}};
    case Call::fsync:
      return {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}};
    case Call::close:
      return {{"EIO", EIO}, {"EINTR", EINTR}};
    case Call::mmap:
      return {{"ENOMEM", ENOMEM}};
    case Call::rename:
    case Call::link:
      return {{"ENOSPC", ENOSPC}, {"EIO", EIO}};
    case Call::print:
    case Call::mode:
      return {{"EIO", EIO}};
    case Call::store:
      break;
  }
  return {};
}

TEST(Faults, FailedCalls) {
  Spawn counting;
  counting.environment["LD_PRELOAD"] = FAULTS_SHIM;
  const Counted calls(counting);
  // How often each job makes each call, counted in one run without a fault.
  std::map<std::pair<std::string, bool>, std::vector<long>> counts;
  const auto count_calls = [&](Sweep& sweep, const Job& job, bool replacing) {
    std::vector<long>& count = counts[{job.name, replacing}];
    if (!count.empty()) return count;
    sweep.run(job, replacing, counting, {0}, "no fault");
    for (std::size_t i = 0; i < std::size(call_names); ++i) count.push_back(calls.of(i));
    sweep.require(count[0] > 0, "the shim is not in use");
    return count;
  };
  for (std::size_t i = 0; i < std::size(call_names); ++i) {
    const auto call = static_cast<Call>(i);
    Sweep sweep(std::string("failed ") + call_names[i]);
    for (const Job& job : jobs()) {
      for (const bool replacing : {false, true}) {
        if (is_short() && replacing != ((i + job.name.size()) % 2 == 0)) continue;
        const long count = count_calls(sweep, job, replacing)[i];
        Spawn how = counting;
        for (const auto& [name, code] : faults_of(call)) {
          // Opens are few, and each in the code must go on by itself.
          const int step = every(call == Call::open && name == "EINTR" ? 1 : 9);
          const long first = 1 + static_cast<long>(job.name.size()) % step;
          for (long place = first; place <= count; place += step) {
            const std::string fault = std::string(call_names[i]) + " " + std::to_string(place);
            how.environment["DAPPLE_FAULT"] =
                fault + " " + (code == 0 ? "short" : std::to_string(code));
            // What was interrupted is taken up again, and half is no failure.
            const bool harmless = name == "short" || name == "EINTR";
            sweep.run(job, replacing, how, harmless ? std::set{0} : std::set{0, 1, 3, 4, 5},
                      fault + " " + name);
          }
        }
      }
    }
  }
}

TEST(Faults, FullDisk) {
  Sweep sweep("full disk");
  const fs::path disk = sweep.folder / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "needs root, and a kernel that lets it mount";
  }
  for (const std::string name : {"in.png", "in.csv", "in.tif"})
    fs::copy(sweep.folder / name, disk / name);
  const auto pages = [&](std::size_t free) {  // leaves so many
    std::ofstream filler(disk / "filler", std::ios::binary);
    const std::string page(4096, 'x');
    while (filler.write(page.data(), 4096) && filler.flush()) {
    }
    filler.close();
    fs::resize_file(disk / "filler", fs::file_size(disk / "filler") / 4096 * 4096 - 4096 * free);
  };
  for (const Job& job : jobs()) {
    if (job.words.front() == "batch") continue;
    for (std::size_t free = 0; free < 12; free += static_cast<std::size_t>(every(3))) {
      pages(free);
      Words words = {"/usr/bin/env", "-C", disk.string(), sweep.program};
      words.insert(words.end(), job.words.begin(), job.words.end());
      const std::string what = job.name + ", " + std::to_string(free) + " free pages";
      const Outcome outcome = sweep.run_line(words, {}, {0, 4}, what);
      std::size_t made = 0;
      for (const std::string& output : job.outputs) made += fs::exists(disk / output) ? 1 : 0;
      sweep.require(made == (outcome.code == 0 ? job.outputs.size() : 0),
                    what + ": " + std::to_string(made) + " outputs");
      std::size_t names = 0;
      for ([[maybe_unused]] const auto& entry : fs::directory_iterator(disk)) ++names;
      sweep.require(names == 4 + made, what + ": something is left");
      for (const std::string& output : job.outputs) fs::remove(disk / output);
      fs::remove(disk / "filler");
    }
  }
  umount(disk.c_str());
}

TEST(Faults, ManyWritersOfOneFile) {
  Sweep sweep("8 writers of one file");
  const auto line = [](int seed) {
    return " \"$D\" sample --size 64 --radius 8 --seed " + std::to_string(seed) +
           " -q -o a.csv -o b.csv";
  };
  std::set<std::string> right;
  Spawn how;
  how.environment["D"] = DAPPLE_PROGRAM;
  std::string all;
  for (int seed = 1; seed <= 8; ++seed) {
    sweep.run_line({"/bin/sh", "-c", line(seed)}, how, {0}, "alone");
    right.insert(sweep.folder.read("a.csv"));
    all += line(seed) + " & p" + std::to_string(seed) + "=$!\n";
  }
  for (int seed = 1; seed <= 8; ++seed) all += "wait $p" + std::to_string(seed) + " || exit $?\n";
  for (int round = 0; round < std::max(1, 100 / every(10)); ++round) {
    for (const char* name : {"a.csv", "b.csv"}) {
      if (round % 2 == 0) fs::remove(sweep.folder / name);
    }
    sweep.run_line({"/bin/sh", "-c", all}, how, {0}, "round " + std::to_string(round));
    for (const char* name : {"a.csv", "b.csv"}) {
      sweep.require(right.contains(sweep.folder.read(name)), std::string(name) + " is of nobody");
    }
    sweep.require(sweep.folder.names().size() == 8, "something is left");
  }
}

}  // namespace
}  // namespace dapple::faults

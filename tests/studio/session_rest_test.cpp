// What a session takes of the machine over a long time, and while nothing is asked of it.
#include <fstream>
#include <sys/mount.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "studio/session_test.hpp"

namespace dapple::studio {
namespace {

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Of all threads.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Pictures of a megabyte, each another one: more of them than are kept for undo.
TEST_F(SessionTest, ManyChangesTakeNoMoreMemoryThanSome) {
  begin(stippling());
  view(0.3);
  int number = 0;
  const auto change = [&](int times, const std::string& command, json settings) {
    for (const int end = number + times; number < end;) {
      settings["seed"] = std::to_string(++number);
      set(number, command, settings);
      json state;
      do {
        state = wait_for("state");
        ASSERT_TRUE(state.is_object());
      } while (state["number"] != number || state["state"] != "final");
      say({{"type", "ack"}});
      const std::lock_guard lock(mutex);
      frames.clear();
      texts.clear();
      next = next_frame = 0;
    }
  };
  const json texture{{"size", "512"}, {"count", "50"}};
  change(200, "worley", texture);
  const double before = resident_megabytes();
  change(800, "worley", texture);
  EXPECT_LT(resident_megabytes(), before + 60);
  // Stipplings run very many short loops on all threads.
  change(70, "stipple", {{"dots", "100"}});
  const double stippled = resident_megabytes();
  change(100, "stipple", {{"dots", "100"}});
  EXPECT_LT(resident_megabytes(), stippled + 60);
}

TEST_F(SessionTest, RestsWhileNothingIsAsked) {
  begin(stippling());
  view(0.3);
  set(1, "stipple", {{"dots", "3000"}});
  frame("final");
  constexpr auto span = std::chrono::milliseconds(400);
  constexpr double rest = 0.02;  // seconds of a processor in it
  double least = 1;
  for (int tries = 0; tries < 50 && least > rest; ++tries) {
    const double before = processor_seconds();
    std::this_thread::sleep_for(span);
    least = std::min(least, processor_seconds() - before);
  }
  EXPECT_LE(least, rest);
}

// An export that fills the disk leaves nothing there, and the next one that fits is written.
TEST_F(SessionTest, AFullDiskStopsOneExportAlone) {
  const std::string disk = folder.path().string();
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "needs root, and a kernel that lets it mount";
  }
  begin(stippling());
  const auto order = [&](int number, const std::string& dots) {
    say({{"type", "export"},
         {"number", number},
         {"command", "stipple"},
         {"preset", ""},
         {"formats", {"svg", "csv"}},
         {"settings", {{"dots", dots}}}});
  };
  for (int number = 1; number < 4; ++number) {
    order(number, "9000");
    const std::string said = wait_for("problems").dump();
    EXPECT_NE(said.find("No space left"), std::string::npos) << said;
    EXPECT_TRUE(folder.names().empty());
  }
  order(4, "100");
  const std::size_t exported = wait_for("exported")["files"].size();
  EXPECT_GE(exported, 2u);
  EXPECT_EQ(folder.names().size(), exported);
  session.reset();
  umount(disk.c_str());
}

// The limits of the command line hold for each picture that a page asks for.
TEST_F(SessionTest, LimitsHoldForEveryRequest) {
  limits.max_pixels = 20'000;
  begin(stippling());
  const auto refused = [&] {
    const std::string said = wait_for("problems").dump();
    EXPECT_NE(said.find("more than the limit of 20000"), std::string::npos) << said;
  };
  for (int i = 1; i < 3; ++i) {
    set(i, "stipple", {{"dots", "500"}});
    refused();
  }
  set(3, "mask", {{"size", "256"}});
  refused();
  say({{"type", "export"},
       {"number", 4},
       {"command", "stipple"},
       {"preset", ""},
       {"settings", {{"dots", "500"}}}});
  refused();
  say({{"type", "export"},
       {"number", 5},
       {"command", "mask"},
       {"preset", ""},
       {"settings", {{"size", "256"}}}});
  refused();
  EXPECT_TRUE(folder.names().empty());
  set(6, "mask", {{"size", "64"}});
  EXPECT_EQ(wait_for("state", "final")["number"], 6);
}

}  // namespace
}  // namespace dapple::studio

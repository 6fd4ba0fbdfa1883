// Files that appear together or not at all, and pipes that keep one waiting.
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class Groups : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder / name).string(); }
  test::TemporaryFolder folder;
};

// The one that fails is a folder by the time its file is to get that name.
TEST_F(Groups, WhatAppearedBeforeAFailureGoesAgain) {
  for (const char* last : {"a", "b", "c", "d"}) {
    folder.write("b", "what was there");
    folder.write("c", "what was there, too");
    FileGroup files(Overwrite::always);
    for (const char* name : {"a", "b", "c", "d"}) files.add(path(name), "new");
    fs::remove(folder / last);
    fs::create_directory(folder / last);
    fs::create_directory(folder / last / "full");
    EXPECT_THROW(files.commit(), Error) << last;
    for (const std::string name : {"a", "d"}) {
      EXPECT_TRUE(name == last || !fs::exists(folder / name)) << last << ": " << name;
    }
    EXPECT_TRUE(*last == 'b' || folder.read("b") == "what was there") << last;
    EXPECT_TRUE(*last == 'c' || folder.read("c") == "what was there, too") << last;
    fs::remove_all(folder / last);
  }
  EXPECT_EQ(folder.names().size(), 2u);  // and not what waits: the last group is gone
}

TEST_F(Groups, ManyFilesNeedFewDescriptors) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit few{64, limit.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  {
    FileGroup files(Overwrite::always);
    for (int i = 0; i < 300; ++i) {
      files.add(path(std::to_string(i)), std::to_string(i));
      EXPECT_EQ(read_file(files.place_of(path(std::to_string(i))), 100), std::to_string(i));
    }
    files.commit();
  }
  setrlimit(RLIMIT_NOFILE, &limit);
  EXPECT_EQ(folder.names().size(), 300u);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(folder.read(std::to_string(i)), std::to_string(i));
}

// As the small jobs of a batch have them: nothing has its name before, and one that fails takes
// none of the others with it.
TEST_F(Groups, ManyAreSyncedTogether) {
  constexpr std::size_t count = 40;
  std::vector<std::unique_ptr<FileGroup>> groups;
  std::vector<FileGroup*> all;
  for (std::size_t i = 0; i < count; ++i) {
    groups.push_back(std::make_unique<FileGroup>(Overwrite::never, FileGroup::Sync::together));
    groups.back()->add(path("a" + std::to_string(i)), "first");
    groups.back()->add(path("b" + std::to_string(i)), "second");
    all.push_back(groups.back().get());
  }
  EXPECT_EQ(folder.names(), Words{});
  sync_together(all);
  EXPECT_EQ(folder.names(), Words{});
  folder.write("b7", "came in between");
  std::set<std::string> folders;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 7) {
      EXPECT_THROW(groups[i]->commit(Context(), &folders), Error);
    } else {
      groups[i]->commit(Context(), &folders);
    }
  }
  EXPECT_EQ(folders.size(), 1u);
  for (const std::string& name : folders) sync_folder(name);
  EXPECT_EQ(folder.names().size(), 2 * count - 1);
  EXPECT_FALSE(fs::exists(folder / "a7"));
  EXPECT_EQ(folder.read("b7"), "came in between");
  EXPECT_EQ(folder.read("a39"), "first");
  // Without that call each is synced by itself.
  FileGroup alone(Overwrite::never, FileGroup::Sync::together);
  alone.add(path("alone"), "third");
  alone.commit();
  EXPECT_EQ(folder.read("alone"), "third");
}

TEST_F(Groups, WhatMayNotBeReplacedKeepsAllFromAppearing) {
  FileGroup files(Overwrite::never);
  for (const char* name : {"a", "b", "c"}) files.add(path(name), "new");
  folder.write("b", "came in between");
  EXPECT_THROW(files.commit(), Error);
  EXPECT_EQ(folder.names(), Words{"b"});
  EXPECT_EQ(folder.read("b"), "came in between");
}

TEST_F(Groups, NothingAppearsBeforeAPipeHasTakenItsPart) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string taken;
  std::thread reader([&] { taken = read_file(path("pipe"), 1 << 20); });
  FileGroup files(Overwrite::always);
  const std::string much(300000, 'x');
  files.add(path("pipe"), much);
  files.add(path("a"), "new");
  files.commit();
  reader.join();
  EXPECT_EQ(taken, much);
  EXPECT_EQ(folder.read("a"), "new");
}

TEST_F(Groups, WhoWaitsForAPipeCanBeStopped) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const auto stopped = [&](const std::function<void(const Context&)>& wait) {
    Context context;
    std::thread canceller([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      context.cancel();
    });
    try {
      wait(context);
      ADD_FAILURE() << "did not wait";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
    }
    canceller.join();
  };
  const auto write = [&](const Context& context) {
    FileGroup files(Overwrite::always);
    files.add(path("pipe"), std::string(300000, 'x'));
    files.add(path("a"), "new");
    files.commit(context);
  };
  stopped([&](const Context& context) { read_file(path("pipe"), 100, context); });
  stopped(write);  // nobody reads
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  stopped(write);  // somebody could, and does not
  close(reader);
  EXPECT_EQ(folder.names(), Words{"pipe"});
}

}  // namespace
}  // namespace dapple

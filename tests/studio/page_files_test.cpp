// Checks the files that stay when a page closes: sent photos, its state, looks and exports.
#include "studio/page_files.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "dapple/files.hpp"
#include "studio/session_test.hpp"

namespace dapple::studio {
namespace {

std::string bytes_of(const std::string& path) {
  return read_file(path, std::int64_t{1} << 24);
}

class PageFilesTest : public SessionTest {
 protected:
  void begin(RenderRequest first, bool anew = false) {
    SessionOptions options;
    if (!first.input.empty()) options.photos = {first.input};
    options.first = std::move(first);
    options.folder = folder.path().string();
    options.folders = {folder / "photos", folder / "states", folder / "looks"};
    options.starts_anew = anew;
    options.open_file = [this](const std::string& path) {
      opened = path;
      return std::string();
    };
    next = 0;
    texts.clear();
    session = std::make_unique<Session>(
        std::move(options),
        [this](int, const std::string& message, bool binary) {
          const std::lock_guard lock(mutex);
          (binary ? frames : texts).push_back(message);
          heard.notify_all();
        },
        [] {});
    session->opened(1);
  }
  void send_part(const std::string& bytes) { session->said(1, std::string(1, '\0') + bytes); }
  void send_photo(const std::string& name, const std::string& bytes) {
    send_part(bytes.substr(0, bytes.size() / 2));
    send_part(bytes.substr(bytes.size() / 2));
    say({{"type", "photo"}, {"name", name}, {"more", false}});
  }

  std::string opened;
};

TEST_F(PageFilesTest, OpensASentPhoto) {
  begin({});
  EXPECT_EQ(wait_for("hello")["input"], "");
  send_photo("../stairs.png", bytes_of(photo));
  const json hello = wait_for("hello");
  EXPECT_EQ(hello["input"], "stairs.png");
  EXPECT_EQ(hello["command"], "stipple");
  EXPECT_EQ(bytes_of((folder / "photos/stairs.png").string()), bytes_of(photo));
  set(1, "stipple", {{"dots", "500"}});
  const json state = wait_for("state", "final");
  EXPECT_EQ(state["dots"], 500);
  EXPECT_NE(state["line"].get<std::string>().find("photos/stairs.png"), std::string::npos);
}

TEST_F(PageFilesTest, KeepsThePhotoIfTheNextCannotBeRead) {
  begin(stippling());
  wait_for("hello");
  send_photo("notes.txt", "no picture at all");
  EXPECT_EQ(wait_for("problems")["number"], 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "photos/notes.txt"));
  set(1, "stipple", {{"dots", "400"}});
  EXPECT_NE(wait_for("state", "final")["line"].get<std::string>().find("ascent.png"),
            std::string::npos);
}

TEST_F(PageFilesTest, NumbersOtherPhotosOfTheSameName) {
  const auto to = folder / "photos";
  const std::string first = write_photo({"a.png", "one"}, to);
  EXPECT_EQ(write_photo({"a.png", "one"}, to), first);
  const std::string second = write_photo({"C:\\pictures\\a.png", "two"}, to);
  EXPECT_EQ(std::filesystem::path(second).filename(), "a-2.png");
  EXPECT_EQ(bytes_of(first), "one");
}

TEST_F(PageFilesTest, ReturnsTheStateOfThePage) {
  begin(stippling());
  EXPECT_EQ(wait_for("hello")["saved"], "");
  send_part("the state \xc3\xa4");
  say({{"type", "save"}});
  session->opened(1);  // a reload
  EXPECT_EQ(wait_for("hello")["saved"], "the state \xc3\xa4");
  begin(stippling());  // another start
  EXPECT_EQ(wait_for("hello")["saved"], "the state \xc3\xa4");
  begin(stippling(), true);
  EXPECT_FALSE(wait_for("hello").contains("saved")) << "the command line comes first";
  begin({});
  const json start = wait_for("hello");
  ASSERT_EQ(start["recent"].size(), 1U);
  EXPECT_EQ(start["recent"][0], "ascent.png");
  say({{"type", "reopen"}});
  const json again = wait_for("hello");
  EXPECT_EQ(again["input"], "ascent.png");
  EXPECT_EQ(again["saved"], "the state \xc3\xa4");
}

TEST_F(PageFilesTest, StopsAndGoesOn) {
  begin(stippling());
  wait_for("hello");
  set(1, "stipple", {{"dots", "400000"}});
  wait_for("progress");
  say({{"type", "cancel"}});
  EXPECT_EQ(wait_for("stopped")["number"], 1);
  set(2, "stipple", {{"dots", "300"}});
  const json state = wait_for("state", "final");
  EXPECT_EQ(state["number"], 2) << "the stopped result is not shown";
}

TEST_F(PageFilesTest, SavesALook) {
  begin(stippling());
  wait_for("hello");
  json look{{"type", "look"},
            {"number", 1},
            {"command", "stipple"},
            {"preset", "stipple-linocut"},
            {"settings", {{"dots", "900"}, {"seed", "7"}}},
            {"title", "Mine, in ink"}};
  say(look);
  const json saved = wait_for("saved");
  EXPECT_EQ(saved["preset"], "stipple-mine-in-ink");
  const std::string text = bytes_of((folder / "looks/stipple-mine-in-ink.toml").string());
  for (const char* part : {"# Mine, in ink\n", "dots = 900", "seed = 7", "invert-darks = 0.6"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  look["title"] = "?!";
  say(look);
  EXPECT_NE(wait_for("problems").dump().find("letter or digit"), std::string::npos);
}

TEST_F(PageFilesTest, RenamesAndRemovesOwnLooks) {
  ::setenv("DAPPLE_PRESET_PATH", (folder / "looks").c_str(), 1);
  begin(stippling());
  wait_for("hello");
  json look{{"type", "look"},
            {"number", 1},
            {"command", "stipple"},
            {"preset", ""},
            {"settings", {{"dots", "900"}, {"seed", "7"}}},
            {"title", "First"}};
  say(look);
  EXPECT_EQ(wait_for("saved")["preset"], "stipple-first");
  look["was"] = "stipple-first";
  look["preset"] = "stipple-first";
  look["settings"] = json::object();
  look["title"] = "Second";
  say(look);
  const json renamed = wait_for("saved");
  EXPECT_EQ(renamed["preset"], "stipple-second");
  EXPECT_EQ(renamed["was"], "stipple-first");
  EXPECT_FALSE(std::filesystem::exists(folder / "looks/stipple-first.toml"));
  const std::string text = bytes_of((folder / "looks/stipple-second.toml").string());
  for (const char* part : {"# Second\n", "dots = 900", "seed = 7"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  for (const json& preset : renamed["presets"]) {
    EXPECT_EQ(preset["own"], preset["name"] == "stipple-second") << preset["name"];
  }
  look["title"] = "";
  look["was"] = "stipple-linocut";
  say(look);
  EXPECT_NE(wait_for("problems").dump().find("no look of yours"), std::string::npos);
  look["was"] = "stipple-second";
  say(look);
  EXPECT_EQ(wait_for("saved")["preset"], "");
  EXPECT_FALSE(std::filesystem::exists(folder / "looks/stipple-second.toml"));
  ::unsetenv("DAPPLE_PRESET_PATH");
}

TEST_F(PageFilesTest, RemovesLooksOfEarlierBuilds) {
  std::filesystem::create_directories(folder / "config/dapple/presets");
  folder.write("config/dapple/presets/stipple-old.toml", "command = \"stipple\"\n");
  const char* const before = std::getenv("XDG_CONFIG_HOME");
  const std::string old = before != nullptr ? before : "";
  ::setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
  begin(stippling());
  wait_for("hello");
  say({{"type", "look"},
       {"number", 1},
       {"command", "stipple"},
       {"preset", ""},
       {"settings", json::object()},
       {"title", ""},
       {"was", "stipple-old"}});
  EXPECT_EQ(wait_for("saved")["was"], "stipple-old");
  EXPECT_FALSE(std::filesystem::exists(folder / "config/dapple/presets/stipple-old.toml"));
  ::setenv("XDG_CONFIG_HOME", old.c_str(), 1);
}

TEST_F(PageFilesTest, SkipsABrokenPreset) {
  std::filesystem::create_directory(folder / "looks");
  folder.write("looks/stipple-broken.toml", "dots = ");
  ::setenv("DAPPLE_PRESET_PATH", (folder / "looks").c_str(), 1);
  begin(stippling());
  const json hello = wait_for("hello");
  ::unsetenv("DAPPLE_PRESET_PATH");
  EXPECT_GT(hello["presets"].size(), 20U);
  EXPECT_NE(hello["warnings"].dump().find("stipple-broken.toml"), std::string::npos);
}

TEST_F(PageFilesTest, RemovesWhatWasUsedLongestAgo) {
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto add = [&](const std::string& name, int hours) {
    folder.write(name, "12345");
    std::filesystem::last_write_time(folder / name, now - std::chrono::hours(hours));
  };
  const auto there = [&] {
    std::string names;
    for (const char* name : {"a", "b", "c"}) {
      names += std::filesystem::exists(folder / "photos" / name) ? name : "";
    }
    return names;
  };
  std::filesystem::create_directory(folder / "photos");
  add("photos/a", 3);
  add("photos/b", 1);
  add("photos/c", 2);
  prune(folder / "photos", 3, 15);
  EXPECT_EQ(there(), "abc");
  keep_photo((folder / "photos/a").string(), folder / "photos");
  prune(folder / "photos", 2, 15);
  EXPECT_EQ(there(), "ab") << "a was used last";
  prune(folder / "photos", 2, 9);
  EXPECT_EQ(there(), "a");
  prune(folder / "photos", 2, 1);
  EXPECT_EQ(there(), "a") << "the newest stays";
  // A photo that the user keeps elsewhere is not touched.
  add("a", 5);
  keep_photo((folder / "a").string(), folder / "photos");
  EXPECT_LT(std::filesystem::last_write_time(folder / "a"), now - std::chrono::hours(4));
}

TEST_F(PageFilesTest, OpensOnlyFilesThatItHasExported) {
  begin(stippling());
  wait_for("hello");
  say({{"type", "show"}, {"file", "/etc/passwd"}});
  EXPECT_NE(wait_for("problems").dump().find("exported"), std::string::npos);
  EXPECT_EQ(opened, "");
  say({{"type", "export"},
       {"number", 1},
       {"command", "stipple"},
       {"preset", ""},
       {"settings", {{"dots", "100"}}}});
  const std::string file = wait_for("exported")["files"][0];
  say({{"type", "show"}, {"file", file}});
  EXPECT_EQ(opened, file);
  say({{"type", "show"}, {"file", file}, {"folder", true}});
  EXPECT_EQ(opened, folder.path().string());
}

}  // namespace
}  // namespace dapple::studio

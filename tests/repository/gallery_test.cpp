// The gallery and the README show what there is: every preset, with pictures that exist and stay
// small.
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "source_files.hpp"

namespace {

namespace fs = std::filesystem;

using dapple::test::root;
using dapple::test::text_of;

// The comment that a preset opens with, as one line.
std::string says(const std::string& toml) {
  std::string all;
  std::size_t at = 0;
  while (toml.compare(at, 2, "# ") == 0) {
    const std::size_t end = toml.find('\n', at);
    all += (all.empty() ? "" : " ") + toml.substr(at + 2, end - at - 2);
    at = end + 1;
  }
  return all;
}

std::set<std::string> pictures_in(const std::string& text, const std::regex& form) {
  std::set<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), form); it != std::sregex_iterator();
       ++it) {
    found.insert((*it)[1]);
  }
  return found;
}

TEST(Gallery, ShowsEveryPreset) {
  const std::string gallery = text_of(root / "docs/gallery.md");
  ASSERT_FALSE(gallery.empty());
  std::size_t presets = 0;
  std::map<std::string, int> audience;
  for (const auto& entry : fs::directory_iterator(root / "presets")) {
    if (!entry.is_regular_file()) continue;  // tables of pens and machines
    const std::string name = entry.path().stem().string();
    ++presets;
    ++audience[name.substr(0, name.find('-'))];
    const std::string heading = "\n### " + name + "\n\n" + says(text_of(entry.path())) + "\n";
    const std::size_t at = gallery.find(heading);
    EXPECT_NE(at, std::string::npos)
        << name << " is missing, or its comment changed: run scripts/regenerate gallery";
    EXPECT_NE(gallery.find("--preset " + name + " ", at), std::string::npos) << name;
    EXPECT_NE(gallery.find("](pictures/gallery/" + name + ".", at), std::string::npos) << name;
  }
  const std::regex headings("\n### ");
  EXPECT_EQ(static_cast<std::size_t>(
                std::distance(std::sregex_iterator(gallery.begin(), gallery.end(), headings), {})),
            presets)
      << "a preset that is gone is still shown";
  for (const char* kind : {"stipple", "mask", "texture"}) EXPECT_GE(audience[kind], 5) << kind;
}

TEST(Gallery, PicturesAreThereAndSmall) {
  const std::set<std::string> shown = pictures_in(text_of(root / "docs/gallery.md"),
                                                  std::regex(R"(\]\((pictures/gallery/[^)]+)\))"));
  std::uintmax_t bytes = 0;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(root / "docs/pictures/gallery")) {
    bytes += entry.file_size();
    ++files;
    EXPECT_TRUE(shown.contains("pictures/gallery/" + entry.path().filename().string()))
        << entry.path() << " is shown nowhere";
  }
  for (const std::string& file : shown) EXPECT_TRUE(fs::exists(root / "docs" / file)) << file;
  EXPECT_EQ(files, shown.size());
  EXPECT_LT(bytes, 4'000'000u);

  const std::set<std::string> front =
      pictures_in(text_of(root / "README.md"), std::regex(R"re(src="(docs/[^"]+)")re"));
  EXPECT_FALSE(front.empty());
  for (const std::string& file : front) {
    ASSERT_TRUE(fs::exists(root / file)) << file;
    EXPECT_LT(fs::file_size(root / file), 400'000u) << file;
  }
}

}  // namespace

// The shape of the source: folders depend on the ones before them only, and heavy libraries stay
// where they belong.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "app/error_text.hpp"
#include "dapple/extend/operation.hpp"
#include "source_files.hpp"

namespace {

namespace fs = std::filesystem;

using dapple::test::root;
using dapple::test::text_of;

// In the order in which data flows: a folder of src includes itself and folders left of it.
const std::vector<std::string> folders = {"core", "field",    "sample",  "relax",
                                          "draw", "generate", "analyze", "io",
                                          "app",  "studio",   "c",       "web"};
// What these measure or write they are given: they know no generator.
const std::set<std::string> without_generators = {"analyze", "io"};

// The folder that implements a public header, where no file or folder of src has its name.
const std::map<std::string, std::string> owners = {
    {"dapple", "app"},         {"drawing", "draw"},       {"drawing_files", "io"},
    {"files", "io"},           {"image_files", "io"},     {"point_files", "io"},
    {"operation", "generate"}, {"checkpoint", "core"},    {"program", "app"},
    {"recipe", "io"},          {"result", "draw"},        {"sample_options", "sample"},
    {"radii", "sample"},       {"certificate", "sample"}, {"deprecated", "app"}};

// Outside of the standard library, what the core is made with: two libraries, and templates.
const std::set<std::string> core_libraries = {"dapple", "fast_float",  "fmt", "hwy",
                                              "tbb",    "unsupported", "sys"};
const std::set<std::string> unix_headers = {"fcntl.h", "malloc.h", "pthread.h", "sched.h",
                                            "unistd.h"};

std::vector<std::string> includes(const fs::path& file) {
  static const std::regex form(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
  std::ifstream stream(file);
  std::vector<std::string> found;
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    if (std::regex_search(line, match, form)) found.push_back(match[1]);
  }
  return found;
}

std::size_t place(const std::string& folder) {
  return static_cast<std::size_t>(std::find(folders.begin(), folders.end(), folder) -
                                  folders.begin());
}

// The folder that implements a public header: the first that holds its name. A header without code
// may include no more than what core does.
std::string owner_of(const std::string& header) {
  const auto named = owners.find(header);
  if (named != owners.end()) return named->second;
  for (const std::string& folder : folders) {
    if (folder == header) return folder;
    for (const auto& entry : fs::recursive_directory_iterator(root / "src" / folder)) {
      if (entry.path().stem() == header) return folder;
    }
  }
  return "core";
}

// The folder that an include belongs to, or "" for one from outside.
std::string folder_of(const std::string& include) {
  const auto slash = include.find('/');
  if (slash == std::string::npos) return "";
  const std::string first = include.substr(0, slash);
  if (first == "dapple") return owner_of(fs::path(include).stem().string());
  return place(first) < folders.size() ? first : "";
}

std::vector<fs::path> sources(const fs::path& below) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(below)) {
    const auto extension = entry.path().extension();
    if (extension == ".cpp" || extension == ".hpp") found.push_back(entry.path());
  }
  return found;
}

TEST(Structure, DataFlowsOneWay) {
  int checked = 0;
  for (const fs::path& file : sources(root / "src")) {
    const std::string folder = fs::relative(file, root / "src").begin()->string();
    ASSERT_LT(place(folder), folders.size()) << file;
    for (const std::string& include : includes(file)) {
      const std::string other = folder_of(include);
      if (other.empty()) continue;
      EXPECT_LE(place(other), place(folder)) << file << " includes " << include;
      if (without_generators.contains(folder)) {
        EXPECT_NE(other, "generate") << file << " includes " << include;
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 15);
}

// A header and its source are one part; parts that include each other, directly or by way of
// others, can only be read all at once. A type that two need has a header of its own.
TEST(Structure, NoCirclesOfFiles) {
  std::map<std::string, std::set<std::string>> parts;
  for (const fs::path& file : sources(root / "src")) {
    const std::string part = fs::relative(file, root / "src").replace_extension();
    for (const std::string& include : includes(file)) {
      if (fs::exists(root / "src" / include)) {
        parts[part].insert(fs::path(include).replace_extension());
      }
    }
    parts[part].erase(part);
  }
  // Parts that include nothing that is left go, until none does: what stays is on a circle or
  // leads to one.
  for (bool found = true; found;) {
    found = false;
    for (auto part = parts.begin(); part != parts.end();) {
      const auto& needs = part->second;
      if (std::any_of(needs.begin(), needs.end(),
                      [&](const std::string& other) { return parts.contains(other); })) {
        ++part;
      } else {
        part = parts.erase(part);
        found = true;
      }
    }
  }
  for (const auto& [part, needs] : parts) {
    for (const std::string& other : needs) {
      EXPECT_FALSE(parts.contains(other)) << part << " includes " << other << ", and the way back";
    }
  }
}

TEST(Structure, PublicHeadersFlowTheSameWay) {
  for (const fs::path& file : sources(root / "include")) {
    const std::string own = owner_of(file.stem().string());
    for (const std::string& include : includes(file)) {
      const std::string other = folder_of(include);
      if (!other.empty()) {
        EXPECT_LE(place(other), place(own)) << file << " includes " << include;
      }
      for (const char* heavy : {"OpenImageIO", "tbb/", "CLI/", "Eigen", "toml++", "nlohmann"}) {
        EXPECT_EQ(include.find(heavy), std::string::npos) << file << " includes " << include;
      }
    }
  }
}

// What a header takes from the standard library it includes itself: what another header happens to
// include may go.
TEST(Structure, PublicHeadersIncludeWhatTheyUse) {
  const std::map<std::string, std::string> home = {{"abs", "cmath"},
                                                   {"array", "array"},
                                                   {"atomic", "atomic"},
                                                   {"copy", "algorithm"},
                                                   {"floor", "cmath"},
                                                   {"forward", "utility"},
                                                   {"function", "functional"},
                                                   {"int32_t", "cstdint"},
                                                   {"int64_t", "cstdint"},
                                                   {"max", "algorithm"},
                                                   {"min", "algorithm"},
                                                   {"move", "utility"},
                                                   {"optional", "optional"},
                                                   {"pair", "utility"},
                                                   {"ptrdiff_t", "cstddef"},
                                                   {"shared_ptr", "memory"},
                                                   {"size_t", "cstddef"},
                                                   {"span", "span"},
                                                   {"sqrt", "cmath"},
                                                   {"string", "string"},
                                                   {"string_view", "string_view"},
                                                   {"uint32_t", "cstdint"},
                                                   {"uint64_t", "cstdint"},
                                                   {"uint8_t", "cstdint"},
                                                   {"unique_ptr", "memory"},
                                                   {"vector", "vector"},
                                                   {"is_enum_v", "type_traits"},
                                                   {"find", "algorithm"},
                                                   {"convertible_to", "concepts"}};
  const std::regex name(R"(\bstd::(\w+))");
  int checked = 0;
  for (const fs::path& file : sources(root / "include")) {
    const std::string text = text_of(file);
    const std::vector<std::string> included = includes(file);
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) {
      const auto entry = home.find((*it)[1]);
      if (entry == home.end()) continue;
      EXPECT_NE(std::find(included.begin(), included.end(), entry->second), included.end())
          << file << " uses " << it->str() << " without <" << entry->second << ">";
      ++checked;
    }
  }
  EXPECT_GT(checked, 200);
}

// OpenImageIO in two: what reads and what writes with it, in the image module.
TEST(Structure, HeavyHeadersStayInOneFile) {
  std::map<std::string, std::vector<std::string>> users;
  for (const fs::path& file : sources(root / "src")) {
    for (const std::string& include : includes(file)) {
      for (const char* heavy : {"OpenImageIO", "CLI/", "toml++", "tbb/", "fast_float/", "fmt/"}) {
        auto& files = users[heavy];
        const std::string name = file.filename().string();
        if (include.find(heavy) == 0 && (files.empty() || files.back() != name)) {
          files.push_back(name);
        }
      }
    }
  }
  for (const auto& [heavy, files] : users) {
    EXPECT_LE(files.size(), heavy == "OpenImageIO" ? 2u : 1u)
        << heavy << " is included by " << ::testing::PrintToString(files);
  }
}

// Adds `file` and each file of the repository that it includes. What programs on the library get
// from dapple/forward.hpp, Dapple's own sources do not include.
void collect_reached(const fs::path& file, std::set<fs::path>& reached) {
  if (!reached.insert(file).second || file.filename() == "forward.hpp") return;
  static std::map<fs::path, std::vector<fs::path>> known;  // reading a file again takes longer
  const auto [entry, is_new] = known.try_emplace(file);
  if (is_new) {
    for (const std::string& include : includes(file)) {
      for (const char* below : {"include", "src", "tests"}) {
        if (fs::exists(root / below / include)) entry->second.push_back(root / below / include);
      }
    }
  }
  for (const fs::path& next : entry->second) collect_reached(next, reached);
}

// Every source that reaches a header is compiled again after a change of it. Headers take the types
// of these three by reference, and include dapple/forward.hpp or dapple/sample_options.hpp.
TEST(Structure, FewSourcesReachTheCentralHeaders) {
  const std::map<std::string, int> most = {
      {"context.hpp", 389}, {"extend/options.hpp", 160}, {"sample.hpp", 110}};
  std::map<std::string, int> count;
  for (const char* below : {"src", "tests"}) {
    for (const fs::path& file : sources(root / below)) {
      if (file.extension() != ".cpp") continue;
      std::set<fs::path> reached;
      collect_reached(file, reached);
      for (const auto& [header, limit] : most) {
        if (reached.contains(root / "include" / "dapple" / header)) ++count[header];
      }
    }
  }
  for (const auto& [header, limit] : most) {
    EXPECT_LE(count[header], limit) << "sources reach dapple/" << header;
    EXPECT_GT(count[header], limit / 2) << "sources reach dapple/" << header;
  }
}

// So that the core of the library, all above io, builds without what files need.
TEST(Structure, TheCoreKnowsNoLibraryOfFiles) {
  int checked = 0;
  for (const fs::path& file : sources(root / "src")) {
    const std::string folder = fs::relative(file, root / "src").begin()->string();
    if (place(folder) >= place("io")) continue;
    for (const std::string& include : includes(file)) {
      const auto slash = include.find('/');
      if (slash == std::string::npos) {  // <vector>, but for headers of Unix none with a .h
        EXPECT_TRUE(include.find(".h") == std::string::npos || unix_headers.contains(include))
            << file << " includes " << include;
        continue;
      }
      const std::string first = include.substr(0, slash);
      EXPECT_TRUE(place(first) < place("io") || core_libraries.contains(first))
          << file << " includes " << include;
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

// Those of the C library give other last bits on other processors (core/deterministic_math.hpp).
TEST(Structure, WhatIsMadeNeedsNoFunctionsOfTheCLibrary) {
  const std::regex call(R"(std::(exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|)"
                        R"(asin|acos|atan|atan2|sinh|cosh|tanh|erf|lgamma|tgamma)\()");
  int checked = 0;
  for (const char* folder :
       {"core", "field", "sample", "relax", "draw", "generate", "analyze", "io", "app"}) {
    for (const fs::path& file : sources(root / "src" / folder)) {
      const std::string text = text_of(file);
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, call)) << file << ": " << found.str();
      ++checked;
    }
  }
  EXPECT_GT(checked, 100);
}

// The C++ libraries of some systems do not convert floating point.
TEST(Structure, NumbersBecomeTextInOnePlace) {
  const std::regex call(R"(std::(from|to)_chars\()");
  for (const char* below : {"src", "include", "plugins"}) {
    for (const fs::path& file : sources(root / below)) {
      if (file.parent_path().filename() == "text") continue;
      EXPECT_FALSE(std::regex_search(text_of(file), call))
          << file << ": use core/text/number_text.hpp";
    }
  }
}

// An empty one says that it is an object before it has the memory of one: where there is none, its
// destructor reads nothing.
TEST(Structure, ObjectsOfJsonBeginAsSuch) {
  const std::regex empty(R"(\n\s*(Json|json|nlohmann::\w*json) \w+;)");
  for (const fs::path& file : sources(root / "src")) {
    const std::string text = text_of(file);
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, empty)) << file << ":" << found.str();
  }
}

// The text in string literals of a file, adjacent ones joined.
std::string literals(const fs::path& file) {
  static const std::regex form(R"(^\s*//.*|^\s*#.*|"((\\.|[^"\\\n])*)\"|'(\\.|[^'\\])')",
                               std::regex::multiline);
  const std::string text = text_of(file);
  std::string found;
  std::size_t end = 0;
  for (std::sregex_iterator i(text.begin(), text.end(), form), none; i != none; ++i) {
    const auto at = static_cast<std::size_t>(i->position());
    if (text.substr(end, at - end).find_first_not_of(" \n") != std::string::npos) found += '\n';
    found += (*i)[1];
    end = at + static_cast<std::size_t>(i->length());
  }
  return found;
}

// The library serves recipes and programs too: it names options bare, in backquotes, and the
// command line makes flags of those that it knows (app/error_text.hpp).
TEST(Structure, TheLibraryNamesOptionsBare) {
  const std::set<std::string> code{"comment", "element",  "from", "image",
                                   "ply",     "property", "red",  "to"};
  const std::regex mention("`([a-z][^ `\n]*)[^`\n]*`");
  int mentions = 0;
  for (const fs::path& file : sources(root / "src")) {
    const std::string folder = fs::relative(file, root / "src").begin()->string();
    if (folder == "app" || folder == "studio") continue;
    const std::string text = literals(file);
    EXPECT_FALSE(std::regex_search(text, std::regex("--[a-z]"))) << file;
    for (std::sregex_iterator i(text.begin(), text.end(), mention), none; i != none; ++i) {
      const std::string all = i->str();
      if (code.contains((*i)[1])) continue;
      EXPECT_TRUE(dapple::app::as_flags(all).starts_with("--")) << file << ": no option " << all;
      ++mentions;
    }
  }
  EXPECT_GT(mentions, 100);
}

TEST(Structure, FilesStaySmall) {
  std::vector<std::ptrdiff_t> sizes;
  for (const char* below : {"src", "include"}) {
    for (const fs::path& file : sources(root / below)) {
      std::ifstream stream(file);
      sizes.push_back(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
      EXPECT_LE(sizes.back(), 600) << file << ": is this still one idea?";
    }
  }
  for (const fs::path& file : sources(root / "tests")) {
    std::ifstream stream(file);
    EXPECT_LE(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'), 600) << file;
  }
  std::sort(sizes.begin(), sizes.end());
  ASSERT_FALSE(sizes.empty());
  EXPECT_LT(sizes[sizes.size() / 2], 130) << "half of all files are longer than this";
}

// What an operation can do stands in its row: the program asks none for its name.
TEST(Structure, TheProgramAsksForNoOperationByName) {
  std::string names;
  for (const auto& row : dapple::operations()) {
    names += (names.empty() ? "\"(" : "|") + std::string(row.name);
  }
  names += ")\"";
  const std::regex name("[!=]=\\s*" + names + "|" + names + "\\s*[!=]=");
  for (const fs::path& file : sources(root / "src" / "app")) {
    const std::string text = text_of(file);
    std::smatch found;
    EXPECT_FALSE(std::regex_search(text, found, name)) << file << ": " << found.str();
  }
  EXPECT_TRUE(std::regex_search(std::string("row.name == \"mask\""), name));
}

// Comments by these words lack a subject: "Of the points" instead of "Returns the points".
TEST(Structure, CommentsBeginWithTheirSubject) {
  static const std::regex fragment(
      R"(^\s*// (Of|By|As(?! above\b)|Those|The same|What|Whether|Where|But for)\b)");
  std::vector<fs::path> files = sources(root / "src");
  const std::vector<fs::path> headers = sources(root / "include");
  files.insert(files.end(), headers.begin(), headers.end());
  for (const fs::path& file : files) {
    std::ifstream stream(file);
    bool within = false;  // a comment that began on an earlier line
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      const auto first = line.find_first_not_of(' ');
      const bool comment = first != std::string::npos && line.compare(first, 2, "//") == 0;
      EXPECT_FALSE(comment && !within && std::regex_search(line, fragment))
          << file << ":" << number << ": " << line.substr(first);
      within = comment;
    }
  }
}

// A folder is a room that one can see: no more than 30 files, each folder of sources with a list of
// its own, and no name that says the folder's again.
TEST(Structure, FoldersAreRooms) {
  std::map<fs::path, std::set<std::string>> rooms;
  for (const fs::path& file : sources(root / "src")) {
    rooms[file.parent_path()].insert(file.filename().string());
  }
  EXPECT_GT(rooms.size(), 15u);
  for (const auto& [room, files] : rooms) {
    EXPECT_LE(files.size(), 30u) << room;
    std::ifstream stream(room / "CMakeLists.txt");
    EXPECT_TRUE(stream) << room << " has no source list";
    for (const std::string& name : files) {
      EXPECT_FALSE(name.starts_with(room.filename().string() + "_")) << room / name;
    }
  }
  std::map<fs::path, int> tests;
  for (const fs::path& file : sources(root / "tests")) ++tests[file.parent_path()];
  for (const auto& [room, count] : tests) EXPECT_LE(count, 30) << room;
}

// Names that a reader had to look up. Each has a standard term now, which CONTRIBUTING.md lists or
// the file's first comment explains.
TEST(Structure, NamesAreStandardTerms) {
  const std::set<std::string> files = {
      "gang",       "settler",  "trial",         "stopwatch", "carried", "tools",      "targets",
      "wish",       "hearing",  "weigher",       "greeting",  "looks",   "orders",     "tones",
      "foreign",    "confine",  "wire",          "claim",     "bands",   "pairs",      "split",
      "doors",      "seen",     "portable",      "machine",   "counted", "made_of",    "demand",
      "crowd",      "stamps",   "on_grid",       "movie",     "walk",    "keep_apart", "cut_out",
      "even_parts", "choose",   "block_turns",   "strip",     "mix",     "wild",       "visit",
      "one_by_one", "filling",  "fewest_enough", "leave_out", "turns",   "turn",       "objects",
      "in_time",    "by_tiles", "kept",          "grounds",   "pieces",  "feet",       "net",
      "cracks",     "grades",   "room"};
  const std::regex identifier(
      R"(\b(klass|KeptPoints|read_demand|tell_needs|is_right|say_what_was_found|distance_asked|)"
      R"(held_off|idle_options|looking_extension|SurfaceMade|KeptSurface|sample_four|)"
      R"(sample_surface_round|Gang|Settler|Wish|Weigher|Stopwatch)\b)");
  for (const char* below : {"src", "include"}) {
    for (const fs::path& file : sources(root / below)) {
      EXPECT_FALSE(files.contains(file.stem().string())) << file;
      const std::string text = text_of(file);
      std::smatch found;
      EXPECT_FALSE(std::regex_search(text, found, identifier)) << file << ": " << found.str();
    }
  }
}

// Of a text of C++, the types that other files of a program see, by their full names.
std::set<std::string> types_in(const std::string& text) {
  static const std::regex aside(
      R"--(//[^\n]*|/\*[^]*?\*/|R"(\w*)\([^]*?\)\1"|"(?:\\.|[^"\\\n])*")--"
      R"--(|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*)--",
      std::regex::multiline);
  static const std::regex room(R"(namespace\s*([\w:]*)\s*$)");
  static const std::regex type(
      R"(\b(?:struct|class|union|enum)\s+(?:(?:struct|class)\s+)?((?:\w+::)*\w+)\s*(<[^;{}]*>)?)"
      R"((?:\s+final)?(?:\s*:(?!:)[^;{}()]*)?\s*$)");
  const std::string code = std::regex_replace(text, aside, " ");
  std::vector<std::string> scopes;  // "" one whose names stay inside of it
  std::set<std::string> found;
  std::size_t head = 0;  // of what stands before a brace
  for (std::size_t i = code.find_first_of(";{}"); i < code.size();
       head = i + 1, i = code.find_first_of(";{}", head)) {
    if (code[i] == '}' && !scopes.empty()) scopes.pop_back();
    if (code[i] != '{') continue;
    const std::string before = code.substr(head, i - head);
    const bool seen = std::find(scopes.begin(), scopes.end(), "") == scopes.end();
    std::smatch match;
    if (seen && std::regex_search(before, match, type)) {
      std::string name;
      for (const std::string& scope : scopes) name += scope + "::";
      found.insert(name + match.str(1) + match.str(2));
    }
    scopes.push_back(std::regex_search(before, match, room) ? match.str(1) : "");
  }
  return found;
}

// Two types of one name in a program are one to the linker, which takes the code of either for
// both. What one file alone needs stands in a namespace without a name, or in that of its room.
TEST(Structure, NoTwoTypesHaveOneName) {
  const std::string sample = R"cpp(
    namespace a {
    namespace {
    struct Own {};
    }  // namespace
    struct B final : C<int> {
      struct D {};
    };
    template <class T>
    struct E<T*> {};
    enum class F : int { one };
    }  // namespace a
    void h() {
      struct I {};
    }
    const char* j = "struct K {";
    struct L;)cpp";
  EXPECT_EQ(types_in(sample), (std::set<std::string>{"a::B", "a::E<T*>", "a::F"}));
  std::map<std::string, fs::path> homes;
  for (const char* below : {"src", "include"}) {
    for (const fs::path& file : sources(root / below)) {
      for (const std::string& name : types_in(text_of(file))) {
        const auto [home, is_new] = homes.emplace(name, file);
        EXPECT_TRUE(is_new) << name << " is in " << home->second << " and in " << file;
      }
    }
  }
  EXPECT_GT(homes.size(), 300u);
}

}  // namespace

// Every error that options and readers give for wrong input, as a table that `scripts/messages`
// prints for a reader to judge.
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>

#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/recipe.hpp"
#include "fuzz/mutations.hpp"
#include "fuzz/targets.hpp"
#include "subprocess.hpp"

namespace dapple::fuzz {
namespace {

struct Row {
  std::string source;  // option or format
  std::string value;   // what the option was set to; "" for files
  std::string text;
  friend auto operator<=>(const Row&, const Row&) = default;
};

// Adds the error of `act`, if it throws one.
template <class Act>
void collect(std::set<Row>& rows, const std::string& source, const std::string& value, Act act) {
  try {
    act();
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) rows.insert({source, value, problem.text()});
  }
}

std::set<Row> errors_of_options() {
  std::set<Row> rows;
  for (const Operation& operation : operations()) {
    const auto job = operation.make();
    OptionList options;
    job->describe(options);
    for (const auto& option : options) {
      for (const char* value : {"", "x", "-1", "0", "nan", "1e40", "1:2:3", "9999999999", "a=b"}) {
        const std::string name = std::string(operation.name) + " " + option->name;
        collect(rows, name, value, [&] { option->set(value); });
      }
    }
  }
  return rows;
}

// Errors of readers differ in numbers and quoted pieces of a file: of equal forms, one is kept.
std::string form_of(const std::string& text) {
  static const std::regex varying(R"('[^']*'|\d+(\.\d+)?(e[+-]?\d+)?)");
  return std::regex_replace(text, varying, "#");
}

std::set<Row> errors_of_readers() {
  const test::TemporaryFolder folder;
  using Read = void (*)(const std::string& bytes, const std::string& path);
  const Read points = [](const std::string& bytes, const std::string& path) {
    decode_points(bytes, path.substr(path.rfind('.') + 1), small);
  };
  const Read mesh = [](const std::string& bytes, const std::string& path) {
    decode_mesh(bytes, path.substr(path.rfind('.') + 1), small);
  };
  const Read image = [](const std::string& bytes, const std::string& path) {
    std::ofstream(path, std::ios::binary) << bytes;
    read_image(path, small);
  };
  const Read recipe = [](const std::string& bytes, const std::string&) {
    const Recipe parsed = parse_recipe(bytes, "recipe.toml");
    if (const Operation* operation = find_operation(parsed.command)) {
      const auto job = operation->make();
      OptionList options;
      job->describe(options);
      apply(parsed, options, "recipe.toml");
    }
  };
  struct Reader {
    std::string extension;
    std::string folder;  // in corpus/
    Read read;
    int changes;  // of each file
  };
  const std::vector<Reader> readers{
      {"csv", "csv", points, 200},    {"ply", "ply", points, 200}, {"json", "json", points, 200},
      {"npy", "npy", points, 200},    {"svg", "svg", points, 200}, {"obj", "mesh", mesh, 100},
      {"stl", "mesh", mesh, 100},     {"glb", "mesh", mesh, 100},  {"ply", "mesh", mesh, 100},
      {"png", "image", image, 20},    {"jpg", "image", image, 20}, {"npy", "array", image, 100},
      {"toml", "recipe", recipe, 200}};
  std::set<Row> rows;
  std::set<std::string> forms;
  for (const Reader& reader : readers) {
    std::vector<std::string> files;
    for (const auto& [name, bytes] : corpus(reader.folder)) {
      // Other pictures would each start a decoder of their own.
      if (reader.folder != "image" || name.ends_with("." + reader.extension))
        files.push_back(bytes);
    }
    const std::string path = (folder.path() / ("file." + reader.extension)).string();
    for (std::size_t i = 0; i < files.size(); ++i) {
      for (int k = 0; k <= reader.changes; ++k) {
        std::string bytes = files[i];
        Random random(11, Stream::tests, i * 1'000'000 + static_cast<std::size_t>(k));
        if (k > 0) mutate(bytes, files, random);
        std::set<Row> found;
        collect(found, reader.folder + " ." + reader.extension, "",
                [&] { reader.read(bytes, path); });
        for (Row row : found) {
          const auto at = row.text.find(path);
          if (at != std::string::npos) row.text.replace(at, path.size(), "FILE");
          if (forms.insert(row.source + form_of(row.text)).second) rows.insert(row);
        }
      }
    }
  }
  return rows;
}

// A message names the value at fault and uses none of the words that say nothing to a newcomer.
void expect_plain(const Row& row) {
  static const std::regex riddle(
      R"(is none that|has no place|holds? off|comes about|not to be had|as many as there|of those|what is there|)"
      R"(\bround (it|them)\b|\balone\b|whoever|said to)");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(row.text, found, riddle))
      << row.source << ": " << row.text << "\nsays '" << found.str() << "'";
  EXPECT_FALSE(row.text.ends_with(".")) << row.text;
  EXPECT_LE(row.text.size(), 400u) << row.text;
}

TEST(Messages, OfOptionsNameTheValueAndWhatIsAccepted) {
  const std::set<Row> rows = errors_of_options();
  EXPECT_GT(rows.size(), 500u);
  for (const Row& row : rows) {
    expect_plain(row);
    const std::string name = row.source.substr(row.source.find(' ') + 1);
    EXPECT_NE(row.text.find(name), std::string::npos) << row.source << ": " << row.text;
  }
}

TEST(Messages, OfReadersAreSentences) {
  const std::set<Row> rows = errors_of_readers();
  EXPECT_GT(rows.size(), 100u);
  for (const Row& row : rows) {
    expect_plain(row);
    EXPECT_GT(std::count(row.text.begin(), row.text.end(), ' '), 1)
        << row.source << ": " << row.text;
  }
}

// scripts/messages names the file.
TEST(Messages, AreWrittenAsATable) {
  const char* path = std::getenv("DAPPLE_MESSAGES");
  if (path == nullptr) GTEST_SKIP() << "DAPPLE_MESSAGES names no file";
  std::ofstream file(path);
  for (const auto& rows : {errors_of_options(), errors_of_readers()}) {
    for (const Row& row : rows) file << row.source << '\t' << row.value << '\t' << row.text << '\n';
  }
  EXPECT_TRUE(file.flush());
}

}  // namespace
}  // namespace dapple::fuzz

// Text to value and back; what is said about bad values.
#include "dapple/extend/options.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

#include "core/color_names.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/plane.hpp"

namespace dapple {
namespace {

TEST(Units, LengthsRoundTrip) {
  for (const char* text : {"12", "0.4mm", "1.5%", "2cm", "3in", "10pt", "0"}) {
    Length length;
    from_text(text, length);
    EXPECT_EQ(to_text(length), text);
  }
  Length length;
  EXPECT_THROW(from_text("-1", length), Error);
  EXPECT_THROW(from_text("4 parsecs", length), Error);
  EXPECT_THROW(from_text("", length), Error);
}

TEST(Units, LengthsBecomePixels) {
  const Scale scale{200, 4};
  EXPECT_DOUBLE_EQ((Length{3, Unit::px}.pixels(scale)), 3);
  EXPECT_DOUBLE_EQ((Length{50, Unit::percent}.pixels(scale)), 100);
  EXPECT_DOUBLE_EQ((Length{1, Unit::in}.pixels(scale)), 25.4 * 4);
  EXPECT_THROW((Length{1, Unit::mm}.pixels({200, 0})), Error);
}

TEST(Units, Sizes) {
  Size size;
  const auto of = [](const char* text) {
    Size read;
    from_text(text, read);
    return read;
  };
  EXPECT_EQ(of("Letter"), of("215.9x279.4mm"));
  EXPECT_EQ(of("US Letter"), of("letter"));
  EXPECT_EQ(of("8.5in x 11in"), of("8.5x11in"));
  EXPECT_EQ(of("a4-LANDSCAPE"), of("297x210mm"));
  EXPECT_EQ(of("A4-portrait"), of("A4"));
  EXPECT_EQ(of("Tabloid-landscape"), of("ledger"));
  EXPECT_EQ(of("B5"), of("176x250mm"));
  for (const char* wrong : {"A11", "C4", "8.5inx11mm", "8.5in x 11", "letters"}) {
    EXPECT_THROW(of(wrong), Error) << wrong;
  }
  from_text("512", size);
  EXPECT_EQ(size.pixel_width(), 512);
  EXPECT_EQ(size.pixel_height(), 512);
  from_text("64x32x16", size);
  EXPECT_EQ(size.depth, 16);
  EXPECT_EQ(to_text(size), "64x32x16");
  from_text("A4-landscape", size);
  EXPECT_DOUBLE_EQ(size.width_mm(), 297);
  EXPECT_EQ(to_text(size), "297x210mm");
  EXPECT_THROW(size.pixel_width(), Error);
  EXPECT_EQ(size.pixel_width(10), 2970);
  EXPECT_THROW(from_text("512x", size), Error);
  EXPECT_THROW(from_text("A11", size), Error);
  EXPECT_THROW(from_text("0x5", size), Error);
  from_text("4x3x2x5", size);
  EXPECT_EQ(to_text(size), "4x3x2x5");
  try {
    from_text("4x3x2x5x6", size);
    ADD_FAILURE() << "five sides";
  } catch (const Error& error) {  // says that there may be four
    EXPECT_NE(std::string(error.what()).find("32x32x32x16"), std::string::npos) << error.what();
  }
}

TEST(Units, RangesShareAUnit) {
  LengthRange range;
  from_text("1:4mm", range);
  EXPECT_EQ(range.min, (Length{1, Unit::mm}));
  from_text("1px:4mm", range);
  EXPECT_EQ(range.min, (Length{1, Unit::px}));
  LengthRange again;
  from_text(to_text(range), again);
  EXPECT_EQ(again, range);
  EXPECT_THROW(from_text("5:2", range), Error);
}

TEST(Colors, AreReadByTheNamesOfCss) {
  // lower_bound() finds each of them only where they are sorted.
  for (const NamedColor& known : named_colors) {
    const std::array<float, 3> rgb = parse_color(known.name);
    EXPECT_EQ(rgb[0], static_cast<float>(known.rgb >> 16) / 255.0f) << known.name;
    EXPECT_EQ(rgb[2], static_cast<float>(known.rgb & 0xff) / 255.0f) << known.name;
  }
  EXPECT_EQ(parse_color("rebeccapurple"), parse_color("#639"));
  EXPECT_EQ(parse_color("slategrey"), parse_color("#708090"));
  EXPECT_EQ(parse_color("yellowgreen"), parse_color("#9acd32"));
  EXPECT_THROW(parse_color("slategreen"), Error);
}

TEST(Options, SetChecksAndKeepsTheFieldOnError) {
  double sigma = 1.5;
  int count = 3;
  OptionList list;
  list.add("sigma", sigma, "Width of the kernel").unit("pixels").range(0.5, 2);
  list.add("count", count, "How many").at_least(1);
  list.find("sigma")->set("1.25");
  EXPECT_EQ(sigma, 1.25);
  EXPECT_THROW(list.find("sigma")->set("3"), Error);
  EXPECT_THROW(list.find("sigma")->set("wide"), Error);
  EXPECT_EQ(sigma, 1.25);
  EXPECT_THROW(list.find("count")->set("0"), Error);
  EXPECT_EQ(list.find("count")->default_text, "3");
  EXPECT_EQ(list.nearest("sigam"), "sigma");
  EXPECT_EQ(list.nearest("palette"), "");
}

TEST(Options, ListsHaveNoEmptyItems) {
  std::vector<std::string> outputs{"f1"};
  OptionList list;
  Option& option = list.add("outputs", outputs, "").words({"f1", "f2"});
  option.set("f2,f1");
  EXPECT_EQ(outputs, (std::vector<std::string>{"f2", "f1"}));
  for (const char* text : {"f1,", ",f1", "f1,,f2", ","})
    EXPECT_THROW(option.set(text), Error) << text;
  EXPECT_EQ(outputs, (std::vector<std::string>{"f2", "f1"}));
}

TEST(Options, CountsAreReadAsPeopleWriteThem) {
  std::int64_t dots = 0;
  OptionList list;
  Option& option = list.add("dots", dots, "How many").at_least(0);
  const std::pair<const char*, std::int64_t> readings[]{
      {"12", 12},
      {"10k", 10000},
      {"10K", 10000},
      {"1.5k", 1500},
      {"2M", 2000000},
      {"1e5", 100000},
      {"1E+5", 100000},
      {"2.50e3", 2500},
      {"10,000", 10000},
      {"1,234,567", 1234567},
      {"3.0", 3},
      {"0e99", 0},
      {"9223372036854775807", 9223372036854775807}};
  for (const auto& [text, value] : readings) {
    option.set(text);
    EXPECT_EQ(dots, value) << text;
  }
  for (const char* text : {"",
                           "k",
                           "1.2345k",
                           "1,00",
                           "1000,000",
                           ",100",
                           "1,000.5",
                           "1e",
                           "1e-2",
                           "1ek",
                           "10kk",
                           "10 k",
                           ".5k",
                           "1.",
                           "1m",
                           "1e19",
                           "1e100",
                           "1e99999999999",
                           "9223372036854775808",
                           "--1",
                           "-1",
                           "inf"}) {
    EXPECT_THROW(option.set(text), Error) << text;
    EXPECT_EQ(dots, 9223372036854775807) << text;
  }
  int tries = 7;
  EXPECT_THROW(list.add("tries", tries, "How often").set("3e9"), Error);
  EXPECT_EQ(tries, 7);
}

TEST(Options, ValuesOfEveryTypeThatAreNone) {
  OptionList list;
  bool flag = false;
  double number = 1;
  std::uint64_t seed = 1;
  Option& of_flag = list.add("flag", flag, "Or not");
  Option& of_number = list.add("number", number, "Some").range(-2, 2);
  Option& of_seed = list.add("seed", seed, "Whole");
  for (const char* text : {"on", "yes", "1", "true"}) {
    of_flag.set("off");
    of_flag.set(text);
    EXPECT_TRUE(flag) << text;
  }
  for (const char* text : {"off", "no", "0", "false"}) {
    of_flag.set("on");
    of_flag.set(text);
    EXPECT_FALSE(flag) << text;
  }
  EXPECT_THROW(of_flag.set("maybe"), Error);
  for (const char* text : {"nan", "inf", "", "1x", "-2.5", "2.5", "none"}) {
    EXPECT_THROW(of_number.set(text), Error) << text;
  }
  EXPECT_THROW(of_seed.set("-1"), Error);
  of_seed.set("1e+3");
  EXPECT_EQ(seed, 1000u);
  of_seed.set("2E+1");
  EXPECT_EQ(seed, 20u);
  EXPECT_THROW(of_seed.set("1e100"), Error);
  EXPECT_EQ(number, 1);
  // A name stands once; letters are found where an option has one.
  EXPECT_THROW(list.add("seed", number, "Again"), Error);
  EXPECT_EQ(list.find('x'), nullptr);
  of_seed.short_name = 'x';
  EXPECT_EQ(list.find('x'), &of_seed);
  EXPECT_EQ(list.find('\0'), nullptr);
}

// A field of each type as a caller may fill it, with one that is as it should be.
struct Filled {
  bool flag = true;
  int count = 3;
  std::int64_t dots = 10000;
  std::uint64_t seed = 1;
  double sigma = 1.5;
  std::optional<double> slope = {};
  std::string name = "plain";
  std::string word = "up";
  std::vector<std::string> items{"a", "b"};
  std::vector<std::string> listed{"up", "x2"};
  std::vector<std::string> texts{"one, two", ""};
  Length length{3, Unit::mm};
  LengthRange range = {};
  Size size{64, 32};
  OnPaper<Length> pen{{0.3, Unit::mm}};
  OnPaper<LengthRange> dots_of = {};
  Contrast contrast = {};
  MapKind kind = MapKind::density;
  ImageInput image = {};
  TextInput text{"#ff0000", nullptr};
};

void describe(Filled& filled, OptionList& list) {
  const auto is_x = [](std::string_view text) { return text.starts_with("x"); };
  list.add("flag", filled.flag, "");
  list.add("count", filled.count, "").range(-5, 5);
  list.add("dots", filled.dots, "").at_least(0);
  list.add("seed", filled.seed, "");
  list.add("sigma", filled.sigma, "").range(0, 50);
  list.add("slope", filled.slope, "").range(0.25, 2);
  list.add("name", filled.name, "");
  list.add("word", filled.word, "").words({"up", "down"}).or_form("xN", is_x);
  list.add("items", filled.items, "");
  list.add("listed", filled.listed, "").words({"up", "down"}).or_form("xN", is_x);
  list.add_each("texts", filled.texts, "");
  list.add("length", filled.length, "");
  list.add("range", filled.range, "");
  list.add("size", filled.size, "");
  list.add("pen", filled.pen, "");
  list.add("dots-of", filled.dots_of, "");
  list.add("contrast", filled.contrast, "");
  list.add("kind", filled.kind, "").check([](std::string_view text) {
    return text == "tone" ? "must be another" : "";
  });
  list.add("image", filled.image, "");
  list.add("text", filled.text, "");
}

TEST(Options, SeveralMapsOfOneOptionEachHaveAFile) {
  std::vector<NamedMap> maps;
  OptionList list;
  Option& option = list.add_each("class", maps, "");
  option.set("oak=a,b=c.png:4mm:9mm,fern=c:2.png:3");
  option.set("moos-1=dir/x:1:2");
  ASSERT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[0].name, "oak");
  EXPECT_EQ(maps[0].map.path, "a,b=c.png") << "no name begins where no range has ended";
  EXPECT_EQ(to_text(maps[0].radius), "4mm:9mm");
  EXPECT_EQ(maps[1].map.path, "c:2.png");
  EXPECT_EQ(to_text(maps[1].radius), "3");
  EXPECT_EQ(option.get(), "oak=a,b=c.png:4mm:9mm,fern=c:2.png:3,moos-1=dir/x:1:2");
  std::vector<NamedMap> again;
  OptionList second;
  second.add_each("class", again, "").set(option.get());
  EXPECT_EQ(second.find("class")->get(), option.get());
  std::string keys;
  for (const Option::File& file : option.files()) keys += file.key + " " + file.path + ";";
  EXPECT_EQ(keys, "class-oak a,b=c.png;class-fern c:2.png;class-moos-1 dir/x;");
  option.name_files([](const Option::File& file) { return file.key + ".png"; });
  EXPECT_EQ(maps[1].map.path, "class-fern.png");
  option.set("fern=new.png:5:6");
  EXPECT_EQ(maps.size(), 3U);
  EXPECT_EQ(maps[1].map.path, "new.png");
  EXPECT_TRUE(option.names_file());
  EXPECT_FALSE(option.is_loaded());
  for (NamedMap& one : maps) one.map = {"", std::make_shared<const Image>()};
  EXPECT_TRUE(option.is_loaded());
  EXPECT_FALSE(option.names_file());
  EXPECT_TRUE(option.files().empty());
}

// Of a caller who sets no text.
TEST(Options, NamedMapsHoldWhatTheirTextsWould) {
  const auto problem = [](auto change) {
    std::vector<NamedMap> maps(2);
    for (NamedMap& one : maps) {
      one.map.image = std::make_shared<const Image>();
      one.radius = {{2, Unit::px}, {4, Unit::mm}};
    }
    maps[0].name = "oak";
    maps[1].name = "fern";
    change(maps);
    OptionList list(OptionList::Extent::doubts);
    list.add_each("class", maps, "");
    try {
      check_values(list);
    } catch (const Error& error) {
      EXPECT_EQ(error.option(), "class");
      return std::string(error.what());
    }
    return std::string();
  };
  const auto said = [&](auto change, const char* text) {
    EXPECT_NE(problem(change).find(text), std::string::npos) << problem(change) << " " << text;
  };
  using Maps = std::vector<NamedMap>;
  EXPECT_EQ(problem([](Maps&) {}), "");
  said([](Maps& m) { m[1].name = "a,b"; }, "letters, digits");
  said([](Maps& m) { m[1].name = ""; }, "letters, digits");
  said([](Maps& m) { m[1].name = "oak"; }, "'oak' twice");
  said([](Maps& m) { m[1].radius = {}; }, "above 0");
  said([](Maps& m) { m[1].radius.min.value = std::numeric_limits<double>::quiet_NaN(); }, "nan");
  said([](Maps& m) { m[1].radius.min.value = -1; }, "-1");
  said([](Maps& m) { m[1].radius.max.value = 1e308; }, "1e+308");
  said([](Maps& m) { m[1].map = {"ferns.png", nullptr}; }, "'ferns.png' was not read");
}

// What is judged without a text is judged as its text would be: the same problems in the same
// words, whatever a field holds.
TEST(Options, FieldsAreJudgedWithoutTextsAsTheirTextsAre) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto problems = [](const Filled& given, OptionList::Extent extent, std::size_t* doubts) {
    Filled filled = given;
    OptionList list(extent);
    describe(filled, list);
    list.settle();
    if (doubts != nullptr) *doubts = list.size();
    try {
      check_values(list);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::size_t wrong = 0;
  const auto judge = [&](auto change) {
    Filled filled;
    change(filled);
    const std::string by_text = problems(filled, OptionList::Extent::values, nullptr);
    EXPECT_EQ(problems(filled, OptionList::Extent::doubts, nullptr), by_text);
    wrong += by_text.empty() ? 0 : 1;
  };
  std::size_t doubts = 0;
  EXPECT_EQ(problems({}, OptionList::Extent::doubts, &doubts), "");
  EXPECT_EQ(doubts, 2U) << "what has a rule, and a color in place of a file";

  for (const int v : {-6, -5, 0, 5, 6}) judge([v](Filled& f) { f.count = v; });
  for (const std::int64_t v : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
    judge([v](Filled& f) { f.dots = v; });
    judge([v](Filled& f) { f.seed = static_cast<std::uint64_t>(v); });
  }
  for (const double v : {-inf, -1e-9, -0.0, 0.0, 0.1, 50.0, 50.1, 1e9, 1.1e9, inf, nan}) {
    judge([v](Filled& f) { f.sigma = v; });
    judge([v](Filled& f) { f.slope = v; });
    judge([v](Filled& f) { f.length.value = v; });
    judge([v](Filled& f) { f.pen.value = v; });
    judge([v](Filled& f) { f.range = {{v, Unit::px}, {20, Unit::px}}; });
    judge([v](Filled& f) { f.range = {{v, Unit::mm}, {20, Unit::px}}; });
    judge([v](Filled& f) { f.range.max = {v, Unit::percent}; });
    judge([v](Filled& f) { f.dots_of = LengthRange{{2, Unit::mm}, {v, Unit::mm}}; });
    judge([v](Filled& f) { f.size.width = v; });
    judge([v](Filled& f) { f.size = {v, v}; });
    judge([v](Filled& f) { f.size.depth = v; });
    judge([v](Filled& f) { f.size.extent = v; });
    judge([v](Filled& f) { f.contrast.factor = v; });
  }
  for (const int unit : {0, 5, 6, 77}) {
    judge([unit](Filled& f) { f.length.unit = static_cast<Unit>(unit); });
    judge([unit](Filled& f) { f.size.unit = static_cast<Unit>(unit); });
    judge([unit](Filled& f) {
      f.dots_of = LengthRange{{1, static_cast<Unit>(unit)}, {2, Unit::px}};
    });
  }
  for (const int kind : {0, 2, 3, 77, -1}) {
    judge([kind](Filled& f) { f.kind = static_cast<MapKind>(kind); });
  }
  for (const char* text : {"", "up", "x3", "upp", "a,b", "\n"}) {
    judge([text](Filled& f) { f.name = text; });
    judge([text](Filled& f) { f.word = text; });
    judge([text](Filled& f) { f.items = {"a", text}; });
    judge([text](Filled& f) { f.items = {text}; });
    judge([text](Filled& f) { f.listed = {"up", text}; });
    judge([text](Filled& f) { f.texts = {text}; });
    judge([text](Filled& f) { f.image.path = text; });
    judge([text](Filled& f) { f.text.path = text; });
  }
  judge([](Filled& f) { f.items.clear(); });
  judge([](Filled& f) {
    f.image.path = "photo.png";
    f.image.image = std::make_shared<const Image>();
  });
  judge([](Filled& f) {
    f.count = 9;
    f.sigma = -1;
    f.size.width = -4;
    f.kind = static_cast<MapKind>(9);
  });
  EXPECT_GT(wrong, 60U);
}

TEST(Options, FilesThatNobodyReadAreNoValues) {
  OptionList list;
  TextInput file;
  file.path = "words.txt";
  list.add("words", file, "Of a file");
  try {
    check_values(list);
    ADD_FAILURE() << "a path alone is no text";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().option, "words");
    EXPECT_NE(std::string(error.what()).find("its file 'words.txt' was not read"),
              std::string::npos);
  }
  file.text = std::make_shared<const std::string>("1 2");
  EXPECT_NO_THROW(check_values(list));
}

}  // namespace
}  // namespace dapple

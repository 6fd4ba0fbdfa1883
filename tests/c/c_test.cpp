// The C interface, through libdapple.so as a host sees it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/resource.h>
#include <thread>

#include "c/host.hpp"
#include "dapple/dapple.h"
#include "subprocess.hpp"

extern "C" int dapple_test_number_of_the_header(void);

namespace dapple {
namespace {

using namespace test;
using Json = nlohmann::json;

const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/clock.png";

TEST(C, VersionsAreOfThisBuild) {
  EXPECT_STREQ(dapple_version(), DAPPLE_VERSION);
  EXPECT_EQ(dapple_abi(), DAPPLE_ABI);
  EXPECT_EQ(dapple_test_number_of_the_header(),
            DAPPLE_VERSION_MAJOR * 10000 + DAPPLE_VERSION_MINOR * 100 + DAPPLE_VERSION_PATCH);
}

TEST(C, NothingElseIsSeenFromOutside) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(&dapple_version), &info), 0);
  const TemporaryFolder folder;
  const auto symbols =
      test::run_process({"/usr/bin/nm", "-D", "--defined-only", info.dli_fname}, folder.path());
  ASSERT_EQ(symbols.code, 0) << symbols.err;
  std::istringstream lines(symbols.out);
  int functions = 0;
  for (std::string address, kind, name; lines >> address >> kind >> name;) {
    if (kind == "A") continue;  // the name of the version
    EXPECT_EQ(kind + name.substr(0, 7), "Tdapple_") << name;
    ++functions;
  }
  EXPECT_GT(functions, 20);
}

TEST(C, TheSchemaIsThatOfTheProgram) {
  const TemporaryFolder folder;
  const auto program = test::run_process({DAPPLE_PROGRAM, "schema"}, folder.path());
  EXPECT_EQ(program.out, dapple_schema());
}

// Operations read and write their own; the commands that are none have no job.
TEST(C, PresetsMakeTheBytesOfTheProgram) {
  int checked = 0;
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(DAPPLE_SOURCE_FOLDER "/presets")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string preset = entry.path().stem().string();
    const std::string first = preset.substr(0, preset.find('-'));
    const std::string operation = first == "texture" ? "worley" : first;
    const bool takes_photo = operation == "stipple" || operation == "dither";
    const std::string extension = operation == "stipple"          ? "svg"
                                  : preset == "texture-cell-data" ? "exr"
                                                                  : "png";
    std::vector<std::string> words{DAPPLE_PROGRAM, operation};
    if (takes_photo) words.push_back(photo);
    Settings settings{{"preset", preset}};
    if (takes_photo) settings.emplace_back("input", photo);
    if (operation == "worley") settings.emplace_back("size", "96x96");
    if (operation == "mask") settings.emplace_back("size", "32x32");
    if (operation == "stipple") settings.emplace_back("dots", "700");
    for (const auto& [name, text] : settings) {
      if (name != "input") words.insert(words.end(), {"--" + name, text});
    }
    words.insert(words.end(), {"-q", "-o", "program." + extension});
    const auto program = test::run_process(words, folder.path());
    ASSERT_EQ(program.code, 0) << preset << ": " << program.err;

    const Host library = host();
    const JobHandle job = job_of(library, operation, settings);
    const ResultHandle result = result_of(library, job);
    ASSERT_TRUE(result) << preset;
    const std::string path = (folder / ("library." + extension)).string();
    ASSERT_EQ(dapple_result_save(result.get(), path.c_str()), DAPPLE_OK)
        << preset << ": " << dapple_error_message(library.get());
    EXPECT_TRUE(folder.read("program." + extension) == folder.read("library." + extension))
        << preset;
    EXPECT_TRUE(folder.read("program." + extension) == bytes_of(library, result, extension))
        << preset;
    ++checked;
  }
  EXPECT_GT(checked, 25);
}

TEST(C, ImagesInMemoryAreThoseOfFiles) {
  const int width = 40;
  const int height = 30;
  std::vector<unsigned char> wide(static_cast<std::size_t>(width * height) * 8, 7);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        wide[static_cast<std::size_t>((y * width + x) * 8 + 2 * c)] =
            static_cast<unsigned char>(3 * x + 2 * y + 20 * c);
      }
    }
  }
  const TemporaryFolder folder;
  std::string ppm = "P6 40 30 255\n";
  for (int i = 0; i < width * height; ++i) {
    for (int c = 0; c < 3; ++c)
      ppm += static_cast<char>(wide[static_cast<std::size_t>(i * 8 + 2 * c)]);
  }
  folder.write("in.ppm", ppm);

  const Host library = host();
  const JobHandle from_memory = job_of(library, "stipple", {{"dots", "300"}});
  // From the last row up, so that strides are of both signs.
  std::vector<unsigned char> upside_down(wide.size());
  const std::size_t row = static_cast<std::size_t>(width) * 8;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    std::memcpy(&upside_down[y * row], &wide[(static_cast<std::size_t>(height) - 1 - y) * row],
                row);
  }
  const dapple_image view{&upside_down[(static_cast<std::size_t>(height) - 1) * row],
                          DAPPLE_UINT8,
                          width,
                          height,
                          3,
                          8,
                          -static_cast<ptrdiff_t>(row),
                          2};
  ASSERT_EQ(dapple_job_set_image(from_memory.get(), nullptr, &view), DAPPLE_OK)
      << dapple_error_message(library.get());
  const JobHandle from_file =
      job_of(library, "stipple", {{"dots", "300"}, {"input", (folder / "in.ppm").string()}});
  const ResultHandle one = result_of(library, from_memory);
  const ResultHandle other = result_of(library, from_file);
  EXPECT_EQ(column_of(one, "x").count, 300U);
  for (const char* name : {"x", "y", "r"}) {
    const dapple_column a = column_of(one, name);
    const dapple_column b = column_of(other, name);
    ASSERT_EQ(a.count, b.count);
    const auto size = static_cast<std::size_t>(a.stride) * a.count;
    EXPECT_EQ(std::memcmp(a.data, b.data, size), 0) << name;
  }
}

// Slices lie one below the other. Integers of 32 bits have no range, so no image holds them.
TEST(C, ImagesOfSlicesAreVolumes) {
  const std::vector<float> ones(std::size_t{20} * 16 * 12, 1.0F);
  const std::vector<std::int32_t> whole(ones.size(), 1);
  dapple_image view{ones.data(), DAPPLE_FLOAT32, 20, 16 * 12, 1, 4, 80, 0};
  const Host library = host();
  const JobHandle job = job_of(library, "sample", {{"dimensions", "3"}, {"radius", "3"}});
  ASSERT_EQ(dapple_job_set_slices(job.get(), nullptr, &view, 12), DAPPLE_OK);
  const ResultHandle result = result_of(library, job);
  const char* text = nullptr;
  ASSERT_EQ(dapple_result_facts(result.get(), &text), DAPPLE_OK);
  const Json facts = Json::parse(text);
  EXPECT_EQ(facts["domain"]["height"], 16);
  EXPECT_EQ(facts["domain"]["depth"], 12);
  for (const std::int32_t slices : {0, -1, 7}) {
    const JobHandle wrong = job_of(library, "sample");
    EXPECT_EQ(dapple_job_set_slices(wrong.get(), nullptr, &view, slices), DAPPLE_USAGE) << slices;
  }
  view.data = whole.data();
  view.type = DAPPLE_INT32;
  const JobHandle dither = job_of(library, "dither");
  EXPECT_EQ(dapple_job_set_image(dither.get(), nullptr, &view), DAPPLE_USAGE);
  EXPECT_NE(std::string(dapple_error_message(library.get())).find("not integers of 32 bits"),
            std::string::npos);
}

TEST(C, IntoMemoryOfTheCaller) {
  const Host library = host();
  std::size_t count = 0;
  EXPECT_EQ(dapple_even_points(library.get(), 64, 48, 4, 0, nullptr, 0, &count), DAPPLE_LIMIT);
  ASSERT_GT(count, 50U);
  std::vector<double> xy(2 * count, -1);
  const std::size_t room = count;
  ASSERT_EQ(dapple_even_points(library.get(), 64, 48, 4, 0, xy.data(), room, &count), DAPPLE_OK);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(std::hypot(xy[2 * i] - xy[2 * j], xy[2 * i + 1] - xy[2 * j + 1]), 4);
    }
  }
  const JobHandle job = job_of(library, "mask", {{"size", "20x12"}});
  const ResultHandle result = result_of(library, job);
  dapple_plane ranks{};
  ASSERT_EQ(dapple_result_plane(result.get(), 1, &ranks), DAPPLE_OK);
  EXPECT_STREQ(ranks.name, "rank");
  std::vector<std::int32_t> wide(32 * 12, -5);
  ASSERT_EQ(dapple_mask_ranks(library.get(), 20, 12, wide.data(), 32 * 4), DAPPLE_OK);
  for (std::size_t y = 0; y < 12; ++y) {
    EXPECT_EQ(std::memcmp(&wide[32 * y], static_cast<const std::int32_t*>(ranks.data) + 20 * y, 80),
              0);
    EXPECT_EQ(wide[32 * y + 20], -5);
  }
}

TEST(C, ErrorsSayWhatWhereAndWhichOption) {
  const Host library = host();
  const JobHandle job = job_of(library, "stipple");
  const auto said = [&] { return std::string(dapple_error_message(library.get())); };
  const auto option = [&] { return std::string(dapple_error_option(library.get())); };
  EXPECT_EQ(dapple_job_set(job.get(), "regularity", "99"), DAPPLE_USAGE);
  EXPECT_EQ(said(), "regularity: must be from 0 to 1, not 99");
  EXPECT_EQ(option(), "regularity");
  EXPECT_EQ(dapple_job_set(job.get(), "regularty", "0"), DAPPLE_USAGE);
  EXPECT_EQ(said(), "regularty: is not an option of stipple; did you mean 'regularity'?");
  EXPECT_EQ(dapple_job_set(job.get(), "preset", "linocat"), DAPPLE_USAGE);
  EXPECT_NE(said().find("linocut"), std::string::npos) << said();
  EXPECT_EQ(dapple_job_set_recipe(job.get(), "command = \"mask\"\n"), DAPPLE_USAGE);
  EXPECT_EQ(dapple_context_set(library.get(), "thread", "2"), DAPPLE_USAGE);
  EXPECT_EQ(said(), "thread: is not an option of a context; did you mean 'threads'?");
  dapple_result* result = nullptr;
  EXPECT_EQ(dapple_job_run(job.get(), &result), DAPPLE_USAGE) << "without an input";
  EXPECT_EQ(dapple_job_run(job.get(), &result), DAPPLE_USAGE) << "a second time";
  const JobHandle missing = job_of(library, "stipple", {{"input", "/nowhere.png"}});
  EXPECT_EQ(dapple_job_run(missing.get(), &result), DAPPLE_INPUT);
  EXPECT_NE(said().find("/nowhere.png"), std::string::npos) << said();
  EXPECT_EQ(dapple_context_set(library.get(), "max-pixels", "100"), DAPPLE_OK);
  EXPECT_EQ(said(), "");
  const JobHandle large = job_of(library, "mask", {{"size", "64x64"}});
  EXPECT_EQ(dapple_job_run(large.get(), &result), DAPPLE_LIMIT);
  const JobHandle together = job_of(library, "sample", {{"size", "64x64"}, {"tries", "9"}});
  EXPECT_EQ(dapple_job_run(together.get(), &result), DAPPLE_USAGE);
  EXPECT_EQ(option(), "tries");
  EXPECT_EQ(result, nullptr);
}

TEST(C, NoCallEndsTheHost) {
  const Host library = host();
  dapple_job* job = nullptr;
  EXPECT_EQ(dapple_job_new(nullptr, "mask", &job), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_new(library.get(), nullptr, &job), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_new(library.get(), "maks", &job), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_new(library.get(), "mask", nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set(nullptr, "size", "8"), DAPPLE_USAGE);
  const JobHandle stipple = job_of(library, "stipple");
  EXPECT_EQ(dapple_job_set(stipple.get(), nullptr, "8"), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set(stipple.get(), "dots", nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_recipe(stipple.get(), nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_image(stipple.get(), nullptr, nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_points(stipple.get(), "mask", nullptr, 0, 1, 1, 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_run(stipple.get(), nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_run(nullptr, nullptr), DAPPLE_USAGE);
  const unsigned char pixel = 3;
  for (const dapple_image& wrong : {dapple_image{nullptr, DAPPLE_UINT8, 1, 1, 1, 1, 1, 1},
                                    dapple_image{&pixel, 77, 1, 1, 1, 1, 1, 1},
                                    dapple_image{&pixel, DAPPLE_UINT8, 0, 1, 1, 1, 1, 1},
                                    dapple_image{&pixel, DAPPLE_UINT8, 1, -1, 1, 1, 1, 1},
                                    dapple_image{&pixel, DAPPLE_UINT8, 1, 1, 5, 1, 1, 1}}) {
    const JobHandle dither = job_of(library, "dither");
    EXPECT_EQ(dapple_job_set_image(dither.get(), nullptr, &wrong), DAPPLE_USAGE);
  }
  const JobHandle cells = job_of(library, "worley");
  const double value = 1;
  const dapple_column lone{"x", &value, DAPPLE_FLOAT64, 1, 8};
  const dapple_column strange{"q", &value, DAPPLE_FLOAT64, 1, 8};
  const dapple_column pair[]{lone, {"y", &value, DAPPLE_FLOAT64, 2, 8}};
  EXPECT_EQ(dapple_job_set_points(cells.get(), "points", &lone, 1, 9, 9, 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_points(cells.get(), "points", &strange, 1, 9, 9, 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_points(cells.get(), "points", pair, 2, 9, 9, 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_job_set_points(cells.get(), "size", pair, 2, 9, 9, 0), DAPPLE_USAGE);
  EXPECT_EQ(dapple_result_facts(nullptr, nullptr), DAPPLE_USAGE);
  EXPECT_EQ(dapple_mask_ranks(library.get(), 8, 8, nullptr, 32), DAPPLE_USAGE);
  std::vector<std::int32_t> ranks(1);
  EXPECT_NE(dapple_mask_ranks(library.get(), -8, 8, ranks.data(), 32), DAPPLE_OK);
  EXPECT_EQ(dapple_mask_ranks(library.get(), 1, 1, ranks.data(), 2), DAPPLE_USAGE);
  EXPECT_EQ(dapple_mask_ranks(library.get(), 1, 2, ranks.data(), 0), DAPPLE_USAGE);
  std::size_t count = 0;
  EXPECT_NE(dapple_even_points(library.get(), 0, 8, 1, 0, nullptr, 0, &count), DAPPLE_OK);
  EXPECT_NE(dapple_even_points(library.get(), 8, 8, -1, 0, nullptr, 0, &count), DAPPLE_OK);
  float f1 = 0;
  EXPECT_NE(dapple_cell_distances(library.get(), &value, 0, 1, 1, &f1, nullptr), DAPPLE_OK);
  const double place[] = {0.5, 0.5};
  EXPECT_EQ(dapple_cell_distances(library.get(), place, 1, 1, 1, &f1, &f1), DAPPLE_USAGE)
      << "both into the same memory";
  dapple_set_progress(nullptr, nullptr, nullptr);
  dapple_cancel(nullptr);
  dapple_job_free(nullptr);
  dapple_result_free(nullptr);
  dapple_context_free(nullptr);
}

// Numbers and steps that no memory has.
TEST(C, NoNumberEndsTheHost) {
  const Host library = host();
  dapple_context_set(library.get(), "max-pixels", "1000000");
  std::vector<double> xy(64);
  std::size_t count = 0;
  const double least = std::numeric_limits<double>::denorm_min();
  const double most = std::numeric_limits<double>::max();
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0, -1.0, least, 1e-300, most}) {
    const auto points = [&](double width, double height, double radius) {
      return dapple_even_points(library.get(), width, height, radius, 0, xy.data(), 32, &count);
    };
    EXPECT_NE(points(value, 8, 1), DAPPLE_OK) << value;
    EXPECT_NE(points(8, value, 1), DAPPLE_OK) << value;
    EXPECT_NE(points(8, 8, value), DAPPLE_OK) << value;
  }
  constexpr std::int32_t large = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t small = std::numeric_limits<std::int32_t>::min();
  constexpr std::ptrdiff_t far = std::numeric_limits<std::ptrdiff_t>::max() & ~7;
  constexpr std::ptrdiff_t back = std::numeric_limits<std::ptrdiff_t>::min();
  std::vector<std::int32_t> ranks(64);
  for (const std::ptrdiff_t step : {far, back, std::ptrdiff_t{33}}) {
    EXPECT_EQ(dapple_mask_ranks(library.get(), 8, 8, ranks.data(), step), DAPPLE_USAGE) << step;
  }
  EXPECT_EQ(dapple_mask_ranks(library.get(), small, small, ranks.data(), 32), DAPPLE_USAGE);
  EXPECT_EQ(dapple_mask_ranks(library.get(), 8, 8, &ranks[56], -32), DAPPLE_OK);
  float f1 = 0;
  EXPECT_EQ(dapple_cell_distances(library.get(), xy.data(), SIZE_MAX, 1, 1, &f1, nullptr),
            DAPPLE_LIMIT);
  EXPECT_EQ(dapple_cell_distances(library.get(), xy.data(), 1, large, large, &f1, nullptr),
            DAPPLE_LIMIT);

  const float pixel = 0.5F;
  const auto image = [&](const dapple_image& view) {
    return dapple_job_set_image(job_of(library, "dither").get(), nullptr, &view);
  };
  EXPECT_EQ(image({&pixel, DAPPLE_FLOAT32, large, large, 4, 0, 0, 0}), DAPPLE_LIMIT);
  EXPECT_EQ(image({&pixel, DAPPLE_FLOAT32, 9, 9, 4, 0, far, 0}), DAPPLE_USAGE);
  EXPECT_EQ(image({&pixel, DAPPLE_FLOAT32, 9, 9, 4, back, 0, 0}), DAPPLE_USAGE);
  EXPECT_EQ(image({&pixel, DAPPLE_FLOAT32, 9, 9, 4, 0, 0, back}), DAPPLE_USAGE);
  EXPECT_EQ(image({&pixel, DAPPLE_FLOAT32, 1, 1, 1, far, back, back}), DAPPLE_OK) << "no steps";
  const JobHandle cells = job_of(library, "worley");
  const auto points = [&](std::size_t rows, std::ptrdiff_t step) {
    const dapple_column columns[]{{"x", xy.data(), DAPPLE_FLOAT64, rows, step},
                                  {"y", xy.data(), DAPPLE_FLOAT64, rows, step}};
    return dapple_job_set_points(cells.get(), "points", columns, 2, 9, 9, 0);
  };
  EXPECT_EQ(points(SIZE_MAX, 0), DAPPLE_LIMIT);
  EXPECT_EQ(points(9, far), DAPPLE_USAGE);
  EXPECT_EQ(points(9, back), DAPPLE_USAGE);
  EXPECT_EQ(points(1, back), DAPPLE_OK);
}

TEST(C, MasksOfOthersAreMeasured) {
  const Host library = host();
  const JobHandle job = job_of(library, "mask", {{"size", "64x64"}, {"bits", "float"}});
  const ResultHandle result = result_of(library, job);
  dapple_plane plane{};
  ASSERT_EQ(dapple_result_plane(result.get(), 0, &plane), DAPPLE_OK);
  const dapple_image values{plane.data, plane.type, 64, 64, 1, 4, 256, 0};
  dapple_result* raw = nullptr;
  ASSERT_EQ(dapple_mask(library.get(), &values, &raw), DAPPLE_OK);
  const ResultHandle given(raw);
  const char* text = nullptr;
  ASSERT_EQ(dapple_result_report(given.get(), &text), DAPPLE_OK);
  EXPECT_EQ(Json::parse(text)["verdict"], "All goals are met.");
}

// A host of its own thread is told, and stops what it does not want to wait for.
TEST(C, ProgressIsToldWhereTheCallWasMade) {
  struct Told {
    std::thread::id thread = std::this_thread::get_id();
    int calls = 0;
    int elsewhere = 0;
    std::string stage;
  } told;
  const Host library = host();
  dapple_set_progress(
      library.get(),
      [](void* data, const char* stage, double fraction) {
        auto& told = *static_cast<Told*>(data);
        if (std::this_thread::get_id() != told.thread || fraction < 0 || fraction > 1) {
          ++told.elsewhere;
        }
        told.stage = stage;
        return ++told.calls == 3 ? 1 : 0;
      },
      &told);
  const JobHandle job = job_of(library, "stipple", {{"input", photo}, {"dots", "400000"}});
  dapple_result* result = nullptr;
  EXPECT_EQ(dapple_job_run(job.get(), &result), DAPPLE_CANCELLED);
  EXPECT_EQ(result, nullptr);
  EXPECT_EQ(told.calls, 3);
  EXPECT_EQ(told.elsewhere, 0);
  // The next one is not stopped.
  const JobHandle next = job_of(library, "mask", {{"size", "16"}});
  EXPECT_TRUE(result_of(library, next));
}

// A run within a run would use the context of the first.
TEST(C, AProgressFunctionCannotRunInItsContext) {
  struct Told {
    dapple_job* job = nullptr;
    dapple_context* context = nullptr;
    int refused = 0;
    std::string why;
  } told;
  const Host library = host();
  const JobHandle inner = job_of(library, "mask", {{"size", "16"}});
  told.job = inner.get();
  told.context = library.get();
  dapple_set_progress(
      library.get(),
      [](void* data, const char*, double) {
        auto& told = *static_cast<Told*>(data);
        dapple_result* none = nullptr;
        told.refused += dapple_job_run(told.job, &none) == DAPPLE_USAGE && none == nullptr ? 1 : 0;
        told.why = dapple_error_message(told.context);
        return 0;
      },
      &told);
  const JobHandle job = job_of(library, "stipple", {{"input", photo}, {"dots", "20000"}});
  EXPECT_TRUE(result_of(library, job));
  EXPECT_GT(told.refused, 0);
  EXPECT_NE(told.why.find("is running another call"), std::string::npos) << told.why;
  // The job that was refused runs afterwards.
  dapple_set_progress(library.get(), nullptr, nullptr);
  EXPECT_TRUE(result_of(library, inner));
}

TEST(C, OtherThreadsStopIt) {
  const Host library = host();
  const JobHandle job = job_of(library, "stipple", {{"input", photo}, {"dots", "400000"}});
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    dapple_cancel(library.get());
  });
  dapple_result* result = nullptr;
  EXPECT_EQ(dapple_job_run(job.get(), &result), DAPPLE_CANCELLED);
  other.join();
  dapple_cancel(library.get());
  const JobHandle stopped = job_of(library, "mask", {{"size", "16"}});
  EXPECT_EQ(dapple_job_run(stopped.get(), &result), DAPPLE_CANCELLED);
  const JobHandle next = job_of(library, "mask", {{"size", "16"}});
  EXPECT_TRUE(result_of(library, next));
}

TEST(C, ManyThreadsAtOnce) {
  const auto mask = [](int seed) {
    const Host library = host();
    dapple_context_set(library.get(), "seed", std::to_string(seed).c_str());
    dapple_context_set(library.get(), "threads", seed % 2 == 0 ? "1" : "2");
    const JobHandle job = job_of(library, "mask", {{"size", "24x40"}});
    return bytes_of(library, result_of(library, job), "png");
  };
  std::vector<std::string> alone;
  for (int seed = 0; seed < 8; ++seed) alone.push_back(mask(seed));
  std::vector<std::string> together(8);
  std::vector<std::thread> threads;
  for (int seed = 0; seed < 8; ++seed) {
    threads.emplace_back([&, seed] { together[static_cast<std::size_t>(seed)] = mask(seed); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

TEST(C, AFullDiskIsAStatus) {
  const TemporaryFolder folder;
  const Host library = host();
  const JobHandle job = job_of(library, "sample", {{"size", "256x256"}, {"radius", "2"}});
  const ResultHandle result = result_of(library, job);
  const std::string path = (folder / "a.csv").string();
  const pid_t child = fork();
  if (child == 0) {
    const rlimit small{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
    _exit(dapple_result_save(result.get(), path.c_str()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "a signal left the library";
  EXPECT_EQ(WEXITSTATUS(status), DAPPLE_OUTPUT);
  EXPECT_TRUE(folder.names().empty());
  EXPECT_EQ(dapple_result_save(result.get(), "/nowhere/a.csv"), DAPPLE_OUTPUT);
  EXPECT_EQ(dapple_result_save(result.get(), path.c_str()), DAPPLE_OK);
  EXPECT_EQ(folder.names().size(), 2U);  // the sidecar too
}

TEST(C, FactsAndReports) {
  const Host library = host();
  dapple_context_set(library.get(), "seed", "7");
  const JobHandle job = job_of(library, "sample", {{"size", "64x32"}, {"count", "100"}});
  const ResultHandle result = result_of(library, job);
  const char* text = nullptr;
  ASSERT_EQ(dapple_result_facts(result.get(), &text), DAPPLE_OK);
  const Json facts = Json::parse(text);
  EXPECT_EQ(facts["points"], 100);
  EXPECT_EQ(facts["seed"], 7);
  EXPECT_EQ(facts["domain"]["width"], 64);
  ASSERT_EQ(dapple_result_report(result.get(), &text), DAPPLE_OK);
  EXPECT_EQ(Json::parse(text)["measurements"]["N"], 100);
  // What a caller has is measured as well, and so is a file of it.
  dapple_column columns[3]{};
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(dapple_result_column(result.get(), i, &columns[i]), DAPPLE_OK);
  }
  dapple_result* raw = nullptr;
  ASSERT_EQ(dapple_points(library.get(), columns, 3, 64, 32, 0, &raw), DAPPLE_OK);
  const ResultHandle given(raw);
  const std::string first = Json::parse(text)["measurements"].dump();
  ASSERT_EQ(dapple_result_report(given.get(), &text), DAPPLE_OK);
  EXPECT_EQ(Json::parse(text)["measurements"].dump(), first);
  const TemporaryFolder folder;
  const std::string path = (folder / "a.csv").string();
  ASSERT_EQ(dapple_result_save(result.get(), path.c_str()), DAPPLE_OK);
  ASSERT_EQ(dapple_points_file(library.get(), path.c_str(), &raw), DAPPLE_OK);
  const ResultHandle read(raw);
  ASSERT_EQ(dapple_result_report(read.get(), &text), DAPPLE_OK);
  EXPECT_EQ(Json::parse(text)["measurements"].dump(), first);
  // The recipe makes it again; the file carries it.
  ASSERT_EQ(dapple_recipe_in(library.get(), path.c_str(), &text), DAPPLE_OK);
  EXPECT_EQ(facts["recipe"], text);
  EXPECT_EQ(dapple_recipe_in(library.get(), photo.c_str(), &text), DAPPLE_INPUT);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(dapple_recipe_in(library.get(), nullptr, &text), DAPPLE_USAGE);
  EXPECT_EQ(dapple_recipe_in(library.get(), path.c_str(), nullptr), DAPPLE_USAGE);
  const Host other = host();
  const JobHandle again = job_of(other, "sample");
  const std::string recipe = facts["recipe"];
  ASSERT_EQ(dapple_job_set_recipe(again.get(), recipe.c_str()), DAPPLE_OK)
      << dapple_error_message(other.get());
  EXPECT_EQ(bytes_of(other, result_of(other, again), "ply"), bytes_of(library, result, "ply"));
}

}  // namespace
}  // namespace dapple

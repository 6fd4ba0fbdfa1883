// Encoders of files: processor time and size for F1 of 65536 cells at 2048x2048, and from points to
// finished files. Also the start of a batch.
#include <benchmark/benchmark.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include "app/batch/batch.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/worley.hpp"
#include "io/images/formats.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

// One site in each cell of a lattice, on the torus.
Points make_sites(int side, int along) {
  Points sites;
  sites.domain = {static_cast<double>(side), static_cast<double>(side), true};
  Random random(1, Stream::tests);
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < along; ++i) {
      sites.add({(i + random.uniform()) * side / along, (j + random.uniform()) * side / along}, 1);
    }
  }
  return sites;
}

Image make_texture(int side, int along, const std::vector<std::string>& outputs, Context& context) {
  WorleyOptions options;
  options.outputs = outputs;
  Image image = worley(make_sites(side, along), side, side, options, context);
  image.hints.tileable = true;
  image.hints.half_enough = true;
  return image;
}

const Image& texture() {
  static const Image image = [] {
    Context context;
    return make_texture(2048, 256, {"f1"}, context);
  }();
  return image;
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// The time is that of all threads together.
void encode(benchmark::State& state, const Image& image, const ImageEncoding& how) {
  std::string bytes;
  for (auto _ : state) {
    const double start = processor_seconds();
    bytes.clear();
    const ModuleError error =
        image_module(how.extension).encode(image, how, bytes, [](double) { return true; });
    if (!error.text.empty()) state.SkipWithError(error.text.c_str());
    state.SetIterationTime(processor_seconds() - start);
  }
  state.counters["MB"] = 1e-6 * static_cast<double>(bytes.size());
}

void add(const std::string& name, void (*run)(benchmark::State&, const std::string&, bool),
         const std::string& setting, bool half) {
  benchmark::RegisterBenchmark(name.c_str(), run, setting, half)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void exr(benchmark::State& state, const std::string& compression, bool half) {
  Image image = texture();
  if (half) image.type = PixelType::f16;
  ImageEncoding how;
  how.extension = "exr";
  how.attributes = {{"compression", compression}};
  encode(state, image, how);
}

void exr_tiled(benchmark::State& state, const std::string& compression, bool half) {
  Image image = texture();
  if (half) image.type = PixelType::f16;
  ImageEncoding how;
  how.extension = "exr";
  how.texture = true;
  how.attributes = {{"compression", compression}, {"openexr:levelmode", "0"}};
  encode(state, image, how);
}

void tx(benchmark::State& state, const std::string& compression, bool half) {
  Image image = texture();
  if (half) image.type = PixelType::f16;
  ImageEncoding how;
  how.extension = "exr";
  how.attributes = {{"compression", compression}};
  encode_as_texture(image, how);
  encode(state, image, how);
}

// `setting` is a compression, and a level of zip.
void tif(benchmark::State& state, const std::string& setting, bool) {
  ImageEncoding how;
  how.extension = "tif";
  const auto colon = setting.find(':');
  how.attributes = {{"compression", setting.substr(0, colon)}};
  if (colon != std::string::npos) {
    how.attributes.emplace_back("tiff:zipquality", setting.substr(colon + 1));
  }
  encode(state, texture(), how);
}

// `setting` is a level and a filter of libpng.
void png(benchmark::State& state, const std::string& setting, bool) {
  const Image image = normalized(texture());
  ImageEncoding how;
  how.extension = "png";
  const auto colon = setting.find(':');
  how.attributes = {{"png:compressionLevel", setting.substr(0, colon)},
                    {"png:filter", setting.substr(colon + 1)}};
  encode(state, image, how);
}

// `setting` is an extension: with what encode_image() chooses.
void chosen(benchmark::State& state, const std::string& setting, bool half) {
  std::string bytes;
  for (auto _ : state) {
    Image image = setting == "png" ? normalized(texture()) : texture();
    if (setting != "png") image.type = half ? PixelType::f16 : PixelType::f32;
    image.hints.half_enough = half;
    const double start = processor_seconds();
    bytes = encode_image(std::move(image), setting);
    state.SetIterationTime(processor_seconds() - start);
  }
  state.counters["MB"] = 1e-6 * static_cast<double>(bytes.size());
}

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("dapple-bench-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Points to a renamed file, by the clock.
void points_to_tx_2048(benchmark::State& state) {
  const Folder folder;
  for (auto _ : state) {
    Context context;
    Image image = make_texture(2048, 256, {"f1"}, context);
    write_file(folder / "a.tx", encode_image(std::move(image), "tx", context), Overwrite::always);
  }
}

void points_to_ten_maps_4096(benchmark::State& state) {
  const Folder folder;
  for (auto _ : state) {
    Context context;
    Image image = make_texture(
        4096, 512, {"f1", "f2", "f3", "f2-f1", "edge", "random", "lines", "position", "height"},
        context);
    for (std::size_t c = 0; c < 10; ++c) {
      Image one;
      one.encoding = Encoding::data;
      one.type = PixelType::f16;
      one.names = {image.names[c]};
      one.channels.push_back(std::move(image.channels[c]));
      const std::string path = folder / (image.names[c] + ".exr");
      write_file(path, encode_image(std::move(one), "exr", context), Overwrite::always);
    }
  }
}

const bool registered = [] {
  for (const bool half : {true, false}) {
    const std::string type = half ? "half" : "float";
    for (const char* compression : {"none", "rle", "zips", "zip", "zip:1", "zip:9", "piz"}) {
      add("encode_exr_" + type + "/" + compression, exr, compression, half);
    }
    for (const char* extension : {"exr", "tx"}) {
      add("encode_chosen_" + type + "/" + extension, chosen, extension, half);
    }
    for (const char* compression : {"zip", "piz"}) {
      add("encode_exr_tiled_" + type + "/" + compression, exr_tiled, compression, half);
    }
    for (const char* compression : {"none", "zip", "zip:1", "piz"}) {
      add("encode_tx_" + type + "/" + compression, tx, compression, half);
    }
  }
  for (const char* setting : {"none", "zip:1", "zip:6"}) {
    add("encode_tif_float/" + std::string(setting), tif, setting, false);
  }
  add("encode_chosen_float/tif", chosen, "tif", false);
  add("encode_chosen_16_bits/png", chosen, "png", false);
  // Filters: 0 libpng's own choice, 8 none, 16 sub, 32 up.
  for (const char* setting : {"1:0", "3:0", "6:0", "9:0", "3:8", "6:8", "3:16", "3:32", "6:32"}) {
    add("encode_png16/" + std::string(setting), png, setting, false);
  }
  return true;
}();

BENCHMARK(points_to_tx_2048)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(points_to_ten_maps_4096)->UseRealTime()->Unit(benchmark::kMillisecond);

// The time that each shard of a large batch spends before its first job.
void batch_start(benchmark::State& state) {
  const auto file = fs::temp_directory_path() / ("jobs-" + std::to_string(getpid()) + ".toml");
  std::ofstream(file) << "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = "
                      << state.range(0) << " }\noutput = \"out/m_{size}_{seed}.png\"\n";
  Context context;
  context.threads = 1;
  for (auto _ : state) {
    const std::vector<app::BatchJob> jobs = app::read_jobs(file.string(), context);
    benchmark::DoNotOptimize(app::hash_of(jobs));
    benchmark::DoNotOptimize(app::jobs_of({1, 1000}, jobs).size());
  }
  fs::remove(file);
}
BENCHMARK(batch_start)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dapple

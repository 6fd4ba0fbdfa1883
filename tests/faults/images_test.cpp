// Pictures that are cut or changed: each is read or refused, by a process of its own under limits,
// as a program would that uses the library.
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

// A picture of every format that is written here, and those of the corpus for readers.
std::map<std::string, std::string> pictures() {
  Image image;
  image.names = {"R", "G", "B"};
  Random random(3, Stream::tests);
  for (int c = 0; c < 3; ++c) {
    Plane<float>& plane = image.channels.emplace_back(48, 40);
    for (float& v : plane.values()) v = static_cast<float>(random.below(64)) / 64.0f;
  }
  std::map<std::string, std::string> all;
  for (const char* format : {"png", "jpg", "tif", "exr", "tx", "hdr", "ppm", "tga", "bmp"}) {
    all[format] = encode_image(image, format);
  }
  image.type = PixelType::f32;
  all["float tif"] = encode_image(image, "tif");
  for (const auto& entry :
       fs::directory_iterator(DAPPLE_SOURCE_FOLDER "/tests/fuzz/corpus/image")) {
    std::ifstream file(entry.path(), std::ios::binary);
    all[entry.path().filename()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return all;
}

// How a process ends that reads it: 0, or the exit code for its error; below 0 for a signal.
int code_of_reading(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    limit(RLIMIT_CPU, 20);
    limit(RLIMIT_AS, rlim_t{3} << 30);
    try {
      Context context;
      context.limits.max_memory = 1 << 30;
      _exit(read_frames(path, context).channels.empty() ? 1 : 0);
    } catch (const Error& error) {
      _exit(error.kind() == ErrorKind::input ? 3 : error.kind() == ErrorKind::limit ? 5 : 1);
    } catch (...) {
      _exit(1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class Pictures {
 public:
  explicit Pictures(std::string name) : name_(std::move(name)) {
    // The program that decodes is started once, by this process.
    folder_.write("image", pictures_.at("exr"));
    read_frames(folder_ / "image", Context());
  }
  ~Pictures() {
    const char* table = std::getenv("DAPPLE_FAULTS_TABLE");
    if (table == nullptr) return;
    std::ofstream(table, std::ios::app)
        << name_ + "\t" + std::to_string(cases_) + "\t" + std::to_string(failures_) + "\n";
  }
  const std::map<std::string, std::string>& all() const { return pictures_; }
  void try_one(const std::string& what, const std::string& bytes) {
    folder_.write("image", bytes);
    const int code = code_of_reading(folder_ / "image");
    ++cases_;
    if (code == 0 || code == 3 || code == 5) return;
    ++failures_;
    ADD_FAILURE() << what << ": " << text_of(code);
  }

 private:
  std::string name_;
  std::map<std::string, std::string> pictures_ = pictures();
  test::TemporaryFolder folder_;
  int cases_ = 0;
  int failures_ = 0;
};

TEST(ImageFaults, CutPicturesAreReadOrRefused) {
  Pictures pictures("pictures, cut");
  for (const auto& [name, bytes] : pictures.all()) {
    const auto step = static_cast<std::size_t>(64 * every(8));
    for (std::size_t n = 1; n < bytes.size(); n += step) {
      pictures.try_one(name + " cut at " + std::to_string(n), bytes.substr(0, n));
    }
  }
}

// Some bytes of the header or anywhere, of any value, and parts that are left out or doubled.
TEST(ImageFaults, ChangedPicturesAreReadOrRefused) {
  Pictures pictures("pictures, changed");
  for (const auto& [name, whole] : pictures.all()) {
    Random random(11, Stream::tests);
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(n)));
    };
    for (int i = 0; i < 10000 / every(200); ++i) {
      std::string bytes = whole;
      for (std::size_t k = 1 + below(6); k > 0; --k) {
        const std::size_t reach =
            below(2) == 0 ? std::min<std::size_t>(bytes.size(), 512) : bytes.size();
        bytes[below(reach)] = static_cast<char>(below(4) == 0 ? 255 : below(256));
      }
      if (below(8) == 0) bytes.erase(below(bytes.size()), below(64));
      if (below(8) == 0) bytes.insert(below(bytes.size()), bytes.substr(0, below(64)));
      pictures.try_one(name + " changed " + std::to_string(i), bytes);
    }
  }
}

}  // namespace
}  // namespace dapple::faults

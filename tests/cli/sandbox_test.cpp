// Decoders in a process of their own: the same pixels as within this one, errors where the process
// dies, and nothing of the environment that loads libraries.
#include "io/images/read/sandbox.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "cli/program_test.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "io/images/read/bands.hpp"
#include "io/images/read/confine.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

constexpr wire::Task task{std::int64_t{1} << 30, 60};

Image ramp(int channels, PixelType type) {
  Image image;
  const std::vector<std::string> names{"R", "G", "B", "A"};
  image.names.assign(names.begin(), names.begin() + channels);
  if (channels == 1) image.names = {"Y"};
  image.type = type;
  float value = 0;
  for (int c = 0; c < channels; ++c) {
    Plane<float>& plane = image.channels.emplace_back(67, 41);
    for (float& v : plane.values()) v = std::min(1.0f, (value += 0.00007f));
  }
  return image;
}

class Sandboxed : public test::ProgramTest {
 protected:
  void TearDown() override { set_decoding({}); }
  std::string path() const { return folder / "image"; }
  Image read(Sandbox how) const {
    set_decoding({{"dds"}, how});
    return read_frames(path(), Context());
  }
};

TEST_F(Sandboxed, PixelsAreThose) {
  for (const char* format : {"exr", "tif", "hdr", "tga", "bmp", "tx", "gif"}) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
      for (const int channels : {1, 3, 4}) {
        if (std::string(format) == "gif") {
          folder.write("image",
                       "GIF89a" + std::string("\2\0\2\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\2\0"
                                              "\2\0\0\2\3\x44\x02\x05\0;",
                                              36));
        } else {
          folder.write("image", encode_image(ramp(channels, type), format));
        }
        const Image here = read(Sandbox::never);
        const Image there = read(Sandbox::always);
        EXPECT_EQ(here.channels, there.channels) << format;
        EXPECT_EQ(here.names, there.names) << format;
        EXPECT_EQ(here.metadata, there.metadata) << format;
        EXPECT_EQ(here.type, there.type) << format;
        EXPECT_EQ(here.encoding, there.encoding) << format;
      }
    }
  }
  Image frames = ramp(3, PixelType::f32);
  for (Plane<float>& plane : frames.channels) plane = Plane<float>(16, 30);
  frames.slices = 3;
  folder.write("image", encode_image(frames, "tif"));
  EXPECT_EQ(read(Sandbox::never).slices, 3);
  EXPECT_EQ(read(Sandbox::always).slices, 3);
}

// Processes named dapple-decode below this one.
std::vector<pid_t> decoders(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat");
    std::string name, state;
    pid_t pid = 0, above = 0;
    if (stat >> pid >> name >> state >> above && above == parent && name == "(dapple-decode)") {
      found.push_back(pid);
    }
  }
  return found;
}

TEST_F(Sandboxed, ADecoderThatDiesIsAnErrorOfTheFile) {
  folder.write("image", encode_image(ramp(3, PixelType::f32), "exr"));
  const InputFile file(path(), Context());
  for (const int signal : {SIGSEGV, SIGKILL, SIGXCPU, SIGABRT}) {
    std::unique_ptr<BandReader> bands;
    ImageHeader header;
    const auto never = [] { return false; };
    ASSERT_EQ(open_sandboxed(file.descriptor(), "openexr", task, never, bands, header).text, "");
    const std::vector<pid_t> programs = decoders(::getpid());
    ASSERT_EQ(programs.size(), 1u);
    const std::vector<pid_t> children = decoders(programs[0]);
    ASSERT_FALSE(children.empty());  // one of the file before may be about to end
    for (const pid_t child : children) ::kill(child, signal);
    Image image;
    BandedImage reader(std::move(bands), header);
    const ModuleError error = reader.read(image, [](double) { return true; });
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(error.text.find("the decoder of openexr files"), std::string::npos) << error.text;
  }
  // The program itself: it is started again.
  ::kill(decoders(::getpid()).at(0), SIGKILL);
  EXPECT_EQ(read(Sandbox::automatic).width(), 67);
}

TEST_F(Sandboxed, BoundsOfMemoryHold) {
  Image large;
  large.names = {"Y"};
  large.channels.emplace_back(4000, 4000);
  folder.write("image", encode_image(large, "tga"));
  const InputFile file(path(), Context());
  std::unique_ptr<BandReader> bands;
  ImageHeader header;
  const auto never = [] { return false; };
  // Targa is unpacked as a whole.
  ModuleError error =
      open_sandboxed(file.descriptor(), "targa", {8 << 20, 60}, never, bands, header);
  if (error.text.empty()) {
    Image image;
    error = BandedImage(std::move(bands), header).read(image, [](double) { return true; });
  }
  EXPECT_NE(error.text, "");
}

// A process confined as decoders are, which then tries what none needs.
TEST_F(Sandboxed, LittleElseCanBeDone) {
  const auto code_of = [](auto&& act) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (!confine({64 << 20, 10, false, true}).empty()) ::_exit(99);
      ::_exit(act());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  EXPECT_EQ(code_of([] { return ::open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM; }), 1);
  EXPECT_EQ(code_of([] { return ::fork() < 0 && errno == EPERM; }), 1);
  EXPECT_EQ(code_of([] { return ::kill(::getppid(), SIGTERM) < 0 && errno == EPERM; }), 1);
  EXPECT_EQ(code_of([] { return ::unlink("/tmp/nothing") < 0 && errno == EPERM; }), 1);
  EXPECT_EQ(code_of([] { return std::malloc(std::size_t{128} << 20) == nullptr; }), 1);
  EXPECT_EQ(code_of([] { return std::malloc(16 << 20) != nullptr; }), 1);
}

// A decoder that a file took over may say anything of a picture.
TEST_F(Sandboxed, WhatDecodersSayIsCheckedAgain) {
  fs::create_directory(folder / "lib");
  fs::copy_file(DAPPLE_LYING_MODULE, folder / "lib" / "dapple-image.so");
  folder.write("image", encode_image(ramp(3, PixelType::u8), "tif"));
  test::Spawn how;
  how.environment["DAPPLE_MODULE_PATH"] = folder / "lib";
  how.before = [] {
    const rlimit most{rlim_t{2} << 30, rlim_t{2} << 30};
    setrlimit(RLIMIT_DATA, &most);
  };
  const std::vector<std::string> words{"dither", "image", "--sandbox", "never", "-o", "out.png"};
  how.environment["LIE"] = "nothing";
  good(words, how);
  for (const char* lie :
       {"frames below zero", "no frames", "larger frames", "frames of less channels",
        "bytes that no number holds", "a band of terabytes"}) {
    how.environment["LIE"] = lie;
    const test::Outcome outcome = run(words, how);
    EXPECT_EQ(outcome.code, 3) << lie << outcome.err;
  }
}

// OpenImageIO would load every *.imageio.so of that folder.
TEST_F(Sandboxed, TheEnvironmentLoadsNothing) {
  fs::copy_file(DAPPLE_HOSTILE_PLUGIN, folder / "hostile.imageio.so");
  good({"mask", "--size", "8", "-q", "-o", "a.tif"});
  test::Spawn how;
  how.environment["OIIO_LIBRARY_PATH"] = folder.path();
  how.environment["HOSTILE_MARK"] = folder / "mark";
  good({"dither", "a.tif", "-q", "-o", "b.tif"}, how);
  good({"dither", "a.tif", "-q", "--sandbox", "never", "-o", "b.tif"}, how);
  EXPECT_FALSE(fs::exists(folder / "mark"));
}

// What a module does as it is loaded cannot be undone: it is looked at before.
TEST_F(Sandboxed, AModuleOfAnotherVersionIsNotLoaded) {
  fs::create_directory(folder / "lib");
  fs::copy_file(DAPPLE_HOSTILE_PLUGIN, folder / "lib" / "dapple-image.so");
  test::Spawn how;
  how.environment["DAPPLE_MODULE_PATH"] = folder / "lib";
  how.environment["HOSTILE_MARK"] = folder / "mark";
  const test::Outcome outcome = run({"mask", "--size", "8", "-o", "a.tif"}, how);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("another version"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(folder / "mark"));
}

}  // namespace
}  // namespace dapple

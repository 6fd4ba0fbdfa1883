// Decoders in a process of their own: the same pixels as within this one, errors where the process
// dies, and nothing of the environment that loads libraries.
#include "io/images/sandbox/sandbox.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/read/input_file.hpp"
#include "io/images/read/scanline_bands.hpp"
#include "io/images/sandbox/seccomp_filter.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;

constexpr protocol::Task task{std::int64_t{1} << 30, 60};

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

// A picture in `format`. The DDS has pixels of four bytes without alpha, which only OpenImageIO
// reads.
std::string picture_in(const std::string& format) {
  if (format != "dds") return encode_image(ramp(3, PixelType::u8), format);
  std::string bytes = encode_image(ramp(4, PixelType::u8), "dds");
  bytes[80] = 0x40;
  bytes.replace(104, 4, 4, '\0');
  return bytes;
}

class Sandboxed : public test::ProgramTest {
 protected:
  std::string path() const { return folder / "image"; }
  Image read(Sandbox how) const {
    Context context;
    context.limits.decoding = {{"dds"}, how};
    return read_frames(path(), context);
  }
  // Runs of the program with another image module beside the program that decodes.
  test::Spawn with_module(const char* module) const {
    fs::create_directory(folder / "lib");
    fs::copy_file(module, folder / "lib" / "dapple-image.so");
    fs::copy_file(fs::path(image_module_path()).parent_path() / decoder_name,
                  folder / "lib" / decoder_name);
    test::Spawn how;
    how.environment["DAPPLE_MODULE_PATH"] = folder / "lib";
    return how;
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

// Reads an .exr file whose decoder gets a signal when it has read the header.
ModuleError signalled(const InputFile& file, const protocol::Task& within, int signal) {
  std::unique_ptr<BandReader> bands;
  ImageHeader header;
  const auto never = [] { return false; };
  const ModuleError error =
      open_sandboxed(file.descriptor(), "openexr", within, never, bands, header);
  if (!error.text.empty()) return error;
  const std::vector<pid_t> programs = decoders(::getpid());
  EXPECT_EQ(programs.size(), 1u);
  // One of the file before may be about to end.
  for (const pid_t child : decoders(programs.at(0))) ::kill(child, signal);
  Image image;
  BandedImage reader(std::move(bands), header);
  return reader.read(image, [](double) { return true; });
}

TEST_F(Sandboxed, ADecoderThatDiesIsAnErrorOfTheFile) {
  folder.write("image", encode_image(ramp(3, PixelType::f32), "exr"));
  const InputFile file(path(), Context());
  for (const int signal : {SIGSEGV, SIGKILL, SIGABRT, SIGXCPU}) {
    const ModuleError error = signalled(file, task, signal);
    EXPECT_EQ(error.kind, signal == SIGXCPU ? ErrorKind::limit : ErrorKind::input);
    EXPECT_NE(error.text.find("the openexr decoder"), std::string::npos) << error.text;
  }
  // The program itself: it is started again.
  ::kill(decoders(::getpid()).at(0), SIGKILL);
  EXPECT_EQ(read(Sandbox::automatic).width(), 67);
}

// It would sleep for ever, and take no time of the processor.
TEST_F(Sandboxed, ADecoderThatSleepsIsEnded) {
  folder.write("image", encode_image(ramp(3, PixelType::f32), "exr"));
  const InputFile file(path(), Context());
  const ModuleError error = signalled(file, {std::int64_t{1} << 30, 1}, SIGSTOP);
  EXPECT_EQ(error.kind, ErrorKind::limit);
  EXPECT_NE(error.text.find("decoder too long"), std::string::npos) << error.text;
  while (!decoders(decoders(::getpid()).at(0)).empty()) ::usleep(1000);
}

// A decoder in a stranger's hands answers with half of a message, then with none, and sends files
// that nobody wants.
TEST_F(Sandboxed, MessagesThatDoNotEndAreRefused) {
  const protocol::Channel channel;
  std::string message;
  double left = 0.2;
  const auto patience = [&left](double seconds) { return (left -= seconds) > 0; };
  const std::string full(60001, '\0');  // and its first byte: there is more
  ASSERT_EQ(::send(channel.theirs, full.data(), full.size(), 0), 60001);
  EXPECT_EQ(protocol::receive(channel.mine, message, nullptr, patience),
            protocol::Arrival::silence);
  left = 1;
  ASSERT_EQ(::send(channel.theirs, full.data(), 1, 0), 1);
  EXPECT_EQ(protocol::receive(channel.mine, message, nullptr, patience), protocol::Arrival::end);
  const auto open_files = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = open_files();
  ASSERT_TRUE(protocol::send(channel.theirs, "word", {STDIN_FILENO, STDIN_FILENO}));
  EXPECT_EQ(protocol::receive(channel.mine, message, nullptr, patience),
            protocol::Arrival::message);
  EXPECT_EQ(message, "word");
  EXPECT_EQ(open_files(), before);
  for (const int end : {channel.mine, channel.theirs}) ::close(end);
}

// Headers that would have this process read beyond what it holds.
TEST_F(Sandboxed, HeadersThatMakeNoSenseAreRefused) {
  ImageHeader sound;
  sound.width = sound.height = sound.stored_width = sound.stored_height = 100;
  sound.channels = 1;
  sound.names = {"Y"};
  sound.band = 10;
  sound.working_bytes = 1 << 20;
  EXPECT_EQ(band_bytes(sound), 4000u);
  ImageHeader wide = sound;  // 2^64 bytes
  wide.stored_width = 1 << 30;
  wide.stored_height = wide.band = 1 << 30;
  wide.channels = 4;
  wide.names = {"R", "G", "B", "A"};
  EXPECT_EQ(band_bytes(wide), 0u);
  ImageHeader far = sound;
  far.left = -2000000000;
  EXPECT_EQ(band_bytes(far), 0u);
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

TEST_F(Sandboxed, BoundsOfMemoryHoldInTheProcess) {
  const auto code_of = [](auto&& act) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (!confine({64 << 20, 10}).missing.empty()) ::_exit(99);
      ::_exit(act());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  EXPECT_EQ(code_of([] { return std::malloc(std::size_t{128} << 20) == nullptr; }), 1);
  EXPECT_EQ(code_of([] { return std::malloc(16 << 20) != nullptr; }), 1);
  EXPECT_EQ(code_of([] { return ::raise(SIGABRT); }), -SIGABRT);
}

// A module that tries what no decoder needs, where the real program would decode.
TEST_F(Sandboxed, LittleElseCanBeDone) {
  test::Spawn how = with_module(DAPPLE_TRYING_MODULE);
  const std::string mark = "the decoder did nothing else";
  for (const char* format : {"tif", "dds"}) {
    folder.write("image", picture_in(format));
    for (const char* sandbox : {"auto", "always"}) {
      const test::Outcome outcome = run(
          {"dither", "image", "--allow-format", "dds", "--sandbox", sandbox, "-o", "out.png"}, how);
      EXPECT_NE(outcome.err.find(mark), std::string::npos) << outcome.err;
    }
  }
  // The module would notice: without a sandbox it does all of this.
  how.environment["FREE"] = "1";
  const test::Outcome free =
      run({"dither", "image", "--allow-format", "dds", "--sandbox", "never", "-o", "out.png"}, how);
  for (const char* act : {"open /etc/passwd", "share memory", "start many threads", "fork",
                          "signal a thread of its parent", "take a signal of its input"}) {
    EXPECT_NE(free.err.find(std::string(" could ") + act), std::string::npos)
        << act << free.code << free.err;
  }
}

// Takes what sandboxes are made of from a process and its children.
void lose(std::initializer_list<int> calls) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  for (const int call : calls) seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
  const scmp_arg_cmp second{1, SCMP_CMP_MASKED_EQ, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                            SECCOMP_FILTER_FLAG_NEW_LISTENER};
  seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EBUSY), SCMP_SYS(seccomp), 1, &second);
  const scmp_arg_cmp first{0, SCMP_CMP_EQ, PR_SET_SECCOMP, 0};
  if (calls.size() > 1) {
    seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, &first);
  }
  seccomp_load(filter);
  seccomp_release(filter);
}

// A note names what the system cannot enforce; with `always`, nothing is decoded then.
TEST_F(Sandboxed, AWeakerSandboxIsSaid) {
  const auto tried = [&](const char* sandbox, auto&& before) {
    test::Spawn how;
    how.before = before;
    return run({"dither", "image", "--allow-format", "dds", "--sandbox", sandbox, "-o", "out.png"},
               how);
  };
  const auto nothing = [] { lose({SCMP_SYS(seccomp), SCMP_SYS(landlock_create_ruleset)}); };
  const auto names_only = [] { lose({SCMP_SYS(landlock_create_ruleset)}); };
  const char* const weaker = "image was decoded with weaker protection";
  const char* const no_filter = "the system does not filter system calls";
  const char* const no_landlock = "the system has no Landlock, so that any file can be read";
  const char* const no_count = "its threads cannot be counted";
  for (const char* format : {"tif", "dds"}) {
    folder.write("image", picture_in(format));
    EXPECT_EQ(tried("auto", [] {}).err, tried("never", nothing).err);
    const test::Outcome automatic = tried("auto", nothing);
    EXPECT_EQ(automatic.code, 0) << automatic.err;
    for (const char* text : {weaker, no_filter, no_landlock}) {
      EXPECT_NE(automatic.err.find(text), std::string::npos) << text << automatic.err;
    }
    const test::Outcome always = tried("always", nothing);
    EXPECT_EQ(always.code, 2) << always.err;
    EXPECT_NE(always.err.find(no_filter), std::string::npos) << always.err;
  }
  const test::Outcome automatic = tried("auto", names_only);
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  for (const char* text : {weaker, no_count, no_landlock}) {
    EXPECT_NE(automatic.err.find(text), std::string::npos) << text << automatic.err;
  }
  EXPECT_EQ(tried("always", names_only).code, 2);
  folder.write("image", encode_image(ramp(3, PixelType::u8), "tif"));
  EXPECT_EQ(tried("always", names_only).code, 0);  // such a decoder needs neither
  // Texts of documents are read there as well.
  good({"stipple", "image", "--dots", "20", "-q", "-o", "a.pdf"});
  test::Spawn how;
  how.before = nothing;
  const test::Outcome again = run({"reproduce", "a.pdf"}, how);
  EXPECT_NE(again.err.find("a.pdf was decoded with weaker protection"), std::string::npos)
      << again.err;
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

// QPDF works there as well: within this process it would be below it.
TEST_F(Sandboxed, DocumentsAreReadThere) {
  Drawing page;
  page.width = page.height = 10;
  page.metadata = {{"dapple:text", "a word"}};
  page.layers.emplace_back();
  folder.write("a.pdf", encode_drawing(page, "pdf"));
  std::vector<std::pair<std::string, std::string>> texts;
  const auto read = [&](Sandbox how) {
    Context context;
    context.limits.decoding.sandbox = how;
    texts = read_metadata(folder / "a.pdf", context);
    return std::find(texts.begin(), texts.end(), page.metadata[0]) != texts.end();
  };
  EXPECT_TRUE(read(Sandbox::never));
  EXPECT_TRUE(read(Sandbox::always));
  // Without the program that decodes there is no other way.
  fs::create_directory(folder / "lib");
  fs::copy_file(image_module_path(), folder / "lib" / "dapple-image.so");
  test::Spawn how;
  how.environment["DAPPLE_MODULE_PATH"] = folder / "lib";
  const test::Outcome outcome = run({"reproduce", "a.pdf"}, how);
  EXPECT_NE(outcome.err.find("the program that decodes images cannot be started"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run({"reproduce", "a.pdf", "--sandbox", "never"}, how).code, 3);  // carries no recipe
}

// The decoder of DICOM accepts only a name, and reads dictionaries of its own.
TEST_F(Sandboxed, AFormatThatNeedsFilesIsRead) {
  const auto number = [](unsigned value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
    return text;
  };
  const auto element = [&](unsigned group, unsigned name, const char* type, std::string value) {
    if (value.size() % 2 != 0) value += '\0';
    const bool is_long = type[0] == 'O';
    return number(group, 2) + number(name, 2) + type + std::string(is_long ? 2 : 0, '\0') +
           number(static_cast<unsigned>(value.size()), is_long ? 4 : 2) + value;
  };
  const std::string kind = "1.2.840.10008.5.1.4.1.1.7";
  const std::string head = element(2, 1, "OB", std::string("\0\1", 2)) + element(2, 2, "UI", kind) +
                           element(2, 3, "UI", "1.2.3.4") +
                           element(2, 0x10, "UI", "1.2.840.10008.1.2.1") +
                           element(2, 0x12, "UI", "1.2.3");
  std::string body = element(8, 0x16, "UI", kind) + element(8, 0x18, "UI", "1.2.3.4") +
                     element(0x28, 2, "US", number(1, 2)) + element(0x28, 4, "CS", "MONOCHROME2 ");
  for (const auto& [name, value] : {std::pair{0x10u, 16u},
                                    {0x11u, 16u},
                                    {0x100u, 8u},
                                    {0x101u, 8u},
                                    {0x102u, 7u},
                                    {0x103u, 0u}}) {
    body += element(0x28, name, "US", number(value, 2));
  }
  std::string values;
  for (unsigned i = 0; i < 256; ++i) values += static_cast<char>(i);
  folder.write("image", std::string(128, '\0') + "DICM" +
                            element(2, 0, "UL", number(static_cast<unsigned>(head.size()), 4)) +
                            head + body + element(0x7fe0, 0x10, "OW", values));
  const auto read = [&](Sandbox how) {
    Context context;
    context.limits.decoding = {{"dicom"}, how};
    return read_image(path(), context);
  };
  const Image here = read(Sandbox::never);
  ASSERT_EQ(here.width(), 16);
  EXPECT_EQ(here.channels, read(Sandbox::always).channels);
}

// Two calls of the library may differ.
TEST_F(Sandboxed, FormatsAreAllowedByTheCall) {
  folder.write("image", picture_in("dds"));
  Context strict;
  Context open;
  open.limits.decoding.allowed_formats = {"dds"};
  EXPECT_EQ(read_image(path(), open).width(), 67);
  EXPECT_THROW(read_image(path(), strict), Error);
  EXPECT_EQ(read_image(path(), open.limits).width(), 67);
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

// Nor does anything that tells a library what to load reach the decoder.
TEST_F(Sandboxed, NothingThatLoadsLibrariesIsLeft) {
  const std::string value = "/nothing-is-there";
  std::vector<std::string> names;
  for (const std::string_view beginning : loading_variables()) {
    names.emplace_back(beginning);
    if (beginning.ends_with('_')) names.back() += beginning == "LD_" ? "LIBRARY_PATH" : "PATH";
    ::setenv(names.back().c_str(), value.c_str(), 1);
  }
  EXPECT_GT(names.size(), 30u);
  folder.write("image", encode_image(ramp(3, PixelType::f32), "exr"));
  for (const pid_t running : decoders(::getpid())) ::kill(running, SIGKILL);
  EXPECT_EQ(read(Sandbox::automatic).width(), 67);
  std::ifstream file("/proc/" + std::to_string(decoders(::getpid()).at(0)) + "/environ");
  const std::string environment{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(environment.find("OPENIMAGEIO_THREADS=1"), std::string::npos);
  EXPECT_EQ(environment.find(value), std::string::npos) << environment;
  clear_environment();
  for (const std::string& name : names) EXPECT_EQ(std::getenv(name.c_str()), nullptr) << name;
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

// A program that another user could have put there is not trusted, whatever it holds.
TEST_F(Sandboxed, AModuleOfAnotherUserIsNotLoaded) {
  constexpr uid_t other = 54321;
  const fs::path lib = folder / "lib";
  fs::create_directory(lib);
  for (const char* name : {"dapple-image.so", "dapple-decode"}) {
    fs::copy_file(fs::path(image_module_path()).parent_path() / name, lib / name);
  }
  test::Spawn how;
  how.environment["DAPPLE_MODULE_PATH"] = lib;
  const std::vector<std::string> words{"mask", "--size", "8", "-q", "-o", "a.tif"};
  good(words, how);
  const auto refused = [&](const std::string& why) {
    const test::Outcome outcome = run(words, how);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  for (const fs::path& path : {lib, lib / "dapple-image.so", lib / "dapple-decode"}) {
    const fs::perms before = fs::status(path).permissions();
    fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
    refused("every user can write to " + path.string());
    fs::permissions(path, before);
  }
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  for (const fs::path& path : {lib, lib / "dapple-image.so", lib / "dapple-decode"}) {
    ASSERT_EQ(::chown(path.c_str(), other, 0), 0);
    refused(path.string() + " belongs to another user");
    ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  }
  // A link leads to what is looked at, not to where it lies.
  fs::create_directory(folder / "links");
  fs::create_symlink(lib / "dapple-image.so", folder / "links" / "dapple-image.so");
  how.environment["DAPPLE_MODULE_PATH"] = folder / "links";
  good(words, how);
  ASSERT_EQ(::chown(lib.c_str(), other, 0), 0);
  refused(lib.string() + " belongs to another user");
}

}  // namespace
}  // namespace dapple

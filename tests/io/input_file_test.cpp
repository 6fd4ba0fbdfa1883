// Netpbm files as they are read here, beside what OpenImageIO reads from the same ones; what
// headers say of sizes; what a control group leaves of the machine's memory.
#include "io/images/read/input_file.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "core/memory_limits.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/netpbm.hpp"
#include "io/images/read/scanline_bands.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

const ImageProgress silent = [](double) { return true; };

class NetpbmFiles : public ::testing::Test {
 protected:
  Image ours(const std::string& bytes) const {
    folder_.write("a.pnm", bytes);
    return read_image(folder_ / "a.pnm", Limits{});
  }
  std::string message(const std::string& bytes) const {
    try {
      ours(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }
  void expect_both_alike(const std::string& bytes) const {
    const Image image = ours(bytes);
    const InputFile file(folder_ / "a.pnm", Context());
    std::unique_ptr<ImageReader> reader;
    ImageHeader header;
    ASSERT_EQ(
        open_in_process(file.descriptor(), "pnm", EmbeddedProfile::convert, reader, header).text,
        "");
    Image other;
    EXPECT_EQ(reader->read(other, silent).text, "");
    EXPECT_EQ(image.names, other.names) << bytes;
    EXPECT_EQ(image.channels, other.channels) << bytes;
    EXPECT_EQ(image.type, other.type) << bytes;
    EXPECT_EQ(image.encoding, other.encoding) << bytes;
  }

  test::TemporaryFolder folder_;
};

TEST_F(NetpbmFiles, AreReadAsOpenImageIoReadsThem) {
  expect_both_alike("P1\n3 2\n1 0 1\n0 1 0\n");
  expect_both_alike("P2 # gray\n3 2\n255\n0 127 255\n3 2 1\n");
  expect_both_alike("P3\n1 2 255 1 2 3 4 5 6");
  expect_both_alike(std::string("P4\n10 2\n\xaa\x80\x55\x40", 12));
  expect_both_alike("P5\n3 2\n255\nabcxyz");
  expect_both_alike("P5\n3 1\n65535\nabcxyz");
  expect_both_alike("P6\n2 1\n255\nabcxyz");
  const std::string floats("\0\0\0\x3f\0\0\x80\x3f", 8);
  expect_both_alike("Pf\n1 2\n-1\n" + floats);
  expect_both_alike("PF\n2 1\n-1.0\n" + floats + floats + floats);
}

TEST_F(NetpbmFiles, ValuesAreFractionsOfTheLargest) {
  const Image image = ours("P2\n3 1\n100\n0 25 100\n");
  EXPECT_EQ(image.channels[0](1, 0), 0.25f);
  EXPECT_EQ(image.channels[0](2, 0), 1.0f);
  EXPECT_EQ(ours("P1 3 1 101").channels[0](1, 0), 1.0f);
  EXPECT_EQ(ours(std::string("PF\n1 1\n1.0\n\x3f\0\0\0\x3f\x80\0\0\0\0\0\0", 23)).channels[1](0, 0),
            1.0f);
}

TEST_F(NetpbmFiles, DamagedOnesSayWhatIsWrong) {
  EXPECT_NE(message("P5\n3 2\n255\nabcx").find("bytes are too few for 3x2 pixels"),
            std::string::npos);
  EXPECT_NE(message("P2\n3 2\n255\n1 2 3 4 x 6").find("from row 1 on"), std::string::npos);
  EXPECT_NE(message("P5\n3\n").find("gives no size"), std::string::npos);
  EXPECT_NE(message("P5\n-3 2\n255\nabcxyz").find("gives no size"), std::string::npos);
  EXPECT_NE(message("P5\n3 2\n70000\nabcxyz").find("range of values"), std::string::npos);
  EXPECT_NE(message("PF\n1 1\n0\nabcdabcdabcd").find("range of values"), std::string::npos);
}

// The header gives the size of what a file holds: for every format that is written here, by its
// content alone.
TEST(HeaderProbe, AreThoseOfTheFiles) {
  const test::TemporaryFolder folder;
  Image image;
  image.names = {"R", "G", "B"};
  for (int c = 0; c < 3; ++c) image.channels.emplace_back(37, 21);
  for (const std::string extension :
       {"png", "jpg", "tif", "exr", "hdr", "ppm", "tga", "bmp", "tx"}) {
    folder.write("a", encode_image(image, extension));
    const InputFile file(folder / "a", Context());
    const HeaderProbe probe = probe_header(file);
    EXPECT_TRUE(is_common(probe.format)) << extension;
    EXPECT_EQ(probe.width, 37) << extension;
    EXPECT_EQ(probe.height, 21) << extension;
    EXPECT_LE(probe.channels, 3) << extension;
    EXPECT_GT(probe.least_bytes, 0) << extension;
    EXPECT_LE(probe.least_bytes, static_cast<double>(file.size())) << extension;
    EXPECT_EQ(read_image(folder / "a", Limits{}).width(), 37) << extension;
  }
}

TEST(ControlGroups, TheLeastLimitCounts) {
  const test::TemporaryFolder root;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root / name).parent_path());
    root.write(name, text);
  };
  EXPECT_TRUE(std::isinf(control_group_memory(root.path())));
  write("proc/self/cgroup", "0::/jobs/a\n");
  write("sys/fs/cgroup/jobs/a/memory.max", "max\n");
  EXPECT_TRUE(std::isinf(control_group_memory(root.path())));
  write("sys/fs/cgroup/jobs/memory.max", "500000\n");
  EXPECT_EQ(control_group_memory(root.path()), 500000);
  // Version 1, in a container: the group is what is mounted.
  write("proc/self/cgroup", "5:cpu:/x\n4:memory:/docker/1f\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n");
  EXPECT_EQ(control_group_memory(root.path()), 300000);
}

}  // namespace
}  // namespace dapple

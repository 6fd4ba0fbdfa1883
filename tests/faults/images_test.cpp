// Pictures that are cut: each is read or refused, by a process under limits, as a program would
// that uses the library.
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "faults/fenced.hpp"
#include "faults/pictures.hpp"

namespace dapple::faults {
namespace {

void read_file_of(const std::string& path) {
  Context context;
  context.limits.max_memory = 256 << 20;
  read_frames(path, context);
}

// A process that reads images has the program that decodes them: here it is started before any
// forks.
void start_decoding(const test::TemporaryFolder& folder, const std::string& exr) {
  folder.write("image", exr);
  read_file_of(folder / "image");
}

TEST(ImageFaults, WholePicturesAreRead) {
  const auto all = pictures();
  std::map<std::string, int> formats;
  const test::TemporaryFolder folder;
  for (const auto& [name, bytes] : all) {
    ++formats[format_of(bytes)];
    folder.write("image", bytes);
    if (name == "huge.png" || name == "nan.hdr") continue;  // their headers are lies
    EXPECT_NO_THROW(read_file_of(folder / "image")) << name;
  }
  EXPECT_GE(all.size(), 48u);
  EXPECT_EQ(formats.size(), 11u);  // PFM apart from Netpbm
}

TEST(ImageFaults, CutPicturesAreReadOrRefused) {
  const auto all = pictures();
  Tally tally("pictures, cut");
  const test::TemporaryFolder folder;
  start_decoding(folder, all.at("plain.exr"));
  for (const auto& [name, whole] : all) {
    const int step = 64 * every(8);
    const int cuts = (static_cast<int>(whole.size()) + step - 1) / step;
    const auto length = [&](int i) { return static_cast<std::size_t>(1 + i * step); };
    const auto run = [&, &bytes = whole](int i) {
      folder.write("image", bytes.substr(0, length(i)));
      try {
        read_file_of(folder / "image");
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::limit) throw;
      }
    };
    tally.add(cuts);
    run_fenced(cuts, {}, run, [&, &title = name](int i, const std::string& how) {
      tally.fail(title + " cut at " + std::to_string(length(i)) + " " + how);
    });
  }
}

}  // namespace
}  // namespace dapple::faults

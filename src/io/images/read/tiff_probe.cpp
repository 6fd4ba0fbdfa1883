// Probes directories of TIFF 6.0 and BigTIFF.
#include <algorithm>

#include "io/images/read/format_probes.hpp"

namespace dapple {
namespace {

class TiffDirectories {
 public:
  explicit TiffDirectories(const InputFile& file)
      : file_(file), big_end_(file.number(0, 1) == 'M'), large_(number(2, 2) == 43) {
    at_ = large_ ? number(8, 8) : number(4, 4);
  }
  bool at_end() const { return at_ == 0 || at_ >= file_.size(); }
  void next() { at_ = number(entry(entries()), large_ ? 8 : 4); }

  // Returns the first value of a tag.
  double value(std::uint64_t tag, double otherwise) const {
    const std::uint64_t count = entries();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t from = entry(i);
      if (from >= file_.size()) break;
      if (number(from, 2) != tag) continue;
      const auto type = number(from + 2, 2);
      const std::size_t size = type == 3 ? 2 : type == 16 ? 8 : type == 4 ? 4 : 1;
      const std::size_t room = large_ ? 8 : 4;
      const auto values = number(from + 4, room);
      const std::uint64_t place = from + 4 + room;
      const bool here = values <= room / size;
      return static_cast<double>(number(here ? place : number(place, room), size));
    }
    return otherwise;
  }

 private:
  std::uint64_t number(std::uint64_t at, std::size_t count) const {
    return file_.number(at, count, big_end_);
  }
  std::uint64_t entries() const {
    return std::min<std::uint64_t>(number(at_, large_ ? 8 : 2), 65535);
  }
  std::uint64_t entry(std::uint64_t i) const { return at_ + (large_ ? 8 + 20 * i : 2 + 12 * i); }

  const InputFile& file_;
  bool big_end_;
  bool large_;
  std::uint64_t at_ = 0;
};

double tiff_least_bytes(const TiffDirectories& page, const HeaderProbe& probe, double bits) {
  const double stored = probe.width * probe.height * probe.channels * bits / 8;
  switch (static_cast<int>(page.value(259, 1))) {
    case 1:
      return stored / 4;  // pixels of a block may share colors
    case 2:
    case 3:
    case 4:
      return probe.height / 8;  // a fax has one bit for an empty row
    case 32773:
      return stored / 64;
    case 5:
    case 7:
    case 8:
    case 32946:
      return stored / 4096;
    default:
      return stored / pixels_of_any_byte;
  }
}

}  // namespace

HeaderProbe probe_tiff(const InputFile& file) {
  const TiffDirectories page(file);
  HeaderProbe probe{"tiff"};
  if (page.at_end()) return probe;
  probe.width = page.value(256, 0);
  probe.height = page.value(257, 0);
  const bool indexed = page.value(262, 1) == 3;
  const double bits = page.value(258, 1);
  probe.channels = std::max(page.value(277, 1), 1.0);
  probe.least_bytes = tiff_least_bytes(page, probe, bits);
  if (indexed) probe.channels = 3;
  // Tiles and strips are unpacked whole.
  const double tile = page.value(322, 0) * page.value(323, 0);
  if (tile > std::max(probe.width * probe.height, 4194304.0)) probe.least_bytes = more_than_any;
  return probe;
}

int tiff_pages(const InputFile& file, int most) {
  TiffDirectories page(file);
  int count = 0;
  for (; count < most && !page.at_end(); page.next()) ++count;
  return count;
}

}  // namespace dapple

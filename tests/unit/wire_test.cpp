// What passes between the program and a decoder that is in a stranger's hands.
#include "io/images/read/wire.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <stdexcept>

namespace dapple {
namespace {

std::string message_of(const ImageHeader& header) {
  wire::Writer to;
  wire::put(to, header);
  return to.bytes;
}

TEST(Wire, HeadersComeBackAsTheyWere) {
  ImageHeader header;
  header.width = 7;
  header.values = PixelType::u16;
  header.encoding = Encoding::data;
  header.names = {"Y"};
  const std::string message = message_of(header);
  wire::Reader from(message);
  const ImageHeader again = wire::get_header(from);
  EXPECT_EQ(again.width, 7);
  EXPECT_EQ(again.values, PixelType::u16);
  EXPECT_EQ(again.encoding, Encoding::data);
  EXPECT_EQ(again.names, header.names);
}

// Below the first as well as above the last: rows would be read as other values than they hold.
TEST(Wire, WordsOutsideOfTheirListMakeNoSense) {
  for (const int wrong : {-1, -0x2d2d2d2d, 4, 0x7fffffff}) {
    for (int which = 0; which < 3; ++which) {
      ImageHeader header;
      if (which == 0) header.values = static_cast<PixelType>(wrong);
      if (which == 1) header.type = static_cast<PixelType>(wrong);
      if (which == 2) header.encoding = static_cast<Encoding>(wrong);
      const std::string message = message_of(header);
      wire::Reader from(message);
      EXPECT_THROW(wire::get_header(from), std::runtime_error) << which << ' ' << wrong;
    }
    ModuleError error;
    error.kind = static_cast<ErrorKind>(wrong < 0 ? wrong : 100);
    wire::Writer to;
    wire::put(to, error);
    const std::string message = to.bytes;
    wire::Reader from(message);
    EXPECT_THROW(wire::get_error(from), std::runtime_error) << wrong;
  }
}

}  // namespace
}  // namespace dapple

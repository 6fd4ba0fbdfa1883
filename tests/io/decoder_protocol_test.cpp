// What passes between the program and a decoder that is in a stranger's hands.
#include "io/images/sandbox/decoder_protocol.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <unistd.h>

#include "io/images/read/scanline_bands.hpp"

namespace dapple {
namespace {

std::string message_of(const ImageHeader& header) {
  protocol::Writer to;
  protocol::put(to, header);
  return to.bytes;
}

TEST(Wire, HeadersComeBackAsTheyWere) {
  ImageHeader header;
  header.width = 7;
  header.values = PixelType::u16;
  header.encoding = Encoding::data;
  header.names = {"Y"};
  const std::string message = message_of(header);
  protocol::Reader from(message);
  const ImageHeader again = protocol::get_header(from);
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
      protocol::Reader from(message);
      EXPECT_THROW(protocol::get_header(from), std::runtime_error) << which << ' ' << wrong;
    }
    ModuleError error;
    error.kind = static_cast<ErrorKind>(wrong < 0 ? wrong : 100);
    protocol::Writer to;
    protocol::put(to, error);
    const std::string message = to.bytes;
    protocol::Reader from(message);
    EXPECT_THROW(protocol::get_error(from), std::runtime_error) << wrong;
  }
}

// Of a header that a decoder sent, each number by itself.
TEST(Wire, HeadersOfPicturesThatCannotBeHoldNoRows) {
  ImageHeader right;
  right.width = right.stored_width = 7;
  right.height = right.stored_height = 5;
  right.channels = 1;
  right.band = 2;
  right.names = {"Y"};
  right.values = PixelType::f16;  // which comes as floats
  right.working_bytes = 1e6;
  EXPECT_EQ(band_bytes(right), 7u * 2 * 4);
  right.values = PixelType::u16;
  EXPECT_EQ(band_bytes(right), 7u * 2 * 2);
  for (int ImageHeader::*number :
       {&ImageHeader::width, &ImageHeader::height, &ImageHeader::stored_width,
        &ImageHeader::stored_height, &ImageHeader::channels, &ImageHeader::band}) {
    for (const int value : {0, -1}) {
      ImageHeader wrong = right;
      wrong.*number = value;
      EXPECT_EQ(band_bytes(wrong), 0u);
    }
  }
  const auto none = [&](auto change) {
    ImageHeader wrong = right;
    change(wrong);
    return band_bytes(wrong) == 0;
  };
  EXPECT_TRUE(none([](ImageHeader& h) { h.band = 6; }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.stored_width = 2000000000; }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.stored_height = 2000000000; }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.names.clear(); }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.left = -2000000000; }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.top = 2000000000; }));
  EXPECT_TRUE(none([](ImageHeader& h) { h.working_bytes = 3; }));
  EXPECT_TRUE(
      none([](ImageHeader& h) { h.working_bytes = std::numeric_limits<double>::quiet_NaN(); }));
}

TEST(Wire, AnEndThatIsClosedIsAnEnd) {
  const protocol::Channel channel;
  ::close(channel.theirs);
  std::string message;
  EXPECT_EQ(protocol::receive(channel.mine, message, nullptr), protocol::Arrival::end);
  EXPECT_FALSE(protocol::send(channel.mine, "hello"));
  const protocol::Channel other;
  EXPECT_TRUE(protocol::send(other.mine, std::string(1000, 'x')));
  EXPECT_EQ(protocol::receive(other.theirs, message, nullptr), protocol::Arrival::message);
  EXPECT_EQ(message.size(), 1000u);
  EXPECT_EQ(protocol::receive(other.theirs, message, nullptr, [](double) { return false; }),
            protocol::Arrival::silence);
  for (const int end : {channel.mine, other.mine, other.theirs}) ::close(end);
}

}  // namespace
}  // namespace dapple

// A session whose page is a test, which hears what it is told.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dapple/plane.hpp"
#include "program_test.hpp"
#include "studio/session.hpp"

namespace dapple::studio {

using nlohmann::json;

inline const std::string photo = DAPPLE_SOURCE_FOLDER "/samples/ascent.png";

// Collects what a page would hear.
class SessionTest : public test::ProgramTest {
 protected:
  void begin(RenderRequest first) {
    session = std::make_unique<Session>(
        SessionOptions{std::move(first), folder.path().string(), 0, photos, true, true, true,
                       limits},
        [this](int page, const std::string& message, bool binary) {
          const std::lock_guard lock(mutex);
          EXPECT_EQ(page, 1);
          (binary ? frames : texts).push_back(message);
          heard.notify_all();
        },
        [this] { ++gone; });
    session->opened(1);
  }
  void TearDown() override { session.reset(); }

  void say(const json& message) { session->said(1, message.dump()); }
  void set(int number, const std::string& command, const json& settings,
           const std::string& preset = "") {
    say({{"type", "set"},
         {"number", number},
         {"command", command},
         {"preset", preset},
         {"settings", settings}});
  }
  void view(double zoom, double left = 0, double top = 0) {
    say({{"type", "view"},
         {"number", 1},
         {"width", 200},
         {"height", 160},
         {"left", left},
         {"top", top},
         {"zoom", zoom}});
  }
  // The first message that is this one, of those that were not heard before.
  json wait_for(const std::string& type, const std::string& state = "") {
    std::unique_lock lock(mutex);
    json found;
    const bool came = heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next < texts.size(); ++next) {
        const json message = json::parse(texts[next]);
        if (message["type"] != type) continue;
        if (!state.empty() && message["state"] != state) continue;
        found = message;
        ++next;
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << type;
    return found;
  }
  struct Heard {
    json head;
    std::string pixels;
    double mean() const {
      double sum = 0;
      for (const char c : pixels) sum += static_cast<unsigned char>(c);
      return pixels.empty() ? -1 : sum / static_cast<double>(pixels.size());
    }
  };
  static Heard parted(const std::string& message) {
    const auto length = static_cast<std::size_t>(static_cast<unsigned char>(message[0])) +
                        256 * static_cast<std::size_t>(static_cast<unsigned char>(message[1]));
    return {json::parse(message.substr(4, length)), message.substr(4 + length)};
  }
  Heard frame(const std::string& state) {
    std::unique_lock lock(mutex);
    Heard found;
    const bool came = heard.wait_for(lock, std::chrono::seconds(60), [&] {
      for (; next_frame < frames.size(); ++next_frame) {
        found = parted(frames[next_frame]);
        lock.unlock();
        session->said(1, R"({"type":"ack"})");
        lock.lock();
        if (found.head["state"] != state) continue;
        ++next_frame;
        return true;
      }
      return false;
    });
    EXPECT_TRUE(came) << state;
    return found;
  }
  // Of a window of 200x160 pixels from the picture that lies (100, 60) within it, in 255ths.
  static int largest_difference(const Heard& seen, const Image& whole) {
    int largest = 0;
    for (int y = 0; y < 160; ++y) {
      for (int x = 0; x < 200; ++x) {
        const int file = static_cast<int>(std::lround(255 * whole.channels[0](100 + x, 60 + y)));
        const int page = static_cast<unsigned char>(
            seen.pixels[static_cast<std::size_t>(y) * 200 + static_cast<std::size_t>(x)]);
        largest = std::max(largest, std::abs(file - page));
      }
    }
    return largest;
  }
  static RenderRequest stippling() {
    RenderRequest request;
    request.input = photo;
    return request;
  }

  std::mutex mutex;
  std::condition_variable heard;
  std::vector<std::string> texts, frames;
  std::size_t next = 0, next_frame = 0;
  std::atomic<int> gone{0};
  std::vector<std::string> photos{};  // set before begin()
  Limits limits{};                    // as above
  std::unique_ptr<Session> session;
};

}  // namespace dapple::studio

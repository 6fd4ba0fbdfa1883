// What no caller should give, and the questions asked of whoever is given it.
#pragma once

#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/dapple.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::test {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr std::array hostile{0.0,    -1.0,         -40.5,    1e300,
                                    -1e300, not_a_number, infinity, -infinity};
inline constexpr std::array hostile_sides{0, -1, -4, std::numeric_limits<int>::min(),
                                          std::numeric_limits<int>::max()};

inline Image gray(int width, int height) {
  Image image;
  image.channels = {Plane<float>(width, height, 0.3f)};
  image.names = {"Y"};
  return image;
}

// Planes of different sizes.
inline Image uneven() {
  Image image = gray(16, 16);
  image.names = {"R", "G", "B", "A"};
  for (const int side : {16, 2, 1}) image.channels.emplace_back(side, side, 0.5f);
  return image;
}

inline Points some_points(int count = 30) {
  Points points;
  points.domain = {32, 32, true};
  for (int i = 0; i < count; ++i) points.add({(7.3 * i) - 32 * (7 * i / 32), 0.9 * i}, 2);
  for (std::size_t i = 0; i < points.size(); ++i) points.x[i] = points.domain.wrapped(points[i]).x;
  return points;
}

// Sets that hold what no set may.
inline std::vector<Points> broken_sets() {
  std::vector<Points> sets(9, some_points());
  sets[0].y.resize(3);
  sets[1].radius.resize(3);
  sets[2].x[4] = not_a_number;
  sets[3].y[4] = infinity;
  sets[4].class_id = {1, 2};
  sets[5].domain = {0, 0, true};
  sets[6].domain = {not_a_number, -5, true};
  sets[7].height = {1, 2};
  sets[8].w.assign(sets[8].size(), 1);  // and no z
  return sets;
}

inline DensityField field() {
  return DensityField::constant({32, 32, false}, 4);
}

class Preconditions : public ::testing::Test {
 protected:
  // The call is refused, as what the caller got wrong or as too much.
  template <class Call>
  void refused(const std::string& what, Call&& call) {
    try {
      call();
      ADD_FAILURE() << what << " is accepted";
    } catch (const Error& error) {
      expect_kind(what, error);
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << " throws what is no Error: " << error.what();
    }
  }
  // It is refused so, or makes something.
  template <class Call>
  void answered(const std::string& what, Call&& call) {
    try {
      call();
    } catch (const Error& error) {
      expect_kind(what, error);
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << " throws what is no Error: " << error.what();
    }
  }
  static void expect_kind(const std::string& what, const Error& error) {
    const bool good = error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input ||
                      error.kind() == ErrorKind::limit;
    EXPECT_TRUE(good) << what << ": " << error.what();
  }

  // The option is at fault by name, whoever is called with it.
  template <class Options, class Call>
  void names(const char* option, const std::function<void(Options&)>& change, Call&& call) {
    Options options;
    change(options);
    try {
      call(options);
      ADD_FAILURE() << option << " is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
      EXPECT_EQ(error.option(), option) << error.what();
    }
  }

  Context context;
};

}  // namespace dapple::test

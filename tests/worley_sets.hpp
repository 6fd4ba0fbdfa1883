// Small sets of sites on a dyadic grid, which the library holds exactly, and brute force over all
// of their images.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/worley.hpp"

namespace dapple {

inline double dyadic(double value) {
  return std::floor(value * 1024) / 1024;
}

// Radii from 2 to 8.
inline Points dyadic_sites(int count, int width, int height, bool wrap) {
  Points sites;
  sites.domain = {static_cast<double>(width), static_cast<double>(height), wrap};
  Random random(5, Stream::tests);
  for (int i = 0; i < count; ++i) {
    const double x = dyadic(random.uniform() * width);
    const double y = dyadic(random.uniform() * height);
    sites.add({x, y}, static_cast<float>(2 + dyadic(6 * random.uniform())));
  }
  return sites;
}

struct SiteImage {
  Vec2 at;
  std::size_t id;
};

// Sites and, on the torus, all their images up to two periods away.
inline std::vector<SiteImage> images_of(const Points& sites) {
  std::vector<SiteImage> all;
  const int reach = sites.domain.wrap ? 2 : 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (int v = -reach; v <= reach; ++v) {
      for (int u = -reach; u <= reach; ++u) {
        all.push_back({sites[i] + Vec2{u * sites.domain.width, v * sites.domain.height}, i});
      }
    }
  }
  return all;
}

inline Image texture_of(const Points& sites, const WorleyOptions& options, int threads = 0) {
  Context context;
  context.threads = threads;
  return worley(sites, static_cast<int>(sites.domain.width), static_cast<int>(sites.domain.height),
                options, context);
}

inline const Plane<float>& channel(const Image& image, const std::string& name) {
  const int i = image.find(name);
  EXPECT_GE(i, 0) << name;
  return image.channels.at(static_cast<std::size_t>(i));
}

}  // namespace dapple

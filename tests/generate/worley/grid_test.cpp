// Sites in bins, of sets large enough to be sorted band by band and chunk by chunk.
#include "generate/worley/grid.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"

namespace dapple {
using namespace cells;
namespace {

// Half of them in one row of bins; places at the far side round to the period, and many coincide.
Points many_sites(bool wrap) {
  Points sites;
  sites.domain = {300, 200, wrap};
  Random random(3, Stream::tests);
  for (int i = 0; i < 60000; ++i) {
    const double x = random.uniform() * 300;
    const double y = i % 2 == 0 ? 77.25 : random.uniform() * 200;
    sites.add({i % 5 == 0 ? std::floor(x) : x, y}, 1);
  }
  sites.add({std::nextafter(300, 0), std::nextafter(200, 0)}, 1);
  return sites;
}

SiteGrid grid_of(const Points& sites, int threads) {
  Context context;
  context.threads = threads;
  return {sites, 600, 200, context};
}

TEST(WorleyGrid, EverySiteIsInItsBinOnceByItsNumber) {
  for (const bool wrap : {true, false}) {
    const Points sites = many_sites(wrap);
    const SiteGrid grid = grid_of(sites, 2);
    ASSERT_EQ(grid.size(), sites.size());
    EXPECT_TRUE(grid.distinct());
    std::vector<bool> seen(sites.size(), false);
    for (const Site& site : grid.sites()) {
      const auto i = static_cast<std::size_t>(site.id);
      ASSERT_FALSE(seen.at(i));
      seen[i] = true;
      const auto right = [&](double position, double pixels) {
        const double at = static_cast<double>(std::llrint(position * 65536)) / 65536;
        return wrap && at >= pixels ? 0 : at;
      };
      ASSERT_EQ(site.x, right(sites.x[i] / 300 * 600, 600));
      ASSERT_EQ(site.y, right(sites.y[i] / 200 * 200, 200));
      ASSERT_EQ(grid.position(site.id), (Vec2{site.x, site.y}));
      // The run of a place is a bin, or a few: its sites are there, in order within each bin.
      bool found = false;
      std::int32_t before = -1;
      grid.each_run({site.x, site.y, site.x, site.y}, [&](std::span<const Site> run, Vec2) {
        for (const Site& other : run) {
          ASSERT_GT(other.id, before);
          before = other.id;
          found = found || other.id == site.id;
        }
      });
      ASSERT_TRUE(found);
    }
  }
}

TEST(WorleyGrid, ThreadsDoNotMatter) {
  const Points sites = many_sites(true);
  const SiteGrid one = grid_of(sites, 1);
  for (const int threads : {2, 5}) {
    const SiteGrid many = grid_of(sites, threads);
    ASSERT_TRUE(std::equal(
        many.sites().begin(), many.sites().end(), one.sites().begin(),
        [](const Site& a, const Site& b) { return a.x == b.x && a.y == b.y && a.id == b.id; }));
  }
}

TEST(WorleyGrid, SitesAtOnePlaceAreNotDistinct) {
  Points sites;
  sites.domain = {10, 10, false};
  for (int i = 0; i < 40000; ++i) sites.add({2.5, 2.5 + 1e-7 * (i % 2)}, 1);
  EXPECT_FALSE(grid_of(sites, 2).distinct());
  sites.y.back() = 2.6;
  EXPECT_TRUE(grid_of(sites, 2).distinct());
}

}  // namespace
}  // namespace dapple

// Power cells, slices through cells of space and frames of animations, against brute force over all
// images of all sites.
#include <algorithm>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "worley_sets.hpp"

namespace dapple {
namespace {

constexpr int width = 48;
constexpr int height = 40;

// What every pixel should show where images of sites are lifted by `lift` of their id.
template <class Lift>
void expect_lifted(const Points& sites, const Image& image, int slice, const Lift& lift) {
  const std::vector<SiteImage> images = images_of(sites);
  int wrong = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Vec2 p{x + 0.5, y + 0.5};
      std::vector<double> nearest(sites.size(), 1e30);
      const SiteImage* owner = nullptr;
      double least = 1e30;
      for (const SiteImage& image_of : images) {
        const double d2 = length_squared(image_of.at - p) + lift(image_of.id);
        nearest[image_of.id] = std::min(nearest[image_of.id], d2);
        if (d2 < least || (d2 == least && image_of.id < owner->id)) {
          least = d2;
          owner = &image_of;
        }
      }
      double edge = 1e30;
      for (const SiteImage& other : images) {
        const Vec2 apart = other.at - owner->at;
        if (apart == Vec2{}) continue;
        const double d2 = length_squared(other.at - p) + lift(other.id);
        edge = std::min(edge, (d2 - least) / (2 * length(apart)));
      }
      std::sort(nearest.begin(), nearest.end());
      const int row = slice * height + y;
      wrong += channel(image, "id")(x, row) != static_cast<float>(owner->id) ? 1 : 0;
      wrong += std::abs(static_cast<double>(channel(image, "edge")(x, row)) - edge) > 1e-4 ? 1 : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double found = channel(image, "F" + std::to_string(k + 1))(x, row);
        wrong += std::abs(found - std::sqrt(nearest[k])) > 1e-4 ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(wrong, 0) << (sites.domain.wrap ? "torus" : "flat") << ", slice " << slice;
}

WorleyOptions everything() {
  WorleyOptions options;
  options.outputs = {"id", "f1", "f2", "f3", "edge"};
  return options;
}

TEST(WorleyPower, CellsAreThoseOfBruteForce) {
  for (const bool wrap : {true, false}) {
    for (const int count : {2, 12, 150}) {
      SCOPED_TRACE(count);
      const Points sites = dyadic_sites(count + 1, width, height, wrap);
      WorleyOptions options = everything();
      options.power = 1;
      double most = 0;
      const auto weight = [&](std::size_t i) {
        const double r = 0.5 * static_cast<double>(sites.radius[i]);
        return std::round(r * r * 65536) / 65536;
      };
      for (std::size_t i = 0; i < sites.size(); ++i) most = std::max(most, weight(i));
      expect_lifted(sites, texture_of(sites, options), 0,
                    [&](std::size_t i) { return most - weight(i); });
    }
  }
}

TEST(WorleyPower, CellsOfWellSpacedSitesAreLargerThanTheirDiscs) {
  Context context;
  SiteOptions places;
  places.size = {256, 256};
  Image map;
  map.channels.emplace_back(256, 256);
  map.names = {"Y"};
  map.encoding = Encoding::linear;
  for (int y = 0; y < 256; ++y) {
    for (int x = 0; x < 256; ++x)
      map.channels[0](x, y) = 0.02f + 0.98f * static_cast<float>(x) / 255;
  }
  places.density.image = std::make_shared<const Image>(map);
  FieldOptions field;
  field.map.as = MapKind::density;
  field.count = 500;
  const Points sites = worley_sites(places, field, context);
  WorleyOptions options;
  options.outputs = {"radius", "id"};
  const Image plain = worley(sites, 256, 256, options, context);
  options.power = 1;
  const Image power = worley(sites, 256, 256, options, context);
  // The discs of half the spacing do not overlap, so each lies in its power cell; a Voronoi cell
  // cuts the larger of two.
  const auto cut = [&](const Image& image) {
    int cells = 0;
    std::vector<bool> seen(sites.size());
    for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
      const auto id = static_cast<std::size_t>(image.channels[1].values()[i]);
      if (seen[id]) continue;
      seen[id] = true;
      cells += image.channels[0].values()[i] < 0.499f * sites.radius[id] ? 1 : 0;
    }
    return cells;
  };
  EXPECT_EQ(cut(power), 0);
  EXPECT_GT(cut(plain), 50);
}

TEST(WorleyPower, WithoutUnequalRadiiNothingChanges) {
  Points sites = dyadic_sites(40, width, height, true);
  std::fill(sites.radius.begin(), sites.radius.end(), 4.0f);
  WorleyOptions options = everything();
  const Image plain = texture_of(sites, options);
  options.power = 1;
  EXPECT_EQ(texture_of(sites, options).channels, plain.channels);
  Context context;
  worley(sites, width, height, options, context);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_NE(context.warnings()[0].find("`power"), std::string::npos);
}

TEST(WorleyPower, IsEuclidean) {
  WorleyOptions options;
  options.power = 0.5;
  options.metric = Metric::manhattan;
  EXPECT_THROW(texture_of(dyadic_sites(5, width, height, true), options), Error);
}

Points in_space(int count, int depth, bool wrap) {
  Points sites = dyadic_sites(count, width, height, wrap);
  sites.depth = depth;
  Random random(8, Stream::tests);
  for (int i = 0; i < count; ++i) sites.z.push_back(dyadic(random.uniform() * depth));
  return sites;
}

TEST(WorleyVolume, SlicesAreThoseOfBruteForceInSpace) {
  constexpr int depth = 6;
  for (const bool wrap : {true, false}) {
    const Points sites = in_space(60, depth, wrap);
    WorleyOptions options = everything();
    options.depth = depth;
    const Image image = texture_of(sites, options);
    ASSERT_EQ(image.slices, depth);
    EXPECT_TRUE(image.volume);
    for (int slice = 0; slice < depth; ++slice) {
      expect_lifted(sites, image, slice, [&](std::size_t i) {
        double dz = std::abs(sites.z[i] - (slice + 0.5));
        if (wrap) dz = std::min(dz, depth - dz);
        return dz * dz;
      });
    }
  }
}

TEST(WorleyVolume, TilesInDepth) {
  constexpr int depth = 5;
  Points sites = in_space(40, depth, true);
  WorleyOptions options;
  options.depth = depth;
  options.outputs = {"f1", "edge"};
  const Image image = texture_of(sites, options);
  for (double& z : sites.z) z = z + 1 >= depth ? z + 1 - depth : z + 1;
  const Image moved = texture_of(sites, options);
  for (int slice = 0; slice < depth; ++slice) {
    EXPECT_EQ(slice_of(moved, (slice + 1) % depth).channels, slice_of(image, slice).channels);
  }
}

TEST(WorleyVolume, PlacesItsSites) {
  SiteOptions places;
  places.size = {32, 24, 16};
  WorleyOptions options;
  options.depth = places.depth();
  options.outputs = {"f1", "height"};
  FieldOptions field;
  field.count = 30;
  Context context;
  const std::vector<Points> octaves = worley_octaves(places, 1, field, context);
  ASSERT_EQ(octaves[0].size(), 30u);
  const Image image = worley(octaves, 32, 24, options, context);
  EXPECT_EQ(image.height(), 24 * 16);
  // One scale for all slices: only one of them reaches the top.
  int full = 0;
  for (int slice = 0; slice < 16; ++slice) {
    const Image one = slice_of(image, slice);
    const auto heights = channel(one, "height").values();
    full += *std::max_element(heights.begin(), heights.end()) == 1.0f ? 1 : 0;
  }
  EXPECT_EQ(full, 0);  // F1 is 0 in no slice, which lie between the sites
  EXPECT_THROW(worley(dyadic_sites(9, 32, 24, true), 32, 24, options, context), Error);
  options.frames = 2;
  EXPECT_THROW(worley(octaves, 32, 24, options, context), Error);
}

TEST(WorleySites, SizesAreThoseOfTheWholeTexture) {
  SiteOptions places;
  places.size = {32, 24, 5};
  EXPECT_EQ(places.width(), 32);
  EXPECT_EQ(places.height(), 24);
  EXPECT_EQ(places.depth(), 5);
  places.udim = {3, 2};
  EXPECT_EQ(places.width(), 96);
  EXPECT_EQ(places.height(), 48);
  places.size.depth = 1.5;
  EXPECT_THROW(places.depth(), Error);
}

TEST(WorleyFrames, LoopAndMove) {
  for (const bool wrap : {true, false}) {
    const Points sites = dyadic_sites(40, width, height, wrap);
    WorleyOptions options;
    options.outputs = {"f1", "edge", "position"};
    const auto frames = [&](int count) {
      options.frames = count;
      return texture_of(sites, options);
    };
    const Image four = frames(4), eight = frames(8);
    ASSERT_EQ(eight.slices, 8);
    EXPECT_FALSE(eight.volume);
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(slice_of(four, k).channels, slice_of(eight, 2 * k).channels) << k;
      EXPECT_NE(slice_of(four, k).channels, slice_of(four, (k + 1) % 4).channels) << k;
    }
    // No frame is farther from the next than the others are: the last leads to the first.
    options.outputs = {"f1"};
    const Image many = frames(32);
    std::vector<double> steps;
    for (int k = 0; k < 32; ++k) {
      const Image a = slice_of(many, k), b = slice_of(many, (k + 1) % 32);
      double sum = 0;
      for (std::size_t i = 0; i < a.channels[0].size(); ++i) {
        sum += std::abs(static_cast<double>(a.channels[0].values()[i] - b.channels[0].values()[i]));
      }
      steps.push_back(sum);
    }
    const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
    EXPECT_LT(*most, 2 * *least);
  }
}

TEST(WorleyFrames, SitesKeepWithinTheirMotion) {
  const Points sites = dyadic_sites(40, width, height, true);
  WorleyOptions options;
  options.outputs = {"f1"};
  const Image still = texture_of(sites, options);
  options.frames = 7;
  options.motion = {1.5, Unit::px};
  const Image image = texture_of(sites, options);
  double most = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < width; ++x) {
      const float change = image.channels[0](x, y) - still.channels[0](x, y % height);
      most = std::max(most, std::abs(static_cast<double>(change)));
    }
  }
  EXPECT_LE(most, 1.5 * std::sqrt(2.0) + 1e-3);
  EXPECT_GT(most, 1);
}

TEST(WorleySlices, WholeNumbersAreThoseOfTheIds) {
  const Points sites = dyadic_sites(20, width, height, true);
  WorleyOptions options;
  options.outputs = {"f1", "id"};
  options.frames = 3;
  options.whole_ids = true;
  const Image image = texture_of(sites, options);
  ASSERT_EQ(image.hints.integers.size(), 2u);
  EXPECT_TRUE(image.hints.integers[0].empty());
  ASSERT_EQ(image.hints.integers[1].height(), 3 * height);
  for (std::size_t i = 0; i < image.channels[1].size(); ++i) {
    ASSERT_EQ(static_cast<float>(image.hints.integers[1].values()[i]),
              image.channels[1].values()[i]);
  }
}

TEST(WorleySlices, PicturesHaveThemToo) {
  const Points sites = dyadic_sites(20, width, height, true);
  WorleyOptions options;
  options.frames = 3;
  WorleyLook look;
  look.gradient = {"black", "red"};
  Context context;
  const Image picture = worley_picture({&sites, 1}, width, height, options, look, context);
  EXPECT_EQ(picture.slices, 3);
  EXPECT_EQ(picture.height(), 3 * height);
  // Full scale of a position is the height of a slice, not of all.
  options.outputs = {"position"};
  const Image stored = normalized(texture_of(sites, options));
  EXPECT_EQ(stored.slices, 3);
  const auto ys = channel(stored, "position.y").values();
  EXPECT_GT(*std::max_element(ys.begin(), ys.end()), 0.8f);
}

}  // namespace
}  // namespace dapple

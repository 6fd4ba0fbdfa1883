// Outputs that follow from the cells' outlines, against corners found among all triples of sites.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/outputs.hpp"
#include "worley_sets.hpp"

namespace dapple {
using namespace cells;
namespace {

constexpr int width = 48;
constexpr int height = 40;

Points scattered(int count, bool wrap) {
  Points sites;
  sites.domain = {width, height, wrap};
  Random random(5, Stream::tests);
  for (int i = 0; i < count; ++i) {
    const double x = std::floor(random.uniform() * width * 1024) / 1024;
    sites.add({x, std::floor(random.uniform() * height * 1024) / 1024}, 1);
  }
  return sites;
}

Points lattice(bool wrap) {
  Points sites;
  sites.domain = {width, height, wrap};
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 6; ++i) sites.add({8.0 * i + 4, 8.0 * j + 4}, 1);
  }
  return sites;
}

Image make(const Points& sites, const std::vector<std::string>& outputs, int threads = 0) {
  WorleyOptions options;
  options.outputs = outputs;
  Context context;
  context.threads = threads;
  return worley(sites, width, height, options, context);
}

// Every site, and its nearest images where there is a torus.
struct Images {
  std::vector<Vec2> at;
  std::vector<std::size_t> id;

  explicit Images(const Points& sites) {
    const int reach = sites.domain.wrap ? 1 : 0;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      for (int v = -reach; v <= reach; ++v) {
        for (int u = -reach; u <= reach; ++u) {
          at.push_back(sites[i] + Vec2{u * sites.domain.width, v * sites.domain.height});
          id.push_back(i);
        }
      }
    }
  }
};

// Places in the domain that three sites are as near to, and no other one is nearer to; with the
// sites. Of sites that are not lifted: centers of the circles through three that hold none.
struct Meeting {
  Vec2 at;
  std::array<std::size_t, 3> images;
};
std::vector<Meeting> meetings(const Images& images, const std::vector<double>& lifts = {}) {
  std::vector<Meeting> found;
  const auto& p = images.at;
  const auto lift = [&](std::size_t k) { return lifts.empty() ? 0 : lifts[images.id[k]]; };
  const auto empty = [&](Vec2 center, double most) {
    for (std::size_t k = 0; k < p.size(); ++k) {
      if (length_squared(p[k] - center) + lift(k) < most - 1e-7) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = i + 1; j < p.size(); ++j) {
      for (std::size_t k = j + 1; k < p.size(); ++k) {
        const Vec2 b = p[j] - p[i];
        const Vec2 c = p[k] - p[i];
        const double twice = 2 * (b.x * c.y - b.y * c.x);
        if (std::abs(twice) < 1e-9) continue;
        const double to_b = length_squared(b) + lift(j) - lift(i);
        const double to_c = length_squared(c) + lift(k) - lift(i);
        const Vec2 from_i{(c.y * to_b - b.y * to_c) / twice, (b.x * to_c - c.x * to_b) / twice};
        const Vec2 center = p[i] + from_i;
        if (!(center.x >= 0 && center.y >= 0 && center.x < width && center.y < height)) continue;
        if (empty(center, length_squared(from_i) + lift(i))) found.push_back({center, {i, j, k}});
      }
    }
  }
  return found;
}

void expect_corners(const Points& sites, const std::vector<double>& lifts, const Image& image) {
  const std::vector<Meeting> corners = meetings(Images(sites), lifts);
  ASSERT_GT(corners.size(), 10U);
  double worst = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double nearest = 1e30;
      for (const Meeting& corner : corners) {
        nearest = std::min(nearest, sites.domain.distance({x + 0.5, y + 0.5}, corner.at));
      }
      const double found = channel(image, "corner")(x, y);
      worst = std::max(worst, std::abs(nearest - found));
    }
  }
  EXPECT_LE(worst, 1e-4) << (sites.domain.wrap ? "torus" : "flat");
}

// On the torus.
void expect_outlines(const Points& sites, const std::vector<double>& lifts, const Image& image) {
  const Images images(sites);
  const auto lift = [&](std::size_t id) { return lifts.empty() ? 0 : lifts[id]; };
  // Corners of each cell, seen from its site.
  std::vector<std::vector<Vec2>> corners(sites.size());
  for (const Meeting& meeting : meetings(images, lifts)) {
    for (const std::size_t k : meeting.images) {
      corners[images.id[k]].push_back(meeting.at - images.at[k]);
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto at = [&](const char* name) {
        return static_cast<double>(channel(image, name)(x, y));
      };
      const auto id = static_cast<std::size_t>(at("id"));
      std::vector<Vec2>& cell = corners[id];
      // Round their middle: lifted sites may lie outside of their cells.
      Vec2 middle;
      for (const Vec2 corner : cell)
        middle = middle + corner * (1.0 / static_cast<double>(cell.size()));
      std::sort(cell.begin(), cell.end(), [&](Vec2 a, Vec2 b) {
        return std::atan2(a.y - middle.y, a.x - middle.x) <
               std::atan2(b.y - middle.y, b.x - middle.x);
      });
      ASSERT_EQ(at("neighbors"), static_cast<double>(cell.size()));
      double perimeter = 0;
      double reach = 0;
      for (std::size_t i = 0; i < cell.size(); ++i) {
        perimeter += length(cell[(i + 1) % cell.size()] - cell[i]);
        reach = std::max(reach, length(cell[i]));
      }
      ASSERT_NEAR(at("perimeter"), perimeter, 1e-4);
      double nearest = 1e30;
      for (std::size_t k = 0; k < images.at.size(); ++k) {
        const double distance = length(images.at[k] - sites[id]);
        const double apart = lift(images.id[k]) - lift(id);
        if (distance > 0) nearest = std::min(nearest, 0.5 * (distance + apart / distance));
      }
      ASSERT_NEAR(at("radius"), std::max(nearest, 0.0), 1e-5);
      ASSERT_NEAR(at("uv.x"), 0.5 - 0.5 * at("vector.x") / reach, 1e-6);
      ASSERT_NEAR(at("uv.y"), 0.5 - 0.5 * at("vector.y") / reach, 1e-6);
    }
  }
}

const std::vector<std::string> outlines{"id", "perimeter", "neighbors", "radius", "uv", "vector"};

TEST(WorleyShapes, CornersAreThoseOfAllTriples) {
  for (const bool wrap : {true, false}) {
    const Points sites = scattered(wrap ? 14 : 40, wrap);
    expect_corners(sites, {}, make(sites, {"corner"}));
  }
}

TEST(WorleyShapes, OutlinesAreThoseOfAllTriples) {
  const Points sites = scattered(14, true);
  expect_outlines(sites, {}, make(sites, outlines));
}

TEST(WorleyShapes, OfPowerCellsAreThoseOfAllTriples) {
  WorleyOptions options;
  options.outputs = outlines;
  options.outputs.emplace_back("corner");
  options.power = 1;
  for (const bool wrap : {true, false}) {
    const Points sites = dyadic_sites(wrap ? 14 : 40, width, height, wrap);
    std::vector<double> lifts;
    for (const float r : sites.radius) lifts.push_back(16 - 0.25 * static_cast<double>(r * r));
    const Image image = texture_of(sites, options);
    expect_corners(sites, lifts, image);
    if (wrap) expect_outlines(sites, lifts, image);
  }
}

TEST(WorleyShapes, OfSlicesAreThoseOfAllTriples) {
  constexpr int depth = 12;
  WorleyOptions options;
  options.outputs = outlines;
  options.outputs.emplace_back("corner");
  options.depth = depth;
  for (const bool wrap : {true, false}) {
    Points sites = dyadic_sites(wrap ? 16 : 40, width, height, wrap);
    sites.depth = depth;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      sites.z.push_back(dyadic(depth * static_cast<double>(i * 7 % 16) / 16));
    }
    const Image all = texture_of(sites, options);
    for (const int slice : {0, 7}) {
      std::vector<double> lifts;
      for (const double z : sites.z) {
        double dz = std::abs(z - (slice + 0.5));
        if (wrap) dz = std::min(dz, depth - dz);
        lifts.push_back(dz * dz);
      }
      const Image image = slice_of(all, slice);
      expect_corners(sites, lifts, image);
      if (wrap) expect_outlines(sites, lifts, image);
    }
  }
}

// Where cells would meet beyond the frame there is no corner.
TEST(WorleyShapes, CornersBeyondTheFrameAreNone) {
  Points sites;
  sites.domain = {width, height, false};
  for (const Vec2 at : {Vec2{8, 4}, Vec2{24, 12}, Vec2{40, 4}, Vec2{24, 36}}) sites.add(at, 1);
  // The first three meet at (24, -8).
  const Vec2 left{8, 24};
  const Vec2 right{40, 24};
  const Plane<float> found = make(sites, {"corner"}).channels[0];
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Vec2 p{x + 0.5, y + 0.5};
      ASSERT_NEAR(found(x, y), std::min(length(p - left), length(p - right)), 1e-4);
    }
  }
}

// Four cells meet on the center of a pixel each, and many runs of cells work at a time.
TEST(WorleyShapes, PixelsOnBordersAreZero) {
  Points sites;
  sites.domain = {width, height, true};
  for (int j = 0; j < 20; ++j) {
    for (int i = 0; i < 24; ++i) sites.add({2 * i + 1.5, 2 * j + 1.5}, 1);
  }
  const Image image = make(sites, {"edge"});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_EQ(image.channels[0](x, y), x % 2 == 1 && y % 2 == 1 ? 1 : 0);
    }
  }
}

// Four sites on every circle: borders of no length are none.
TEST(WorleyShapes, OfALattice) {
  const Image image = make(lattice(true), {"perimeter", "neighbors", "radius", "corner"});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_EQ(channel(image, "neighbors")(x, y), 4);
      ASSERT_NEAR(channel(image, "perimeter")(x, y), 32, 1e-4);
      ASSERT_NEAR(channel(image, "radius")(x, y), 4, 1e-5);
      const auto beside = [](int at) { return std::min(at % 8 + 0.5, 8 - (at % 8 + 0.5)); };
      ASSERT_NEAR(channel(image, "corner")(x, y), std::hypot(beside(x), beside(y)), 1e-4);
    }
  }
  const Image flat = make(lattice(false), {"perimeter", "neighbors"});
  EXPECT_EQ(channel(flat, "neighbors")(2, 2), 2);
  EXPECT_EQ(channel(flat, "neighbors")(12, 2), 3);
  EXPECT_NEAR(channel(flat, "perimeter")(2, 2), 32, 1e-4);
}

TEST(WorleyShapes, OfFewSites) {
  for (const bool wrap : {true, false}) {
    Points one;
    one.domain = {width, height, wrap};
    one.add({10.25, 7.5}, 1);
    const Image image = make(one, {"perimeter", "neighbors", "radius"});
    EXPECT_NEAR(channel(image, "perimeter")(3, 3), 2 * (width + height), 1e-3);
    EXPECT_EQ(channel(image, "neighbors")(3, 3), wrap ? 4 : 0);
    if (wrap) {
      EXPECT_NEAR(channel(image, "radius")(3, 3), 0.5 * height, 1e-4);
    }
    Points two = one;
    two.add({30.25, 7.5}, 1);
    const Image pair = make(two, {"perimeter", "radius", "id"});
    // To the other site, or to the frame.
    EXPECT_NEAR(channel(pair, "radius")(3, 3), wrap ? 10 : 7.5, 1e-4);
    // Those at the same place share their cell.
    for (const std::size_t crowded : {0, 1}) {
      Points many = two;
      for (int i = 0; i < 40; ++i) many.add(two[crowded], 1);
      EXPECT_EQ(make(many, {"perimeter", "radius", "id"}).channels, pair.channels);
      EXPECT_EQ(make(many, {"edge"}).channels, make(two, {"edge"}).channels);
    }
    if (wrap) continue;
    try {
      make(two, {"corner"});
      ADD_FAILURE() << "two cells have no corner";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
}

// Thousands of sites in a spot, and three elsewhere: nothing is searched in a fixed window.
TEST(WorleyShapes, OfUnevenSitesAreThoseOfThePixels) {
  Points sites = scattered(3, true);
  Random random(9, Stream::tests);
  for (int i = 0; i < 3000; ++i) {
    const double x = 12 + 2 * random.uniform();
    sites.add({x, 20 + 2 * random.uniform()}, 1);
  }
  const Image image = make(sites, {"f1", "edge", "radius", "id", "uv"}, 1);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      // Where the disc ends, so does the way to the border.
      const float radius = channel(image, "radius")(x, y);
      ASSERT_GE(channel(image, "edge")(x, y) + channel(image, "F1")(x, y), radius - 1e-4f);
      for (const char* name : {"uv.x", "uv.y"}) {
        ASSERT_GE(channel(image, name)(x, y), 0);
        ASSERT_LE(channel(image, name)(x, y), 1);
      }
    }
  }
}

TEST(WorleyOutputs, SumsOfDistances) {
  const Points sites = scattered(30, true);
  const Image image =
      make(sites, {"f1", "f3", "f5", "f8", "f3-f1", "2*f1-0.5f8", "-f5", "f1+f1", "f2-f2"});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto at = [&](const char* name) { return channel(image, name)(x, y); };
      ASSERT_EQ(at("F3-F1"), at("F3") - at("F1"));
      ASSERT_NEAR(at("2*F1-0_5F8"), 2 * at("F1") - 0.5f * at("F8"), 1e-4f);
      ASSERT_EQ(at("-F5"), -at("F5"));
      ASSERT_EQ(at("F1+F1"), 2 * at("F1"));
      ASSERT_EQ(at("F2-F2"), 0);
    }
  }
  for (const char* wrong : {"f0", "f9", "f1-", "-", "", "f1f2", "f1--f2", "2", "2*", "f1 - f2",
                            "nanf1", "1e99f1", "f12", "inf*f1", "+-f1"}) {
    EXPECT_FALSE(parse_sum(wrong)) << wrong;
  }
}

TEST(WorleyOutputs, ColorsOfAPicture) {
  Points sites;
  sites.domain = {width, height, true};
  sites.add({0.25 * width, 20}, 1);
  sites.add({0.75 * width, 20}, 1);
  Image picture;
  picture.names = {"R", "G", "B"};
  picture.channels.assign(3, Plane<float>(2, 2));
  picture.channels[0](0, 0) = 0.5f;
  picture.channels[2](1, 0) = picture.channels[2](1, 1) = 1;
  WorleyOptions options;
  options.outputs = {"color", "id"};
  options.colors.image = std::make_shared<const Image>(picture);
  Context context;
  const Image image = worley(sites, width, height, options, context);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool second = channel(image, "id")(x, y) == 1;
      // Half of the cell, in linear light.
      ASSERT_NEAR(channel(image, "color.R")(x, y), second ? 0 : 0.5f * srgb_to_linear(0.5f), 1e-6f);
      ASSERT_EQ(channel(image, "color.G")(x, y), 0);
      ASSERT_EQ(channel(image, "color.B")(x, y), second ? 1 : 0);
    }
  }
}

TEST(WorleyOutputs, SlopesAreThoseOfTheNormals) {
  const Points sites = scattered(12, true);
  WorleyOptions options;
  options.outputs = {"slope", "normal"};
  options.height_of = HeightOf::f2_f1;
  Context context;
  const Image image = worley(sites, width, height, options, context);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto normal = [&](const char* name) { return 2 * channel(image, name)(x, y) - 1; };
      ASSERT_NEAR(channel(image, "slope.x")(x, y), -normal("normal.R") / normal("normal.B"), 1e-5f);
      ASSERT_NEAR(channel(image, "slope.y")(x, y), normal("normal.G") / normal("normal.B"), 1e-5f);
    }
  }
}

TEST(WorleyChannels, ArePackedByName) {
  const Points sites = scattered(20, true);
  const std::vector<std::string> pack{"G=normal.B", "B=f2-f1", "R=id"};
  EXPECT_EQ(packed_outputs(pack), (std::vector<std::string>{"normal", "f2-f1", "id"}));
  EXPECT_EQ(packed_channels(pack), 3);
  EXPECT_EQ(packed_channels(std::vector<std::string>{"R=id"}), 1);
  EXPECT_EQ(packed_channels(std::vector<std::string>{"A=id"}), 4);
  const Image texture = make(sites, packed_outputs(pack));
  for (const Image& image : {texture, normalized(texture)}) {
    const Image packed = arranged(image, {pack, ""});
    EXPECT_EQ(packed.names, (std::vector<std::string>{"R", "G", "B"}));
    EXPECT_EQ(packed.channels[0], channel(image, "id"));
    EXPECT_EQ(packed.channels[1], channel(image, "normal.B"));
    EXPECT_EQ(packed.channels[2], channel(image, "F2-F1"));
  }
  const Image sparse = arranged(texture, {{"A=id"}, "cell"});
  EXPECT_EQ(sparse.names, (std::vector<std::string>{"cell.R", "cell.G", "cell.B", "cell.A"}));
  EXPECT_EQ(sparse.channels[0], Plane<float>(width, height));
  EXPECT_EQ(sparse.metadata.back(), (std::pair<std::string, std::string>{"dapple:pack.A", "id"}));
  EXPECT_THROW(arranged(texture, {{"R=edge"}, ""}), Error);
  const Image constants = arranged(normalized(texture), {{"R=id", "G=0.25", "B=1"}, ""});
  EXPECT_EQ(constants.channels[0], channel(normalized(texture), "id"));
  EXPECT_EQ(constants.channels[1], Plane<float>(width, height, 0.25f));
  EXPECT_EQ(constants.channels[2], Plane<float>(width, height, 1.0f));
  EXPECT_EQ(packed_outputs(std::vector<std::string>{"R=0", "G=id"}),
            std::vector<std::string>{"id"});
  for (const char* wrong : {"edge", "R=", "R=nothing", "X=edge", "R=normal", "R=normal.Q",
                            "R=edge.x", "=edge", "R=1.5", "R=-1", "R=nan", "R=0"}) {
    EXPECT_THROW(packed_outputs(std::vector<std::string>{wrong}), Error) << wrong;
  }
  EXPECT_THROW(packed_outputs(std::vector<std::string>{"R=f1", "R=f2"}), Error);
}

// Every row of the table gives as many channels as it says, named after it, and can be normalized.
TEST(WorleyOutputs, EveryRowKeepsItsWord) {
  const Points sites = scattered(30, true);
  for (const Output& row : output_rows()) {
    SCOPED_TRACE(row.name);
    EXPECT_FALSE(row.doc.empty());
    const std::vector<std::string> outputs{std::string(row.name)};
    const Image image = make(sites, outputs, 2);
    ASSERT_EQ(static_cast<int>(image.channels.size()), worley_channels(outputs));
    for (std::size_t i = 0; i < image.names.size(); ++i) {
      const std::string part = row.parts.empty() ? "" : std::string(".") + row.parts[i];
      EXPECT_EQ(image.names[i], std::string(row.name) + part);
      EXPECT_EQ(span_of_channel(image.names[i]), row.span);
    }
    EXPECT_EQ(make(sites, outputs, 1).channels, image.channels);
    const Image stored = normalized(image);
    for (const Plane<float>& plane : stored.channels) {
      const auto [low, high] = std::minmax_element(plane.values().begin(), plane.values().end());
      EXPECT_GE(*low, 0);
      EXPECT_LE(*high, 1);
      // One value everywhere would be a mistake: 30 sites differ in all of these.
      EXPECT_LT(*low, *high);
    }
  }
}

TEST(WorleyOptionsText, ExponentsAreChecked) {
  const Points sites = scattered(3, true);
  WorleyOptions options;
  for (const double p : {0.0, -1.0, 33.0, std::nan("")}) {
    options.metric = {Metric::minkowski, p};
    Context context;
    EXPECT_THROW(worley(sites, width, height, options, context), Error) << p;
  }
}

TEST(WorleyOptionsText, MetricsReadBack) {
  for (const char* text :
       {"euclidean", "manhattan", "chebyshev", "minkowski:3", "minkowski:0.25", "minkowski:32"}) {
    Metric metric;
    from_text(text, metric);
    EXPECT_EQ(to_text(metric), text);
  }
  for (const char* text : {"minkowski", "minkowski:", "minkowski:0", "minkowski:33", "minkowski:x",
                           "minkowski:2x", "euclid", ""}) {
    Metric metric;
    EXPECT_THROW(from_text(text, metric), Error) << text;
  }
}

}  // namespace
}  // namespace dapple

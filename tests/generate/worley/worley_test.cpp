// Every output of the cell textures on every pixel, against a brute force in double that knows
// nothing of tiles, bounds or bins.
#include "dapple/worley.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "simd_targets.hpp"
#include "worley_sets.hpp"

namespace dapple {
namespace {

constexpr int width = 96;
constexpr int height = 80;

struct Set {
  std::string name;
  Points sites;
  bool exact = true;  // positions are dyadic, so ids have one right answer
};

Set make_set(const std::string& name, bool wrap, int w = width, int h = height) {
  Set set{name, {}, true};
  set.sites.domain = {static_cast<double>(w), static_cast<double>(h), wrap};
  Random random(11, Stream::tests);
  const auto add = [&](double x, double y) { set.sites.add({x, y}, 1); };
  const auto add_random = [&](int n, double x0, double y0, double size_x, double size_y) {
    for (int i = 0; i < n; ++i) {
      const double x = dyadic(x0 + random.uniform() * size_x);
      const double y = dyadic(y0 + random.uniform() * size_y);
      add(x, y);
    }
  };
  if (name == "even") {
    for (int j = 0; j < 16; ++j) {
      for (int i = 0; i < 19; ++i) add_random(1, i * w / 19.0, j * h / 16.0, w / 19.0, h / 16.0);
    }
  } else if (name == "random") {
    add_random(120, 0, 0, w, h);
  } else if (name == "clustered") {  // spacing about 200:1
    add_random(400, 60, 40, 4, 4);
    add_random(3, 0, 0, w, h);
  } else if (name == "graded") {  // spacing about 1.5 to 7 from left to right
    for (double x0 = 0, step = 1.5; x0 < w; x0 += step, step *= 1.06) {
      const int n = static_cast<int>(std::ceil(h / step));
      for (int j = 0; j < n; ++j) add_random(1, x0, j * step, std::min(step, w - x0), h - j * step);
    }
  } else if (name == "one") {
    add(70.25, 3.5);
  } else if (name == "two") {
    add(10.25, 0.875 * h);
    add(0.84375 * w, 0.125 * h);
  } else if (name == "coincident") {
    add(33.5, 20.25);
    add(33.5, 20.25);
    add(80, 60);
    add(80, 60);
    add_random(30, 0, 0, w, h);
  } else if (name == "collinear") {
    for (int i = 0; i < 24; ++i) add(4 * i + 1.5, 40.5);
  } else if (name == "diagonal") {
    for (int i = 0; i < 40; ++i) add(2 * i + 0.25, 2 * i + 0.25);
  } else if (name == "lattice") {  // pixels at equal distance from two and four sites
    for (int j = 0; j < 10; ++j) {
      for (int i = 0; i < 12; ++i) add(8 * i + 0.5, 8 * j + 0.5);
    }
  } else if (name == "seam") {
    for (int i = 0; i < 12; ++i) add(0, dyadic(i * h / 12.0));
    for (int i = 1; i < 12; ++i) add(dyadic(i * w / 12.0), 0);
    add(w - 1.0 / 1024, h - 1.0 / 1024);
    add_random(20, 0, 0, w, h);
  } else if (name == "hexagonal") {
    set.exact = false;
    for (int j = 0; j < 12; ++j) {
      for (int i = 0; i < 13; ++i) add((i + 0.5 * (j % 2)) * w / 13.0, (j + 0.25) * h / 12.0);
    }
  }
  return set;
}

double measure(Metric metric, double dx, double dy) {
  dx = std::abs(dx);
  dy = std::abs(dy);
  switch (metric.kind) {
    case Metric::euclidean:
      return std::sqrt(dx * dx + dy * dy);
    case Metric::manhattan:
      return dx + dy;
    case Metric::chebyshev:
      return std::max(dx, dy);
    case Metric::minkowski:
      return std::pow(std::pow(dx, metric.p) + std::pow(dy, metric.p), 1 / metric.p);
  }
  return 0;
}

// Distance to the nearest image, found by trying nine of them; powers are slow, and grow with both
// differences.
double site_distance(const Points& sites, std::size_t i, double x, double y, Metric metric) {
  if (metric.kind == Metric::minkowski) {
    const auto shorter = [&](double d, double period) {
      return sites.domain.wrap ? std::min(std::abs(d), period - std::abs(d)) : d;
    };
    return measure(metric, shorter(sites.x[i] - x, sites.domain.width),
                   shorter(sites.y[i] - y, sites.domain.height));
  }
  double least = 1e30;
  const int reach = sites.domain.wrap ? 1 : 0;
  for (int ky = -reach; ky <= reach; ++ky) {
    for (int kx = -reach; kx <= reach; ++kx) {
      least = std::min(least, measure(metric, sites.x[i] + kx * sites.domain.width - x,
                                      sites.y[i] + ky * sites.domain.height - y));
    }
  }
  return least;
}

double edge_distance(const Points& sites, double x, double y) {
  std::vector<Vec2> images;
  const int reach = sites.domain.wrap ? 2 : 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (int ky = -reach; ky <= reach; ++ky) {
      for (int kx = -reach; kx <= reach; ++kx) {
        images.push_back(
            {sites.x[i] + kx * sites.domain.width - x, sites.y[i] + ky * sites.domain.height - y});
      }
    }
  }
  Vec2 owner = images[0];
  for (const Vec2 p : images) {
    if (length_squared(p) < length_squared(owner)) owner = p;
  }
  double least = 1e30;
  for (const Vec2 p : images) {
    if (p == owner) continue;
    least = std::min(least, (length_squared(p) - length_squared(owner)) / (2 * length(p - owner)));
  }
  return least;
}

Image make(const Points& sites, const std::vector<std::string>& outputs,
           Metric metric = Metric::euclidean, int threads = 0) {
  WorleyOptions options;
  options.outputs = outputs;
  options.metric = metric;
  Context context;
  context.threads = threads;
  return worley(sites, static_cast<int>(sites.domain.width), static_cast<int>(sites.domain.height),
                options, context);
}

// 1e-4 px, or the rounding of the float that holds it.
double allowed(double distance) {
  return std::max(1e-4, distance * 0x1.01p-24);
}

void expect_distances(const Set& set, Metric metric, std::size_t farthest = 3) {
  const int w = static_cast<int>(set.sites.domain.width);
  const int h = static_cast<int>(set.sites.domain.height);
  const std::size_t count = std::min<std::size_t>(farthest, set.sites.size());
  std::vector<std::string> outputs = {"id"};
  for (std::size_t k = 1; k <= count; ++k) outputs.push_back("f" + std::to_string(k));
  const Image image = make(set.sites, outputs, metric);
  const Image first_only = make(set.sites, {"f1"}, metric);
  std::vector<double> distance(set.sites.size());
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (std::size_t i = 0; i < distance.size(); ++i) {
        distance[i] = site_distance(set.sites, i, x + 0.5, y + 0.5, metric);
      }
      const auto nearest = std::min_element(distance.begin(), distance.end());
      const auto id = static_cast<std::size_t>(channel(image, "id")(x, y));
      if (set.exact) {
        wrong += id != static_cast<std::size_t>(nearest - distance.begin()) ? 1 : 0;
      } else {
        wrong += distance.at(id) > *nearest + 3e-5 ? 1 : 0;
      }
      std::partial_sort(distance.begin(), distance.begin() + static_cast<std::ptrdiff_t>(count),
                        distance.end());
      for (std::size_t k = 0; k < count; ++k) {
        const double found = channel(image, "F" + std::to_string(k + 1))(x, y);
        wrong += std::abs(found - distance[k]) > allowed(distance[k]) ? 1 : 0;
      }
      const double first = first_only.channels[0](x, y);
      wrong += std::abs(first - distance[0]) > allowed(distance[0]) ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0) << set.name << (set.sites.domain.wrap ? ", torus" : ", flat");
}

void expect_edges(const Set& set) {
  const Image image = make(set.sites, {"edge"});
  double worst = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = y % 3; x < image.width(); x += 3) {  // brute force takes a while
      const double right = edge_distance(set.sites, x + 0.5, y + 0.5);
      worst = std::max(worst, std::abs(static_cast<double>(image.channels[0](x, y)) - right));
    }
  }
  EXPECT_LE(worst, 1e-4) << set.name << (set.sites.domain.wrap ? ", torus" : ", flat");
}

const std::vector<std::string> set_names = {"even",     "random",  "clustered", "graded",
                                            "one",      "two",     "collinear", "coincident",
                                            "diagonal", "lattice", "seam",      "hexagonal"};

class WorleySets : public ::testing::TestWithParam<std::string> {};

TEST_P(WorleySets, DistancesAndIdsAreThoseOfBruteForce) {
  for (const bool wrap : {true, false}) {
    const Set set = make_set(GetParam(), wrap);
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chebyshev}) {
      expect_distances(set, metric);
    }
  }
}

TEST_P(WorleySets, FarDistancesAreThoseOfBruteForce) {
  for (const bool wrap : {true, false}) {
    const Set set = make_set(GetParam(), wrap);
    expect_distances(set, Metric::euclidean, 8);
    if (wrap) {
      expect_distances(set, Metric::euclidean, 4);
    } else {
      expect_distances(set, Metric::manhattan, 5);
    }
  }
}

TEST_P(WorleySets, MinkowskiDistancesAreThoseOfBruteForce) {
  for (const double p : {0.5, 2.5, 3.0, 8.0, 20.0}) {
    Set set = make_set(GetParam(), p != 3);
    // Near the axes a star's distance grows without bound: no rounding of sites.
    for (double& x : set.sites.x) x = dyadic(x);
    for (double& y : set.sites.y) y = dyadic(y);
    // Far along an axis, large powers of the other difference are lost in a double.
    set.exact = false;
    expect_distances(set, {Metric::minkowski, p}, 2);
  }
}

TEST_P(WorleySets, EdgesAreThoseOfBruteForce) {
  for (const bool wrap : {true, false}) {
    const Set set = make_set(GetParam(), wrap);
    if (set.name == "one" && !wrap) continue;
    expect_edges(set);
  }
}

TEST_P(WorleySets, TheSeamCannotBeSeen) {
  const Set set = make_set(GetParam(), true);
  Points moved = set.sites;
  const int dx = 37;
  const int dy = 53;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    // Dyadic, so that moving by whole pixels is exact.
    moved.x[i] = std::fmod(dyadic(moved.x[i]) + dx, width);
    moved.y[i] = std::fmod(dyadic(moved.y[i]) + dy, height);
  }
  Points still = set.sites;
  for (std::size_t i = 0; i < still.size(); ++i) {
    still.x[i] = dyadic(still.x[i]);
    still.y[i] = dyadic(still.y[i]);
  }
  std::vector<std::string> outputs = {"f1", "edge", "id", "direction", "normal", "area"};
  if (still.size() > 2) outputs.insert(outputs.end(), {"f2", "f3", "f2-f1"});
  const Image a = make(still, outputs);
  const Image b = make(moved, outputs);
  int different = 0;
  for (std::size_t c = 0; c < a.channels.size(); ++c) {
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const float other = b.channels[c]((x + dx) % width, (y + dy) % height);
        different += a.channels[c](x, y) != other ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(different, 0);
}

TEST_P(WorleySets, ThreadsDoNotMatter) {
  const Set set = make_set(GetParam(), true);
  const std::vector<std::string> outputs = {"f1", "edge", "id", "random", "normal"};
  const Image one = make(set.sites, outputs, Metric::euclidean, 1);
  EXPECT_EQ(make(set.sites, outputs, Metric::euclidean, 2).channels, one.channels);
  EXPECT_EQ(make(set.sites, outputs, Metric::euclidean, 7).channels, one.channels);
}

TEST_P(WorleySets, VectorsDoNotMatter) {
  const Set set = make_set(GetParam(), true);
  const int distances = static_cast<int>(std::min<std::size_t>(8, set.sites.size()));
  for (int k = 1; k <= distances; k += k == 4 ? 4 : 1) {
    std::vector<std::string> outputs;
    for (int i = 1; i <= k; ++i) outputs.push_back("f" + std::to_string(i));
    for (const bool id : {false, true}) {
      if (id) outputs.emplace_back("id");
      const Image widest = make(set.sites, outputs);
      for_each_simd_target([&](const char* target) {
        EXPECT_EQ(make(set.sites, outputs).channels, widest.channels) << target << ", F" << k;
      });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, WorleySets, ::testing::ValuesIn(set_names),
                         [](const auto& row) { return row.param; });

TEST(Worley, FarSitesAreExactToo) {
  for (const bool wrap : {true, false}) {
    for (const char* name : {"two", "even"}) {
      const Set set = make_set(name, wrap, 3000, 5);
      expect_distances(set, Metric::euclidean);
      expect_edges(set);
    }
  }
}

TEST(Worley, SitesAreScaledToTheImage) {
  Points sites;
  sites.domain = {2, 1, false};
  sites.add({0.5, 0.5}, 1);
  WorleyOptions options;
  Context context;
  const Image image = worley(sites, 8, 6, options, context);
  EXPECT_NEAR(image.channels[0](2, 5), std::hypot(0.5, 2.5), 1e-5);
}

TEST(Worley, OutputsFollowFromTheSearch) {
  const Set set = make_set("random", true);
  const Image image = make(set.sites, {"f1", "f2", "f2-f1", "id", "random", "area", "position",
                                       "direction", "height", "lines", "edge", "normal"});
  float highest = 0;
  for (const float f1 : channel(image, "F1").values()) highest = std::max(highest, f1);
  std::vector<double> area(set.sites.size(), 0);
  for (const float id : channel(image, "id").values()) ++area[static_cast<std::size_t>(id)];
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto at = [&](const char* name) { return channel(image, name)(x, y); };
      const auto id = static_cast<std::size_t>(at("id"));
      ASSERT_EQ(at("F2-F1"), at("F2") - at("F1"));
      ASSERT_EQ(at("position.x"), static_cast<float>(set.sites.x[id]));
      ASSERT_EQ(at("position.y"), static_cast<float>(set.sites.y[id]));
      ASSERT_EQ(at("area"), area[id]);
      ASSERT_TRUE(at("random") >= 0 && at("random") < 1);
      ASSERT_NEAR(at("height"), 1 - at("F1") / highest, 1e-6);
      const Vec2 d = set.sites.domain.delta({x + 0.5, y + 0.5}, set.sites[id]);
      ASSERT_NEAR(at("direction.x") * at("F1"), d.x, 1e-4);
      ASSERT_NEAR(at("direction.y") * at("F1"), d.y, 1e-4);
      ASSERT_NEAR(at("lines"), std::clamp(at("edge") - 1.0f, 0.0f, 1.0f), 1e-6);
      // Cones rise towards their sites: where the site is to the right, the normal leans left.
      const double nx = 2 * at("normal.R") - 1;
      const double ny = 2 * at("normal.G") - 1;
      const double nz = 2 * at("normal.B") - 1;
      ASSERT_NEAR(nx * nx + ny * ny + nz * nz, 1, 1e-5);
      if (at("edge") > 2 && at("F1") > 2) {
        ASSERT_LE(nx * d.x, 0.05);
        ASSERT_GE(ny * d.y, -0.05);  // green points up, y down
      }
    }
  }
}

TEST(Worley, AnOutputMayBeNamedTwice) {
  const Set set = make_set("random", true);
  const Image once = make(set.sites, {"f1", "f2", "edge"});
  const Image twice = make(set.sites, {"f1", "edge", "f2", "f1", "edge"});
  EXPECT_EQ(twice.channels[0], once.channels[0]);
  EXPECT_EQ(twice.channels[3], once.channels[0]);
  EXPECT_EQ(twice.channels[2], once.channels[1]);
  EXPECT_EQ(twice.channels[1], once.channels[2]);
  EXPECT_EQ(twice.channels[4], once.channels[2]);
}

// From the sites alone: central differences of the distance in double, packed as normal maps are.
TEST(Worley, RandomIsOneValueACell) {
  const Set set = make_set("even", true);
  const Image image = make(set.sites, {"id", "random"});
  std::vector<float> value(set.sites.size(), -1);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    float& seen = value[static_cast<std::size_t>(image.channels[0].values()[i])];
    if (seen < 0) seen = image.channels[1].values()[i];
    ASSERT_EQ(image.channels[1].values()[i], seen);
  }
  std::sort(value.begin(), value.end());
  EXPECT_EQ(std::adjacent_find(value.begin(), value.end()), value.end());
  double sum = 0;
  for (const float v : value) sum += v;
  EXPECT_NEAR(sum / static_cast<double>(value.size()), 0.5, 0.06);
}

TEST(Worley, VectorsLeadToTheSite) {
  for (const bool wrap : {true, false}) {
    const Set set = make_set("random", wrap);
    const Image image = make(set.sites, {"vector", "position", "f1"});
    ASSERT_EQ(image.names,
              (std::vector<std::string>{"vector.x", "vector.y", "position.x", "position.y", "F1"}));
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto at = [&](std::size_t c) { return static_cast<double>(image.channels[c](x, y)); };
        ASSERT_NEAR(std::hypot(at(0), at(1)), at(4), 1e-4);
        const Vec2 end{x + 0.5 + at(0), y + 0.5 + at(1)};
        ASSERT_NEAR(set.sites.domain.distance(end, {at(2), at(3)}), 0, 1e-4);
      }
    }
  }
}

TEST(Worley, CentroidsAreMeansOfTheCells) {
  for (const bool wrap : {true, false}) {
    const Set set = make_set("even", wrap);
    const Image image = make(set.sites, {"id", "centroid"});
    const Domain& domain = set.sites.domain;
    std::vector<Vec2> sum(set.sites.size());
    std::vector<Vec2> first(set.sites.size(), {-1, -1});
    std::vector<int> pixels(set.sites.size());
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto id = static_cast<std::size_t>(image.channels[0](x, y));
        const Vec2 p{x + 0.5, y + 0.5};
        if (pixels[id]++ == 0) first[id] = p;
        sum[id] = sum[id] + domain.delta(first[id], p);
      }
    }
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto id = static_cast<std::size_t>(image.channels[0](x, y));
        const Vec2 mean{first[id].x + sum[id].x / pixels[id], first[id].y + sum[id].y / pixels[id]};
        const Vec2 centroid{image.channels[1](x, y), image.channels[2](x, y)};
        ASSERT_NEAR(domain.distance(centroid, mean), 0, 1e-4) << id;
        ASSERT_TRUE(centroid.x >= 0 && centroid.x <= width);
        ASSERT_TRUE(centroid.y >= 0 && centroid.y <= height);
      }
    }
  }
}

TEST(Worley, ColorIsOneTripleACell) {
  const Set set = make_set("even", true);
  const Image image = make(set.sites, {"id", "color"});
  ASSERT_EQ(image.names, (std::vector<std::string>{"id", "color.R", "color.G", "color.B"}));
  std::vector<std::array<float, 3>> color(set.sites.size(), {-1, -1, -1});
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    const std::array<float, 3> here{image.channels[1].values()[i], image.channels[2].values()[i],
                                    image.channels[3].values()[i]};
    auto& seen = color[static_cast<std::size_t>(image.channels[0].values()[i])];
    if (seen[0] < 0) seen = here;
    ASSERT_EQ(here, seen);
  }
  // Components are even, and know nothing of each other.
  for (std::size_t c = 0; c < 3; ++c) {
    double mean = 0, product = 0;
    for (const auto& v : color) {
      ASSERT_TRUE(v[c] >= 0 && v[c] < 1);
      mean += static_cast<double>(v[c]) / static_cast<double>(color.size());
      product += (static_cast<double>(v[c]) - 0.5) * (static_cast<double>(v[(c + 1) % 3]) - 0.5) /
                 static_cast<double>(color.size());
    }
    EXPECT_NEAR(mean, 0.5, 0.06);
    EXPECT_NEAR(product, 0, 0.02);
  }
}

TEST(Worley, RandomFollowsTheSeed) {
  const Set set = make_set("even", true);
  WorleyOptions options;
  options.outputs = {"random"};
  Context a;
  Context b;
  b.seed = 2;
  EXPECT_NE(worley(set.sites, width, height, options, a).channels,
            worley(set.sites, width, height, options, b).channels);
}

TEST(Worley, NormalizedSaysHow) {
  const Set set = make_set("even", true);
  const Image raw = make(set.sites, {"f1", "id", "direction", "vector", "centroid", "color"});
  const Image image = normalized(raw);
  ASSERT_EQ(image.names, raw.names);
  const auto value = [&](const std::string& key) {
    for (const auto& [name, text] : image.metadata) {
      if (name == key) return text;
    }
    return std::string();
  };
  const std::string scale = value("dapple:scale.F1");
  ASSERT_TRUE(scale.starts_with("0..") && scale.ends_with(" px")) << scale;
  const float high = std::stof(scale.substr(3));
  EXPECT_EQ(value("dapple:scale.id"), "0..303");
  EXPECT_EQ(value("dapple:scale.direction.x"), "-1..1");
  EXPECT_EQ(value("dapple:scale.centroid.y"), "0..80 px");
  EXPECT_EQ(value("dapple:scale.color.G"), "0..1");
  const std::string vector = value("dapple:scale.vector.x");
  const float most = std::stof(vector.substr(vector.find("..") + 2));
  ASSERT_TRUE(vector.starts_with("-") && vector.ends_with(" px")) << vector;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_NEAR(image.channels[0](x, y) * high, raw.channels[0](x, y), 1e-4);
      ASSERT_NEAR(image.channels[1](x, y) * 303, raw.channels[1](x, y), 1e-3);
      ASSERT_NEAR(image.channels[2](x, y) * 2 - 1, raw.channels[2](x, y), 1e-5);
      ASSERT_NEAR((image.channels[4](x, y) * 2 - 1) * most, raw.channels[4](x, y), 1e-4);
      ASSERT_NEAR(image.channels[7](x, y) * 80, raw.channels[7](x, y), 1e-4);
      ASSERT_EQ(image.channels[8](x, y), raw.channels[8](x, y));
    }
  }
}

ErrorKind kind_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

TEST(Worley, SaysWhatIsWrong) {
  Points none;
  none.domain = {8, 8, true};
  EXPECT_EQ(kind_of([&] { make(none, {"f1"}); }), ErrorKind::input);
  Points one = none;
  one.add({4, 4}, 1);
  EXPECT_EQ(kind_of([&] { make(one, {"f2"}); }), ErrorKind::input);
  Points flat = one;
  flat.domain.wrap = false;
  flat.add({4, 4}, 1);
  EXPECT_EQ(kind_of([&] { make(flat, {"edge"}); }), ErrorKind::input);
  Points outside = one;
  outside.add({8, 1}, 1);
  EXPECT_EQ(kind_of([&] { make(outside, {"f1"}); }), ErrorKind::input);
  Points nan = one;
  nan.add({std::nan(""), 1}, 1);
  EXPECT_EQ(kind_of([&] { make(nan, {"f1"}); }), ErrorKind::input);
  EXPECT_EQ(kind_of([&] { make(one, {"f9"}); }), ErrorKind::usage);
}

}  // namespace
}  // namespace dapple

// Compares what each space takes with the tables of docs/spaces.md.
#include <array>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/regions.hpp"
#include "space_models.hpp"

namespace dapple {
namespace {

struct Named {
  std::string name;
  std::function<void(SampleOptions&)> set;
};

// Returns the two tables of docs/spaces.md: radii that a space takes, and options that both take.
std::string table_of_refusals() {
  const Domain flat{20, 20, false};
  const Mesh ring = with_places(torus(16, 8));
  const auto regions = std::make_shared<Regions>();
  regions->all = {{"", {{{0, 0}, {9, 0}, {9, 9}}}, {}}};
  const std::vector<std::pair<std::string, Space>> spaces{
      {"plane", flat},
      {"box", Space::box({12, 10, false}, 9)},
      {"box of four dimensions", Space::box({6, 6, false}, 6, 6)},
      {"surface", Space::on_surface(ring)},
      {"surface along paths", Space::on_surface(ring, {SurfaceMetric::surface})},
      {"solid", Space::in_solid(ring)},
      {"sphere", Space::on_sphere(1)},
      {"regions", Space::in_regions(regions)}};
  const std::vector<std::pair<std::string, Radii>> radii{
      {"one radius", 0.9},
      {"field of a plane", hill(flat)},
      {"field of a box", cloud(false)},
      {"radii of corners", growing(ring)},
      {"map", lat_long()},
      {"classes of radii", ClassRadii{{0.9, 0.6}}},
      {"classes of fields of a plane", ClassFields{{hill(flat), hill(flat)}}},
      {"classes of fields of a box", ClassVolumes{{cloud(false), cloud(false)}}},
      {"classes of maps", ClassSurfaces{{lat_long(), 0.2}}}};
  const std::vector<Named> features{
      {"count", [](SampleOptions& how) { how.count = 20; }},
      {"keep", [](SampleOptions& how) { how.keep.points = std::make_shared<const Points>(); }},
      {"progressive", [](SampleOptions& how) { how.progressive = true; }},
      {"frame cut", [](SampleOptions& how) { how.frame = FrameEdge::cut; }},
      {"conflict min", [](SampleOptions& how) { how.conflict = ConflictRule::min; }},
      {"conflict candidate", [](SampleOptions& how) { how.conflict = ConflictRule::candidate; }},
      {"method bridson", [](SampleOptions& how) { how.method = SampleMethod::bridson; }}};
  const auto works = [](const Space& space, const Radii& of, const Named& feature) {
    SampleOptions options;
    feature.set(options);
    Context context;
    try {
      sample(space, of, options, context);
      return true;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << feature.name << ": " << error.what();
      return false;
    }
  };
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  const auto head = [&](std::vector<std::string> cells, const auto& named, const auto& name_of) {
    for (const auto& each : named) cells.push_back(name_of(each));
    return line(cells) + line(std::vector<std::string>(cells.size(), "---"));
  };
  const auto first = [](const auto& pair) { return pair.first; };
  const Named plain{"sampled", [](SampleOptions&) {}};
  std::string which = head({"space"}, radii, first);
  std::string how = head({"space", "radii"}, features, [](const Named& each) { return each.name; });
  for (const auto& [space_name, space] : spaces) {
    std::vector<std::string> cells{space_name};
    for (const auto& [radii_name, of] : radii) {
      cells.push_back(works(space, of, plain) ? "yes" : "no");
      if (cells.back() == "no") continue;
      std::vector<std::string> row{space_name, radii_name};
      for (const Named& feature : features) row.push_back(works(space, of, feature) ? "yes" : "no");
      how += line(row);
    }
    which += line(cells);
  }
  return which + "\n" + how;
}

TEST(SpacesTable, SaysWhatIsRefused) {
  std::ifstream file(DAPPLE_SOURCE_FOLDER "/docs/spaces.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string table = table_of_refusals();
  EXPECT_NE(text.str().find(table), std::string::npos) << table;
}

TEST(SpacesTable, ADomainOfItsOwnIsThatOfTheSpace) {
  Context context;
  const Domain domain{20, 20, false};
  EXPECT_THROW(sample(Domain{20, 20, true}, hill(domain), {}, context), Error);
  EXPECT_THROW(sample(Domain{20, 21, false}, ClassFields{{hill(domain)}}, {}, context), Error);
  EXPECT_THROW(sample(Space::box({12, 10, false}, 8), cloud(false), {}, context), Error);
  EXPECT_THROW(sample(Space::on_surface(std::shared_ptr<const Mesh>()), 1.0, {}, context), Error);
  EXPECT_THROW(Space::box(domain, 20, 0), Error);
}

TEST(SpacesTable, OrdersAndDrawingsAreRefusedWhereNoneExist) {
  Context context;
  Points flat = sample(Domain{20, 20, false}, 2.0, {}, context);
  EXPECT_THROW(draw_in_space(flat, 40, 30, context), Error);
  const std::vector<double> x = flat.x;
  order(flat, context);
  EXPECT_EQ(flat.rank.size(), x.size());
  EXPECT_NE(flat.x, x);
  EXPECT_TRUE(certify(flat, context).maximal());
  Points deep = sample(Space::box({20, 20, false}, 20), 4.0, {}, context);
  EXPECT_THROW(order(deep, context), Error);
  Points unknown = flat;
  unknown.radii = nullptr;
  EXPECT_THROW(order(unknown, context), Error);
  const Points round = sample(Space::on_sphere(1), 0.5, {}, context);
  EXPECT_EQ(draw_in_space(round, 40, 30, context).width(), 40);
}

}  // namespace
}  // namespace dapple

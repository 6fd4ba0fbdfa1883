// Writes USD as text (Pixar): a PointInstancer of cones, with the radius and the face of each point
// as primvars.
#include "dapple/units.hpp"
#include "io/points/format.hpp"
#include "io/scenes/instances.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

// Appends NAME = [row, row ...], where write(i) appends row i.
template <class Write>
void add_rows(std::string& text, const char* name, std::size_t count, const Write& write) {
  text += "    ";
  text += name;
  text += " = [";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += i % 8 == 0 ? ",\n        " : ", ";
    write(i);
  }
  text += "]\n";
}

void add_tuple(std::string& text, std::initializer_list<float> values) {
  text += '(';
  for (const float value : values) {
    if (!text.ends_with('(')) text += ", ";
    append(text, value);
  }
  text += ')';
}

void add_cone(std::string& text, const std::string& prototype) {
  const Cone cone = make_cone();
  text += "        def Mesh \"" + prototype + "\"\n        {\n";
  const std::string indent = "        ";
  const auto rows = [&](const char* name, std::size_t count, const auto& write) {
    text += indent;
    add_rows(text, name, count, write);
  };
  text += indent + "    uniform token subdivisionScheme = \"none\"\n";
  rows("int[] faceVertexCounts", cone.triangles.size() / 3, [&](std::size_t) { text += '3'; });
  rows("int[] faceVertexIndices", cone.triangles.size(),
       [&](std::size_t i) { append(text, cone.triangles[i]); });
  rows("point3f[] points", cone.corners.size(), [&](std::size_t i) {
    add_tuple(text, {cone.corners[i][0], cone.corners[i][1], cone.corners[i][2]});
  });
  text += "        }\n";
}

// Returns the names of the prototypes: one, or one per class.
std::vector<std::string> prototypes_of(const Points& points) {
  if (points.class_id.empty()) return {"Cone"};
  std::vector<std::string> names;
  for (std::int32_t c = 0; c < count_of_classes(points); ++c) {
    names.push_back("Class" + std::to_string(c));
  }
  return names;
}

}  // namespace

std::string encode_usda(const Points& points) {
  const Instances instances = instances_of(points);
  const std::size_t count = points.size();
  std::string text = "#usda 1.0\n(\n    defaultPrim = \"Points\"\n    metersPerUnit = " +
                     shortest(points.meters_per_unit.value_or(1)) +
                     "\n    upAxis = \"Y\"\n    customLayerData = {\n";
  for (const auto& [key, value] : points.metadata) {
    text += "        string " + json_quoted(key) + " = " + json_quoted(value) + "\n";
  }
  text += "    }\n)\n\ndef PointInstancer \"Points\"\n{\n";
  text += "    double3 xformOp:translate = (" + shortest(instances.middle.x) + ", " +
          shortest(instances.middle.y) + ", " + shortest(instances.middle.z) +
          ")\n    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n    rel prototypes = [";
  const std::vector<std::string> prototypes = prototypes_of(points);
  for (const std::string& name : prototypes) {
    text += (text.ends_with('[') ? "</Points/Prototypes/" : ", </Points/Prototypes/") + name + ">";
  }
  text += "]\n";
  add_rows(text, "int[] protoIndices", count,
           [&](std::size_t i) { append(text, points.class_id.empty() ? 0 : points.class_id[i]); });
  add_rows(text, "point3f[] positions", count, [&](std::size_t i) {
    const auto& p = instances.place[i];
    add_tuple(text, {p[0], p[1], p[2]});
  });
  add_rows(text, "quath[] orientations", count, [&](std::size_t i) {
    const auto& q = instances.turn[i];
    add_tuple(text, {q[3], q[0], q[1], q[2]});  // the real part comes first
  });
  add_rows(text, "float3[] scales", count, [&](std::size_t i) {
    const float size = instances.size[i];
    add_tuple(text, {size, size, size});
  });
  add_rows(text, "float[] primvars:radius", count,
           [&](std::size_t i) { append(text, points.radius[i]); });
  if (points.face.size() == count) {  // otherwise the points lie in a solid
    add_rows(text, "int[] primvars:face", count,
             [&](std::size_t i) { append(text, points.face[i]); });
  }
  text += "    def Scope \"Prototypes\"\n    {\n";
  for (const std::string& name : prototypes) add_cone(text, name);
  return text + "    }\n}\n";
}

}  // namespace dapple

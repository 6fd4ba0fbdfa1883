// Writes Python for Blender that builds the nodes of a material.
#include <nlohmann/json.hpp>

#include "core/constants.hpp"
#include "dapple/context.hpp"
#include "dapple/units.hpp"
#include "dapple/version.hpp"
#include "io/materials/formats.hpp"

namespace dapple {
namespace {

// Quotes a text; a JSON string is also a Python string.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

constexpr std::string_view head = R"(
import os

import bpy

)";

constexpr std::string_view body = R"(
FOLDER = os.path.dirname(os.path.abspath(__file__))


def make_material(displaced=False):
    """The material. Displaced, its height moves the surface, which needs a fine mesh; else its
    normal map bends the light alone. Either shows the same relief: both would show it twice."""
    material = bpy.data.materials.new(NAME)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    place = nodes.new("ShaderNodeTexCoord")
    place.location = (-900, 0)

    def picture(output, y):
        if output not in FILES:
            return None
        node = nodes.new("ShaderNodeTexImage")
        node.label = output
        node.location = (-650, y)
        node.image = bpy.data.images.load(os.path.join(FOLDER, FILES[output]), check_existing=True)
        if output != "color":
            node.image.colorspace_settings.name = "Non-Color"
        links.new(place.outputs["UV"], node.inputs["Vector"])
        return node

    color = picture("color", 300)
    if color:
        links.new(color.outputs["Color"], surface.inputs["Base Color"])
    roughness = picture("roughness", 0)
    if roughness:
        links.new(roughness.outputs["Color"], surface.inputs["Roughness"])
    normal = None if displaced else picture("normal", -300)
    if normal:
        bend = nodes.new("ShaderNodeNormalMap")
        bend.location = (-300, -300)
        links.new(normal.outputs["Color"], bend.inputs["Color"])
        links.new(bend.outputs["Normal"], surface.inputs["Normal"])
    height = picture("height", -600) if displaced else None
    if height:
        move = nodes.new("ShaderNodeDisplacement")
        move.location = (-300, -600)
        move.inputs["Midlevel"].default_value = 0
        move.inputs["Scale"].default_value = HEIGHT
        links.new(height.outputs["Color"], move.inputs["Height"])
        links.new(move.outputs["Displacement"], nodes["Material Output"].inputs["Displacement"])
        material.cycles.displacement_method = "DISPLACEMENT"
    # Renderers that follow the light find occlusion by themselves: at hand, linked to nothing.
    picture("occlusion", -900)
    return material


def make_plane(material, repeat=1, cuts=0):
    """A plane that shows it so many times along x, in which one picture is 1 wide."""
    corners = [(x, y, 0) for y in range(cuts + 2) for x in range(cuts + 2)]
    side = cuts + 1
    faces = [(x + y * (side + 1), x + 1 + y * (side + 1), x + 1 + (y + 1) * (side + 1),
              x + (y + 1) * (side + 1)) for y in range(side) for x in range(side)]
    mesh = bpy.data.meshes.new(NAME)
    mesh.from_pydata([((x / side - 0.5) * repeat, (y / side - 0.5) * repeat * ASPECT, 0)
                      for x, y, _ in corners], [], faces)
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        x, y, _ = corners[loop.vertex_index]
        layer.data[loop.index].uv = (x / side * repeat, y / side * repeat)
    mesh.materials.append(material)
    mesh.shade_smooth() if hasattr(mesh, "shade_smooth") else None
    plane = bpy.data.objects.new(NAME, mesh)
    bpy.context.collection.objects.link(plane)
    return plane


if __name__ == "__main__":
    make_plane(make_material())
)";

constexpr std::string_view set_space = R"(
def set_space(image):
    """The color space of a picture, by the first name that this Blender knows."""
    for name in SPACES:
        try:
            image.colorspace_settings.name = name
            return
        except TypeError:
            pass
    raise ValueError("this Blender's color management has none of " + ", ".join(SPACES))
)";

// Adds the space of the color to the program. Without a chosen space, Blender knows it by the file.
std::string with_space(std::string text, const Material& material) {
  if (material.colorspace.empty()) return text;
  std::string names;
  for (const std::string& name : names_of(space_of_color(material))) {
    names += (names.empty() ? "" : ", ") + quoted(name);
  }
  const auto insert = [&](std::string_view after, const std::string& more) {
    text.insert(text.find(after) + after.size(), more);
  };
  insert("\"Non-Color\"\n", "        else:\n            set_space(node.image)\n");
  insert("abspath(__file__))\n",
         "# The names of the color's space, in several versions.\nSPACES = [" + names + "]\n" +
             std::string(set_space));
  return text;
}

}  // namespace

std::string encode_blender(const Material& material) {
  std::string text = "# A material for Blender 3 and later, made by dapple ";
  text += DAPPLE_VERSION;
  text +=
      ": run in its text editor, or from\n# the command line, it builds the material on a plane.";
  text += head;
  text += "NAME = " + quoted(material.name) + "\nFILES = {\n";
  for (const Material::Texture& one : material.textures) {
    text += "    " + quoted(one.output) + ": " + quoted(one.file) + ",\n";
  }
  text += "}\n# Of a picture 1 wide: its height, and how high white of its height is.\nASPECT = " +
          shortest(1.0 * material.height / material.width) +
          "\nHEIGHT = " + shortest(material.full_height / material.width) + "\n";
  text += body;
  return with_space(std::move(text), material);
}

}  // namespace dapple

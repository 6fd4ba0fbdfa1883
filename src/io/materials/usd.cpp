// Writes USD as text (Pixar): a plane 1 wide with a material of UsdPreviewSurface.
#include "dapple/units.hpp"
#include "io/materials/formats.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

// Returns a reference to a file.
std::string asset(const std::string& file) {
  const std::string mark = file.find('@') == std::string::npos ? "@" : "@@@";
  return mark + "./" + file + mark;
}

class Shaders {
 public:
  Shaders(const Material& material, std::string path)
      : material_(material), path_(std::move(path)) {}

  // Connects an input of the surface to channels of the picture of an output, if there is one.
  // `more`: lines for the reader of the picture.
  void connect(const std::string& input, const std::string& output, const std::string& channels,
               const std::string& more = "") {
    const std::string file = material_.file_of(output);
    if (file.empty()) return;
    const OutputSpace space = output == "color" ? space_of_color(material_) : OutputSpace();
    const bool is_encoded = output == "color" && !space.is_linear;
    const std::string name =
        space.own() != nullptr ? std::string(space.own()->scene_name) : space.name;
    const bool is_named = output == "color" && !material_.colorspace.empty();
    const std::string type = channels == "rgb" ? "float3" : "float";
    inputs += "            " + input + ".connect = <" + path_ + "/" + output +
              ".outputs:" + channels + ">\n";
    pictures +=
        "        def Shader \"" + output +
        "\"\n        {\n"
        "            uniform token info:id = \"UsdUVTexture\"\n"
        "            asset inputs:file = " +
        asset(file) +
        (is_named ? " (\n                colorSpace = " + json_quoted(name) + "\n            )"
                  : "") +
        "\n            token inputs:sourceColorSpace = \"" + (is_encoded ? "sRGB" : "raw") +
        "\"\n"
        "            float2 inputs:st.connect = <" +
        path_ +
        "/st.outputs:result>\n"
        "            token inputs:wrapS = \"repeat\"\n"
        "            token inputs:wrapT = \"repeat\"\n" +
        more + "            " + type + " outputs:" + channels + "\n        }\n";
  }

  std::string inputs;    // of the surface
  std::string pictures;  // a shader for each

 private:
  const Material& material_;
  std::string path_;
};

}  // namespace

std::string encode_usd(const Material& material) {
  const std::string name = identifier_of(material.name);
  const std::string path = "/" + name + "/Material";
  Shaders shaders(material, path);
  shaders.connect("color3f inputs:diffuseColor", "color", "rgb");
  shaders.connect("float inputs:roughness", "roughness", "r");
  shaders.connect("normal3f inputs:normal", "normal", "rgb",
                  "            float4 inputs:scale = (2, 2, 2, 1)\n"
                  "            float4 inputs:bias = (-1, -1, -1, 0)\n");
  shaders.connect("float inputs:occlusion", "occlusion", "r");
  if (material.full_height > 0) {
    const std::string scale = shortest(material.full_height / material.width);
    shaders.connect(
        "float inputs:displacement", "height", "r",
        "            float4 inputs:scale = (" + scale + ", " + scale + ", " + scale + ", 1)\n");
  }
  const std::string y = shortest(0.5 * material.height / material.width);
  std::string text =
      "#usda 1.0\n(\n    defaultPrim = \"" + name +
      "\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\ndef Xform \"" + name +
      "\"\n{\n    custom string userProperties:name = " + json_quoted(material.name) +
      "\n\n    def Mesh \"Plane\" (\n"
      "        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n"
      "        rel material:binding = <" +
      path +
      ">\n"
      "        uniform token subdivisionScheme = \"none\"\n"
      "        int[] faceVertexCounts = [4]\n"
      "        int[] faceVertexIndices = [0, 1, 2, 3]\n"
      "        point3f[] points = [(-0.5, -" +
      y + ", 0), (0.5, -" + y + ", 0), (0.5, " + y + ", 0), (-0.5, " + y +
      ", 0)]\n"
      "        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)]\n"
      "        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (\n"
      "            interpolation = \"vertex\"\n        )\n    }\n\n"
      "    def Material \"Material\"\n    {\n"
      "        token outputs:surface.connect = <" +
      path +
      "/Surface.outputs:surface>\n"
      "        token outputs:displacement.connect = <" +
      path +
      "/Surface.outputs:displacement>\n\n"
      "        def Shader \"Surface\"\n        {\n"
      "            uniform token info:id = \"UsdPreviewSurface\"\n"
      "            float inputs:metallic = 0\n" +
      shaders.inputs +
      "            token outputs:surface\n"
      "            token outputs:displacement\n        }\n"
      "        def Shader \"st\"\n        {\n"
      "            uniform token info:id = \"UsdPrimvarReader_float2\"\n"
      "            string inputs:varname = \"st\"\n"
      "            float2 outputs:result\n        }\n" +
      shaders.pictures + "    }\n}\n";
  return text;
}

}  // namespace dapple

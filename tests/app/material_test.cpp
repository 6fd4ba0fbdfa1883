// Cell textures as materials: data that nothing paints over, a file for each output, and what other
// programs make of them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "dapple/context.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"
#include "program_test.hpp"

namespace dapple {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

class Materials : public test::ProgramTest {
 protected:
  Image read(const std::string& name) const {
    return read_image((folder / name).string(), Limits{});
  }
  void refused(const Words& words, const std::vector<std::string>& says) const {
    const test::Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    for (const std::string& text : says) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
    }
  }
  static std::vector<std::string> presets() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(DAPPLE_SOURCE_FOLDER "/presets")) {
      const std::string name = entry.path().stem().string();
      if (name.starts_with("texture-")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
};

TEST_F(Materials, ALookPaintsNoData) {
  // Each is what the same run without the look would make.
  for (const std::string output : {"normal", "height", "edge", "id"}) {
    good({"worley", "--preset", "texture-cobbles", "--size", "96", "--outputs", output, "-o",
          "a.png"});
    good({"worley", "--preset", "texture-cobbles", "--size", "96", "--outputs", output, "-o",
          "a.exr"});
    const Image shown = read("a.png");
    const Image raw = read("a.exr");
    ASSERT_EQ(shown.channels.size(), raw.channels.size()) << output;
    for (std::size_t c = 0; c < raw.channels.size(); ++c) {
      const auto values = raw.channels[c].values();
      const float most = *std::max_element(values.begin(), values.end());
      const float scale = output == "edge" || output == "id" ? most : 1.0f;
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_NEAR(shown.channels[c].values()[i], values[i] / scale, 1e-4) << output;
      }
    }
  }
  const Image normal = [&] {
    good({"worley", "--preset", "texture-cobbles", "--size", "96", "--outputs", "normal", "-o",
          "n.png"});
    return read("n.png");
  }();
  for (std::size_t i = 0; i < normal.channels[0].size(); ++i) {
    double squares = 0;
    for (const auto& plane : normal.channels) {
      const double part = 2 * static_cast<double>(plane.values()[i]) - 1;
      squares += part * part;
    }
    ASSERT_NEAR(squares, 1, 1e-3);
  }
}

TEST_F(Materials, ALookWithoutTheOutputColorIsRefused) {
  refused({"worley", "--outputs", "normal", "--gradient", "red,blue", "-o", "n.png"},
          {"--gradient", "--outputs color"});
  refused({"worley", "--outputs", "height", "--relief", "1", "-o", "n.png"},
          {"--relief", "--outputs color"});
  refused({"worley", "--preset", "texture-foam", "--outputs", "f1", "--line-color", "red", "-o",
           "n.png"},
          {"--line-color", "--outputs color"});
  refused(
      {"worley", "--preset", "texture-foam", "--outputs", "f1", "--levels", "0:40", "-o", "n.png"},
      {"--levels", "gradient"});
  refused({"worley", "--outputs", "color,normal", "--gradient", "red,blue", "--relief", "1", "-o",
           "n.exr"},
          {"--relief", "--outputs normal"});
  refused({"worley", "--levels", "edge=0:40", "-o", "n.png"}, {"edge", "--outputs"});
  EXPECT_TRUE(folder.names().empty());
  // What is left open is what there is to paint.
  good({"worley", "--size", "32", "--gradient", "#ff0000", "-o", "c.png"});
  EXPECT_EQ(read("c.png").channels[0](5, 5), 1);
  EXPECT_EQ(read("c.png").channels[1](5, 5), 0);
}

TEST_F(Materials, EveryPresetMakesASetInTheDepthOfEach) {
  for (const std::string& preset : presets()) {
    good({"worley", "--preset", preset, "--size", "160", "--outputs",
          "color,height,normal,roughness,occlusion,id", "-o", "{preset}_{output}.png"});
    const auto type = [&](const std::string& output) {
      return read(preset + "_" + output + ".png").type;
    };
    EXPECT_EQ(type("height"), PixelType::u16) << preset;
    EXPECT_EQ(type("id"), PixelType::u16) << preset;
    for (const char* output : {"color", "normal", "roughness", "occlusion"}) {
      EXPECT_EQ(type(output), PixelType::u8) << preset << output;
    }
    EXPECT_EQ(read(preset + "_color.png").encoding, Encoding::srgb) << preset;
    EXPECT_EQ(read(preset + "_normal.png").encoding, Encoding::data) << preset;
    for (const char* output : {"height", "roughness", "occlusion"}) {
      const Image image = read(preset + "_" + output + ".png");
      const auto values = image.channels[0].values();
      EXPECT_LT(*std::min_element(values.begin(), values.end()),
                *std::max_element(values.begin(), values.end()))
          << preset << output;
    }
  }
}

TEST_F(Materials, ANameWithOutputAloneMakesTheWholeSet) {
  const json outputs = json::parse(good({"worley", "--preset", "texture-cobbles", "--size", "64",
                                         "--json", "-o", "c_{output}.png", "-o", "all.exr"})
                                       .out)["outputs"];
  EXPECT_EQ(folder.names(), (Words{"all.exr", "c_color.png", "c_height.png", "c_id.png",
                                   "c_normal.png", "c_occlusion.png", "c_roughness.png"}));
  ASSERT_EQ(outputs.size(), 7u);
  EXPECT_EQ(outputs[0]["output"], "color");
  EXPECT_EQ(outputs[0]["channels"], 3);
  EXPECT_EQ(outputs[1]["path"], "c_height.png");
  EXPECT_EQ(outputs[6]["channels"], 10);
  good({"reproduce", "c_normal.png", "-o", "again.png"});
  EXPECT_TRUE(folder.read("again.png") == folder.read("c_normal.png"));
  // Each file is as if it were made alone.
  good({"worley", "--preset", "texture-cobbles", "--size", "64", "--outputs", "height", "-o",
        "h.png"});
  EXPECT_EQ(read("h.png").channels, read("c_height.png").channels);
  refused({"mask", "-o", "m_{output}.png"}, {"{output}", "one picture"});
  refused({"worley", "--pack", "R=f1", "-o", "m_{output}.png"}, {"{output}"});
}

TEST_F(Materials, ASetOfTilesAndOfFrames) {
  good({"worley", "--size", "32", "--count", "20", "--udim", "2x1", "--outputs", "f1,id", "-o",
        "t_{output}.<UDIM>.png"});
  good({"worley", "--size", "32", "--count", "20", "--frames", "2", "--outputs", "f1,id", "-o",
        "t_{output}.{frame}.png"});
  EXPECT_EQ(folder.names(),
            (Words{"t_f1.0000.png", "t_f1.0001.png", "t_f1.1001.png", "t_f1.1002.png",
                   "t_id.0000.png", "t_id.0001.png", "t_id.1001.png", "t_id.1002.png"}));
  good({"reproduce", "t_id.1002.png", "-o", "again.png"});
  EXPECT_TRUE(folder.read("again.png") == folder.read("t_id.1002.png"));
}

// ---- the scale of heights -----------------------------------------------------------------------

TEST_F(Materials, HeightNormalAndScaleAgree) {
  for (const std::string scale : {"0", "12"}) {
    const json outputs =
        json::parse(good({"worley", "--size", "128", "--count", "40", "--warp", "6", "--outputs",
                          "height,normal", "--height-of", "f2-f1", "--height-scale", scale,
                          "--json", "-o", "{output}.exr"})
                        .out)["outputs"];
    const double full = outputs[0]["full_height"];
    EXPECT_EQ(outputs[1]["full_height"], full);
    if (scale == "12") {
      EXPECT_NEAR(full, 12, 1e-4);
    } else {
      EXPECT_GT(full, 5);
    }
    const Plane<float> height = read("height.exr").channels[0];
    const Image normal = read("normal.exr");
    const auto at = [&](int x, int y) {
      return full * static_cast<double>(height((x + 128) % 128, (y + 128) % 128));
    };
    for (int y = 0; y < 128; ++y) {
      for (int x = 0; x < 128; ++x) {
        const double gx = (at(x + 1, y) - at(x - 1, y)) / 2;
        const double gy = (at(x, y + 1) - at(x, y - 1)) / 2;
        const double size = std::sqrt(gx * gx + gy * gy + 1);
        ASSERT_NEAR(normal.channels[0](x, y), 0.5 - 0.5 * gx / size, 1e-4);
        ASSERT_NEAR(normal.channels[1](x, y), 0.5 + 0.5 * gy / size, 1e-4);
      }
    }
  }
  refused({"worley", "--outputs", "height", "--height-scale", "3", "--normal-strength", "2", "-o",
           "h.png"},
          {"--height-scale", "--normal-strength"});
}

TEST_F(Materials, OneScaleForAllFrames) {
  good({"worley", "--size", "48", "--count", "20", "--frames", "3", "--outputs", "height,normal",
        "--height-scale", "9", "-o", "a.exr"});
  good({"worley", "--size", "48", "--count", "20", "--frames", "3", "--outputs", "height", "-o",
        "b.exr"});
  const Image both = read_frames((folder / "a.exr").string(), Context());
  const Image heights = read_frames((folder / "b.exr").string(), Context());
  EXPECT_EQ(both.channels[0], heights.channels[0]);
}

// ---- materials of other programs ----------------------------------------------------------------

std::string decoded(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    held += 6;
    if (held >= 8) bytes += static_cast<char>(bits >> (held -= 8) & 255);
  }
  return bytes;
}

TEST_F(Materials, TheGltfHoldsTogether) {
  const json made = json::parse(good({"worley", "--preset", "texture-cobbles", "--size", "96x64",
                                      "--material", "gltf", "--json", "-o", "my {output}.png"})
                                    .out)["outputs"];
  EXPECT_EQ(made.back()["kind"], "material");
  EXPECT_EQ(made.back()["path"], "my.gltf");
  const json gltf = json::parse(folder.read("my.gltf"));
  EXPECT_EQ(gltf["asset"]["version"], "2.0");
  const std::string uri = gltf["buffers"][0]["uri"];
  const std::string bytes = decoded(uri.substr(uri.find(',') + 1));
  ASSERT_EQ(bytes.size(), gltf["buffers"][0]["byteLength"]);
  const std::map<std::string, std::size_t> parts{
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}};
  for (const json& accessor : gltf["accessors"]) {
    const json& view = gltf["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t size = accessor["componentType"] == 5126 ? 4 : 2;
    EXPECT_EQ(accessor["count"].get<std::size_t>() * parts.at(accessor["type"]) * size,
              view["byteLength"]);
    EXPECT_LE(view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>(),
              bytes.size());
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % size, 0u);
  }
  const json& material = gltf["materials"][0];
  const auto file = [&](const json& reference) -> std::string {
    const json& texture = gltf["textures"][reference["index"].get<std::size_t>()];
    return gltf["images"][texture["source"].get<std::size_t>()]["uri"];
  };
  EXPECT_EQ(file(material["normalTexture"]), "my%20normal.png");
  EXPECT_EQ(file(material["occlusionTexture"]), "my%20occlusion.png");
  const json& surface = material["pbrMetallicRoughness"];
  EXPECT_EQ(file(surface["baseColorTexture"]), "my%20color.png");
  EXPECT_EQ(file(surface["metallicRoughnessTexture"]), "my%20roughness.png");
  EXPECT_EQ(surface["metallicFactor"], 0);
  const double full = made[1]["full_height"];
  EXPECT_NEAR(material["extras"]["heightScale"].get<double>(), full / 96, 1e-6);
}

TEST_F(Materials, TheSetAndItsMaterialGoTogether) {
  refused({"worley", "--material", "gltf", "-o", "a.png"}, {"--material", "{output}"});
  refused({"worley", "--material", "gltf", "-o", "a_{output}.exr"}, {"gltf", "png"});
  refused({"worley", "--material", "gltf", "--normal-y", "down", "-o", "a_{output}.png"},
          {"--material", "--normal-y down"});
  refused({"worley", "--material", "gltf", "--frames", "2", "-o", "a_{output}_{frame}.png"},
          {"{frame}"});
  refused({"worley", "--material", "maya", "-o", "a_{output}.png"}, {"gltf"});
  EXPECT_TRUE(folder.names().empty());
  fs::create_directory(folder / "a.gltf");
  EXPECT_EQ(run({"worley", "--size", "32", "--material", "gltf", "-o", "a_{output}.png"}).code, 4);
  EXPECT_EQ(folder.names(), Words{"a.gltf"});
}

TEST_F(Materials, MaterialXNamesPicturesAndColorSpaces) {
  for (const std::string extension : {"png", "exr"}) {
    const std::string spare = extension == "exr" ? "e" : "1 \"c\"";
    good({"worley", "--preset", "texture-cobbles", "--size", "64", "--material", "mtlx", "-o",
          spare + "_{output}." + extension});
    pugi::xml_document file;
    ASSERT_TRUE(file.load_string(folder.read(spare + ".mtlx").c_str()));
    const pugi::xml_node document = file.child("materialx");
    EXPECT_STREQ(document.attribute("version").value(), "1.38");
    const auto named = [](const pugi::xml_node& in, const std::string& name) {
      return in.find_child_by_attribute("name", name.c_str());
    };
    const pugi::xml_node material = document.child("surfacematerial");
    const auto node_of = [&](const char* input) {
      return named(document, named(material, input).attribute("nodename").value());
    };
    // Follows a port through the graph of pictures to a file.
    const auto picture = [&](const pugi::xml_node& node, const char* port) {
      const pugi::xml_node input = named(node, port);
      const pugi::xml_node graph = named(document, input.attribute("nodegraph").value());
      pugi::xml_node at = named(graph, input.attribute("output").value());
      EXPECT_STREQ(at.attribute("type").value(), input.attribute("type").value()) << port;
      for (at = named(graph, at.attribute("nodename").value()); named(at, "file").empty();) {
        at = named(graph, named(at, "in").attribute("nodename").value());
      }
      return named(at, "file");
    };
    const pugi::xml_node surface = node_of("surfaceshader");
    EXPECT_STREQ(surface.name(), "standard_surface");
    const pugi::xml_node color = picture(surface, "base_color");
    EXPECT_EQ(color.attribute("value").value(), spare + "_color." + extension);
    EXPECT_STREQ(color.attribute("colorspace").value(),
                 extension == "exr" ? "lin_rec709" : "srgb_texture");
    for (const auto& [port, output] : std::map<std::string, std::string>{
             {"specular_roughness", "roughness"}, {"normal", "normal"}}) {
      const pugi::xml_node file_of = picture(surface, port.c_str());
      EXPECT_EQ(file_of.attribute("value").value(), spare + "_" + output + "." + extension);
      EXPECT_TRUE(file_of.attribute("colorspace").empty()) << "data has no color space";
    }
    const pugi::xml_node moved = node_of("displacementshader");
    EXPECT_EQ(picture(moved, "displacement").attribute("value").value(),
              spare + "_height." + extension);
    EXPECT_GT(named(moved, "scale").attribute("value").as_double(), 0);
  }
}

TEST_F(Materials, UsdNamesPicturesAndColorSpaces) {
  good({"worley", "--preset", "texture-cobbles", "--size", "64", "--material", "usd,mtlx", "-o",
        "2 c@d_{output}.png"});
  EXPECT_TRUE(folder.names().size() == 8) << "six pictures and two materials";
  const std::string usd = folder.read("2 c@d.usda");
  for (const char* text :
       {"defaultPrim = \"_2_c_d\"", "asset inputs:file = @@@./2 c@d_color.png@@@",
        "color3f inputs:diffuseColor.connect = </_2_c_d/Material/color.outputs:rgb>",
        "normal3f inputs:normal.connect = </_2_c_d/Material/normal.outputs:rgb>",
        "float inputs:roughness.connect = </_2_c_d/Material/roughness.outputs:r>",
        "float inputs:displacement.connect = </_2_c_d/Material/height.outputs:r>"}) {
    EXPECT_NE(usd.find(text), std::string::npos) << text << "\n" << usd;
  }
  const auto color = usd.find("def Shader \"color\"");
  EXPECT_NE(usd.substr(color, 300).find("\"sRGB\""), std::string::npos);
  const auto normal = usd.find("def Shader \"normal\"");
  EXPECT_NE(usd.substr(normal, 300).find("\"raw\""), std::string::npos);
  refused({"worley", "--material", "usd", "-o", "a_{output}.tif"}, {"usd", "png"});
}

bool has_blender() {
  return fs::exists("/usr/bin/blender");
}

// Runs Python inside Blender; what it prints after `says: `.
std::string blender_says(const test::TemporaryFolder& folder, const std::string& python) {
  // Blender takes the folder of its shell for the current one.
  std::ofstream(folder / "ask.py") << "import os\nos.chdir('" << folder.path().string() << "')\n"
                                   << python;
  const auto outcome =
      test::run_process({"/usr/bin/blender", "--background", "--factory-startup",
                         "--python-exit-code", "9", "--python", (folder / "ask.py").string()},
                        folder.path());
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const auto at = outcome.out.find("says: ");
  if (at == std::string::npos) return outcome.out;
  return outcome.out.substr(at + 6, outcome.out.find('\n', at) - at - 6);
}

TEST_F(Materials, BlenderFindsEveryChannel) {
  if (!has_blender()) GTEST_SKIP() << "no Blender";
  good({"worley", "--size", "32", "--outputs", "f1,f2-f1,id,position,normal", "-o", "a.exr"});
  good({"worley", "--size", "32", "--outputs", "f1,edge", "--layer", "cell", "-o", "b.exr"});
  const std::string said = blender_says(folder, R"(
import bpy
bpy.context.scene.use_nodes = True
names = []
for file in ("a.exr", "b.exr"):
    image = bpy.data.images.load(bpy.path.abspath(__import__("os").path.abspath(file)))
    node = bpy.context.scene.node_tree.nodes.new("CompositorNodeImage")
    node.image = image
    names += sorted(output.name for output in node.outputs)
print("says:", " ".join(names))
)");
  for (const char* name : {"F1", "F2-F1", "id", "position", "normal", "edge"}) {
    EXPECT_NE((" " + said + " ").find(std::string(" ") + name + " "), std::string::npos) << said;
  }
}

TEST_F(Materials, BlenderBuildsTheMaterial) {
  if (!has_blender()) GTEST_SKIP() << "no Blender";
  good({"worley", "--preset", "texture-cobbles", "--size", "64", "--material", "blender", "-o",
        "c_{output}.png"});
  const std::string said = blender_says(folder, R"(
import os, sys
import bpy
sys.path.insert(0, os.getcwd())
import c
c.make_plane(c.make_material())
for material in (bpy.data.materials["c"], c.make_material(displaced=True)):
    surface = material.node_tree.nodes["Principled BSDF"]
    assert surface.inputs["Base Color"].is_linked and surface.inputs["Roughness"].is_linked
    for node in material.node_tree.nodes:
        if node.bl_idname == "ShaderNodeTexImage":
            assert tuple(node.image.size) == (64, 64), node.label
assert bpy.data.materials["c"].node_tree.nodes["Principled BSDF"].inputs["Normal"].is_linked
print("says:", c.HEIGHT * 64)
)");
  const json outputs = json::parse(good({"worley", "--preset", "texture-cobbles", "--size", "64",
                                         "--json", "-o", "d_{output}.png"})
                                       .out)["outputs"];
  EXPECT_NEAR(std::stod(said), outputs[1]["full_height"].get<double>(), 1e-3) << said;
}

TEST_F(Materials, ScalarsOfAnExrAreComponentsToOtherReaders) {
  if (!fs::exists("/usr/bin/oiiotool")) GTEST_SKIP();
  good(
      {"worley", "--size", "16", "--outputs", "f1,2*f1-0.5f3,edge,direction,color", "-o", "a.exr"});
  const std::string text =
      test::run_process({"/usr/bin/oiiotool", "--info", "-v", "a.exr"}, folder.path()).out;
  EXPECT_NE(text.find("channel list: 2*F1-0_5F3.V, F1.V, color.R, color.G, color.B, direction.x, "
                      "direction.y, edge.V"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace dapple

// Writes MaterialX 1.38: a Standard Surface (Autodesk 2019) whose inputs are tiled pictures with
// their color spaces, and the displacement by the height.
#include <pugixml.hpp>
#include <string>
#include <utility>

#include "dapple/units.hpp"
#include "io/materials/formats.hpp"

namespace dapple {
namespace {

// Adds a node or a port, an element with a name and a type.
pugi::xml_node add(pugi::xml_node& to, const char* element, const std::string& name,
                   const char* type) {
  pugi::xml_node made = to.append_child(element);
  made.append_attribute("name") = name.c_str();
  made.append_attribute("type") = type;
  return made;
}

// Appends what pugixml writes to a string. The library's own writers to streams are compiled
// against one standard library, so a program built with another cannot link them.
class StringWriter : public pugi::xml_writer {
 public:
  void write(const void* data, size_t size) override {
    text.append(static_cast<const char*>(data), size);
  }
  std::string text;
};

void set(pugi::xml_node port, const char* key, const std::string& value) {
  port.append_attribute(key) = value.c_str();
}

// The graph of pictures. Each has an output of its name.
class Pictures {
 public:
  Pictures(pugi::xml_node& document, const Material& material, std::string name)
      : material_(material), name_(std::move(name)), graph_(document.append_child("nodegraph")) {
    set(graph_, "name", name_);
  }

  // Connects a port to the picture of an output. Without that picture, adds no port.
  void connect(pugi::xml_node& to, const char* port, std::string_view output, const char* type) {
    const std::string file = material_.file_of(output);
    if (file.empty()) return;
    const std::string name(output);
    const bool is_normal = output == "normal";
    pugi::xml_node picture = add(graph_, "tiledimage", name + "_picture", type);
    pugi::xml_node source = add(picture, "input", "file", "filename");
    set(source, "value", file);
    if (output == "color") {
      set(source, "colorspace", space_of_color(material_).name);
    }
    if (is_normal) {
      pugi::xml_node map = add(graph_, "normalmap", "normal_map", type);
      set(add(map, "input", "in", type), "nodename", name + "_picture");
    }
    set(add(graph_, "output", name, type), "nodename",
        is_normal ? "normal_map" : name + "_picture");
    pugi::xml_node input = add(to, "input", port, type);
    set(input, "nodegraph", name_);
    set(input, "output", name);
  }

 private:
  const Material& material_;
  std::string name_;
  pugi::xml_node graph_;
};

}  // namespace

std::string encode_mtlx(const Material& material) {
  pugi::xml_document file;
  pugi::xml_node document = file.append_child("materialx");
  set(document, "version", "1.38");
  set(document, "colorspace", "lin_rec709");
  const std::string name = identifier_of(material.name);
  Pictures pictures(document, material, name + "_pictures");
  pugi::xml_node surface = add(document, "standard_surface", name + "_surface", "surfaceshader");
  set(add(surface, "input", "base", "float"), "value", "1");
  pictures.connect(surface, "base_color", "color", "color3");
  pictures.connect(surface, "specular_roughness", "roughness", "float");
  pictures.connect(surface, "normal", "normal", "vector3");
  const bool displaced = !material.file_of("height").empty() && material.full_height > 0;
  if (displaced) {
    pugi::xml_node moved =
        add(document, "displacement", name + "_displacement", "displacementshader");
    pictures.connect(moved, "displacement", "height", "float");
    set(add(moved, "input", "scale", "float"), "value",
        shortest(material.full_height / material.width));
  }
  pugi::xml_node made = add(document, "surfacematerial", name, "material");
  set(add(made, "input", "surfaceshader", "surfaceshader"), "nodename", name + "_surface");
  if (displaced) {
    set(add(made, "input", "displacementshader", "displacementshader"), "nodename",
        name + "_displacement");
  }
  StringWriter writer;
  file.save(writer, "  ");
  return std::move(writer.text);
}

}  // namespace dapple

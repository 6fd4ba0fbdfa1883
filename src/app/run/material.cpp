#include "app/run/material.hpp"

#include <algorithm>
#include <filesystem>

#include "dapple/error.hpp"
#include "dapple/image_files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Returns the name without {output} and its separator: cobbles for cobbles_{output}.png.
std::string name_of(const std::string& filled) {
  std::string name = fs::path(with_output(filled, "\n")).stem().string();
  const auto at = name.find('\n');
  const auto joins = [&](std::size_t i) {
    return i < name.size() && std::string_view("_-. ").find(name[i]) != std::string_view::npos;
  };
  if (at == std::string::npos) return name;
  if (at > 0 && joins(at - 1)) {
    name.erase(at - 1, 2);
  } else {
    name.erase(at, joins(at + 1) ? 2 : 1);
  }
  return name.empty() ? "material" : name;
}

}  // namespace

std::vector<PlannedMaterial> plan_materials(const std::vector<std::string>& formats,
                                            const std::vector<std::string>& names,
                                            const NameParts& parts,
                                            const std::vector<PlannedOutput>& outputs,
                                            const std::string& colorspace) {
  std::vector<PlannedMaterial> planned;
  if (formats.empty()) return planned;
  const auto set = std::find_if(names.begin(), names.end(), has_output_part);
  if (set == names.end()) {
    throw Error(ErrorKind::usage,
                "--material combines several pictures: put {output} into the name, such as "
                "cobbles_{output}.png");
  }
  const std::string filled = fill_name(*set, parts);
  if (has_frame_number(filled) || has_udim(filled)) {
    throw Error(ErrorKind::usage,
                "--material needs one picture per output: leave {frame} and <UDIM> out", filled);
  }
  if (has_output_part(fs::path(filled).parent_path().string())) {
    throw Error(ErrorKind::usage,
                "--material needs its pictures in one folder: put {output} into the name of the "
                "file, not of the folder",
                filled);
  }
  for (const std::string& format : formats) {
    check_pictures(format, extension_of(filled), colorspace);
    const fs::path path = fs::path(filled).parent_path() /
                          (name_of(filled) + "." + std::string(extension_of_material(format)));
    for (const PlannedOutput& output : outputs) {
      if (output.path != path.string()) continue;
      throw Error(ErrorKind::usage, "is named twice: as an output and by --material", output.path);
    }
    planned.push_back({format, path.string(), filled, colorspace});
  }
  return planned;
}

void write_materials(const std::vector<PlannedMaterial>& materials, FileGroup& files,
                     Record& record) {
  const std::vector<WrittenOutput> outputs = record.outputs;
  for (const PlannedMaterial& planned : materials) {
    Material material;
    material.name = fs::path(planned.path).stem().string();
    material.colorspace = planned.colorspace;
    for (const WrittenOutput& output : outputs) {
      if (output.only.empty() || output.path != with_output(planned.textures, output.only))
        continue;
      material.width = static_cast<int>(output.width);
      material.height = static_cast<int>(output.height);
      material.full_height = std::max(material.full_height, output.full_height);
      material.textures.push_back({output.only, fs::path(output.path).filename().string()});
    }
    WrittenOutput written;
    written.path = planned.path;
    written.kind = OutputKind::material;
    written.unchanged = !files.add(planned.path, encode_material(material, planned.format));
    record.outputs.push_back(std::move(written));
  }
}

}  // namespace dapple::app

#include "fuzz/targets.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/recipe.hpp"
#include "generate/dither/palette.hpp"
#include "io/drawings/svg.hpp"
#include "io/jobs_toml.hpp"
#include "io/points/sidecar.hpp"

namespace dapple::fuzz {
namespace {

// What was read is a valid set, and comes back from each of our own formats.
void read_points_as(std::string_view bytes, std::string_view extension) {
  Points points;
  try {
    points = decode_points(bytes, extension, small);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::input || error.kind() == ErrorKind::limit,
            "a bad file is an error of the input");
    return;
  }
  validate(points);
  for (const char* format : {"ply", "json", "npy", "csv"}) {
    if (points.size() > 1000) break;
    // The corner of the domain stands beside these.
    if (has_sidecar(format) && !(points.origin == Vec2{})) continue;
    const Points again = decode_points(encode_points(points, format), format, Limits{});
    require(again.x == points.x && again.y == points.y && again.radius == points.radius,
            "points come back as they were written");
  }
}

// What stands beside a file of points.
void read_sidecar(std::string_view bytes) {
  constexpr std::string_view file = "x,y,r\n1,2,3\n";
  try {
    const Sidecar sidecar = decode_sidecar(bytes, file);
    if (sidecar.place) {
      const Domain& domain = sidecar.place->domain;
      require(domain.width >= 0 && std::isfinite(domain.width) && domain.height >= 0 &&
                  std::isfinite(domain.height) && std::isfinite(sidecar.place->origin.x) &&
                  std::isfinite(sidecar.place->origin.y),
              "a sidecar's domain has a size");
    }
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::input, "a bad sidecar is an error of the input");
  }
}

// The operation that the first byte picks, which is taken off.
const Operation* pick_operation(std::string_view& bytes) {
  if (bytes.empty()) return nullptr;
  const auto& rows = operations();
  const auto pick = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  const Operation& row = rows[pick % rows.size()];
  return row.make == nullptr ? nullptr : &row;
}

// Options that TOML gave come back from the TOML written of them.
void read_recipe(std::string_view bytes) {
  const Operation* operation = pick_operation(bytes);
  if (operation == nullptr) return;
  const auto job = operation->make();
  OptionList options;
  job->describe(options);
  try {
    apply(parse_recipe(bytes, "recipe.toml"), options, "recipe.toml");
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage, "a bad recipe is wrong usage");
    return;
  }
  const std::string toml = to_toml(make_recipe(operation->name, options, true), options);
  const auto other_job = operation->make();
  OptionList other;
  other_job->describe(other);
  apply(parse_recipe(toml, "written.toml"), other, "written.toml");
  for (const auto& option : options) {
    const std::string text = option->get();
    const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' '; });
    require(!ascii || other.find(option->name)->get() == text, "a recipe comes back as written");
  }
}

// What was read is a mesh that points can be put on, by whatever name it came.
void read_mesh_files(std::string_view bytes) {
  for (const char* extension : {"ply", "stl", "obj", "glb"}) {
    try {
      validate(decode_mesh(bytes, extension, small));
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::input || error.kind() == ErrorKind::limit,
              "a bad file is an error of the input");
    }
  }
}

// Lines NAME=VALUE. What an option accepts, it prints in a form that it accepts and prints again.
void set_options(std::string_view bytes) {
  const Operation* operation = pick_operation(bytes);
  if (operation == nullptr) return;
  const auto job = operation->make();
  OptionList options;
  job->describe(options);
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    Option* option = options.find(line.substr(0, equals));
    if (option == nullptr) {
      options.nearest(line.substr(0, std::min<std::size_t>(equals, 64)));
      continue;
    }
    const std::string before = option->get();
    try {
      option->set(line.substr(equals + 1));
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::usage, "a bad value is wrong usage");
      require(option->get() == before, "a bad value changes nothing");
      continue;
    }
    const std::string text = option->get();
    if (text.empty()) continue;
    option->set(text);
    require(option->get() == text, "an option comes back from its own text");
  }
}

void read_shape(std::string_view bytes) {
  try {
    const Outline shape = decode_outline(bytes, small);
    double twice = 0;
    for (const auto& [a, b] : shape.edges) twice -= (a.x + b.x) * (b.y - a.y);
    constexpr double pi = 3.141592653589793;
    if (shape.edges.empty()) {
      require(std::abs(shape.perimeter - 2 * pi) < 1e-6, "lines are as long as the circle");
    } else {
      require(std::abs(0.5 * twice - pi) < 1e-6, "a shape has the area of a disc");
    }
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::input || error.kind() == ErrorKind::limit,
            "a bad shape is an error of the input");
  }
}

void read_palette(std::string_view bytes) {
  const std::string text(bytes);
  const auto content = std::make_shared<const std::string>(text);
  // As files, and as the value of the option itself.
  std::vector<TextInput> inputs{{"colors.gpl", content}, {"colors.act", content}};
  if (text.starts_with('#')) inputs.push_back({text, nullptr});
  for (const TextInput& input : inputs) {
    try {
      palette::parse(input);
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input,
              "a bad palette is an error of the input");
    }
  }
}

// Tables of a batch file, and texts as they are written into one.
void read_jobs(std::string_view bytes) {
  try {
    const std::vector<JobTable> tables = parse_jobs(bytes, "jobs.toml");
    for (const JobTable& table : tables) {
      for (const JobKey& key : table.keys) require(!key.name.empty(), "a key has a name");
    }
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::limit,
            "a bad batch file is wrong usage");
  }
}

// What drawings say of themselves; that some are none of ours is no error.
void read_texts(std::string_view bytes) {
  svg_metadata(bytes);
  gcode_metadata(bytes);
  dxf_metadata(bytes);
}

constexpr std::array<Target, 12> text_targets{{
    {"csv", "csv", 300, [](std::string_view bytes) { read_points_as(bytes, "csv"); }},
    {"ply", "ply", 300, [](std::string_view bytes) { read_points_as(bytes, "ply"); }},
    {"json", "json", 300, [](std::string_view bytes) { read_points_as(bytes, "json"); }},
    {"npy", "npy", 300, [](std::string_view bytes) { read_points_as(bytes, "npy"); }},
    {"sidecar", "sidecar", 300, read_sidecar},
    {"svg", "svg", 300,
     [](std::string_view bytes) {
       read_points_as(bytes, "svg");
       read_shape(bytes);
       read_texts(bytes);
     }},
    {"mesh", "mesh", 300, read_mesh_files},
    {"gcode", "gcode", 300, read_texts},
    {"recipe", "recipe", 300, read_recipe},
    {"jobs", "jobs", 300, read_jobs},
    {"options", "options", 300, set_options},
    {"palette", "palette", 300, read_palette},
}};

}  // namespace

std::span<const Target> targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> both(text_targets.begin(), text_targets.end());
    both.insert(both.end(), image_targets().begin(), image_targets().end());
    return both;
  }();
  return all;
}

}  // namespace dapple::fuzz

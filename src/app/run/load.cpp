// Loads the files of a run and records them in its recipe.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/regions.hpp"
#include "io/digest.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t text_limit = 16 << 20;

// Returns false for standard input and pipes.
bool can_be_read_again(const std::string& path) {
  std::error_code ignored;
  return path != "-" && !std::filesystem::is_fifo(path, ignored);
}

// The positional input of a run.
struct Input {
  std::optional<Image> image;
  std::string hash;
};

Input load_input(const Run& run, Context& context) {
  Input input;
  if (run.input.empty()) return input;
  if (!is_sequence(run)) {
    input.image = read_picture(run.input, run.operation->takes_frames, run.options, context);
  }
  if (can_be_read_again(run.input)) {
    input.hash = hash_of_file(run.input, recorded_for(run.expected_hashes, "input"));
  }
  return input;
}

void load_image(ImageInput& input, const OptionList& options, Context& context) {
  input.image =
      std::make_shared<const Image>(read_picture(input.path, input.frames, options, context));
}

// Throws Error(input) if a file has changed since the recipe was written: the result would differ
// without notice.
void check_hashes(const Run& run, const Recipe& recipe) {
  for (const auto& [name, expected] : run.expected_hashes) {
    const bool is_input = name == "input";
    const std::string found =
        is_input ? recipe.input_hash : std::string(recorded_for(recipe.file_hashes, name));
    if (found == expected) continue;
    std::string path = run.input;
    for (const auto& option : run.options) {
      for (const Option::File& file : option->files()) {
        if (!is_input && file.key == name) path = file.path;
      }
    }
    throw Error(ErrorKind::input,
                "its content has changed since the recipe was made, so the result would differ: "
                "name the original file with " +
                    (is_input ? "--input" : "--file " + name + "=PATH"),
                path);
  }
}

// Removes hashes that the original recipe did not record. A stranger's recipe may name a user's
// file; outputs must not reveal its hash.
void leave_out_unrecorded(const Run& run, Recipe& recipe) {
  const auto unrecorded = [&](std::string_view name) {
    return !recorded_for(run.recorded_names, name).empty() &&
           recorded_for(run.expected_hashes, name).empty();
  };
  if (unrecorded("input")) recipe.input_hash.clear();
  std::erase_if(recipe.file_hashes, [&](const auto& entry) { return unrecorded(entry.first); });
}

}  // namespace

std::string hash_of_file(const std::string& path, std::string_view recorded) {
  Digest digest(recorded);
  std::array<char, 65536> buffer;
  for (const std::string& name : frame_files(path)) {
    errno = 0;
    std::ifstream file(std::filesystem::path(name), std::ios::binary);
    while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
      digest.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
    }
    if (file.eof()) continue;
    const std::string reason = errno == 0 ? "" : ": " + std::generic_category().message(errno);
    throw Error(ErrorKind::input, "cannot be read" + reason, name);
  }
  return digest.text();
}

std::string_view recorded_for(const Hashes& hashes, std::string_view name) {
  const auto found = std::find_if(hashes.begin(), hashes.end(),
                                  [name](const auto& entry) { return entry.first == name; });
  return found == hashes.end() ? std::string_view() : found->second;
}

EmbeddedProfile profile_in(const OptionList& options) {
  const Option* const profile = options.find("profile");
  const bool ignored = profile != nullptr && profile->get() == "ignore";
  return ignored ? EmbeddedProfile::ignore : EmbeddedProfile::convert;
}

Image read_picture(const std::string& path, bool frames, const OptionList& options,
                   Context& context) {
  context.limits.decoding.profile = profile_in(options);
  Image image = frames ? read_frames(path, context) : read_image(path, context);
  for (const std::string& note : image.notes) context.warn(note);
  return image;
}

Hashes load_files(const OptionList& options, Context& context, const Hashes& recorded) {
  Hashes hashes;
  for (const auto& option : options) {
    if (!option->names_file()) continue;
    const std::string path = option->get();
    if (option->image_input != nullptr) {
      load_image(*option->image_input, options, context);
    } else if (option->named_maps != nullptr) {
      for (NamedMap& one : *option->named_maps) {
        if (one.map.path.empty()) continue;
        one.map.path = with_frame_part(one.map.path);
        load_image(one.map, options, context);
      }
    } else if (option->points_input != nullptr) {
      context.limits.decoding.whole_rows = option->points_input->whole_rows;
      option->points_input->points = std::make_shared<const Points>(read_points(path, context));
      context.limits.decoding.whole_rows = false;
    } else if (option->mesh_input != nullptr) {
      option->mesh_input->mesh = std::make_shared<const Mesh>(read_mesh(path, context));
    } else if (option->regions_input != nullptr) {
      option->regions_input->regions = std::make_shared<const Regions>(read_regions(path, context));
    } else if (option->outline_input != nullptr) {
      option->outline_input->outline = std::make_shared<const Outline>(read_outline(path, context));
    } else {
      std::string bytes = read_file(path, text_limit, context);
      if (!path.ends_with(".act")) {  // colors may begin as a byte order mark does
        std::string memory;
        bytes = std::string(utf8_of_text(bytes, memory));
      }
      option->text_input->text = std::make_shared<const std::string>(std::move(bytes));
    }
    for (const Option::File& file : option->files()) {
      if (!can_be_read_again(file.path)) continue;
      hashes.emplace_back(file.key, hash_of_file(file.path, recorded_for(recorded, file.key)));
    }
  }
  return hashes;
}

Recipe carried_recipe(const Run& run, const Context& context) {
  Recipe recipe = recipe_of(run, context, false);
  const auto carried = [&](std::string_view name, const std::string& path) {
    const std::string_view recorded = recorded_for(run.recorded_names, name);
    return recorded.empty() ? std::filesystem::path(path).filename().string()
                            : std::string(recorded);
  };
  recipe.input = carried("input", recipe.input);
  for (Recipe::Setting& setting : recipe.settings) {
    const Option* option = run.options.find(setting.name);
    if (option == nullptr || !option->names_file() || setting.text == "-") continue;
    setting.text = option->text_with([&](const Option::File& file) {
      std::string name = carried(file.key, file.path);
      if (!recorded_for(run.recorded_names, file.key).empty()) return name;
      // Option words and literal values contain no slash. A file name that looks like one gets a
      // leading "./".
      const bool is_plain = name.find('.') == std::string::npos;
      if (is_plain || name.front() == '#') name.insert(0, "./");
      return name;
    });
  }
  return recipe;
}

Loaded load(Run& run, Context& context, bool to_look_at) {
  Loaded loaded;
  Recipe recipe;
  {
    const auto stage = context.stage("read");
    Hashes hashes = load_files(run.options, context, run.expected_hashes);
    Input input = load_input(run, context);
    if (to_look_at) run.job->settle_for_looking(input.image ? &*input.image : nullptr);
    recipe = carried_recipe(run, context);
    recipe.file_hashes = std::move(hashes);
    recipe.input_hash = input.hash;
    loaded.input = std::move(input.image);
  }
  check_hashes(run, recipe);
  leave_out_unrecorded(run, recipe);
  context.check();
  loaded.toml = to_toml(recipe, run.options);
  return loaded;
}

}  // namespace dapple::app

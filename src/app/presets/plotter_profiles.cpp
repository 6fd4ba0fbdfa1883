#include "app/presets/plotter_profiles.hpp"

#include <algorithm>
#include <filesystem>

#include "app/presets/preset_folders.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_bytes = 1 << 20;

std::vector<std::string> files_of(std::string_view kind) {
  std::vector<std::string> files;
  for (const fs::path& folder : preset_folders()) {
    const fs::path file = folder / "tools" / (std::string(kind) + ".toml");
    std::error_code missing;
    if (fs::is_regular_file(file, missing)) files.push_back(file.string());
  }
  return files;
}

struct Tool {
  std::string name;
  Recipe settings;
  std::string file;
};

// Parses each table as a recipe. Puts as many empty lines before it as the file has lines, so that
// errors give the right line.
void read_tools(const std::string& file, std::vector<Tool>& tools) {
  const std::string text = read_file(file, most_bytes);
  std::string name;
  std::string body;
  const auto close = [&] {
    if (!name.empty()) tools.push_back({name, parse_recipe(body, file), file});
  };
  for (std::size_t at = 0, lines = 1; at < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("[")) {
      body += line + "\n";
      continue;
    }
    close();
    name = line.substr(1, line.find(']') - 1);
    body.assign(lines, '\n');
  }
  close();
}

// Finds a tool by name. `kind` is in the singular.
Tool find_tool(const std::string& kind, const std::string& name) {
  std::vector<Tool> tools;
  for (const std::string& file : files_of(kind + "s")) read_tools(file, tools);
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.name == name; });
  if (found != tools.end()) return *found;
  std::vector<std::string> names;
  for (const Tool& tool : tools) names.push_back(tool.name);
  std::string near = nearest_word(name, names);
  if (near.empty()) {
    // The name may be a maker without a model.
    const auto begins = std::find_if(names.begin(), names.end(), [&](const std::string& known) {
      return known.starts_with(name);
    });
    if (begins != names.end()) near = *begins;
  }
  throw Error(ErrorKind::usage,
              Problem{kind, "there is no " + kind + " '" + name + "'" +
                                (near.empty() ? "" : "; did you mean '" + near + "'?") +
                                (near.empty() ? "; " : " ") + "`dapple presets " + kind +
                                "s` lists them all"});
}

// Returns true for a name; a width begins with a digit.
bool is_name(std::string_view text) {
  return !text.empty() &&
         ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

}  // namespace

std::string tools_text(std::string_view kind) {
  std::string text;
  for (const std::string& file : files_of(kind)) {
    text += (text.empty() ? "" : "\n") + read_file(file, most_bytes);
  }
  return text;
}

std::string save_tools(std::string_view kind, const std::vector<ToolTable>& tables) {
  const fs::path own = user_presets();
  make_user_folder(own);
  make_user_folder(own / "tools");
  const fs::path file = own / "tools" / (std::string(kind) + ".toml");
  std::error_code error;
  std::string text;
  if (fs::exists(file, error)) {
    // Tables end where the next begins, and comments before the first table stay.
    const std::string old = read_file(file.string(), most_bytes);
    bool is_kept = true;
    for (std::size_t at = 0; at < old.size();) {
      const std::size_t end = std::min(old.find('\n', at), old.size());
      const std::string line = old.substr(at, end - at);
      at = end + 1;
      if (line.starts_with("[")) {
        is_kept = std::none_of(tables.begin(), tables.end(), [&](const ToolTable& table) {
          return line.starts_with("[" + table.name + "]");
        });
      }
      if (is_kept) text += line + "\n";
    }
  }
  for (const ToolTable& table : tables) {
    text +=
        (text.empty() || text.ends_with("\n\n") ? "[" : "\n[") + table.name + "]\n" + table.body;
  }
  write_file(file.string(), text, Overwrite::always);
  return file.string();
}

Recipe machine_settings(const std::string& name) {
  return find_tool("machine", name).settings;
}

Recipe with_tools(Recipe recipe) {
  std::vector<Recipe::Setting> settings;
  std::vector<Recipe::Setting> own;
  for (const Recipe::Setting& setting : recipe.settings) {
    const bool named =
        setting.name == "machine" || (setting.name == "pen" && is_name(setting.text));
    if (!named) {
      own.push_back(setting);
      continue;
    }
    for (Recipe::Setting meant : find_tool(setting.name, setting.text).settings.settings) {
      meant.line = setting.line;
      meant.column = setting.column;
      settings.push_back(std::move(meant));
    }
  }
  settings.insert(settings.end(), own.begin(), own.end());
  recipe.settings = std::move(settings);
  return recipe;
}

std::vector<Arguments::Assignment> with_tools(std::vector<Arguments::Assignment> assignments,
                                              const OptionList& options) {
  Recipe named;
  std::vector<Arguments::Assignment> own;
  for (Arguments::Assignment& given : assignments) {
    const bool is_pen = given.option->name == "pen" && is_name(given.text);
    if (is_pen) {
      named.settings.push_back({"pen", given.text});
    } else {
      own.push_back(std::move(given));
    }
  }
  std::vector<Arguments::Assignment> all;
  for (const Recipe::Setting& meant : with_tools(std::move(named)).settings) {
    if (Option* option = options.find(meant.name)) all.push_back({option, meant.text});
  }
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

}  // namespace dapple::app

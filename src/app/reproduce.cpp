// `dapple reproduce`: makes a file again from the recipe it carries.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/certificate.hpp"
#include "app/command.hpp"
#include "app/json.hpp"
#include "app/metadata.hpp"
#include "app/problems.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "app/run/runner.hpp"
#include "core/digest.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/version.hpp"
#include "io/scenes/instances.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t file_limit = std::int64_t{1} << 32;

// The origin that a file gives for itself.
struct Origin {
  std::string recipe;
  int frame = -1;    // of a numbered file: which slice it is
  int tile = 0;      // of a set: its number
  std::string part;  // of a drawing in tiles: which it is
  std::string only;  // of an image: the one output that it holds
  std::string name;  // of the file; of a certificate the one it certifies
  std::string hash;  // of a certificate: the file's SHA-256
};

Origin origin_of(const std::string& path, Context& context) {
  if (is_certificate(path)) {
    const CertificateFacts facts = read_certificate(path);
    return {facts.recipe, facts.frame, 0, "", "", facts.file, facts.sha256};
  }
  // .json and .ply files of points carry it too, others have it in a sidecar.
  const std::string extension = extension_of(path);
  const auto metadata = is_scene_format(extension)
                            ? scene_metadata(read_file(path, file_limit, context))
                        : is_point_format(extension) ? read_points(path, context).metadata
                                                     : read_metadata(path, context);
  const std::string* const recipe = recipe_in(metadata);
  if (recipe == nullptr) {
    throw Error(ErrorKind::input,
                "carries no recipe: it was not made by dapple, or another program saved it since",
                path);
  }
  Origin origin{*recipe, -1, 0, "", "", path, ""};
  for (const auto& [key, text] : metadata) {
    if (key == part_key) origin.part = text;
    if (key == output_key) origin.only = text;
    if (key != frame_key && key != udim_key) continue;
    int& number = key == frame_key ? origin.frame : origin.tile;
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return origin;
}

class ReproduceInvocation : public Invocation {
 public:
  ReproduceInvocation() {
    own_.group("Reproduce");
    own_.add("input", input_, "The input, where it does not lie beside FILE under its old name")
        .metavar("PATH");
    own_.add_each("file", files_,
                  "The file that another option of the recipe names, such as points=sites.csv; may "
                  "be repeated")
        .metavar("OPTION=PATH");
    own_.add("trust", trust_,
             "Write the recipe's commands for a machine, such as --pen-down, into G-code");
    describe_outputs(run_options, common, "{stem}-reproduce.EXT");
    common.group("Recipe");
    common.add("print-recipe", run_options.print_recipe, "Print the recipe of FILE, run nothing");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& operands) override {
    const std::string& file = operands[0];
    configure(context, run_options);
    const Origin made = origin_of(file, context);
    const std::string& toml = made.recipe;
    const std::string origin = file + " (its recipe)";
    const Recipe recipe = parse_recipe(toml, origin);
    run_options.seed = context.seed = recipe.seed;
    if (run_options.print_recipe) {
      print_text(run_options.json ? json_of_recipe(recipe.command, recipe.seed, toml) : toml);
      return 0;
    }
    const Operation* operation = find_operation(recipe.command);
    if (operation == nullptr || operation->make == nullptr) {
      throw Error(
          ErrorKind::input,
          "its recipe is for a command '" + recipe.command + "', which this version does not have",
          file);
    }
    if (recipe.version != DAPPLE_VERSION) {
      context.warn("made by dapple " + recipe.version + ", this is " + DAPPLE_VERSION +
                   ": the bytes may differ");
    }
    const std::string before = made.hash.empty() ? read_file(file, file_limit) : std::string();
    Run again(*operation);
    apply(recipe, again.options, origin);
    find_files(recipe, file, again);
    again.frame = made.frame;
    again.tile = made.tile;
    again.part = made.part;
    again.only = made.only;
    again.overwrite = run_options.overwrite;
    again.outputs = outputs_for(made.name);
    show_commands(again);
    again.expected_hashes = recipe.file_hashes;
    if (!recipe.input_hash.empty()) again.expected_hashes.emplace_back("input", recipe.input_hash);
    Record record;
    {
      const Interrupt interrupt(context);
      const Progress progress(context, run_options.progress, run_options.quiet);
      record = execute(again, context);
    }
    record.command = "reproduce";
    return conclude(record, file, made, before);
  }

 private:
  std::vector<std::string> outputs_for(const std::string& file) const {
    if (run_options.json && std::find(run_options.outputs.begin(), run_options.outputs.end(),
                                      "-") != run_options.outputs.end()) {
      throw Error(ErrorKind::usage, "--json and -o - both want standard output: choose one");
    }
    if (run_options.outputs.empty()) {
      return {stem_of(file) + "-reproduce." + extension_of(file)};
    }
    std::vector<std::string> names;
    for (const std::string& name : run_options.outputs) {
      names.push_back(fill_name(name, {"reproduce", file, "", run_options.seed}));
    }
    return names;
  }

  // The files that the recipe names. A stranger's recipe may name any: none is opened but those
  // that lie beside FILE, and those that the command line names.
  void find_files(const Recipe& recipe, const std::string& file, Run& again) const {
    std::vector<std::pair<std::string, std::string>> named;
    if (!input_.empty()) named.emplace_back("input", input_name(*again.operation, input_));
    for (const std::string& text : files_) {
      const auto equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw Error(ErrorKind::usage, "--file must be OPTION=PATH, such as points=sites.csv");
      }
      named.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    if (!recipe.input.empty()) again.recorded_names.emplace_back("input", recipe.input);
    for (const auto& option : again.options) {
      if (option->names_file()) again.recorded_names.emplace_back(option->name, option->get());
    }
    for (const auto& [name, path] : named) {
      if (!recorded_for(again.recorded_names, name).empty()) continue;
      throw Error(ErrorKind::usage,
                  "the recipe names no file for " + name + ", so '" + path + "' would have no use");
    }
    std::vector<Problem> problems;
    for (const auto& [name, recorded] : again.recorded_names) {
      attempt(problems, [&, &name = name, &recorded = recorded] {
        const std::string path = place_of(name, recorded, recorded_for(named, name), file);
        if (name == "input")
          again.input = path;
        else
          again.options.find(name)->set(path);
      });
    }
    if (!problems.empty()) throw Error(ErrorKind::input, problems);
  }

  static std::string place_of(const std::string& name, const std::string& recorded,
                              std::string_view given, const std::string& file) {
    const std::string flag = name == "input" ? "--input PATH" : "--file " + name + "=PATH";
    if (given == "-") return "-";
    if (given.empty() && recorded == "-") {
      throw Error(ErrorKind::input,
                  "its " + name + " came from standard input: name a file with " + flag, file);
    }
    const fs::path beside = fs::path(file).parent_path() / fs::path(recorded).filename();
    const std::string path = given.empty() ? (fs::path(".") / beside).string() : std::string(given);
    for (const std::string& part : frame_files(path)) {
      // A link would lead out of the folder again.
      std::error_code ignored;
      const auto status =
          given.empty() ? fs::symlink_status(part, ignored) : fs::status(part, ignored);
      if (fs::is_regular_file(status)) continue;
      throw Error(ErrorKind::input,
                  (fs::exists(status) ? "is no regular file" : "is not there") +
                      std::string(": the recipe of '") + file + "' needs it; name it with " + flag,
                  part);
    }
    return path;
  }

  // G-code moves whatever a machine has, and a recipe may hold any: a stranger's is shown, and
  // written for those alone who say so.
  void show_commands(const Run& again) const {
    const auto is_machine = [](const std::string& path) {
      return extension_of(path) == "gcode" || extension_of(path) == "nc";
    };
    if (std::none_of(again.outputs.begin(), again.outputs.end(), is_machine)) return;
    std::string commands;
    for (const auto& option : again.options) {
      if (option->meta != "COMMANDS" || option->is_default()) continue;
      commands += (commands.empty() ? "" : "; ") + option->name + " = " + option->get();
    }
    if (commands.empty()) return;
    if (!trust_) {
      throw Error(ErrorKind::usage,
                  "the recipe has commands of its own for the machine; if they are what it may do, "
                  "say --trust: " +
                      commands);
    }
    if (!run_options.quiet) note("commands for the machine: " + commands);
  }

  // Files of the same format must hold the same bytes.
  int conclude(const Record& record, const std::string& file, const Origin& made,
               const std::string& before) {
    std::string differing;
    for (const WrittenOutput& output : record.outputs) {
      if (output.path == "-" || extension_of(output.path) != extension_of(made.name)) continue;
      const std::string after = read_file(output.path, file_limit);
      const bool same = made.hash.empty() ? after == before : sha256(after) == made.hash;
      if (!same) differing = output.path;
      if (same && !run_options.quiet && !run_options.json) {
        note(output.path + ": the same bytes as " +
             (made.hash.empty() ? file : "the one that " + file + " certifies"));
      }
    }
    if (!run_options.quiet) {
      for (const std::string& warning : record.warnings) note("warning: " + warning);
    }
    if (!differing.empty()) {
      throw Error(ErrorKind::verification, "was written, but its bytes differ from " + file,
                  differing);
    }
    if (run_options.json) print(json_of(record));
    return 0;
  }

  std::string input_;
  std::vector<std::string> files_;
  bool trust_ = false;
};

}  // namespace

Command reproduce_command() {
  Command row;
  row.name = "reproduce";
  row.summary = "Makes a file again from the recipe it carries";
  row.details =
      "Images and SVG files made by dapple carry their recipe, certificates that of their mask. "
      "Its files are looked for beside FILE, by their names without folders, or are those that "
      "--input and --file name; nothing else is opened, and one whose content has changed is "
      "refused. The bytes are compared: exit code 6 says that they differ.";
  row.operands = "FILE";
  row.min_operands = 1;
  row.max_operands = 1;
  row.examples = {{"reproduce photo-stipple.svg -o again.svg", "the same bytes again"},
                  {"reproduce print.tif --input archive/photo.jpg -o again.tif",
                   "the photo has been moved since"}};
  row.make = [] { return std::make_unique<ReproduceInvocation>(); };
  return row;
}

}  // namespace dapple::app

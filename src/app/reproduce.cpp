// `dapple reproduce`: makes a file again from its own recipe.
#include <algorithm>

#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/json.hpp"
#include "app/presets/embedded_recipe.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"
#include "io/digest.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t file_limit = std::int64_t{1} << 32;

class ReproduceInvocation : public Invocation {
 public:
  ReproduceInvocation() {
    own_.group("Reproduce");
    own_.add("input", input_, "Path of the input, if it is not beside FILE under its old name")
        .metavar("PATH");
    own_.add_each("file", files_,
                  "Path of a file that an option of the recipe names, such as points=sites.csv; "
                  "may be repeated")
        .metavar("OPTION=PATH");
    own_.add("trust", trust_,
             "Write the machine commands of the recipe, such as --pen-down, into G-code");
    describe_outputs(run_options, common, "{stem}-reproduce.EXT");
    common.group("Recipe");
    common.add("print-recipe", run_options.print_recipe,
               "Print the recipe of FILE without running it");
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
          "its recipe needs the command '" + recipe.command + "', which this version does not have",
          file);
    }
    if (recipe.version != DAPPLE_VERSION) {
      context.warn("made by dapple " + recipe.version + ", but this is " + DAPPLE_VERSION +
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
    again.recipes = {file};
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
      throw Error(ErrorKind::usage, "--json and -o - both write to standard output: choose one");
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

  // Finds the files that the recipe names. A stranger's recipe may name any file, so only files
  // beside FILE and files named on the command line are opened.
  void find_files(const Recipe& recipe, const std::string& file, Run& again) const {
    std::vector<std::pair<std::string, std::string>> named;
    if (!input_.empty()) named.emplace_back("input", input_name(*again.operation, input_));
    for (const std::string& text : files_) {
      const auto equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        throw Error(ErrorKind::usage,
                    "--file must be OPTION=PATH, such as points=sites.csv, not '" + text + "'");
      }
      named.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    if (!recipe.input.empty()) again.recorded_names.emplace_back("input", recipe.input);
    for (const auto& option : again.options) {
      for (const Option::File& one : option->files()) {
        again.recorded_names.emplace_back(one.key, one.path);
      }
    }
    for (const auto& [name, path] : named) {
      if (!recorded_for(again.recorded_names, name).empty()) continue;
      throw Error(ErrorKind::usage,
                  "the recipe names no file for " + name + ", so '" + path + "' has no effect");
    }
    std::vector<Problem> problems;
    const auto path_of = [&](const Option::File& one) {
      const std::string flag = one.key == "input" ? "--input PATH" : "--file " + one.key + "=PATH";
      return place_of(one.key, one.path, recorded_for(named, one.key), file, flag);
    };
    if (!recipe.input.empty()) {
      attempt(problems, [&] { again.input = path_of({"input", recipe.input}); });
    }
    for (const auto& option : again.options) {
      if (option->names_file()) attempt(problems, [&] { option->name_files(path_of); });
    }
    if (!problems.empty()) throw Error(ErrorKind::input, problems);
  }

  // Shows the machine commands of the recipe and throws unless --trust is given. G-code moves
  // hardware, and a recipe may contain any command.
  void show_commands(const Run& again) const {
    if (!moves_a_machine(again.outputs)) return;
    const std::string commands = machine_commands(again.options);
    if (commands.empty()) return;
    if (!trust_) {
      throw Error(
          ErrorKind::usage,
          "the recipe contains machine commands; if you trust them, add --trust: " + commands);
    }
    if (!run_options.quiet) note("machine commands: " + commands);
  }

  // Compares the bytes of outputs of the same format with the original; throws if they differ.
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
             (made.hash.empty() ? file : "the file that " + file + " certifies"));
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
      "Images and SVG files made by dapple carry their recipe; a certificate carries the recipe of "
      "its mask. The files of the recipe are searched beside FILE, by name without folders; "
      "--input and --file name other places. No other file is opened, and a file whose content has "
      "changed is refused. The bytes are compared with FILE: exit code 6 means that they differ.";
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

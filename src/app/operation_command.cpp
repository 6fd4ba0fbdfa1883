// Defines the commands that run an operation of the registry.
#include <algorithm>

#include "app/command.hpp"
#include "app/contact.hpp"
#include "app/escape_text.hpp"
#include "app/json.hpp"
#include "app/presets/embedded_recipe.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/presets.hpp"
#include "app/presets/settings.hpp"
#include "app/run/desktop.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "app/run/runner.hpp"
#include "app/run/summary.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "io/images/formats.hpp"

namespace dapple::app {
namespace {

// Returns a line about the share of dots lost between pictures of a sequence.
std::string sequence_line(const std::vector<double>& lost) {
  double sum = 0;
  for (const double share : lost) sum += share;
  const double mean = sum / static_cast<double>(lost.size());
  return "sequence: " + std::to_string(lost.size() + 1) + " pictures, " + rounded(100 * mean, 2) +
         " % of the dots lost per step on average, at most " +
         rounded(100 * *std::max_element(lost.begin(), lost.end()), 2) + " %";
}

std::string variants_doc(const Operation& operation) {
  std::string doc = "Draw a sheet of several results instead of one, each with its own setting: ";
  if (operation.varied.size() == 2) {
    doc += "3x3 (`" + std::string(operation.varied[0].option) + "` by `" +
           std::string(operation.varied[1].option) + "`), or ";
  }
  return doc + "an option with its values; if given twice, the second sets the rows";
}

class OperationInvocation : public Invocation {
 public:
  explicit OperationInvocation(const Operation& operation) : run_(operation) {
    const bool has_input = operation.input != InputKind::none;
    pairs_ = operation.pairs;
    document_rules(pairs_, run_.options);
    const std::string looking(operation.preview_extension);
    describe_outputs(
        run_options, common,
        default_name(operation, has_input, 0) + (looking.empty() ? "" : " and ." + looking));
    common
        .add("open", run_options.open, "Show the result when it is done, if a desktop is available")
        .essential();
    common.add_each("variants", run_options.variants, variants_doc(operation))
        .metavar(operation.varied.empty() ? "OPTION=V,V,..." : "CxR|OPTION=V,V,...")
        .essential();
    describe_recipes(run_options, common);
    common.group("Output");
    common.add("report", run_options.report,
               "Measure the result as `dapple analyze` does; the report goes to standard error, or "
               "into --json");
    if (operation.measured != Measured::nothing) {
      common
          .add("report-sheet", run_options.report_sheet,
               "Also draw the report as a picture with plots; for a stippling it shows where the "
               "tone is off")
          .metavar("FILE");
    }
    if (operation.resumable) {
      common
          .add("checkpoint", run_options.checkpoint,
               "Save the progress of the relaxation to this file until the run is done; after an "
               "interruption, the same command continues from it")
          .metavar("FILE");
      common.add("checkpoint-every", run_options.checkpoint_every, "Seconds between checkpoints")
          .range(0, 1e9);
    }
    if (operation.makes_drawing) {
      common.group("Plotter");
      common
          .add("machine", run_options.machine,
               "Plotter or laser whose speeds, acceleration and lifts or power to use: axidraw-v3, "
               "idraw, cartesian, laser-grbl, or your own in tools/machines.toml; options that you "
               "set win")
          .metavar("NAME");
    }
    if (operation.makes_material) {
      common
          .add("material", run_options.materials,
               "Also write a file that combines the outputs into one material, or several, such as "
               "gltf,usd; the names need {output}, such as cobbles_{output}.png for cobbles.gltf")
          .metavar("gltf|blender|mtlx|usd")
          .words({material_formats().begin(), material_formats().end()})
          .essential();
    }
    if (operation.certifiable) {
      common.add("certificate", run_options.certificate,
                 "Write FILE.certificate.json beside each file: its hash, checked ranks, figures, "
                 "recipe, and a statement that it is yours");
    }
    if (operation.measured == Measured::mask) {
      common
          .add("emit", run_options.emit,
               "Write source code in this language: an array, and a function that reads it; sets "
               "the format of standard output, and of a run without -o")
          .metavar("LANGUAGE")
          .words(source_languages());
      common.add("generator", run_options.generator,
                 "Write a function in C99 that makes the mask, instead of an array");
    }
    describe_machine(run_options, common);
    describe_basics(run_options, common);
    for (const auto& option : common) {
      // --output means textures in `worley` and files in other commands.
      if (run_.options.find(option->other_name) != nullptr) option->other_name.clear();
    }
  }

  const OptionList& options() const override { return run_.options; }

  void set(const Command& command, const Arguments& arguments,
           std::vector<Problem>& problems) override {
    // Presets, the recipe and flags set the same options, in this order. Flags of the run come
    // first, since they name the presets and the recipe.
    std::vector<Arguments::Assignment> shared, own;
    bool seed_given = false;
    for (const auto& assignment : arguments.assignments) {
      const bool is_own = run_.options.find(assignment.option->name) == assignment.option;
      (is_own ? own : shared).push_back(assignment);
      seed_given |= !is_own && assignment.option->name == "seed";
    }
    set_all(shared, problems);
    std::uint64_t* const seed = seed_given ? nullptr : &run_options.seed;
    for (const std::string& name : run_options.presets) {
      attempt(problems, [&] { take_preset(name, run_, seed); });
    }
    if (!run_options.recipe.empty()) {
      attempt(problems, [&] {
        if (carries_recipe(run_options.recipe)) return take_carried_recipe(arguments, own, seed);
        const Preset file = read_preset(run_options.recipe);
        run_.recipes.push_back(file.path);
        take_recipe(file.recipe, "recipe '" + run_options.recipe + "'", file.path, run_, seed);
      });
    }
    if (!run_options.machine.empty()) {
      attempt(problems, [&] {
        const Recipe settings = machine_settings(run_options.machine);
        apply(settings, run_.options, "");
        note_origin(settings, run_.options, "machine '" + run_options.machine + "'");
      });
    }
    attempt(problems, [&] { own = with_tools(std::move(own), run_.options); });
    set_all(own, problems);
    for (const auto& assignment : own) assignment.option->comes_from.clear();
    configure(context, run_options);
    finish(command, arguments, problems);
  }

  bool has_input(const Arguments&) const override { return !run_.input.empty(); }

  int run(const std::vector<std::string>&) override {
    const std::string command(run_.operation->name);
    if (run_options.print_recipe) {
      run_.job->settle_units();
      Recipe recipe = recipe_of(run_, context, true);
      recipe.version.clear();
      const std::string toml = to_toml(recipe, run_.options);
      print_text(run_options.json ? json_of_recipe(command, context.seed, toml) : toml);
      return 0;
    }
    Record record;
    {
      const Interrupt interrupt(context);
      const Progress progress(context, run_options.progress, run_options.quiet);
      record = run_options.variants.empty() ? execute(run_, context) : make_variants();
    }
    if (run_options.open) show(record);
    if (run_options.json) print(json_of(record));
    if (!run_options.quiet) tell(record);
    return 0;
  }

 private:
  void take_carried_recipe(const Arguments& arguments,
                           const std::vector<Arguments::Assignment>& own, std::uint64_t* seed) {
    std::vector<std::string> given;
    for (const auto& assignment : own) given.push_back(assignment.option->name);
    if (!arguments.operands.empty()) given.emplace_back("input");
    configure(context, run_options);
    take_carried(run_options.recipe, given, run_, seed, context);
    const std::string commands = machine_commands(run_.options);
    if (commands.empty() || !moves_a_machine(run_options.outputs)) return;
    throw Error(ErrorKind::usage, untrusted_commands("recipe", commands));
  }

  void finish(const Command& command, const Arguments& arguments, std::vector<Problem>& problems) {
    if (!arguments.operands.empty()) run_.input = arguments.operands[0];
    run_.input = input_name(*run_.operation, run_.input);
    static_cast<OutputOptions&>(run_) = run_options;
    if (arguments.unknown.empty() &&
        arguments.operands.size() > std::max<std::size_t>(command.max_operands, 1)) {
      problems.push_back({"", "unexpected second input '" + arguments.operands[1] + "'"});
    }
    if (run_options.print_recipe) return;
    if (!run_options.variants.empty()) {
      // Checks here, so that the message reports all problems together.
      attempt(problems, [&] { variants_of(run_, run_options.variants, context.seed); });
      if (run_options.generator || !run_options.emit.empty()) {
        problems.push_back({run_options.generator ? "generator" : "emit",
                            "writes one mask, but --variants draws several: choose one"});
      }
    }
    if (run_options.report && run_.operation->measured == Measured::nothing) {
      problems.push_back({"report", command.name + " has nothing to measure"});
    }
    const std::string input = arguments.unknown.empty() ? input_problem(run_) : "";
    if (!input.empty()) problems.push_back({"", input});
    const auto& files = run_.outputs;
    if (run_options.json && std::find(files.begin(), files.end(), "-") != files.end()) {
      problems.push_back({"", "--json and -o - both write to standard output: choose one"});
    }
    if (!run_options.variants.empty()) return;
    const auto of_udim = [](const Problem& problem) { return problem.option == "udim"; };
    // An invalid udim would also make names with <UDIM> invalid, so does not report them.
    if (std::any_of(problems.begin(), problems.end(), of_udim)) return;
    try {
      check_bits(run_, plan(run_, context));
      const auto idle = idle_problems(run_);
      problems.insert(problems.end(), idle.begin(), idle.end());
    } catch (const Error& error) {
      // A missing folder is not a usage error; execute() reports it.
      if (error.kind() != ErrorKind::usage) return;
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }

  Record make_variants() {
    auto names = run_options.outputs;
    const std::string command(run_.operation->name);
    if (names.empty())
      names.push_back((run_.input.empty() ? "" : "{stem}-") + command + "-variants.png");
    Variants variants = variants_of(run_, run_options.variants, context.seed);
    return write_contact_sheet(
        {command, "Variants of " + (run_.input.empty() ? command : stem_of(run_.input)),
         "dapple " + command},
        std::move(variants.ways), variants.columns, names, run_options, context);
  }

  // Returns the picture or drawing of a run, for a desktop program, or "".
  static std::string shown_of(const Record& record) {
    for (const OutputKind kind : {OutputKind::image, OutputKind::drawing}) {
      for (const WrittenOutput& output : record.outputs) {
        if (output.kind == kind && output.path != "-") return output.path;
      }
    }
    return "";
  }

  static void show(Record& record) {
    const std::string path = shown_of(record);
    const std::string problem =
        path.empty() ? "no output is a picture file" : open_on_desktop(path);
    if (!problem.empty()) record.warnings.push_back("--open: " + problem);
  }

  void tell(const Record& record) const {
    for (const std::string& warning : record.warnings) note("warning: " + warning);
    if (run_options.json) {
      if (record.plot && record.plot->is_told) note(plot_line(*record.plot));
      return;
    }
    for (const std::string& line : summaries_of(record)) note(line);
    for (const std::string& choice : record.notes) note(choice);
    const std::string shown = shown_of(record);
    if (run_options.outputs.empty() && !run_options.open && !shown.empty()) {
      note("`--open` shows the result; `-o NAME` sets its name and format");
    }
    if (!record.lost.empty()) note(sequence_line(record.lost));
    if (record.report) note_text(report_text(*record.report));
    if (record.plot && (record.plot->is_told || run_options.verbose || record.report)) {
      note(plot_line(*record.plot));
    }
    if (!run_options.verbose) return;
    for (const auto& [stage, seconds] : record.seconds)
      note(stage + " " + rounded(seconds, 3) + " s");
    note("peak memory " + rounded(record.peak_memory_mb, 0) + " MB");
  }

  Run run_;
};

}  // namespace

Command operation_command(const Operation& operation) {
  Command row;
  row.name = operation.name;
  row.summary = operation.summary;
  row.details = operation.details;
  const std::string input(operation.input_name.empty() ? "IMAGE" : operation.input_name);
  if (operation.input == InputKind::none) {
    row.max_operands = 0;
  } else {
    row.max_operands = 1;
    row.min_operands = operation.input == InputKind::optional_image ? 0 : 1;
    row.operands = row.min_operands == 0 ? "[" + input + "]" : input;
  }
  row.examples = operation.examples;
  row.make = [&operation] { return std::make_unique<OperationInvocation>(operation); };
  return row;
}

}  // namespace dapple::app

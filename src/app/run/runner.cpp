// Runs operations and writes their outputs.
#include "app/run/runner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/arguments.hpp"
#include "app/certificate.hpp"
#include "app/run/checkpoint.hpp"
#include "app/run/material.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/version.hpp"
#include "io/images/color/spaces.hpp"
#include "io/images/formats.hpp"
#include "io/scenes/instances.hpp"

namespace dapple::app {
namespace {

// Makes the allocator return freed strips to the system. Otherwise the heap fragments to more than
// twice the size of the strips.
void return_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void write_certificates(const Run& run, const Result& result, const std::string& toml,
                        FileGroup& files, Context& context, Record& record) {
  for (WrittenOutput& output : record.outputs) {
    Certified certified;
    certified.file = output.path;
    certified.bytes_at = files.place_of(output.path);
    certified.made = result.image();
    certified.frame = output.frame;
    certified.recipe = toml;
    certified.goals = run.job->has_goals();
    output.certificate = certificate_path(output.path);
    files.add(output.certificate, make_certificate(certified, context));
  }
}

// Returns the sheet that --report-sheet names, or none. Throws Error(usage) if the sheet cannot be
// written, Error(output) like check_targets().
std::vector<PlannedOutput> plan_report_sheet(const Run& run, const Context& context) {
  if (run.report_sheet.empty()) return {};
  if (run.report_sheet == "-") {
    throw Error(ErrorKind::usage, "--report-sheet cannot go to standard output: name a file");
  }
  return plan_sheets(std::string(run.operation->name), run.input, {run.report_sheet}, false,
                     run.overwrite, context);
}

}  // namespace

Run::Run(const Operation& row, OptionList::Extent extent)
    : operation(&row), job(row.make()), options(extent) {
  job->describe(options);
}

std::vector<UsedFile> other_files(const Run& run) {
  std::vector<UsedFile> files{{run.checkpoint, "the checkpoint"}};
  for (const std::string& path : run.recipes) files.push_back({path, "a recipe", false});
  files.push_back({run.input, "the input", false});
  if (has_frame_number(run.input)) {
    for (std::string& path : frame_files(run.input)) files.push_back({path, "the input", false});
  }
  for (const auto& option : run.options) {
    for (const Option::File& file : option->files()) {
      files.push_back({file.path, "the file of --" + file.key, false});
    }
  }
  return files;
}

Recipe recipe_of(const Run& run, const Context& context, bool all) {
  Recipe recipe = make_recipe(run.operation->name, run.options, all);
  recipe.version = DAPPLE_VERSION;
  recipe.input = run.input;
  recipe.seed = context.seed;
  recipe.has_seed = true;
  return recipe;
}

std::string input_problem(const Run& run) {
  const Operation& operation = *run.operation;
  const std::string command(operation.name);
  if (operation.input == InputKind::none && !run.input.empty()) {
    return command + " takes no input, but '" + run.input + "' was given";
  }
  if (operation.input == InputKind::image && run.input.empty()) {
    return command + " needs an input: dapple " + command + " " + std::string(operation.input_name);
  }
  return "";
}

namespace {

// Plans the outputs. Numbers default names until the files are new, unless identical files may
// stay.
std::vector<PlannedOutput> planned_names(const Run& run, const NameParts& parts) {
  const int channels = run.job->data_channels();
  Operation operation = *run.operation;
  if (!run.emit.empty()) operation.default_extension = source_extension(run.emit);
  if (!run.outputs.empty()) return plan_outputs(operation, channels, run.outputs, parts);
  for (int number = 1;; ++number) {
    const auto names = default_names(operation, parts, channels, number);
    auto planned = plan_outputs(operation, channels, names, parts);
    if (run.overwrite != Overwrite::always || !are_taken(planned)) return planned;
  }
}

// Returns the first name in each given format, or all names if `extensions` is empty. `plates`:
// pictures have a file per ink.
std::vector<std::string> in_formats(const std::vector<std::string>& names,
                                    const std::vector<std::string>& extensions, bool plates) {
  std::vector<std::string> made;
  for (const std::string& extension : extensions) {
    const std::string& name = names.front();
    made.push_back(plates && is_image_format(extension)
                       ? plate_name(name, extension)
                       : name.substr(0, name.rfind('.') + 1) + extension);
  }
  return made.empty() ? names : made;
}

}  // namespace

std::vector<Problem> idle_problems(const Run& run) {
  std::vector<Problem> problems = run.job->unused_options();
  std::erase_if(problems, [&](const Problem& problem) {
    const Option* option = run.options.find(problem.option);
    return option != nullptr && !option->comes_from.empty();
  });
  return problems;
}

std::vector<Problem> option_problems(const Run& run, bool has_input) {
  std::vector<Problem> problems;
  attempt(problems, [&] {
    check_together(run.operation->pairs, {&run.options}, run.operation->input_name, has_input);
  });
  for (Problem& problem : idle_problems(run)) problems.push_back(std::move(problem));
  return problems;
}

void check_bits(const Run& run, const std::vector<PlannedOutput>& planned) {
  const Option* const bits = run.options.find("bits");
  // A preset sets the depth only for formats that can hold it.
  if (bits == nullptr || bits->is_default() || !bits->comes_from.empty()) return;
  constexpr std::array<std::pair<std::string_view, PixelType>, 4> types{
      {{"8", PixelType::u8},
       {"16", PixelType::u16},
       {"half", PixelType::f16},
       {"float", PixelType::f32}}};
  const auto* const type = std::find_if(
      types.begin(), types.end(), [&](const auto& entry) { return entry.first == bits->get(); });
  if (type == types.end()) return;
  std::string formats;
  for (const PlannedOutput& output : planned) {
    if (output.kind == OutputKind::image && holds_type(output.extension, type->second)) return;
    formats += (formats.empty() ? "." : " and .") + output.extension;
  }
  throw Error(
      ErrorKind::usage,
      Problem{"bits", "has no effect because " + formats + (planned.size() == 1 ? " does" : " do") +
                          " not hold '" + bits->get() + "': leave it out, or write " +
                          (type->first == "16" || type->first == "8" ? ".png, .tif or .npy"
                                                                     : ".exr or .npy")});
}

namespace {

NameParts parts_of(const Run& run, const Context& context) {
  NameParts parts{std::string(run.operation->name), run.input, run.preset, context.seed};
  parts.apart = run.job->outputs_apart();
  parts.only = run.only;
  parts.udim = run.job->udim();
  parts.tile = run.tile;
  parts.tiled = run.job->tiled();
  parts.plates = run.job->plates();
  parts.inked = run.operation->makes_drawing;
  parts.part = run.part;
  parts.sequence = is_sequence(run) && run.frame < 0;
  return parts;
}

// Throws Error(usage) for an output that is not in the language of --emit, or for an array that is
// too large for its language.
void check_source(const Run& run, const PlannedOutput& output) {
  const std::string_view language = source_language(output.extension);
  if (!run.emit.empty() && language != run.emit) {
    throw Error(ErrorKind::usage,
                "--emit " + run.emit + " writes ." + std::string(source_extension(run.emit)) +
                    ", not ." + output.extension + ": change one of them",
                output.path);
  }
  if (run.generator && (language != "c99" || has_frame_number(output.path))) {
    throw Error(ErrorKind::usage,
                "--generator writes C99 for all slices: name one .h or .c file, without {frame}",
                output.path);
  }
  if (language.empty()) return;
  const auto shape = run.job->image_shape();
  if (!shape) return;
  const bool whole = output.frame < 0 && !has_frame_number(output.path);
  require_array(output.extension, shape->pixel.type,
                static_cast<double>(shape->width) * shape->height * (whole ? shape->slices : 1) *
                    static_cast<double>(shape->pixel.channels.size()));
}

// Throws Error(usage) if a picture cannot have the color space, or if there is no picture.
void check_colorspace(const Run& run, const std::vector<PlannedOutput>& planned) {
  if (run.job->colorspace.empty()) return;
  const auto space = output_space(run.job->colorspace);
  bool is_used = false;
  for (const PlannedOutput& output : planned) {
    if (output.kind != OutputKind::image || output.plate) continue;
    require_space(*space, output.extension);
    is_used = true;
  }
  if (is_used) return;
  throw Error(ErrorKind::usage,
              Problem{"colorspace",
                      "is for pictures, and there is none; drawings and printing "
                      "plates state their own colors: leave it out, or write .png, "
                      ".tif or .exr"});
}

}  // namespace

std::vector<PlannedOutput> plan(const Run& run, const Context& context, Targets targets) {
  const auto& names = run.outputs;
  run.job->settle_outputs(std::any_of(names.begin(), names.end(), has_output_part));
  const NameParts parts = parts_of(run, context);
  std::vector<PlannedOutput> planned = planned_names(run, parts);
  std::vector<UsedFile> others =
      targets == Targets::now ? other_files(run) : std::vector<UsedFile>();
  for (PlannedOutput& output : planned) {
    if (is_scene_format(output.extension) && run.job->is_drawable()) {
      throw Error(ErrorKind::usage,
                  "." + output.extension +
                      " holds objects on or in a mesh, or on a sphere: add --on, --in or --sphere, "
                      "or write .ply, .csv, .json or .npy",
                  output.path);
    }
    if (output.kind == OutputKind::drawing && !run.job->is_drawable()) {
      throw Error(ErrorKind::usage,
                  "." + output.extension +
                      " holds drawings of the plane, which points on or in a shape cannot make: "
                      "write .ply, .csv, .json or .npy, or .png for a picture",
                  output.path);
    }
    if (output.kind == OutputKind::points && !run.job->has_points()) {
      throw Error(ErrorKind::usage,
                  "." + output.extension +
                      " holds points, which these options do not make: write .svg, .pdf, .plt, "
                      ".gcode or .png",
                  output.path);
    }
    if (!is_sequence(run)) output.frame = run.frame;
    output.colorspace = run.job->colorspace;
    check_source(run, output);
    output.generator = run.generator;
    if (!run.certificate) continue;
    if (output.path == "-") {
      throw Error(ErrorKind::usage,
                  "--certificate needs an output file beside it: name one with -o");
    }
    if (!has_frame_number(output.path)) {
      check_output(certificate_path(output.path), run.overwrite);
      others.push_back({certificate_path(output.path), "a certificate"});
    }
  }
  if (run.certificate && run.no_recipe) {
    throw Error(ErrorKind::usage,
                "--certificate holds the recipe, which --no-recipe leaves out: choose one");
  }
  for (const PlannedOutput& sheet : plan_report_sheet(run, context)) {
    others.push_back({sheet.path, "the sheet of --report-sheet"});
  }
  check_colorspace(run, planned);
  const auto materials = plan_materials(run.materials, names, parts, planned, run.job->colorspace);
  if (targets == Targets::later) return planned;
  for (const PlannedMaterial& material : materials) {
    check_output(material.path, run.overwrite);
    others.push_back({material.path, "a material"});
  }
  check_targets(planned, run.overwrite, std::move(others));
  return planned;
}

std::vector<std::string> free_names(const Run& run, const Context& context,
                                    const std::string& folder,
                                    const std::vector<std::string>& extensions) {
  run.job->settle_outputs(false);
  const NameParts parts = parts_of(run, context);
  const int channels = run.job->data_channels();
  for (int number = 1;; ++number) {
    auto names = in_formats(default_names(*run.operation, parts, channels, number), extensions,
                            parts.plates);
    for (std::string& name : names) {
      if (!folder.empty()) name.insert(0, (template_of(folder) + "/"));
    }
    const auto planned = plan_outputs(*run.operation, channels, names, parts);
    if (are_taken(planned)) continue;
    names.clear();
    for (const PlannedOutput& output : planned) names.push_back(template_of(output.path));
    return names;
  }
}

std::string input_name(const Operation& operation, const std::string& input) {
  // An existing file of exactly this name is not a sequence.
  std::error_code ignored;
  const bool numbered = operation.takes_sequences || operation.takes_frames;
  if (!numbered || std::filesystem::exists(input, ignored)) return input;
  return with_frame_part(input);
}

bool is_sequence(const Run& run) {
  return run.operation->takes_sequences && has_frame_number(run.input);
}

namespace {

// Adds the result of a picture to the record; the figures of the last picture remain.
void note_result(const Run& run, const std::vector<PlannedOutput>& planned, const Result& result,
                 Context& context, Record& record) {
  record.points = result.count();
  if (const DrawingMade* made = result.drawing()) {
    std::vector<std::string> extensions;
    for (const PlannedOutput& output : planned) extensions.push_back(output.extension);
    record.plot = plot_of(*made, extensions);
    for (const std::string& warning : plot_warnings(*record.plot, *made)) context.warn(warning);
    const bool is_picture = std::any_of(planned.begin(), planned.end(), [](const auto& output) {
      return output.kind == OutputKind::image;
    });
    if (const std::string warning = is_picture ? picture_warning(*made) : ""; !warning.empty()) {
      context.warn(warning);
    }
  }
  if (!run.measures()) return;
  const Operation& operation = *run.operation;
  if (operation.measured == Measured::nothing) {
    context.warn("--report: " + std::string(operation.name) + " has nothing to measure");
    return;
  }
  const auto stage = context.stage("report");
  record.report = measure(result, operation.measured, context);
  if (!record.report || run.job->has_goals()) return;
  for (Measurement& m : record.report->measurements) m.target.reset();
}

void write_report_sheet(const Run& run, FileGroup& files, Context& context, Record& record) {
  if (!record.report) return;
  const auto sheets = plan_report_sheet(run, context);
  if (sheets.empty()) return;
  write_sheets(report_sheet(*record.report, context), sheets, files, context, record);
  record.outputs.back().kind = OutputKind::sheet;
}

// Lowers the memory limit by the memory of the libraries that write the outputs.
void reserve_writers(const std::vector<PlannedOutput>& planned, Context& context) {
  double most = 0;
  for (const PlannedOutput& output : planned) {
    const double taken = memory_of_writer(output.extension);
    context.require_memory(taken, "writing ." + output.extension);
    most = std::max(most, taken);
  }
  const auto left = static_cast<double>(memory_limit(context.limits)) - most;
  context.limits.max_memory = std::max<std::int64_t>(1, std::llround(left));
}

// Returns the output names of one picture of a sequence.
std::vector<PlannedOutput> numbered(std::vector<PlannedOutput> planned, const std::string& digits,
                                    int picture) {
  for (PlannedOutput& output : planned) {
    output.path = frame_name(output.path, digits);
    output.picture = picture;
  }
  return planned;
}

// Runs one picture after another; completes the files of each before reading the next.
void execute_sequence(Run& run, const std::vector<PlannedOutput>& planned, const std::string& toml,
                      FileGroup& outputs, Context& context, Record& record) {
  const std::vector<std::string> files = frame_files(run.input);
  const auto count = static_cast<int>(files.size());
  if (run.frame >= count) {
    throw Error(ErrorKind::input,
                "picture " + std::to_string(run.frame) + " does not exist (0 to " +
                    std::to_string(count - 1) + ")",
                run.input);
  }
  const auto outputs_of = [&](int picture) {
    const std::string& file = files[static_cast<std::size_t>(picture)];
    return numbered(planned, frame_digits(run.input, file), picture);
  };
  const auto wanted = [&](int picture) { return run.frame < 0 || picture == run.frame; };
  for (int i = 0; i < count; ++i) {
    if (!wanted(i)) continue;
    for (const PlannedOutput& output : outputs_of(i)) check_output(output.path, run.overwrite);
  }
  run.job->in_sequence = true;
  run.job->measured = run.measures();
  const int last = run.frame < 0 ? count - 1 : run.frame;
  std::size_t before = 0;
  for (int i = 0; i <= last; ++i) {
    const std::string& file = files[static_cast<std::size_t>(i)];
    std::optional<Image> image;
    {
      const auto stage = context.stage("read");
      image = read_picture(file, false, run.options, context);
    }
    try {
      Result result = run.job->run(&*image, context);
      context.check();
      if (i > 0) {
        record.lost.push_back(before == 0 ? 0.0
                                          : static_cast<double>(result.drawing()->lost) /
                                                static_cast<double>(before));
      }
      before = result.points->size();
      if (!wanted(i)) continue;
      if (i == last) note_result(run, planned, result, context, record);
      const auto stage = context.stage("write");
      write_all(result, outputs_of(i), toml, outputs, context, record);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input || !error.file().empty()) throw;
      throw Error(error.kind(), error.what(), file);
    }
  }
  // Sorts by name, like the files of an animation.
  std::vector<WrittenOutput> by_name;
  const std::size_t files_each = record.outputs.size() / (run.frame < 0 ? files.size() : 1);
  for (std::size_t k = 0; k < files_each; ++k) {
    for (std::size_t i = k; i < record.outputs.size(); i += files_each) {
      by_name.push_back(std::move(record.outputs[i]));
    }
  }
  record.outputs = std::move(by_name);
}

// Checks all files again, whose names may have been unknown before the work, such as numbered ones.
void check_written(const Run& run, const Record& record) {
  std::vector<UsedFile> files = other_files(run);
  for (const WrittenOutput& output : record.outputs) {
    files.push_back({output.path, "an output"});
    files.push_back({output.certificate, "a certificate"});
  }
  require_own_files(files);
}

// Runs and writes. If `commits`, also renames the files into place; otherwise the caller does.
Record execute_into(FileGroup& files, Run& run, Context& context, bool commits) {
  const auto start = std::chrono::steady_clock::now();
  if (const std::string problem = input_problem(run); !problem.empty()) {
    throw Error(ErrorKind::usage, problem);
  }
  const auto planned = plan(run, context);
  reserve_writers(planned, context);

  const auto [input, toml] = load(run, context, run.outputs.empty());
  const std::string carried = run.no_recipe ? "" : toml;
  Record record;
  record.command = run.operation->name;
  record.seed = context.seed;
  if (is_sequence(run)) {
    if (!run.checkpoint.empty()) {
      throw Error(ErrorKind::usage, "--checkpoint is for one picture, not for a sequence");
    }
    execute_sequence(run, planned, carried, files, context, record);
    write_report_sheet(run, files, context, record);
    check_written(run, record);
    if (commits) commit(files, context);
    close_record(record, context, start);
    return record;
  }
  if (!run.checkpoint.empty()) {
    context.checkpoint = open_checkpoint(run.checkpoint, toml, run.checkpoint_every);
  }
  run.job->measured = run.measures();
  run.job->by_rows = !run.measures() && !run.certificate &&
                     std::all_of(planned.begin(), planned.end(),
                                 [](const PlannedOutput& output) { return takes_rows(output); });
  Result result = run.job->run(input ? &*input : nullptr, context);
  context.check();
  if (result.rows() != nullptr) return_freed_memory();
  if (run.certificate) check_ranks(*result.image());
  note_result(run, planned, result, context, record);
  {
    const auto stage = context.stage("write");
    write_all(result, planned, carried, files, context, record, run.certificate);
    if (run.certificate) write_certificates(run, result, toml, files, context, record);
    write_materials(plan_materials(run.materials, run.outputs, parts_of(run, context), planned,
                                   run.job->colorspace),
                    files, record);
    write_report_sheet(run, files, context, record);
    check_written(run, record);
    if (commits) commit(files, context);
  }
  if (commits && !run.checkpoint.empty()) std::filesystem::remove(run.checkpoint);
  close_record(record, context, start);
  return record;
}

}  // namespace

Record execute(Run& run, Context& context) {
  FileGroup files(run.overwrite);
  return execute_into(files, run, context, true);
}

Record execute_uncommitted(FileGroup& files, Run& run, Context& context) {
  return execute_into(files, run, context, false);
}

InMemory make(Run& run, const Image* input, Context& context, bool to_measure) {
  const auto start = std::chrono::steady_clock::now();
  const Operation& operation = *run.operation;
  if (input != nullptr && operation.input == InputKind::none) {
    throw Error(ErrorKind::usage, std::string(operation.name) + " takes no input");
  }
  if (input == nullptr) {
    const std::string problem = input_problem(run);
    if (!problem.empty()) throw Error(ErrorKind::usage, problem);
  }
  if (is_sequence(run)) {
    throw Error(ErrorKind::usage,
                "a sequence cannot be passed as one input: pass its pictures one by one");
  }
  auto problems = option_problems(run, input != nullptr || !run.input.empty());
  if (!problems.empty()) throw Error(ErrorKind::usage, std::move(problems));
  run.job->settle_outputs(false);
  auto [loaded, toml] = load(run, context, false);
  if (input == nullptr && loaded) input = &*loaded;
  run.job->measured = to_measure && operation.measured != Measured::nothing;
  InMemory made{run.job->run(input, context), std::move(toml), {}};
  context.check();
  made.record.command = operation.name;
  made.record.seed = context.seed;
  note_result(run, {}, made.result, context, made.record);
  close_record(made.record, context, start);
  return made;
}

std::vector<WrittenOutput> save(InMemory& made, Run& run, const std::string& path,
                                Context& context) {
  run.outputs = {path};
  const auto planned = plan(run, context);
  check_bits(run, planned);
  reserve_writers(planned, context);
  FileGroup files(run.overwrite);
  Record record;
  write_all(made.result, planned, run.no_recipe ? "" : made.recipe, files, context, record, true);
  commit(files, context);
  return record.outputs;
}

std::string encode(InMemory& made, Run& run, const std::string& extension, Context& context) {
  run.outputs = {"result." + extension};
  const auto planned = plan(run, context, Targets::later);
  check_bits(run, planned);
  reserve_writers(planned, context);
  return encode_output(made.result, planned.front(), run.no_recipe ? "" : made.recipe, context);
}

}  // namespace dapple::app

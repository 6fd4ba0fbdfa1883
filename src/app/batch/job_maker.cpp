// Makes jobs: their options, ids and runs.
#include "app/batch/job_maker.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "app/arguments.hpp"
#include "app/presets/plotter_profiles.hpp"
#include "app/presets/settings.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/version.hpp"
#include "io/digest.hpp"

namespace dapple::app {
namespace {

// Returns the part of the identity that names files.
std::string names_of(const BatchJob& job) {
  std::string text;
  for (const std::string& path : job.outputs) text += path + "\n";
  for (const std::string& format : job.materials) text += "material " + format + "\n";
  if (job.no_recipe) text += "no-recipe\n";
  return text;
}

// Returns a text with everything that decides the outputs. `settings` is to_toml() of all options.
std::string identity(const BatchJob& job, const std::string& settings) {
  Recipe head = job.recipe();
  head.settings.clear();
  return to_toml(head, {}) + settings + names_of(job);
}

// Returns every option of a run in the form of recipes.
std::string all_settings(const Run& run) {
  return to_toml(make_recipe("", run.options, true), run.options);
}

bool is_of_the_job(const JobKey& key) {
  return key.name == "input" || key.name == "seed" || key.name == "overwrite" ||
         key.name == "no-recipe" || key.name == "material";
}

// Returns the formats in a list such as "gltf,blender".
std::vector<std::string> materials_of(const std::string& value, const Operation& operation) {
  if (!operation.makes_material) {
    throw Error(ErrorKind::usage,
                Problem{"material", std::string(operation.name) + " makes no materials"});
  }
  std::vector<std::string> materials;
  OptionList list;
  list.add("material", materials, "").words({material_formats().begin(), material_formats().end()});
  list.find("material")->set(value);
  return materials;
}

void set_key(const JobKey& key, const std::string& value, BatchJob& job, Context& context) {
  if (key.name == "seed" && value.size() < 19) {
    if (const auto digits = parse_number<std::uint64_t>(value)) {
      context.seed = *digits;
      return;
    }
  }
  OptionList list;
  if (key.name == "input") {
    if (value == "-")
      throw Error(ErrorKind::usage, "input: a batch reads files, not standard input");
    job.input = input_name(*job.operation, value);
  } else if (key.name == "seed") {
    list.add("seed", context.seed, "").set(value);
  } else if (key.name == "overwrite") {
    list.add("overwrite", job.overwrite, "").set(value);
  } else if (key.name == "no-recipe") {
    list.add("no-recipe", job.no_recipe, "").set(value);
  } else if (key.name == "material") {
    job.materials = materials_of(value, *job.operation);
  }
}

std::string name_part(const Option& option, const Recipe& own) {
  std::string value = option.get();
  for (const Recipe::Setting& setting : own.settings) {
    if (setting.name == option.name || setting.name == option.other_name) value = setting.text;
  }
  if (option.image_input != nullptr || option.points_input != nullptr ||
      option.mesh_input != nullptr || option.regions_input != nullptr ||
      (option.outline_input != nullptr && option.names_file())) {
    value = stem_of(value);
  }
  for (char& c : value) {
    if (c == '/' || c == ':' || c == ' ' || c == '{' || c == '}') c = '-';
  }
  return value;
}

// Replaces {NAME} of an option by its value as written, converted for a file name.
std::string filled(const std::string& name, const Recipe& own, const OptionList& options) {
  std::string text;
  std::string_view rest = name;
  for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    text += rest.substr(0, open);
    if (rest.substr(open).starts_with("{{")) {  // an escaped brace
      text += "{{";
      rest.remove_prefix(open + 2);
      continue;
    }
    const auto close = rest.find('}', open);
    if (close == std::string_view::npos) {
      rest.remove_prefix(open);
      break;
    }
    const std::string part(rest.substr(open + 1, close - open - 1));
    const Option* option = is_placeholder(part) ? nullptr : options.find(part);
    const std::string value = option != nullptr ? name_part(*option, own)
                                                : std::string(rest.substr(open, close - open + 1));
    if (value.empty()) {
      throw Error(ErrorKind::usage, "{" + part + "} is empty in this job: give " + part +
                                        " a value, or leave it out of the name");
    }
    text += value;
    rest.remove_prefix(close + 1);
  }
  return text + std::string(rest);
}

// Returns the extension of the output if nothing else in its name matters to the plan of the job;
// otherwise "".
std::string plain_extension(const BatchJob& job) {
  if (job.outputs.size() != 1 || !job.input.empty() || !job.materials.empty()) return "";
  const std::string& path = job.outputs.front();
  return path.find_first_of("{%<") == std::string::npos ? extension_of(path) : "";
}

}  // namespace

std::string place(const std::string& file, int line, int column) {
  return file + (line > 0 ? ":" + std::to_string(line) : "") +
         (column > 0 ? ":" + std::to_string(column) : "");
}

// An operation with the options of a preset and a job.
struct JobMaker::Configured {
  explicit Configured(const Operation& operation) : run(operation) {}

  Run run;
  std::optional<std::uint64_t> preset_seed;
  Recipe own;  // the options as written
  std::shared_ptr<const JobOptions> options;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::optional<std::string>> names;  // of outputs, with the values of options
  bool is_good = true;

  // Returns the problems of conflicting options, with or without an input.
  const std::vector<Problem>& pair_problems(bool has_input) {
    auto& known = pair_problems_[has_input ? 1 : 0];
    if (!known) known = option_problems(run, has_input);
    return *known;
  }

  // Returns true if another job with a plain name of this extension was planned.
  bool is_planned(const std::string& extension) const { return planned_.contains(extension); }
  void set_planned(std::string extension) { planned_.insert(std::move(extension)); }

 private:
  std::array<std::optional<std::vector<Problem>>, 2> pair_problems_;
  std::set<std::string> planned_;
};

JobMaker::JobMaker(const std::string& file, const Presets& presets, const Operation& operation,
                   const JobTable& table, const JobKey& output)
    : file_(&file), presets_(&presets), operation_(&operation), table_(&table), output_(&output) {}

JobMaker::~JobMaker() = default;

template <class Step>
void JobMaker::attempt_at(const JobKey& key, Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) {
      problems.push_back({problem.option, problem.message, place(*file_, key.line, key.column)});
    }
    cell_is_good_ = false;
  }
}

void JobMaker::make(const Cell& cell, BatchJob& job) {
  job.operation = operation_;
  job.line = table_->line;
  Configured& configured = configure(cell);
  Run& run = configured.run;
  Context context;
  if (configured.preset_seed) context.seed = *configured.preset_seed;
  cell_is_good_ = configured.is_good;
  for (const auto& [key, value] : cell.values) {
    attempt_at(*key, [&, key = key, &value = value] { set_key(*key, value, job, context); });
  }
  if (!cell_is_good_) return;
  job.preset = run.preset;
  run.input = job.input;
  run.overwrite = job.overwrite;
  run.materials = job.materials;
  run.outputs.clear();
  for (std::size_t i = 0; i < output_->values.size(); ++i) {
    attempt_at(*output_, [&] {
      auto& name = configured.names[i];
      if (!name) name = filled(output_->values[i], configured.own, run.options);
      run.outputs.push_back(*name);
      job.outputs.push_back(fill_name(run.outputs.back(), {std::string(operation_->name), job.input,
                                                           job.preset, context.seed}));
      if (job.outputs.back() == "-") {
        throw Error(ErrorKind::usage, "output: a batch writes files, not standard output");
      }
    });
  }
  // Folders are made only when the batch runs.
  attempt_at(*output_, [&] {
    const std::string plain = plain_extension(job);
    if (!plain.empty() && configured.is_planned(plain)) return;
    const std::vector<PlannedOutput> planned = plan(run, context, Targets::later);
    check_bits(run, planned);
    if (!plain.empty()) configured.set_planned(plain);
    if (std::none_of(job.outputs.begin(), job.outputs.end(), has_output_part)) return;
    for (const PlannedOutput& output : planned) job.by_output.push_back(output.path);
  });
  for (const Problem& problem : configured.pair_problems(!run.input.empty())) {
    problems.push_back({problem.option, problem.message, place(*file_, table_->line, 0)});
  }
  const std::string no_input = input_problem(run);
  if (!no_input.empty()) problems.push_back({"", no_input, place(*file_, table_->line, 0)});
  finish(job, configured, context.seed);
}

// Returns the run of a cell without the parts of a single job. Presets come first, then the job's
// own values, as on the command line.
JobMaker::Configured& JobMaker::configure(const Cell& cell) {
  std::string name;
  for (const auto& [key, value] : cell.values) {
    if (!is_of_the_job(*key)) name += key->name + "=" + value + '\n';
  }
  const auto known = configured_.find(name);
  if (known != configured_.end()) return *known->second;
  constexpr std::size_t most = 64;
  if (configured_.size() == most) configured_.clear();
  auto made = std::make_unique<Configured>(*operation_);
  cell_is_good_ = true;
  for (const auto& [key, value] : cell.values) {
    if (key->name == "preset") {
      attempt_at(*key, [&, &value = value] { apply_preset(value, *made); });
    } else if (!is_of_the_job(*key)) {
      made->own.settings.push_back({key->name, value, key->line, key->column});
    }
  }
  attempt(problems, [&] { apply(with_tools(made->own), made->run.options, *file_); });
  note_origin(made->own, made->run.options, "");
  made->is_good = cell_is_good_;
  auto options = std::make_shared<JobOptions>();
  options->recipe = recipe_of(made->run, {}, false);
  options->text = all_settings(made->run);
  Recipe head = options->recipe;
  head.settings.clear();
  options->hash = digest_of(to_toml(head, {}) + options->text);
  for (const auto& option : made->run.options) {
    for (Option::File& file : option->files()) {
      made->files.emplace_back(std::move(file.key), std::move(file.path));
    }
  }
  options->carried =
      digest_of(made->files.empty() ? options->text
                                    : to_toml(carried_recipe(made->run, {}), made->run.options));
  made->options = std::move(options);
  made->names.resize(output_->values.size());
  return *(configured_[name] = std::move(made));
}

void JobMaker::apply_preset(const std::string& name, Configured& made) const {
  const auto known = presets_->find({operation_->name, name});
  const Preset preset =
      known != presets_->end() ? known->second : load_preset(name, operation_->name);
  std::uint64_t seed = 0;
  take_recipe(preset.recipe, "preset '" + name + "'", preset.path, made.run, &seed);
  if (preset.recipe.has_seed) made.preset_seed = seed;
  made.run.preset = preset.name;
}

void JobMaker::finish(BatchJob& job, const Configured& configured, std::uint64_t seed) {
  job.seed = seed;
  job.options = configured.options;
  if (!job.input.empty()) job.files.emplace_back("input", job.input);
  job.files.insert(job.files.end(), configured.files.begin(), configured.files.end());
}

std::string BatchJob::id() const {
  return digest_of(identity(*this, options->text));
}

Recipe BatchJob::recipe() const {
  Recipe own = options->recipe;
  own.input = input;
  own.seed = seed;
  return own;
}

std::string hash_of(const std::vector<BatchJob>& jobs) {
  Digest digest;
  for (const BatchJob& job : jobs) {
    digest.add(job.options->hash + std::to_string(job.seed) + "\n" + job.input + "\n" +
               names_of(job));
  }
  return digest.text();
}

std::vector<std::string> BatchJob::templates() const {
  std::vector<std::string> names;
  for (const std::string& path : outputs) names.push_back(template_of(path));
  return names;
}

Run make_run(const BatchJob& job) {
  Run run(*job.operation);
  apply(job.options->recipe, run.options, "");
  run.input = job.input;
  run.preset = job.preset;
  run.outputs = job.templates();
  run.materials = job.materials;
  run.overwrite = job.overwrite;
  run.no_recipe = job.no_recipe;
  return run;
}

std::string earlier_id(const BatchJob& job) {
  return digest_of(identity(job, all_settings(make_run(job))), "fnv1a64:");
}

}  // namespace dapple::app

// From a batch file to jobs.
#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include "app/arguments.hpp"
#include "app/batch/batch.hpp"
#include "app/presets.hpp"
#include "core/digest.hpp"
#include "core/parallel.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/version.hpp"
#include "io/jobs_toml.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_jobs = 1'000'000;
constexpr std::int64_t largest_file = 64 << 20;

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

// Files of a pattern, sorted by name whatever the locale.
std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), GLOB_NOSORT | GLOB_TILDE, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The part of a pattern's folder that is not there, as words: a store that is not mounted looks
// like one without files.
std::string missing_folder(const std::string& pattern) {
  const fs::path folder = fs::path(pattern.substr(0, pattern.find_first_of("*?["))).parent_path();
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return "";
  return ": there is no folder '" + folder.string() + "'; is it mounted?";
}

// One combination of the values of a table.
struct Cell {
  std::vector<std::pair<const JobKey*, std::string>> values;
};

using Presets = std::map<std::string, Preset>;

std::string place(const std::string& file, int line, int column) {
  return file + (line > 0 ? ":" + std::to_string(line) : "") +
         (column > 0 ? ":" + std::to_string(column) : "");
}

// All that decides the outputs, `settings` being to_toml() of every option.
std::string identity(const BatchJob& job, const std::string& settings) {
  Recipe head = job.recipe;
  head.settings.clear();
  std::string text = to_toml(head, {}) + settings;
  for (const std::string& path : job.outputs) text += path + "\n";
  if (job.no_recipe) text += "no-recipe\n";
  return text;
}

// Every option of a run, as recipes write them.
std::string all_settings(const Run& run) {
  return to_toml(make_recipe("", run.options, true), run.options);
}

std::string digest_of(const std::string& text, std::string_view form) {
  Digest digest(form);
  digest.add(text);
  return digest.text();
}

// What a preset and a job's own options make of an operation's: shared by the jobs that differ in
// nothing but seed, files and names, as most jobs of a large batch do.
struct Configured {
  explicit Configured(const Operation& operation) : run(operation) {}

  Run run;
  std::optional<std::uint64_t> preset_seed;
  Recipe own;        // the options as they were written
  Recipe recipe;     // those that are not at their defaults
  std::string text;  // all of them
  std::vector<std::pair<std::string, std::string>> files;
  bool is_good = true;
};

// Makes jobs of one table. Those of many threads share what they read.
class JobMaker {
 public:
  JobMaker(const std::string& file, const Presets& presets, const Operation& operation,
           const JobTable& table, const JobKey& output)
      : file_(&file),
        presets_(&presets),
        operation_(&operation),
        table_(&table),
        output_(&output) {}

  std::vector<BatchJob> jobs;
  std::vector<Problem> problems;

  void make(const Cell& cell) {
    BatchJob job;
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
    run.outputs.clear();
    for (const std::string& name : output_->values) {
      attempt_at(*output_, [&] {
        run.outputs.push_back(filled(name, configured.own, run.options));
        job.outputs.push_back(fill_name(run.outputs.back(), {std::string(operation_->name),
                                                             job.input, job.preset, context.seed}));
        if (job.outputs.back() == "-") {
          throw Error(ErrorKind::usage, "output: a batch writes files, not standard output");
        }
      });
    }
    // Folders are made when the batch runs.
    attempt_at(*output_, [&] { plan(run, context, Targets::later); });
    const std::string no_input = input_problem(run);
    if (!no_input.empty()) problems.push_back({"", no_input, place(*file_, table_->line, 0)});
    finish(std::move(job), configured, context.seed);
  }

 private:
  template <class Step>
  void attempt_at(const JobKey& key, Step&& step) {
    try {
      step();
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) {
        problems.push_back({problem.option, problem.message, place(*file_, key.line, key.column)});
      }
      cell_is_good_ = false;
    }
  }

  static bool is_of_the_job(const JobKey& key) {
    return key.name == "input" || key.name == "seed" || key.name == "overwrite" ||
           key.name == "no-recipe";
  }

  // The run of a cell but for what is of the job alone. Presets come first, then the job's own
  // values, as on the command line.
  Configured& configure(const Cell& cell) {
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
    attempt(problems, [&] { apply(made->own, made->run.options, *file_); });
    made->is_good = cell_is_good_;
    made->recipe = recipe_of(made->run, {}, false);
    made->text = all_settings(made->run);
    for (const auto& option : made->run.options) {
      if (option->names_file()) made->files.emplace_back(option->name, option->get());
    }
    return *(configured_[name] = std::move(made));
  }

  void apply_preset(const std::string& name, Configured& made) const {
    const auto known = presets_->find(name);
    const Preset preset = known != presets_->end() ? known->second : load_preset(name);
    require_command(preset.recipe, operation_->name, "preset '" + name + "'");
    apply(preset.recipe, made.run.options, preset.path);
    if (preset.recipe.has_seed) made.preset_seed = preset.recipe.seed;
    made.run.preset = preset.name;
  }

  void set_key(const JobKey& key, const std::string& value, BatchJob& job, Context& context) const {
    OptionList list;
    if (key.name == "input") {
      if (value == "-")
        throw Error(ErrorKind::usage, "input: a batch reads files, not standard input");
      job.input = input_name(*operation_, value);
    } else if (key.name == "seed") {
      list.add("seed", context.seed, "").set(value);
    } else if (key.name == "overwrite") {
      list.add("overwrite", job.overwrite, "").set(value);
    } else if (key.name == "no-recipe") {
      list.add("no-recipe", job.no_recipe, "").set(value);
    }
  }

  // {NAME} for an option becomes its value as it was written, fit for a file name.
  static std::string filled(const std::string& name, const Recipe& own, const OptionList& options) {
    std::string text;
    std::string_view rest = name;
    for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
      text += rest.substr(0, open);
      if (rest.substr(open).starts_with("{{")) {  // a brace that is meant
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
      const Option* option = options.find(part);
      if (option != nullptr && part != "seed" && part != "preset" && part != "command" &&
          part != "stem") {
        text += name_part(*option, own);
      } else {
        text += rest.substr(open, close - open + 1);
      }
      rest.remove_prefix(close + 1);
    }
    return text + std::string(rest);
  }

  static std::string name_part(const Option& option, const Recipe& own) {
    std::string value = option.get();
    for (const Recipe::Setting& setting : own.settings) {
      if (setting.name == option.name || setting.name == option.other_name) value = setting.text;
    }
    if (option.image_input != nullptr || option.points_input != nullptr ||
        (option.outline_input != nullptr && option.names_file())) {
      value = stem_of(value);
    }
    for (char& c : value) {
      if (c == '/' || c == ':' || c == ' ' || c == '{' || c == '}') c = '-';
    }
    return value;
  }

  void finish(BatchJob job, const Configured& configured, std::uint64_t seed) {
    job.recipe = configured.recipe;
    job.recipe.input = job.input;
    job.recipe.seed = seed;
    job.id = digest_of(identity(job, configured.text), "");
    if (!job.input.empty()) job.files.emplace_back("input", job.input);
    job.files.insert(job.files.end(), configured.files.begin(), configured.files.end());
    jobs.push_back(std::move(job));
  }

  const std::string* file_;
  const Presets* presets_;
  const Operation* operation_;
  const JobTable* table_;
  const JobKey* output_;
  std::map<std::string, std::unique_ptr<Configured>> configured_;  // by the texts of the options
  bool cell_is_good_ = true;
};

class JobReader {
 public:
  JobReader(std::string file, Context& context) : file_(std::move(file)), context_(context) {}

  std::vector<BatchJob> read() {
    for (const JobTable& table : parse_jobs(read_file(file_, largest_file), file_)) read(table);
    if (jobs_.empty() && problems_.empty()) {
      problem(0, 0, "holds no job: a batch file is a list of [[job]] tables");
    }
    if (problems_.empty()) check_collisions();
    if (!problems_.empty()) throw Error(ErrorKind::usage, problems_);
    return std::move(jobs_);
  }

 private:
  // A mistake in a value that many jobs share is one problem.
  void problem(int line, int column, const std::string& what) {
    add({"", what, place(file_, line, column)});
  }

  void add(const Problem& problem) {
    if (std::find(problems_.begin(), problems_.end(), problem) != problems_.end()) return;
    if (problems_.size() == 20) problems_.push_back({"", "and more"});
    if (problems_.size() < 20) problems_.push_back(problem);
  }

  static const JobKey* find(const JobTable& table, std::string_view name) {
    for (const JobKey& key : table.keys) {
      if (key.name == name) return &key;
    }
    return nullptr;
  }

  const Operation* operation_of(const JobTable& table) {
    const JobKey* key = find(table, "command");
    if (key == nullptr) {
      problem(table.line, 0, "the job has no command, such as command = \"mask\"");
      return nullptr;
    }
    const Operation* operation = find_operation(key->values.front());
    if (key->list || operation == nullptr || operation->make == nullptr) {
      std::vector<std::string> names;
      for (const Operation& row : operations()) names.emplace_back(row.name);
      const std::string near = nearest_word(key->values.front(), names);
      problem(key->line, key->column,
              "there is no command '" + (key->list ? key->joined : key->values.front()) +
                  "' for jobs" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
      return nullptr;
    }
    return operation;
  }

  void read(const JobTable& table) {
    const Operation* operation = operation_of(table);
    if (operation == nullptr) return;
    const JobKey* output = find(table, "output");
    if (output == nullptr) {
      problem(table.line, 0, "the job has no output, such as output = \"out/{stem}_{seed}.png\"");
      return;
    }
    const Run options(*operation);
    std::vector<Cell> cells(1);
    std::size_t problems = problems_.size();
    for (const JobKey& key : table.keys) {
      if (&key == output || key.name == "command") continue;
      expand(cells, key, values_of(key, options.options), table);
    }
    if (problems_.size() != problems) return;
    for (const JobKey& key : table.keys) {
      if (key.name == "preset") load_presets(key);
    }
    make_jobs(*operation, table, *output, cells);
  }

  // One that cannot be loaded is met again where a job names it.
  void load_presets(const JobKey& key) {
    for (const std::string& name : key.values) {
      std::vector<Problem> ignored;
      attempt(ignored, [&] {
        if (!presets_.contains(name)) presets_.emplace(name, load_preset(name));
      });
    }
  }

  // In runs of many, on all threads, put together in order.
  void make_jobs(const Operation& operation, const JobTable& table, const JobKey& output,
                 const std::vector<Cell>& cells) {
    constexpr std::size_t run = 256;
    std::vector<JobMaker> makers;
    for (std::size_t i = 0; i < cells.size(); i += run) {
      makers.emplace_back(file_, presets_, operation, table, output);
    }
    parallel_for(context_, makers.size(), [&](std::size_t i) {
      const std::size_t end = std::min(cells.size(), (i + 1) * run);
      for (std::size_t cell = i * run; cell < end; ++cell) makers[i].make(cells[cell]);
    });
    for (JobMaker& maker : makers) {
      std::move(maker.jobs.begin(), maker.jobs.end(), std::back_inserter(jobs_));
      for (const Problem& problem : maker.problems) add(problem);
    }
  }

  // A list makes a matrix, except for options that are lists themselves.
  std::vector<std::string> values_of(const JobKey& key, const OptionList& options) {
    if (key.name == "input") {
      std::vector<std::string> paths;
      for (const std::string& value : key.values) {
        std::error_code ignored;
        if (!is_pattern(value) || fs::exists(value, ignored)) {
          paths.push_back(value);
          continue;
        }
        const auto found = matches(value);
        if (found.empty())
          problem(key.line, key.column, "no file matches '" + value + "'" + missing_folder(value));
        paths.insert(paths.end(), found.begin(), found.end());
      }
      return paths;
    }
    const Option* option = options.find(key.name);
    const bool nested = std::any_of(key.values.begin(), key.values.end(), [](const auto& value) {
      return value.find(',') != std::string::npos;
    });
    if (option != nullptr && option->type == OptionType::list && key.list && !nested) {
      return {key.joined};
    }
    return key.values;
  }

  void expand(std::vector<Cell>& cells, const JobKey& key, const std::vector<std::string>& values,
              const JobTable& table) {
    if (cells.size() * std::max<std::size_t>(values.size(), 1) + jobs_.size() > most_jobs) {
      problem(table.line, 0, "makes more than " + std::to_string(most_jobs) + " jobs");
      return;
    }
    std::vector<Cell> expanded;
    expanded.reserve(cells.size() * values.size());
    for (const Cell& cell : cells) {
      for (const std::string& value : values) {
        expanded.push_back(cell);
        expanded.back().values.emplace_back(&key, value);
      }
    }
    cells = std::move(expanded);
  }

  static std::string plain(const std::string& path) {
    return fs::path(path).lexically_normal().string();
  }

  void check_collisions() {
    std::map<std::string, int> writers;
    for (const BatchJob& job : jobs_) {
      for (const std::string& path : job.outputs) {
        const auto [found, is_new] = writers.emplace(plain(path), job.line);
        if (is_new) continue;
        problem(job.line, 0,
                "its output '" + path + "' is written by another job, too (line " +
                    std::to_string(found->second) +
                    "): put what differs into the name, such as {seed} or {stem}");
      }
    }
    for (const BatchJob& job : jobs_) {
      for (const auto& [option, path] : job.files) {
        const auto found = writers.find(plain(path));
        if (found == writers.end()) continue;
        problem(job.line, 0,
                "its input '" + path + "' is written by the job at line " +
                    std::to_string(found->second) +
                    ": jobs run in any order, so make it a batch of its own");
      }
    }
  }

  std::string file_;
  Context& context_;
  std::vector<BatchJob> jobs_;
  std::vector<Problem> problems_;
  Presets presets_;
};

}  // namespace

std::vector<BatchJob> read_jobs(const std::string& path, Context& context) {
  return JobReader(path, context).read();
}

std::vector<std::string> BatchJob::templates() const {
  std::vector<std::string> names;
  for (const std::string& path : outputs) names.push_back(template_of(path));
  return names;
}

Run make_run(const BatchJob& job) {
  Run run(*job.operation);
  apply(job.recipe, run.options, "");
  run.input = job.input;
  run.preset = job.preset;
  run.outputs = job.templates();
  run.overwrite = job.overwrite;
  run.no_recipe = job.no_recipe;
  return run;
}

std::string earlier_id(const BatchJob& job) {
  return digest_of(identity(job, all_settings(make_run(job))), "fnv1a64:");
}

}  // namespace dapple::app

// From a batch file to jobs.
#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <iterator>
#include <map>
#include <set>

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

// All that decides the outputs.
std::string identity(const BatchJob& job, const Run& run, const Context& context) {
  std::string text = to_toml(recipe_of(run, context, true), run.options);
  for (const std::string& path : job.outputs) text += path + "\n";
  if (job.no_recipe) text += "no-recipe\n";
  return text;
}

std::string digest_of(const std::string& text, std::string_view form) {
  Digest digest(form);
  digest.add(text);
  return digest.text();
}

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

  // Presets come first, then the job's own values, as on the command line.
  void make(const Cell& cell) {
    BatchJob job;
    job.operation = operation_;
    job.line = table_->line;
    Run run(*operation_);
    Context context;
    Recipe own;
    seed_given_ = false;
    cell_is_good_ = true;
    for (const auto& [key, value] : cell.values) {
      attempt_at(*key,
                 [&, key = key, &value = value] { set_key(*key, value, run, job, context, own); });
    }
    try {
      apply(own, run.options, *file_);
    } catch (const Error& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
    if (!cell_is_good_) return;
    run.input = job.input;
    run.preset = job.preset;
    run.overwrite = job.overwrite;
    for (const std::string& name : output_->values) {
      attempt_at(*output_, [&] {
        run.outputs.push_back(filled(name, own, run.options));
        job.outputs.push_back(fill_name(run.outputs.back(), {std::string(operation_->name),
                                                             job.input, job.preset, context.seed}));
        if (job.outputs.back() == "-") {
          throw Error(ErrorKind::usage, "output: a batch writes files, not standard output");
        }
        const std::string braces = frame_name(job.outputs.back(), 0, 1);  // {frame} may stay
        if (braces.find('{') != std::string::npos) {
          throw Error(ErrorKind::usage, "output: '" + job.outputs.back() + "' holds a brace");
        }
      });
    }
    attempt_at(*output_, [&] { check_plan(run, context); });
    const std::string no_input = input_problem(run);
    if (!no_input.empty()) problems.push_back({"", no_input, place(*file_, table_->line, 0)});
    finish(job, run, context);
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

  static void check_plan(const Run& run, const Context& context) {
    try {
      plan(run, context);
    } catch (const Error& error) {
      // Folders are made when the batch runs.
      if (error.kind() != ErrorKind::output) throw;
    }
  }

  void set_key(const JobKey& key, const std::string& value, Run& run, BatchJob& job,
               Context& context, Recipe& own) {
    if (key.name == "input") {
      if (value == "-")
        throw Error(ErrorKind::usage, "input: a batch reads files, not standard input");
      job.input = input_name(*run.operation, value);
    } else if (key.name == "seed") {
      OptionList list;
      list.add("seed", context.seed, "").set(value);
      seed_given_ = true;
    } else if (key.name == "overwrite") {
      OptionList list;
      list.add("overwrite", job.overwrite, "").set(value);
    } else if (key.name == "no-recipe") {
      OptionList list;
      list.add("no-recipe", job.no_recipe, "").set(value);
    } else if (key.name == "preset") {
      const auto known = presets_->find(value);
      const Preset preset = known != presets_->end() ? known->second : load_preset(value);
      require_command(preset.recipe, run.operation->name, "preset '" + value + "'");
      apply(preset.recipe, run.options, preset.path);
      if (preset.recipe.has_seed && !seed_given_) context.seed = preset.recipe.seed;
      job.preset = preset.name;
    } else {
      own.settings.push_back({key.name, value, key.line, key.column});
    }
  }

  // {NAME} for an option becomes its value as it was written, fit for a file name.
  static std::string filled(const std::string& name, const Recipe& own, const OptionList& options) {
    std::string text;
    std::string_view rest = name;
    for (auto open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
      const auto close = rest.find('}', open);
      if (close == std::string_view::npos) break;
      const std::string part(rest.substr(open + 1, close - open - 1));
      text += rest.substr(0, open);
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

  void finish(BatchJob& job, const Run& run, const Context& context) {
    job.recipe = recipe_of(run, context, false);
    job.id = digest_of(identity(job, run, context), "");
    if (!job.input.empty()) job.files.emplace_back("input", job.input);
    for (const auto& option : run.options) {
      if (option->names_file()) job.files.emplace_back(option->name, option->get());
    }
    jobs.push_back(std::move(job));
  }

  const std::string* file_;
  const Presets* presets_;
  const Operation* operation_;
  const JobTable* table_;
  const JobKey* output_;
  bool cell_is_good_ = true;
  bool seed_given_ = false;
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
    std::vector<JobMaker> makers((cells.size() + run - 1) / run,
                                 JobMaker(file_, presets_, operation, table, output));
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
        if (!is_pattern(value) || fs::exists(value)) {
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

Run make_run(const BatchJob& job) {
  Run run(*job.operation);
  apply(job.recipe, run.options, "");
  run.input = job.input;
  run.preset = job.preset;
  run.outputs = job.outputs;
  run.overwrite = job.overwrite;
  run.no_recipe = job.no_recipe;
  return run;
}

std::string earlier_id(const BatchJob& job) {
  Context context;
  context.seed = job.recipe.seed;
  return digest_of(identity(job, make_run(job), context), "fnv1a64:");
}

}  // namespace dapple::app

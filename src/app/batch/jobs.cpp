// Reads batch files and expands them to jobs.
#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <iterator>
#include <map>
#include <set>

#include "app/arguments.hpp"
#include "app/batch/job_maker.hpp"
#include "core/parallel.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/point_files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_jobs = 1'000'000;
constexpr std::int64_t largest_file = 64 << 20;

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

// Returns the files that match a pattern, sorted by bytes, independently of the locale.
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

// Returns a message that names the missing folder of a pattern, or "". An unmounted disk looks like
// an empty folder.
std::string missing_folder(const std::string& pattern) {
  const fs::path folder = fs::path(pattern.substr(0, pattern.find_first_of("*?["))).parent_path();
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return "";
  return ": the folder '" + folder.string() + "' does not exist; is its disk mounted?";
}

class JobReader {
 public:
  JobReader(std::string file, Context& context) : file_(std::move(file)), context_(context) {}

  std::vector<BatchJob> read() {
    for (const JobTable& table : parse_jobs(read_file(file_, largest_file), file_)) read(table);
    if (jobs_.empty() && problems_.empty()) {
      problem(0, 0, "contains no jobs: a batch file is a list of [[job]] tables");
    }
    if (problems_.empty()) check_collisions();
    if (!problems_.empty()) throw Error(ErrorKind::usage, problems_);
    return std::move(jobs_);
  }

 private:
  // Reports each problem once, even if many jobs share the value.
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

  // Reports that a key is missing, or a key that was probably meant.
  void missing(const JobTable& table, const std::string& name, const std::string& what) {
    for (const JobKey& key : table.keys) {
      if (nearest_word(key.name, std::vector{name}).empty()) continue;
      problem(key.line, key.column,
              "'" + key.name + "' is no key of a job; did you mean '" + name + "'?");
      return;
    }
    problem(table.line, 0, what);
  }

  const Operation* operation_of(const JobTable& table) {
    const JobKey* key = find(table, "command");
    if (key == nullptr) {
      missing(table, "command", "the job needs a command, such as command = \"mask\"");
      return nullptr;
    }
    const Operation* operation = find_operation(key->values.front());
    if (key->list || operation == nullptr || operation->make == nullptr) {
      std::vector<std::string> names;
      for (const Operation& row : operations()) names.emplace_back(row.name);
      const std::string near = nearest_word(key->values.front(), names);
      problem(key->line, key->column,
              "a job cannot run the command '" + (key->list ? key->joined : key->values.front()) +
                  "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
      return nullptr;
    }
    return operation;
  }

  void read(const JobTable& table) {
    const Operation* operation = operation_of(table);
    if (operation == nullptr) return;
    const JobKey* output = find(table, "output");
    if (output == nullptr) {
      missing(table, "output",
              "the job needs an output, such as output = \"out/{stem}_{seed}.png\"");
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
      if (key.name == "preset") load_presets(key, operation->name);
    }
    make_jobs(*operation, table, *output, cells);
  }

  // Loads presets in advance. The job that names a faulty preset reports it.
  void load_presets(const JobKey& key, std::string_view command) {
    for (const std::string& name : key.values) {
      std::vector<Problem> ignored;
      attempt(ignored, [&] {
        if (presets_.contains({command, name})) return;
        presets_.emplace(std::pair(command, name), load_preset(name, command));
      });
    }
  }

  // Makes jobs in batches of cells on all threads and joins them in order.
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

  // Returns the values of a key. Several values make a matrix, except for options that are lists.
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
    const bool is_list = key.name == "material" ||
                         (option != nullptr && option->type == OptionType::list && !nested);
    if (is_list && key.list) return {key.joined};
    return key.values;
  }

  void expand(std::vector<Cell>& cells, const JobKey& key, const std::vector<std::string>& values,
              const JobTable& table) {
    if (cells.size() * std::max<std::size_t>(values.size(), 1) + jobs_.size() > most_jobs) {
      problem(table.line, 0,
              "expands to more than " + std::to_string(most_jobs) + " jobs: split the batch file");
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

  void check_collisions() {
    std::map<std::string, int> writers;
    for (const BatchJob& job : jobs_) {
      for (const std::string& path : files_of(job)) {
        const std::string identity = file_identity(path);
        if (identity.empty()) continue;
        const auto [found, is_new] = writers.emplace(identity, job.line);
        if (is_new) continue;
        problem(job.line, 0,
                "its output '" + path + "' is also written by the job at line " +
                    std::to_string(found->second) +
                    ": add a part that differs to the name, such as {seed} or {stem}");
      }
    }
    for (const BatchJob& job : jobs_) {
      for (const auto& [option, path] : job.files) {
        const auto found = writers.find(file_identity(path));
        if (found == writers.end()) continue;
        problem(job.line, 0,
                "its input '" + path + "' is written by the job at line " +
                    std::to_string(found->second) +
                    ": jobs run in any order, so put the two jobs into separate batches");
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

std::vector<std::string> files_of(const BatchJob& job) {
  std::vector<std::string> files = job.paths();
  for (std::size_t i = 0; i < job.paths().size() && job.operation->makes_points; ++i) {
    if (has_sidecar(extension_of(files[i]))) files.push_back(sidecar_path(files[i]));
  }
  return files;
}

void check_batch_files(const std::vector<BatchJob>& jobs, std::vector<UsedFile> files) {
  require_own_files(files);
  std::set<std::string> own;
  for (const UsedFile& file : files) own.insert(file_identity(file.path));
  own.erase("");
  const auto add = [&](const std::string& path, const char* use, bool is_written) {
    if (own.contains(file_identity(path))) files.push_back({path, use, is_written});
  };
  for (const BatchJob& job : jobs) {
    for (const std::string& path : files_of(job)) add(path, "an output of a job", true);
    for (const auto& [option, path] : job.files) add(path, "an input of a job", false);
  }
  require_own_files(files);
}

std::vector<BatchJob> read_jobs(const std::string& path, Context& context) {
  return JobReader(path, context).read();
}

}  // namespace dapple::app

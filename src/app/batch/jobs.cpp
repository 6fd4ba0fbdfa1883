// Reads batch files and expands them to jobs.
#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <set>
#include <unordered_map>

#include "app/arguments.hpp"
#include "app/batch/job_maker.hpp"
#include "app/run/material.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/point_files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_jobs = 1'000'000;
constexpr std::int64_t largest_file = 64 << 20;
constexpr std::size_t most_problems = 20;
// Memory per job, and per option that it sets, with its texts.
constexpr double bytes_of_job = 800;
constexpr double bytes_of_setting = 100;

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

// A key of a table and its values. A table makes a job for each combination of its axes' values.
struct Axis {
  const JobKey* key;
  std::vector<std::string> values;
};

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
    if (problems_.size() == most_problems) problems_.push_back({"", "and more"});
    if (problems_.size() < most_problems) problems_.push_back(problem);
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
    std::vector<Axis> axes;
    std::size_t count = 1;
    std::size_t problems = problems_.size();
    for (const JobKey& key : table.keys) {
      if (&key == output || key.name == "command") continue;
      axes.push_back({&key, values_of(key, options.options)});
      count = times(count, axes.back().values.size(), table);
    }
    if (problems_.size() != problems) return;
    for (const JobKey& key : table.keys) {
      if (key.name == "preset") load_presets(key, operation->name);
    }
    make_jobs(*operation, table, *output, axes, count);
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

  // Makes jobs in groups on all threads, each at its place.
  void make_jobs(const Operation& operation, const JobTable& table, const JobKey& output,
                 const std::vector<Axis>& axes, std::size_t count) {
    const std::size_t first = jobs_.size();
    const double bytes = bytes_of_job + bytes_of_setting * static_cast<double>(axes.size());
    context_.require_memory(bytes * static_cast<double>(first + count),
                            "a batch of " + std::to_string(first + count) + " jobs");
    jobs_.resize(first + count);
    // Each group sets up the options anew, so groups are large.
    constexpr std::size_t groups_at_a_time = 64;  // bounds the problems before add()
    const std::size_t group = std::clamp<std::size_t>(
        count / (4 * static_cast<std::size_t>(thread_count(context_))) + 1, 256, 4096);
    for (std::size_t at = 0; at < count && problems_.size() <= most_problems;
         at += groups_at_a_time * group) {
      const std::size_t groups = std::min((count - at + group - 1) / group, groups_at_a_time);
      std::vector<std::vector<Problem>> problems(groups);
      parallel_for(context_, groups, [&](std::size_t g) {
        // A maker keeps the options of its jobs, so it lives no longer than its group.
        JobMaker maker(file_, presets_, operation, table, output);
        const std::size_t end = std::min(count, at + (g + 1) * group);
        for (std::size_t i = at + g * group; i < end; ++i) {
          maker.make(cell(axes, i), jobs_[first + i]);
        }
        problems[g] = std::move(maker.problems);
      });
      for (const auto& of_group : problems) {
        for (const Problem& problem : of_group) add(problem);
      }
    }
  }

  // Returns combination i. The last key varies fastest.
  static Cell cell(const std::vector<Axis>& axes, std::size_t i) {
    Cell cell;
    cell.values.resize(axes.size());
    for (std::size_t k = axes.size(); k-- > 0;) {
      const auto& values = axes[k].values;
      cell.values[k] = {axes[k].key, values[i % values.size()]};
      i /= values.size();
    }
    return cell;
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

  // Returns count * values, or `count` with a problem if there would be too many jobs.
  std::size_t times(std::size_t count, std::size_t values, const JobTable& table) {
    if (count * std::max<std::size_t>(values, 1) + jobs_.size() <= most_jobs) {
      return count * values;
    }
    problem(table.line, 0,
            "expands to more than " + std::to_string(most_jobs) + " jobs: split the batch file");
    return count;
  }

  void check_collisions() {
    std::unordered_map<std::string, int> writers;
    writers.reserve(jobs_.size());
    FileIdentities identities;
    for (const BatchJob& job : jobs_) {
      for (const std::string& path : files_of(job)) {
        const std::string identity = identities.of(path);
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
        const auto found = writers.find(identities.of(path));
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
  for (const PlannedMaterial& one : plan_materials(job.materials, job.templates(), {}, {}, {})) {
    files.push_back(one.path);
  }
  return files;
}

void check_batch_files(const std::vector<const BatchJob*>& jobs, std::vector<UsedFile> files) {
  require_own_files(files);
  FileIdentities identities;
  std::set<std::string> own;
  for (const UsedFile& file : files) own.insert(file_identity(file.path));
  own.erase("");
  const auto add = [&](const std::string& path, const char* use, bool is_written) {
    if (own.contains(identities.of(path))) files.push_back({path, use, is_written});
  };
  for (const BatchJob* job : jobs) {
    for (const std::string& path : files_of(*job)) add(path, "an output of a job", true);
    for (const auto& [option, path] : job->files) add(path, "an input of a job", false);
  }
  require_own_files(files);
}

std::vector<BatchJob> read_jobs(const std::string& path, Context& context) {
  return JobReader(path, context).read();
}

}  // namespace dapple::app

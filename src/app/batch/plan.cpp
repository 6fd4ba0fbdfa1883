// Writes a batch as a script for other schedulers, and its failed jobs as a batch file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/batch/batch.hpp"
#include "app/json.hpp"
#include "core/plural_text.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/units.hpp"
#include "io/jobs_toml.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

constexpr std::string_view plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/%@";

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_quoted(word);
  return line;
}

std::vector<std::string> folders_of(const BatchJob& job) {
  std::vector<std::string> folders;
  for (const std::string& path : job.outputs) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(operand(folder));
    }
  }
  return folders;
}

std::string tenths(double value) {
  return plain_number(std::ceil(10 * value) / 10);
}

// Returns the number of jobs that the cores of this machine run at a time.
int places_of(const PlanFigures& figures) {
  return std::max(1, figures.cores / figures.threads);
}

// Returns how many jobs of `mb` each fit into `memory_mb`, from 1 to `places`.
int fitting(double mb, double memory_mb, int places) {
  return static_cast<int>(std::clamp(memory_mb / std::max(mb, 1.0), 1.0, 1.0 * places));
}

// Returns one command per line, for GNU parallel, xargs or a shell. Lines may run in any order, so
// each line creates its folders. These programs run a comment as a command that does nothing.
std::string parallel_text(const std::vector<BatchJob>& jobs, const PlanFigures& figures) {
  std::string text;
  if (figures.threads > 0) {
    const double most = figures.largest_mb();
    text = "# parallel -j " + std::to_string(fitting(most, figures.memory_mb, places_of(figures))) +
           " --memfree " + rounded_up(std::max(memory_margin * most, 1.0)) + "M\n";
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::vector<std::string> folders = folders_of(jobs[i]);
    if (!folders.empty()) text += "mkdir -p " + joined(folders) + " && ";
    text += "dapple " + joined(command_line(jobs[i], figures.threads));
    if (figures.threads > 0) {
      const Spent& job = figures.jobs[i];
      text += "  # " + counted(figures.threads, " core, ", " cores, ") + rounded_up(job.peak_mb) +
              " MB, " + tenths(job.seconds) + " s";
    }
    text += "\n";
  }
  return text;
}

// Escapes text for ninja, which cannot escape a bar in a path. So the variable `bar` holds it.
std::string ninja_escaped(const std::string& text, bool path) {
  std::string out;
  for (const char c : text) {
    if (c == '$' || (path && (c == ' ' || c == ':'))) out += '$';
    out += path && c == '|' ? "${bar}" : std::string(1, c);
  }
  return out;
}

// Ninja runs a job per core. The pool `threads` limits jobs of several threads to the cores. The
// pool `memory` limits large jobs, which would need more than half of the memory if every core ran
// one.
std::string ninja_text(const std::vector<BatchJob>& jobs, const PlanFigures& figures) {
  std::string text = "ninja_required_version = 1.3\nbar = |\n";
  const int places = places_of(figures);
  const double half = figures.memory_mb / 2;
  const int depth = fitting(figures.largest_mb(), half, places);
  const bool needs_pool = figures.threads > 1;
  if (needs_pool) text += "pool threads\n  depth = " + std::to_string(places) + "\n";
  if (depth < places) text += "pool memory\n  depth = " + std::to_string(depth) + "\n";
  text += "rule dapple\n  command = dapple $words\n  description = $out\n  restat = 1\n\n";
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const BatchJob& job = jobs[i];
    const Spent& needs = figures.jobs[i];
    text += "build";
    for (const std::string& path : job.paths()) text += " " + ninja_escaped(path, true);
    text += ": dapple";
    for (const auto& [option, path] : job.files) text += " " + ninja_escaped(path, true);
    text += "\n  words = " + ninja_escaped(joined(command_line(job, figures.threads)), false) +
            "\n  cores = " + std::to_string(figures.threads) +
            "\n  memory_mb = " + rounded_up(needs.peak_mb) +
            "\n  seconds = " + tenths(needs.seconds) + "\n";
    if (needs.peak_mb * places > half && depth < places) {
      text += "  pool = memory\n";
    } else if (needs_pool) {
      text += "  pool = threads\n";
    }
  }
  return text;
}

std::string json_text(const std::vector<BatchJob>& jobs, const PlanFigures& figures) {
  Json list = Json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const BatchJob& job = jobs[i];
    Json object = Json::object();
    object["job"] = job.id();
    object["command"] = std::string(job.operation->name);
    object["seed"] = job.seed;
    object["inputs"] = Json::array();
    for (const auto& [option, path] : job.files) {
      object["inputs"].push_back(utf8_of_name(path));
    }
    const auto list_of = [](const std::vector<std::string>& words) {
      Json texts = Json::array();
      for (const std::string& word : words) texts.push_back(utf8_of_name(word));
      return texts;
    };
    object["outputs"] = list_of(job.paths());
    object["arguments"] = list_of(command_line(job, figures.threads));
    if (figures.threads > 0) {
      object["threads"] = figures.threads;
      object["cores"] = figures.threads;
      object["memory_mb"] = figures.jobs[i].peak_mb;
      object["seconds"] = figures.jobs[i].seconds;
      object["processor_seconds"] = figures.jobs[i].processor;
    }
    list.push_back(std::move(object));
  }
  return text_of(list, 1);
}

}  // namespace

double PlanFigures::largest_mb() const {
  double most = 0;
  for (const Spent& job : jobs) most = std::max(most, job.peak_mb);
  return most;
}

std::string rounded_up(double value) {
  return plain_number(std::ceil(value));
}

std::string operand(const std::string& path) {
  return path.starts_with('-') ? "./" + path : path;
}

std::vector<std::string> command_line(const BatchJob& job, int threads) {
  std::vector<std::string> words{std::string(job.operation->name)};
  if (!job.input.empty()) words.push_back(operand(job.input));
  for (const Recipe::Setting& setting : job.options->recipe.settings) {
    words.push_back("--" + setting.name + "=" + setting.text);
  }
  words.push_back("--seed=" + std::to_string(job.seed));
  if (threads > 0) words.push_back("--threads=" + std::to_string(threads));
  if (job.overwrite != Overwrite::always) {
    words.push_back("--overwrite=" + std::string(word_of(job.overwrite)));
  }
  if (job.no_recipe) words.emplace_back("--no-recipe");
  for (const std::string& format : job.materials) words.push_back("--material=" + format);
  for (const std::string& name : job.templates()) words.push_back("--out=" + name);
  return words;
}

std::string shell_quoted(const std::string& word) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(word.begin(), word.end(), is_control)) {
    throw Error(ErrorKind::usage,
                "contains a line break or another control character, which a plan cannot express: "
                "rename the file, or run the jobs with `dapple batch`",
                word);
  }
  // Some shells expand a word that starts with =.
  if (!word.empty() && word.front() != '=' &&
      word.find_first_not_of(plain_characters) == std::string::npos) {
    return word;
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string plan_text(const std::vector<BatchJob>& jobs, const PlanOptions& options,
                      const PlanFigures& figures) {
  switch (options.format) {
    case PlanFormat::ninja:
      return ninja_text(jobs, figures);
    case PlanFormat::json:
      return json_text(jobs, figures);
    case PlanFormat::parallel:
      return parallel_text(jobs, figures);
    default:
      return shard_plan_text(jobs, options, figures);
  }
}

namespace {

// Removes control characters except line ends, which the writer turns into comment lines.
std::string comment_of(const BatchFailure& failure) {
  std::string text = failure.message;
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = ' ';
  }
  return utf8_of_name(text);
}

std::string toml_list(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + toml_text(word);
  return "[" + list + "]";
}

std::string table_of(const BatchFailure& failure) {
  const BatchJob& job = *failure.job;
  Recipe recipe = job.recipe();
  recipe.version.clear();
  recipe.comment = comment_of(failure);
  std::string text = "\n[[job]]\n" + to_toml(recipe, make_run(job).options);
  if (job.overwrite != Overwrite::always) {
    text += "overwrite = " + toml_text(word_of(job.overwrite)) + "\n";
  }
  if (job.no_recipe) text += "no-recipe = true\n";
  if (!job.materials.empty()) text += "material = " + toml_list(job.materials) + "\n";
  return text + "output = " + toml_list(job.templates()) + "\n";
}

}  // namespace

std::string failures_text(const std::vector<BatchFailure>& failures) {
  std::string text = "# " + std::to_string(failures.size()) + " jobs that failed, and why\n";
  for (const BatchFailure& failure : failures) text += table_of(failure);
  return text;
}

}  // namespace dapple::app

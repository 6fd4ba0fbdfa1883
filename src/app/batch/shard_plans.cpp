// Writes a batch for schedulers that run tasks: each task is a shard of the batch, which runs its
// jobs one after the other with all cores of the task.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/batch/batch.hpp"
#include "app/json.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "io/text_keys.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

constexpr double time_margin = 2;
constexpr double least_task_mb = 512;
constexpr double least_task_minutes = 5;  // also to start the program and read files
constexpr double shortest_task = 60;      // seconds; schedulers need about a second for a task
constexpr int most_tasks = 1000;

// Stand in words of a task for its number and its threads. No word has these characters.
constexpr char index_place = '\x01';
constexpr char threads_place = '\x02';

// Returns the predicted seconds of the longest of `count` shards.
double longest_shard(const std::vector<BatchJob>& jobs, const PlanFigures& figures, int count) {
  std::vector<double> seconds(static_cast<std::size_t>(count));
  const std::vector<int> shards = shards_of(count, jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    seconds[static_cast<std::size_t>(shards[i] - 1)] += figures.jobs[i].seconds;
  }
  return *std::max_element(seconds.begin(), seconds.end());
}

// Returns the number of tasks of at least a minute each.
int usual_count(const std::vector<BatchJob>& jobs, const PlanFigures& figures) {
  double seconds = 0;
  for (const Spent& job : figures.jobs) seconds += job.seconds;
  const double most = std::clamp(static_cast<double>(jobs.size()), 1.0, 1.0 * most_tasks);
  return static_cast<int>(std::clamp(std::floor(seconds / shortest_task), 1.0, most));
}

// Returns a word in another language: its constant parts as quote() gives them, with `between`
// these and the language's expressions for the number of the task and its threads.
template <class Quote>
std::string spelled(const std::string& word, const Quote& quote, const std::string& between,
                    const std::string& index, const std::string& threads) {
  std::vector<std::string> parts;
  std::string constant;
  const auto end_constant = [&] {
    if (!constant.empty()) parts.push_back(quote(constant));
    constant.clear();
  };
  for (const char c : word) {
    if (c != index_place && c != threads_place) {
      constant += c;
      continue;
    }
    end_constant();
    parts.push_back(c == index_place ? index : threads);
  }
  end_constant();
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// The tasks of a batch, and what each of them needs.
struct Tasks {
  std::string file;      // of the batch, as an operand
  std::string manifest;  // without the number of a task and .jsonl
  std::string name;      // of ASCII letters, digits and -
  std::string count;
  std::string threads;
  std::string memory_mb;
  std::string minutes;
  std::string summary;  // for a comment
  std::vector<std::string> more_words;

  // Returns the words that run a task, after the name of the program.
  std::vector<std::string> words() const {
    const std::string index(1, index_place);
    std::vector<std::string> all{"batch",
                                 file,
                                 "--shard",
                                 index + "/" + count,
                                 "--keep-going",
                                 "--jobs",
                                 "1",
                                 "--threads",
                                 std::string(1, threads_place),
                                 "--manifest",
                                 manifest + "-" + index + ".jsonl"};
    all.insert(all.end(), more_words.begin(), more_words.end());
    return all;
  }
  // Returns the line of a shell that runs a task. `index` and `threads` are parts of such a line in
  // double quotes.
  std::string line(const std::string& index, const std::string& threads_of_task) const {
    std::string text = "dapple";
    for (const std::string& word : words()) {
      text +=
          " " + spelled(word, shell_quoted, "", "\"" + index + "\"", "\"" + threads_of_task + "\"");
    }
    return text;
  }
  std::string line(const std::string& index) const { return line(index, threads); }
  // Throws Error(usage) for names that are no UTF-8, or that contain any of these texts, which
  // `reader` would read in its own way.
  void refuse_names(const std::string& reader, std::initializer_list<const char*> texts) const {
    std::vector<std::string> all{file, manifest};
    all.insert(all.end(), more_words.begin(), more_words.end());
    for (const std::string& name : all) {
      if (utf8_of_name(name) != name) {
        throw Error(ErrorKind::usage,
                    "is no UTF-8, which a plan for " + reader + " needs: rename the file", name);
      }
      for (const char* text : texts) {
        if (name.find(text) == std::string::npos) continue;
        throw Error(ErrorKind::usage,
                    "contains " + std::string(text) + ", which " + reader +
                        " reads in its own way: rename the file",
                    name);
      }
    }
  }
  // Returns the command that joins the manifests of all tasks.
  std::string merge() const {
    return "dapple batch merge " + shell_quoted(manifest) + "-*.jsonl -o " +
           shell_quoted(manifest + ".jsonl");
  }
};

std::string name_of(const std::string& stem) {
  std::string name = "dapple-";
  for (const char c : stem) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool is_capital = c >= 'A' && c <= 'Z';
    name += is_plain ? c : is_capital ? static_cast<char>(c - 'A' + 'a') : '-';
  }
  // The names of Kubernetes have at most 63 characters and end in a letter or digit.
  name.resize(std::min<std::size_t>(name.size(), 63));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

Tasks tasks_of(const std::vector<BatchJob>& jobs, const PlanOptions& options,
               const PlanFigures& figures) {
  const int count = options.shards > 0 ? options.shards : usual_count(jobs, figures);
  const std::string stem = stem_of(options.file);
  const double seconds = longest_shard(jobs, figures, count);
  const double mb = figures.list_mb + figures.largest_mb();
  Tasks tasks;
  tasks.file = operand(options.file);
  tasks.more_words = options.task_words;
  tasks.manifest = operand(stem);
  tasks.name = name_of(stem);
  tasks.count = std::to_string(count);
  tasks.threads = std::to_string(figures.threads);
  tasks.memory_mb = rounded_up(std::max(least_task_mb, memory_margin * mb));
  tasks.minutes = rounded_up(std::max(least_task_minutes, time_margin * seconds / 60));
  tasks.summary = std::to_string(jobs.size()) + " jobs in " + tasks.count +
                  " tasks. A task that runs again does only what is missing.\n"
                  "The forecast of a task is at most " +
                  rounded_up(mb) + " MB and " + rounded_up(seconds) +
                  " s. The limits are at least twice as high. Afterwards:\n  " + tasks.merge();
  return tasks;
}

// Returns the summary as comment lines.
std::string comment(const Tasks& tasks, const std::string& mark) {
  std::string text = mark + " ";
  for (const char c : tasks.summary) text += c == '\n' ? "\n" + mark + " " : std::string(1, c);
  return text + "\n";
}

// Returns the text with a backslash before each of these characters, and the backslash.
std::string escaped(const std::string& text, std::string_view characters) {
  std::string made;
  for (const char c : text) {
    if (c == '\\' || characters.find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

// Returns the line of a task in a language that has escapes of its own. The line is escaped without
// its index, which is then inserted as it is.
template <class Escape>
std::string line_with(const Tasks& tasks, const std::string& index, const Escape& escape) {
  return spelled(tasks.line(std::string(1, index_place)), escape, "", index, "");
}

std::string slurm_text(const Tasks& tasks) {
  return "#!/bin/sh\n" + comment(tasks, "#") + "#SBATCH --job-name=" + tasks.name +
         "\n#SBATCH --array=1-" + tasks.count + "\n#SBATCH --cpus-per-task=" + tasks.threads +
         "\n#SBATCH --mem=" + tasks.memory_mb + "M\n#SBATCH --time=" + tasks.minutes + "\nexec " +
         tasks.line("$SLURM_ARRAY_TASK_ID", "${SLURM_CPUS_PER_TASK:-" + tasks.threads + "}") + "\n";
}

// OpenCue: the lines of a file for `cuecmd`, which knows no comments.
std::string cuecmd_text(const Tasks& tasks) {
  std::string text;
  for (int i = 1; i <= std::stoi(tasks.count); ++i) text += tasks.line(std::to_string(i)) + "\n";
  return text;
}

// Tractor (Pixar): a job in Tcl.
std::string tractor_text(const Tasks& tasks) {
  constexpr std::string_view special = " \"$[]{};#'*?~!&|<>()`\\";
  std::string text = comment(tasks, "#") + "Job -title {" + tasks.name + "} -subtasks {\n";
  for (int i = 1; i <= std::stoi(tasks.count); ++i) {
    const std::string index = std::to_string(i);
    text += "  Task {" + index + " of " + tasks.count + "} -cmds {\n    RemoteCmd {/bin/sh -c " +
            escaped(tasks.line(index), special) + "} -service PixarRender -atleast " +
            tasks.threads + " -atmost " + tasks.threads + "\n  }\n";
  }
  return text + "}\n";
}

// Open Job Description, version 2023-09, as JSON.
std::string openjd_text(const Tasks& tasks) {
  tasks.refuse_names("Open Job Description", {"{{"});
  std::vector<std::string> words;
  for (const std::string& word : tasks.words()) {
    words.push_back(spelled(
        word, [](const std::string& part) { return part; }, "", "{{Task.Param.Shard}}",
        tasks.threads));
  }
  Json step{{"name", "Shards"}};
  step["parameterSpace"]["taskParameterDefinitions"] = {
      {{"name", "Shard"}, {"type", "INT"}, {"range", "1-" + tasks.count}}};
  step["hostRequirements"]["amounts"] = {
      {{"name", "amount.worker.vcpu"}, {"min", std::stoi(tasks.threads)}},
      {{"name", "amount.worker.memory"}, {"min", std::stod(tasks.memory_mb)}}};
  step["script"]["actions"]["onRun"] = {
      {"command", "dapple"}, {"args", words}, {"timeout", 60 * std::stoi(tasks.minutes)}};
  Json job{{"specificationVersion", "jobtemplate-2023-09"},
           {"name", tasks.name},
           {"description", tasks.summary},
           {"steps", Json::array()}};
  job["steps"].push_back(std::move(step));
  return text_of(job, 2);
}

// Kubernetes: an indexed Job, as JSON. Its folder is that of a volume.
std::string kubernetes_text(const Tasks& tasks) {
  tasks.refuse_names("Kubernetes", {});
  const std::string index = "$((JOB_COMPLETION_INDEX + 1))";
  const Json memory = tasks.memory_mb + "Mi";
  Json container{{"name", "dapple"},
                 {"image", "dapple"},
                 {"command", {"sh", "-c", "exec " + tasks.line(index)}},
                 {"workingDir", "/work"},
                 {"volumeMounts", Json::array()}};
  container["volumeMounts"].push_back({{"name", "work"}, {"mountPath", "/work"}});
  container["resources"] = {{"requests", {{"cpu", tasks.threads}, {"memory", memory}}},
                            {"limits", {{"memory", memory}}}};
  Json pod{{"restartPolicy", "Never"}, {"containers", Json::array()}, {"volumes", Json::array()}};
  pod["containers"].push_back(std::move(container));
  pod["volumes"].push_back(
      {{"name", "work"}, {"persistentVolumeClaim", {{"claimName", "dapple-work"}}}});
  const int count = std::stoi(tasks.count);
  Json job{{"apiVersion", "batch/v1"}, {"kind", "Job"}};
  job["metadata"] = {{"name", tasks.name}, {"annotations", {{"description", tasks.summary}}}};
  job["spec"] = {{"completionMode", "Indexed"},
                 {"completions", count},
                 {"parallelism", count},
                 {"backoffLimit", 3 * count},
                 {"template", {{"spec", std::move(pod)}}}};
  return text_of(job, 2);
}

// Nextflow: a script in Groovy. Tasks work in the folder where it is started.
std::string nextflow_text(const Tasks& tasks) {
  tasks.refuse_names("Nextflow", {"\\"});
  return comment(tasks, "//") + "nextflow.enable.dsl = 2\n\nprocess shard {\n  cpus " +
         tasks.threads + "\n  memory '" + tasks.memory_mb + " MB'\n  time '" + tasks.minutes +
         " min'\n  errorStrategy 'retry'\n  maxRetries 3\n\n  input:\n  val index\n\n  script:\n"
         "  \"\"\"\n  cd \"${launchDir}\"\n  " +
         line_with(tasks, "${index}",
                   [](const std::string& part) { return escaped(part, "$\""); }) +
         "\n  \"\"\"\n}\n\nworkflow {\n  shard(Channel.of(1.." + tasks.count + "))\n}\n";
}

// Snakemake: an empty file marks a finished task, because Snakemake removes what a task that fails
// has written.
std::string snakemake_text(const Tasks& tasks) {
  tasks.refuse_names("Snakemake", {"{", "}"});
  const std::string mark = json_quoted(tasks.manifest + "-{shard}.done");
  const std::string line =
      line_with(tasks, "{wildcards.shard}", [](const std::string& part) { return part; });
  return comment(tasks, "#") + "rule all:\n    input: expand(" + mark + ", shard=range(1, " +
         std::to_string(std::stoi(tasks.count) + 1) + "))\n\nrule shard:\n    output: touch(" +
         mark + ")\n    threads: " + tasks.threads + "\n    resources: mem_mb=" + tasks.memory_mb +
         ", runtime=" + tasks.minutes + "\n    retries: 3\n    shell: " + json_quoted(line) + "\n";
}

// Dask: a Python program. Its argument is the address of a scheduler.
std::string dask_text(const Tasks& tasks) {
  tasks.refuse_names("Dask", {});
  std::string words = "\"dapple\"";
  for (const std::string& word : tasks.words()) {
    words += ", " + spelled(word, json_quoted, " + ", "str(index)", "str(THREADS)");
  }
  return "#!/usr/bin/env python3\n" + comment(tasks, "#") +
         "import os\nimport subprocess\nimport sys\n\nfrom dask.distributed import Client, "
         "LocalCluster\n\nTHREADS, MEMORY = " +
         tasks.threads + ", \"" + tasks.memory_mb +
         "MB\"\nFOLDER = os.getcwd()\n\n\ndef run(index):\n    words = [" + words +
         "]\n"
         "    subprocess.run(words, cwd=FOLDER, check=True)\n\n\n"
         "if __name__ == \"__main__\":\n"
         "    # Without an address, a worker for each task that this machine has the cores for.\n"
         "    workers = max(1, os.cpu_count() // THREADS)\n"
         "    where = sys.argv[1] if len(sys.argv) > 1 else LocalCluster(\n"
         "        n_workers=workers, threads_per_worker=1, memory_limit=MEMORY, "
         "dashboard_address=None)\n"
         "    with Client(where) as client:\n"
         "        client.gather(client.map(run, range(1, " +
         std::to_string(std::stoi(tasks.count) + 1) + "), pure=False, retries=3))\n";
}

}  // namespace

std::string shard_plan_text(const std::vector<BatchJob>& jobs, const PlanOptions& options,
                            const PlanFigures& figures) {
  const Tasks tasks = tasks_of(jobs, options, figures);
  switch (options.format) {
    case PlanFormat::openjd:
      return openjd_text(tasks);
    case PlanFormat::cuecmd:
      return cuecmd_text(tasks);
    case PlanFormat::tractor:
      return tractor_text(tasks);
    case PlanFormat::kubernetes:
      return kubernetes_text(tasks);
    case PlanFormat::nextflow:
      return nextflow_text(tasks);
    case PlanFormat::snakemake:
      return snakemake_text(tasks);
    case PlanFormat::dask:
      return dask_text(tasks);
    default:
      return slurm_text(tasks);
  }
}

}  // namespace dapple::app

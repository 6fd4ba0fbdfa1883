// Reads and writes manifests: the outcome of each job, one JSON object per line.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

#include "app/batch/batch.hpp"
#include "app/error_text.hpp"
#include "app/exit_code.hpp"
#include "app/json.hpp"
#include "core/parallel.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"
#include "io/utf8.hpp"
#include "io/write_all.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t largest_file = std::int64_t{4} << 30;

void set_part(Json& object, const Part& part) {
  object["batch"] = part.batch;
  object["shard"] = text_of(part.shard);
  object["shard_jobs"] = part.shard_jobs;
  object["batch_jobs"] = part.batch_jobs;
}

Json head(const BatchJob& job, const Part& part, const char* status) {
  Json object = Json::object();
  object["job"] = job.id();
  object["status"] = status;
  object["command"] = std::string(job.operation->name);
  object["version"] = DAPPLE_VERSION;
  object["seed"] = job.seed;
  if (!job.input.empty()) object["input"] = utf8_of_name(job.input);
  set_part(object, part);
  return object;
}

// Returns the current state of a file without its hash.
ManifestFile state_of(const std::string& path) {
  ManifestFile file;
  file.path = path;
  struct stat state {};
  if (stat(std::filesystem::path(path).c_str(), &state) == 0 && S_ISREG(state.st_mode)) {
    file.bytes = state.st_size;
#ifdef _WIN32
    file.changed = change_nanoseconds(std::filesystem::path(path));
#else
    file.changed = std::int64_t{state.st_ctim.tv_sec} * 1'000'000'000 + state.st_ctim.tv_nsec;
#endif
  }
  return file;
}

// Reads the state before the hash, so that a later check notices a change in between.
ManifestFile file_of(const std::string& path) {
  ManifestFile file = state_of(path);
  file.hash = hash_of_file(path);
  return file;
}

// Compares a file with its record; `now` is its current state.
bool is_same(const ManifestFile& recorded, const ManifestFile& now) {
  const bool known = recorded.changed >= 0 && now.changed >= 0;
  if (known && now.bytes == recorded.bytes && now.changed == recorded.changed) return true;
  return hash_of_file(now.path, recorded.hash) == recorded.hash;
}

Part part_of(const Json& object) {
  Part part;
  part.batch = object.value("batch", "");
  if (part.batch.empty()) return part;
  part.shard = parse_shard(object.at("shard").get<std::string>());
  part.shard_jobs = object.at("shard_jobs").get<std::size_t>();
  part.batch_jobs = object.at("batch_jobs").get<std::size_t>();
  return part;
}

ManifestEntry entry_of(std::string_view line) {
  const Json object = Json::parse(line);
  ManifestEntry entry;
  entry.line = line;
  entry.job = object.at("job").get<std::string>();
  entry.done = object.at("status").get<std::string>() == "done";
  entry.cached = object.value("cached", false);
  entry.part = part_of(object);
  entry.spent.seconds = object.value("seconds", 0.0);
  entry.spent.processor = object.value("processor_seconds", entry.spent.seconds);
  if (object.contains("outputs")) {
    for (const Json& output : object.at("outputs")) {
      entry.outputs.push_back({name_of_utf8(output.at("path").get<std::string>()),
                               output.value("hash", ""), output.value("bytes", std::int64_t{-1}),
                               output.value("changed", std::int64_t{-1})});
    }
  }
  if (object.contains("input_hashes")) {
    for (const auto& [name, hash] : object.at("input_hashes").items()) {
      ManifestFile file{"", hash.get<std::string>()};
      if (object.contains("input_states") && object["input_states"].contains(name)) {
        const Json& state = object["input_states"][name];
        file.bytes = state.at("bytes").get<std::int64_t>();
        file.changed = state.at("changed").get<std::int64_t>();
      }
      entry.inputs.emplace_back(name, std::move(file));
    }
  }
  return entry;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(lines.back().size() + 1, text.size()));
  }
  return lines;
}

// Returns nothing for an empty line, or for a line that a crash truncated.
std::optional<ManifestEntry> read_line(std::string_view line, std::size_t number,
                                       const std::string& path) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return std::nullopt;
  const auto fail = [&] {
    throw Error(ErrorKind::input,
                "line " + std::to_string(number) + " is not a job record; is this file a manifest?",
                path);
  };
  try {
    return entry_of(line);
  } catch (const nlohmann::json::exception&) {
    if (line.front() != '{' || Json::accept(line)) fail();
  } catch (const Error&) {  // invalid shard
    fail();
  }
  return std::nullopt;
}

}  // namespace

Manifest read_manifest(const std::string& path, bool may_be_missing, Context& context) {
  std::error_code ignored;
  const auto type = std::filesystem::status(path, ignored).type();
  if (may_be_missing && type == std::filesystem::file_type::not_found) return {};
  Manifest manifest;
  manifest.text = std::make_shared<const std::string>(read_file(path, largest_file));
  const std::vector<std::string_view> lines = lines_of(*manifest.text);
  std::vector<std::optional<ManifestEntry>> read(lines.size());
  parallel_for(context, lines.size(),
               [&](std::size_t i) { read[i] = read_line(lines[i], i + 1, path); });
  manifest.entries.reserve(lines.size());
  manifest.places.reserve(lines.size());
  for (std::optional<ManifestEntry>& entry : read) {
    if (!entry) continue;
    manifest.part = entry->part;
    const auto [place, is_new] = manifest.places.emplace(entry->job, manifest.entries.size());
    if (is_new)
      manifest.entries.push_back(std::move(*entry));
    else
      manifest.entries[place->second] = std::move(*entry);
  }
  return manifest;
}

const ManifestEntry* Manifest::find(const BatchJob& job) const {
  if (entries.empty()) return nullptr;
  auto found = places.find(job.id());
  if (found == places.end() && entries.front().job.starts_with("fnv1a64:")) {
    found = places.find(earlier_id(job));
  }
  return found == places.end() ? nullptr : &entries[found->second];
}

namespace {

// Returns true if the first line of an open file is an object with this key, also if a full disk
// cut the line.
bool has_lines_with(int file, const std::string& key) {
  std::string line(1 << 20, '\0');
  line.resize(
      static_cast<std::size_t>(std::max<ssize_t>(pread(file, line.data(), line.size(), 0), 0)));
  line.erase(0, line.find_first_not_of(" \t\r\n"));
  line.resize(std::min(line.size(), line.find('\n')));
  const Json object = Json::parse(line, nullptr, false);
  if (object.is_object()) return object.contains(key);
  const std::string beginning = "{\"" + key + "\":";
  return beginning.starts_with(line.substr(0, beginning.size()));
}

}  // namespace

LineFile::LineFile(std::string what, const std::string& path, const std::string& key)
    : what_(std::move(what)), path_(path) {
  if (path == "-") {
    file_ = STDOUT_FILENO;
    return;
  }
  file_ = open_file(path, O_RDWR | O_APPEND | O_CREAT);
  if (file_ < 0) {
    throw Error(ErrorKind::output, what_ + " cannot be written: " + std::strerror(errno), path);
  }
  const off_t size = lseek(file_, 0, SEEK_END);
  if (size > 0 && !has_lines_with(file_, key)) {
    close(file_);
    throw Error(ErrorKind::output,
                "exists, but its first line is not a line of " + what_ + ": name another file",
                path);
  }
  // Ends a partial last line first.
  char last = '\n';
  if (size > 0 && pread(file_, &last, 1, size - 1) == 1 && last != '\n') append("\n");
}

LineFile::~LineFile() {
  if (path_ != "-") close(file_);
}

void LineFile::append(const std::string& line) {
  const int code = dapple::write_all(file_, line);
  if (code == 0) return;
  throw Error(ErrorKind::output, what_ + " cannot be written: " + std::strerror(code), path_);
}

ManifestInputs inputs_of(const BatchJob& job) {
  ManifestInputs inputs;
  for (const auto& [option, path] : job.files) inputs.emplace_back(option, file_of(path));
  return inputs;
}

bool have_states(const BatchJob& job, const ManifestInputs& inputs) {
  return std::equal(inputs.begin(), inputs.end(), job.files.begin(), job.files.end(),
                    [](const auto& input, const auto& file) {
                      const ManifestFile now = state_of(file.second);
                      return now.bytes == input.second.bytes && now.changed == input.second.changed;
                    });
}

bool is_done(const BatchJob& job, const ManifestEntry& entry) {
  // A name with {frame} stands for several files.
  if (!entry.done || entry.outputs.size() < job.outputs.size()) return false;
  if (entry.inputs.size() != job.files.size()) return false;
  for (std::size_t i = 0; i < job.files.size(); ++i) {
    const auto& [option, path] = job.files[i];
    if (entry.inputs[i].first != option) return false;
    if (!is_same(entry.inputs[i].second, state_of(path))) return false;
  }
  return std::all_of(entry.outputs.begin(), entry.outputs.end(), [](const ManifestFile& output) {
    const ManifestFile now = state_of(output.path);
    return now.changed >= 0 && is_same(output, now);  // -1 if it is no regular file
  });
}

std::string done_line(const BatchJob& job, const Part& part, const Record& record,
                      const ManifestInputs& inputs, const Spent& spent, bool cached) {
  Json object = head(job, part, "done");
  object["outputs"] = Json::array();
  for (const WrittenOutput& output : record.outputs) {
    const ManifestFile file = file_of(output.path);
    object["outputs"].push_back({{"path", utf8_of_name(file.path)},
                                 {"kind", kind_name(output.kind)},
                                 {"width", output.width},
                                 {"height", output.height},
                                 {"bytes", file.bytes},
                                 {"changed", file.changed},
                                 {"hash", file.hash}});
  }
  if (record.points) object["points"] = *record.points;
  object["input_hashes"] = Json::object();
  for (const auto& [name, file] : inputs) {
    object["input_hashes"][name] = file.hash;
    if (file.changed < 0) continue;
    object["input_states"][name] = {{"bytes", file.bytes}, {"changed", file.changed}};
  }
  object["warnings"] = record.warnings;
  const Run run = make_run(job);
  object["recipe"] = to_toml(job.recipe(), run.options);
  object["seconds"] = spent.seconds;
  object["processor_seconds"] = spent.processor;
  if (cached) object["cached"] = true;
  return text_of(object, -1);
}

std::string failed_line(const BatchJob& job, const Part& part, const Error& error) {
  Json object = head(job, part, "failed");
  object["outputs"] = Json::array();
  for (const std::string& path : job.outputs) {
    object["outputs"].push_back({{"path", utf8_of_name(path)}});
  }
  object["error"] = {{"kind", kind_name(error.kind())}, {"message", text_of(error)}};
  return text_of(object, -1);
}

std::string line_for(const Part& part, const ManifestEntry& entry) {
  Json object = Json::parse(entry.line);
  set_part(object, part);
  return text_of(object, -1);
}

std::vector<Problem> verify_manifest(const std::string& path, std::size_t& checked,
                                     Context& context) {
  const std::vector<ManifestEntry> entries = read_manifest(path, false, context).entries;
  std::vector<std::vector<Problem>> found(entries.size());
  parallel_for(context, entries.size(), [&](std::size_t i) {
    for (const ManifestFile& output : entries[i].outputs) {
      std::error_code failure;
      if (!entries[i].done) {
        found[i].push_back({"", "its job failed", output.path});
      } else if (!std::filesystem::is_regular_file(output.path, failure)) {
        const bool missing = !failure || failure == std::errc::no_such_file_or_directory;
        found[i].push_back({"", missing ? "is missing" : failure.message(), output.path});
      } else if (hash_of_file(output.path, output.hash) != output.hash) {
        found[i].push_back({"", "has changed since it was written", output.path});
      }
    }
  });
  std::vector<Problem> problems;
  checked = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    checked += entries[i].outputs.size();
    problems.insert(problems.end(), found[i].begin(), found[i].end());
  }
  return problems;
}

}  // namespace dapple::app

// Manifests: what became of each job, one JSON object a line.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/batch/batch.hpp"
#include "app/exit_code.hpp"
#include "app/json.hpp"
#include "app/problems.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"
#include "io/utf8_names.hpp"

namespace dapple::app {
namespace {

constexpr std::int64_t largest_file = std::int64_t{4} << 30;

Json head(const BatchJob& job, const char* status) {
  Json object;
  object["job"] = job.id;
  object["status"] = status;
  object["command"] = std::string(job.operation->name);
  object["version"] = DAPPLE_VERSION;
  object["seed"] = job.recipe.seed;
  if (!job.input.empty()) object["input"] = utf8_of_name(job.input);
  return object;
}

ManifestEntry entry_of(std::string_view line) {
  const Json object = Json::parse(line);
  ManifestEntry entry;
  entry.line = line;
  entry.job = object.at("job").get<std::string>();
  entry.done = object.at("status").get<std::string>() == "done";
  if (object.contains("outputs")) {
    for (const Json& output : object.at("outputs")) {
      entry.outputs.push_back(
          {name_of_utf8(output.at("path").get<std::string>()), output.value("hash", "")});
    }
  }
  if (object.contains("input_hashes")) {
    for (const auto& [name, hash] : object.at("input_hashes").items()) {
      entry.inputs.emplace_back(name, hash.get<std::string>());
    }
  }
  return entry;
}

}  // namespace

std::vector<ManifestEntry> read_manifest(const std::string& path, bool may_be_missing) {
  if (may_be_missing && !std::filesystem::exists(path)) return {};
  const std::string text = read_file(path, largest_file);
  std::vector<ManifestEntry> entries;
  std::map<std::string, std::size_t> places;
  std::string_view rest = text;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const auto end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      ManifestEntry entry = entry_of(line);
      const auto [place, is_new] = places.emplace(entry.job, entries.size());
      if (is_new)
        entries.push_back(std::move(entry));
      else
        entries[place->second] = std::move(entry);
    } catch (const nlohmann::json::exception&) {
      // A machine that stopped may have left half a line, and a later run has ended it.
      if (line.front() == '{' && !Json::accept(line)) continue;
      throw Error(ErrorKind::input,
                  "line " + std::to_string(number) + " is no record of a job: is this a manifest?",
                  path);
    }
  }
  return entries;
}

ManifestWriter::ManifestWriter(const std::string& path) : path_(path) {
  file_ = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    throw Error(ErrorKind::output,
                std::string("the manifest cannot be written: ") + std::strerror(errno), path);
  }
  // After half a line a new one starts.
  const off_t size = lseek(file_, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && pread(file_, &last, 1, size - 1) == 1 && last != '\n') append("\n");
}

ManifestWriter::~ManifestWriter() {
  close(file_);
}

void ManifestWriter::append(const std::string& line) {
  ssize_t written = -1;
  do {
    written = write(file_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(line.size())) return;
  throw Error(ErrorKind::output,
              std::string("the manifest cannot be written: ") +
                  (written < 0 ? std::strerror(errno) : "the disk is full"),
              path_);
}

std::string done_line(const BatchJob& job, const Record& record, const Hashes& inputs) {
  Json object = head(job, "done");
  object["outputs"] = Json::array();
  for (const WrittenOutput& output : record.outputs) {
    object["outputs"].push_back({{"path", utf8_of_name(output.path)},
                                 {"kind", kind_name(output.kind)},
                                 {"width", output.width},
                                 {"height", output.height},
                                 {"bytes", std::filesystem::file_size(output.path)},
                                 {"hash", hash_of_file(output.path)}});
  }
  if (record.points) object["points"] = *record.points;
  object["input_hashes"] = Json::object();
  for (const auto& [name, hash] : inputs) object["input_hashes"][name] = hash;
  object["seconds"] = record.seconds.empty() ? 0.0 : record.seconds.back().second;
  object["warnings"] = record.warnings;
  const Run run = make_run(job);
  object["recipe"] = to_toml(job.recipe, run.options);
  return text_of(object, -1);
}

std::string failed_line(const BatchJob& job, const Error& error) {
  Json object = head(job, "failed");
  object["outputs"] = Json::array();
  for (const std::string& path : job.outputs) {
    object["outputs"].push_back({{"path", utf8_of_name(path)}});
  }
  object["error"] = {{"kind", kind_name(error.kind())}, {"message", text_of(error)}};
  return text_of(object, -1);
}

std::vector<Problem> verify_manifest(const std::string& path, std::size_t& checked) {
  std::vector<Problem> problems;
  checked = 0;
  for (const ManifestEntry& entry : read_manifest(path, false)) {
    for (const ManifestOutput& output : entry.outputs) {
      ++checked;
      if (!entry.done) {
        problems.push_back({"", "its job failed", output.path});
      } else if (!std::filesystem::is_regular_file(output.path)) {
        problems.push_back({"", "is missing", output.path});
      } else if (hash_of_file(output.path, output.hash) != output.hash) {
        problems.push_back({"", "is not what was written", output.path});
      }
    }
  }
  return problems;
}

std::string merge_manifests(const std::vector<std::string>& paths) {
  std::vector<ManifestEntry> merged;
  std::map<std::string, std::size_t> places;
  for (const std::string& path : paths) {
    for (ManifestEntry& entry : read_manifest(path, false)) {
      const auto [place, is_new] = places.emplace(entry.job, merged.size());
      if (is_new) {
        merged.push_back(std::move(entry));
      } else if (entry.done || !merged[place->second].done) {
        merged[place->second] = std::move(entry);
      }
    }
  }
  std::string text;
  for (const ManifestEntry& entry : merged) text += entry.line + "\n";
  return text;
}

}  // namespace dapple::app

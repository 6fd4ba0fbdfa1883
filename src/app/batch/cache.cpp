#include "app/batch/cache.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/error_text.hpp"
#include "app/json.hpp"
#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "dapple/version.hpp"
#include "io/digest.hpp"
#include "io/images/color/spaces.hpp"
#include "io/images/formats.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// The beginning of an entry. The digest of the next line and this line follow it; the next line
// holds the digests of the files, whose bytes come last.
constexpr std::string_view magic = "dapple cache 1 ";
constexpr std::int64_t largest_entry = std::int64_t{1} << 30;
constexpr int most_failures = 8;  // in a row, before a cache is given up

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

// Returns true for a format whose files contain their own name.
bool holds_name(const std::string& extension) {
  return extension == "json" || extension == "xbm" || !source_language(extension).empty();
}

bool contains(const std::string& text, const std::string& part) {
  return !part.empty() && text.find(part) != std::string::npos;
}

// Returns true if a warning has a name that another job of the same key would not have.
bool names_files(const std::vector<std::string>& warnings, const BatchJob& job,
                 const std::vector<std::string>& outputs) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
    return std::any_of(
               outputs.begin(), outputs.end(),
               [&](const std::string& path) { return contains(warning, file_name(path)); }) ||
           std::any_of(job.files.begin(), job.files.end(), [&](const auto& file) {
             return file.second != file_name(file.second) && contains(warning, file.second);
           });
  });
}

std::string packed(const std::string& name, const Record& record,
                   const std::vector<std::size_t>& places, const std::vector<std::string>& bytes) {
  Json head = Json::object();
  head["job"] = name;
  if (record.points) head["points"] = *record.points;
  head["warnings"] = record.warnings;
  head["files"] = Json::array();
  std::size_t size = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const WrittenOutput& output = record.outputs[i];
    head["files"].push_back({{"file", places[i]},
                             {"kind", static_cast<int>(output.kind)},
                             {"width", output.width},
                             {"height", output.height},
                             {"bytes", bytes[i].size()},
                             {"hash", digest_of(bytes[i])}});
    size += bytes[i].size();
  }
  const std::string line = text_of(head, -1);
  std::string entry;
  entry.reserve(magic.size() + 80 + line.size() + size);
  entry.append(magic).append(digest_of(line)).append("\n").append(line);
  for (const std::string& file : bytes) entry += file;
  return entry;
}

// An entry, with views of the bytes of its files.
struct Unpacked {
  Record record;
  std::vector<std::string_view> files;
};

// Returns the entry, or nothing if a bit of it has changed. `outputs` are the files of the job.
std::optional<Unpacked> unpacked(std::string_view entry, const std::string& name,
                                 const BatchJob& job, const std::vector<std::string>& outputs) {
  constexpr std::size_t digest_size = 7 + 64;
  if (!entry.starts_with(magic) || entry.size() < magic.size() + digest_size + 1) return {};
  const std::string_view digest = entry.substr(magic.size(), digest_size);
  const bool is_line = entry[magic.size() + digest_size] == '\n';
  entry.remove_prefix(magic.size() + digest_size + 1);
  const std::string_view line = entry.substr(0, entry.find('\n') + 1);
  if (!is_line || line.empty() || digest != digest_of(line)) return {};
  entry.remove_prefix(line.size());
  try {
    const Json head = Json::parse(line);
    if (head.at("job").get<std::string>() != name) return {};
    Unpacked made;
    made.record.command = job.operation->name;
    made.record.seed = job.seed;
    if (head.contains("points")) made.record.points = head["points"].get<std::size_t>();
    made.record.warnings = head.at("warnings").get<std::vector<std::string>>();
    std::vector<char> taken(outputs.size(), 0);
    for (const Json& file : head.at("files")) {
      const auto place = file.at("file").get<std::size_t>();
      const auto kind = file.at("kind").get<int>();
      const auto bytes = file.at("bytes").get<std::size_t>();
      if (place >= outputs.size() || taken[place] || bytes > entry.size() || kind < 0 ||
          kind > static_cast<int>(OutputKind::sidecar)) {
        return {};
      }
      taken[place] = 1;
      made.files.push_back(entry.substr(0, bytes));
      entry.remove_prefix(bytes);
      if (digest_of(made.files.back()) != file.at("hash").get<std::string>()) return {};
      WrittenOutput output;
      output.path = outputs[place];
      output.kind = static_cast<OutputKind>(kind);
      output.width = file.at("width").get<double>();
      output.height = file.at("height").get<double>();
      made.record.outputs.push_back(std::move(output));
    }
    if (!entry.empty() || made.files.empty()) return {};
    return made;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

}  // namespace

CachePlace parse_cache(const std::string& text) {
  constexpr std::string_view scheme = "http://";
  if (text.starts_with("https://")) {
    throw Error(ErrorKind::usage,
                "https:// is not supported: run a proxy on this machine that speaks TLS to the "
                "server, and give the http:// address of the proxy");
  }
  if (text.empty() || (text.find("://") != std::string::npos && !text.starts_with(scheme))) {
    throw Error(ErrorKind::usage, "must be a folder or an address that begins with http://");
  }
  if (!text.starts_with(scheme)) return {text, "", "", ""};
  CachePlace place;
  const std::string rest = text.substr(scheme.size());
  const std::string authority = rest.substr(0, rest.find('/'));
  place.path = rest.substr(authority.size()) + (rest.ends_with('/') ? "" : "/");
  const auto bracket = authority.find(']');  // of an IPv6 address
  const auto colon = authority.find(':', bracket == std::string::npos ? 0 : bracket);
  place.host = authority.substr(0, colon);
  place.port = colon == std::string::npos ? "80" : authority.substr(colon + 1);
  const bool digits = !place.port.empty() && place.port.size() <= 5 &&
                      place.port.find_first_not_of("0123456789") == std::string::npos;
  const bool plain = std::all_of(rest.begin(), rest.end(), [](char c) {
    return c > ' ' && c < 0x7f && std::string_view("@?#\\\"<>").find(c) == std::string_view::npos;
  });
  if (place.host.empty() || !digits || !plain) {
    throw Error(ErrorKind::usage,
                "must have the form http://HOST[:PORT][/PATH], without a user, a query or blanks");
  }
  return place;
}

BatchCache::BatchCache(const BatchOptions& options, int at_a_time, const Context& context,
                       bool only_look, std::function<void(const std::string&)> warn)
    : place_(options.cache),
      largest_(std::min(largest_entry, memory_limit(context.limits) / (4 * at_a_time))),
      warn_(std::move(warn)) {
  const CachePlace place = parse_cache(options.cache);
  if (place.folder.empty()) {
    store_ = http_store(place, largest_, context);
    return;
  }
  std::error_code failure;
  if (!only_look) fs::create_directories(place.folder, failure);
  if (failure || (!only_look && !fs::is_directory(place.folder, failure))) {
    throw Error(ErrorKind::output,
                "the cache cannot be created: " +
                    (failure ? failure.message() : std::string("a file has this name")),
                place.folder);
  }
  store_ = folder_store(place.folder, options.cache_bytes, largest_);
}

std::string BatchCache::name_of(const BatchJob& job, const ManifestInputs& inputs) {
  for (const Recipe::Setting& setting : job.options->recipe.settings) {
    // A proof counts on the machine that makes it. The key does not hold a color configuration.
    if (setting.name == "certify" ||
        (setting.name == "colorspace" && output_space(setting.text)->convert)) {
      return "";
    }
  }
  Json key =
      Json::array({DAPPLE_VERSION, std::string(job.operation->name), job.seed, job.options->carried,
                   utf8_of_name(file_name(job.input)), job.materials, job.no_recipe});
  for (const auto& [option, file] : inputs) {
    if (file.changed < 0) return "";  // numbered files, or a pipe
    key.push_back(option);
    key.push_back(file.hash);
  }
  for (const std::string& path : job.outputs) {
    const std::string extension = extension_of(path);
    const bool named = !job.materials.empty() || holds_name(extension);
    key.push_back({extension, has_output_part(path), named ? utf8_of_name(file_name(path)) : ""});
  }
  std::string name = sha256(text_of(key, -1));
  return name.insert(2, "/");
}

bool BatchCache::has(const std::string& name) {
  try {
    return !name.empty() && reads_ && store_->has(name);
  } catch (const Error& error) {
    failed(Use::read, error);
    return false;
  }
}

std::optional<Record> BatchCache::find(const std::string& name, const BatchJob& job,
                                       FileGroup& files) {
  std::optional<std::string> entry;
  if (name.empty() || !reads_) return std::nullopt;
  try {
    entry = store_->get(name);
    failures_ = 0;
  } catch (const Error& error) {
    failed(Use::read, error);
  }
  if (!entry) return std::nullopt;
  std::optional<Unpacked> made = unpacked(*entry, name, job, files_of(job));
  if (!made) {
    warn_once(warned_of_damage_, "the entry " + name + " of the cache " + place_ +
                                     " is damaged, so its job runs and replaces it; others like "
                                     "it are not named");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < made->files.size(); ++i) {
    WrittenOutput& output = made->record.outputs[i];
    output.unchanged = !files.add(output.path, std::string(made->files[i]));
  }
  return std::move(made->record);
}

void BatchCache::store(const std::string& name, const BatchJob& job, const ManifestInputs& inputs,
                       const Record& record, const FileGroup& files) {
  if (name.empty() || !writes_ || files.has_streams()) return;
  const std::vector<std::string> outputs = files_of(job);
  std::vector<std::size_t> places;
  std::vector<std::string> bytes;
  std::int64_t left = largest_;
  try {
    for (const WrittenOutput& output : record.outputs) {
      const auto found = std::find(outputs.begin(), outputs.end(), output.path);
      // Names of numbered files are known only now. An unchanged file is not in `files`.
      if (found == outputs.end() || output.unchanged) return;
      places.push_back(static_cast<std::size_t>(found - outputs.begin()));
      bytes.push_back(read_file(files.place_of(output.path), left));
      left -= static_cast<std::int64_t>(bytes.back().size());
    }
  } catch (const Error&) {
    return;  // too large
  }
  // The job may have read other bytes than those of the key.
  if (names_files(record.warnings, job, outputs) || !have_states(job, inputs)) return;
  try {
    store_->put(name, packed(name, record, places, bytes));
  } catch (const Error& error) {
    failed(Use::write, error);
  }
}

void BatchCache::failed(Use use, const Error& error) {
  if (error.kind() == ErrorKind::cancelled) return;
  // A place that cannot be reached, or not be written, will not recover soon.
  if (++failures_ >= most_failures || error.kind() == ErrorKind::limit) reads_ = writes_ = false;
  if (use == Use::write && error.kind() == ErrorKind::output) writes_ = false;
  warn_once(warned_of_failure_, "the cache " + place_ + " cannot be " +
                                    (use == Use::read ? "read" : "written") + ": " +
                                    text_of(error) + "; jobs run without it where it fails");
}

void BatchCache::warn_once(std::atomic<bool>& warned, const std::string& text) {
  if (!warned.exchange(true)) warn_(text);
}

}  // namespace dapple::app

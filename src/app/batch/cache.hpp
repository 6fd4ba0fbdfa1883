// Keeps the results of jobs for other runs, users and machines, in a folder or behind a web server.
//
// An entry holds all files of a job. Its name is a hash of everything that decides their bytes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/batch/batch.hpp"

namespace dapple::app {

// The place of a cache: a folder, or a web server.
struct CachePlace {
  std::string folder;  // "": a web server
  std::string host;
  std::string port;
  std::string path;  // of all entries, begins and ends with a slash
};
// Parses DIR or http://HOST[:PORT][/PATH]; throws Error(usage).
CachePlace parse_cache(const std::string& text);

// Stores entries by name. Several threads may use it. Functions throw Error if the place fails.
class CacheStore {
 public:
  virtual ~CacheStore() = default;
  // Returns an entry, or nothing if there is none.
  virtual std::optional<std::string> get(const std::string& name) = 0;
  virtual bool has(const std::string& name) = 0;
  // Adds or replaces an entry, which appears whole.
  virtual void put(const std::string& name, const std::string& bytes) = 0;
};

// Returns the store in a folder. Once its entries have more than `most_bytes`, the least recently
// used are removed; 0: never. Entries larger than `largest` are not read. (cache_folder.cpp)
std::unique_ptr<CacheStore> folder_store(const std::string& folder, std::int64_t most_bytes,
                                         std::int64_t largest);
// Returns the store behind a web server, which reads no entry larger than `largest`. A cancel of
// `context` ends its requests. (http/store.cpp)
std::unique_ptr<CacheStore> http_store(const CachePlace& place, std::int64_t largest,
                                       const Context& context);

class BatchCache {
 public:
  // Uses the cache that `options` name, for as many concurrent jobs. `warn` takes each warning; any
  // thread may call it. Throws Error(output) if the folder cannot be created; `only_look` creates
  // none.
  BatchCache(const BatchOptions& options, int at_a_time, const Context& context, bool only_look,
             std::function<void(const std::string&)> warn);

  // Returns the name of a job's entry, or "" if the job is not to be cached.
  static std::string name_of(const BatchJob& job, const ManifestInputs& inputs);
  // Returns true if there is an entry, which may be damaged.
  bool has(const std::string& name);
  // Adds the files of an entry to `files`. Returns nothing if there is no valid entry. Throws
  // Error(output) like FileGroup::add().
  std::optional<Record> find(const std::string& name, const BatchJob& job, FileGroup& files);
  // Stores the files of a job that has run; `files` still waits for commit().
  void store(const std::string& name, const BatchJob& job, const ManifestInputs& inputs,
             const Record& record, const FileGroup& files);

 private:
  enum class Use { read, write };
  void failed(Use use, const Error& error);
  void warn_once(std::atomic<bool>& warned, const std::string& text);

  std::string place_;
  std::int64_t largest_;  // bytes of an entry
  std::unique_ptr<CacheStore> store_;
  std::function<void(const std::string&)> warn_;
  std::atomic<int> failures_{0};  // since the last success
  std::atomic<bool> reads_{true};
  std::atomic<bool> writes_{true};
  std::atomic<bool> warned_of_failure_{false};
  std::atomic<bool> warned_of_damage_{false};
};

}  // namespace dapple::app

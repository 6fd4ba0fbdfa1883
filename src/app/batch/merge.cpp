// Joins the manifests of shards. No shard may be missing, incomplete or duplicated.
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "app/batch/batch.hpp"

namespace dapple::app {
namespace {

// The shards in the lines of the manifests.
class Shards {
 public:
  // `manifest` must outlive this object.
  void add(const std::string& path, const Manifest& manifest) {
    if (manifest.part.batch.empty()) return;  // from an earlier build or a shard without jobs
    Batch& batch = batches_[manifest.part.batch];
    std::map<int, Part> parts;
    std::map<int, std::size_t> jobs;
    for (const ManifestEntry& entry : manifest.entries) {
      if (entry.part.batch != manifest.part.batch) continue;  // from an older batch file
      parts[entry.part.shard.index] = entry.part;
      ++jobs[entry.part.shard.index];
      if (!batch.known.insert(entry.job).second) batch.overlapping.insert(path);
    }
    if (batch.shards.empty()) batch.count = manifest.part.shard.count;
    for (const auto& [index, part] : parts) {
      const std::string name = "shard " + text_of(part.shard);
      const auto [other, is_new] = batch.shards.emplace(index, path);
      if (!is_new) {
        problem("contains " + name + ", and so does '" + other->second + "': leave one of them out",
                path);
      } else if (part.shard.count != batch.count) {
        problem("contains " + name + ", but '" + batch.shards.begin()->second +
                    "' splits the same batch into " + std::to_string(batch.count) + " shards",
                path);
      } else if (jobs[index] < part.shard_jobs) {
        problem("contains only " + std::to_string(jobs[index]) + " of the " +
                    std::to_string(part.shard_jobs) + " jobs of " + name +
                    ": finish that shard first",
                path);
      }
      batch.shard_jobs += part.shard_jobs;
      batch.jobs = part.batch_jobs;
    }
  }

  void check() {
    constexpr int most = 100;
    for (const auto& [id, batch] : batches_) {
      if (batch.shard_jobs >= batch.jobs) {
        check_overlap(batch);
        continue;
      }
      for (int index = 1, said = 0; index <= batch.count && said < most; ++index) {
        if (batch.shards.contains(index)) continue;
        ++said;
        problem("shard " + text_of(Shard{index, batch.count}) + " of the batch in '" +
                    batch.shards.begin()->second + "' is missing",
                "");
      }
    }
    if (!problems_.empty()) throw Error(ErrorKind::input, problems_);
  }

 private:
  struct Batch {
    int count = 1;
    std::size_t jobs = 0;
    std::size_t shard_jobs = 0;         // jobs of the shards found so far
    std::map<int, std::string> shards;  // path of each shard's manifest
    std::unordered_set<std::string_view> known;
    std::set<std::string> overlapping;  // manifests with jobs of an earlier manifest
  };

  // Shards overlap if machines saw different input sizes. This is harmless unless jobs are missing.
  void check_overlap(const Batch& batch) {
    if (batch.known.size() >= batch.jobs || !problems_.empty()) return;
    for (const std::string& path : batch.overlapping) {
      problem(
          "contains jobs of another shard, and other jobs are in no shard: the machines split the "
          "batch differently, so run it again with the same inputs on each machine",
          path);
    }
  }

  void problem(const std::string& what, const std::string& path) {
    problems_.push_back({"", what, path});
  }

  std::map<std::string, Batch> batches_;
  std::vector<Problem> problems_;
};

}  // namespace

std::string merge_manifests(const std::vector<std::string>& paths, Context& context) {
  Shards shards;
  std::vector<Manifest> manifests;
  manifests.reserve(paths.size());  // keeps addresses valid
  std::vector<const ManifestEntry*> merged;
  std::unordered_map<std::string, std::size_t> places;
  for (const std::string& path : paths) {
    const Manifest& manifest = manifests.emplace_back(read_manifest(path, false, context));
    shards.add(path, manifest);
    for (const ManifestEntry& entry : manifest.entries) {
      const auto [place, is_new] = places.emplace(entry.job, merged.size());
      if (is_new) {
        merged.push_back(&entry);
        continue;
      }
      if (entry.done || !merged[place->second]->done) {
        merged[place->second] = &entry;
      }
    }
  }
  shards.check();
  std::string text;
  for (const ManifestEntry* entry : merged) text.append(entry->line) += '\n';
  return text;
}

}  // namespace dapple::app

// Keeps the entries of a cache in a folder, which several processes and machines may use at once.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <sys/stat.h>
#include <system_error>

#include "app/batch/cache.hpp"
#include "dapple/files.hpp"
#include "io/write_all.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;
using Time = fs::file_time_type;

constexpr std::chrono::hours fresh{1};       // an entry counts as just used for this time
constexpr std::chrono::hours abandoned{24};  // age of a file that a killed process left

class FolderStore : public CacheStore {
 public:
  FolderStore(fs::path folder, std::int64_t most_bytes, std::int64_t largest)
      : folder_(std::move(folder)), most_bytes_(most_bytes), largest_(largest) {}

  std::optional<std::string> get(const std::string& name) override {
    const fs::path path = folder_ / name;
    const fs::file_type type = type_of(path);
    if (type == fs::file_type::not_found) return std::nullopt;
    if (type != fs::file_type::regular) return "";  // no entry, so it is replaced
    std::optional<std::string> entry;
    try {
      entry = read_file(path.string(), largest_);
    } catch (const Error& error) {
      // Another process may have removed the entry since.
      if (error.kind() == ErrorKind::limit || !has(name)) return std::nullopt;
      throw;
    }
    std::error_code ignored;
    if (fs::last_write_time(path, ignored) + fresh < Time::clock::now()) touch(path);
    return entry;
  }

  bool has(const std::string& name) override {
    return type_of(folder_ / name) != fs::file_type::not_found;
  }

  void put(const std::string& name, const std::string& bytes) override {
    const fs::path path = folder_ / name;
    int code = replace_file(path, bytes);
    if (code == ENOENT) {
      std::error_code failure;
      fs::create_directories(path.parent_path(), failure);  // or another thread does it first
      code = replace_file(path, bytes);
    }
    if (code != 0) throw Error(ErrorKind::output, std::generic_category().message(code));
    if (most_bytes_ > 0) account(static_cast<std::int64_t>(bytes.size()));
  }

 private:
  // Returns the type of a file, of a link itself.
  static fs::file_type type_of(const fs::path& path) {
    std::error_code failure;
    const fs::file_type type = fs::symlink_status(path, failure).type();
    if (type == fs::file_type::none) throw Error(ErrorKind::input, failure.message());
    return type;
  }

  // Sets the time of an entry to now, also if another user owns it.
  static void touch(const fs::path& path) {
#ifdef _WIN32
    std::error_code ignored;
    fs::last_write_time(path, Time::clock::now(), ignored);
#else
    ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
#endif
  }

  // Counts a new entry. Looks at the folder again if it may be full: at first, at the limit, and
  // after each eighth of the limit, since others write too.
  void account(std::int64_t size) {
    const std::lock_guard lock(mutex_);
    known_ += size;
    added_ += size;
    if (looked_ && known_ <= most_bytes_ && added_ <= most_bytes_ / 8) return;
    looked_ = true;
    added_ = 0;
    trim();
  }

  // Calls step(path, time, size) for each entry of the folder. Other files are not touched, except
  // what a killed process left.
  template <class Step>
  void for_each_entry(const Step& step) const {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto is_name = [&](const std::string& name, std::size_t size) {
      return name.size() == size && name.find_first_not_of(digits) == std::string::npos;
    };
    const auto for_each_in = [](const fs::path& folder, const auto& body) {
      std::error_code failure;
      for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
           it.increment(failure)) {
        body(it->path());
      }
    };
    for_each_in(folder_, [&](const fs::path& part) {
      if (!is_name(part.filename().string(), 2)) return;
      for_each_in(part, [&](const fs::path& path) {
        const std::string name = path.filename().string();
        const bool draft = name.starts_with(".dapple-") && name.ends_with(".tmp");
        std::error_code failure;
        if (!draft && !is_name(name, 62)) return;
        const Time time = fs::last_write_time(path, failure);
        const auto size = failure ? 0 : fs::file_size(path, failure);
        if (failure) return;
        if (draft) {
          if (time + abandoned < Time::clock::now()) fs::remove(path, failure);
          return;
        }
        step(path, time, static_cast<std::int64_t>(size));
      });
    });
  }

  // Removes the least recently used entries until nine tenths of the limit are left. Processes that
  // trim at once choose the same entries.
  void trim() {
    std::vector<std::pair<Time, std::int64_t>> entries;
    known_ = 0;
    for_each_entry([&](const fs::path&, Time time, std::int64_t size) {
      entries.emplace_back(time, size);
      known_ += size;
    });
    if (known_ <= most_bytes_) return;
    const std::int64_t wanted = most_bytes_ / 10 * 9;
    std::sort(entries.begin(), entries.end());
    Time last{};
    std::int64_t left = known_;
    for (const auto& [time, size] : entries) {
      if (left <= wanted) break;
      last = time;
      left -= size;
    }
    for_each_entry([&](const fs::path& path, Time time, std::int64_t size) {
      std::error_code failure;
      if (known_ <= wanted || time > last) return;
      if (fs::remove(path, failure) || !failure) known_ -= size;
    });
  }

  fs::path folder_;
  std::int64_t most_bytes_;
  std::int64_t largest_;
  std::mutex mutex_;  // protects the members below
  bool looked_ = false;
  std::int64_t known_ = 0;  // bytes of all entries when last seen, and of those added since
  std::int64_t added_ = 0;
};

}  // namespace

std::unique_ptr<CacheStore> folder_store(const std::string& folder, std::int64_t most_bytes,
                                         std::int64_t largest) {
  return std::make_unique<FolderStore>(folder, most_bytes, largest);
}

}  // namespace dapple::app

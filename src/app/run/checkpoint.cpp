#include "app/run/checkpoint.hpp"

#include <filesystem>
#include <limits>

#include "dapple/checkpoint.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/digest.hpp"

namespace dapple::app {
namespace {

std::string state_digest(const std::string& state) {
  return sha256(state) + "\n";
}

}  // namespace

std::shared_ptr<Checkpoint> open_checkpoint(const std::string& path, const std::string& run,
                                            double every) {
  check_output(path, Overwrite::always);
  const std::string first = "dapple checkpoint\n";
  const std::string head = first + sha256(run) + "\n";
  auto checkpoint = std::make_shared<Checkpoint>();
  checkpoint->every = every;
  if (std::filesystem::exists(path)) {
    const std::string bytes = read_file(path, std::numeric_limits<std::int64_t>::max());
    if (!bytes.starts_with(first)) {
      throw Error(ErrorKind::input, "exists but is not a checkpoint: name another file", path);
    }
    if (!bytes.starts_with(head)) {
      throw Error(ErrorKind::input,
                  "is the checkpoint of a run with other options, another picture or another "
                  "version: remove it, or name another file",
                  path);
    }
    // A damaged state would give other dots.
    const std::size_t start = head.size() + state_digest("").size();
    if (bytes.size() < start ||
        state_digest(bytes.substr(start)) != bytes.substr(head.size(), start - head.size())) {
      throw Error(ErrorKind::input,
                  "is a damaged checkpoint: remove it to start the run anew, or name another file",
                  path);
    }
    checkpoint->kept = bytes.substr(start);
  }
  checkpoint->keep = [path, head](const std::string& state) {
    write_file(path, head + state_digest(state) + state, Overwrite::always);
  };
  return checkpoint;
}

}  // namespace dapple::app

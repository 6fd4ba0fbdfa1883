// Runs an operation once: loads inputs, runs, writes outputs. A process may do many runs, in
// sequence or concurrently, with a context each.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/record.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/recipe.hpp"
#include "io/file_identity.hpp"

namespace dapple::app {

// Hashes or names of files by option; `input` is the input of the run.
using Hashes = std::vector<std::pair<std::string, std::string>>;

// A job whose options are being set; execute() runs it.
struct Run : OutputOptions {
  explicit Run(const Operation& row, OptionList::Extent extent = OptionList::Extent::whole);
  // The options refer to fields of the job, whose address does not change.
  Run(Run&&) = default;

  const Operation* operation;
  std::unique_ptr<Job> job;
  OptionList options;  // set by apply() with a recipe, or one by one

  std::string input;                   // "": none, "-": standard input
  std::string preset;                  // for {preset} in names
  std::vector<std::string> recipes{};  // files that set options
  int frame = -1;                      // the only slice to write; -1: all
  int tile = 0;                        // the number of the only tile to write; 0: all
  std::string part;                    // the only tile of a drawing to write, COLUMN-ROW; "": all
  std::string only;                    // the only output of an image, or the only ink; "": all

  // For a run that repeats another: the recorded names of `input` and of the files of options, and
  // their required hashes. A file with another hash throws Error(input).
  Hashes recorded_names;
  Hashes expected_hashes;
};

// Returns a problem with the input that is known before reading it, or "".
std::string input_problem(const Run& run);
// Returns the given options without effect, except those set by a preset.
std::vector<Problem> idle_problems(const Run& run);
// As above, but first come options that contradict each other, or that require or exclude an input.
std::vector<Problem> option_problems(const Run& run, bool has_input);
struct PlannedOutput;
// Throws Error(usage) if no file can hold the given depth of values (`bits`), unless a preset set
// it.
void check_bits(const Run& run, const std::vector<PlannedOutput>& planned);
// Returns the outputs that a run will write; execute() checks them again. Throws Error(usage). With
// Targets::now it also checks folders and files and throws Error(output).
enum class Targets { now, later };
std::vector<PlannedOutput> plan(const Run& run, const Context& context,
                                Targets targets = Targets::now);

// Returns name templates for a run without named outputs. The files lie in `folder` ("": the
// current one) and are numbered so that none exists. `extensions` replace the operation's formats
// unless empty. Throws Error(usage) like plan().
std::vector<std::string> free_names(const Run& run, const Context& context,
                                    const std::string& folder,
                                    const std::vector<std::string>& extensions = {});

// Returns the files of a run beside its outputs, such as its inputs and its checkpoint.
std::vector<UsedFile> other_files(const Run& run);

// Returns the canonical name of the input: the number of a sequence becomes {frame}.
std::string input_name(const Operation& operation, const std::string& input);
// Returns true if the input is a sequence, in which each picture has its own outputs.
bool is_sequence(const Run& run);

// Loads, runs and writes. On an error, throws Error and leaves none of the run's files;
// dapple/files.hpp states the guarantees. Seed, threads and limits come from the context.
Record execute(Run& run, Context& context);

// As above, but leaves the complete files in `files`, which must have the run's `overwrite`. The
// caller calls commit().
Record execute_uncommitted(FileGroup& files, Run& run, Context& context);

// The input, unless it is a sequence, and the recipe with all its files.
struct Loaded {
  std::optional<Image> input;
  std::string toml;
};

// Loads the input and every file that options name. `to_look_at`: chooses undecided options for a
// picture of the result. Throws Error(input), also for files that differ from the expected hashes.
Loaded load(Run& run, Context& context, bool to_look_at);

// A run whose result stays in memory, for callers other than the command line.
struct InMemory {
  Result result;
  std::string recipe;
  Record record;  // without outputs
};
// Runs in memory. `input` replaces a file; nullptr means the run's input. Options may hold data in
// memory. `to_measure`: the result holds data that only a report needs. Throws like execute(), and
// Error(usage) for options that contradict each other or have no effect.
InMemory make(Run& run, const Image* input, Context& context, bool to_measure = true);
// Save the result to `path` atomically, or return the bytes of a file with `extension`.
std::vector<WrittenOutput> save(InMemory& made, Run& run, const std::string& path,
                                Context& context);
std::string encode(InMemory& made, Run& run, const std::string& extension, Context& context);

// Returns the run as a recipe: command, seed, input, and the options that are set, or `all`
// options.
Recipe recipe_of(const Run& run, const Context& context, bool all);
// As above, but for outputs, which strangers may read: leaves out folders of files.
Recipe carried_recipe(const Run& run, const Context& context);

// Returns the digest of a file, or of all numbered files for a name with {frame}, in the form of
// `recorded`. Throws Error(input).
std::string hash_of_file(const std::string& path, std::string_view recorded = {});

// Returns the hash for `name`, or "" if there is none.
std::string_view recorded_for(const Hashes& hashes, std::string_view name);

// Returns the value of the option `profile`, or its default if there is no such option.
EmbeddedProfile profile_in(const OptionList& options);
// Reads a picture as these options want it, with all its frames or the first one. Warns of what the
// reader took for granted or left out.
Image read_picture(const std::string& path, bool frames, const OptionList& options,
                   Context& context);

// Loads every file that options name. Returns their hashes in the form of the recorded ones.
Hashes load_files(const OptionList& options, Context& context, const Hashes& recorded = {});

}  // namespace dapple::app

// One run of an operation: inputs loaded, the operation run, outputs written. A process may do as
// many runs as it likes, one after the other or at the same time, each with its own context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/record.hpp"
#include "dapple/files.hpp"
#include "dapple/operation.hpp"
#include "dapple/options.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

// Hashes of files, or their names, by the option that names each; `input` for that of the run.
using Hashes = std::vector<std::pair<std::string, std::string>>;

// A job whose options are being set; run it with execute().
struct Run : OutputOptions {
  explicit Run(const Operation& row, OptionList::Extent extent = OptionList::Extent::whole);
  // Options refer to the job's fields, which stay where they are.
  Run(Run&&) = default;

  const Operation* operation;
  std::unique_ptr<Job> job;
  OptionList options;  // apply() a recipe to it, or set single options

  std::string input;   // "": none, "-": standard input
  std::string preset;  // for {preset} in names
  int frame = -1;      // writes only this slice of an image; -1: all
  int tile = 0;        // writes only the tile of this number; 0: all of a set
  std::string part;    // writes only this tile of a drawing, COLUMN-ROW; "": all
  std::string only;    // writes this one alone of the outputs that an image is made of; "": all

  // For a run that repeats another, `input` and by option: the names of its files as that one
  // recorded them, and the hashes they must have. A file that differs throws Error(input).
  Hashes recorded_names;
  Hashes expected_hashes;
};

// The problem with the input that is known before it is read, or "".
std::string input_problem(const Run& run);
// Options that have no effect, but for those that a preset proposes.
std::vector<Problem> idle_problems(const Run& run);
// These, after the options that contradict one another or that want (or do without) an input.
std::vector<Problem> option_problems(const Run& run, bool has_input);
struct PlannedOutput;
// Throws Error(usage) for a depth of values (`bits`) that none of these files holds; a preset may
// propose one.
void check_bits(const Run& run, const std::vector<PlannedOutput>& planned);
// The outputs a run will write. execute() checks both; whoever wants to know early may too. Throws
// Error(usage) and, where the folders and files are looked at now, Error(output).
enum class Targets { now, later };
std::vector<PlannedOutput> plan(const Run& run, const Context& context,
                                Targets targets = Targets::now);

// Names, as templates, for a run that names no output: in that folder ("": this one), numbered such
// that no file of them is there; of these formats, or none: the operation's own. Throws
// Error(usage) as plan() does.
std::vector<std::string> free_names(const Run& run, const Context& context,
                                    const std::string& folder,
                                    const std::vector<std::string>& extensions = {});

// The input as runs know it: a sequence with {frame}, however its number was written.
std::string input_name(const Operation& operation, const std::string& input);
// Whether the input is a sequence, each picture of which makes outputs of its own.
bool is_sequence(const Run& run);

// Loads, runs, writes. Throws Error, and then none of the run's files is there; dapple/files.hpp
// says what is promised. The seed, threads and limits are the context's.
Record execute(Run& run, Context& context);

// The same, but for names: the files, of a group with the run's `overwrite`, are complete, and
// commit() is the caller's.
Record execute_uncommitted(FileGroup& files, Run& run, Context& context);

// The input where it is a file, not a sequence of them, and the recipe that tells of all files.
struct Loaded {
  std::optional<Image> input;
  std::string toml;
};

// Loads the input and every file that options name. `to_look_at`: options that are left open are
// settled for a picture of the result. Throws Error(input), also for files that are not what the
// run expects.
Loaded load(Run& run, Context& context, bool to_look_at);

// A run whose result stays in memory, for callers that are no command line: what it made, and the
// recipe that files of it carry.
struct InMemory {
  Result result;
  std::string recipe;
  Record record;  // without outputs
};
// `input`: in place of a file; nullptr: that of the run. Options may hold what was given in memory.
// `to_measure`: the result holds what only a report needs. Throws as execute() does, and
// Error(usage) for options that leave each other nothing to do.
InMemory make(Run& run, const Image* input, Context& context, bool to_measure = true);
// The file of that name, whole or not at all; and the bytes of one of that format.
std::vector<WrittenOutput> save(InMemory& made, Run& run, const std::string& path,
                                Context& context);
std::string encode(InMemory& made, Run& run, const std::string& extension, Context& context);

// The run as a recipe: its command, seed, input and options; every option where `all`.
Recipe recipe_of(const Run& run, const Context& context, bool all);
// The same as outputs carry it, which strangers read: files by their names without folders.
Recipe carried_recipe(const Run& run, const Context& context);

// The digest of a file, or of all numbered files of a name with {frame}, in the form of the one
// `recorded` for it. Throws Error(input).
std::string hash_of_file(const std::string& path, std::string_view recorded = {});

// The one of that name, "" where there is none.
std::string_view recorded_for(const Hashes& hashes, std::string_view name);

// Loads every file that options name. Returns the hash of each, in the form of the recorded one.
Hashes load_files(const OptionList& options, Context& context, const Hashes& recorded = {});

}  // namespace dapple::app

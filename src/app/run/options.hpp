// Defines the options common to all commands and runs, as structs with descriptions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/checkpoint.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/files.hpp"
#include "dapple/forward.hpp"
#include "dapple/image_files.hpp"
#include "dapple/limits.hpp"

namespace dapple::app {

enum class ShowProgress { automatic, always, never };
constexpr auto option_names(ShowProgress) {
  return words_to<ShowProgress::never>("auto", "always", "never");
}

// The outputs of a run.
struct OutputOptions {
  std::vector<std::string> outputs;  // name templates; empty: default_name()
  Overwrite overwrite = Overwrite::always;
  bool report = false;
  std::string report_sheet;  // template of the file that shows the report; "": none
  std::string checkpoint;    // file with the progress of an unfinished run; "": none
  double checkpoint_every = Checkpoint{}.every;
  bool certificate = false;            // write a certificate beside each file
  std::string emit;                    // language of the outputs, which are source code; "": any
  bool generator = false;              // write source code that makes the mask
  std::vector<std::string> materials;  // formats of files that join outputs into one material
  bool no_recipe = false;              // omit the recipe from outputs

  bool measures() const { return report || !report_sheet.empty(); }
};

struct RunOptions : OutputOptions {
  std::vector<std::string> presets;
  std::vector<std::string> variants;  // columns and rows of a sheet
  std::string recipe;
  std::string machine;  // name of a plotter; "": use the options
  bool print_recipe = false;
  std::uint64_t seed = 1;
  int threads = 0;
  std::int64_t max_pixels = Limits{}.max_pixels;
  std::string max_memory;
  std::vector<std::string> allowed_formats;
  Sandbox sandbox = Sandbox::automatic;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  ShowProgress progress = ShowProgress::automatic;
  bool open = false;  // show the result at the end
  bool help = false;
  bool version = false;
};

// Describes --help, --version, --json and --quiet, for every command.
void describe_basics(RunOptions& options, OptionList& list);
// Describes limits, threads and progress, for commands that compute.
void describe_machine(RunOptions& options, OptionList& list);
// Describes outputs, for commands that write a file.
void describe_outputs(RunOptions& options, OptionList& list, std::string_view default_output);
// Describes presets, recipes and the seed, for commands that run an operation.
void describe_recipes(RunOptions& options, OptionList& list);

// Copies seed, threads and limits into `context`.
void configure(Context& context, const RunOptions& options);

// Returns the bytes of a size such as 512M, 2G or 1.5GiB (powers of 1024); throws Error(usage).
std::int64_t parse_bytes(std::string_view text);

// Returns a check for an option that is parsed later: the error message of `parse`, or "".
template <class Parse>
auto rule_of(Parse parse) {
  return [parse](std::string_view text) {
    try {
      parse(text);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
}

}  // namespace dapple::app

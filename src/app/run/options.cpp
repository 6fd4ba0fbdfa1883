// Describes the options common to runs and applies them to a context.
#include "app/run/options.hpp"

#include <algorithm>
#include <cmath>

#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {

void describe_outputs(RunOptions& options, OptionList& list, std::string_view default_output) {
  list.group("Output");
  Option& output =
      list.add_each(
              "out", options.outputs,
              "File to write; may be repeated; the extension sets the format, and - is standard "
              "output; the name may contain {stem}, {seed}, {preset} and {command}; {frame} writes "
              "one numbered file per slice of an animation or volume, <UDIM> one per tile of a "
              "set, and {ink} one per ink of a drawing")
          .essential()
          .metavar("FILE")
          .letter('o')
          .alias("output");
  output.default_text = default_output;
  list.add("overwrite", options.overwrite,
           "What to do with existing files: if-changed leaves identical files untouched");
}

void describe_recipes(RunOptions& options, OptionList& list) {
  list.group("Recipe");
  list.add_each("preset", options.presets,
                "Start from a preset, by name or file; may be repeated, later ones win")
      .essential()
      .metavar("NAME|FILE");
  list.add("recipe", options.recipe,
           "Start from the recipe in a recipe file or in an output of dapple, such as out.svg; "
           "wins over presets")
      .metavar("FILE");
  list.add("seed", options.seed,
           "Random seed; the same seed, options and version give the same bytes")
      .essential();
  list.add("print-recipe", options.print_recipe,
           "Print the resolved recipe as TOML without running it");
  list.add("no-recipe", options.no_recipe, "Write outputs without their recipe");
}

void describe_machine(RunOptions& options, OptionList& list) {
  list.group("Machine");
  list.add("threads", options.threads,
           "Threads to use; 0 uses all; the number never changes the result")
      .range(0, 1024);
  list.add("max-pixels", options.max_pixels, "Refuse images with more pixels").at_least(1);
  list.add("max-memory", options.max_memory,
           "Refuse work that needs more memory, such as 2G (default: 80 % of the memory of the "
           "machine or of its control group)")
      .metavar("BYTES")
      .check(rule_of(parse_bytes));
  list.add_each(
          "allow-format", options.allowed_formats,
          "Also read images of this format, by its OpenImageIO name, such as psd; may be repeated")
      .metavar("NAME")
      .check([](std::string_view text) {
        const auto names = other_formats();
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        std::string known;
        for (const std::string_view name : names) {
          known += (known.empty() ? "" : ", ") + std::string(name);
        }
        return "must be one of " + known;
      });
  list.add(
      "sandbox", options.sandbox,
      "Decode PDF files, and images other than PNG, JPEG, Netpbm and PFM, in a separate "
      "process with few rights; if the system cannot enforce all limits, auto warns and always "
      "refuses the file; never: in this process");
  list.add("progress", options.progress,
           "Show progress on standard error; auto: only on a terminal");
}

void describe_basics(RunOptions& options, OptionList& list) {
  list.group("General");
  list.add("json", options.json, "Print one JSON object about the run on standard output");
  list.add("quiet", options.quiet, "Print only errors on standard error").letter('q');
  list.add("verbose", options.verbose, "Print how long each stage took").letter('v');
  list.add("help", options.help, "Show this help").essential().letter('h');
  list.add("version", options.version, "Show version, build and libraries");
}

void configure(Context& context, const RunOptions& options) {
  context.seed = options.seed;
  context.threads = options.threads;
  context.limits.max_pixels = options.max_pixels;
  context.limits.decoding = {options.allowed_formats, options.sandbox};
  if (!options.max_memory.empty()) context.limits.max_memory = parse_bytes(options.max_memory);
}

std::int64_t parse_bytes(std::string_view text) {
  double value = 0;
  std::string_view unit = text;
  const std::errc error = take_number(unit, value);
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    constexpr std::string_view letters = "KMGT";
    const char letter = static_cast<char>(unit.front() >= 'a' ? unit.front() - 32 : unit.front());
    const auto power = letters.find(letter);
    unit.remove_prefix(1);
    const bool known = power != std::string_view::npos &&
                       (unit.empty() || unit == "B" || unit == "b" || unit == "iB");
    factor = known ? std::ldexp(1.0, 10 * static_cast<int>(power + 1)) : 0;
  }
  const double bytes = value * factor;
  if (error != std::errc{} || !(bytes >= 1) || bytes > 9e18) {
    throw Error(ErrorKind::usage, "must be a size such as 512M or 2G");
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace dapple::app

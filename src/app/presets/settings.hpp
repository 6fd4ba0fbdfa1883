// How a run is set, wherever the words come from: a recipe or a preset first, options by their
// names after. The command line, batches, the studio and the C interface all go this way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/run/runner.hpp"

namespace dapple::app {

// What the recipe of a file says: options, which note that they come from `what`, the input, and
// the seed where there is one and `seed` is not nullptr. Throws Error(usage) for a recipe of
// another command, and as apply() does.
void take_recipe(const Recipe& recipe, const std::string& what, const std::string& file, Run& run,
                 std::uint64_t* seed);

// The same of a preset by its name or path, which {preset} in names becomes. Throws as
// load_preset() does, too.
void take_preset(const std::string& name, Run& run, std::uint64_t* seed);

// One option, or a pen or a machine that stands for several. Throws Error(usage) with the nearest
// name for one that is not there.
void set_option(const std::string& name, const std::string& text, Run& run);

// Throws Error(usage): `name` is no option of `whose`; and the nearest name, where there is one.
[[noreturn]] void refuse_option(std::string_view name, std::string_view whose,
                                const std::string& nearest);

}  // namespace dapple::app

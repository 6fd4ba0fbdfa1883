// Sets up a run: first a recipe or a preset, then options by name. The command line, batches, the
// studio and the C interface share these functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "app/run/runner.hpp"

namespace dapple::app {

// Applies the recipe of `file`: options (marked as coming from `what`) and input. Also sets `seed`
// if it is not nullptr and the recipe has one. Throws Error(usage) for a recipe of another command,
// and like apply().
void take_recipe(const Recipe& recipe, const std::string& what, const std::string& file, Run& run,
                 std::uint64_t* seed);

// As above, but for a preset by name or path. {preset} in names becomes its name. Also throws like
// load_preset().
void take_preset(const std::string& name, Run& run, std::uint64_t* seed);

// Sets one option; a pen or a machine sets several. Throws Error(usage) with the nearest name if
// the option does not exist.
void set_option(const std::string& name, const std::string& text, Run& run);

// Applies the user's settings, the file dapple/settings.toml in XDG_CONFIG_HOME, to `common`. The
// file may set the options of describe_machine(), which never change results; lists without these
// are left alone. No file is no error. Throws Error(usage) with the place of each mistake.
void take_user_settings(OptionList& common);

// Throws Error(usage): `name` is not an option of `whose`. The message adds `nearest` unless empty.
[[noreturn]] void refuse_option(std::string_view name, std::string_view whose,
                                const std::string& nearest);

}  // namespace dapple::app

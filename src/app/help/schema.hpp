// Describes an option as data, for programs that build a form, and the work that its change
// repeats.
#pragma once

#include <string>
#include <string_view>

#include "app/json.hpp"
#include "dapple/extend/operation.hpp"

namespace dapple::app {

// The parts of the work to repeat, in increasing order.
enum class Cost {
  drawing,  // dots keep places and sizes: ink, order, files
  sizes,    // dots keep their places
  tone,     // the picture requires dots elsewhere
  number,   // the number of dots changes
  all,
};
std::string_view word_of_cost(Cost cost);

// Returns the highest cost of changing `option`; Cost::all if the option is not listed.
Cost cost_of(const Operation& operation, std::string_view option);

// Returns the description; with `operation`, it includes the cost of a change.
Json schema_of(const Option& option, const Operation* operation = nullptr);

// Returns the JSON Schema of recipes or batch files: `kind` is recipe or batch. A nonempty
// `command` leaves out other commands. Throws Error(usage) for a command without recipes.
std::string json_schema_text(const std::string& kind, const std::string& command);

}  // namespace dapple::app

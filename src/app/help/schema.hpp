// Describes an option as data, for programs that build a form.
#pragma once

#include "app/json.hpp"
#include "dapple/extend/operation.hpp"

namespace dapple::app {

// Returns the description; with `operation`, it includes the cost of a change.
Json schema_of(const Option& option, const Operation* operation = nullptr);

}  // namespace dapple::app

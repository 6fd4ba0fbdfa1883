// An option as data, for whoever makes a form of it.
#pragma once

#include "app/json.hpp"
#include "dapple/operation.hpp"

namespace dapple::app {

// With what a change of it costs, where it is one of this operation.
Json schema_of(const Option& option, const Operation* operation = nullptr);

}  // namespace dapple::app

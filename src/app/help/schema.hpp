// An option as data, for whoever makes a form of it.
#pragma once

#include "app/json.hpp"
#include "dapple/options.hpp"

namespace dapple::app {

Json schema_of(const Option& option);

}  // namespace dapple::app

// The outputs that a renderer lights a surface by: rows, as all outputs have.
#pragma once

#include <span>

#include "generate/worley/output_row.hpp"

namespace dapple::cells {

std::span<const Output> surface_rows();

}  // namespace dapple::cells

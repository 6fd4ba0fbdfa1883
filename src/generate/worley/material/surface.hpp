// Lists the rows of outputs by which a renderer lights a surface.
#pragma once

#include <span>

#include "generate/worley/output_row.hpp"

namespace dapple::cells {

std::span<const Output> surface_rows();

}  // namespace dapple::cells

// Checks the winding of faces that share an edge.
#pragma once

#include <cstdint>
#include <string>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/space.hpp"

namespace dapple::surface {

struct Winding {
  std::int64_t faces = 0;      // faces to turn so that the two faces of each edge agree
  std::int64_t one_sided = 0;  // parts whose faces cannot all agree, whichever are turned
  std::int64_t of_many = 0;    // edges of more than two faces that disagree beyond the gate
};
Winding winding_of(const Mesh& mesh, double gate_degrees, const Context& context);

// Warns unless the context has the warning already, as many sets may use one mesh.
void warn_once(const std::string& text, Context& context);
// Warns about inconsistent winding if it matters for `options`.
void warn_about_winding(const Mesh& mesh, const SurfaceOptions& options, Context& context);

}  // namespace dapple::surface

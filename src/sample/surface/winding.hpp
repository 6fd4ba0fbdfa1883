// How faces are wound that share an edge.
#pragma once

#include <cstdint>
#include <string>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/surface.hpp"

namespace dapple::surface {

struct Winding {
  std::int64_t faces = 0;      // to be turned, for all that share an edge of two to agree
  std::int64_t one_sided = 0;  // parts of which no way of turning faces makes all agree
  std::int64_t of_many = 0;    // edges of more than two, some of which cannot agree behind the gate
};
Winding winding_of(const Mesh& mesh, double gate_degrees);

// Of one mesh, on which points may be put again and again.
void warn_once(const std::string& text, Context& context);
// Warns of it, where `options` say that it matters.
void say_what_is_wound_against(const Mesh& mesh, const SurfaceOptions& options, Context& context);

}  // namespace dapple::surface

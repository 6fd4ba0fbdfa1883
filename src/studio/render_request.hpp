// Defines the request of a page: a command and its settings as texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/run/runner.hpp"
#include "studio/brush.hpp"

namespace dapple::studio {

struct RenderRequest {
  int number = 0;  // counts the page's changes
  std::string command = "stipple";
  std::string preset;                           // "": none
  std::map<std::string, std::string> settings;  // by option, including `seed`
  std::string input;                            // path; "": none
  Strokes strokes{};                            // brush strokes over the input

  // Returns a key that is equal for requests with the same result.
  std::string key() const;
};

// Parses a request except its strokes; the session adds those. Throws Error(usage) if invalid.
RenderRequest request_of(const app::Json& message, const std::string& input);

// Returns the run of a request and sets the seed of `context`. `as` replaces the command's
// operation by one with the same options. Throws Error(usage) with all problems.
app::Run run_of(const RenderRequest& request, Context& context, const Operation* as = nullptr);

// Returns the command line that gives the same result and writes `outputs`.
std::string command_line(const RenderRequest& request, const std::vector<std::string>& outputs);

}  // namespace dapple::studio

// Builds the first message to a page, with all data for its forms: commands, options, presets.
#pragma once

#include "app/json.hpp"
#include "studio/render_request.hpp"

namespace dapple::studio {

// Returns the presets with their settings as texts.
app::Json presets_json();
// Returns the message. `photos` are paths; the message holds only their names.
app::Json greeting(const RenderRequest& first, const std::string& folder,
                   const std::vector<std::string>& photos);
// Returns the values of all options of a run as texts.
app::Json values_of(const app::Run& run, std::uint64_t seed);

}  // namespace dapple::studio

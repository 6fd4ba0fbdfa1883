// Builds the first message to a page, with all data for its forms: commands, options, presets.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "studio/render_request.hpp"

namespace dapple::studio {

// Returns the presets with their settings as texts. The presets in the folder `looks` are the
// user's own. Warns of presets that cannot be read.
app::Json presets_json(const std::filesystem::path& looks, Context& context);
// Returns the message. `photos` are paths; the message holds only their names.
app::Json greeting(const RenderRequest& first, const std::string& folder,
                   const std::vector<std::string>& photos, const std::filesystem::path& looks);
// Returns the values of all options of a run as texts.
app::Json values_of(const app::Run& run, std::uint64_t seed);

}  // namespace dapple::studio

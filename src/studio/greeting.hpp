// What a page is told first: the commands, their options and presets, all that its forms need.
#pragma once

#include "app/json.hpp"
#include "studio/wish.hpp"

namespace dapple::studio {

// `photos`: their paths, of which it tells the names.
app::Json greeting(const Wish& first, const std::string& folder,
                   const std::vector<std::string>& photos);
// The values of all options of a run, as texts.
app::Json values_of(const app::Run& run, std::uint64_t seed);

}  // namespace dapple::studio

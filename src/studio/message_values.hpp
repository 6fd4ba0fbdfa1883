// Reads members of the page's messages.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "app/json.hpp"
#include "dapple/error.hpp"

namespace dapple::studio {

// Returns the text of a message's member; "" if there is none.
inline std::string text_at(const app::Json& message, const char* name) {
  const auto found = message.find(name);
  return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

// Returns the number of a message's member, clamped. Throws Error(usage) if there is none.
inline double number_at(const app::Json& message, const char* name, double least, double most) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number()) {
    throw Error(ErrorKind::usage, "a message needs a number '" + std::string(name) + "'");
  }
  return std::clamp(found->get<double>(), least, most);
}

}  // namespace dapple::studio

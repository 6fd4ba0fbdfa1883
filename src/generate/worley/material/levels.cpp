// Converts levels of outputs to text and back.
#include <algorithm>

#include "dapple/error.hpp"
#include "dapple/worley.hpp"

namespace dapple {

LengthRange OutputLevels::of(std::string_view output) const {
  const auto found =
      std::find_if(each.begin(), each.end(), [&](const auto& one) { return one.first == output; });
  return found == each.end() ? LengthRange() : found->second;
}

std::string to_text(const OutputLevels& levels) {
  std::string text = to_text(levels.all);
  for (const auto& [name, range] : levels.each) {
    text += (text.empty() ? "" : ",") + name + "=" + to_text(range);
  }
  return text;
}

void from_text(std::string_view text, OutputLevels& levels) {
  OutputLevels read;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto equals = entry.find('=');
    LengthRange range;
    from_text(equals == std::string_view::npos ? entry : entry.substr(equals + 1), range);
    if (equals == std::string_view::npos) {
      if (!read.all.empty()) {
        throw Error(ErrorKind::usage,
                    "expected at most one LO:HI, and NAME=LO:HI for single outputs");
      }
      read.all = range;
      continue;
    }
    const std::string name(entry.substr(0, equals));
    if (!read.of(name).empty()) {
      throw Error(ErrorKind::usage, "expected one LO:HI per output, but " + name + " has two");
    }
    read.each.emplace_back(name, range);
  }
  levels = read;
}

}  // namespace dapple

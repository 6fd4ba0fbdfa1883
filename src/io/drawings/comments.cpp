// Writes texts as comments of plotter languages, and reads them back.
#include "io/drawings/comments.hpp"

#include <algorithm>
#include <cstdint>

#include "draw/pen_path.hpp"
#include "io/utf8.hpp"

namespace dapple {
namespace {

// Returns the escape of TOML for a character, such as \u00C4 or \U0001F600.
std::string escaped(std::uint32_t code) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const int count = code < 0x10000 ? 4 : 8;
  std::string text = count == 4 ? "\\u" : "\\U";
  for (int i = count - 1; i >= 0; --i) text += digits[code >> (4 * i) & 15];
  return text;
}

// Returns the text in ASCII without control characters: some controllers act on other bytes, even
// in comments. Parentheses, which end comments, become brackets, or their escapes if `exact`.
std::string ascii_of(std::string_view line, bool exact) {
  std::string out;
  while (!line.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(line));
    const auto first = static_cast<unsigned char>(line.front());
    if (length == 1) {
      const bool plain = first >= 0x20 && first < 0x7f;
      out += exact && (first == '(' || first == ')') ? escaped(first)
             : first == '('                          ? "["
             : first == ')'                          ? "]"
                                                     : std::string(1, plain ? line.front() : ' ');
    } else {
      std::uint32_t code = first & (0x7fu >> length);
      for (const char next : line.substr(1, length - 1)) code = code << 6 | (next & 0x3f);
      out += escaped(code);
    }
    line.remove_prefix(length);
  }
  return out;
}

constexpr std::string_view indent = "  ";
constexpr std::string_view continued = "\\";  // at the end of a line that the next one continues

// Returns `before` and a text as a comment, or as several if it is long.
std::string commented(std::string_view line, std::string_view start, std::string_view before,
                      bool exact) {
  const std::string text = ascii_of(line, exact);
  constexpr std::string_view end = "\n";
  const std::size_t around = start.size() + end.size();
  const std::size_t room = longest_plotter_line - around - before.size() - continued.size();
  std::string out;
  for (std::string_view rest = text; out.empty() || !rest.empty();) {
    const std::string_view part = rest.substr(0, room);
    rest.remove_prefix(part.size());
    out.append(start).append(before).append(part);
    if (!rest.empty()) out += continued;
    out += end;
  }
  return out;
}

}  // namespace

std::string comment_lines(std::string_view line, std::string_view start) {
  return commented(line, start, "", false);
}

std::string metadata_comments(const std::vector<std::pair<std::string, std::string>>& metadata,
                              std::string_view start) {
  std::string out;
  for (const auto& [name, text] : metadata) {
    out += comment_lines(name, start);
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      out += commented(line, start, indent, true);
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> metadata_of_comments(std::string_view file,
                                                                      std::string_view start) {
  std::vector<std::pair<std::string, std::string>> texts;
  bool goes_on = false;
  while (file.starts_with(start)) {
    file.remove_prefix(start.size());
    std::string_view line = file.substr(0, file.find('\n'));
    file.remove_prefix(std::min(line.size() + 1, file.size()));
    if (!line.starts_with(indent)) {
      texts.emplace_back(line, "");
    } else if (!texts.empty()) {
      line.remove_prefix(indent.size());
      std::string& text = texts.back().second;
      if (!goes_on && !text.empty()) text += '\n';
      goes_on = line.ends_with(continued);
      if (goes_on) line.remove_suffix(continued.size());
      text += line;
    }
  }
  std::erase_if(texts, [](const auto& entry) { return entry.second.empty(); });
  return texts;
}

}  // namespace dapple

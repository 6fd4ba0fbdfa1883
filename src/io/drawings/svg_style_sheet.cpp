#include "io/drawings/svg_style_sheet.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/trim_blanks.hpp"

namespace dapple {
namespace {

constexpr std::size_t most_shown = 40;  // bytes of a file's text in a note

// The properties that readers of drawings ask for. Others need no memory.
constexpr std::array<std::string_view, 22> known_properties{"fill",
                                                            "stroke",
                                                            "stroke-width",
                                                            "fill-rule",
                                                            "display",
                                                            "visibility",
                                                            "opacity",
                                                            "cx",
                                                            "cy",
                                                            "fill-opacity",
                                                            "stroke-opacity",
                                                            "transform",
                                                            "mask",
                                                            "r",
                                                            "rx",
                                                            "ry",
                                                            "x",
                                                            "y",
                                                            "width",
                                                            "height",
                                                            "clip-path",
                                                            "filter"};

std::string shown(std::string_view text) {
  return "'" + std::string(text.substr(0, most_shown)) + (text.size() > most_shown ? "...'" : "'");
}

std::string without_comments(std::string_view text) {
  std::string out;
  while (true) {
    const auto open = text.find("/*");
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const auto close = text.find("*/", open + 2);
    if (close == std::string_view::npos) return out;
    out += ' ';
    text.remove_prefix(close + 2);
  }
}

// Returns the length of a block in braces at the front of `text`, with the blocks inside it.
std::size_t block_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return text.size();
}

bool is_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '-' || c == '_' || byte >= 0x80;
}

std::string_view take_name(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_name);
  const std::string_view name = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(name.size());
  return name;
}

// Calls use(part) for the parts of `text` between `separator`, trimmed, without empty ones.
template <class Use>
void for_each_part(std::string_view text, char separator, Use&& use) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (const std::string_view bare = trim_blanks(part); !bare.empty()) use(bare);
  }
}

}  // namespace

void SvgNotes::add(const std::string& note) {
  constexpr std::size_t most = 8;
  if (notes_.size() < most && std::find(notes_.begin(), notes_.end(), note) == notes_.end()) {
    notes_.push_back(note);
  }
}

bool SvgStyleSheet::parse(std::string_view selector, Rule& rule) {
  if (selector.starts_with('*')) {
    selector.remove_prefix(1);
  } else {
    rule.element = take_name(selector);
  }
  while (!selector.empty()) {
    const char kind = selector.front();
    selector.remove_prefix(1);
    const std::string_view name = take_name(selector);
    if (name.empty() || (kind == '#' && !rule.id.empty())) return false;
    if (kind == '.') {
      rule.classes.emplace_back(name);
    } else if (kind == '#') {
      rule.id = name;
    } else {
      return false;
    }
  }
  return true;
}

SvgStyleSheet::Body SvgStyleSheet::parse_body(std::string_view text) {
  Body body;
  for_each_part(text, ';', [&](std::string_view declaration) {
    const auto colon = declaration.find(':');
    if (colon == std::string_view::npos) return;
    const std::string_view name = trim_blanks(declaration.substr(0, colon));
    std::string_view value = trim_blanks(declaration.substr(colon + 1));
    if (std::find(known_properties.begin(), known_properties.end(), name) ==
        known_properties.end()) {
      return;
    }
    const auto mark = value.find('!');
    std::string& list = mark == std::string_view::npos ? body.normal : body.important;
    value = trim_blanks(value.substr(0, mark));
    list.append(name).append(":").append(value).append(";");
  });
  return body;
}

void SvgStyleSheet::add_rule(std::string_view selectors, std::string_view body, SvgNotes& notes) {
  const std::size_t index = bodies_.size();
  bodies_.push_back(parse_body(body));
  if (bodies_.back().normal.empty() && bodies_.back().important.empty()) return;
  for_each_part(selectors, ',', [&](std::string_view selector) {
    Rule rule;
    if (!parse(selector, rule)) {
      notes.add("the style rule for " + shown(selector) +
                " is ignored: only elements, classes and ids are understood");
      return;
    }
    rule.body = index;
    rule.place = count_++;
    std::string key = !rule.id.empty()        ? "#" + rule.id
                      : !rule.classes.empty() ? "." + rule.classes.front()
                      : !rule.element.empty() ? rule.element
                                              : "*";
    rules_[std::move(key)].push_back(std::move(rule));
  });
}

void SvgStyleSheet::add(std::string_view text, SvgNotes& notes) {
  const std::string plain = without_comments(text);
  std::string_view rest = plain;
  while (true) {
    rest = trim_blanks(rest);
    const auto open = rest.find_first_of("{;");
    if (open == std::string_view::npos) return;
    const std::string_view head = trim_blanks(rest.substr(0, open));
    const bool is_block = rest[open] == '{';
    const std::size_t length = is_block ? block_length(rest.substr(open)) : 1;
    if (head.starts_with('@')) {
      if (!head.starts_with("@charset") && !head.starts_with("@font-face")) {
        notes.add("the style rule " + shown(head) + " is ignored");
      }
    } else if (is_block) {
      add_rule(head, rest.substr(open + 1, length - std::min<std::size_t>(length, 2)), notes);
    }
    rest.remove_prefix(open + length);
  }
}

std::size_t SvgStyleSheet::apply(pugi::xml_node node, std::string_view name) const {
  std::vector<std::string_view> classes;
  for_each_part(node.attribute("class").value(), ' ',
                [&](std::string_view one) { classes.push_back(one); });
  const std::string_view id = node.attribute("id").value();
  std::vector<const Rule*> matched;
  std::size_t work = 0;
  const auto look_up = [&](const std::string& key) {
    const auto found = rules_.find(key);
    if (found == rules_.end()) return;
    for (const Rule& rule : found->second) {
      ++work;
      const bool fits = (rule.element.empty() || rule.element == name) &&
                        (rule.id.empty() || rule.id == id) &&
                        std::all_of(rule.classes.begin(), rule.classes.end(), [&](const auto& one) {
                          return std::find(classes.begin(), classes.end(), one) != classes.end();
                        });
      if (fits) matched.push_back(&rule);
    }
  };
  look_up("*");
  look_up(std::string(name));
  for (const std::string_view one : classes) look_up("." + std::string(one));
  if (!id.empty()) look_up("#" + std::string(id));
  if (matched.empty()) return work;
  std::sort(matched.begin(), matched.end(), [](const Rule* a, const Rule* b) {
    return std::pair(a->specificity(), a->place) < std::pair(b->specificity(), b->place);
  });
  std::string style;
  for (const Rule* rule : matched) style += bodies_[rule->body].normal;
  style.append(node.attribute("style").value()).append(";");
  for (const Rule* rule : matched) style += bodies_[rule->body].important;
  pugi::xml_attribute attribute = node.attribute("style");
  if (!attribute) attribute = node.append_attribute("style");
  attribute.set_value(style.c_str());
  return work + style.size();
}

}  // namespace dapple

// Applies the style sheets of an SVG file to its elements (W3C, CSS 2.1): rules whose selectors are
// an element, classes and an id, such as `.st0`, `path.a.b` or `#frame`.
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dapple {

// Names what a drawing asks for and its reader does not honor, each thing once.
class SvgNotes {
 public:
  void add(const std::string& note);
  const std::vector<std::string>& all() const { return notes_; }

 private:
  std::vector<std::string> notes_;
};

class SvgStyleSheet {
 public:
  // Adds the rules in the text of a <style> element. Adds other rules to `notes`.
  void add(std::string_view text, SvgNotes& notes);
  bool empty() const { return rules_.empty(); }
  // Merges the declarations for an element into its attribute style, where the last one of a
  // property counts. Returns the number of bytes and rules that this took.
  std::size_t apply(pugi::xml_node node, std::string_view name) const;

 private:
  struct Rule {
    std::string element;  // "": any
    std::string id;
    std::vector<std::string> classes;
    std::size_t body = 0;  // index of the declarations
    std::size_t place = 0;

    std::size_t specificity() const {
      return (id.empty() ? 0 : 1'000'000) + 1000 * classes.size() + (element.empty() ? 0 : 1);
    }
  };
  struct Body {
    std::string normal;
    std::string important;
  };

  static bool parse(std::string_view selector, Rule& rule);
  static Body parse_body(std::string_view text);
  void add_rule(std::string_view selectors, std::string_view body, SvgNotes& notes);

  // The key is the id, otherwise the first class, otherwise the element or *.
  std::unordered_map<std::string, std::vector<Rule>> rules_;
  std::vector<Body> bodies_;
  std::size_t count_ = 0;
};

}  // namespace dapple

#include "io/drawings/xml.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_blank(char c) {
  return blanks.find(c) != std::string_view::npos;
}

// Of what a name may hold, what ends it is all that matters here.
bool is_in_name(char c) {
  return !is_blank(c) && std::string_view("<>/=\"'&?!").find(c) == std::string_view::npos;
}

// UTF-16 with a mark at its front as UTF-8; what is no character of it is left out.
std::string from_utf16(std::string_view bytes) {
  const bool highest_first = bytes.front() == '\xfe';
  std::string text;
  char32_t high = 0;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    const char32_t unit =
        highest_first ? char32_t{first} << 8 | second : char32_t{second} << 8 | first;
    if (unit >= 0xd800 && unit < 0xdc00) {
      high = unit - 0xd800;
    } else if (unit >= 0xdc00 && unit < 0xe000) {
      append_utf8(text, 0x10000 + (high << 10 | (unit - 0xdc00)));
    } else {
      append_utf8(text, unit);
    }
  }
  return text;
}

// A reference such as &lt; or &#x2028; at the front of a text, without which it goes on; what is
// none stays as it is.
void take_reference(std::string_view& text, std::string& out) {
  struct Entity {
    std::string_view name;
    char character;
  };
  static constexpr std::array<Entity, 5> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  for (const Entity& entity : entities) {
    if (!text.starts_with(entity.name)) continue;
    out += entity.character;
    text.remove_prefix(entity.name.size());
    return;
  }
  if (text.starts_with("&#")) {
    const bool hexadecimal = text.starts_with("&#x");
    const char* const start = text.data() + (hexadecimal ? 3 : 2);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(start, text.data() + text.size(), code, hexadecimal ? 16 : 10);
    const auto length = static_cast<std::size_t>(end - text.data());
    if (error == std::errc{} && length < text.size() && *end == ';' && code < 0x110000) {
      append_utf8(out, code);
      text.remove_prefix(length + 1);
      return;
    }
  }
  out += '&';
  text.remove_prefix(1);
}

}  // namespace

// Reads a file once, from its start to its end, with a list of the elements that are open.
class XmlReader {
 public:
  XmlReader(std::string_view bytes, XmlDocument& document) : rest_(bytes), document_(document) {
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
      rest_ = document_.texts_.emplace_back(from_utf16(bytes));
    } else if (bytes.starts_with("\xef\xbb\xbf")) {
      rest_.remove_prefix(3);
    }
    whole_ = rest_;
  }

  void read() {
    while (to_next_mark()) {
      if (rest_.starts_with("<!--")) {
        pass("<!--", "-->", "a comment");
      } else if (rest_.starts_with("<![CDATA[")) {
        pass("<![CDATA[", "]]>", "a part of text");
      } else if (rest_.starts_with("<?")) {
        pass("<?", "?>", "an instruction");
      } else if (rest_.starts_with("<!")) {
        pass_declaration();
      } else if (rest_.starts_with("</")) {
        close();
      } else {
        open();
      }
    }
    if (!open_.empty()) fail("<" + shown(open_.back().element->name_) + "> does not end");
    if (document_.elements_.empty()) fail("there is no element in it");
  }

 private:
  struct Open {
    XmlElement* element;
    XmlElement* last_child;
  };

  static constexpr int most_attributes = 1000;

  static std::string shown(std::string_view name) { return std::string(name.substr(0, 40)); }
  [[noreturn]] void fail(const std::string& why) const {
    const std::string_view before = whole_.substr(0, whole_.size() - rest_.size());
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw Error(ErrorKind::input, "line " + std::to_string(line) + ": not XML: " + why);
  }

  bool to_next_mark() {
    rest_.remove_prefix(std::min(rest_.find('<'), rest_.size()));
    return !rest_.empty();
  }
  void pass(std::string_view from, std::string_view to, const std::string& what) {
    const auto end = rest_.find(to, from.size());
    if (end == std::string_view::npos) fail(what + " does not end");
    rest_.remove_prefix(end + to.size());
  }
  // <!DOCTYPE ...>, which may hold declarations in brackets, and texts that hold anything.
  void pass_declaration() {
    std::size_t at = 2;
    for (int depth = 1; depth > 0; ++at) {
      if (at >= rest_.size()) fail("a declaration does not end");
      const char c = rest_[at];
      if (c == '"' || c == '\'') {
        at = rest_.find(c, at + 1);
        if (at == std::string_view::npos) fail("a text in a declaration does not end");
      } else if (rest_.substr(at).starts_with("<!--")) {
        at = rest_.find("-->", at + 4);
        if (at == std::string_view::npos) fail("a comment does not end");
        at += 2;
      } else {
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      }
    }
    rest_.remove_prefix(at);
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  std::string_view take_name() {
    const auto* const end = std::find_if_not(rest_.begin(), rest_.end(), is_in_name);
    const std::string_view name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    if (name.empty()) fail("a name is missing");
    rest_.remove_prefix(name.size());
    return name;
  }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void close() {
    take("</");
    const std::string_view name = take_name();
    skip_blanks();
    if (open_.empty() || open_.back().element->name_ != name) {
      fail("</" + shown(name) + "> ends nothing that is open");
    }
    if (!take(">")) fail("</" + shown(name) + "> does not end");
    open_.pop_back();
  }

  void open() {
    take("<");
    XmlElement& element = document_.elements_.emplace_back();
    element.name_ = take_name();
    if (!open_.empty()) {
      Open& parent = open_.back();
      (parent.last_child == nullptr ? parent.element->first_child_ : parent.last_child->next_) =
          &element;
      parent.last_child = &element;
    }
    XmlElement::Attribute** last = &element.attributes_;
    for (int count = 0;; ++count) {
      const bool apart = !rest_.empty() && is_blank(rest_.front());
      skip_blanks();
      if (take("/>")) return;
      if (take(">")) {
        open_.push_back({&element, nullptr});
        return;
      }
      if (!apart) fail("<" + shown(element.name_) + "> does not end");
      // Each is looked for among all, whenever it is used.
      if (count == most_attributes) fail("<" + shown(element.name_) + "> has too many attributes");
      *last = take_attribute();
      last = &(*last)->next;
    }
  }

  XmlElement::Attribute* take_attribute() {
    const std::string_view name = take_name();
    skip_blanks();
    if (!take("=")) fail("the attribute " + shown(name) + " has no value");
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '"' && quote != '\'') fail("the value of " + shown(name) + " is not in quotes");
    const auto end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail("the value of " + shown(name) + " does not end");
    const std::string_view value = plain(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return &document_.attributes_.emplace_back(XmlElement::Attribute{name, value, nullptr});
  }

  std::string_view plain(std::string_view value) {
    if (value.find_first_of("&\t\r\n") == std::string_view::npos) return value;
    std::string text;
    text.reserve(value.size());
    while (!value.empty()) {
      if (value.front() == '&') {
        take_reference(value, text);
        continue;
      }
      text += is_blank(value.front()) ? ' ' : value.front();
      value.remove_prefix(1);
    }
    return document_.texts_.emplace_back(std::move(text));
  }

  std::string_view whole_;
  std::string_view rest_;
  XmlDocument& document_;
  std::vector<Open> open_;
};

XmlDocument::XmlDocument(std::string_view bytes) {
  XmlReader(bytes, *this).read();
}

const XmlElement::Attribute* XmlElement::find(std::string_view name) const {
  const Attribute* found = attributes_;
  while (found != nullptr && found->name != name) found = found->next;
  return found;
}

std::string_view XmlElement::attribute(std::string_view name) const {
  const Attribute* found = find(name);
  return found == nullptr ? std::string_view() : found->value;
}

void append_utf8(std::string& text, char32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace dapple

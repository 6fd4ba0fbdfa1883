// The elements of an XML 1.0 file and their attributes: what drawings are made of. Text between
// elements is passed over, a document type is not followed, and nothing outside of the file is ever
// opened.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

class XmlElement {
 public:
  std::string_view name() const { return name_; }
  // The value of an attribute, "" where there is none; line breaks and tabs are blanks.
  std::string_view attribute(std::string_view name) const;
  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  // In the order of the file: for (const XmlElement* e = first_child(); e; e = e->next()).
  const XmlElement* first_child() const { return first_child_; }
  const XmlElement* next() const { return next_; }

 private:
  friend class XmlReader;
  friend class XmlDocument;
  struct Attribute {
    std::string_view name;
    std::string_view value;
    Attribute* next;
  };
  const Attribute* find(std::string_view name) const;

  std::string_view name_;
  Attribute* attributes_ = nullptr;
  XmlElement* first_child_ = nullptr;
  XmlElement* next_ = nullptr;
};

class XmlDocument {
 public:
  // Takes up to ten times the bytes of the file, which stay with the caller. UTF-8, or another
  // encoding whose ASCII is as in ASCII; UTF-16 where it begins with its mark. Throws Error(input)
  // with the line where it is not well formed, or an element has more than 1000 attributes.
  // O(bytes).
  explicit XmlDocument(std::string_view bytes);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  const XmlElement& root() const { return elements_.front(); }

 private:
  friend class XmlReader;
  std::deque<XmlElement> elements_;  // which stay where they are
  std::deque<XmlElement::Attribute> attributes_;
  std::deque<std::string> texts_;  // values that are not as in the file
};

// Puts a character of Unicode behind a text, as UTF-8.
void append_utf8(std::string& text, char32_t code);

}  // namespace dapple

// XML as another reader sees it: pugixml.
#include "io/drawings/xml.hpp"

#include <gtest/gtest.h>
#include <pugixml.hpp>
#include <random>

#include "dapple/error.hpp"

namespace dapple {
namespace {

const std::string sample =
    "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY a \"<b>\"> <!-- > -->]>\n<!-- <g> -->\n"
    "<svg id=\"a\" d='M0\t0\nL1 1' x = \"&lt;&#65;&#x2028;&#x1f600;&amp;amp;&none;&\">text &amp; "
    "more<g/><g style='a:b'><![CDATA[<no>]]><x:y></x:y ></g>\n</svg>\n";

std::string dump(const XmlElement& element) {
  std::string out = "<" + std::string(element.name());
  for (const char* name : {"id", "d", "x", "style"}) {
    if (element.has(name)) out += " " + (name + ("=" + std::string(element.attribute(name))));
  }
  for (const XmlElement* child = element.first_child(); child != nullptr; child = child->next()) {
    out += dump(*child);
  }
  return out + ">";
}

std::string dump(const pugi::xml_node& element) {
  std::string out = std::string("<") + element.name();
  for (const char* name : {"id", "d", "x", "style"}) {
    const pugi::xml_attribute found = element.attribute(name);
    if (found) out += " " + (name + (std::string("=") + found.value()));
  }
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() == pugi::node_element) out += dump(child);
  }
  return out + ">";
}

std::string problem(const std::string& bytes) {
  try {
    const XmlDocument document(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(Xml, IsReadAsByOthers) {
  pugi::xml_document other;
  ASSERT_TRUE(other.load_buffer(sample.data(), sample.size()));
  EXPECT_EQ(dump(XmlDocument(sample).root()), dump(other.document_element()));
  std::string wide = "\xff\xfe";
  for (const char c : std::string("<a id='")) wide += {c, '\0'};
  wide += std::string("\x3d\xd8\0\xde", 4);  // U+1F600, of two halves
  for (const char c : std::string("'/>")) wide += {c, '\0'};
  EXPECT_EQ(XmlDocument(wide).root().attribute("id"), "\xf0\x9f\x98\x80");
}

// Whatever it reads of broken files, it reads as others do.
TEST(Xml, BrokenFilesAreReadAsByOthersOrRefused) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return random() % n; };
  // Which others read beyond the last character too.
  const std::string longest = "&#x1f600;";
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = sample;
    bytes.erase(bytes.find(longest), longest.size());
    if (i % 2 == 0) bytes[below(bytes.size())] = static_cast<char>(random() % 128);
    if (i % 3 == 0) bytes.erase(below(bytes.size()), below(9));
    if (i % 5 == 0) bytes.insert(below(bytes.size()), bytes.substr(below(bytes.size()), 5));
    pugi::xml_document other;
    if (!other.load_buffer(bytes.data(), bytes.size()) || !other.document_element()) continue;
    if (!problem(bytes).empty()) continue;
    ++read;
    EXPECT_EQ(dump(XmlDocument(bytes).root()), dump(other.document_element())) << bytes;
  }
  EXPECT_GT(read, 300);
}

TEST(Xml, ProblemsSayWhere) {
  EXPECT_EQ(problem("<a>\n<b>\n</a>"), "line 3: not XML: </a> ends nothing that is open");
  EXPECT_EQ(problem("<a>\n<b/>"), "line 2: not XML: <a> does not end");
  EXPECT_EQ(problem("\n\n<a b>"), "line 3: not XML: the attribute b has no value");
  EXPECT_EQ(problem("<a b=c>"), "line 1: not XML: the value of b is not in quotes");
  EXPECT_EQ(problem("<a b='c>"), "line 1: not XML: the value of b does not end");
  EXPECT_EQ(problem("<a/><!-- "), "line 1: not XML: a comment does not end");
  EXPECT_EQ(problem("no marks"), "line 1: not XML: there is no element in it");
  std::string many = "<a";
  for (int i = 0; i < 1001; ++i) many += " b=''";
  EXPECT_EQ(problem(many + "/>"), "line 1: not XML: <a> has too many attributes");
}

}  // namespace
}  // namespace dapple

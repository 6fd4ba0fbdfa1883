#include "studio/assets.hpp"

#include <algorithm>
#include <array>
#include <utility>

// Defined in assets.s, which includes the files unchanged.
extern "C" {
extern const char dapple_page_html[], dapple_page_html_end[];
extern const char dapple_page_css[], dapple_page_css_end[];
extern const char dapple_page_js[], dapple_page_js_end[];
}

namespace dapple::studio {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

const Asset* find_asset(std::string_view target) {
  static const std::array<std::pair<std::string_view, Asset>, 4> assets{{
      {"/", {between(dapple_page_html, dapple_page_html_end), "text/html; charset=utf-8"}},
      {"/page.css", {between(dapple_page_css, dapple_page_css_end), "text/css; charset=utf-8"}},
      {"/page.js", {between(dapple_page_js, dapple_page_js_end), "text/javascript; charset=utf-8"}},
      {"/favicon.ico", {"", ""}},
  }};
  const auto* const found = std::find_if(assets.begin(), assets.end(),
                                         [&](const auto& entry) { return entry.first == target; });
  return found == assets.end() ? nullptr : &found->second;
}

}  // namespace dapple::studio

// Describes the pages that pdf.cpp draws and pdf_file.cpp, in the image module, writes to a file.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_keys.hpp"

namespace dapple {

struct PdfPage {
  double width = 0;  // points of 1/72 inch
  double height = 0;
  struct Layer {
    std::string name;  // "": no layer, always shown
    std::string content;
  };
  std::vector<Layer> layers;
  // An ink that layers select as pdf_ink_name(), at tint 1.
  struct Ink {
    std::string name;
    std::array<float, 3> color{};
  };
  std::vector<Ink> inks;
  // A shape that layers draw repeatedly as pdf_shape_name(), in a square of half side `reach`.
  struct Shape {
    std::string content;
    double reach = 0;
  };
  std::vector<Shape> shapes;
  Metadata texts;  // of the document's information
};

inline std::string pdf_shape_name(std::size_t index) {
  return index == 0 ? "/Dot" : "/Dot" + std::to_string(index + 1);
}

inline std::string pdf_ink_name(std::size_t index) {
  return "/Ink" + std::to_string(index + 1);
}

// Both functions throw std::exception.
std::string make_pdf(const PdfPage& page);
Metadata pdf_texts(std::string_view bytes);  // in the document's information

}  // namespace dapple

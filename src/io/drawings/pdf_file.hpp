// The pages that pdf.cpp draws, and pdf_file.cpp in the image module makes a file of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/text_keys.hpp"

namespace dapple {

struct PdfPage {
  double width = 0;  // points of 1/72 inch
  double height = 0;
  struct Layer {
    std::string name;  // "": always shown
    std::string content;
  };
  std::vector<Layer> layers;
  // The shape that layers draw again and again as /Dot, if any; inside a square of this half side.
  std::string dot;
  double dot_reach = 0;
  Metadata texts;  // into the document's information
};

// These throw std::exception.
std::string make_pdf(const PdfPage& page);
Metadata pdf_texts(std::string_view bytes);  // in the document's information

}  // namespace dapple

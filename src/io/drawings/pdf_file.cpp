// Writes pages as PDF files by QPDF (Berkenbilt). A file has no dates, and its identifier depends
// only on the content, so equal pages give equal bytes.
#include "io/drawings/pdf_file.hpp"

#include <new>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>
#include <stdexcept>

#include "core/text/lower_case.hpp"
#include "dapple/version.hpp"

namespace dapple {

namespace {

using Handle = QPDFObjectHandle;

Handle numbers(const std::array<float, 3>& values) {
  Handle array = Handle::newArray();
  for (const float v : values) array.appendItem(Handle::newReal(static_cast<double>(v), 4));
  return array;
}

// Returns the name of an ink's plate. Presses know process inks with a capital letter. `All` and
// `None` would be all plates, and no plate.
std::string plate_name(const std::string& ink) {
  for (const char* const process : {"Cyan", "Magenta", "Yellow", "Black"}) {
    if (lower_case(process) == ink) return process;
  }
  return ink == "All" || ink == "None" ? "Ink " + ink : ink;
}

// Returns the color space of an ink: its tint is between white and the color on screens.
Handle separation(const PdfPage::Ink& ink) {
  Handle tint = Handle::newDictionary();
  tint.replaceKey("/FunctionType", Handle::newInteger(2));
  Handle domain = Handle::newArray();
  for (const int end : {0, 1}) domain.appendItem(Handle::newInteger(end));
  tint.replaceKey("/Domain", domain);
  tint.replaceKey("/C0", numbers({1, 1, 1}));
  tint.replaceKey("/C1", numbers(ink.color));
  tint.replaceKey("/N", Handle::newInteger(1));
  Handle space = Handle::newArray();
  space.appendItem(Handle::newName("/Separation"));
  space.appendItem(Handle::newName("/" + plate_name(ink.name)));
  space.appendItem(Handle::newName("/DeviceRGB"));
  space.appendItem(tint);
  return space;
}

std::string write_page(const PdfPage& page, QPDF& pdf) {
  pdf.emptyPDF();
  Handle groups = Handle::newArray();
  Handle properties = Handle::newDictionary();
  std::string content = "1 J 1 j\n";
  for (const PdfPage::Layer& layer : page.layers) {
    if (layer.name.empty()) {
      content += layer.content;
      continue;
    }
    Handle group = Handle::newDictionary();
    group.replaceKey("/Type", Handle::newName("/OCG"));
    group.replaceKey("/Name", Handle::newUnicodeString(layer.name));
    group = pdf.makeIndirectObject(group);
    groups.appendItem(group);
    const std::string name = "/L" + std::to_string(groups.getArrayNItems());
    properties.replaceKey(name, group);
    content += "/OC " + name + " BDC\n" + layer.content + "EMC\n";
  }
  Handle resources = Handle::newDictionary();
  resources.replaceKey("/Properties", properties);
  Handle spaces = Handle::newDictionary();
  for (std::size_t i = 0; i < page.inks.size(); ++i) {
    spaces.replaceKey(pdf_ink_name(i), pdf.makeIndirectObject(separation(page.inks[i])));
  }
  resources.replaceKey("/ColorSpace", spaces);
  Handle objects = Handle::newDictionary();
  for (std::size_t i = 0; i < page.shapes.size(); ++i) {
    const PdfPage::Shape& shape = page.shapes[i];
    Handle dot = Handle::newStream(&pdf, shape.content);
    Handle bounds = Handle::newArray();
    for (const double side : {-shape.reach, -shape.reach, shape.reach, shape.reach}) {
      bounds.appendItem(Handle::newReal(side, 4));
    }
    dot.getDict().replaceKey("/Type", Handle::newName("/XObject"));
    dot.getDict().replaceKey("/Subtype", Handle::newName("/Form"));
    dot.getDict().replaceKey("/BBox", bounds);
    objects.replaceKey(pdf_shape_name(i), dot);
  }
  if (!page.shapes.empty()) resources.replaceKey("/XObject", objects);
  Handle sheet = Handle::newDictionary();
  sheet.replaceKey("/Type", Handle::newName("/Page"));
  Handle box = Handle::newArray();
  for (const double side : {0.0, 0.0, page.width, page.height}) {
    box.appendItem(Handle::newReal(side, 4));
  }
  sheet.replaceKey("/MediaBox", box);
  sheet.replaceKey("/Resources", resources);
  sheet.replaceKey("/Contents", Handle::newStream(&pdf, content));
  pdf.addPage(pdf.makeIndirectObject(sheet), false);

  if (groups.getArrayNItems() > 0) {
    Handle shown = Handle::newDictionary();
    shown.replaceKey("/Order", groups);
    shown.replaceKey("/ON", groups);
    Handle layers = Handle::newDictionary();
    layers.replaceKey("/OCGs", groups);
    layers.replaceKey("/D", shown);
    pdf.getRoot().replaceKey("/OCProperties", layers);
  }
  Handle info = Handle::newDictionary();
  info.replaceKey("/Producer", Handle::newUnicodeString("Dapple " DAPPLE_VERSION));
  for (const auto& [key, value] : page.texts) {
    info.replaceKey("/" + key, Handle::newUnicodeString(value));
  }
  pdf.getTrailer().replaceKey("/Info", pdf.makeIndirectObject(info));

  QPDFWriter writer(pdf);
  writer.setOutputMemory();
  writer.setDeterministicID(true);
  writer.setMinimumPDFVersion("1.5");
  writer.setStreamDataMode(qpdf_s_compress);
  writer.write();
  const auto bytes = writer.getBufferSharedPointer();
  return {reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize()};
}

}  // namespace

std::string make_pdf(const PdfPage& page) {
  // Dapple made all objects. If QPDF lacks one (a warning or an exception), memory ran out.
  QPDF pdf;
  pdf.setSuppressWarnings(true);
  try {
    std::string bytes = write_page(page, pdf);
    if (!pdf.anyWarnings()) return bytes;
  } catch (const std::runtime_error&) {
  }
  throw std::bad_alloc();
}

Metadata pdf_texts(std::string_view bytes) {
  QPDF pdf;
  pdf.setSuppressWarnings(true);
  pdf.processMemoryFile("PDF", bytes.data(), bytes.size());
  Metadata texts;
  QPDFObjectHandle info = pdf.getTrailer().getKey("/Info");
  if (!info.isDictionary()) return texts;
  for (const auto& [key, value] : info.getDictAsMap()) {
    QPDFObjectHandle text = value;
    if (text.isString()) texts.emplace_back(key.substr(1), text.getUTF8Value());
  }
  return texts;
}

}  // namespace dapple

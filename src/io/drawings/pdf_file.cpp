// Writes pages as PDF files by QPDF (Berkenbilt). A file has no dates, and its identifier depends
// only on the content, so equal pages give equal bytes.
#include "io/drawings/pdf_file.hpp"

#include <new>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFWriter.hh>
#include <stdexcept>

#include "dapple/version.hpp"

namespace dapple {

namespace {

std::string write_page(const PdfPage& page, QPDF& pdf) {
  pdf.emptyPDF();
  using Handle = QPDFObjectHandle;
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

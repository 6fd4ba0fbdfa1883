// The image module's part in PDF files: exceptions become errors.
#include <exception>
#include <new>

#include "io/images/module.hpp"

namespace dapple {
namespace {

template <class Function>
ModuleError guarded(const Function& function) noexcept {
  try {
    function();
    return {};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::limit, "needs more memory than there is"};
  } catch (const std::exception& error) {
    return {ErrorKind::input, error.what()};
  } catch (...) {
    return {ErrorKind::internal, "QPDF failed in an unknown way"};
  }
}

}  // namespace

ModuleError write_pdf(const PdfPage& page, std::string& bytes) noexcept {
  return guarded([&] { bytes = make_pdf(page); });
}

ModuleError read_pdf_texts(std::string_view bytes, Metadata& texts) noexcept {
  return guarded([&] { texts = pdf_texts(bytes); });
}

}  // namespace dapple

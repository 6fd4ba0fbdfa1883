// Opens files for the decoders of other libraries: in a separate process (sandbox.hpp), or in this
// process if the limits allow.
#pragma once

#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// Opens a file. `format` is OpenImageIO's name or "pdf", which has only texts. `probe` determines
// how much memory and time decoding may take.
ModuleError open_foreign(const InputFile& file, const std::string& format, const HeaderProbe& probe,
                         const Context& context, std::unique_ptr<BandReader>& reader,
                         ImageHeader& header);

}  // namespace dapple

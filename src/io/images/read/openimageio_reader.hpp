// Opens files that decoders of others read: in a process of their own (sandbox.hpp), or in this
// process if the limits say so.
#pragma once

#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// Opens a file of a format as OpenImageIO names it, or "pdf", which has only texts. `probe` says
// how much memory and time decoding may take.
ModuleError open_foreign(const InputFile& file, const std::string& format, const HeaderProbe& probe,
                         const Context& context, std::unique_ptr<BandReader>& reader,
                         ImageHeader& header);

}  // namespace dapple

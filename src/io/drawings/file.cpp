// Lists the formats of drawings, and encodes a drawing by its extension.
#include <algorithm>
#include <array>

#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"

namespace dapple {

std::span<const std::string_view> drawing_formats() {
  static constexpr std::array<std::string_view, 7> formats{"svg", "pdf",   "hpgl", "plt",
                                                           "dxf", "gcode", "nc"};
  return formats;
}

bool is_drawing_format(std::string_view extension) {
  const auto formats = drawing_formats();
  return std::find(formats.begin(), formats.end(), extension) != formats.end();
}

std::string encode_drawing(const Drawing& drawing, std::string_view extension) {
  if (extension == "svg") return encode_svg(drawing);
  if (extension == "pdf") return encode_pdf(drawing);
  const bool filled = std::any_of(drawing.layers.begin(), drawing.layers.end(),
                                  [](const Layer& layer) { return !layer.fills.empty(); });
  if (filled && is_drawing_format(extension)) {
    throw Error(ErrorKind::usage,
                "." + std::string(extension) +
                    " is for pens and cutters, which cannot cover areas with ink; leave "
                    "`invert-darks` and `solid-blacks` out, use `shape point` with a pen, or write "
                    "SVG or PDF");
  }
  if (extension == "hpgl" || extension == "plt") return encode_hpgl(drawing);
  if (extension == "dxf") return encode_dxf(drawing);
  if (extension == "gcode" || extension == "nc") return encode_gcode(drawing);
  throw Error(ErrorKind::usage, "." + std::string(extension) + " is not a drawing format");
}

}  // namespace dapple

// Lists the operations. Each generator defines its row at the end of its file; this file declares
// it and adds it to the list.
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {

Operation sample_operation();
Operation stipple_operation();
Operation mask_operation();
Operation worley_operation();
Operation dither_operation();

namespace {

std::deque<Operation>& rows() {
  static std::deque<Operation> all = {
      sample_operation(), stipple_operation(), mask_operation(),
      worley_operation(), dither_operation(),
  };
  return all;
}

}  // namespace

void Job::describe_colorspace(OptionList& list) {
  list.group("Color");
  list.add("colorspace", colorspace,
           "Color space of written pictures, by a name of OpenColorIO such as lin_rec709, "
           "srgb_texture, acescg, lin_rec2020 or lin_p3d65; other names are those of the "
           "configuration in OCIO; default: srgb_texture, in .exr and .hdr lin_rec709")
      .metavar("NAME");
}

const std::deque<Operation>& operations() {
  return rows();
}

const Operation* find_operation(std::string_view name) {
  for (const Operation& row : operations()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void register_operation(Operation row) {
  if (find_operation(row.name) != nullptr) {
    throw Error(ErrorKind::usage, "operation '" + std::string(row.name) + "' exists already");
  }
  rows().push_back(std::move(row));
}

}  // namespace dapple

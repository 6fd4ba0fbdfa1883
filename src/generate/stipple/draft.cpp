#include "generate/stipple/draft.hpp"

#include <memory>
#include <utility>

#include "dapple/error.hpp"

namespace dapple::stippling {

DraftJob::DraftJob() {
  field_.as = MapKind::tone;
  field_.prepare.contrast.automatic = true;
}

void DraftJob::describe(OptionList& list) {
  dapple::describe(options_, list);
  dapple::describe(field_, list);
}

Result DraftJob::run(const Image* input, Context& context) {
  if (input == nullptr) throw Error(ErrorKind::usage, "stipple needs an image");
  Stippling made = draft(*input, field_, options_, start, context);
  return {std::move(made.dots),
          DrawingMade{std::move(made.drawing), made.raster_width, made.raster_height,
                      std::move(made.darkness), Plane<float>(), field_.interpolation, made.lost,
                      made.ink, !options_.paper.empty()}};
}

const Operation& draft_operation() {
  static const Operation operation = [] {
    Operation row = *find_operation("stipple");
    row.make = [] { return std::unique_ptr<Job>(new DraftJob); };
    return row;
  }();
  return operation;
}

}  // namespace dapple::stippling

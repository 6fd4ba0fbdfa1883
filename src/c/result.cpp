// Results: numbers in memory, facts, reports and files.
#include <nlohmann/json.hpp>

#include "app/json.hpp"
#include "app/problems.hpp"
#include "c/handles.hpp"
#include "dapple/analyze.hpp"
#include "dapple/error.hpp"

namespace dapple::c {
namespace {

template <class Row>
void give(const std::vector<Row>& rows, std::size_t index, Row* row, const char* what) {
  require(row != nullptr, "the place for it");
  if (index >= rows.size()) {
    throw Error(ErrorKind::usage, "there is no " + std::string(what) + " " + std::to_string(index) +
                                      " of " + std::to_string(rows.size()));
  }
  *row = rows[index];
}

std::string facts_of(const dapple_result& result) {
  app::Json facts = app::Json::parse(app::json_of(result.made.record));
  facts.erase("outputs");
  facts["recipe"] = result.made.recipe;
  if (result.made.result.points) {
    const PointSet& points = *result.made.result.points;
    facts["domain"] = {{"width", points.domain.width},
                       {"height", points.domain.height},
                       {"wraps", points.domain.wrap}};
    if (!points.z.empty()) facts["domain"]["depth"] = points.depth;
  }
  if (const DrawingMade* made = result.made.result.drawing()) {
    facts["drawing"] = {{"width_mm", made->drawing.width}, {"height_mm", made->drawing.height}};
  }
  return app::text_of(facts);
}

}  // namespace
}  // namespace dapple::c

extern "C" {

void dapple_result_free(dapple_result* result) {
  delete result;
}

dapple_status dapple_result_column(dapple_result* result, size_t index, dapple_column* column) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::guarded(result->context, [&] { c::give(result->columns, index, column, "column"); });
}

dapple_status dapple_result_plane(dapple_result* result, size_t index, dapple_plane* plane) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::guarded(result->context, [&] { c::give(result->planes, index, plane, "plane"); });
}

dapple_status dapple_result_facts(dapple_result* result, const char** json) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::guarded(result->context, [&] {
    c::require(json != nullptr, "the place for the text");
    if (result->facts.empty()) result->facts = c::facts_of(*result);
    *json = result->facts.c_str();
  });
}

dapple_status dapple_result_report(dapple_result* result, const char** json) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(json != nullptr, "the place for the text");
    if (result->report.empty()) {
      const auto report =
          measure(result->made.result, result->run->operation->measured, result->context->run);
      if (!report) {
        throw Error(ErrorKind::usage,
                    std::string(result->run->operation->name) + " makes nothing that is measured");
      }
      result->report = report_json(*report);
    }
    *json = result->report.c_str();
  });
}

dapple_status dapple_result_save(dapple_result* result, const char* path) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(path != nullptr, "the name of the file");
    app::save(result->made, *result->run, path, result->context->run);
  });
}

dapple_status dapple_result_encode(dapple_result* result, const char* extension, const void** bytes,
                                   size_t* count) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(extension != nullptr, "the extension");
    c::require(bytes != nullptr && count != nullptr, "the place for the bytes");
    result->bytes = app::encode(result->made, *result->run, extension, result->context->run);
    *bytes = result->bytes.data();
    *count = result->bytes.size();
  });
}

}  // extern "C"

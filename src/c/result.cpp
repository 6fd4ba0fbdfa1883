// Implements results: numbers in memory, facts, reports and files.
#include <nlohmann/json.hpp>

#include "app/certificate.hpp"
#include "app/error_text.hpp"
#include "app/json.hpp"
#include "app/presets/embedded_recipe.hpp"
#include "app/proof.hpp"
#include "c/handles.hpp"
#include "dapple/analyze.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/point_files.hpp"

namespace dapple::c {
namespace {

template <class Row>
dapple_status give(dapple_context* context, const std::vector<Row>& rows, std::size_t index,
                   Row* row, const char* what) {
  if (index >= rows.size()) {
    return refused(context, [&] {
      return std::string(what) + " " + std::to_string(index) + " does not exist: the result has " +
             std::to_string(rows.size());
    });
  }
  return guarded(context, [&] {
    require(row != nullptr, "the output pointer for the row");
    *row = rows[index];
  });
}

// Returns the caller's values as a result of `operation`, without a recipe.
dapple_result* given(dapple_context& context, const char* operation, Result result) {
  auto run = std::make_shared<app::Run>(*find_operation(operation), OptionList::Extent::settings);
  run->no_recipe = true;
  app::InMemory made{std::move(result), "", {}};
  made.record.command = operation;
  made.record.points = made.result.count();
  return new dapple_result(context, std::move(run), std::move(made));
}

std::string facts_of(const dapple_result& result) {
  app::Json facts = app::Json::parse(app::json_of(result.made.record));
  facts.erase("outputs");
  facts["recipe"] = result.made.recipe;
  if (result.made.result.points) {
    const Points& points = *result.made.result.points;
    facts["domain"] = {{"width", points.domain.width},
                       {"height", points.domain.height},
                       {"wraps", points.domain.wrap}};
    if (!points.z.empty()) facts["domain"]["depth"] = points.depth;
    if (!points.w.empty()) facts["domain"]["extent"] = points.extent;
  }
  if (const DrawingMade* made = result.made.result.drawing()) {
    facts["drawing"] = {{"width_mm", made->drawing.width}, {"height_mm", made->drawing.height}};
  }
  return app::text_of(facts);
}

// Returns the order for a word: one of the option's words except none.
DotOrder order_of(const std::string& word) {
  constexpr auto words = option_names(DotOrder::none);
  std::string known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto order = static_cast<DotOrder>(i);
    if (order == DotOrder::none) continue;
    if (word == words[i]) return order;
    known += (known.empty() ? "" : " or ") + std::string(words[i]);
  }
  throw Error(ErrorKind::usage, "the order must be " + known + ", not '" + word + "'");
}

}  // namespace

const Result& made_in(const dapple_result& result) {
  if (result.curves != nullptr) {
    throw Error(ErrorKind::usage,
                "the result is a curve, which has only columns, planes and facts");
  }
  return result.made.result;
}

const Points& points_in(const Result& result) {
  if (!result.points || result.in_space() != nullptr) {
    throw Error(ErrorKind::usage, "the result has no points in the plane");
  }
  return *result.points;
}

}  // namespace dapple::c

dapple_result::dapple_result(dapple_context& of, std::unique_ptr<dapple::c::Curves> what)
    : context(&of), curves(std::move(what)) {
  for (std::size_t i = 0; i < curves->names.size(); ++i) {
    const std::vector<double>& values = curves->values[i];
    columns.push_back(
        {curves->names[i].c_str(), values.data(), DAPPLE_FLOAT64, values.size(), sizeof(double)});
  }
  if (curves->power.size() > 0) {
    planes.push_back({"power", curves->power.values().data(), DAPPLE_FLOAT32, curves->power.width(),
                      curves->power.height(), 1});
  }
  facts = curves->facts;
}

dapple_result::dapple_result(dapple_context& of, std::shared_ptr<dapple::app::Run> by,
                             dapple::app::InMemory what)
    : context(&of),
      run(std::move(by)),
      made(std::move(what)),
      columns(dapple::c::columns_of(made.result)),
      planes(dapple::c::planes_of(made.result, rank_names)) {}

extern "C" {

dapple_status dapple_points(dapple_context* context, const dapple_column* columns, size_t count,
                            double width, double height, int wraps, dapple_result** result) {
  const double sides[] = {width, height};
  return dapple_points_in(context, columns, count, sides, 2, wraps, result);
}

dapple_status dapple_points_in(dapple_context* context, const dapple_column* columns, size_t count,
                               const double* sides, size_t dimensions, int wraps,
                               dapple_result** result) {
  using namespace dapple;
  return c::guarded(context, [&] {
    c::require(result != nullptr, "the output pointer for the result");
    *result = nullptr;
    Points points = c::points_of(columns, count, {sides, dimensions}, wraps != 0);
    *result = c::given(*context, "sample", {std::move(points), {}});
  });
}

dapple_status dapple_points_file(dapple_context* context, const char* path,
                                 dapple_result** result) {
  using namespace dapple;
  return c::watched(context, [&] {
    c::require(path != nullptr, "the name of the file");
    c::require(result != nullptr, "the output pointer for the result");
    *result = nullptr;
    *result = c::given(*context, "sample", {read_points(path, context->run), {}});
  });
}

dapple_status dapple_mask(dapple_context* context, const dapple_image* image,
                          dapple_result** result) {
  using namespace dapple;
  return c::guarded(context, [&] {
    c::require(image != nullptr, "the image");
    c::require(result != nullptr, "the output pointer for the result");
    *result = nullptr;
    app::configure(context->run, context->asked);
    Image values = c::image_of(*image, context->run);
    values.encoding = Encoding::data;
    *result = c::given(*context, "mask", {std::nullopt, ImageMade{std::move(values)}});
  });
}

dapple_status dapple_recipe_in(dapple_context* context, const char* path, const char** toml) {
  using namespace dapple;
  return c::watched(context, [&] {
    c::require(path != nullptr, "the name of the file");
    c::require(toml != nullptr, "the output pointer for the recipe");
    *toml = nullptr;
    context->recipe = app::origin_of(path, context->run).recipe;
    *toml = context->recipe.c_str();
  });
}

void dapple_result_free(dapple_result* result) {
  delete result;
}

dapple_status dapple_result_column(dapple_result* result, size_t index, dapple_column* column) {
  if (result == nullptr) return DAPPLE_USAGE;
  return dapple::c::give(result->context, result->columns, index, column, "column");
}

dapple_status dapple_result_plane(dapple_result* result, size_t index, dapple_plane* plane) {
  if (result == nullptr) return DAPPLE_USAGE;
  return dapple::c::give(result->context, result->planes, index, plane, "plane");
}

dapple_status dapple_result_facts(dapple_result* result, const char** json) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::guarded(result->context, [&] {
    c::require(json != nullptr, "the output pointer for the text");
    if (result->facts.empty()) result->facts = c::facts_of(*result);
    *json = result->facts.c_str();
  });
}

dapple_status dapple_result_report(dapple_result* result, const char** json) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(json != nullptr, "the output pointer for the text");
    if (result->report.empty()) {
      const Result& made = c::made_in(*result);
      const auto report = measure(made, result->run->operation->measured, result->context->run);
      if (!report) {
        throw Error(ErrorKind::usage,
                    std::string(result->run->operation->name) + " has nothing to measure");
      }
      result->report = report_json(*report);
    }
    *json = result->report.c_str();
  });
}

dapple_status dapple_result_certify(dapple_result* result) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    const Result& made = c::made_in(*result);
    if (made.image() != nullptr && !made.image()->ranks.empty()) {
      return app::check_ranks(*made.image());
    }
    app::prove_even(c::points_in(made), ConflictRule::mean, result->context->run);
  });
}

dapple_status dapple_result_order(dapple_result* result, const char* by, dapple_column* column) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(by != nullptr, "the name of the order");
    c::require(column != nullptr, "the output pointer for the column");
    result->order =
        drawing_order(c::points_in(c::made_in(*result)), c::order_of(by), result->context->run);
    *column = {"order", result->order.data(), DAPPLE_INT32, result->order.size(),
               sizeof(std::int32_t)};
  });
}

dapple_status dapple_result_save(dapple_result* result, const char* path) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(path != nullptr, "the name of the file");
    c::made_in(*result);
    app::save(result->made, *result->run, path, result->context->run);
  });
}

dapple_status dapple_result_encode(dapple_result* result, const char* extension, const void** bytes,
                                   size_t* count) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(extension != nullptr, "the extension");
    c::require(bytes != nullptr && count != nullptr, "the output pointer for the bytes");
    c::made_in(*result);
    result->bytes = app::encode(result->made, *result->run, extension, result->context->run);
    *bytes = result->bytes.data();
    *count = result->bytes.size();
  });
}

}  // extern "C"

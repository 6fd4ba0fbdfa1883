// Declares the handles of the C interface, and the only place that turns exceptions into a status.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/dapple.h"
#include "dapple/extend/options.hpp"

namespace dapple::c {

// Measurements of a result. They form a result of their own, without an operation.
struct Curves {
  std::vector<std::string> names = {};           // names of columns
  std::vector<std::vector<double>> values = {};  // per column
  Plane<float> power = {};                       // power of a spectrum, otherwise empty
  std::string facts = {};                        // as JSON
};

}  // namespace dapple::c

struct dapple_context {
  dapple_context();

  dapple::app::RunOptions asked;  // options of every run
  dapple::OptionList options;     // refer to `asked`
  dapple::Context run;            // used by one call at a time
  std::atomic<bool> is_running = false;
  dapple_progress progress = nullptr;
  void* progress_data = nullptr;
  const char* message = "";  // points to `text` or to a static message
  std::string text;
  std::string option;
  std::string recipe;  // recipe of the last file
};

struct dapple_job {
  explicit dapple_job(dapple_context& of, const dapple::Operation& operation)
      : context(&of),
        run(std::make_shared<dapple::app::Run>(operation, dapple::OptionList::Extent::settings)) {}

  dapple_context* context;
  std::shared_ptr<dapple::app::Run> run;  // shared with the result
  std::unique_ptr<dapple::Image> input;
  bool is_run = false;
};

struct dapple_result {
  // Fills columns and planes, which point into the result.
  dapple_result(dapple_context& of, std::shared_ptr<dapple::app::Run> by,
                dapple::app::InMemory what);
  dapple_result(dapple_context& of, std::unique_ptr<dapple::c::Curves> what);

  dapple_context* context;
  std::shared_ptr<dapple::app::Run> run;
  dapple::app::InMemory made;
  std::unique_ptr<dapple::c::Curves> curves;  // if set, this is the only result
  std::vector<std::string> rank_names;
  std::vector<dapple_column> columns;
  std::vector<dapple_plane> planes;
  std::vector<std::int32_t> order;
  std::string facts;
  std::string report;
  std::string bytes;
};

namespace dapple::c {

// Runs `work`. An exception becomes the context's last error, and its kind becomes the status.
dapple_status guarded(dapple_context* context, const std::function<void()>& work) noexcept;
// Runs `work` that takes time or writes files: turns exceptions into a status as guarded() does,
// and reports progress. On return the context is ready for another run, and a signal about file
// sizes cannot reach the host.
dapple_status watched(dapple_context* context, const std::function<void()>& work) noexcept;

// Sets the message of a failed request and returns its status, without an exception: hosts request
// columns until there are no more.
dapple_status refused(dapple_context* context, const std::function<std::string()>& why) noexcept;

// Throws Error(usage) that names `what` if it is missing.
void require(bool given, const char* what);

// `count` values at intervals of `bytes` bytes.
struct Steps {
  std::ptrdiff_t bytes;
  std::size_t count;
};
// Throws Error(usage) if the caller's values, from `first` on, would exceed the address space.
void require_reach(std::string_view what, const void* first, std::initializer_list<Steps> steps);
// Throws Error(limit) if there are more of `what`, such as points, than a set can hold.
void require_count(std::size_t count, std::string_view what);
// Return copies of the caller's data. Throw Error(usage) for an invalid call, Error(input) for
// values that cannot be used, and Error(limit) above the limits of the context.
Image image_of(const dapple_image& image, const Context& context);
Points points_of(const dapple_column* columns, std::size_t count, std::span<const double> sides,
                 bool wraps);
Mesh mesh_of(const dapple_column* columns, std::size_t count, const std::int32_t* triangles,
             std::size_t triangle_count, const Context& context);
// Return the result of an operation, and its points in the plane. Throw Error(usage) for curves,
// and for results without points in the plane.
const Result& made_in(const dapple_result& result);
const Points& points_in(const Result& result);
// Return the columns and planes of a result. `rank_names` receives the names of planes of ranks.
std::vector<dapple_column> columns_of(const Result& result);
std::vector<dapple_plane> planes_of(const Result& result, std::vector<std::string>& rank_names);

}  // namespace dapple::c

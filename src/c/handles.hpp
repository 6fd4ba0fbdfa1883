// What the handles of the C interface are, and the one place where exceptions become a status.
#pragma once

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
#include "dapple/options.hpp"

namespace dapple::c {

// What is measured of a result, in place of what an operation made.
struct Curves {
  std::vector<std::string> names = {};           // of columns
  std::vector<std::vector<double>> values = {};  // of each
  Plane<float> power = {};                       // of a spectrum
  std::string facts = {};                        // as JSON
};

// Does the work of a context while its caller is told of progress.
struct Worker;
struct EndOfWorker {
  void operator()(Worker* worker) const;
};

}  // namespace dapple::c

struct dapple_context {
  dapple_context();

  dapple::app::RunOptions asked;  // of every run
  dapple::OptionList options;     // that refer to it
  dapple::Context run;            // of one call after the other
  dapple_progress progress = nullptr;
  void* progress_data = nullptr;
  std::unique_ptr<dapple::c::Worker, dapple::c::EndOfWorker> worker;
  const char* message = "";  // of `text`, or one that needs no memory
  std::string text;
  std::string option;
  std::string recipe;  // that a file carries
};

struct dapple_job {
  explicit dapple_job(dapple_context& of, const dapple::Operation& operation)
      : context(&of),
        run(std::make_shared<dapple::app::Run>(operation, dapple::OptionList::Extent::settings)) {}

  dapple_context* context;
  std::shared_ptr<dapple::app::Run> run;  // a result goes on using it
  std::unique_ptr<dapple::Image> input;
  bool is_run = false;
};

struct dapple_result {
  // Whose columns and planes point into it.
  dapple_result(dapple_context& of, std::shared_ptr<dapple::app::Run> by,
                dapple::app::InMemory what);
  dapple_result(dapple_context& of, std::unique_ptr<dapple::c::Curves> what);

  dapple_context* context;
  std::shared_ptr<dapple::app::Run> run;
  dapple::app::InMemory made;
  std::unique_ptr<dapple::c::Curves> curves;  // where there are any, nothing else was made
  std::vector<std::string> rank_names;
  std::vector<dapple_column> columns;
  std::vector<dapple_plane> planes;
  std::vector<std::int32_t> order;
  std::string facts;
  std::string report;
  std::string bytes;
};

namespace dapple::c {

// Runs `work`; what it throws is the context's last error, and its kind the status.
dapple_status guarded(dapple_context* context, const std::function<void()>& work) noexcept;
// The same of work that takes time or writes files, in another thread where progress is to be told
// in this one. The context is ready for another run then, and no signal about the size of files has
// left it.
dapple_status watched(dapple_context* context, const std::function<void()>& work) noexcept;

// The status of what is asked for in vain, and why, without an exception: a host asks for
// columns until there are no more.
dapple_status refused(dapple_context* context, const std::function<std::string()>& why) noexcept;

// Throws Error(usage) that says what is missing.
void require(bool given, const char* what);

// So many values, each so many bytes behind the one before.
struct Steps {
  std::ptrdiff_t bytes;
  std::size_t count;
};
// Throws Error(usage) where values that a caller says to have, seen from the first, are more than
// any memory holds.
void require_reach(std::string_view what, const void* first, std::initializer_list<Steps> steps);
// Throws Error(limit) where points are more than a set holds.
void require_count(std::size_t count);
// Copies of what a caller has. They throw Error(usage) for values that make no sense, and
// Error(limit) for images above the limits of the context.
Image image_of(const dapple_image& image, const Context& context);
PointSet points_of(const dapple_column* columns, std::size_t count, std::span<const double> sides,
                   bool wraps);
// What an operation made, and its points in the plane. Throw Error(usage) where a result is of
// curves, or has no such points.
const Result& made_in(const dapple_result& result);
const PointSet& points_in(const Result& result);
// Columns and planes of what was made, and the names of those that have none of their own.
std::vector<dapple_column> columns_of(const Result& result);
std::vector<dapple_plane> planes_of(const Result& result, std::vector<std::string>& rank_names);

}  // namespace dapple::c

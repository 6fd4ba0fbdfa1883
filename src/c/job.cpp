// Implements jobs: an operation whose options and inputs are set one by one and that runs once.
#include <algorithm>

#include "app/presets/plotter_profiles.hpp"
#include "app/presets/settings.hpp"
#include "c/handles.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/mesh.hpp"

namespace dapple::c {
namespace {

dapple_job& still_to_run(dapple_job* job) {
  if (job->is_run) {
    throw Error(ErrorKind::usage, "the job has already run: make a new job to set and run");
  }
  return *job;
}

void set(dapple_job& job, const std::string& name, const std::string& text) {
  app::Run& run = *job.run;
  if (name == "input") {
    run.input = text;
    job.input.reset();
  } else if (name == "preset") {
    app::take_preset(text, run, &job.context->asked.seed);
  } else {
    app::set_option(name, text, run);
  }
}

Option& input_option(dapple_job& job, const char* name, OptionType type, const char* holds) {
  Option* const option = job.run->options.find(name);
  if (option != nullptr && option->type == type) return *option;
  throw Error(ErrorKind::usage, Problem{name, "is not an option that takes " + std::string(holds)});
}

// Returns the target for an image: the option of that name, or one of its maps (`class-oak`).
ImageInput& image_input(dapple_job& job, const char* name) {
  for (const auto& option : job.run->options) {
    if (option->named_maps == nullptr) continue;
    for (NamedMap& one : *option->named_maps) {
      if (name == option->name + "-" + one.name) return one.map;
    }
  }
  return *input_option(job, name, OptionType::image, "an image").image_input;
}

}  // namespace
}  // namespace dapple::c

extern "C" {

dapple_status dapple_job_new(dapple_context* context, const char* operation, dapple_job** job) {
  using namespace dapple;
  return c::guarded(context, [&] {
    c::require(job != nullptr, "the output pointer for the job");
    *job = nullptr;
    c::require(operation != nullptr, "the name of the operation");
    const Operation* const row = find_operation(operation);
    if (row == nullptr) {
      throw Error(ErrorKind::usage, "there is no operation '" + std::string(operation) + "'");
    }
    *job = new dapple_job(*context, *row);
  });
}

void dapple_job_free(dapple_job* job) {
  delete job;
}

dapple_status dapple_job_set(dapple_job* job, const char* name, const char* text) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::guarded(job->context, [&] {
    c::require(name != nullptr, "the name of the option");
    c::require(text != nullptr, "the value of the option");
    c::set(c::still_to_run(job), name, text);
  });
}

dapple_status dapple_job_set_recipe(dapple_job* job, const char* toml) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::guarded(job->context, [&] {
    c::require(toml != nullptr, "the recipe");
    app::take_recipe(app::with_tools(parse_recipe(toml, "recipe")), "the recipe", "recipe",
                     *c::still_to_run(job).run, &job->context->asked.seed);
  });
}

dapple_status dapple_job_set_image(dapple_job* job, const char* name, const dapple_image* image) {
  return dapple_job_set_slices(job, name, image, 1);
}

dapple_status dapple_job_set_slices(dapple_job* job, const char* name, const dapple_image* image,
                                    int32_t slices) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::guarded(job->context, [&] {
    c::require(image != nullptr, "the image");
    c::still_to_run(job);
    if (slices < 1 || image->height % slices != 0) {
      throw Error(ErrorKind::usage, "an image of " + std::to_string(image->height) +
                                        " rows has no " + std::to_string(slices) +
                                        " slices of equal height");
    }
    Context& run = job->context->run;
    app::configure(run, job->context->asked);
    ImageInput* const of = name == nullptr ? nullptr : &c::image_input(*job, name);
    auto read = std::make_unique<Image>(c::image_of(*image, run));
    read->slices = slices;
    if (of == nullptr) {
      job->input = std::move(read);
      job->run->input.clear();
      return;
    }
    *of = {"", std::move(read), of->frames};
  });
}

dapple_status dapple_job_set_mesh(dapple_job* job, const char* name, const dapple_column* columns,
                                  size_t count, const int32_t* triangles, size_t triangle_count) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::guarded(job->context, [&] {
    c::require(name != nullptr, "the name of the option");
    Option& option = c::input_option(c::still_to_run(job), name, OptionType::mesh, "a mesh");
    app::configure(job->context->run, job->context->asked);
    *option.mesh_input = {"", std::make_shared<const Mesh>(c::mesh_of(
                                  columns, count, triangles, triangle_count, job->context->run))};
  });
}

dapple_status dapple_job_set_points(dapple_job* job, const char* name, const dapple_column* columns,
                                    size_t count, double width, double height, int wraps) {
  const double sides[] = {width, height};
  return dapple_job_set_points_in(job, name, columns, count, sides, 2, wraps);
}

dapple_status dapple_job_set_points_in(dapple_job* job, const char* name,
                                       const dapple_column* columns, size_t count,
                                       const double* sides, size_t dimensions, int wraps) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::guarded(job->context, [&] {
    c::require(name != nullptr, "the name of the option");
    Option& option = c::input_option(c::still_to_run(job), name, OptionType::points, "points");
    option.points_input->path.clear();
    option.points_input->points = std::make_shared<const Points>(
        c::points_of(columns, count, {sides, dimensions}, wraps != 0));
  });
}

dapple_status dapple_job_run(dapple_job* job, dapple_result** result) {
  using namespace dapple;
  if (job == nullptr) return DAPPLE_USAGE;
  return c::watched(job->context, [&] {
    c::require(result != nullptr, "the output pointer for the result");
    *result = nullptr;
    c::still_to_run(job).is_run = true;
    *result = new dapple_result(*job->context, job->run,
                                app::make(*job->run, job->input.get(), job->context->run));
  });
}

}  // extern "C"

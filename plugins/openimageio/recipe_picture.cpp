#include "recipe_picture.hpp"

#include <algorithm>
#include <cstring>

#include "app/presets/settings.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/recipe.hpp"
#include "io/images/formats.hpp"

namespace dapple {
namespace {

constexpr std::int64_t recipe_limit = 1 << 20;
// Bytes of bands that are kept, since neighboring tiles need the same rows.
constexpr double kept_bytes = 64 << 20;

app::Run run_of(const Recipe& recipe, const std::string& path, std::uint64_t* seed) {
  if (recipe.command.empty()) {
    throw Error(ErrorKind::usage, "the recipe names no command: add command = \"worley\"", path);
  }
  const Operation* const operation = find_operation(recipe.command);
  if (operation == nullptr) {
    throw Error(ErrorKind::usage, "there is no command '" + recipe.command + "'", path);
  }
  app::Run run(*operation);
  app::take_recipe(recipe, "the recipe", path, run, seed);
  return run;
}

// Throws Error(usage) if the recipe names files. Opening a picture must not open other files.
void refuse_files(const app::Run& run, const std::string& path) {
  std::string named = run.input.empty() ? "" : "its input";
  for (const auto& option : run.options) {
    if (option->names_file()) named += (named.empty() ? "" : ", ") + option->name;
  }
  if (named.empty()) return;
  throw Error(ErrorKind::usage,
              "the recipe names files (" + named +
                  "), which this reader does not open: make the picture with dapple reproduce",
              path);
}

}  // namespace

RecipePicture::RecipePicture(const std::string& path, int threads) {
  context_.threads = threads;
  const Recipe recipe = parse_recipe(read_file(path, recipe_limit, context_), path);
  run_.emplace(run_of(recipe, path, &context_.seed));
  refuse_files(*run_, path);
  auto problems = app::option_problems(*run_, false);
  if (!problems.empty()) throw Error(ErrorKind::usage, std::move(problems));
  if (const std::string problem = app::input_problem(*run_); !problem.empty()) {
    throw Error(ErrorKind::usage, problem, path);
  }
  run_->job->settle_outputs(false);
  const auto shape = run_->job->image_shape();
  if (!shape) {
    throw Error(ErrorKind::usage,
                recipe.command +
                    " makes no picture of a known size: only recipes of worley and "
                    "mask can be opened as pictures",
                path);
  }
  shape_ = *shape;
  context_.require_pixels(shape_.width, 1.0 * shape_.height * shape_.slices, "the picture");
  types_ = stored_channels(fitted(shape_.pixel));
  shape_.pixel = fitted(std::move(shape_.pixel));
  recipe_ = to_toml(app::carried_recipe(*run_, context_), run_->options);
}

// Returns the image with the values and names of the .exr that the program writes.
Image RecipePicture::fitted(Image image) const {
  ImageEncoding how;
  return fit_image(std::move(image), "exr", how);
}

void RecipePicture::make() {
  if (is_made_) return;
  run_->job->by_rows = true;
  run_->job->prefers_rows = true;
  Result made = run_->job->run(nullptr, context_);
  context_.check();
  if (auto* const whole = std::get_if<ImageMade>(&made.picture)) {
    bands_.push_back({0, fitted(std::move(whole->image))});
  } else if (const RowsMade* const by_rows = made.rows()) {
    rows_ = by_rows->rows;
  }
  is_made_ = true;
}

const RecipePicture::Band& RecipePicture::band_of(int y) {
  make();
  const auto found = std::find_if(bands_.begin(), bands_.end(), [&](const Band& band) {
    return band.first <= y && y < band.first + band.image.height();
  });
  if (found != bands_.end()) {
    bands_.splice(bands_.begin(), bands_, found);
    return bands_.front();
  }
  if (!rows_.rows) throw Error(ErrorKind::usage, "row " + std::to_string(y) + " does not exist");
  const int first = y / rows_.step * rows_.step;
  Image image = fitted(rows_.rows(first, std::min(first + rows_.step, height())));
  context_.check();
  const double bytes = 4.0 * image.width() * image.height() *
                       static_cast<double>(std::max<std::size_t>(1, image.channels.size()));
  while (!bands_.empty() && bytes * static_cast<double>(bands_.size() + 1) > kept_bytes) {
    bands_.pop_back();
  }
  bands_.push_front({first, std::move(image)});
  return bands_.front();
}

void RecipePicture::read(int slice, int x0, int x1, int y0, int y1, unsigned char* to,
                         std::size_t stride) {
  context_.check();
  std::size_t pixel = 0;
  for (const StoredAs type : types_) pixel += bytes_of(type);
  for (int y = y0; y < y1; ++y, to += stride) {
    const Band& band = band_of(slice * height() + y);
    const Image& image = band.image;
    if (image.width() != width() || image.names != channels()) {
      throw Error(ErrorKind::usage,
                  "the picture does not have the size or channels that its recipe announced");
    }
    const int row = slice * height() + y - band.first;
    std::size_t offset = 0;
    for (std::size_t c = 0; c < types_.size(); ++c) {
      const float* const from = image.channels[c].row(row);
      unsigned char* at = to + offset;
      for (int x = x0; x < x1; ++x, at += pixel) {
        if (types_[c] == StoredAs::u32) {
          std::memcpy(at, image.hints.integers[c].row(row) + x, 4);
        } else if (types_[c] == StoredAs::f16) {
          const std::uint16_t half = half_of(from[x]);
          std::memcpy(at, &half, 2);
        } else {
          std::memcpy(at, from + x, 4);
        }
      }
      offset += bytes_of(types_[c]);
    }
  }
}

}  // namespace dapple

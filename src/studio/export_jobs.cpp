// Writes the exports of the page, and fills the strip of photos with drafts.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/batch/batch.hpp"
#include "app/error_text.hpp"
#include "app/presets/presets.hpp"
#include "app/run/outputs.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "dapple/recipe.hpp"
#include "field/resample.hpp"
#include "io/jobs_toml.hpp"
#include "studio/hello_message.hpp"
#include "studio/photo.hpp"
#include "studio/session.hpp"

namespace dapple::studio {
namespace {

using app::Json;
namespace fs = std::filesystem;

std::string numbered(const std::string& path, int number) {
  const std::size_t dot = path.rfind('.');
  return path.substr(0, dot) + "-" + std::to_string(number) + path.substr(dot);
}

// Numbers the names so that none is taken. Photos in several folders may have the same name.
void set_apart(std::vector<std::string>& names, std::set<std::string>& taken) {
  const auto is_taken = [&](const std::string& name) {
    return taken.contains(name) || app::is_there(name);
  };
  const std::vector<std::string> plain = names;
  for (int number = 2; std::any_of(names.begin(), names.end(), is_taken); ++number) {
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = numbered(plain[i], number);
  }
  taken.insert(names.begin(), names.end());
}

// Returns the batch-file table for a request with these output files.
std::string job_of(const RenderRequest& request, const app::Run& run, std::uint64_t seed,
                   const std::vector<std::string>& outputs) {
  Recipe recipe;
  recipe.command = request.command;
  recipe.input = request.input;
  for (const auto& [name, text] : request.settings) {
    if (name != "seed") recipe.settings.push_back({name, text, 0, 0});
  }
  recipe.has_seed = request.settings.contains("seed");
  recipe.seed = seed;
  std::string text = "\n[[job]]\n" + to_toml(recipe, run.options);
  if (!request.preset.empty()) text += "preset = " + toml_text(request.preset) + "\n";
  std::string names;
  for (const std::string& output : outputs) {
    names += (names.empty() ? "" : ", ") + toml_text(output);
  }
  return text + "output = [" + names + "]\n";
}

// Writes the strokes to a file and sets it as the weight of the request.
WeightFile put_down(RenderRequest& request, StrokeWeights& weigher, const app::Run& run,
                    const Image* photo, const std::string& folder, Context& context) {
  const BrushLayers* const layers = weigher.layers(request, run, photo, context);
  if (layers == nullptr) return {};
  const WeightFile weight = write_weight(*layers, request.input, folder, context);
  request.settings["weight"] = weight.path;
  return weight;
}

// Returns the words of a title in the form of preset names: lower case, joined by dashes.
std::string slug_of(const std::string& title) {
  std::string slug;
  for (const char c : title) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      slug += static_cast<char>(std::tolower(byte));
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

// Writes the settings of a request as a preset with this title. `was` names a look that it
// replaces; "": none. Returns the name of the preset. Without a title, it only removes `was`.
std::string write_look(const RenderRequest& request, const std::string& title,
                       const std::string& was, const fs::path& folder, Context& context) {
  const auto presets = app::all_presets(context);
  const auto old = std::find_if(presets.begin(), presets.end(), [&](const app::Preset& preset) {
    return preset.name == was && app::is_own(preset, folder);
  });
  if (!was.empty() && old == presets.end()) {
    throw Error(ErrorKind::usage, "'" + was + "' is no look of yours");
  }
  std::string name;
  if (!title.empty()) {
    const std::string slug = slug_of(title);
    name = request.command + "-" + slug;
    if (slug.empty()) {
      throw Error(ErrorKind::usage,
                  "a look needs a name with a letter or digit, got '" + title + "'");
    }
    const app::Run run = run_of(request, context);
    app::save_preset(folder, name, title, run, Overwrite::never, context);
  }
  if (!was.empty()) fs::remove(old->path);
  return name;
}

}  // namespace

RenderRequest Session::request_of_photo(const RenderRequest& request, std::size_t photo,
                                        const Strokes& strokes) const {
  RenderRequest other = request;
  other.input = options_.photos[photo];
  other.strokes = strokes;
  return other;
}

// Sends the next outdated draft of the strip, if there is no other work.
void Session::next_of_strip() {
  Work work(*this);
  Context& context = work.context;
  int page = 0;
  int side = 0;
  std::size_t photo = 0;
  RenderRequest request;
  std::string key;
  {
    const std::lock_guard lock(mutex_);
    if (wanted_ || !orders_.empty()) return;
    for (;; ++strip_.next) {
      if (!strip_waits()) return;
      photo = strip_.next;
      request = request_of_photo(strip_.request, photo, strip_.strokes[photo]);
      key = request.key();
      if (strip_.shown[photo] != key) break;
    }
    page = page_;
    side = strip_.side;
    work.begin(true);
  }
  if (small_side_ != side) {
    small_side_ = side;
    small_photos_.assign(options_.photos.size(), std::nullopt);
  }
  Json head{{"kind", "strip"}, {"photo", photo}};
  Frame frame;
  try {
    std::optional<Image>& small = small_photos_[photo];
    if (!small) small = reduced(read_image(request.input, context), side, context);
    frame = paint_small(request, *small, side, context);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;  // so that it runs again
    if (error.kind() == ErrorKind::usage) {
      // A setting is wrong, not the photo: the drafts stay until the next request.
      const std::lock_guard lock(mutex_);
      if (strip_.request.number == request.number) strip_.next = strip_.strokes.size();
      return;
    }
    head["problem"] = app::as_flags(error.what());
  }
  send_frame(page, message_of(std::move(head), frame));
  const std::lock_guard lock(mutex_);
  if (page_ == page && strip_.side == side) strip_.shown[photo] = key;
}

void Session::write(const Order& order) {
  if (!order.of_all.empty()) return write_batch(order);
  Work work(*this);
  Context& context = work.context;
  begin(work);
  if (order.is_look) {
    const auto& looks = options_.folders.looks;
    const std::string name = write_look(order.request, order.look, order.was, looks, context);
    if (!order.was.empty()) kept_.clear();  // another look may get this name
    return tell({{"type", "saved"},
                 {"preset", name},
                 {"was", order.was},
                 {"presets", presets_json(looks, context)}});
  }
  context.on_progress = [&](std::string_view, double share) {
    tell_progress(order.request.number, share);
  };
  RenderRequest request = order.request;
  WeightFile weight;
  {
    const app::Run run = run_of(request, context);
    weight = put_down(request, weigher_, run, image_of(run, context), options_.folder, context);
  }
  Json files = Json::array();
  if (weight.is_new) files.push_back(weight.path);
  app::Run run = run_of(request, context);
  run.outputs =
      app::free_names(run, context, order.line_alone ? "" : options_.folder, order.extensions);
  if (!order.line_alone) {
    try {
      for (const app::WrittenOutput& output : app::execute(run, context).outputs) {
        files.push_back(output.path);
      }
    } catch (...) {
      std::error_code ignored;
      if (weight.is_new) std::filesystem::remove(weight.path, ignored);
      throw;
    }
  }
  {
    const std::lock_guard lock(mutex_);
    for (const Json& file : files) exported_.push_back(file);
  }
  tell({{"type", order.line_alone ? "line" : "exported"},
        {"number", order.request.number},
        {"files", files},
        {"warnings", context.warnings()},
        {"line", command_line(request, run.outputs)}});
}

// Writes a batch file with the jobs of all photos, and the weights of photos with strokes.
void Session::write_batch(const Order& order) {
  std::string text = "# dapple batch THIS-FILE makes each of these, as the studio showed it\n";
  Json files = Json::array({""});  // the batch file comes first
  std::set<std::string> taken;
  std::vector<std::string> weights;
  try {
    for (std::size_t photo = 0; photo < order.of_all.size(); ++photo) {
      Work work(*this);
      Context& context = work.context;
      begin(work);
      RenderRequest request = request_of_photo(order.request, photo, order.of_all[photo]);
      if (!request.strokes.empty()) {
        const app::Run run = run_of(request, context);
        const Image image = read_image(request.input, context);
        StrokeWeights weigher;
        const auto weight = put_down(request, weigher, run, &image, options_.folder, context);
        if (weight.is_new) weights.push_back(weight.path);
      }
      const app::Run run = run_of(request, context);
      auto names = app::free_names(run, context, options_.folder, order.extensions);
      set_apart(names, taken);
      text += job_of(request, run, context.seed, names);
    }
    const std::string plain = options_.folder + "/" + order.request.command + "-jobs.toml";
    std::string path = plain;
    for (int number = 2; app::is_there(path); ++number) path = numbered(plain, number);
    write_file(path, text, Overwrite::never);
    files[0] = path;
  } catch (...) {
    std::error_code ignored;
    for (const std::string& weight : weights) fs::remove(weight, ignored);
    throw;
  }
  for (const std::string& weight : weights) files.push_back(weight);
  const std::string path = files[0];
  {
    const std::lock_guard lock(mutex_);
    exported_.push_back(path);
  }
  tell({{"type", "exported"},
        {"number", order.request.number},
        {"files", std::move(files)},
        {"warnings", Json::array()},
        {"batch", true},
        {"line", "dapple batch " + app::shell_quoted(path)}});
}

}  // namespace dapple::studio

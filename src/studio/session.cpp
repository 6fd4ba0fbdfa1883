#include "studio/session.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/error_text.hpp"
#include "app/run/outputs.hpp"
#include "app/run/runner.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "field/resample.hpp"
#include "generate/stipple/job.hpp"
#include "io/images/formats.hpp"
#include "studio/hello_message.hpp"
#include "studio/photo.hpp"

namespace dapple::studio {
namespace {

using app::Json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_kept = 64;               // pictures, for undo and redo
constexpr std::size_t most_kept_bytes = 256 << 20;  // of all pictures together
constexpr std::chrono::milliseconds unbroken{300};  // longest uninterruptible result without draft
constexpr std::chrono::milliseconds longest_drawing{100};  // of a draft, before the result begins
constexpr int photo_side = 1600;                           // side of the photo in the page, px
constexpr int strokes_side = 400;                          // side of the picture of strokes, px
constexpr int tones_side = 800;

// Returns the length of the head in four bytes, followed by the head and `rest`.
std::string with_head(const Json& head, std::string_view rest) {
  const std::string text = app::text_of(head, -1);
  std::string message;
  put(message, text.size(), 4);
  return message.append(text).append(rest);
}

// Returns the layers (inks or parts of the plot) if there are several.
Json layers_json(const Picture& picture) {
  Json layers = Json::array();
  if (!picture.drawing || picture.drawing->drawing().layers.size() < 2) return layers;
  for (const Layer& layer : picture.drawing->drawing().layers) {
    layers.push_back({{"name", layer.name},
                      {"color", layer.color},
                      {"marks", layer.discs.size() + layer.lines.size()}});
  }
  return layers;
}

Json place_json(const Box& box) {
  return {box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0};
}

// Moves the start of a draft to the points for which `is_meant` is true. Does nothing if their
// number differs, for example because points were left out.
template <class Meant>
void move_to(const Points& points, const Meant& is_meant, DraftStart& start) {
  std::vector<std::size_t> meant;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (is_meant(i)) meant.push_back(i);
  }
  if (meant.size() != start.dots.size()) return;
  start.unrelaxed = 0;
  const Domain domain = start.dots.domain;
  const double across = domain.width / points.domain.width;
  const double down = domain.height / points.domain.height;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    const Vec2 p = points[meant[k]];
    start.dots.x[k] = std::clamp(p.x * across, 0.0, std::nextafter(domain.width, 0.0));
    start.dots.y[k] = std::clamp(p.y * down, 0.0, std::nextafter(domain.height, 0.0));
  }
}

// Returns the start of a draft that follows the shown points, which have the same density.
std::shared_ptr<const stippling::DraftStarts> start_of(const Points& points,
                                                       const stippling::DraftStarts& drafted) {
  auto start = std::make_shared<stippling::DraftStarts>(drafted);
  const bool of_both = !drafted.paper.dots.empty() && !points.class_id.empty();
  const auto is_ink = [&](std::size_t i) { return !of_both || points.class_id[i] == 0; };
  move_to(points, is_ink, start->ink);
  if (of_both)
    move_to(
        points, [&](std::size_t i) { return !is_ink(i); }, start->paper);
  return start;
}

}  // namespace

std::string message_of(Json head, const Frame& frame) {
  head["left"] = frame.left;
  head["top"] = frame.top;
  head["width"] = frame.width;
  head["height"] = frame.height;
  head["gray"] = frame.gray;
  return with_head(head, frame.pixels);
}

Session::Session(SessionOptions options, Send send, std::function<void()> left)
    : options_(std::move(options)), send_(std::move(send)), left_(std::move(left)) {
  if (!options_.has_threads) return;
  solving_thread_ = std::thread([this] { solve_all(); });
  painting_thread_ = std::thread([this] { paint_all(); });
}

Session::~Session() {
  stop();
}

void Session::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    page_ = 0;
    if (solving_ != nullptr) solving_->cancel();
    if (painting_ != nullptr) painting_->cancel();
  }
  solver_wakes_.notify_all();
  painter_wakes_.notify_all();
  if (solving_thread_.joinable()) solving_thread_.join();
  if (painting_thread_.joinable()) painting_thread_.join();
}

void Session::tell(const Json& object) {
  int page = 0;
  {
    const std::lock_guard lock(mutex_);
    page = page_;
  }
  if (page != 0) send_(page, app::text_of(object, -1), false);
}

void Session::send_frame(int page, const std::string& message) {
  if (page != 0) send_(page, message, true);
}

void Session::print_problems(int number, const Error& error) {
  Json object{{"type", "problems"}, {"number", number}, {"problems", Json::array()}};
  for (const Problem& problem : error.problems()) {
    object["problems"].push_back(
        {{"option", problem.option}, {"message", app::as_flags(problem.message)}});
  }
  tell(object);
}

bool Session::step() {
  std::unique_lock lock(mutex_);
  const bool painted = paint_views(lock);
  if (ends_ || !is_work_waiting()) return painted;
  solve_next(lock);
  return true;
}

bool Session::is_work_waiting() const {
  return wanted_ || !orders_.empty() || strip_waits() || looks_side_ > 0 || lesson_wanted_ ||
         spectrum_wanted_ || !opening_.empty();
}

void Session::solve_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    solver_wakes_.wait(lock, [this] { return ends_ || is_work_waiting(); });
    if (ends_) return;
    solve_next(lock);
  }
}

void Session::solve_next(std::unique_lock<std::mutex>& lock) {
  std::optional<Order> order;
  std::optional<RenderRequest> request;
  std::optional<LessonRequest> lesson;
  std::optional<std::size_t> spectrum;
  std::vector<OpenedPhoto> opening;
  bool of_strip = false;
  if (lesson_wanted_) {
    lesson.swap(lesson_wanted_);
  } else if (spectrum_wanted_) {
    spectrum.swap(spectrum_wanted_);
  } else if (!orders_.empty()) {
    order = std::move(orders_.front());
    orders_.pop_front();
  } else if (!opening_.empty()) {
    opening.swap(opening_);
  } else {
    request.swap(wanted_);
    of_strip = !request && strip_waits();
  }
  lock.unlock();
  const int number = order ? order->request.number : request ? request->number : 0;
  bool failed = true;
  try {
    if (lesson) {
      teach(*lesson);
    } else if (spectrum) {
      show_spectrum(*spectrum);
    } else if (order) {
      write(*order);
    } else if (!opening.empty()) {
      open_photos(opening);
    } else if (request) {
      solve(*request);
    } else if (of_strip) {
      next_of_strip();
    } else {
      next_look();
    }
    failed = false;
  } catch (const Error& error) {
    failed = error.kind() != ErrorKind::cancelled;
    if (failed) print_problems(number, error);
  } catch (const std::bad_alloc&) {
    print_problems(number, Error(ErrorKind::limit, "there is not enough memory for this"));
  } catch (const std::exception& error) {
    print_problems(number, Error(ErrorKind::internal, error.what()));
  }
  lock.lock();
  if (failed && of_strip) strip_.side = 0;
  const bool of_looks = !lesson && !spectrum && !order && opening.empty() && !request && !of_strip;
  if (failed && of_looks) looks_side_ = 0;
}

// Makes the next look, if there is no other work.
void Session::next_look() {
  Work work(*this);
  Context& context = work.context;
  int page = 0;
  int done = 0;
  int side = 0;
  std::string input;
  {
    const std::lock_guard lock(mutex_);
    if (wanted_ || !orders_.empty()) return;
    page = page_;
    input = looks_input_;
    done = looks_done_;
    side = looks_side_;
    work.begin(true);
  }
  if (done < 0) {
    looks_ = looks_of_photo(context);
    RenderRequest first;
    first.command = looks_.front().command;
    first.input = input;
    const Image& photo = *image_of(run_of(first, context), context);
    small_photo_ = reduced(photo, side, context);
    Json list = Json::array();
    for (const Look& look : looks_) {
      list.push_back({{"command", look.command}, {"preset", look.preset}, {"says", look.says}});
    }
    tell({{"type", "looks"}, {"looks", std::move(list)}});
    const Picture as_it_is =
        picture_of({std::nullopt, ImageMade{reduced(photo, photo_side, context)}}, context);
    View view;
    view.width = static_cast<int>(as_it_is.width);
    view.height = static_cast<int>(as_it_is.height);
    send_frame(page, message_of({{"kind", "photo"}}, paint(as_it_is, view, context)));
  } else {
    const Look& look = looks_[static_cast<std::size_t>(done)];
    try {
      const Frame frame = paint_look(look, *small_photo_, side, context);
      send_frame(page, message_of({{"kind", "look"}, {"look", done}}, frame));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;  // so that it runs again
    }
  }
  const std::lock_guard lock(mutex_);
  // A new page or photo needs all looks again.
  if (looks_done_ != done || looks_side_ != side || looks_input_ != input) return;
  looks_done_ = done + 1;
  if (looks_done_ == static_cast<int>(looks_.size())) looks_side_ = 0;
}

void Session::prepare(Context& context) const {
  context.threads = options_.threads;
  context.limits = options_.limits;
}

Session::Work::Work(Session& session) : session_(session) {
  session.prepare(context);
}

Session::Work::~Work() {
  const std::lock_guard lock(session_.mutex_);
  session_.solving_ = nullptr;
  session_.reading_.reset();
}

void Session::Work::begin(bool gives_way) {
  if (session_.ends_) context.cancel();
  session_.solving_ = &context;
  session_.may_be_cancelled_ = gives_way;
}

int Session::begin(Work& work) {
  const std::lock_guard lock(mutex_);
  work.begin(false);
  return page_;
}

// Makes a lesson of the page #learn. Only the newest of several waiting requests is served.
void Session::teach(const LessonRequest& request) {
  Work work(*this);
  const int page = begin(work);
  lesson_ = make_lesson(request, work.context);
  send_frame(page, with_head(head_of(lesson_), bytes_of(lesson_)));
}

void Session::show_spectrum(std::size_t points) {
  Work work(*this);
  const int page = begin(work);
  const LessonSpectrum spectrum = spectrum_of(lesson_, points, work.context);
  send_frame(page, with_head(head_of(spectrum), spectrum.power));
}

const Image* Session::image_of(const app::Run& run, Context& context) {
  if (run.input.empty()) return nullptr;
  // An image of one frame also serves runs that read all frames.
  const bool frames = run.operation->takes_frames;
  const bool fits = frames ? image_frames_ : !image_frames_ || image_->slices == 1;
  const EmbeddedProfile profile = app::profile_in(run.options);
  if (image_path_ != run.input || image_profile_ != profile || !fits) {
    image_path_.clear();
    draft_side_ = 0;
    image_ = app::read_picture(run.input, frames, run.options, context);
    image_path_ = run.input;
    image_profile_ = profile;
    image_frames_ = frames;
  }
  return &*image_;
}

// Returns the picture of a run whose input is in memory. `key` identifies a result, whose tones may
// be requested later; drafts have no key.
std::shared_ptr<const Picture> Session::made(app::Run& run, const Image* image, Context& context,
                                             const std::string& key) {
  if (image != nullptr) run.input.clear();
  app::InMemory made = app::make(run, image, context, false);
  if (!key.empty()) {
    toned_ = run.operation->measured == Measured::stippling ? toned(made.result) : std::nullopt;
    toned_key_ = key;
  }
  const bool on_paper = made.result.drawing() != nullptr && made.result.drawing()->on_paper;
  auto start = drafted_ && made.result.points ? start_of(*made.result.points, *drafted_) : nullptr;
  Picture picture = picture_of(std::move(made.result), context);
  picture.start = std::move(start);
  if (!key.empty() && made.record.plot && (made.record.plot->is_told || on_paper)) {
    picture.forecast = app::plot_of_tile(made.record.plot->forecast);
    picture.plot = app::plot_line(*made.record.plot);
  }
  picture.warnings = context.warnings();
  return std::make_shared<const Picture>(std::move(picture));
}

// Returns the photo reduced for a draft, or nullptr if it is small enough.
const Image* Session::reduced_for_draft(const app::Run& run, const Image& photo, Context& context) {
  const double dots = std::strtod(run.options.find("dots")->get().c_str(), nullptr);
  const int side = side_for_draft(photo, dots, picture_ ? picture_->dots : 0);
  if (side == 0) return nullptr;
  if (std::exchange(draft_side_, side) != side) draft_photo_ = reduced(photo, side, context);
  return &draft_photo_;
}

// Makes a draft that starts from the shown dots.
std::shared_ptr<const Picture> Session::lasting_draft(const RenderRequest& request,
                                                      const Image* image, Context& context) {
  app::Run run = run_of(request, context, &stippling::draft_operation());
  run.options.find("order")->set("none");
  run.options.find("progressive")->set("false");  // a progressive order is an order too
  auto& job = static_cast<stippling::DraftJob&>(*run.job);
  if (start_) job.start = *start_;
  if (image != nullptr) job.reduced = reduced_for_draft(run, *image, context);
  weigher_.weigh(request, run, image, context);
  Picture picture = *made(run, image, context, "");
  drafted_ = std::make_shared<const stippling::DraftStarts>(std::move(job.start));
  picture.start = drafted_;
  return std::make_shared<const Picture>(std::move(picture));
}

bool Session::solve_draft(const RenderRequest& request, const Image* image) {
  const auto start = Clock::now();
  Work work(*this);
  Context& context = work.context;
  {
    // Later requests wait for the draft, so that the page shows some of them while a hand moves.
    const std::lock_guard lock(mutex_);
    work.begin(false);
    reading_ = request.input;
    if (halted_ || (wanted_ && wanted_->input != request.input)) context.cancel();
  }
  context.on_progress = [&](std::string_view, double share) {
    tell_progress(request.number, share);
  };
  try {
    app::Run run = run_of(request, context);
    if (has_lasting_drafts(run)) {
      auto picture = lasting_draft(request, image, context);
      show(request, std::move(picture), true, app::seconds_since(start));
      return true;
    }
    if (!make_draft(run)) return false;
    weigher_.weigh(request, run, image, context);
    auto picture = made(run, image, context, "");
    show(request, std::move(picture), true, app::seconds_since(start));
    return true;
  } catch (const Error&) {
    return false;  // the result reports the error, if any
  }
}

void Session::solve(const RenderRequest& request) {
  const auto start = Clock::now();
  drafted_ = nullptr;
  const std::string key = request.key();
  Work work(*this);
  Context& context = work.context;
  app::Run run = run_of(request, context);
  const Image* const image = read_for(request, run, work);
  if (auto picture = kept(key)) {
    show(request, picture, false, app::seconds_since(start));
    show_strokes(request, run, image, context);
    show_histogram(run, image, context);
    return show_tones(request, work);
  }
  const bool drafted = options_.makes_drafts && solve_draft(request, image);
  show_strokes(request, run, image, context);
  if (!options_.makes_results) return;
  {
    std::unique_lock lock(mutex_);
    if (drafted && options_.has_threads) {
      // The page needs the processor for the draft more than the result does.
      solver_wakes_.wait_for(lock, longest_drawing, [this] {
        return ends_ || wanted_ || halted_ || page_ == 0 || view_.width == 0 ||
               (!stale_ && !in_flight_);
      });
    }
    if (ends_ || wanted_ || halted_) return;
    work.begin(drafted);
  }
  context.on_progress = [&](std::string_view, double share) {
    tell_progress(request.number, share);
    if (options_.is_outdated && options_.is_outdated()) context.cancel();
    if (Clock::now() - start < unbroken) return;
    const std::lock_guard lock(mutex_);
    may_be_cancelled_ = true;
    if (wanted_) context.cancel();
  };
  weigher_.weigh(request, run, image, context);
  auto picture = made(run, image, context, key);
  keep(key, picture);
  show(request, picture, false, app::seconds_since(start));
  // The next request may cancel the displays beside the picture.
  context.on_progress = nullptr;
  show_histogram(run_of(request, context), image, context);
  show_tones(request, work);
}

// Reads the photo of a request. A request for another photo cancels this.
const Image* Session::read_for(const RenderRequest& request, const app::Run& run, Work& work) {
  {
    const std::lock_guard lock(mutex_);
    work.begin(false);
    reading_ = request.input;
    if (ends_ || (wanted_ && wanted_->input != request.input)) work.context.cancel();
  }
  const Image* const image = image_of(run, work.context);
  const std::lock_guard lock(mutex_);
  reading_.reset();
  return image;
}

// Sends the tone errors if the page wants them. Makes the result again if the picture came from the
// stored ones.
void Session::show_tones(const RenderRequest& request, Work& work) {
  Context& context = work.context;
  int page = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!shows_tones_ || wanted_) return;
    page = page_;
    work.begin(true);
  }
  if (const std::string key = request.key(); key != toned_key_) {
    app::Run run = run_of(request, context);
    const Image* const image = image_of(run, context);
    weigher_.weigh(request, run, image, context);
    made(run, image, context, key);
  }
  Json head{{"kind", "tones"}, {"number", request.number}};
  Frame frame;
  if (toned_) {
    const ToneError error =
        tone_error(toned_->dots, toned_->darkness, context, toned_->interpolation);
    frame = frame_of(error, tones_side);
    head["worst"] = error.worst;
    head["range"] = error.range;
    head["seenThrough"] = error.seen_through;
  }
  send_frame(page, message_of(std::move(head), frame));
}

void Session::show_histogram(const app::Run& run, const Image* image, Context& context) {
  if (image == nullptr) return;
  const bool changed = histogram_.update(run, *image, context);
  {
    const std::lock_guard lock(mutex_);
    if (!changed && histogram_told_) return;
    histogram_told_ = true;
  }
  tell({{"type", "histogram"}, {"counts", histogram_.counts()}});
}

// Sends the strokes, which the page draws over the picture.
void Session::show_strokes(const RenderRequest& request, const app::Run& run, const Image* image,
                           Context& context) {
  if (request.strokes == strokes_shown_) return;
  int page = 0;
  {
    const std::lock_guard lock(mutex_);
    page = page_;
  }
  const BrushLayers* const layers = weigher_.layers(request, run, image, context);
  const Frame frame = layers == nullptr ? Frame() : frame_of(*layers, strokes_side);
  strokes_shown_ = request.strokes;
  send_frame(page, message_of({{"kind", "strokes"}}, frame));
}

void Session::show(const RenderRequest& request, std::shared_ptr<const Picture> picture, bool draft,
                   double seconds) {
  Context context;
  prepare(context);
  app::Run run = run_of(request, context);
  const auto names = app::free_names(run, context, "");
  RenderRequest weighed = request;
  if (!request.strokes.empty() && takes_strokes(run)) {
    weighed.settings["weight"] = free_weight_name(request.input, options_.folder);
  }
  Json state{{"type", "state"},
             {"number", request.number},
             {"state", draft ? "draft" : "final"},
             {"dots", picture->dots},
             {"width", picture->width},
             {"height", picture->height},
             {"seconds", seconds},
             {"values", values_of(run, context.seed)},
             {"line", command_line(weighed, names)},
             {"own", Json::array()},
             {"layers", layers_json(*picture)},
             {"forecast", picture->forecast},
             {"plot", picture->plot},
             {"warnings", Json::array()}};
  for (const std::string& warning : picture->warnings) {
    state["warnings"].push_back(app::as_flags(warning));
  }
  if (const Image* const photo = image_of(run, context)) {
    const Place place = place_of(run, *photo, *picture);
    state["place"] = place_json(place.at);
    state["part"] = place_json(place.part);
  }
  for (const std::string& name : names) state["own"].push_back(app::extension_of(name));
  start_ = picture->start;
  {
    const std::lock_guard lock(mutex_);
    picture_ = std::move(picture);
    number_ = request.number;
    draft_ = draft;
    paint_anew();
  }
  tell(state);
  if (options_.has_threads) {
    painter_wakes_.notify_one();
  } else {
    std::unique_lock lock(mutex_);
    paint_views(lock);
  }
}

std::shared_ptr<const Picture> Session::kept(const std::string& key) {
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().picture;
}

void Session::keep(const std::string& key, std::shared_ptr<const Picture> picture) {
  kept_.push_front({key, std::move(picture)});
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (auto it = kept_.begin(); it != kept_.end();) {
    bytes += it->picture->bytes();
    const bool stays = ++count == 1 || (count <= most_kept && bytes <= most_kept_bytes);
    it = stays ? std::next(it) : kept_.erase(it);
  }
}

}  // namespace dapple::studio

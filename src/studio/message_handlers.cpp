// Handles events and messages of pages: requests, views, strokes, exports. Never waits for work.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/json.hpp"
#include "dapple/error.hpp"
#include "studio/hello_message.hpp"
#include "studio/session.hpp"

namespace dapple::studio {
namespace {

using app::Json;

constexpr double largest_side = 1 << 14;  // of a view, px
constexpr double most_look_side = 640;
constexpr double most_strip_side = 400;
constexpr std::size_t most_strokes = 2000;           // per page
constexpr std::size_t most_stroke_points = 1 << 20;  // of all strokes of a page
constexpr std::size_t most_orders = 100;             // exports that wait

constexpr const char* restart =
    ": export, and start again with the weight image that the export writes";

double number_at(const Json& message, const char* name, double least, double most) {
  const auto found = message.find(name);
  if (found == message.end() || !found->is_number()) {
    throw Error(ErrorKind::usage, "a view needs a number " + std::string(name));
  }
  return std::clamp(found->get<double>(), least, most);
}

View view_of(const Json& message) {
  View view;
  view.number = static_cast<int>(number_at(message, "number", 0, 2e9));
  view.width = static_cast<int>(number_at(message, "width", 0, largest_side));
  view.height = static_cast<int>(number_at(message, "height", 0, largest_side));
  view.left = number_at(message, "left", -1e7, 1e7);
  view.top = number_at(message, "top", -1e7, 1e7);
  view.zoom = number_at(message, "zoom", 1e-4, 1e4);
  if (message.contains("ofWidth")) {
    view.of_width = number_at(message, "ofWidth", 0, 1e9);
    view.of_height = number_at(message, "ofHeight", 0, 1e9);
  }
  if (message.contains("until")) view.until = number_at(message, "until", 0, 1);
  if (const auto hidden = message.find("hidden"); hidden != message.end()) {
    for (const Json& layer : *hidden) {
      if (layer.is_number_unsigned()) view.hidden.push_back(layer.get<std::size_t>());
    }
  }
  return view;
}

}  // namespace

void Session::opened(int page) {
  {
    const std::lock_guard lock(mutex_);
    if (ends_) return;
    if (page_ != 0) send_(page_, R"({"type":"elsewhere"})", false);
    page_ = page;
    in_flight_ = false;
    stale_ = false;
    looks_side_ = 0;
    strip_ = {};
    view_ = {};
    strokes_.clear();
    shows_tones_ = false;
    histogram_told_ = false;
    lesson_wanted_.reset();
    spectrum_wanted_.reset();
    last_.reset();
  }
  if (!options_.makes_drafts) return;  // the page's session for drafts sends the greeting
  try {
    send_(page, app::text_of(greeting(options_.first, options_.folder, options_.photos), -1),
          false);
  } catch (const Error& error) {
    print_problems(0, error);
  }
}

void Session::closed(int page) {
  {
    const std::lock_guard lock(mutex_);
    if (page != page_) return;
    page_ = 0;
  }
  left_();
}

void Session::said(int page, const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (page != page_) return;
  }
  const Json message = Json::parse(text, nullptr, false);
  if (!message.is_object()) return;
  try {
    take(message);
  } catch (const Error& error) {
    print_problems(0, error);
  }
}

void Session::take(const Json& message) {
  const auto type = message.find("type");
  const std::string word =
      type != message.end() && type->is_string() ? type->get<std::string>() : std::string();
  if (word == "set") {
    const std::lock_guard lock(mutex_);
    RenderRequest request = heard_request(message);
    if (message.contains("strip")) {
      strip_.strokes = heard_strip(message);
      strip_.shown.resize(strip_.strokes.size());
      strip_.request = request;
      strip_.next = request.input.empty() ? strip_.strokes.size() : 0;  // only if there are photos
    }
    last_ = request;
    wanted_ = std::move(request);
    const bool of_other = reading_ && *reading_ != wanted_->input;
    if (solving_ != nullptr && (may_be_cancelled_ || of_other)) solving_->cancel();
    solver_wakes_.notify_one();
  } else if (word == "view") {
    const View view = view_of(message);
    const std::lock_guard lock(mutex_);
    view_ = view;
    ++views_;
    paint_anew();
    painter_wakes_.notify_one();
  } else if (word == "looks") {
    const int side = static_cast<int>(number_at(message, "side", 16, most_look_side));
    const std::lock_guard lock(mutex_);
    looks_input_ = photo_of(message);
    if (looks_input_.empty()) return;
    looks_side_ = side;
    looks_done_ = -1;
    solver_wakes_.notify_one();
  } else if (word == "strip") {
    const int side = static_cast<int>(number_at(message, "side", 16, most_strip_side));
    const std::lock_guard lock(mutex_);
    strip_.side = side;
    strip_.next = 0;
    solver_wakes_.notify_one();
  } else if (word == "lesson") {
    const LessonRequest request = lesson_request_of(message);
    const std::lock_guard lock(mutex_);
    lesson_wanted_ = request;
    // The interrupted work runs again later.
    if (solving_ != nullptr && may_be_cancelled_) {
      if (!wanted_) wanted_ = last_;
      solving_->cancel();
    }
    solver_wakes_.notify_one();
  } else if (word == "spectrum") {
    const auto points = static_cast<std::size_t>(number_at(message, "points", 0, 1e7));
    const std::lock_guard lock(mutex_);
    spectrum_wanted_ = points;
    solver_wakes_.notify_one();
  } else if (word == "ack") {
    const std::lock_guard lock(mutex_);
    in_flight_ = false;
    painter_wakes_.notify_one();
  } else if (word == "tones") {
    const auto shows = message.find("shows");
    const std::lock_guard lock(mutex_);
    shows_tones_ = shows != message.end() && shows->is_boolean() && shows->get<bool>();
    if (!shows_tones_ || !last_ || wanted_) return;
    wanted_ = last_;
    solver_wakes_.notify_one();
  } else if (word == "stroke") {
    const int number = static_cast<int>(number_at(message, "number", 0, 2e9));
    const std::lock_guard lock(mutex_);
    const auto before = strokes_.find(number);
    if (before == strokes_.end() && strokes_.size() >= most_strokes) {
      throw Error(ErrorKind::limit,
                  "the page holds at most " + std::to_string(most_strokes) + " strokes" + restart);
    }
    const Stroke* const known = before == strokes_.end() ? nullptr : before->second.get();
    auto stroke = std::make_shared<const Stroke>(stroke_of(message, known));
    std::size_t points = stroke->points.size();
    for (const auto& [other, of] : strokes_) points += other != number ? of->points.size() : 0;
    if (points > most_stroke_points) {
      throw Error(ErrorKind::limit, "the strokes of the page hold at most " +
                                        std::to_string(most_stroke_points) + " points" + restart);
    }
    strokes_[number] = std::move(stroke);
  } else if (word == "export" || word == "line") {
    const std::lock_guard lock(mutex_);
    Order order{heard_request(message), {}, word == "line", {}};
    if (message.contains("strip")) order.of_all = heard_strip(message);
    if (!order.of_all.empty() && order.request.input.empty()) {
      throw Error(ErrorKind::usage, order.request.command +
                                        " takes no photo, so a batch of all photos makes the same "
                                        "file each time: export one file");
    }
    if (const auto found = message.find("formats"); found != message.end() && found->is_array()) {
      for (const Json& format : *found) {
        if (format.is_string()) order.extensions.push_back(format.get<std::string>());
      }
    }
    if (orders_.size() >= most_orders) {
      throw Error(ErrorKind::limit, std::to_string(most_orders) +
                                        " exports wait already: wait until some are written");
    }
    orders_.push_back(std::move(order));
    solver_wakes_.notify_one();
  } else {
    throw Error(ErrorKind::usage, "unknown message '" + word + "'");
  }
}

// Parses a request and adds its strokes, in the order of their numbers in the message.
RenderRequest Session::heard_request(const Json& message) const {
  RenderRequest request = request_of(message, photo_of(message));
  if (const auto numbers = message.find("strokes"); numbers != message.end()) {
    request.strokes = heard_strokes(*numbers);
  }
  return request;
}

Strokes Session::heard_strokes(const Json& numbers) const {
  Strokes strokes;
  for (const Json& number : numbers) {
    const auto found =
        number.is_number_integer() ? strokes_.find(number.get<int>()) : strokes_.end();
    if (found == strokes_.end()) {
      throw Error(ErrorKind::usage, "the request names a stroke that does not exist");
    }
    strokes.push_back(found->second);
  }
  return strokes;
}

// Parses the strokes of each photo.
std::vector<Strokes> Session::heard_strip(const Json& message) const {
  const Json& strip = message.at("strip");
  if (!strip.is_array() || strip.size() != options_.photos.size()) {
    throw Error(ErrorKind::usage, "a strip needs a list of strokes for each photo");
  }
  std::vector<Strokes> strokes;
  for (const Json& numbers : strip) strokes.push_back(heard_strokes(numbers));
  return strokes;
}

// Returns the photo of a message. Pages name photos by number, so they cannot open other files.
std::string Session::photo_of(const Json& message) const {
  const auto photo = message.find("photo");
  if (photo == message.end()) return options_.first.input;
  if (!photo->is_number_unsigned() || photo->get<std::size_t>() >= options_.photos.size()) {
    throw Error(ErrorKind::usage, "the request names a photo that does not exist");
  }
  return options_.photos[photo->get<std::size_t>()];
}

}  // namespace dapple::studio

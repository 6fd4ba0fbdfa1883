// Handles events and messages of pages: requests, views, strokes, exports. Never waits for work.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/error_text.hpp"
#include "app/json.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "studio/hello_message.hpp"
#include "studio/message_values.hpp"
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
constexpr std::size_t most_upload = 512 << 20;       // bytes of the photos that a page sends
constexpr std::chrono::milliseconds between_tellings{100};

constexpr const char* restart =
    ": export, and start again with the weight image that the export writes";

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
    view_ = {};
    shows_tones_ = false;
    lesson_wanted_.reset();
    spectrum_wanted_.reset();
    upload_.clear();
    arrived_.clear();
    forget_page();
  }
  if (!options_.makes_drafts) return;  // the page's session for drafts sends the greeting
  try {
    greet(page);
  } catch (const Error& error) {
    print_problems(0, error);
  }
}

// Forgets what belongs to the photos of the page.
void Session::forget_page() {
  stale_ = false;
  looks_side_ = 0;
  strip_ = {};
  strokes_.clear();
  histogram_told_ = false;
  last_.reset();
}

void Session::greet(int page) {
  RenderRequest first;
  std::vector<std::string> photos;
  bool anew = false;
  {
    const std::lock_guard lock(mutex_);
    first = options_.first;
    photos = options_.photos;
    anew = options_.starts_anew;
  }
  Json object = greeting(first, options_.folder, photos, options_.folders.looks);
  const auto& states = options_.folders.states;
  if (photos.empty()) {
    const PageState last = newest_state(states);
    object["recent"] = Json::array();
    for (const std::string& photo : last.photos) {
      object["recent"].push_back(photo.substr(photo.find_last_of("/\\") + 1));
    }
  } else if (!anew) {
    object["saved"] = read_state(photos, states).text;
  }
  object["opens"] = !options_.folders.photos.empty();
  object["showsFiles"] = options_.open_file != nullptr;
  object["savesLooks"] = !options_.folders.looks.empty();
  send_(page, app::text_of(object, -1), false);
}

// Opens photos in place of the current ones, if all of them can be read.
void Session::open_photos(const std::vector<OpenedPhoto>& photos) {
  int page = 0;
  std::vector<std::string> paths;
  {
    Work work(*this);
    page = begin(work);
    for (const OpenedPhoto& photo : photos) {
      const std::string path =
          photo.path.empty() ? write_photo(photo, options_.folders.photos) : photo.path;
      try {
        read_image(path, work.context);
      } catch (const Error&) {
        std::error_code ignored;
        if (photo.path.empty()) std::filesystem::remove(path, ignored);
        throw;
      }
      paths.push_back(path);
    }
    for (const std::string& path : paths) keep_photo(path, options_.folders.photos);
  }
  small_side_ = 0;
  {
    const std::lock_guard lock(mutex_);
    options_.photos = std::move(paths);
    if (find_operation(options_.first.command)->input != InputKind::image) options_.first = {};
    options_.first.input = options_.photos.front();
    options_.starts_anew = false;
    wanted_.reset();
    forget_page();
  }
  greet(page);
}

void Session::take_part(const std::string& part) {
  const std::lock_guard lock(mutex_);
  if (upload_.size() + part.size() > most_upload) {
    upload_ = {};
    throw Error(ErrorKind::limit, "the page may send at most " + std::to_string(most_upload >> 20) +
                                      " MB at once: name the photos on the command line");
  }
  upload_.append(part, 1);
}

// Opens an exported file or its folder. Other files are refused.
void Session::show_file(const Json& message) {
  const auto folder = message.find("folder");
  std::string path = text_at(message, "file");
  {
    const std::lock_guard lock(mutex_);
    if (std::find(exported_.begin(), exported_.end(), path) == exported_.end()) {
      throw Error(ErrorKind::usage, "the studio opens only files that it has exported");
    }
  }
  if (folder != message.end() && *folder == true) {
    path = std::filesystem::path(path).parent_path().string();
    if (path.empty()) path = ".";
  }
  const std::string problem = options_.open_file ? options_.open_file(path) : "there is no desktop";
  if (!problem.empty()) throw Error(ErrorKind::output, "cannot be opened: " + problem, path);
}

void Session::tell_progress(int number, double share) {
  const auto now = std::chrono::steady_clock::now();
  if (now - told_progress_ < between_tellings) return;
  told_progress_ = now;
  tell({{"type", "progress"}, {"number", number}, {"share", share}});
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
  try {
    // A zero byte begins a part of a file that the next message names; all else is JSON.
    if (!text.empty() && text.front() == 0) return take_part(text);
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_object()) take(message);
  } catch (const Error& error) {
    print_problems(0, error);
  }
}

void Session::take(const Json& message) {
  const std::string word = text_at(message, "type");
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
    halted_ = false;
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
    solver_wakes_.notify_one();
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
  } else if (word == "photo") {
    const auto more = message.find("more");
    const std::lock_guard lock(mutex_);
    arrived_.push_back({text_at(message, "name"), std::exchange(upload_, {}), ""});
    if (more != message.end() && *more == true) return;
    opening_ = std::exchange(arrived_, {});
    if (solving_ != nullptr && may_be_cancelled_) solving_->cancel();
    solver_wakes_.notify_one();
  } else if (word == "reopen") {
    const PageState last = newest_state(options_.folders.states);
    const std::lock_guard lock(mutex_);
    opening_.clear();
    for (const std::string& photo : last.photos) opening_.push_back({"", "", photo});
    solver_wakes_.notify_one();
  } else if (word == "save") {
    std::vector<std::string> photos;
    std::string text;
    {
      const std::lock_guard lock(mutex_);
      photos = options_.photos;
      text.swap(upload_);
      options_.starts_anew = false;  // a reload continues with this state
    }
    write_state(photos, text, options_.folders.states);
  } else if (word == "cancel") {
    int number = 0;
    {
      const std::lock_guard lock(mutex_);
      if (last_) number = last_->number;
      wanted_.reset();
      orders_.clear();
      halted_ = true;
      if (solving_ != nullptr) solving_->cancel();
    }
    tell({{"type", "stopped"}, {"number", number}});
  } else if (word == "show") {
    show_file(message);
  } else if (word == "export" || word == "line" || word == "look") {
    const std::lock_guard lock(mutex_);
    Order order{heard_request(message), {}, word == "line"};
    if (word == "look") {
      order.is_look = true;
      order.look = text_at(message, "title");
      order.was = text_at(message, "was");
      if (order.look.empty() && order.was.empty()) {
        throw Error(ErrorKind::usage, "a look needs a name");
      }
    }
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

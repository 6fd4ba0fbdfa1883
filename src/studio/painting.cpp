// Paints the views of the session: the picture that the page shows, in the part that it shows.
#include <nlohmann/json.hpp>

#include "app/json.hpp"
#include "dapple/error.hpp"
#include "studio/session.hpp"

namespace dapple::studio {

bool Session::is_view_stale() const {
  return stale_ && !in_flight_ && page_ != 0 && picture_ && view_.width > 0 &&
         is_of(view_, *picture_);
}

bool Session::paint_views(std::unique_lock<std::mutex>& lock) {
  bool any = false;
  for (; !ends_ && is_view_stale(); any = true) paint_next(lock);
  return any;
}

void Session::paint_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    painter_wakes_.wait(lock, [this] { return ends_ || is_view_stale(); });
    if (ends_) return;
    paint_next(lock);
  }
}

// Paints a view. Sketches a slow view first; another view cancels the painting that follows.
void Session::paint_next(std::unique_lock<std::mutex>& lock) {
  const auto picture = picture_;
  const View view = view_;
  Context context;
  prepare(context);
  const bool takes_long = painter_.takes_long(picture, view);
  const bool sketches = takes_long && (sketched_ != picture || sketched_view_ != views_);
  if (sketches) {
    sketched_ = picture;
    sketched_view_ = views_;
  }
  app::Json head{{"number", number_},
                 {"state", draft_ || sketches ? "draft" : "final"},
                 {"dots", picture->dots},
                 {"view", view.number},
                 {"zoom", view.zoom},
                 {"pictureWidth", picture->width},
                 {"pictureHeight", picture->height}};
  const int page = page_;
  stale_ = sketches;
  in_flight_ = true;
  if (takes_long && !sketches) painting_ = &context;
  lock.unlock();
  bool sent = false;
  try {
    const Frame frame =
        sketches ? sketch(*picture, view, context) : painter_.paint(picture, view, context);
    send_frame(page, message_of(std::move(head), frame));
    sent = true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cancelled) print_problems(0, error);
  } catch (const std::bad_alloc&) {
    print_problems(0, Error(ErrorKind::limit, "there is not enough memory to show this"));
  }
  lock.lock();
  painting_ = nullptr;
  if (!sent) in_flight_ = false;
}

// Marks the view as outdated. Requires the mutex to be locked.
void Session::paint_anew() {
  stale_ = true;
  if (painting_ != nullptr) painting_->cancel();
}

}  // namespace dapple::studio

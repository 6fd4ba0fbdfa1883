// Runs the studio behind the page: takes requests, makes drafts and results, paints views and
// writes files. One thread solves, another paints; without threads, step() does their work piece by
// piece. A draft always completes, so that the picture changes even during continuous input. The
// next request cancels a result.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/json.hpp"
#include "dapple/context.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "studio/histograms.hpp"
#include "studio/learn/lesson.hpp"
#include "studio/page_files.hpp"
#include "studio/picture.hpp"
#include "studio/preset_previews.hpp"
#include "studio/render_request.hpp"
#include "studio/stroke_weights.hpp"

namespace dapple::studio {

struct SessionOptions {
  RenderRequest first;  // the first request of a new page
  std::string folder;   // folder of exports
  int threads = 0;
  std::vector<std::string> photos{};  // paths; the first belongs to `first`
  bool has_threads = true;            // false: the caller runs step()
  bool makes_drafts = true;
  bool makes_results = true;
  Limits limits{};  // of every file that is read and of all work
  // Returns true if the page no longer wants the result under way. Sessions without threads need
  // it, because they hear nothing while they solve.
  std::function<bool()> is_outdated{};
  UserFolders folders{};
  bool starts_anew = false;  // the first page ignores the state of an earlier one
  // Opens a file or folder on the desktop. Returns an error message, or "".
  std::function<std::string(const std::string& path)> open_file{};
};

// Returns a frame as a message for pages, with `head` as its description.
std::string message_of(app::Json head, const Frame& frame);

class Session {
 public:
  using Send = std::function<void(int page, std::string message, bool binary)>;

  // `left` is called when the last page closes.
  Session(SessionOptions options, Send send, std::function<void()> left);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Ends all work; later calls have no effect.
  void stop();

  // Events of a page. They never wait for work. Only the last page that was opened is served.
  void opened(int page);
  void said(int page, const std::string& text);
  void closed(int page);

  // Without threads: paints a stale view and does one piece of the solver's work. Returns false if
  // there was nothing to do.
  bool step();

 private:
  struct Shown {
    Picture picture;
    int number = 0;
    bool draft = false;
  };
  struct Order {
    RenderRequest request;
    std::vector<std::string> extensions;
    bool line_alone = false;        // write only the files that the command line needs
    bool is_look = false;           // save, rename or remove a look instead
    std::string look{};             // title of the look to save; "": none
    std::string was{};              // look to remove; "": none
    std::vector<Strokes> of_all{};  // strokes of each photo for a batch; empty: only this photo
  };
  // Small drafts of all photos with the current settings.
  struct PhotoStrip {
    int side = 0;  // pixels; 0: not requested
    RenderRequest request;
    std::vector<Strokes> strokes;    // strokes of each photo
    std::vector<std::string> shown;  // keys of the drafts on the page
    std::size_t next = 0;            // first photo whose draft may be outdated
  };
  // The context of the solver's current work. Other threads may cancel it after begin().
  class Work {
   public:
    explicit Work(Session& session);
    ~Work();  // requires the mutex to be unlocked
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    // Requires the mutex to be locked. `gives_way`: the next request cancels the work.
    void begin(bool gives_way);
    Context context;

   private:
    Session& session_;
  };
  struct Kept {
    std::string key;
    std::shared_ptr<const Picture> picture;
  };

  // Sets the threads and the limits of a piece of work.
  void prepare(Context& context) const;
  // Require the mutex to be locked by `lock`, which is released during the work.
  bool is_work_waiting() const;
  void solve_next(std::unique_lock<std::mutex>& lock);
  bool is_view_stale() const;
  void paint_next(std::unique_lock<std::mutex>& lock);
  bool paint_views(std::unique_lock<std::mutex>& lock);
  void solve_all();
  void solve(const RenderRequest& request);
  bool solve_draft(const RenderRequest& request, const Image* image);
  const Image* reduced_for_draft(const app::Run& run, const Image& photo, Context& context);
  std::shared_ptr<const Picture> lasting_draft(const RenderRequest& request, const Image* image,
                                               Context& context);
  void open_photos(const std::vector<OpenedPhoto>& photos);
  // Sends the first message of a page. Requires the mutex to be unlocked.
  void greet(int page);
  // Requires the mutex to be locked.
  void forget_page();
  void take_part(const std::string& part);
  void show_file(const app::Json& message);
  // Sends the progress of a request to the page, at most ten times a second.
  void tell_progress(int number, double share);
  void write(const Order& order);
  void write_batch(const Order& order);
  bool strip_waits() const { return strip_.side > 0 && strip_.next < strip_.strokes.size(); }
  RenderRequest request_of_photo(const RenderRequest& request, std::size_t photo,
                                 const Strokes& strokes) const;
  void next_of_strip();
  std::string photo_of(const app::Json& message) const;
  Strokes heard_strokes(const app::Json& numbers) const;
  std::vector<Strokes> heard_strip(const app::Json& message) const;
  void show_tones(const RenderRequest& request, Work& work);
  void show_histogram(const app::Run& run, const Image* image, Context& context);
  std::shared_ptr<const Picture> made(app::Run& run, const Image* image, Context& context,
                                      const std::string& key);
  void show_strokes(const RenderRequest& request, const app::Run& run, const Image* image,
                    Context& context);
  RenderRequest heard_request(const app::Json& message) const;
  void next_look();
  // Begins work that a request cannot cancel. Returns the page that waits for it.
  int begin(Work& work);
  const Image* read_for(const RenderRequest& request, const app::Run& run, Work& work);
  void teach(const LessonRequest& request);
  void show_spectrum(std::size_t points);
  void paint_all();
  void paint_anew();
  void show(const RenderRequest& request, std::shared_ptr<const Picture> picture, bool draft,
            double seconds);
  std::shared_ptr<const Picture> kept(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const Picture> picture);
  const Image* image_of(const app::Run& run, Context& context);
  // Sends a message to the open page, if any.
  void tell(const app::Json& object);
  void send_frame(int page, const std::string& message);
  void print_problems(int number, const Error& error);
  void take(const app::Json& message);

  SessionOptions
      options_;  // the solver's thread changes `first` and `photos`, with the mutex locked
  const Send send_;
  const std::function<void()> left_;

  std::mutex mutex_;  // protects the members below, except those of the solver
  std::condition_variable solver_wakes_, painter_wakes_;
  bool ends_ = false;
  int page_ = 0;  // 0: none
  std::optional<RenderRequest> wanted_;
  std::optional<RenderRequest> last_;
  std::deque<Order> orders_;
  std::string upload_;                 // bytes that the page has sent in parts
  std::vector<OpenedPhoto> arrived_;   // sent photos, before the last of them is here
  std::vector<OpenedPhoto> opening_;   // photos to open
  std::vector<std::string> exported_;  // files that the page may open
  bool halted_ = false;                // the user has stopped the work
  std::optional<LessonRequest> lesson_wanted_;
  std::optional<std::size_t> spectrum_wanted_;            // number of points to measure
  std::map<int, std::shared_ptr<const Stroke>> strokes_;  // strokes of the page, by number
  Context* solving_ = nullptr;
  bool may_be_cancelled_ = false;
  // Photo that is read or drafted. A request for another photo cancels this.
  std::optional<std::string> reading_;
  View view_;
  std::shared_ptr<const Picture> picture_;
  int number_ = 0;
  bool draft_ = false;
  bool stale_ = false;           // the page does not yet show the current picture in its view
  bool in_flight_ = false;       // a frame is not yet acknowledged
  int views_ = 0;                // number of views so far
  Context* painting_ = nullptr;  // painting that another view cancels
  PhotoStrip strip_;
  int looks_side_ = 0;       // pixels; 0: not requested
  std::string looks_input_;  // photo of the looks
  int looks_done_ = -1;      // -1: the list is not yet sent
  bool shows_tones_ = false;
  bool histogram_told_ = false;

  // Members that only the solver uses.
  std::string image_path_;  // photo that was read
  EmbeddedProfile image_profile_ = EmbeddedProfile::convert;
  bool image_frames_ = false;  // true if all its frames were read
  std::optional<Image> image_;
  Image draft_photo_;                 // image_ with the longer side draft_side_, for drafts
  int draft_side_ = 0;                // px; 0: none
  std::optional<Image> small_photo_;  // the photo for looks
  std::vector<std::optional<Image>> small_photos_;  // the photos for the strip
  int small_side_ = 0;                              // side of small_photos_, px
  std::vector<Look> looks_;
  std::list<Kept> kept_;  // newest first
  StrokeWeights weigher_;
  Strokes strokes_shown_;
  std::shared_ptr<const stippling::DraftStarts> start_;  // start of drafts from the shown dots
  std::shared_ptr<const stippling::DraftStarts>
      drafted_;  // start from the draft of the current request
  Histogram histogram_;
  std::optional<Toned> toned_;  // dots and darkness of the result with key toned_key_
  std::string toned_key_;
  Lesson lesson_;  // the last lesson
  std::chrono::steady_clock::time_point told_progress_{};

  // Members that only the painter uses.
  Painter painter_;
  std::shared_ptr<const Picture> sketched_;
  int sketched_view_ = 0;

  std::thread solving_thread_, painting_thread_;
};

}  // namespace dapple::studio

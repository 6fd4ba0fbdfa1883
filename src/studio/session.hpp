// The studio behind the page: takes its wishes, makes drafts and results of them, paints what it
// looks at, and writes files. Two threads of its own: one solves, one paints. A draft always ends,
// so that something moves under a hand that does not rest; a result gives way to the next wish.
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
#include "dapple/plane.hpp"
#include "studio/learn/lesson.hpp"
#include "studio/looks.hpp"
#include "studio/picture.hpp"
#include "studio/tones.hpp"
#include "studio/weigher.hpp"
#include "studio/wish.hpp"

namespace dapple::studio {

struct SessionOptions {
  Wish first;          // what a new page begins with
  std::string folder;  // where exports go
  int threads = 0;
  std::vector<std::string> photos{};  // paths; the first is that of `first`
};

// A frame as pages take it, with what it is of in its head.
std::string message_of(app::Json head, const Frame& frame);

class Session {
 public:
  using Send = std::function<void(int page, std::string message, bool binary)>;

  // `left`: called when the last page is gone.
  Session(SessionOptions options, Send send, std::function<void()> left);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Ends all work; what pages do then has no effect.
  void stop();

  // What a page does; never waits for work. Of several pages the last one opened is served.
  void opened(int page);
  void said(int page, const std::string& text);
  void closed(int page);

 private:
  struct Shown {
    Picture picture;
    int number = 0;
    bool draft = false;
  };
  struct Order {
    Wish wish;
    std::vector<std::string> extensions;
    bool line_alone = false;        // no files but those that the command line needs
    std::vector<Strokes> of_all{};  // of each photo, for a batch of them; none: this photo alone
  };
  // Small drafts of all photos under the settings of one.
  struct PhotoStrip {
    int side = 0;  // pixels; 0: none are wanted
    Wish wish;
    std::vector<Strokes> strokes;    // of each photo
    std::vector<std::string> shown;  // keys of what the page has
    std::size_t next = 0;            // the first that may be another
  };
  // The context of what the solver does, which others may cancel once begin() was called.
  class Work {
   public:
    explicit Work(Session& session);
    ~Work();  // with the mutex free
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    // With the mutex held. `gives_way`: to the next wish.
    void begin(bool gives_way);
    Context context;

   private:
    Session& session_;
  };
  struct Kept {
    std::string key;
    std::shared_ptr<const Picture> picture;
  };

  void solve_all();
  void solve(const Wish& wish);
  bool solve_draft(const Wish& wish, const Image* image);
  std::shared_ptr<const Picture> lasting_draft(const Wish& wish, const Image* image,
                                               Context& context);
  void write(const Order& order);
  void write_batch(const Order& order);
  bool strip_waits() const { return strip_.side > 0 && strip_.next < strip_.strokes.size(); }
  Wish wish_of_photo(const Wish& wish, std::size_t photo, const Strokes& strokes) const;
  void next_of_strip();
  std::string photo_of(const app::Json& message) const;
  Strokes heard_strokes(const app::Json& numbers) const;
  std::vector<Strokes> heard_strip(const app::Json& message) const;
  void show_tones(const Wish& wish, Work& work);
  void show_histogram(const app::Run& run, const Image* image, Context& context);
  std::shared_ptr<const Picture> made(app::Run& run, const Image* image, Context& context,
                                      const std::string& key);
  void show_strokes(const Wish& wish, const app::Run& run, const Image* image, Context& context);
  Wish heard_wish(const app::Json& message) const;
  void next_look();
  // What is done to the end, whatever is wished for meanwhile; returns the page that waits for it.
  int begin(Work& work);
  const Image* read_for(const Wish& wish, const app::Run& run, Work& work);
  void teach(const LessonWish& wish);
  void show_spectrum(std::size_t points);
  void paint_all();
  void paint_anew();
  void show(const Wish& wish, std::shared_ptr<const Picture> picture, bool draft, double seconds);
  std::shared_ptr<const Picture> kept(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const Picture> picture);
  const Image* image_of(const app::Run& run, Context& context);
  // To the page, if there is one.
  void tell(const app::Json& object);
  void send_frame(int page, const std::string& message);
  void tell_problems(int number, const Error& error);
  void take(const app::Json& message);

  const SessionOptions options_;
  const Send send_;
  const std::function<void()> left_;

  std::mutex mutex_;  // of all below, but for what the solver alone touches
  std::condition_variable solver_wakes_, painter_wakes_;
  bool ends_ = false;
  int page_ = 0;  // 0: none
  std::optional<Wish> wanted_;
  std::optional<Wish> last_;
  std::deque<Order> orders_;
  std::optional<LessonWish> lesson_wanted_;
  std::optional<std::size_t> spectrum_wanted_;            // of so many points
  std::map<int, std::shared_ptr<const Stroke>> strokes_;  // of the page, by its numbers
  Context* solving_ = nullptr;
  bool may_be_cancelled_ = false;
  std::optional<std::string> reading_;  // the photo that is read, if this gives way to another one
  View view_;
  std::shared_ptr<const Picture> picture_;
  int number_ = 0;
  bool draft_ = false;
  bool stale_ = false;           // the page does not show the picture in its view yet
  bool in_flight_ = false;       // a frame that it has not acknowledged
  int views_ = 0;                // how many there were
  Context* painting_ = nullptr;  // what gives way to another view
  PhotoStrip strip_;
  int looks_side_ = 0;       // pixels; 0: none are wanted
  std::string looks_input_;  // the photo that they are of
  int looks_done_ = -1;      // -1: not even the list
  bool shows_tones_ = false;
  bool histogram_told_ = false;

  // Of the solver.
  std::string image_path_;     // of the photo that was read
  bool image_frames_ = false;  // with all its frames
  std::optional<Image> image_;
  std::optional<Image> small_photo_;                // for looks
  std::vector<std::optional<Image>> small_photos_;  // for the strip
  int small_side_ = 0;                              // of them
  std::vector<Look> looks_;
  std::list<Kept> kept_;  // newest first
  Weigher weigher_;
  Strokes strokes_shown_;
  std::shared_ptr<const stippling::DraftStarts> start_;  // of what is shown
  std::shared_ptr<const stippling::DraftStarts>
      drafted_;  // left by the draft of what is being made
  Histogram histogram_;
  std::optional<Toned> toned_;  // of the last result that was made, which has that key
  std::string toned_key_;
  Lesson lesson_;  // the last one

  std::thread solver_, painter_;
};

}  // namespace dapple::studio

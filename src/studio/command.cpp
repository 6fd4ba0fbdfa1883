// `dapple studio`: serves a local page whose picture follows each change of an option.
#include "app/command.hpp"

#include <array>
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/random.h>
#include <system_error>
#include <unistd.h>

#include "app/presets/embedded_recipe.hpp"
#include "app/presets/preset_folders.hpp"
#include "app/presets/presets.hpp"
#include "app/run/desktop.hpp"
#include "core/text/hex_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"
#include "studio/events/events.hpp"
#include "studio/server/transport.hpp"
#include "studio/session.hpp"

namespace dapple::studio {
namespace {

using app::Json;

constexpr int grace_ms = 5000;  // wait after the last page closes, since it may reload

std::string new_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorKind::internal, "the system provides no random numbers");
  }
  return hex_text(bytes);
}

// A private file that redirects to the page. It hides the token from other users, who can see the
// command lines of processes.
class Doorstep {
 public:
  explicit Doorstep(const std::string& address) {
    const char* const own = std::getenv("XDG_RUNTIME_DIR");
    std::error_code failure;
    const std::filesystem::path folder =
        own != nullptr && *own != 0 ? own : std::filesystem::temp_directory_path(failure);
    if (failure) return;
    path_ = folder / ("dapple-studio-" + new_token() + ".html");
    const int file = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) {
      path_.clear();
      return;
    }
    const std::string text =
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + address +
        "\"><title>Dapple Studio</title>\n";
    [[maybe_unused]] const auto written = ::write(file, text.data(), text.size());
    close(file);
  }
  ~Doorstep() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  Doorstep(const Doorstep&) = delete;
  Doorstep& operator=(const Doorstep&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class StudioInvocation : public app::Invocation {
 public:
  StudioInvocation() {
    own_.add("preset", preset_, "Start with a preset, by name or file").metavar("NAME|FILE");
    own_.add("recipe", recipe_,
             "Start with the recipe and the picture of a recipe file or an export")
        .metavar("FILE");
    own_.add("out", folder_, "Folder for exports, which is created if it is missing")
        .metavar("FOLDER")
        .letter('o');
    own_.add("port", port_, "Port of the page on this machine; 0 picks a free port")
        .range(0, 65535);
    own_.add("browser", browser_, "Open the page in the browser");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
  }

  int run(const std::vector<std::string>& operands) override {
    const RenderRequest first = first_request(operands);
    check_folder();
    const TransportModule& module = transport_module();
    const std::unique_ptr<Events> waiting = make_events();
    const Events& events = *waiting;
    const std::string token = new_token();
    std::unique_ptr<Transport> transport;
    SessionOptions options{first, folder_, run_options.threads, photos_of(first, operands)};
    Context configured;
    configure(configured, run_options);
    options.limits = configured.limits;
    options.folders = user_folders();
    options.starts_anew = !preset_.empty() || !recipe_.empty();
    options.open_file = app::open_on_desktop;
    Session session(
        std::move(options),
        [&](int page, std::string text, bool binary) {
          if (transport) transport->send(page, std::move(text), binary);
        },
        [&] { events.page_changed(); });
    std::atomic<int> pages{0};
    std::string problem;
    // The thread of `transport` ends before the objects that it calls are destroyed.
    transport = module.serve(
        port_, token,
        {[&](int page) {
           ++pages;
           calmly([&] { session.opened(page); });
           events.page_changed();
         },
         [&](int page, const std::string& text) { calmly([&] { session.said(page, text); }); },
         [&](int page) {
           --pages;
           calmly([&] { session.closed(page); });
           events.page_changed();
         }},
        problem);
    if (!transport) {
      throw Error(ErrorKind::limit, "port " + std::to_string(port_) +
                                        " cannot be used: " + problem +
                                        "; choose another port with --port, or leave --port out");
    }
    const std::string address =
        "http://127.0.0.1:" + std::to_string(transport->port()) + "/#" + token;
    app::print(run_options.json ? Json{{"url", address}}.dump() + "\n" : address + "\n");
    const std::unique_ptr<Doorstep> doorstep = browser_ ? open(address) : nullptr;
    wait(events, pages);
    session.stop();  // since `session` sends through `transport`
    transport.reset();
    return 0;
  }

 private:
  static UserFolders user_folders() {
    const auto within = [](std::filesystem::path folder, const char* name) {
      return folder.empty() ? folder : folder / name;
    };
    return {within(app::user_folder("XDG_CACHE_HOME", ".cache"), "photos"),
            within(app::user_folder("XDG_STATE_HOME", ".local/state"), "studio"),
            app::user_presets()};
  }

  // Returns all photos. first_request() has read the first; this only checks that the others are
  // readable files. The page reports other problems with them.
  static std::vector<std::string> photos_of(const RenderRequest& first,
                                            const std::vector<std::string>& operands) {
    std::vector<std::string> photos = operands;
    if (photos.empty() && !first.input.empty()) photos.push_back(first.input);
    for (const std::string& photo : photos) {
      std::error_code ignored;
      if (&photo == &photos.front()) continue;
      if (photo == "-") {
        throw Error(ErrorKind::usage,
                    "the studio must be able to reread its pictures: name files, not -");
      }
      if (!std::filesystem::is_regular_file(photo, ignored) ||
          access(std::filesystem::path(photo).c_str(), R_OK) != 0) {
        throw Error(ErrorKind::input, "is not a readable file", photo);
      }
    }
    return photos;
  }

  RenderRequest first_request(const std::vector<std::string>& operands) const {
    RenderRequest request;
    if (!operands.empty()) request.input = operands[0];
    if (!recipe_.empty()) take_recipe(request);
    if (!preset_.empty()) {
      const app::Preset preset = app::load_preset(preset_, "stipple");
      request.command = preset.recipe.command;
      request.preset = preset_;
    }
    const Operation* const operation = find_operation(request.command);
    if (operation == nullptr) {
      throw Error(ErrorKind::usage, "there is no operation '" + request.command + "'");
    }
    if (request.input.empty() && operation->input == InputKind::image) {
      for (const Operation& other : operations()) {
        if (other.input == InputKind::none) request = {0, std::string(other.name), "", {}, ""};
      }
    }
    if (request.input == "-") {
      throw Error(ErrorKind::usage,
                  "the studio must be able to reread its picture: name a file, not -");
    }
    if (!request.input.empty()) {
      Context reading;
      configure(reading, run_options);
      read_image(request.input, reading);  // reports a bad picture here, not in the page
    }
    return request;
  }

  void take_recipe(RenderRequest& request) const {
    if (app::carries_recipe(recipe_)) return take_carried_recipe(request);
    const app::Preset file = app::read_preset(recipe_);
    request.command = file.recipe.command;
    if (request.input.empty()) request.input = file.recipe.input;
    for (const auto& setting : file.recipe.settings) request.settings[setting.name] = setting.text;
    if (file.recipe.has_seed) request.settings["seed"] = std::to_string(file.recipe.seed);
  }

  void take_carried_recipe(RenderRequest& request) const {
    Context reading;
    configure(reading, run_options);
    const Recipe recipe =
        parse_recipe(app::origin_of(recipe_, reading).recipe, recipe_ + " (its recipe)");
    const Operation* const operation = find_operation(recipe.command);
    if (operation == nullptr) {
      throw Error(
          ErrorKind::usage,
          "its recipe needs the command '" + recipe.command + "', which the studio does not have",
          recipe_);
    }
    app::Run run(*operation);
    std::uint64_t seed = 1;
    app::take_carried(recipe_, {request.input.empty() ? "" : "input"}, run, &seed, reading);
    request.command = recipe.command;
    if (request.input.empty()) request.input = run.input;
    for (const auto& setting : recipe.settings) {
      request.settings[setting.name] = run.options.find(setting.name)->get();
    }
    request.settings["seed"] = std::to_string(seed);
  }

  void check_folder() const {
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    if (std::filesystem::is_directory(folder_, ignored) &&
        access(std::filesystem::path(folder_).c_str(), W_OK) == 0) {
      return;
    }
    throw Error(ErrorKind::output, "is not a writable folder: name another with --out", folder_);
  }

  static std::unique_ptr<Doorstep> open(const std::string& address) {
    auto doorstep = std::make_unique<Doorstep>(address);
    const std::string problem = doorstep->path().empty()
                                    ? "no file can be created to redirect to it"
                                    : app::open_on_desktop(doorstep->path().string());
    if (problem.empty()) return doorstep;
    app::note("no browser was opened (" + problem + "): open the address above yourself");
    return nullptr;
  }

  // Calls from the module must not throw. Without memory, the page gets no answer and asks again.
  template <class Call>
  static void calmly(const Call& call) noexcept {
    try {
      call();
    } catch (...) {
    }
  }

  static void wait(const Events& events, const std::atomic<int>& pages) {
    bool had_page = false;
    while (true) {
      const bool alone = had_page && pages.load() == 0;
      const Events::What what = events.wait(alone ? grace_ms : -1);
      if (what == Events::What::signal) return;
      if (what == Events::What::nothing && alone && pages.load() == 0) return;
      had_page |= pages.load() > 0;
    }
  }

  std::string preset_, recipe_, folder_ = ".";
  int port_ = 0;
  bool browser_ = true;
};

}  // namespace
}  // namespace dapple::studio

namespace dapple::app {

Command studio_command() {
  Command row;
  row.name = "studio";
  row.summary = "Opens a browser page that shows each change at once";
  row.details =
      "The page shows the picture with all options beside it. A change shows at once, first as a "
      "draft, then in final quality. The page has zoom and pan, undo and redo, and a brush for "
      "more or fewer dots. An export has the same bytes as the result of the command line below "
      "the picture. Several photos appear in a strip and share their settings; a batch file makes "
      "all of them.\n\n"
      "The page is served only to this machine, under an address that contains a secret. The "
      "address is the only line on standard output. The studio ends when its last page is closed, "
      "or on Ctrl-C.";
  row.operands = "[IMAGE...]";
  row.max_operands = 1000;
  row.examples = {
      {"studio photo.jpg", "stipple a photo and see each change"},
      {"studio *.jpg `out` pictures",
       "several photos with the same settings, and a batch file for them"},
      {"studio photo.jpg `preset` linocut `out` pictures",
       "start from a preset and export to a folder"},
      {"studio `port` 8080 `no-browser`", "print the address instead of opening a browser"}};
  row.make = [] { return std::make_unique<studio::StudioInvocation>(); };
  return row;
}

}  // namespace dapple::app

// The studio's session for a page without a server: a worker calls it and receives its messages.
#include "studio/session.hpp"

#include <cstdint>
#include <emscripten.h>
#include <memory>
#include <string>

// Sends a message to the page: text, or bytes that are handed over without a copy. The address is
// a double, because addresses above 2 GB are negative as integers of JavaScript.
EM_JS(void, send_to_page, (double bytes, int count, int binary), {
  const message = HEAPU8.slice(bytes, bytes + count);
  if (binary)
    postMessage(message.buffer, [message.buffer]);
  else
    postMessage(new TextDecoder().decode(message));
});

EM_JS(int, is_outdated, (), { return globalThis.isOutdated() ? 1 : 0; });

namespace {

std::unique_ptr<dapple::studio::Session> session;
constexpr int page = 1;

}  // namespace

extern "C" {

// Opens a session with photos: paths of the worker's files, one a line. `makes` is 1 for drafts, 2
// for results, 3 for both.
EMSCRIPTEN_KEEPALIVE void dapple_web_open(const char* photos, int makes) {
  dapple::studio::SessionOptions options;
  options.folder = "/out";
  options.threads = 1;
  options.has_threads = false;
  options.makes_drafts = (makes & 1) != 0;
  options.makes_results = (makes & 2) != 0;
  options.is_outdated = [] { return is_outdated() != 0; };
  for (std::string rest = photos; !rest.empty();) {
    const auto end = rest.find('\n');
    options.photos.push_back(rest.substr(0, end));
    rest.erase(0, end == std::string::npos ? end : end + 1);
  }
  options.first.input = options.photos.front();
  session.reset();
  session = std::make_unique<dapple::studio::Session>(
      std::move(options),
      [](int, const std::string& message, bool binary) {
        const auto address = reinterpret_cast<std::uintptr_t>(message.data());
        send_to_page(static_cast<double>(address), static_cast<int>(message.size()),
                     binary ? 1 : 0);
      },
      [] {});
  session->opened(page);
}

// Hands a message of the page to the session.
EMSCRIPTEN_KEEPALIVE void dapple_web_said(const char* text) {
  session->said(page, text);
}

// Does one piece of work; returns 0 if there was none.
EMSCRIPTEN_KEEPALIVE int dapple_web_step() {
  return session->step() ? 1 : 0;
}

}  // extern "C"

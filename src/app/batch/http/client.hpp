// Defines the interface to the module `dapple-http`, which sends requests of HTTP 1.1. Both sides
// come from one build, so C++ types may cross the interface, but exceptions may not.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "dapple/version.hpp"

namespace dapple::app {

struct HttpAnswer {
  int status = 0;  // 0: none, `problem` says why
  std::string body;
  std::string problem;
  bool unreachable = false;  // the server does not answer at all
};

// Connections to one server. Several threads may use it.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Sends a request and waits for the answer. Follows no redirect.
  virtual HttpAnswer ask(const std::string& method, const std::string& target,
                         const std::string& body) noexcept = 0;
};

struct HttpOptions {
  std::string host;
  std::string port;
  std::int64_t largest = 0;         // bytes of an answer
  std::function<bool()> cancelled;  // must not throw
};

struct HttpModule {
  const char* version;  // version of the build; others are refused
  // Returns nullptr without memory. Connects when it first asks.
  std::unique_ptr<HttpClient> (*open)(const HttpOptions& options) noexcept;
};

// The module's only function.
extern "C" __attribute__((visibility("default"))) const HttpModule* dapple_http_module();
inline constexpr const char* http_file = "dapple-http.so";
inline constexpr const char* http_symbol = "dapple_http_module";
#define DAPPLE_HTTP_MARK "dapple http module of version " DAPPLE_VERSION

}  // namespace dapple::app

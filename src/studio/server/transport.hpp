// Defines the interface to the module `dapple-studio`, which serves the page to local browsers. The
// module transfers bytes and checks requests; the program interprets the bytes. Both come from one
// build, so C++ types may cross the interface, but exceptions may not.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dapple/version.hpp"

namespace dapple::studio {

// Callbacks for events of pages, called on the module's thread. Page numbers start at 1. Callbacks
// must not throw.
struct PageCalls {
  std::function<void(int page)> opened;  // called after the page has sent the token
  std::function<void(int page, const std::string& text)> said;
  std::function<void(int page)> closed;
};

// Serves until it is destroyed.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int port() const noexcept = 0;
  // Sends from any thread; does nothing if the page is closed.
  virtual void send(int page, std::string message, bool binary) noexcept = 0;
};

struct TransportModule {
  const char* version;  // version of the build; others are refused
  // Serves at `port`; 0 selects a free port. Returns nullptr and sets `problem` on failure.
  std::unique_ptr<Transport> (*serve)(int port, const std::string& token, const PageCalls& calls,
                                      std::string& problem) noexcept;
};

// The module's only function.
extern "C" __attribute__((visibility("default"))) const TransportModule* dapple_studio_module();
inline constexpr const char* transport_file = "dapple-studio.so";
inline constexpr const char* transport_symbol = "dapple_studio_module";
#define DAPPLE_STUDIO_MARK "dapple studio module of version " DAPPLE_VERSION

// Returns the module and opens it at the first call. Throws an Error that explains how to install
// the module, or why it is not trusted.
const TransportModule& transport_module();

}  // namespace dapple::studio

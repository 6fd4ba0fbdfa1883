// The table through which the program reaches the module `dapple-studio`, which serves the page of
// the studio to browsers of this machine. The module carries bytes and guards the door; what they
// mean is the program's. Both sides come from one build, so C++ types may cross; exceptions may
// not.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dapple/version.hpp"

namespace dapple::studio {

// What pages do, told from the module's own thread. Pages are numbered from 1. Nothing is thrown.
struct PageCalls {
  std::function<void(int page)> opened;  // and its first message was the token
  std::function<void(int page, const std::string& text)> said;
  std::function<void(int page)> closed;
};

// Serves until it is destroyed.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int port() const noexcept = 0;
  // From any thread; in vain where the page is gone.
  virtual void send(int page, std::string message, bool binary) noexcept = 0;
};

struct TransportModule {
  const char* version;  // of the build; modules of another one are refused
  // port 0: one that is free. Without a result `problem` says why.
  std::unique_ptr<Transport> (*serve)(int port, const std::string& token, const PageCalls& calls,
                                      std::string& problem) noexcept;
};

inline constexpr const char* transport_file = "dapple-studio.so";
inline constexpr const char* transport_symbol = "dapple_studio_module";
#define DAPPLE_STUDIO_MARK "dapple studio module of version " DAPPLE_VERSION

// The module, opened at the first call. Throws Error that says how to get it, or why it is not
// trusted.
const TransportModule& transport_module();

}  // namespace dapple::studio

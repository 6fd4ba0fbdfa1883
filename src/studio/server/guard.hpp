// Decides which requests the studio serves. Any web page in a local browser can send requests to
// this machine, under any name that resolves to it. A request must therefore use the studio's own
// host name and come from its own page.
#pragma once

#include <string>
#include <vector>

namespace dapple::studio {

// The part of a request that the guard checks; "" for missing headers.
struct Asked {
  std::string method;
  std::string target;
  std::vector<std::string> hosts;  // all Host headers
  std::vector<std::string> origins;
  std::string fetch_site;
  std::string fetch_mode;
  std::string fetch_destination;
  bool socket = false;  // requests an upgrade to a socket
};

inline constexpr const char* socket_target = "/socket";

// Returns an HTTP status: 200 to accept the request, otherwise the reason for refusing it.
int judge(const Asked& asked, int port);

// Compares two secrets in a time that does not reveal where they differ.
bool same_secret(const std::string& given, const std::string& secret);

}  // namespace dapple::studio

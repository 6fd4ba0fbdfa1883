// Who may ask the studio for what. Any page of the web that a browser of this machine shows can
// send requests to this machine, and under any name that it makes resolve to it; so a request has
// to come to our own name and from our own page.
#pragma once

#include <string>
#include <vector>

namespace dapple::studio {

// The part of a request that the guard looks at; "" for headers that are not there.
struct Asked {
  std::string method;
  std::string target;
  std::vector<std::string> hosts;  // every header of that name
  std::vector<std::string> origins;
  std::string fetch_site;
  std::string fetch_mode;
  std::string fetch_destination;
  bool socket = false;  // asks to become one
};

inline constexpr const char* socket_target = "/socket";

// The status of the answer: 200, or why not.
int judge(const Asked& asked, int port);

// Whether two secrets are the same, in a time that does not tell where they differ.
bool same_secret(const std::string& given, const std::string& secret);

}  // namespace dapple::studio

#include "studio/server/guard.hpp"

#include <algorithm>
#include <array>

namespace dapple::studio {
namespace {

std::array<std::string, 2> own_hosts(int port) {
  // Browsers leave out the port of HTTP.
  const std::string end = port == 80 ? "" : ":" + std::to_string(port);
  return {"127.0.0.1" + end, "localhost" + end};
}

// Rejects a foreign host name that resolves to this machine.
bool is_own_host(const Asked& asked, int port) {
  const auto own = own_hosts(port);
  return asked.hosts.size() == 1 &&
         std::find(own.begin(), own.end(), asked.hosts.front()) != own.end();
}

bool is_own_origin(const std::string& origin, int port) {
  const auto own = own_hosts(port);
  return std::any_of(own.begin(), own.end(),
                     [&](const std::string& host) { return origin == "http://" + host; });
}

// Checks the origin that browsers state for a request. The page's requests come from the page. A
// user's request has no origin, or follows a link that opens the page in a window, not a frame.
bool comes_from_us(const Asked& asked) {
  if (asked.fetch_site.empty() || asked.fetch_site == "same-origin" || asked.fetch_site == "none") {
    return true;
  }
  return asked.fetch_mode == "navigate" && asked.fetch_destination == "document";
}

}  // namespace

int judge(const Asked& asked, int port) {
  if (!is_own_host(asked, port)) return 403;
  const bool changes = asked.socket || asked.method != "GET";
  if (changes && asked.origins.empty()) return 403;
  if (asked.origins.size() > 1) return 403;
  if (!asked.origins.empty() && !is_own_origin(asked.origins.front(), port)) return 403;
  if (!comes_from_us(asked)) return 403;
  if (asked.method != "GET") return 405;
  if (asked.socket != (asked.target == socket_target)) return 404;
  return 200;
}

bool same_secret(const std::string& given, const std::string& secret) {
  if (given.size() != secret.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < secret.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(given[i]) ^
                                        static_cast<unsigned char>(secret[i]));
  }
  return difference == 0;
}

}  // namespace dapple::studio

// Who may ask the studio for what: every row differs from a request of the page in one thing alone,
// so that it passes where the check of that thing is gone.
#include "studio/server/guard.hpp"

#include <gtest/gtest.h>

namespace dapple::studio {
namespace {

constexpr int port = 4321;

Asked page() {
  Asked asked;
  asked.method = "GET";
  asked.target = "/";
  asked.hosts = {"127.0.0.1:4321"};
  return asked;
}

Asked socket() {
  Asked asked = page();
  asked.target = socket_target;
  asked.socket = true;
  asked.origins = {"http://127.0.0.1:4321"};
  asked.fetch_site = "same-origin";
  return asked;
}

TEST(Guard, LetsThePageIn) {
  EXPECT_EQ(judge(page(), port), 200);
  EXPECT_EQ(judge(socket(), port), 200);
  Asked named = page();
  named.hosts = {"localhost:4321"};
  named.origins = {"http://localhost:4321"};
  EXPECT_EQ(judge(named, port), 200);
}

// Browsers leave out the port of HTTP.
TEST(Guard, KnowsItsNameAtPort80) {
  Asked asked = socket();
  asked.hosts = {"127.0.0.1"};
  asked.origins = {"http://127.0.0.1"};
  EXPECT_EQ(judge(asked, 80), 200);
  EXPECT_EQ(judge(asked, port), 403);
  asked.hosts = {"127.0.0.1:80"};
  EXPECT_EQ(judge(asked, 80), 403);
}

TEST(Guard, KnowsItsOwnNameAlone) {
  const std::vector<std::vector<std::string>> others = {{},
                                                        {"127.0.0.1:4321", "127.0.0.1:4321"},
                                                        {"127.0.0.1"},
                                                        {"127.0.0.1:4322"},
                                                        {"evil.example:4321"},
                                                        {"127.0.0.1:4321.evil.example"},
                                                        {"evil.127.0.0.1:4321"},
                                                        {"0.0.0.0:4321"},
                                                        {"[::1]:4321"}};
  for (const auto& hosts : others) {
    Asked asked = page();
    asked.hosts = hosts;
    EXPECT_EQ(judge(asked, port), 403) << ::testing::PrintToString(hosts);
  }
}

TEST(Guard, SocketsAndChangesComeFromThePage) {
  const std::vector<std::vector<std::string>> others = {
      {},
      {"null"},
      {"http://evil.example"},
      {"http://127.0.0.1:4322"},
      {"https://127.0.0.1:4321"},
      {"http://127.0.0.1:4321.evil.example"},
      {"http://127.0.0.1:4321", "http://evil.example"}};
  for (const auto& origins : others) {
    Asked asked = socket();
    asked.origins = origins;
    EXPECT_EQ(judge(asked, port), 403) << ::testing::PrintToString(origins);
    asked = page();
    asked.method = "POST";
    asked.origins = origins;
    EXPECT_EQ(judge(asked, port), 403) << ::testing::PrintToString(origins);
  }
  Asked post = page();
  post.method = "POST";
  post.origins = {"http://127.0.0.1:4321"};
  EXPECT_EQ(judge(post, port), 405);
}

// A name of a stranger that resolves to this machine has that stranger's origin.
TEST(Guard, AnOriginLikeAForeignHostIsForeign) {
  Asked asked = socket();
  asked.hosts = {"evil.example:4321"};
  asked.origins = {"http://evil.example:4321"};
  EXPECT_EQ(judge(asked, port), 403);
}

TEST(Guard, OtherSitesMayLeadHereButHoldNothingOfIt) {
  Asked asked = page();
  asked.fetch_site = "cross-site";
  asked.fetch_mode = "navigate";
  asked.fetch_destination = "document";
  EXPECT_EQ(judge(asked, port), 200) << "a link, or the file that opens the page";
  asked.fetch_destination = "iframe";
  EXPECT_EQ(judge(asked, port), 403);
  asked.fetch_destination = "document";
  asked.fetch_mode = "no-cors";
  EXPECT_EQ(judge(asked, port), 403);
  for (const char* destination : {"script", "image", "style", "empty"}) {
    asked.fetch_destination = destination;
    for (const char* site : {"cross-site", "same-site"}) {
      asked.fetch_site = site;
      EXPECT_EQ(judge(asked, port), 403) << site << " " << destination;
    }
  }
}

TEST(Guard, SocketsAndFilesHaveTheirOwnPlaces) {
  Asked asked = socket();
  asked.target = "/";
  EXPECT_EQ(judge(asked, port), 404);
  asked = page();
  asked.target = socket_target;
  EXPECT_EQ(judge(asked, port), 404);
}

TEST(Guard, SecretsAreComparedWhole) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  for (const char* other : {"", "ab", "abcd", "abd", "bbc"}) {
    EXPECT_FALSE(same_secret(other, "abc")) << other;
  }
}

}  // namespace
}  // namespace dapple::studio

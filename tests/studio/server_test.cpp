// The studio as others on this machine, and pages of strangers, meet it: the real program, by raw
// requests.
#include <arpa/inet.h>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "program_test.hpp"

namespace dapple::test {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int accepted = 101;

// The program, from its first line on.
class Studio : public ProgramTest {
 protected:
  void start(std::vector<std::string> words = {}) {
    words.insert(words.begin(), {DAPPLE_PROGRAM, "studio", "--no-browser"});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int out[2];
    ASSERT_EQ(pipe2(out, O_CLOEXEC), 0);
    child = fork();
    if (child == 0) {
      dup2(out[1], STDOUT_FILENO);
      if (chdir(folder.path().c_str()) == 0) execv(DAPPLE_PROGRAM, arguments.data());
      _exit(127);
    }
    close(out[1]);
    out_ = out[0];
    char c = 0;
    while (read(out_, &c, 1) == 1 && c != '\n') line += c;
    if (line.empty()) GTEST_SKIP() << "the studio is not in this build";
    const auto colon = line.rfind(":");
    port = std::stoi(line.substr(colon + 1));
    const auto sharp = line.find('#');
    token = line.substr(sharp + 1, 32);
  }
  void SetUp() override { start(); }
  void TearDown() override {
    if (child > 0) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    close(out_);
  }
  // The exit code of the program once it ends, of itself or by this signal.
  int end(int signal, int patience_ms = 10000) {
    if (signal != 0) kill(child, signal);
    for (int waited = 0; waited < patience_ms; waited += 20) {
      int status = 0;
      if (waitpid(child, &status, WNOHANG) == child) {
        child = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      }
      usleep(20000);
    }
    return -1000;
  }

  int connection() const {
    const int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(file, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    const timeval patience{30, 0};
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return file;
  }
  static std::string rest(int file) {
    std::string text;
    char bytes[4096];
    for (ssize_t got = 0; (got = recv(file, bytes, sizeof bytes, 0)) > 0;) {
      text.append(bytes, static_cast<std::size_t>(got));
      if (text.rfind("HTTP/1.1 101", 0) == 0 && text.find("\r\n\r\n") != std::string::npos) break;
    }
    return text;
  }
  std::string answer(const std::string& request) const {
    const int file = connection();
    EXPECT_GT(send(file, request.data(), request.size(), MSG_NOSIGNAL), 0);
    const std::string text = rest(file);
    close(file);
    return text;
  }
  int status(const std::string& request) const {
    const std::string text = answer(request);
    return text.size() < 12 ? 0 : std::stoi(text.substr(9, 3));
  }
  std::string own() const { return "127.0.0.1:" + std::to_string(port); }
  std::string get(const std::string& target, const std::string& more = "") const {
    return "GET " + target + " HTTP/1.1\r\nHost: " + own() + "\r\n" + more + "\r\n";
  }
  std::string upgrade(const std::string& origin, const std::string& host = "") const {
    return "GET /socket HTTP/1.1\r\nHost: " + (host.empty() ? own() : host) +
           "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
           (origin.empty() ? "" : "Origin: " + origin + "\r\n") + "\r\n";
  }
  // A short text as a client sends it, masked by zeros.
  static std::string frame(const std::string& text) {
    return std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') +
           text;
  }

  // A page that has sent the token and got the greeting's first byte.
  int visit() const {
    const int file = connection();
    const std::string request = upgrade("http://" + own());
    send(file, request.data(), request.size(), MSG_NOSIGNAL);
    EXPECT_NE(rest(file).find("101"), std::string::npos);
    const std::string message = frame(token);
    send(file, message.data(), message.size(), MSG_NOSIGNAL);
    char byte = 0;
    EXPECT_EQ(recv(file, &byte, 1, 0), 1);
    return file;
  }
  // Reads what has come so far.
  static bool is_closed(int file) {
    char bytes[4096];
    for (;;) {
      pollfd waiting{file, POLLIN, 0};
      if (poll(&waiting, 1, 500) != 1) return false;
      if (recv(file, bytes, sizeof bytes, 0) <= 0) return true;
    }
  }

  pid_t child = -1;
  int out_ = -1;
  std::string line, token;
  int port = 0;
};

TEST_F(Studio, ServesItsPageWithPolicies) {
  const std::string page = answer(get("/"));
  EXPECT_EQ(page.substr(9, 3), "200");
  for (const char* part : {"default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-referrer",
                           "no-store", "Cross-Origin-Opener-Policy: same-origin",
                           "Cross-Origin-Embedder-Policy: require-corp", "id=\"picture\""}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(page.find(token), std::string::npos);
  EXPECT_EQ(status(get("/page.js")), 200);
  EXPECT_EQ(status(get("/page.css")), 200);
  EXPECT_EQ(status(get("/favicon.ico")), 204);
}

TEST_F(Studio, HasNoOtherFiles) {
  for (const std::string target :
       {"/..", "/../page.js", "/%2e%2e/page.js", "/page.js/", "/page.js?x", "//page.js",
        "/etc/passwd", "http://127.0.0.1/page.js"}) {
    EXPECT_EQ(status(get(target)), 404) << target;
  }
}

TEST_F(Studio, RefusesStrangers) {
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 403);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 403);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: " + own() + "\r\nHost: " + own() + "\r\n\r\n"), 403);
  EXPECT_EQ(status(get("/", "Origin: http://evil.example\r\n")), 403);
  EXPECT_EQ(status(get("/",
                       "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"
                       "Sec-Fetch-Dest: image\r\n")),
            403);
  EXPECT_EQ(status(get("/",
                       "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"
                       "Sec-Fetch-Dest: iframe\r\n")),
            403);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: " + own() + "\r\nContent-Length: 0\r\n\r\n"), 403);
  EXPECT_EQ(status(upgrade("http://" + own())), accepted);
  EXPECT_EQ(status(upgrade("")), 403);
  EXPECT_EQ(status(upgrade("null")), 403);
  EXPECT_EQ(status(upgrade("http://evil.example")), 403);
  EXPECT_EQ(status(upgrade("http://evil.example", "evil.example")), 403);
}

TEST_F(Studio, RefusesJunkBeforeItsBody) {
  EXPECT_EQ(status("what is this\r\n\r\n"), 400);
  EXPECT_EQ(status(get("/", "X: " + std::string(10000, 'x') + "\r\n")), 400);
  EXPECT_EQ(status(get("/", "Content-Length: 5\r\nContent-Length: 6\r\n")), 400);
  EXPECT_EQ(status(get("/", "Content-Length: 1000000000\r\n")), 400);
}

TEST_F(Studio, TalksToWhoHasTheToken) {
  const auto first_byte = [&](const std::string& text) {
    const int file = connection();
    const std::string request = upgrade("http://" + own());
    send(file, request.data(), request.size(), MSG_NOSIGNAL);
    rest(file);
    const std::string message = frame(text);
    send(file, message.data(), message.size(), MSG_NOSIGNAL);
    unsigned char byte = 0;
    EXPECT_EQ(recv(file, &byte, 1, 0), 1);
    close(file);
    return static_cast<int>(byte);
  };
  constexpr int text = 0x81, close_frame = 0x88;
  EXPECT_EQ(first_byte(token), text);
  std::string other = token;
  other[5] = other[5] == '0' ? '1' : '0';
  EXPECT_EQ(first_byte(other), close_frame);
  EXPECT_EQ(first_byte("{}"), close_frame);
  EXPECT_EQ(first_byte(""), close_frame);
}

// Silent connections keep nobody out: a new connection closes the oldest of too many.
TEST_F(Studio, SilentConnectionsKeepNobodyOut) {
  std::vector<int> files;
  for (int i = 0; i < 500; ++i) files.push_back(connection());
  EXPECT_EQ(status(get("/")), 200);
  EXPECT_EQ(rest(files[0]), "") << "the oldest was closed";
  // Sockets that never say the token are strangers too.
  for (int i = 0; i < 100; ++i) {
    files.push_back(connection());
    const std::string request = upgrade("http://" + own());
    send(files.back(), request.data(), request.size(), MSG_NOSIGNAL);
  }
  EXPECT_EQ(status(get("/")), 200);
  const int page = visit();
  for (int i = 0; i < 100; ++i) files.push_back(connection());
  EXPECT_EQ(status(get("/")), 200);
  EXPECT_FALSE(is_closed(page)) << "who said the token stays";
  // The last silent ones go after a while.
  const auto start = Clock::now();
  EXPECT_EQ(rest(files.back()), "");
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  EXPECT_GT(seconds, 5);
  EXPECT_LT(seconds, 25);
  for (const int file : files) close(file);
  close(page);
}

// Who becomes a socket and never says the token is a connection like others, and goes.
TEST_F(Studio, ClosesSocketsWithoutAToken) {
  const int file = connection();
  const std::string request = upgrade("http://" + own());
  send(file, request.data(), request.size(), MSG_NOSIGNAL);
  EXPECT_NE(rest(file).find("101"), std::string::npos);
  // Pongs are no token.
  const auto start = Clock::now();
  unsigned char bytes[64];
  while (recv(file, bytes, sizeof bytes, 0) > 0) {
    const std::string pong("\x8a\x80\0\0\0\0", 6);
    send(file, pong.data(), pong.size(), MSG_NOSIGNAL);
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 25);
  close(file);
}

TEST_F(Studio, ClosesTheOldestOfManyPages) {
  std::vector<int> pages;
  for (int i = 0; i < 9; ++i) pages.push_back(visit());
  EXPECT_TRUE(is_closed(pages[0]));
  EXPECT_FALSE(is_closed(pages[1]));
  for (const int page : pages) close(page);
}

// Messages for a page that does not read them would fill the memory.
TEST_F(Studio, ClosesAPageThatDoesNotRead) {
  const int page = visit();
  const auto sent = [&](const std::string& text) {
    const std::string message = frame(text);
    return send(page, message.data(), message.size(), MSG_NOSIGNAL) > 0;
  };
  bool open = true;  // an error answers each message
  for (int i = 0; i < 3000000 && open; ++i) open = sent(R"({"type":"x"})");
  EXPECT_FALSE(open);
  std::ifstream file("/proc/" + std::to_string(child) + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  EXPECT_LT(resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6, 300);
  close(page);
}

TEST_F(Studio, EndsBySignals) {
  EXPECT_EQ(line.substr(0, 17), "http://127.0.0.1:");
  EXPECT_EQ(end(SIGTERM), 0);
  for (const int signal : {SIGINT, SIGHUP}) {
    line.clear();
    start({"--json"});
    EXPECT_TRUE(json::parse(line)["url"].is_string());
    EXPECT_EQ(end(signal), 0);
  }
}

TEST_F(Studio, EndsWithItsLastPage) {
  const int file = connection();
  const std::string request = upgrade("http://" + own());
  send(file, request.data(), request.size(), MSG_NOSIGNAL);
  rest(file);
  const std::string message = frame(token);
  send(file, message.data(), message.size(), MSG_NOSIGNAL);
  usleep(300000);
  close(file);
  EXPECT_EQ(end(0, 1000), -1000) << "it gives the page time to come back";
  EXPECT_EQ(end(0, 15000), 0);
}

// Without the right to it, port 80 is an error that says what it needs.
TEST_F(ProgramTest, APortThatNeedsARightSaysSo) {
  int first_free = 1024;
  std::ifstream("/proc/sys/net/ipv4/ip_unprivileged_port_start") >> first_free;
  if (first_free <= 80) GTEST_SKIP() << "any user may use port 80 here";
  Spawn how;
  how.before = [] { prctl(PR_CAPBSET_DROP, CAP_NET_BIND_SERVICE); };
  const Outcome outcome = run({"studio", "--no-browser", "--port", "80"}, how);
  if (outcome.code == 1) GTEST_SKIP() << outcome.err;
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.err.find("CAP_NET_BIND_SERVICE; use a port above 1023"), std::string::npos)
      << outcome.err;
}

TEST_F(ProgramTest, MistakesAreSaidBeforeThePageIs) {
  const std::vector<std::pair<std::vector<std::string>, int>> mistakes = {
      {{"studio", "none.jpg"}, 3},         {{"studio", "--port", "70000"}, 2},
      {{"studio", "--preset", "lino"}, 2}, {{"studio", "--out", "/dev/null/a"}, 4},
      {{"studio", "--recipe", "none"}, 3}, {{"studio", "-"}, 2}};
  for (const auto& [words, code] : mistakes) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << words[1] << " " << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST_F(ProgramTest, ABuildWithoutItSaysHowToGetTheStudio) {
  std::filesystem::create_directories(folder / "bin");
  std::filesystem::copy_file(DAPPLE_PROGRAM, folder / "bin/dapple");
  const Outcome outcome =
      run_process({(folder / "bin/dapple").string(), "studio", "--no-browser"}, folder.path());
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("libboost-dev"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("esbuild"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace dapple::test

// Sends requests with Boost.Beast. Each request has a connection of its own while it lasts; idle
// connections serve the next ones.
#include "app/batch/http/client.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace dapple::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using beast::error_code;

constexpr std::chrono::seconds patience{10};  // for a server that does not answer
constexpr std::size_t slowest = 256 << 10;    // bytes per second of a body
constexpr std::uint32_t longest_header = 16 << 10;

std::chrono::seconds time_for(std::uint64_t bytes) {
  return patience + std::chrono::seconds(bytes / slowest);
}

// A connection, which only one thread uses at a time.
class Connection {
 public:
  explicit Connection(const HttpOptions& options) : options_(options) {}

  // Returns true if the server keeps the connection open.
  bool is_open() const { return open_; }
  // Returns true if an answer has arrived on this connection.
  bool is_proven() const { return proven_; }

  HttpAnswer ask(const std::string& method, const std::string& target, const std::string& body) {
    HttpAnswer answer;
    if (!open_ && !connect(answer)) return answer;
    open_ = false;
    http::request<http::span_body<const char>> request(http::string_to_verb(method), target, 11);
    const bool named = options_.host.find(':') == std::string::npos || options_.host[0] == '[';
    request.set(http::field::host, (named ? options_.host : "[" + options_.host + "]") +
                                       (options_.port == "80" ? "" : ":" + options_.port));
    request.set(http::field::user_agent, "dapple/" DAPPLE_VERSION);
    if (method == "PUT") {
      request.set(http::field::content_type, "application/octet-stream");
      request.body() = {body.data(), body.size()};
      request.prepare_payload();
    }
    http::response_parser<http::string_body> parser;
    parser.header_limit(longest_header);
    parser.body_limit(static_cast<std::uint64_t>(options_.largest));
    if (method == "HEAD") parser.skip(true);
    beast::flat_buffer buffer;
    error_code error = run(time_for(body.size()), [&](auto done) {
      http::async_write(*stream_, request, std::move(done));
    });
    // A server may answer before it has read everything, to refuse it.
    const error_code unsent = error;
    if (!error || method == "PUT") {
      error = run(patience, [&](auto done) {
        http::async_read_header(*stream_, buffer, parser, std::move(done));
      });
    }
    if (!error && !parser.is_done()) {
      const auto length = parser.content_length();
      const auto most = static_cast<std::uint64_t>(options_.largest);
      error = run(time_for(length ? std::min<std::uint64_t>(*length, most) : most),
                  [&](auto done) { http::async_read(*stream_, buffer, parser, std::move(done)); });
    }
    if (error) return failed(unsent ? unsent : error);
    open_ = parser.keep_alive() && !unsent;
    proven_ = true;
    answer.status = static_cast<int>(parser.get().result_int());
    answer.body = std::move(parser.get().body());
    return answer;
  }

 private:
  bool connect(HttpAnswer& answer) {
    stream_.emplace(io_);
    tcp::resolver resolver(io_);
    tcp::resolver::results_type found;
    std::string host = options_.host;
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    error_code error = run(patience, [&](auto done) {
      resolver.async_resolve(host, options_.port,
                             [&found, done = std::move(done)](error_code e, auto results) {
                               found = std::move(results);
                               done(e, 0);
                             });
    });
    if (!error) {
      error = run(patience, [&](auto done) {
        stream_->async_connect(found,
                               [done = std::move(done)](error_code e, const auto&) { done(e, 0); });
      });
    }
    if (error) {
      answer = failed(error);
      answer.unreachable = true;
      return false;
    }
    error_code ignored;
    stream_->socket().set_option(tcp::no_delay(true), ignored);
    return true;
  }

  // Starts an operation and waits until it ends, until its time is over, or for a cancel.
  template <class Start>
  error_code run(std::chrono::seconds time, const Start& start) {
    std::optional<error_code> result;
    stream_->expires_after(time);
    start([&result](error_code error, std::size_t) { result = error; });
    const auto end = std::chrono::steady_clock::now() + time;
    io_.restart();
    while (!result) {
      io_.run_for(std::chrono::milliseconds(50));
      const bool late = std::chrono::steady_clock::now() > end + std::chrono::seconds(1);
      if (result || (!late && !options_.cancelled())) continue;
      error_code ignored;
      stream_->socket().close(ignored);
      io_.run();  // the operation ends with an error
      return late ? error_code(beast::error::timeout) : error_code(asio::error::operation_aborted);
    }
    return *result;
  }

  HttpAnswer failed(error_code error) const {
    HttpAnswer answer;
    answer.unreachable = error == beast::error::timeout;
    if (error == beast::error::timeout) {
      answer.problem = "it did not answer in time";
    } else if (error == http::error::end_of_stream || error == http::error::partial_message) {
      answer.problem = "it cut its answer off";
    } else if (error == http::error::body_limit) {
      answer.problem = "its answer is longer than " + std::to_string(options_.largest) + " bytes";
    } else if (error.category() == http::make_error_code(http::error::bad_value).category()) {
      answer.problem = "its answer is not valid HTTP (" + error.message() + ")";
    } else {
      answer.problem = error.message();
    }
    return answer;
  }

  const HttpOptions& options_;
  asio::io_context io_{1};
  std::optional<beast::tcp_stream> stream_;
  bool open_ = false;
  bool proven_ = false;
};

class Client : public HttpClient {
 public:
  explicit Client(HttpOptions options) : options_(std::move(options)) {}

  HttpAnswer ask(const std::string& method, const std::string& target,
                 const std::string& body) noexcept override {
    try {
      std::unique_ptr<Connection> connection = take();
      HttpAnswer answer = connection->ask(method, target, body);
      // A server may close an idle connection at any time.
      if (answer.status == 0 && !answer.unreachable && connection->is_proven()) {
        connection = std::make_unique<Connection>(options_);
        answer = connection->ask(method, target, body);
      }
      if (connection->is_open()) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(connection));
      }
      return answer;
    } catch (const std::exception& error) {
      try {
        return {0, "", error.what(), false};
      } catch (...) {
        return {};
      }
    }
  }

 private:
  std::unique_ptr<Connection> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<Connection> connection = std::move(idle_.back());
        idle_.pop_back();
        return connection;
      }
    }
    return std::make_unique<Connection>(options_);
  }

  HttpOptions options_;
  std::mutex mutex_;  // protects idle_
  std::vector<std::unique_ptr<Connection>> idle_;
};

std::unique_ptr<HttpClient> open(const HttpOptions& options) noexcept {
  try {
    return std::make_unique<Client>(options);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

const HttpModule* dapple_http_module() {
  static const HttpModule module{DAPPLE_HTTP_MARK, open};
  return &module;
}

}  // namespace dapple::app

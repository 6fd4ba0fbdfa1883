// Serves the studio: HTTP for the page's files, then one socket per page. Its only thread computes
// nothing, so that it always answers.
#include <algorithm>
#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>  // Asio 1.74 uses it without including it

#include "dapple/extend/options.hpp"
#include "dapple/limits.hpp"
#include "studio/server/guard.hpp"
#include "studio/server/transport.hpp"

// Defined in assets.s, which includes the files unchanged.
extern "C" {
extern const char dapple_page_html[], dapple_page_html_end[];
extern const char dapple_page_css[], dapple_page_css_end[];
extern const char dapple_page_js[], dapple_page_js_end[];
extern const char dapple_astronaut[], dapple_astronaut_end[];
extern const char dapple_seeding[], dapple_seeding_end[];
extern const char dapple_owl[], dapple_owl_end[];
extern const char dapple_hubble[], dapple_hubble_end[];
}

namespace dapple::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;

constexpr std::chrono::seconds patience{10};  // wait for silent clients
constexpr std::size_t most_strangers = 32;    // connections without the token
constexpr std::size_t most_pages = 8;         // with the token
// Messages that a page has not taken yet, and their bytes.
constexpr std::size_t most_waiting = 4096;
constexpr std::size_t most_unsent = 64 << 20;
constexpr std::size_t longest_header = 8192;
constexpr std::size_t longest_message = 64 << 10;

struct Asset {
  std::string_view bytes;
  std::string_view type;
};

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

// Returns the file of the page at a URL path such as /, or nullptr if there is none.
const Asset* find_asset(std::string_view target) {
  static const std::array<std::pair<std::string_view, Asset>, 8> assets{{
      {"/", {between(dapple_page_html, dapple_page_html_end), "text/html; charset=utf-8"}},
      {"/page.css", {between(dapple_page_css, dapple_page_css_end), "text/css; charset=utf-8"}},
      {"/page.js", {between(dapple_page_js, dapple_page_js_end), "text/javascript; charset=utf-8"}},
      {"/favicon.ico", {"", ""}},
      {"/astronaut.jpg", {between(dapple_astronaut, dapple_astronaut_end), "image/jpeg"}},
      {"/seeding.jpg", {between(dapple_seeding, dapple_seeding_end), "image/jpeg"}},
      {"/owl.png", {between(dapple_owl, dapple_owl_end), "image/png"}},
      {"/hubble.jpg", {between(dapple_hubble, dapple_hubble_end), "image/jpeg"}},
  }};
  const auto* const found = std::find_if(assets.begin(), assets.end(),
                                         [&](const auto& entry) { return entry.first == target; });
  return found == assets.end() ? nullptr : &found->second;
}

std::vector<std::string> values_of(const http::fields& fields, http::field name) {
  std::vector<std::string> values;
  const auto [begin, end] = fields.equal_range(name);
  for (auto it = begin; it != end; ++it) values.emplace_back(it->value());
  return values;
}

Asked asked_of(const http::request<http::empty_body>& request) {
  Asked asked;
  asked.method = std::string(request.method_string());
  asked.target = std::string(request.target());
  asked.hosts = values_of(request, http::field::host);
  asked.origins = values_of(request, http::field::origin);
  asked.fetch_site = std::string(request["Sec-Fetch-Site"]);
  asked.fetch_mode = std::string(request["Sec-Fetch-Mode"]);
  asked.fetch_destination = std::string(request["Sec-Fetch-Dest"]);
  asked.socket = websocket::is_upgrade(request);
  return asked;
}

// Sets the headers of every answer. The page loads nothing from other sites, other sites cannot
// embed it, and browsers store no copy.
void set_policies(http::fields& fields, int port) {
  const std::string end = ":" + std::to_string(port);
  fields.set("Content-Security-Policy",
             "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
             "connect-src 'self' ws://127.0.0.1" +
                 end + " ws://localhost" + end +
                 "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  fields.set("X-Content-Type-Options", "nosniff");
  fields.set("X-Frame-Options", "DENY");
  fields.set("Referrer-Policy", "no-referrer");
  fields.set("Cross-Origin-Opener-Policy", "same-origin");
  fields.set("Cross-Origin-Embedder-Policy", "require-corp");
  fields.set("Cross-Origin-Resource-Policy", "same-origin");
  fields.set(http::field::cache_control, "no-store");
}

http::response<http::string_body> answer_to(const Asked& asked, int status, int port) {
  const Asset* const asset = status == 200 ? find_asset(asked.target) : nullptr;
  if (status == 200 && asset == nullptr) status = 404;
  if (asset != nullptr && asset->type.empty()) status = 204;
  http::response<http::string_body> response(static_cast<http::status>(status), 11);
  set_policies(response, port);
  response.keep_alive(false);
  if (status == 200) {
    response.set(http::field::content_type,
                 beast::string_view(asset->type.data(), asset->type.size()));
    response.body() = std::string(asset->bytes);
  }
  response.prepare_payload();
  return response;
}

class Page;
class Stranger;

// The state that the pages and connections of the server's thread share.
struct Hub : std::enable_shared_from_this<Hub> {
  explicit Hub(asio::io_context& context) : io(context), acceptor(io), pause(io) {}

  asio::io_context& io;  // owned by the server; outlives pending operations
  tcp::acceptor acceptor;
  asio::steady_timer pause;  // wait after a failed connection
  std::string token;
  PageCalls calls;
  int port = 0;
  std::list<Stranger*> strangers;  // the oldest first
  int pages_so_far = 0;
  std::map<int, std::shared_ptr<Page>> pages;  // pages with a valid token

  void accept();
};

// A connection that has not sent the token. If there are too many, a new one closes the oldest, so
// that silent ones keep nobody out.
class Stranger {
 public:
  explicit Stranger(std::shared_ptr<Hub> hub) : hub_(std::move(hub)) {
    if (hub_->strangers.size() >= most_strangers) {
      Stranger* const oldest = hub_->strangers.front();
      oldest->known();
      oldest->close();
    }
    at_ = hub_->strangers.insert(hub_->strangers.end(), this);
    listed_ = true;
  }
  virtual ~Stranger() { known(); }
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  virtual void close() = 0;

 protected:
  // Takes it off the list.
  void known() {
    if (std::exchange(listed_, false)) hub_->strangers.erase(at_);
  }
  std::shared_ptr<Hub> hub_;

 private:
  std::list<Stranger*>::iterator at_;
  bool listed_ = false;
};

// An open page, once its request has become a socket.
class Page : public Stranger, public std::enable_shared_from_this<Page> {
 public:
  Page(std::shared_ptr<Hub> hub, beast::tcp_stream stream)
      : Stranger(std::move(hub)), socket_(std::move(stream)), deadline_(hub_->io) {}

  void open(const http::request<http::empty_body>& request);
  void send(std::string message, bool binary);
  void close() override;

 private:
  void read();
  void received(error_code error);
  void write();
  void end();

  websocket::stream<beast::tcp_stream> socket_;
  asio::steady_timer deadline_;  // for the token
  beast::flat_buffer buffer_;
  std::deque<std::pair<std::string, bool>> waiting_;
  std::size_t unsent_ = 0;  // bytes of `waiting_`
  int number_ = 0;          // set once the token is valid
  bool ended_ = false;
};

void Page::open(const http::request<http::empty_body>& request) {
  beast::get_lowest_layer(socket_).expires_never();
  websocket::stream_base::timeout limits{};
  limits.handshake_timeout = patience;
  limits.idle_timeout = patience;  // a sleeping page still answers pings
  limits.keep_alive_pings = true;
  socket_.set_option(limits);
  socket_.read_message_max(longest_message);
  socket_.write_buffer_bytes(1 << 16);
  socket_.auto_fragment(false);
  deadline_.expires_after(patience);
  deadline_.async_wait([self = shared_from_this()](error_code error) {
    if (!error && self->number_ == 0) self->close();
  });
  socket_.async_accept(request, [self = shared_from_this()](error_code error) {
    if (!error) self->read();
  });
}

void Page::read() {
  socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
    self->received(error);
  });
}

void Page::received(error_code error) {
  if (error) return end();
  const std::string text = beast::buffers_to_string(buffer_.data());
  buffer_.consume(buffer_.size());
  if (number_ == 0) {
    if (!same_secret(text, hub_->token)) {
      socket_.async_close({websocket::close_code::policy_error, "the token is another"},
                          [self = shared_from_this()](error_code) {});
      return;
    }
    deadline_.cancel();
    known();
    // Only the last page is served, so the oldest one is the least missed.
    if (hub_->pages.size() >= most_pages) hub_->pages.begin()->second->close();
    number_ = ++hub_->pages_so_far;
    hub_->pages[number_] = shared_from_this();
    hub_->calls.opened(number_);
  } else {
    hub_->calls.said(number_, text);
  }
  read();
}

void Page::send(std::string message, bool binary) {
  // A page that does not read would fill the memory. A single message may be longer.
  if (waiting_.size() >= most_waiting ||
      (!waiting_.empty() && unsent_ + message.size() > most_unsent)) {
    return close();
  }
  unsent_ += message.size();
  waiting_.emplace_back(std::move(message), binary);
  if (waiting_.size() == 1) write();
}

void Page::write() {
  socket_.binary(waiting_.front().second);
  socket_.async_write(asio::buffer(waiting_.front().first),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (error) return self->end();
                        self->unsent_ -= self->waiting_.front().first.size();
                        self->waiting_.pop_front();
                        if (!self->waiting_.empty()) self->write();
                      });
}

void Page::end() {
  if (std::exchange(ended_, true) || number_ == 0) return;
  hub_->pages.erase(number_);
  hub_->calls.closed(number_);
}

void Page::close() {
  error_code ignored;
  beast::get_lowest_layer(socket_).socket().close(ignored);
}

// One connection until it is answered or becomes a page.
class Connection : public Stranger, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Hub> hub, tcp::socket socket)
      : Stranger(std::move(hub)), stream_(std::move(socket)) {
    parser_.emplace();
    parser_->header_limit(longest_header);
    parser_->body_limit(0);
  }

  void read() {
    stream_.expires_after(patience);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->received(error); });
  }
  void close() override {
    error_code ignored;
    stream_.socket().close(ignored);
  }

 private:
  void received(error_code error) {
    if (!stream_.socket().is_open() || error == http::error::end_of_stream ||
        error == beast::error::timeout)
      return;
    if (error) return answer(answer_to({}, 400, hub_->port));
    const auto& request = parser_->get();
    const Asked asked = asked_of(request);
    const int status = judge(asked, hub_->port);
    const bool has_body = request.count(http::field::transfer_encoding) > 0 ||
                          (request.count(http::field::content_length) > 0 &&
                           request[http::field::content_length] != "0");
    if (status == 200 && has_body) return answer(answer_to(asked, 400, hub_->port));
    if (status == 200 && asked.socket) {
      error_code ignored;
      stream_.socket().set_option(tcp::no_delay(true), ignored);
      known();  // the page takes its place
      std::make_shared<Page>(hub_, std::move(stream_))->open(request);
      return;
    }
    answer(answer_to(asked, status, hub_->port));
  }

  void answer(http::response<http::string_body> response) {
    response_ = std::move(response);
    stream_.expires_after(patience);
    http::async_write(stream_, response_, [self = shared_from_this()](error_code, std::size_t) {
      error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{longest_header};
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

void Hub::accept() {
  acceptor.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {  // for example no free descriptors: an instant retry would fail too
      self->pause.expires_after(std::chrono::milliseconds(200));
      self->pause.async_wait([self](error_code) { self->accept(); });
      return;
    }
    std::make_shared<Connection>(self, std::move(socket))->read();
    self->accept();
  });
}

class Server final : public Transport {
 public:
  Server(int port, const std::string& token, const PageCalls& calls) {
    hub_->token = token;
    hub_->calls = calls;
    const tcp::endpoint place(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
    hub_->acceptor.open(place.protocol());
    hub_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    hub_->acceptor.bind(place);
    hub_->acceptor.listen();
    hub_->port = hub_->acceptor.local_endpoint().port();
    hub_->accept();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Server() override {
    io_.stop();
    thread_.join();
    hub_->pages.clear();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const noexcept override { return hub_->port; }

  void send(int page, std::string message, bool binary) noexcept override {
    try {
      asio::post(hub_->io, [hub = hub_, page, text = std::move(message), binary]() mutable {
        const auto found = hub->pages.find(page);
        if (found != hub->pages.end()) found->second->send(std::move(text), binary);
      });
    } catch (...) {  // out of memory: the page asks again
    }
  }

 private:
  asio::io_context io_{1};  // destroyed last, with its pending operations
  std::shared_ptr<Hub> hub_ = std::make_shared<Hub>(io_);
  std::thread thread_;
};

std::unique_ptr<Transport> serve(int port, const std::string& token, const PageCalls& calls,
                                 std::string& problem) noexcept {
  try {
    return std::make_unique<Server>(port, token, calls);
  } catch (const boost::system::system_error& error) {
    problem = error.code().message();
    if (error.code() == asio::error::access_denied && port < 1024) {
      problem =
          "ports below 1024 need the rights of root or the capability CAP_NET_BIND_SERVICE; use a "
          "port above 1023";
    } else if (error.code() == asio::error::address_in_use) {
      problem = "another program uses it";
    }
    return nullptr;
  } catch (const std::exception& error) {
    problem = error.what();
    return nullptr;
  }
}

}  // namespace

const TransportModule* dapple_studio_module() {
  static const TransportModule module{DAPPLE_STUDIO_MARK, serve};
  return &module;
}

#ifdef DAPPLE_ONE_FILE  // else module.cpp opens the module
const TransportModule& transport_module() {
  return *dapple_studio_module();
}
#endif

}  // namespace dapple::studio

// Keeps the entries of a cache behind a web server that answers GET, HEAD and PUT.
#include <new>

#include "app/batch/cache.hpp"
#include "app/batch/http/client.hpp"
#include "dapple/context.hpp"
#include "io/images/module.hpp"

namespace dapple::app {
namespace {

const HttpModule& http_module() {
#ifdef DAPPLE_STATIC_HTTP
  return *dapple_http_module();
#elif defined(DAPPLE_NO_HTTP)
  throw Error(ErrorKind::usage, "this build has no client of HTTP: name a folder with --cache");
#else
  static const auto* const module = static_cast<const HttpModule*>(open_table(
      {http_file, "HTTP module", DAPPLE_HTTP_MARK,
       "which reads caches of web servers, is missing: on Debian, install the package "
       "dapple-plugins; if you build Dapple yourself, install libboost-dev, and build again"},
      http_symbol));
  return *module;
#endif
}

class HttpStore : public CacheStore {
 public:
  HttpStore(const CachePlace& place, std::int64_t largest, const Context& context)
      : path_(place.path), context_(context) {
    client_ = http_module().open(
        {place.host, place.port, largest, [&context] { return context.cancelled(); }});
    if (client_ == nullptr) throw std::bad_alloc();
  }

  std::optional<std::string> get(const std::string& name) override {
    HttpAnswer answer = ask("GET", name, "");
    if (answer.status == 404 || answer.status == 410) return std::nullopt;
    require(answer, ErrorKind::input);
    return std::move(answer.body);
  }

  bool has(const std::string& name) override {
    const HttpAnswer answer = ask("HEAD", name, "");
    if (answer.status == 404 || answer.status == 410) return false;
    require(answer, ErrorKind::input);
    return true;
  }

  void put(const std::string& name, const std::string& bytes) override {
    const HttpAnswer answer = ask("PUT", name, bytes);
    const bool refused = answer.status >= 400 && answer.status < 500;
    const bool unknown = answer.status == 501;  // no PUT at all
    require(answer, refused || unknown ? ErrorKind::output : ErrorKind::input);
  }

 private:
  HttpAnswer ask(const std::string& method, const std::string& name, const std::string& body) {
    HttpAnswer answer = client_->ask(method, path_ + name, body);
    if (context_.cancelled()) throw Error(ErrorKind::cancelled, "cancelled");
    return answer;
  }

  static void require(const HttpAnswer& answer, ErrorKind kind) {
    if (answer.status >= 200 && answer.status < 300) return;
    if (answer.status == 0) {
      throw Error(answer.unreachable ? ErrorKind::limit : kind,
                  answer.problem.empty() ? "there is not enough memory for this" : answer.problem);
    }
    const std::string status = "it answers with status " + std::to_string(answer.status);
    if (answer.status >= 300 && answer.status < 400) {
      throw Error(kind, status + ", a redirect, which is not followed: give the final address");
    }
    throw Error(kind, status);
  }

  std::string path_;
  const Context& context_;
  std::unique_ptr<HttpClient> client_;
};

}  // namespace

std::unique_ptr<CacheStore> http_store(const CachePlace& place, std::int64_t largest,
                                       const Context& context) {
  return std::make_unique<HttpStore>(place, largest, context);
}

}  // namespace dapple::app

// Implements contexts and the functions of the library itself.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "app/help/help.hpp"
#include "app/presets/settings.hpp"
#include "c/handles.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/version.hpp"

namespace dapple::c {
namespace {

static_assert(DAPPLE_USAGE == static_cast<int>(ErrorKind::usage) + 1);
static_assert(DAPPLE_INTERNAL == static_cast<int>(ErrorKind::internal) + 1);

constexpr const char* no_memory = "there is not enough memory for this";

// Blocks the signal for files above the size limit, which must become an error, not end the host.
class HeldSizeSignal {
 public:
  HeldSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~HeldSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) == 0) {
      const timespec at_once{};
      while (sigtimedwait(&signal_, nullptr, &at_once) > 0) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldSizeSignal(const HeldSizeSignal&) = delete;
  HeldSizeSignal& operator=(const HeldSizeSignal&) = delete;

 private:
  sigset_t signal_;
  sigset_t before_;
};

// Runs `work`, and reports progress between its steps. Hosts such as Python notice signals only
// while this thread calls them.
void run_and_report(dapple_context& context, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds between{40};
  Context& run = context.run;
  const std::thread::id caller = std::this_thread::get_id();
  std::array<char, 64> stage{};  // no allocation, since memory may be short
  double fraction = 0;
  Clock::time_point next = Clock::now() + between;
  run.on_progress = [&](std::string_view name, double now) {
    stage.fill('\0');
    name.copy(stage.data(), stage.size() - 1);
    fraction = now;
  };
  run.on_check = [&] {
    if (std::this_thread::get_id() != caller || Clock::now() < next || run.cancelled()) return;
    // A progress function may start a run of another context, which may continue this one.
    next = Clock::time_point::max();
    if (context.progress(context.progress_data, stage.data(), fraction) != 0) run.cancel();
    next = Clock::now() + between;
  };
  struct End {
    Context& run;
    ~End() {
      run.on_progress = nullptr;
      run.on_check = nullptr;
    }
  } const end{run};
  work();
}

dapple_status fail(dapple_context& context, ErrorKind kind, const std::string& text,
                   const std::string& option = {}) {
  context.text = text;
  context.option = option;
  context.message = context.text.c_str();
  return static_cast<dapple_status>(kind) + 1;
}

dapple_status caught(dapple_context& context) {
  try {
    throw;
  } catch (const Error& error) {
    return fail(context, error.kind(), error.what(), error.option());
  } catch (const std::bad_alloc&) {
    context.message = no_memory;
    return DAPPLE_LIMIT;
  } catch (const std::system_error& error) {  // a thread that cannot be started
    const bool limit = error.code() == std::errc::resource_unavailable_try_again;
    return fail(context, limit ? ErrorKind::limit : ErrorKind::internal, error.what());
  } catch (const std::exception& error) {
    return fail(context, ErrorKind::internal, error.what());
  } catch (...) {
    return fail(context, ErrorKind::internal, "an unknown exception was thrown");
  }
}

}  // namespace

dapple_status guarded(dapple_context* context, const std::function<void()>& work) noexcept {
  if (context == nullptr) return DAPPLE_USAGE;
  context->message = "";
  context->option.clear();
  try {
    work();
    return DAPPLE_OK;
  } catch (...) {
    try {
      return caught(*context);
    } catch (...) {  // no memory for the text
      context->message = no_memory;
      return DAPPLE_LIMIT;
    }
  }
}

dapple_status refused(dapple_context* context, const std::function<std::string()>& why) noexcept {
  if (context == nullptr) return DAPPLE_USAGE;
  try {
    return fail(*context, ErrorKind::usage, why());
  } catch (...) {
    context->message = no_memory;
    return DAPPLE_LIMIT;
  }
}

dapple_status watched(dapple_context* context, const std::function<void()>& work) noexcept {
  if (context != nullptr && context->is_running.exchange(true)) {
    context->message =
        "this context is running another call: wait for its end, or use a context of its own for "
        "each thread; a progress function cannot start work in the context that calls it";
    return DAPPLE_USAGE;
  }
  const HeldSizeSignal held;  // guarded() alone is for calls that write no files
  const dapple_status status = guarded(context, [&] {
    app::configure(context->run, context->asked);
    context->run.check();
    if (context->progress == nullptr) return work();
    run_and_report(*context, work);
  });
  if (context != nullptr) {
    context->run.reset();
    context->is_running = false;
  }
  return status;
}

void require(bool given, const char* what) {
  if (!given) throw Error(ErrorKind::usage, std::string(what) + " must not be null");
}

}  // namespace dapple::c

dapple_context::dapple_context() {
  describe_recipes(asked, options);
  describe_machine(asked, options);
}

extern "C" {

const char* dapple_version(void) {
  return DAPPLE_VERSION;
}

int32_t dapple_abi(void) {
  return DAPPLE_ABI;
}

const char* dapple_schema(void) {
  try {
    static const std::string text = dapple::app::schema_text();
    return text.c_str();
  } catch (...) {
    return nullptr;
  }
}

dapple_context* dapple_context_new(void) {
  try {
    return new dapple_context;
  } catch (...) {
    return nullptr;
  }
}

void dapple_context_free(dapple_context* context) {
  delete context;
}

dapple_status dapple_context_set(dapple_context* context, const char* name, const char* text) {
  using namespace dapple;
  return c::guarded(context, [&] {
    c::require(name != nullptr, "the name of the option");
    c::require(text != nullptr, "the value of the option");
    constexpr std::array<std::string_view, 6> of_runs{"seed",       "threads",      "max-pixels",
                                                      "max-memory", "allow-format", "sandbox"};
    if (std::find(of_runs.begin(), of_runs.end(), name) == of_runs.end()) {
      app::refuse_option(
          name, "a context",
          nearest_word(name, {std::vector<std::string>(of_runs.begin(), of_runs.end())}));
    }
    context->options.find(name)->set(text);
  });
}

void dapple_set_progress(dapple_context* context, dapple_progress function, void* data) {
  if (context == nullptr) return;
  context->progress = function;
  context->progress_data = data;
}

void dapple_cancel(dapple_context* context) {
  if (context != nullptr) context->run.cancel();
}

const char* dapple_error_message(const dapple_context* context) {
  return context == nullptr ? "the context must not be null" : context->message;
}

const char* dapple_error_option(const dapple_context* context) {
  return context == nullptr ? "" : context->option.c_str();
}

}  // extern "C"

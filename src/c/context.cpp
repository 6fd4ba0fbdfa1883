// Implements contexts and the functions of the library itself.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <new>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <unistd.h>
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

// Starts a thread that blocks all signals, since signals belong to threads of the host.
std::thread without_signals(const std::function<void()>& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::exception_ptr thrown;
  std::thread thread;
  try {
    thread = std::thread(work);
  } catch (...) {
    thrown = std::current_exception();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (thrown) std::rethrow_exception(thrown);
  return thread;
}

}  // namespace

// A thread that is reused, since starting a thread takes longer than a small job.
struct Worker {
  Worker() : thread(without_signals([this] { loop(); })) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex);
      ends = true;
    }
    changed.notify_all();
    thread.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void loop() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return ends || work != nullptr; });
      if (ends) return;
      lock.unlock();
      try {
        (*work)();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      work = nullptr;
      changed.notify_all();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  const std::function<void()>* work = nullptr;  // nullptr: done
  std::exception_ptr thrown;
  std::string stage;
  double fraction = 0;
  bool ends = false;
  const pid_t process = getpid();
  std::thread thread;  // last, since it uses all other members
};

void EndOfWorker::operator()(Worker* worker) const {
  // After a fork, the child process has none of the parent's threads.
  if (worker->process == getpid()) delete worker;
}

namespace {

Worker& worker_of(dapple_context& context) {
  if (context.worker == nullptr || context.worker->process != getpid()) {
    context.worker.reset(new Worker);
  }
  return *context.worker;
}

// Runs `work` in another thread and reports progress in this one. Hosts such as Python notice
// signals only while this thread calls them.
void run_beside(dapple_context& context, const std::function<void()>& work) {
  constexpr std::chrono::milliseconds between{40};
  Worker& worker = worker_of(context);
  context.run.on_progress = [&](std::string_view of, double now) {
    const std::lock_guard lock(worker.mutex);
    worker.stage = of;
    worker.fraction = now;
  };
  std::unique_lock lock(worker.mutex);
  worker.stage.clear();
  worker.fraction = 0;
  worker.work = &work;
  lock.unlock();  // so that the woken worker need not wait for the lock
  worker.changed.notify_all();
  lock.lock();
  while (!worker.changed.wait_for(lock, between, [&] { return worker.work == nullptr; })) {
    if (context.run.cancelled()) continue;  // the caller asked once to stop
    std::array<char, 64> told{};            // no allocation, since memory may be short
    worker.stage.copy(told.data(), told.size() - 1);
    const double now = worker.fraction;
    lock.unlock();
    if (context.progress(context.progress_data, told.data(), now) != 0) context.run.cancel();
    lock.lock();
  }
  lock.unlock();
  context.run.on_progress = nullptr;
  if (const auto thrown = std::exchange(worker.thrown, nullptr)) std::rethrow_exception(thrown);
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
    run_beside(*context, work);
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

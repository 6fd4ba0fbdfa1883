// Messages between this library and its decoding program: values as in memory, since both come from
// one build, and texts after their length. The library checks the program's answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/images/module.hpp"

namespace dapple::protocol {

// The kind of request, the first byte of a message.
enum class Ask : char { count, seek, memory, band };

// The limits of the decoding program for a file.
struct Task {
  std::int64_t memory = 0;   // bytes that decoding may take
  std::int64_t seconds = 0;  // of processor time
  bool common = true;        // false: the decoder may open files by name
  bool must = false;         // decode only with a filter of system calls
  EmbeddedProfile profile = EmbeddedProfile::convert;
};

// A decoder may take this many times its processor time on the clock. Few decoders use all their
// time, even on a machine with ten times as much work as processors.
inline constexpr double most_waiting = 5;

// Exit code of the program or a child that ran out of memory.
inline constexpr int no_memory_code = 5;

class Writer {
 public:
  template <class T>
  Writer& put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Writer& put(const std::string& text) {
    put(text.size());
    bytes += text;
    return *this;
  }
  std::string bytes;
};

// Reads values. Throws std::runtime_error if the message is too short.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  // Reads an enumerator from 0 to `last`.
  template <class E>
  E choice(E last) {
    const auto value = get<std::underlying_type_t<E>>();
    if (value < 0 || value > static_cast<std::underlying_type_t<E>>(last)) {
      throw std::runtime_error("a message makes no sense");
    }
    return static_cast<E>(value);
  }
  std::string text() { return std::string(take(get<std::size_t>())); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("a message is cut");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::string_view bytes_;
};

void put(Writer& to, const ModuleError& error);
void put(Writer& to, const ImageHeader& header);
ModuleError get_error(Reader& from);
ImageHeader get_header(Reader& from);

// The two connected ends of a channel; both are -1 if it could not be created.
struct Channel {
  Channel();
  int mine = -1;
  int theirs = -1;
};

// Sends a message of any length and open files. Returns false if the other end has gone.
bool send(int socket, const std::string& message, const std::vector<int>& files = {});

enum class Arrival { message, silence, end };
// Receives regularly the seconds without a message so far; returns false to stop waiting.
using Patience = std::function<bool(double seconds)>;
// Receives the next message and its open files; if `files` is null, they are closed. Waits without
// limit, or while `patience` allows. Also returns `end` for an invalid message.
Arrival receive(int socket, std::string& message, std::vector<int>* files,
                const Patience& patience = {});

}  // namespace dapple::protocol

// Messages between this library and the program that decodes for it: values as they lie in memory,
// since both are of one build; texts after their length. What comes back from there is checked.
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

namespace dapple::wire {

// What is asked for, the first byte of a message.
enum class Ask : char { count, seek, memory, band };

// What the decoding program is told with the file.
struct Task {
  std::int64_t memory = 0;   // bytes that decoding may take
  std::int64_t seconds = 0;  // of processor
  bool common = true;        // else the decoder may open files by name
  bool must = false;         // no decoding without a filter of system calls
};

// So many times the seconds of processor may pass by the clock while one waits for a decoder: on a
// machine with ten times as much to do as it has processors, few take as much as they may.
inline constexpr double most_waiting = 5;

// How the program or a child ends where memory does.
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

// Throws std::runtime_error where there is less than is asked for.
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
  // One of the enumerators from 0 to `last`.
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

// A pair of connected ends of a channel; -1 where there is none.
struct Channel {
  Channel();
  int mine = -1;
  int theirs = -1;
};

// A message of any length, with open files; false where the other end is gone.
bool send(int socket, const std::string& message, const std::vector<int>& files = {});

enum class Arrival { message, silence, end };
// Told every so often how many seconds went by without a word; false: enough.
using Patience = std::function<bool(double seconds)>;
// The next message, with its open files where there is a place for them: others are closed. Waits
// for ever, or as long as the patience lasts; `end` also for what is no message of ours.
Arrival receive(int socket, std::string& message, std::vector<int>* files,
                const Patience& patience = {});

}  // namespace dapple::wire

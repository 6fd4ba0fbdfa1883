// Sends packets over a local socket. A byte before each packet tells if it is the last of its
// message.
#include "io/images/sandbox/decoder_protocol.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace dapple::protocol {
namespace {

constexpr std::size_t packet = 60000;
constexpr std::size_t longest = 64 << 20;
constexpr std::size_t most_files = 2;

// Waits for a message or the end of the channel. Returns false if `patience` ends first.
bool wait_for_word(int socket, const Patience& patience) {
  using Clock = std::chrono::steady_clock;
  constexpr double slice = 0.005;
  constexpr double longest_wait = 0.1;  // s; after a longer one, this process was stopped too
  for (;;) {
    pollfd end{socket, POLLIN, 0};
    const auto start = Clock::now();
    const int ready = ::poll(&end, 1, static_cast<int>(1000 * slice));
    // out of reach: a signal in the moment of the call
    const bool failed = ready < 0 && errno != EINTR;  // receiving then fails and reports it
    const std::chrono::duration<double> passed = Clock::now() - start;
    const bool goes_on = patience(std::min(passed.count(), longest_wait));
    if (ready > 0 || failed) return true;
    if (!goes_on) return false;
  }
}

}  // namespace

void put(Writer& to, const ModuleError& error) {
  to.put(error.kind).put(error.text).put(error.code);
}

ModuleError get_error(Reader& from) {
  ModuleError error;
  error.kind = from.choice(ErrorKind::internal);
  error.text = from.text();
  error.code = from.get<int>();
  // The other side cannot know that the user cancelled the work.
  if (error.kind == ErrorKind::cancelled) {
    throw std::runtime_error("a message makes no sense");
  }
  return error;
}

void put(Writer& to, const ImageHeader& h) {
  to.put(h.width).put(h.height).put(h.channels).put(h.stored_bytes).put(h.working_bytes);
  to.put(h.format).put(h.stored_width).put(h.stored_height).put(h.left).put(h.top).put(h.band);
  to.put(h.values).put(h.type).put(h.encoding).put(h.premultiplied).put(h.orientation);
  to.put(h.names.size());
  for (const std::string& name : h.names) to.put(name);
  to.put(h.note).put(h.unconfined).put(h.dots_per_inch);
  to.put(h.metadata.size());
  for (const auto& [key, text] : h.metadata) to.put(key).put(text);
}

ImageHeader get_header(Reader& from) {
  ImageHeader h;
  for (int* number : {&h.width, &h.height, &h.channels}) *number = from.get<int>();
  for (double* number : {&h.stored_bytes, &h.working_bytes}) *number = from.get<double>();
  h.format = from.text();
  for (int* number : {&h.stored_width, &h.stored_height, &h.left, &h.top, &h.band}) {
    *number = from.get<int>();
  }
  h.values = from.choice(PixelType::f32);
  h.type = from.choice(PixelType::f32);
  h.encoding = from.choice(Encoding::data);
  h.premultiplied = from.get<char>() != 0;
  h.orientation = from.get<int>();
  for (auto count = from.get<std::size_t>(); count > 0; --count) h.names.push_back(from.text());
  h.note = from.text();
  h.unconfined = from.text();
  h.dots_per_inch = from.get<double>();
  for (auto count = from.get<std::size_t>(); count > 0; --count) {
    std::string key = from.text();
    h.metadata.emplace_back(std::move(key), from.text());
  }
  return h;
}

Channel::Channel() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  mine = ends[0];
  theirs = ends[1];
}

bool send(int socket, const std::string& message, const std::vector<int>& files) {
  for (std::size_t at = 0; at == 0 || at < message.size(); at += packet) {
    const std::size_t count = std::min(packet, message.size() - at);
    char last = at + count == message.size();
    std::array<iovec, 2> parts{{{&last, 1}, {const_cast<char*>(message.data()) + at, count}}};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts.size();
    alignas(cmsghdr) std::array<char, CMSG_SPACE(most_files * sizeof(int))> room{};
    if (at == 0 && !files.empty()) {
      header.msg_control = room.data();
      header.msg_controllen = CMSG_SPACE(files.size() * sizeof(int));
      cmsghdr* control = CMSG_FIRSTHDR(&header);
      control->cmsg_level = SOL_SOCKET;
      control->cmsg_type = SCM_RIGHTS;
      control->cmsg_len = CMSG_LEN(files.size() * sizeof(int));
      std::memcpy(CMSG_DATA(control), files.data(), files.size() * sizeof(int));
    }
    ssize_t sent = -1;
    do {
      sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
      // out of reach: a signal in the moment of the call
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return false;
  }
  return true;
}

Arrival receive(int socket, std::string& message, std::vector<int>* files,
                const Patience& patience) {
  message.clear();
  std::vector<char> buffer(packet);
  for (char last = 0; last == 0;) {
    if (patience && !wait_for_word(socket, patience)) return Arrival::silence;
    std::array<iovec, 2> parts{{{&last, 1}, {buffer.data(), buffer.size()}}};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(most_files * sizeof(int))> room{};
    msghdr header{};
    header.msg_iov = parts.data();
    header.msg_iovlen = parts.size();
    if (files != nullptr) {
      header.msg_control = room.data();
      header.msg_controllen = room.size();
    }
    const ssize_t n = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    // ECONNRESET: the other end left a message unread; its earlier messages can still be received.
    // out of reach: a signal in the moment of the call, or an end that closes in it
    if (n < 0 && (errno == EINTR || errno == ECONNRESET || errno == EAGAIN)) continue;
    if (n <= 0 || message.size() > longest) return Arrival::end;
    for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
      // out of reach: the kernel passes nothing else through these sockets
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
      std::vector<int> more((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(more.data(), CMSG_DATA(c), more.size() * sizeof(int));
      files->insert(files->end(), more.begin(), more.end());
    }
    const std::size_t count = static_cast<std::size_t>(n) - 1;
    // All packets except the last are full, so no message is endless.
    if (last == 0 && count < packet) return Arrival::end;
    message.append(buffer.data(), count);
  }
  return Arrival::message;
}

}  // namespace dapple::protocol

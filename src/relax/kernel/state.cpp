#include "relax/kernel/state.hpp"

#include <bit>
#include <cstring>

#include "dapple/error.hpp"

namespace dapple {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "dapple kernel 1\n";

template <class Value>
void put(std::string& bytes, const Value* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(Value));
}

template <class Value>
void take(std::string_view& bytes, Value* values, std::size_t count) {
  std::memcpy(values, bytes.data(), count * sizeof(Value));
  bytes.remove_prefix(count * sizeof(Value));
}

}  // namespace

std::string encode(const KernelState& state) {
  std::string bytes(magic);
  bytes.reserve(magic.size() + 4 + 4 * (2 * state.x.size() + state.lanes.size()));
  put(bytes, &state.step, 1);
  put(bytes, state.x.data(), state.x.size());
  put(bytes, state.y.data(), state.y.size());
  put(bytes, state.lanes.data(), state.lanes.size());
  return bytes;
}

KernelState decode_kernel_state(std::string_view bytes, std::size_t places) {
  if (!bytes.starts_with(magic) || bytes.size() != magic.size() + 4 + 20 * places) {
    throw Error(ErrorKind::input, "the checkpoint does not match these dots");
  }
  bytes.remove_prefix(magic.size());
  KernelState state;
  state.x.resize(places);
  state.y.resize(places);
  state.lanes.resize(3 * places);
  take(bytes, &state.step, 1);
  take(bytes, state.x.data(), places);
  take(bytes, state.y.data(), places);
  take(bytes, state.lanes.data(), 3 * places);
  return state;
}

}  // namespace dapple

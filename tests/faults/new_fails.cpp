// Replaces the program's operator new by one that fails: DAPPLE_FAIL_NEW=1234 makes the 1234th
// allocation fail, "1234 on" that and all after it. DAPPLE_FAULT_CALLS names a file that counts
// them.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "faults/shim.hpp"

namespace {

struct Fault {
  long place = 0;
  bool lasts = false;
  std::atomic<long>* count = nullptr;
};

Fault read_fault() {
  Fault fault;
  fault.count = dapple::faults::shared_counts();
  if (const char* text = std::getenv("DAPPLE_FAIL_NEW")) {
    char* end = nullptr;
    fault.place = std::strtol(text, &end, 10);
    fault.lasts = *end != '\0';
  }
  return fault;
}

bool fails() {
  static const Fault fault = read_fault();
  const long place = ++*fault.count;
  return fault.place > 0 && (fault.lasts ? place >= fault.place : place == fault.place);
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (fails()) return nullptr;
  if (size == 0) size = 1;
  if (alignment == 0) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* place = allocate(size, alignment);
  if (place != nullptr) return place;
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate_or_throw(size, 0);
}
void* operator new[](std::size_t size) {
  return allocate_or_throw(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 0);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete[](void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}
void operator delete[](void* place, std::size_t) noexcept {
  std::free(place);
}
void operator delete(void* place, std::align_val_t) noexcept {
  std::free(place);
}
void operator delete[](void* place, std::align_val_t) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t, std::align_val_t) noexcept {
  std::free(place);
}
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept {
  std::free(place);
}

// Provides compressors of libdeflate.
#pragma once

#include <array>
#include <libdeflate.h>
#include <memory>
#include <new>

namespace dapple {

// Returns the compressor that this thread keeps for `level`, 0 to 12. Making one takes longer than
// packing a small file.
inline libdeflate_compressor& compressor_of(int level) {
  struct Free {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  };
  thread_local std::array<std::unique_ptr<libdeflate_compressor, Free>, 13> compressors;
  auto& compressor = compressors.at(static_cast<std::size_t>(level));
  if (compressor == nullptr) compressor.reset(libdeflate_alloc_compressor(level));
  // out of reach: libdeflate gets no memory
  if (compressor == nullptr) throw std::bad_alloc();
  return *compressor;
}

}  // namespace dapple

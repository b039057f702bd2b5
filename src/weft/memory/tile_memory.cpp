// memory/tile_memory: allocation, thread by thread.

#include "weft/memory/tile_memory.hpp"

#include <omp.h>

#include <exception>

namespace weft {

std::vector<TileMemory> tile_memory(int threads, std::int64_t real_bytes,
                                    std::int64_t spectral_bytes) {
  std::vector<TileMemory> all(static_cast<std::size_t>(threads));
  const auto make = [&](TileMemory& memory) {
    memory = {Buffer(real_bytes), Buffer(spectral_bytes)};
  };
  std::exception_ptr failure;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
    try {
      make(all[static_cast<std::size_t>(omp_get_thread_num())]);
    } catch (...) {
#pragma omp critical(weft_tile_memory)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  // A program that is itself in parallel may have got fewer threads.
  for (TileMemory& memory : all)
    if (memory.bytes() < real_bytes + spectral_bytes) make(memory);
  return all;
}

}  // namespace weft

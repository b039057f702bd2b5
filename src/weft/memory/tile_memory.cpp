// memory/tile_memory: each thread allocates its own memory.

#include "weft/memory/tile_memory.hpp"

#include <omp.h>

#include <exception>

namespace weft {

TileMemory::TileMemory(std::int64_t group_bytes, std::int64_t tile_bytes)
    : tile_offset_((group_bytes + 63) / 64 * 64), memory_(tile_offset_ + tile_bytes) {}

std::vector<TileMemory> tile_memory(int threads, std::int64_t group_bytes,
                                    std::int64_t tile_bytes) {
  std::vector<TileMemory> all(static_cast<std::size_t>(threads));
  const auto make = [&](TileMemory& memory) { memory = TileMemory(group_bytes, tile_bytes); };
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
  // Inside a parallel region of the application, OpenMP may have started fewer threads.
  for (TileMemory& memory : all)
    if (memory.bytes() < group_bytes + tile_bytes) make(memory);
  return all;
}

}  // namespace weft

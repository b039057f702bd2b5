// base/pages: the sizes of pages of memory, on x86-64 and on most other Linux machines.
#pragma once

#include <cstdint>

namespace weft {

constexpr std::int64_t page_bytes = 4096;
constexpr std::int64_t huge_page_bytes = std::int64_t{1} << 21;

}  // namespace weft

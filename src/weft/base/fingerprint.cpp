// base/fingerprint: FNV-1a.

#include "weft/base/fingerprint.hpp"

namespace weft {

namespace {

__extension__ typedef unsigned __int128 Wide;

constexpr Wide wide(std::uint64_t high, std::uint64_t low) { return Wide{high} << 64 | low; }
constexpr Wide start = wide(0x6c62272e07bb0142, 0x62b821756295c58d);
constexpr Wide prime = wide(1 << 24, 0x13b);

}  // namespace

Fingerprint fingerprint(std::string_view text) noexcept {
  Wide hash = start;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * prime;
  return {static_cast<std::int64_t>(hash >> 64), static_cast<std::int64_t>(hash),
          static_cast<std::int64_t>(text.size())};
}

}  // namespace weft

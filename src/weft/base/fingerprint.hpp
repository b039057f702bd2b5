// base/fingerprint: a few numbers that tell texts apart.
// Pure: the same in every process.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace weft {

/// The 128 bits of the hash FNV-1a, and the length of the text.
using Fingerprint = std::array<std::int64_t, 3>;

/// Texts that differ have different fingerprints: always, if they differ in their lengths or in one
/// letter only, as each step of the hash is a bijection; else but for one pair of texts in 2^128.
/// Somebody could construct such a pair, but all texts that are compared are those of one user.
/// Allocates nothing.
/// Source: Fowler, Noll, Vo, Eastlake, The FNV Non-Cryptographic Hash Algorithm
/// (draft-eastlake-fnv).
Fingerprint fingerprint(std::string_view text) noexcept;

}  // namespace weft

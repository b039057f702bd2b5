// files/codec: compressed chunks, which weft reads and does not write.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace weft {

/// How the bytes of a chunk are compressed.
enum class Codec { none, gzip, zstd };

/// Fills `bytes` with what is compressed in the file at `path`. Error::io, naming it, if it holds
/// anything else; Error::unsupported if the library, zlib or zstd, is not installed.
void read_compressed(const std::string& path, Codec codec, std::span<std::byte> bytes);

}  // namespace weft

// files/codec: zlib and zstd, which every Linux has, are loaded where a file needs them.

#include "weft/files/codec.hpp"

#include <algorithm>
#include <cstdint>

#include "weft/base/ensure.hpp"
#include "weft/base/text_file.hpp"
#include "weft/files/loaded_library.hpp"

namespace weft {

namespace {

const LoadedLibrary& required(const LoadedLibrary& library, const char* name) {
  if (!library.is_there())
    throw Error(Error::unsupported,
                fmt::format("chunks are compressed, and the library {} is not installed", name),
                "write the array without compression: zarr.create_array(..., compressors=None)");
  return library;
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(Error::io, fmt::format("cannot read '{}': {}", path, why),
              "the chunk is damaged: write the array again");
}

// gzread() reads at most as many bytes as an int counts.
void read_gzip(const std::string& path, std::span<std::byte> bytes) {
  static const LoadedLibrary zlib("libz.so.1");
  void* (*open)(const char*, const char*) = nullptr;
  int (*read)(void*, void*, unsigned) = nullptr;
  int (*close)(void*) = nullptr, (*is_plain)(void*) = nullptr;
  required(zlib, "zlib").find(open, "gzopen");
  zlib.find(read, "gzread");
  zlib.find(close, "gzclose");
  zlib.find(is_plain, "gzdirect");
  void* const file = open(path.c_str(), "rb");
  if (file == nullptr) refuse(path, "it cannot be opened");
  std::size_t done = 0;
  for (int got = 1; got > 0 && done < bytes.size();) {
    const std::size_t most = std::size_t{1} << 30;
    got =
        read(file, bytes.data() + done, static_cast<unsigned>(std::min(most, bytes.size() - done)));
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  std::byte more{};
  const bool is_longer = done == bytes.size() && read(file, &more, 1) != 0;
  const bool is_gzip = is_plain(file) == 0;
  if (close(file) != 0 || !is_gzip) refuse(path, "it is no gzip, or ends early");
  if (done < bytes.size() || is_longer)
    refuse(path, fmt::format("zlib finds {} bytes of a chunk of {}",
                             is_longer ? "more" : fmt::format("{}", done), bytes.size()));
}

void read_zstd(const std::string& path, std::span<std::byte> bytes) {
  static const LoadedLibrary zstd("libzstd.so.1");
  std::size_t (*decompress)(void*, std::size_t, const void*, std::size_t) = nullptr;
  unsigned (*is_error)(std::size_t) = nullptr;
  const char* (*error_name)(std::size_t) = nullptr;
  required(zstd, "zstd").find(decompress, "ZSTD_decompress");
  zstd.find(is_error, "ZSTD_isError");
  zstd.find(error_name, "ZSTD_getErrorName");
  // What cannot be compressed becomes a little longer.
  const auto most = static_cast<std::int64_t>(bytes.size() + bytes.size() / 128 + 4096);
  const std::string packed =
      read_text_file(path, most, "the chunk is damaged: write the array again");
  const std::size_t done = decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (is_error(done) != 0) refuse(path, fmt::format("zstd says: {}", error_name(done)));
  if (done != bytes.size())
    refuse(path, fmt::format("zstd finds {} bytes of a chunk of {}", done, bytes.size()));
}

}  // namespace

void read_compressed(const std::string& path, Codec codec, std::span<std::byte> bytes) {
  return codec == Codec::gzip ? read_gzip(path, bytes) : read_zstd(path, bytes);
}

}  // namespace weft

// base/text_file: reads the small files that users write, or programs for them.
// Keeps: never waits for a writer, and never reads more than was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weft {

/// Tells a file from what it was before, and from others.
struct FileStamp {
  std::uint64_t device = 0, number = 0;
  std::int64_t bytes = 0, modified_ns = 0, changed_ns = 0;  ///< changed: also its name or mode

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// The stamp of the file at `path`; nothing if there is none.
std::optional<FileStamp> stamp_of(const std::string& path);

/// The most bytes of files that describe things, as machines and wisdom; and of those with a line
/// for each of many nodes.
constexpr std::int64_t most_bytes_of_descriptions = std::int64_t{64} << 20,
                       most_bytes_of_lists = std::int64_t{1} << 30;

/// The text of the whole file at `path`; nothing if there is none. Error::io with the hint for a
/// folder, pipe or device, for a file of more than `most_bytes`, and for one that cannot be read.
std::optional<std::string> find_text_file(const std::string& path, std::int64_t most_bytes,
                                          const std::string& hint);

/// The text of a file that has to be there. Error::io also if it is not.
std::string read_text_file(const std::string& path, std::int64_t most_bytes,
                           const std::string& hint);

}  // namespace weft

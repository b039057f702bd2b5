// files/zarr_metadata: zarr.json of an array of zarr 3, as a value.
// Source: zarr-specs.readthedocs.io, "Zarr core specification (version 3)".
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "weft/files/array_header.hpp"
#include "weft/files/codec.hpp"

namespace weft {

/// An array of zarr's.
struct ZarrArray {
  ArrayHeader header;  ///< with the shape of chunks
  Codec codec = Codec::none;
  std::string key_start = "c";  ///< what the names of chunks begin with; empty of "v2"
  char separator = '.';         ///< between the numbers in the name of a chunk
  std::array<std::byte, 16> missing_value{};  ///< an element of a chunk that is not there

  /// The name of the chunk with these numbers: "c.0.1.4".
  std::string chunk_name(const Dims& numbers) const;

  friend bool operator==(const ZarrArray&, const ZarrArray&) = default;
};

/// Reads zarr.json. Error::io, naming `name`, if the array is of other elements or codecs than weft
/// reads, if it is a group, or damaged.
ZarrArray parse_zarr(const std::string& text, const std::string& name);

/// Writes zarr.json of an array without compression; and that of a group.
std::string print_zarr(const ZarrArray& array);
std::string print_zarr_group();

/// What zarr.json says the folder is: "array" or "group"; empty if it says neither.
std::string zarr_node_type(const std::string& text);

}  // namespace weft

// files/zarr: arrays in folders of zarr 3, a file for each chunk.
// Keeps: every chunk is written by one rank; a new array is complete before it has its name, and
// never takes the place of anything but an array.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/files/array_path.hpp"
#include "weft/files/box_memory.hpp"

namespace weft {

/// What the array is. Error::io as of parse_zarr, and if there is none. Not collective.
ArrayHeader zarr_header(const ArrayPath& path);

/// Reads each rank's boxes, chunk by chunk: those that are not compressed in parts, the others as a
/// whole. Chunks that are not there have the fill value. Collective.
void read_zarr(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
               const BoxMemory& boxes);

/// Writes the boxes of all ranks, in chunks of the shape header.chunks, or of about those boxes, of
/// at most 256 MiB. Groups that the path names and that are not there are made. Collective.
void write_zarr(const Communicator& comm, const ArrayPath& path, ArrayHeader header,
                const BoxMemory& boxes);

/// Error::io if nothing can be written there, or if what is there is no array. Not collective.
void require_writable_zarr(const ArrayPath& path);

}  // namespace weft

// files/array_file: arrays in files of every format, which all ranks read and write together.
// Keeps: an array that cannot be written completely leaves what was there as it was.
#pragma once

#include "weft/comm/communicator.hpp"
#include "weft/files/array_path.hpp"
#include "weft/files/box_memory.hpp"

namespace weft {

/// What the array is. Error::io if it is not there, damaged, or of elements that weft does not
/// take; Error::unsupported for HDF5 without its library. Not collective.
ArrayHeader read_header(const ArrayPath& path);

/// The same on all ranks, each of which reads it, as a path may lead to another file on another
/// node. Collective: Error::mismatch if ranks find different arrays.
ArrayHeader agreed_header(const Communicator& comm, const ArrayPath& path);

/// Reads each rank's boxes, which may overlap those of others. Elements are then in the order of
/// bytes of this machine. Collective; Error::io also if the array is no longer that of `header`.
void read_array(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
                const BoxMemory& boxes);

/// Writes the boxes of all ranks, which tile the array, little endian; of the formats only .npy has
/// arrays in Fortran order, and only zarr chunks. For zarr, the array is first moved to ranks that
/// have whole chunks, which takes memory for it once more. HDF5 keeps other datasets of the file,
/// and the description for ParaView is written beside it. Collective. Error::io or Error::system,
/// with the bytes wanted, the same on all ranks.
void write_array(const Communicator& comm, const ArrayPath& path, const ArrayHeader& header,
                 const BoxMemory& boxes);

/// Error::io if nothing can be written there; called before long work. Not collective.
void require_writable(const ArrayPath& path);

/// Every name of files that weft reads and writes, for help and errors.
constexpr const char* array_path_forms =
    "FILE.npy, FILE.h5:/DATASET (HDF5), or FOLDER.zarr:/ARRAY (zarr 3)";

}  // namespace weft

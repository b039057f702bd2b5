// files/hdf5: arrays in HDF5 files, which are datasets of numbers.
// Keeps: HDF5's library only tells and makes metadata, on one rank, and reads chunks; the bytes of
// a dataset whose elements follow each other are moved as those of .npy files.
#pragma once

#include <string>
#include <vector>

#include "weft/comm/communicator.hpp"
#include "weft/files/array_path.hpp"
#include "weft/files/box_memory.hpp"

namespace weft {

/// What a dataset is: float32 or float64, or complex numbers of two of them, as h5py has them; the
/// only one of the file, if the path names none. Error::io if it is something else, or not there,
/// and if a path without a name leads to several. Errors as of hdf5_library(). Not collective.
ArrayHeader hdf5_header(const ArrayPath& path);

/// The names of all datasets of a file, "velocity/u". Error::io if it cannot be read.
std::vector<std::string> hdf5_datasets(const std::string& file);

/// Whether the file has nothing but the dataset of the path, and the groups that lead to it: no
/// other links, no attributes of groups, and no user block. Error::io if it cannot be read.
bool hdf5_has_only(const ArrayPath& path);

/// Reads this rank's boxes of a dataset of chunks, or of none yet, through HDF5's library. Not
/// collective. Errors as of hdf5_header.
void read_hdf5_chunks(const ArrayPath& path, const ArrayHeader& header, const BoxMemory& boxes);

/// Makes a dataset, and its groups, in the file at `temporary`, where there is an empty file, or a
/// copy of an older one, in which it takes the place of a dataset of its name. Returns the byte at
/// which its elements begin. Error::io.
std::int64_t make_hdf5_dataset(const std::string& temporary, bool is_copy, const ArrayPath& path,
                               const ArrayHeader& header);

}  // namespace weft

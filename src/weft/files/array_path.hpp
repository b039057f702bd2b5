// files/array_path: the name of an array in a file, "field.npy", "field.h5:/velocity/u" or
// "fields.zarr:/u".
#pragma once

#include <string>

namespace weft {

/// The formats of files.
enum class FileFormat { npy, hdf5, zarr };

/// Which array of which file.
struct ArrayPath {
  FileFormat format = FileFormat::npy;
  std::string file;   ///< the path of the file, or of the folder of zarr
  std::string inner;  ///< "velocity/u": the array in it; empty if none was named

  /// Reads it from a text: a name ending in .h5 or .hdf5, or in .zarr, also before ":/" and the
  /// name of an array, is one of HDF5, or of zarr; any other is an .npy file.
  static ArrayPath of(const std::string& text);
  /// "field.h5:/velocity/u"
  std::string text() const;
};

}  // namespace weft

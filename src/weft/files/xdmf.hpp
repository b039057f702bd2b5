// files/xdmf: a description of arrays in an HDF5 file that ParaView and VisIt open.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/files/array_header.hpp"

namespace weft {

/// The text of an XDMF file (version 2.2, which their readers share) for arrays of 2 and 3 axes in
/// the HDF5 file called `file`, which is beside it: uniform grids of the spacing 1, one for each
/// shape. Complex numbers, which XDMF does not know, are read from the file's bytes as vectors of
/// the real and the imaginary part; those that do not follow each other are left out. Empty if no
/// array is left.
/// Source: www.xdmf.org, "XDMF Model and Format".
std::string xdmf_text(const std::string& file,
                      const std::vector<std::pair<std::string, ArrayHeader>>& arrays);

/// Whether the file begins as those texts do: other programs have files of this name, too.
bool is_xdmf_of_weft(const std::string& path);

}  // namespace weft

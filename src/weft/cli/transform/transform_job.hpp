// cli/transform/transform_job: converts a request to `weft transform` into a problem of the
// library. Pure: no MPI, no files.
#pragma once

#include <optional>
#include <string>

#include "weft/files/array_header.hpp"
#include "weft/problem/validated.hpp"

namespace weft::cli {

/// The values of the command line.
struct TransformRequest {
  std::string kind;  ///< empty: r2c for a real array, c2c for a complex one
  bool inverse = false;
  std::string norm = "backward";
  std::string axes;  ///< "0,1,2"; empty: all
  std::optional<std::int64_t> last_size;
  std::string modes;   ///< "43,43,43" or "43x43x43": coefficients to keep; empty: all
  std::string points;  ///< of the way back: the grid in real space; empty: no larger than the modes
};

/// The problem, with the axes of the file in C order, and the header of the output.
struct TransformJob {
  Problem problem;
  bool backward = false;  ///< run the plan backward: the inverse of c2c and r2r
  ArrayHeader output;
};

/// Error::invalid or Error::unsupported, in terms of the user's options; `path` is that of the
/// input.
TransformJob transform_job(const TransformRequest& request, const ArrayHeader& input,
                           const std::string& path);

}  // namespace weft::cli

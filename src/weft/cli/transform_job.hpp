// cli/transform_job: what `weft transform` is asked to do with an array, as a problem of the
// library. Pure: no MPI, no files.
#pragma once

#include <optional>
#include <string>

#include "weft/cli/npy.hpp"
#include "weft/model/problem.hpp"

namespace weft::cli {

/// What stands on the command line.
struct TransformRequest {
  std::string kind;  ///< empty: r2c for a real array, c2c for a complex one
  bool inverse = false;
  std::string norm = "backward";
  std::string axes;  ///< "0,1,2"; empty: all
  std::optional<std::int64_t> last_size;
};

/// The problem, on the axes of the file in C order, and the array that comes out.
struct TransformJob {
  Problem problem;
  bool backward = false;  ///< the plan's way back: the inverse of c2c
  NpyHeader output;
};

/// Error::invalid or Error::unsupported, in the user's words and numbers; `path` is the input's.
TransformJob transform_job(const TransformRequest& request, const NpyHeader& input,
                           const std::string& path);

}  // namespace weft::cli

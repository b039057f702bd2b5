// cli/transform/transform_run: `weft transform` - reads an array and writes its transform.
// Keeps: each rank reads and writes only its own part of the files.
#pragma once

#include <string>

#include "weft/cli/command.hpp"
#include "weft/cli/given.hpp"
#include "weft/cli/transform/transform_job.hpp"

namespace weft::cli {

/// The values of the command line.
struct TransformArguments {
  std::string input, output;
  TransformRequest request;
  Given given;
  bool verifies = false;
};

/// Reads the input, transforms it, and writes the output if all is well. Collective; the same error
/// on all ranks.
void run_transform(const TransformArguments& arguments, const Surroundings& here);

}  // namespace weft::cli

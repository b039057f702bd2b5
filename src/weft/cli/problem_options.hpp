// cli/problem_options: the command-line options that say what is computed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/problem.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The values of these options.
struct ProblemArguments {
  std::vector<std::string> extents;
  std::string modes, support, pad, cutoff;
  std::string kind = "c2c", precision = "double", input = "free", output = "free";
  bool in_place = false;
  std::int64_t batch = 1;
};

/// Adds EXTENTS, of one or several problems, to `app`.
void add_extents(CLI::App& app, ProblemArguments& arguments);

/// Adds the other options to `app`.
void add_problem_options(CLI::App& app, ProblemArguments& arguments);

/// A problem for each of the extents; distributions in pencils and bricks have the process grid
/// `grid`. Error::invalid if a value cannot be parsed, or if there cannot be such a problem.
std::vector<Problem> problems_of(const ProblemArguments& arguments, const Dims& grid);

}  // namespace weft::cli

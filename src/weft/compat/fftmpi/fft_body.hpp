// compat/fftmpi/fft_body: what a transform of fftMPI's is over weft.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "weft/any_plan.hpp"
#include "weft/compat/fftmpi/lines.hpp"

namespace FFTMPI_NS {

/// Where the data lie at one time: this rank's brick, in which order of memory, and the process
/// grid that is told of it.
struct Place {
  weft::Box brick;
  int permute = 0;
  weft::Dims parts;
};

/// The plans of a transform. Those of the only_ functions are made when they are first called.
struct WeftFftBody {
  MPI_Comm comm;
  int axes;
  weft::Precision precision;
  bool is_set_up = false, has_memory = false;

  weft::Problem problem = {};   ///< that of the transform
  weft::Box in = {}, out = {};  ///< this rank's bricks
  int permute = 0;
  std::shared_ptr<weft::AnyPlan> plan = {}, movement = {};
  std::string engine = {};
  /// From the input, where lines of the fastest axis are transformed and so on, to the output.
  std::vector<Place> places = {};
  std::vector<std::shared_ptr<weft::AnyPlan>> moves = {};  ///< from each place to the next one
  std::unique_ptr<weft::bricks::Lines> lines = {};

  /// Plans a transform of what the members above say; collective, errors as of AnyPlan.
  void plan_with(const weft::Options& options);
  /// Numbers of points that an array has room for at every place.
  std::int64_t most_points() const;
  /// Both ways: `flag` is 1 or -1.
  void transform(void* from, void* to, int flag, bool is_scaled);
  void transform_lines(void* array, int flag);
  void move(void* from, void* to, int flag);
  void move_once(void* from, void* to, int flag, int which);
};

}  // namespace FFTMPI_NS

// cli/transform/transform_job: converts axes, sizes and kinds from NumPy's conventions.

#include "weft/cli/transform/transform_job.hpp"

#include <algorithm>

#include "weft/faces/kinds.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft::cli {

namespace {

std::string word_of(const TransformRequest& request, const ArrayHeader& input) {
  if (!request.kind.empty()) return request.kind;
  return input.scalar.is_complex ? "c2c" : "r2c";
}

// The word of `--kind` for the same bases with another kind.
std::string word_with(const char* kind, const std::string& word) {
  const std::string bases = parse_kind_word(word).bases;
  return bases.empty() ? kind : fmt::format("{}:{}", kind, bases);
}

void check_scalar(Kind kind, const TransformRequest& request, const ArrayHeader& input,
                  const std::string& path) {
  const bool takes_complex = kind == Kind::c2c || kind == Kind::c2r;
  if (takes_complex == input.scalar.is_complex) return;
  const std::string word = word_of(request, input);
  const bool is_inverse_of_r2c = kind == Kind::c2r && parse_kind_word(word).kind != "c2r";
  const std::string name = is_inverse_of_r2c ? "the inverse of r2c" : to_string(kind);
  throw Error(Error::invalid,
              fmt::format("'{}' has dtype {}, but {} takes {}", path, input.scalar.name(), name,
                          takes_complex ? "complex64 or complex128" : "float32 or float64"),
              takes_complex
                  ? fmt::format("convert it with x.astype('complex128'), or use --kind {} without "
                                "--inverse",
                                word_with("r2c", word))
                  : fmt::format("use --kind {} for complex values", word_with("c2c", word)));
}

// The number of points of the real field along the axis that r2c has halved.
std::int64_t whole_size(const TransformRequest& request, const Extents& shape, int axis) {
  const std::int64_t m = shape[axis];
  if (!request.last_size) {
    if (m > 1) return 2 * (m - 1);
    throw Error(Error::invalid,
                fmt::format("c2r of {} has no default size along axis {}: 2 * (1 - 1) is 0",
                            to_string(shape), axis),
                "give --last-size 1");
  }
  const std::int64_t n = *request.last_size;
  if (n >= 1 && n / 2 + 1 == m) return n;
  throw Error(Error::invalid,
              fmt::format("c2r to {} points takes {} along axis {}, but {} has {}", n,
                          n < 1 ? 0 : n / 2 + 1, axis, to_string(shape), m),
              m == 1 ? "give --last-size 1"
                     : fmt::format("give --last-size {} or {}", 2 * (m - 1), 2 * m - 1));
}

// In the order of the file; -1 if there is none.
int last_fourier_axis(const Problem& problem, const ArrayHeader& input,
                      const std::vector<int>& axes) {
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
    if (basis_of(problem, input.c_axis(*axis)) == Basis::fourier) return *axis;
  return -1;
}

// The numbers of an option, one for each axis of the file.
Extents numbers_of(const char* option, const std::string& text, const ArrayHeader& input) {
  const Extents numbers = parse_dims(text, option);
  if (numbers.size() != input.shape.size())
    throw Error(Error::invalid,
                fmt::format("{} has {} numbers, but the file has {} axes", option, numbers.size(),
                            input.shape.size()),
                "give one number for every axis");
  return numbers;
}

// Numbers by axis of the file, by axis in C order.
Extents in_c_order(const Extents& numbers, const ArrayHeader& input) {
  Extents ordered = numbers;
  for (int axis = 0; axis < numbers.size(); ++axis) ordered[input.c_axis(axis)] = numbers[axis];
  return ordered;
}

void check_direction(const TransformRequest& request, bool to_space) {
  if (to_space && !request.modes.empty())
    throw Error(Error::invalid, "--modes leaves out coefficients that a transform makes",
                "on the way back give --points, the points of the grid in real space");
  if (!to_space && !request.points.empty())
    throw Error(Error::invalid, "--points is for transforms back to real space",
                "give --modes to keep fewer coefficients, or --inverse to transform back");
  if (!request.points.empty() && request.last_size)
    throw Error(Error::invalid, "--points and --last-size both give the points of the last axis",
                "omit --last-size");
}

// The coefficients of the file are the lowest of a larger grid: the others are zero.
Extents modes_of_file(const Extents& grid, const ArrayHeader& input, int half) {
  Extents modes = input.shape;
  if (half < 0) return modes;
  if (modes[half] > grid[half] / 2 + 1)
    throw Error(Error::invalid,
                fmt::format("--points has {} points along axis {}, which have {} coefficients, but "
                            "the file has {}",
                            grid[half], half, grid[half] / 2 + 1, modes[half]),
                fmt::format("give at least {}", 2 * (modes[half] - 1)));
  modes[half] = std::min(2 * modes[half] - 1, grid[half]);
  return modes;
}

}  // namespace

TransformJob transform_job(const TransformRequest& request, const ArrayHeader& input,
                           const std::string& path) {
  TransformJob job;
  Problem& problem = job.problem;
  const std::vector<int> axes = parse_axes("--axes", request.axes, input.shape);
  std::vector<int> c_axes;
  c_axes.reserve(axes.size());
  for (int axis : axes) c_axes.push_back(input.c_axis(axis));
  problem.extents = input.c_extents();
  set_kind(problem, word_of(request, input), c_axes, {input.scalar.is_complex, request.inverse});
  if (problem.kind == Kind::r2c && request.inverse) problem.kind = Kind::c2r;
  job.backward = (problem.kind == Kind::c2c || problem.kind == Kind::r2r) && request.inverse;
  problem.norm = parse_norm(request.norm);
  problem.precision = input.scalar.precision;
  check_scalar(problem.kind, request, input, path);
  if (request.last_size && problem.kind != Kind::c2r)
    throw Error(Error::invalid,
                fmt::format("--last-size is for c2r, but this is {}", kind_text(problem)),
                "omit --last-size");

  ArrayHeader real = input;  // with the shape of the real-space field
  check_direction(request, problem.kind == Kind::c2r || job.backward);
  const int half = last_fourier_axis(problem, input, axes);
  Extents modes;
  if (!request.points.empty()) {
    real.shape = numbers_of("--points", request.points, input);
    modes = modes_of_file(real.shape, input, problem.kind == Kind::c2r ? half : -1);
  } else if (problem.kind == Kind::c2r && half >= 0) {
    real.shape[half] = whole_size(request, input.shape, half);
  }
  if (!request.modes.empty()) modes = numbers_of("--modes", request.modes, input);
  if (!modes.empty()) problem.modes = in_c_order(modes, input);
  problem.extents = real.c_extents();
  problem.axes = std::move(c_axes);

  job.output = real;
  job.output.is_big_endian = false;
  job.output.chunks = {};
  job.output.scalar = problem.output_scalar();
  if (!request.modes.empty()) job.output.shape = modes;
  if (problem.kind == Kind::r2c) job.output.shape = halved(job.output.shape, half);
  return job;
}

}  // namespace weft::cli

// cli/transform_job: converts axes, sizes and kinds from NumPy's conventions.

#include "weft/cli/transform_job.hpp"

#include <algorithm>

#include "weft/cli/integers.hpp"

namespace weft::cli {

namespace {

std::vector<int> parse_axes(const std::string& text, const Extents& shape) {
  const int count = shape.size();
  std::vector<int> axes;
  if (text.empty()) {
    for (int a = 0; a < count; ++a) axes.push_back(a);
    return axes;
  }
  for (const int given :
       parse_integers("--axes", text, "write it like --axes 0,2 or --axes=-2,-1")) {
    const int axis = given < 0 ? given + count : given;
    if (axis < 0 || axis >= count)
      throw Error(Error::invalid,
                  fmt::format("axis {} is out of range for {} with {} ax{}s", given,
                              to_string(shape), count, count == 1 ? "i" : "e"),
                  fmt::format("axes are 0 to {}, or -{} to -1 from the end", count - 1, count));
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw Error(Error::invalid, fmt::format("axis {} is named twice in --axes {}", given, text),
                  "name every axis once");
    axes.push_back(axis);
  }
  return axes;
}

Kind kind_of(const TransformRequest& request, const NpyHeader& input) {
  const std::string& name = request.kind;
  if (name.empty()) return input.scalar.is_complex ? Kind::c2c : Kind::r2c;
  if (name.size() == 4 && (name.starts_with("dct") || name.starts_with("dst")) && name[3] >= '1' &&
      name[3] <= '4')
    throw Error(Error::unsupported, fmt::format("the kind '{}' is not in this version", name),
                "one of: c2c, r2c, c2r");
  return parse_kind(name);
}

void check_scalar(Kind kind, bool was_r2c, const NpyHeader& input, const std::string& path) {
  const bool takes_complex = kind != Kind::r2c;
  if (takes_complex == input.scalar.is_complex) return;
  const std::string name = was_r2c && kind == Kind::c2r ? "the inverse of r2c" : to_string(kind);
  throw Error(Error::invalid,
              fmt::format("'{}' has dtype {}, but {} takes {}", path, input.scalar.name(), name,
                          takes_complex ? "complex64 or complex128" : "float32 or float64"),
              takes_complex ? "convert it with x.astype('complex128'), or use --kind r2c without "
                              "--inverse"
                            : "use --kind c2c for complex values");
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

}  // namespace

TransformJob transform_job(const TransformRequest& request, const NpyHeader& input,
                           const std::string& path) {
  TransformJob job;
  Problem& problem = job.problem;
  problem.kind = kind_of(request, input);
  const bool was_r2c = problem.kind == Kind::r2c;
  if (was_r2c && request.inverse) problem.kind = Kind::c2r;
  job.backward = problem.kind == Kind::c2c && request.inverse;
  problem.norm = parse_norm(request.norm);
  problem.precision = input.scalar.precision;
  const std::vector<int> axes = parse_axes(request.axes, input.shape);
  check_scalar(problem.kind, was_r2c, input, path);
  if (request.last_size && problem.kind != Kind::c2r)
    throw Error(Error::invalid,
                fmt::format("--last-size is for c2r, but this is {}", to_string(problem.kind)),
                "omit --last-size");

  NpyHeader real = input;  // with the shape of the real-space field
  if (problem.kind == Kind::c2r)
    real.shape[axes.back()] = whole_size(request, input.shape, axes.back());
  problem.extents = real.c_extents();
  std::vector<int> c_axes;
  for (int axis : axes) c_axes.push_back(input.c_axis(axis));
  problem.axes = std::move(c_axes);

  job.output = real;
  job.output.is_big_endian = false;
  job.output.scalar = problem.output_scalar();
  if (problem.kind == Kind::r2c) job.output.shape = halved(real.shape, axes.back());
  return job;
}

}  // namespace weft::cli

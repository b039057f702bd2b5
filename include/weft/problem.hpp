// weft/problem: the whole question a plan answers - extents, transforms, element types, and where
// the data start and must end.
// Floor: model.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/box.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// What is computed along the axes.
enum class Kind {
  c2c,  ///< complex to complex
  r2c,  ///< real to complex: the last of the axes is halved, n -> n/2+1
  c2r,  ///< complex to real: r2c run the other way round
};

/// Which direction divides by the number of points N, as in NumPy.
enum class Norm {
  backward,  ///< the way back divides by N; the default
  ortho,     ///< both directions divide by the square root of N
  forward,   ///< the way forward divides by N
  none,      ///< neither: a round trip multiplies by N
};

/// How a field is spread over the ranks.
struct Distribution {
  /// The shapes of the ranks' parts.
  enum Form {
    free,    ///< the planner's choice; for an output: where the last pass leaves it
    same,    ///< output only: natural order, distributed as the input
    slab,    ///< axis 0 is divided
    pencil,  ///< axes 0 and 1 are divided, as `grid` if that has two entries
    brick,   ///< all axes are divided, as `grid` if that has an entry per axis
    boxes,   ///< any boxes, several or none per rank
  };
  Form form = free;                     ///< which of them
  Dims grid;                            ///< pencil, brick: parts per divided axis; empty: balanced
  std::vector<std::vector<Box>> owned;  ///< boxes: owned[rank][i]

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

/// A transform of a field of `extents` real-space points, `batch` times.
/// Forward has the minus sign for c2c and r2c; c2r's forward is the way back of r2c, so its norms
/// are those of numpy.fft.irfftn.
struct Problem {
  Extents extents;        ///< points per axis in real space, 1 to 8 axes
  Kind kind = Kind::c2c;  ///< what is computed
  Precision precision = Precision::double_precision;  ///< of input and output
  std::vector<int> axes;       ///< transformed axes, negative from the end; see all_axes
  bool all_axes = true;        ///< every axis, in order; `axes` is not looked at
  Norm norm = Norm::backward;  ///< which direction divides by the number of points
  std::int64_t batch = 1;      ///< fields in one plan, one after another in memory
  bool in_place = false;       ///< the output takes the input's memory
  Distribution input, output;  ///< where the field starts, and where it must end

  /// Element types of the input and the output.
  Scalar input_scalar() const { return {precision, kind != Kind::r2c}; }
  Scalar output_scalar() const { return {precision, kind != Kind::c2r}; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// A problem whose plans take fields of In forward and make fields of Out.
template <class In, class Out>
struct TypedProblem : Problem {};

/// Complex to complex, all axes, double precision unless said otherwise:
///     weft::c2c({256, 256, 256})      weft::c2c<float>({256, 256})
/// Members of Problem can be set afterwards: axes, norm, batch, in_place, input, output.
template <class Real = double>
TypedProblem<std::complex<Real>, std::complex<Real>> c2c(const Extents& extents) {
  TypedProblem<std::complex<Real>, std::complex<Real>> problem;
  problem.extents = extents;
  problem.kind = Kind::c2c;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// Real to complex: the last of the axes is halved, n -> n/2+1, as in numpy.fft.rfftn.
template <class Real = double>
TypedProblem<Real, std::complex<Real>> r2c(const Extents& extents) {
  TypedProblem<Real, std::complex<Real>> problem;
  problem.extents = extents;
  problem.kind = Kind::r2c;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// Complex to real: forward is numpy.fft.irfftn; `extents` are those of the real field.
template <class Real = double>
TypedProblem<std::complex<Real>, Real> c2r(const Extents& extents) {
  TypedProblem<std::complex<Real>, Real> problem;
  problem.extents = extents;
  problem.kind = Kind::c2r;
  problem.precision = scalar_of<Real>::value.precision;
  return problem;
}

/// All of the problem in one line.
std::string to_string(const Problem& problem);

/// The names that the program's options have for these: "r2c", "ortho", "pencil".
const char* to_string(Kind kind);
const char* to_string(Norm norm);
const char* to_string(Distribution::Form form);

}  // namespace weft

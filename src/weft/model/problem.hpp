// model/problem: the whole question a plan answers - extents, transforms, element types, and where
// the data start and must end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/scalar.hpp"
#include "weft/grid/decomposition.hpp"

namespace weft {

/// What is computed along the axes.
enum class Kind {
  c2c,  ///< complex to complex
  r2c,  ///< real to complex: the last of the axes is halved, n -> n/2+1
  c2r,  ///< complex to real: r2c run the other way round
};

/// Who divides by the number of points, as in NumPy: the way back, both (by the root), the way
/// forward, or nobody.
enum class Norm { backward, ortho, forward, none };

/// How a field is spread over the ranks.
struct Distribution {
  enum Form {
    free,    ///< the planner's choice; for an output: where the last pass leaves it
    same,    ///< output only: natural order, distributed as the input
    slab,    ///< axis 0 is divided
    pencil,  ///< axes 0 and 1 are divided, as `grid` if that has two entries
    brick,   ///< all axes are divided, as `grid` if that has an entry per axis
    boxes,   ///< any boxes, several or none per rank
  };
  Form form = free;
  Dims grid;
  std::vector<std::vector<Box>> owned;  ///< boxes: owned[rank][i]

  friend bool operator==(const Distribution&, const Distribution&) = default;
};

/// A transform of a field of `extents` real-space points, `batch` times.
/// Forward has the minus sign for c2c and r2c; c2r's forward is the way back of r2c, so its norms
/// are those of numpy.fft.irfftn.
struct Problem {
  Extents extents;  ///< points per axis of the real-space field, 1 to 8 axes
  Kind kind = Kind::c2c;
  Precision precision = Precision::double_precision;
  std::vector<int> axes;  ///< transformed axes, negative from the end; see all_axes
  bool all_axes = true;   ///< every axis, in order; `axes` is not looked at
  Norm norm = Norm::backward;
  std::int64_t batch = 1;  ///< fields in one plan, one after another in memory
  bool in_place = false;   ///< the output takes the input's memory
  Distribution input, output;

  Scalar input_scalar() const { return {precision, kind != Kind::r2c}; }
  Scalar output_scalar() const { return {precision, kind != Kind::c2r}; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// The problem with its axes resolved (0-based, in order), or Error::invalid that says with the
/// numbers what cannot be.
Problem validated(Problem problem);

/// The axis that r2c and c2r halve, -1 for c2c. Of a validated problem.
int half_axis(const Problem& problem);

/// Extents with `axis` halved to n/2+1; unchanged for axis -1.
Extents halved(Extents extents, int axis);

/// Points per axis of the field that forward takes (returns); of a validated problem.
Extents input_extents(const Problem& problem);
Extents output_extents(const Problem& problem);

/// What `norm` multiplies a transform of `points` points by, on the way forward or back.
double norm_factor(Norm norm, double points, bool forward);

/// Error::invalid if `grid` does not have a place for each of `count` ranks, or of what `what`
/// says; each part at least 1.
void check_grid(const Dims& grid, int count, const std::string& what = "rank");

/// The decomposition a distribution means for `extents` over `ranks`; not for free and same.
Decomposition resolve(const Distribution& distribution, const Extents& extents, int ranks,
                      const std::string& name);

/// All of the problem in one line: what every rank must agree on.
std::string to_string(const Problem& problem);

const char* to_string(Kind kind);
const char* to_string(Norm norm);
const char* to_string(Distribution::Form form);
Kind parse_kind(const std::string& text);
Norm parse_norm(const std::string& text);
Distribution::Form parse_form(const std::string& text);

}  // namespace weft

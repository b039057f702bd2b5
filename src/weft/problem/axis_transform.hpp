// problem/axis_transform: what is computed along each axis of a problem, and the state of the field
// when some of its axes have been transformed. Pure. All problems here are validated.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "weft/grid/kept_points.hpp"
#include "weft/grid/view.hpp"
#include "weft/problem.hpp"

namespace weft {

/// What is computed along one axis of a problem, in the direction from real space to coefficients.
struct AxisTransform {
  Basis basis = Basis::fourier;
  bool is_transformed = false;
  bool is_halved = false;    ///< it makes complex numbers of real ones: n -> n/2+1
  std::int64_t points = 1;   ///< of the line that is transformed
  KeptPoints before, after;  ///< of these points and of the coefficients, those in the arrays

  /// Whether some points or coefficients are not stored.
  bool is_pruned() const;
};

/// The transform along an axis of the user's grid.
AxisTransform axis_transform(const Problem& problem, int axis);

/// Whether some points or coefficients of an axis are not stored.
bool is_pruned(const Problem& problem);

/// Points per axis of the field before and after all axes are transformed, in the direction from
/// real space to coefficients.
Extents real_extents(const Problem& problem);
Extents spectral_extents(const Problem& problem);

/// The field on the inner grid, in the direction from real space to coefficients: its extents and
/// elements depend on which axes have been transformed. Sets of inner axes are bit masks.
class FieldStates {
 public:
  FieldStates() = default;
  /// `split` is the axis of the user's grid that is split, which is not pruned.
  FieldStates(const Problem& problem, const std::optional<AxisSplit>& split);

  /// The user's arrays on the inner grid, before and after.
  const View& input_view() const { return input_view_; }
  const View& output_view() const { return output_view_; }
  /// The inner axis that r2c halves; -1 for c2c and r2r.
  int half() const { return half_; }
  /// Whether the field has elements of the output's type when the axes in `done` are transformed.
  bool is_spectral(unsigned done) const { return half_ < 0 || (done & bit(half_)) != 0; }
  Scalar scalar(unsigned done) const { return is_spectral(done) ? output_scalar_ : input_scalar_; }
  Extents extents(unsigned done) const;
  /// The axes that have other extents or elements after their transform than before it.
  unsigned changed() const { return changed_; }
  /// The larger of the extents before and after the transform of an axis.
  std::int64_t most_points(int axis) const { return std::max(before_[axis], after_[axis]); }
  /// What is stored of the lines along an inner axis.
  const KeptLine& kept(int axis) const { return kept_[static_cast<std::size_t>(axis)]; }

  static constexpr unsigned bit(int axis) { return 1U << axis; }
  static unsigned set_of(const std::vector<int>& axes);

 private:
  View input_view_, output_view_;
  Extents before_, after_;
  std::vector<KeptLine> kept_;  // by inner axis
  int half_ = -1;
  unsigned changed_ = 0;
  Scalar input_scalar_, output_scalar_;
};

}  // namespace weft

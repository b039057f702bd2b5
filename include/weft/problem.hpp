// weft/problem: the whole question a plan answers - extents, transforms, element types, and where
// the data start and must end.
// Floor: problem.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/basis.hpp"
#include "weft/box.hpp"
#include "weft/cutoff.hpp"
#include "weft/scalar.hpp"
#include "weft/share.hpp"
#include "weft/shared_list.hpp"
#include "weft/storage.hpp"

namespace weft {

/// The element types of the input and the output.
enum class Kind {
  c2c,  ///< complex to complex
  r2c,  ///< real to complex: the last of the Fourier axes is halved, n -> n/2+1
  c2r,  ///< complex to real: r2c run the other way round
  r2r,  ///< real to real: every transformed axis has a sine, cosine or Chebyshev basis
};

/// Which direction divides by N, as in NumPy and SciPy. N is a product over the transformed axes:
/// the number of points along Fourier axes, and for sines and cosines the number by which a round
/// trip without norm multiplies. Chebyshev coefficients have no norm.
enum class Norm {
  backward,  ///< the way back divides by N; the default
  ortho,     ///< both directions divide by the square root of N
  forward,   ///< the way forward divides by N
  none,      ///< neither: a round trip multiplies by N
};

/// The axes that are transformed: every axis of the field, or those of a list.
///
///     problem.axes = {2, 0};               // these two; r2c halves the last Fourier one named
///     problem.axes = {};                   // every axis, in order; the default
///     problem.axes = weft::Axes::none();   // no axis: the data are only moved
class Axes {
 public:
  /// Every axis, in order.
  Axes() = default;
  /// The axes of the list; negative numbers count from the end. An empty list means no axis.
  Axes(std::initializer_list<int> list) : list_(list), is_all_(false) {}
  Axes(std::vector<int> list) : list_(std::move(list)), is_all_(false) {}  // NOLINT: a list is axes
  /// No axis.
  static Axes none() { return {std::vector<int>()}; }

  /// Whether these are all axes of a field, however many it has.
  bool is_all() const { return is_all_; }
  /// The list. Error::invalid where is_all(); a plan's problem() has the list instead.
  const std::vector<int>& list() const {
    if (is_all_) refuse();
    return list_;
  }
  /// The list as a range, its size and its last axis; errors as with list().
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  auto rbegin() const { return list().rbegin(); }
  auto rend() const { return list().rend(); }
  std::size_t size() const { return list().size(); }
  bool empty() const { return list().empty(); }
  int back() const { return list().back(); }

  friend bool operator==(const Axes&, const Axes&) = default;

 private:
  [[noreturn]] static void refuse();

  std::vector<int> list_;
  bool is_all_ = true;
};

/// How a field is spread over the ranks.
class Distribution {
 public:
  /// The shapes of the ranks' parts.
  enum Form {
    free,    ///< the planner's choice; for an output: where the last pass leaves it
    same,    ///< output only: natural order, distributed as the input
    slab,    ///< axis 0 is divided
    pencil,  ///< axes 0 and 1 are divided, as `grid` if that is given
    brick,   ///< all axes are divided, as `grid` if that is given
    boxes,   ///< any boxes, several or none per rank, from of_boxes or of_my_boxes
  };
  Form form = free;  ///< the form of the parts; leave it as it is if boxes are given
  Dims grid;         ///< pencil, brick: parts of each divided axis; empty: balanced
  Storage storage;   ///< how a rank's boxes lie in its array; by default the last axis contiguous

  /// The planner's choice, or one of the other forms.
  Distribution() = default;
  Distribution(Form of, const Dims& parts = {}) : form(of), grid(parts) {}  // NOLINT: a form alone
  /// The boxes of every rank, of_rank[rank][i]. All ranks pass the same lists. Making a plan is
  /// Error::invalid on all ranks unless the boxes tile the grid of this side: none overlap, and
  /// every point is in one of them.
  static Distribution of_boxes(std::vector<std::vector<Box>> of_rank);
  /// This rank's boxes, none or several; the others pass theirs. A plan gathers them, so that they
  /// are checked on all ranks together; errors as with of_boxes.
  static Distribution of_my_boxes(std::vector<Box> mine);
  /// The same, lying in the rank's array in any way: with strides of the user's own, in any order,
  /// as parts of a larger array. Plans leave the rest of the array as it is. Error::invalid, when a
  /// plan is made, unless all points lie in the array, no two of them on one element.
  ///
  ///     problem.input = weft::Distribution::of_my_boxes(
  ///         {box}, weft::UserArray::strided(box, {pitch * rows, 1, pitch}));
  static Distribution of_my_boxes(std::vector<Box> mine, UserArray array);

  /// Boxes of_rank[rank][i] that need not cover the grid, and where they lie in the array of each
  /// rank. A plan whose input and output are such parts of the same points transforms nothing:
  /// forward moves the points from the input parts to the output parts. Both may be in one array.
  /// weft::Halo is built on this.
  static Distribution of_parts(std::vector<std::vector<Box>> of_rank,
                               std::vector<UserArray> arrays);

  /// The boxes of every rank, of_rank[rank][i]; empty for other forms, and until a plan has
  /// gathered what of_my_boxes was given. See AnyPlan::problem.
  const std::vector<std::vector<Box>>& boxes_of_rank() const { return of_rank_.get(); }
  /// Where the boxes of every rank lie, as of_parts was given or as a plan has gathered what
  /// of_my_boxes was given; empty where `storage` says it.
  const std::vector<UserArray>& arrays_of_rank() const { return arrays_of_rank_.get(); }
  /// Whether arrays_of_rank() says where every box lies.
  bool has_arrays() const { return !arrays_of_rank().empty(); }
  /// Whether of_parts made it.
  bool is_of_parts() const { return is_of_parts_; }
  /// The boxes that were given to of_my_boxes.
  const std::vector<Box>& my_boxes() const { return mine_; }
  /// Where they lie, if it was told.
  const std::optional<UserArray>& my_array() const { return my_array_; }
  /// Whether of_my_boxes made it.
  bool is_of_mine() const { return is_of_mine_; }
  /// The same distribution when the boxes of all ranks, and perhaps where they lie, are known.
  Distribution gathered(std::vector<std::vector<Box>> of_rank, std::vector<UserArray> arrays) const;

  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  SharedList<std::vector<Box>> of_rank_;
  SharedList<UserArray> arrays_of_rank_;
  std::vector<Box> mine_;
  std::optional<UserArray> my_array_;
  bool is_of_mine_ = false, is_of_parts_ = false;
};

/// A transform of a field of `extents` real-space points, `batch` times.
/// Forward has the minus sign for c2c and r2c; c2r's forward is the way back of r2c, so its norms
/// are those of numpy.fft.irfftn.
///
/// Bases can be mixed: sines, cosines and Chebyshev polynomials on some axes, Fourier's
/// exponentials on the others. All of these transforms are linear, so they transform the real and
/// the imaginary parts of complex numbers alike, and the order of the axes does not matter.
///
///     auto channel = weft::r2c({128, 129, 256});       // walls along axis 1
///     channel.bases = {weft::Basis::fourier, weft::Basis::chebyshev, weft::Basis::fourier};
///     auto box = weft::r2r({64, 64, 64}, weft::Basis::dct2);
///
/// What is known to be zero, or not needed, is neither stored nor sent nor transformed. `modes`
/// leaves out the high waves on both sides of zero. The other waves are in the order in which the
/// spectrum of a grid of that size has them: where their number m is even, the wave -m/2 is kept
/// and m/2 is not (on the halved axis, m/2 is). With a grid of 3/2 as many points as modes,
/// products of two fields in real space have no aliases (S. A. Orszag, J. Atmos. Sci. 28, 1971).
/// Norms count the points of the grid.
///
///     auto dealiased = weft::r2c({96, 96, 96});
///     dealiased.modes = {64, 64, 64};
///     auto padded = weft::r2c({128, 128, 128});  // for a convolution that does not wrap around
///     padded.support = {{0, 0, 0}, {64, 64, 64}};
///
/// A `cutoff` keeps the waves in a sphere, as columns; see weft::Cutoff. The field of waves then
/// has no boxes: Plan::output() says in Share::waves what each element is.
struct Problem {
  Extents extents;        ///< points per axis of the grid in real space, 1 to 8 axes
  Kind kind = Kind::c2c;  ///< what is computed
  Precision precision = Precision::double_precision;  ///< of input and output
  Axes axes;                                          ///< the transformed axes; all by default
  Bases bases;  ///< the basis of each axis of the field; empty: Fourier along all axes
  /// The number of coefficients that are kept along each axis of the field: those of a grid of so
  /// many points. Empty: all. Forward leaves out the others, and backward takes them as zero.
  Extents modes;
  Cutoff cutoff;  ///< instead of modes: only the waves in a sphere, or of a list, are kept
  /// The part of the grid that the arrays hold in real space, 0-based and half-open. Empty: all.
  /// Forward takes the field as zero outside of it, and backward does not compute it there.
  Box support;
  Norm norm = Norm::backward;  ///< which direction divides by N
  std::int64_t batch = 1;      ///< the number of fields, which lie in memory as Storage says
  bool in_place = false;       ///< the output may take the input's memory: Plan::output_in
  Distribution input, output;  ///< where the field starts, and where it must end

  /// Element types of the input and the output.
  Scalar input_scalar() const { return {precision, kind == Kind::c2c || kind == Kind::c2r}; }
  Scalar output_scalar() const { return {precision, kind == Kind::c2c || kind == Kind::r2c}; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

/// A problem whose plans take fields of In forward and make fields of Out. These types say the kind
/// and the precision, which therefore cannot be set.
///
///     weft::TypedProblem<float, std::complex<float>>({256, 256})   // as weft::r2c<float>
template <class In, class Out>
struct TypedProblem : Problem {
  /// A transform along all axes of a field of `points` real-space points per axis.
  explicit TypedProblem(const Extents& points) {
    static_assert(scalar_of<In>::value.precision == scalar_of<Out>::value.precision,
                  "input and output have the same precision");
    constexpr bool from_complex = scalar_of<In>::value.is_complex;
    constexpr bool to_complex = scalar_of<Out>::value.is_complex;
    extents = points;
    Problem::kind = from_complex && to_complex ? Kind::c2c
                    : to_complex               ? Kind::r2c
                    : from_complex             ? Kind::c2r
                                               : Kind::r2r;
    Problem::precision = scalar_of<In>::value.precision;
  }

 private:
  using Problem::kind;
  using Problem::precision;
};

/// Complex to complex, all axes, double precision unless said otherwise:
///     weft::c2c({256, 256, 256})      weft::c2c<float>({256, 256})
/// Members of Problem can be set afterwards: axes, bases, norm, batch, in_place, input, output.
template <class Real = double>
TypedProblem<std::complex<Real>, std::complex<Real>> c2c(const Extents& extents) {
  return TypedProblem<std::complex<Real>, std::complex<Real>>(extents);
}

/// Real to complex: the last of the Fourier axes is halved, n -> n/2+1, as in numpy.fft.rfftn.
template <class Real = double>
TypedProblem<Real, std::complex<Real>> r2c(const Extents& extents) {
  return TypedProblem<Real, std::complex<Real>>(extents);
}

/// Complex to real: forward is numpy.fft.irfftn; `extents` are those of the real field.
template <class Real = double>
TypedProblem<std::complex<Real>, Real> c2r(const Extents& extents) {
  return TypedProblem<std::complex<Real>, Real>(extents);
}

/// Real to real, all axes with the same `basis`, which is not Fourier; or with the `bases` of the
/// axes, in order, one for each axis. Plans check this.
template <class Real = double>
TypedProblem<Real, Real> r2r(const Extents& extents, Basis basis) {
  TypedProblem<Real, Real> problem(extents);
  problem.bases.assign(static_cast<std::size_t>(extents.size()), basis);
  return problem;
}
template <class Real = double>
TypedProblem<Real, Real> r2r(const Extents& extents, const Bases& bases) {
  TypedProblem<Real, Real> problem(extents);
  problem.bases = bases;
  return problem;
}

/// Error::invalid, with the names of the types, unless the elements of the input and of the output
/// of `problem` are of these types.
void require_types(const Problem& problem, Scalar of_input, Scalar of_output);

/// All of the problem in one line.
std::string to_string(const Problem& problem);

/// The names that options of the program `weft` have for these: "r2c", "ortho", "pencil".
const char* to_string(Kind kind);
const char* to_string(Norm norm);
const char* to_string(Distribution::Form form);

}  // namespace weft

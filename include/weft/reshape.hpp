// weft/reshape: moves a grid of any elements from one distribution over the ranks to another.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/any_plan.hpp"

namespace weft {

/// The size of an element, and what its addresses are multiples of: 4 bytes or more. With 8,
/// elements are moved by 8 bytes where their size allows it.
struct ElementSize {
  std::int64_t bytes;      ///< bytes of an element
  std::int64_t alignment;  ///< the bytes that its addresses are multiples of

  /// Elements of `size` bytes, aligned to `aligned` bytes.
  ElementSize(std::int64_t size, std::int64_t aligned = 8)  // NOLINT: a number alone
      : bytes(size), alignment(aligned) {}
};

/// Moves elements of a size known at run time; weft::Reshape is the same with a type known at
/// compile time. Making and destroying it is collective; it moves by the same programs as a plan
/// without transforms, so all of Options applies.
class AnyReshape {
 public:
  /// Prepares to move a grid of `extents` elements of this size `from` one distribution `to`
  /// another, neither of them free nor `same`. Strides of a user's own array count elements.
  /// Collective over `comm`. The same Error on every rank, as of AnyPlan: Error::invalid for a
  /// distribution that is free or `same`; Error::unsupported for elements whose size is no multiple
  /// of 4 bytes, and for more than 7 axes if elements do not have 4, 8 or 16 bytes (16 bytes
  /// aligned to 8).
  AnyReshape(MPI_Comm comm, const Extents& extents, ElementSize element, const Distribution& from,
             const Distribution& to, const Options& options = {});
  /// The same for moving in place: both sides may be the same array, or two as otherwise, in any
  /// run and on any rank. An array of either side then has room for both: from_elements() is the
  /// same as to_elements(). Collective; errors as above.
  static AnyReshape in_place(MPI_Comm comm, const Extents& extents, ElementSize element,
                             const Distribution& from, const Distribution& to,
                             const Options& options = {});

  /// Moves the elements from the distribution `from` to the distribution `to`, or back. Collective,
  /// with the errors of AnyPlan's transforms. Bits are moved, not numbers.
  void forward(const AnySource& from, const AnyTarget& to) { start_forward(from, to).wait(); }
  void backward(const AnySource& from, const AnyTarget& to) { start_backward(from, to).wait(); }
  /// Starts the same, and returns at once. Collective, with the errors of AnyPlan::start_forward.
  Ticket start_forward(const AnySource& from, const AnyTarget& to) {
    return plan_.start_forward(from, to);
  }
  Ticket start_backward(const AnySource& from, const AnyTarget& to) {
    return plan_.start_backward(from, to);
  }

  /// This rank's boxes of each side, 0-based and half-open. An array holds them one after another,
  /// the last axis contiguous, unless the distribution says otherwise.
  std::vector<Box> from_boxes() const { return boxes_of(plan_.input()); }
  std::vector<Box> to_boxes() const { return boxes_of(plan_.output()); }
  /// Elements in this rank's array of each side.
  std::int64_t from_elements() const { return plan_.input().elements / numbers_; }
  std::int64_t to_elements() const { return plan_.output().elements / numbers_; }
  /// Zeroed memory for an array of so many elements, on which the other ranks of the node can work.
  /// Not collective. Error::system if there is not enough memory. Any other memory may be used,
  /// too.
  std::shared_ptr<std::byte> allocate(std::int64_t elements) const {
    return plan_.allocate(elements * element_bytes_);
  }
  /// What moves the data: it tells its strategy, memory and stages.
  const AnyPlan& plan() const { return plan_; }

 private:
  /// A grid whose elements are moved.
  struct Grid {
    Extents extents;
    ElementSize element;
  };
  AnyReshape(MPI_Comm comm, const Grid& grid, const Problem& movement, const Options& options);
  std::vector<Box> boxes_of(const Share& share) const;

  std::int64_t element_bytes_;
  int axes_;
  std::int64_t numbers_;  // that the plan moves for an element
  AnyPlan plan_;
};

/// Moves a grid of elements of type T, such as numbers, or structures of them:
///
///     weft::Reshape<double> to_pencils(comm, {256, 256, 256}, weft::Distribution::slab,
///                                      {weft::Distribution::pencil, {4, 8}});
///     std::vector<double> a(to_pencils.from_elements()), b(to_pencils.to_elements());
///     to_pencils.forward(a, b);
template <class T>
class Reshape : public AnyReshape {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved by their bytes");
  static_assert(sizeof(T) % 4 == 0 && alignof(T) >= 4,
                "the size of an element is a multiple of 4 bytes, and it is aligned to 4 or more");

 public:
  /// As AnyReshape, for elements of type T.
  Reshape(MPI_Comm comm, const Extents& extents, const Distribution& from, const Distribution& to,
          const Options& options = {})
      : AnyReshape(comm, extents, {sizeof(T), alignof(T)}, from, to, options) {}
  /// As AnyReshape::in_place:
  ///
  ///     auto reshape = weft::Reshape<double>::in_place(comm, extents, slabs, pencils);
  ///     std::vector<double> u(reshape.from_elements());
  ///     reshape.forward(u, u);
  static Reshape in_place(MPI_Comm comm, const Extents& extents, const Distribution& from,
                          const Distribution& to, const Options& options = {}) {
    return Reshape(AnyReshape::in_place(comm, extents, {sizeof(T), alignof(T)}, from, to, options));
  }

  /// Moves there, and back, from and to vectors, spans or pointers. Collective; see AnyReshape.
  void forward(const Source<T>& from, const Target<T>& to) { AnyReshape::forward(from, to); }
  void backward(const Source<T>& from, const Target<T>& to) { AnyReshape::backward(from, to); }
  /// Starts the same, and returns at once. Collective; see AnyReshape.
  Ticket start_forward(const Source<T>& from, const Target<T>& to) {
    return AnyReshape::start_forward(from, to);
  }
  Ticket start_backward(const Source<T>& from, const Target<T>& to) {
    return AnyReshape::start_backward(from, to);
  }

 private:
  explicit Reshape(AnyReshape reshape) : AnyReshape(std::move(reshape)) {}
};

}  // namespace weft

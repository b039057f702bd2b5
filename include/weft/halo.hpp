// weft/halo: brings the ghost points around each rank's part of a grid up to date.
// Floor: plan.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/reshape.hpp"

namespace weft {

/// Which axes of a grid are periodic: beyond their last point comes the first one.
///
///     weft::Periodic::all()            weft::Periodic::none()            weft::Periodic({0, 2})
class Periodic {
 public:
  /// The axes of the list, negative ones from the end.
  explicit Periodic(std::vector<int> axes) : axes_(std::move(axes)) {}
  /// Every axis, or none.
  static Periodic all() { return {}; }
  static Periodic none() { return Periodic(std::vector<int>()); }

  /// For each of `count` axes, whether it is periodic. Error::invalid if an axis of the list does
  /// not exist.
  std::vector<bool> of(int count) const;

 private:
  Periodic() : is_all_(true) {}

  std::vector<int> axes_;
  bool is_all_ = false;
};

/// Fills ghost points, of elements of a size known at run time; weft::Halo is the same with a type
/// known at compile time. Making and destroying it is collective; it moves by the same programs as
/// a plan without transforms. Options about decompositions, placement and chunks do not apply.
class AnyHalo {
 public:
  /// Prepares to fill the ghost points of a grid of `extents` elements of this size in
  /// `distribution`, whose storage says how many ghost points there are at both ends of each axis
  /// of a rank's boxes. Collective over `comm`. The same Error on every rank: Error::invalid for a
  /// distribution that is free or `same`, for periodic axes that are not there, and for more ghost
  /// points along an axis than it has points; Error::unsupported for a distribution whose arrays
  /// have strides of their own, for elements whose size is no multiple of 4 bytes, and for more
  /// than 7 axes, or more than 6 if elements do not have 4, 8 or 16 bytes (16 bytes aligned to 8);
  /// Error::mismatch if ranks pass different arguments.
  AnyHalo(MPI_Comm comm, const Extents& extents, ElementSize element,
          const Distribution& distribution, const Periodic& periodic = Periodic::all(),
          const Options& options = {});

  /// Gives the ghost points of `array`, which has elements() elements laid out as array() says, the
  /// values that these points have on the ranks that own them, corners included. Ghost points
  /// beyond the faces of axes that are not periodic keep their values. Collective, with the errors
  /// of AnyPlan's transforms.
  void exchange(const AnyTarget& array) { start(array).wait(); }
  /// Starts the same, and returns at once. Collective, as AnyPlan::start_forward. Until the ticket
  /// says that it has ended, the application may read the array, except for the ghost points, but
  /// not write to it, and no plan may take it.
  Ticket start(const AnyTarget& array) { return plan_.start_forward(array, array); }

  /// This rank's boxes, without ghost points, 0-based and half-open.
  const std::vector<Box>& boxes() const { return share_.boxes; }
  /// Where they lie in an array, in elements, and how many elements it has, ghost points included.
  const UserArray& array() const { return share_.array; }
  std::int64_t elements() const { return share_.elements; }
  /// Zeroed memory for an array of elements() elements. Not collective. Error::system if there is
  /// not enough memory. Any other memory may be used, too.
  std::shared_ptr<std::byte> allocate() const;
  /// What moves the data. It works on a grid of its own: axis 0 counts the boxes that have ghosts.
  const AnyPlan& plan() const { return plan_; }

 private:
  AnyHalo(MPI_Comm comm, ElementSize element, std::pair<Share, Problem> made,
          const Options& options);

  std::int64_t element_bytes_;
  Share share_;
  AnyPlan plan_;
};

/// Fills the ghost points of arrays of elements of type T:
///
///     weft::Distribution pencils{weft::Distribution::pencil};
///     pencils.storage = weft::Storage::with_ghosts({1, 1, 1}, {1, 1, 1});
///     weft::Halo<double> halo(comm, {256, 256, 256}, pencils);
///     std::vector<double> u(halo.elements());
///     halo.exchange(u);
template <class T>
class Halo : public AnyHalo {
  static_assert(std::is_trivially_copyable_v<T>, "elements are moved by their bytes");
  static_assert(sizeof(T) % 4 == 0 && alignof(T) >= 4,
                "the size of an element is a multiple of 4 bytes, and it is aligned to 4 or more");

 public:
  /// As AnyHalo, for elements of type T.
  Halo(MPI_Comm comm, const Extents& extents, const Distribution& distribution,
       const Periodic& periodic = Periodic::all(), const Options& options = {})
      : AnyHalo(comm, extents, {sizeof(T), alignof(T)}, distribution, periodic, options) {}

  /// Fills the ghost points, or starts to. Collective; see AnyHalo.
  void exchange(T* array) { AnyHalo::exchange(array); }
  Ticket start(T* array) { return AnyHalo::start(array); }
  /// The same of a vector or a span. Error::invalid if it has too few elements.
  void exchange(std::span<T> array) { AnyHalo::exchange(array); }
  Ticket start(std::span<T> array) { return AnyHalo::start(array); }
};

}  // namespace weft

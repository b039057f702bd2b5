// weft/cutoff: the waves of a spectrum that are kept: those in a sphere, or those of a list.
// Floor: grid.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "weft/shared_list.hpp"

namespace weft {

/// A wave of a grid with three axes: how often it repeats along each of them. Along an axis of n
/// points, the numbers are -(n-1)/2 to (n-1)/2.
using Wave = std::array<std::int32_t, 3>;

/// The waves of this rank's elements of a field of g-space, in their order. Copies share the list.
class Waves {
 public:
  /// No waves.
  Waves() = default;
  /// The waves of the list.
  explicit Waves(std::vector<Wave> list) : list_(std::move(list)) {}

  /// Whether these are the waves of a cut-off, perhaps none on this rank.
  bool are_given() const { return list_.is_given(); }
  /// Number of waves.
  std::int64_t size() const { return std::ssize(list_.get()); }
  bool empty() const { return size() == 0; }
  /// The wave of element `i` of a field; `i` is below size().
  const Wave& operator[](std::int64_t i) const { return list_.get()[static_cast<std::size_t>(i)]; }
  /// The first wave, and one past the last.
  const Wave* begin() const { return list_.get().data(); }
  const Wave* end() const { return begin() + size(); }

  friend bool operator==(const Waves&, const Waves&) = default;

 private:
  SharedList<Wave> list_;
};

/// The three vectors that waves are multiples of: those of the reciprocal lattice, in any unit.
using ReciprocalVectors = std::array<std::array<double, 3>, 3>;

/// Which waves of a spectrum a problem keeps, and which rank has them. Codes that expand functions
/// in plane waves need no other waves. A plan stores nothing else; it sends only columns that hold
/// a wave, and transforms only these along their axis. The waves are distributed by columns: waves
/// that differ along one axis only are on one rank. Charm-FFT calls this a cut-off grid.
///
///     auto bands = weft::c2c({96, 96, 96});
///     bands.cutoff = weft::Cutoff::sphere(24);                   // |k| <= 24
///     bands.cutoff = weft::Cutoff::sphere(1.5, reciprocal);      // |k0 b0 + k1 b1 + k2 b2| <= 1.5
///     bands.cutoff = weft::Cutoff::of_my_waves(my_triplets);     // in the order of my array
///     bands.batch = 16;
///     weft::Plan<Complex, Complex> plan(comm, bands);
///     plan.output().waves[i];                                    // of element i of each band
///
/// Making a plan is Error::unsupported on all ranks unless the grid has three axes, all of them
/// Fourier and transformed, and for a plan in place; Error::invalid for waves that the grid does
/// not have, for one that is listed twice, and for columns that are on several ranks.
///
/// In r2c and c2r, the coefficients of a wave and its negative are conjugates, and only one of the
/// two is kept. With h the halved axis, c the column axis and a the third one, the kept waves k
/// have k_h > 0; or k_h = 0 and k_a > 0; or k_h = k_a = 0 and k_c >= 0.
class Cutoff {
 public:
  /// How the waves are given.
  enum class Form {
    none,    ///< all waves of the grid are kept
    sphere,  ///< those in a sphere, distributed evenly over the ranks
    waves    ///< those that every rank lists
  };

  /// No cut-off: all waves are kept.
  Cutoff() = default;
  /// The waves k with |k| <= radius. Waves that are longer by less than 1e-12 of the radius count,
  /// too, so that a radius that was computed as a square root includes its shell. The columns are
  /// shared out among the ranks that compute (Options::ranks and placement; all ranks if a strategy
  /// is demanded), so that all have about as many waves. A rank's waves are ordered by column, and
  /// ascend within each column.
  static Cutoff sphere(double radius) {
    return sphere(radius, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  }
  /// The waves k with |k0 b0 + k1 b1 + k2 b2| <= radius, where b0, b1 and b2 are the `vectors`.
  static Cutoff sphere(double radius, const ReciprocalVectors& vectors) {
    Cutoff made;
    made.form_ = Form::sphere;
    made.radius_ = radius;
    made.vectors_ = vectors;
    return made;
  }
  /// The waves of this rank, in the order of its array, perhaps none; the other ranks pass theirs.
  /// All waves of a column must be on one rank. A plan gathers the lists, so that they are checked
  /// on all ranks together; every rank then holds them all. Adjacent columns of a rank are moved
  /// and transformed together, so a plan is fastest where a rank's columns adjoin.
  static Cutoff of_my_waves(std::vector<Wave> mine) {
    Cutoff made;
    made.form_ = Form::waves;
    made.mine_ = Waves(std::move(mine));
    made.is_of_mine_ = true;
    return made;
  }
  /// The waves of every rank, of_rank[rank][i]. All ranks pass the same lists.
  static Cutoff of_waves(const std::vector<std::vector<Wave>>& of_rank) {
    Cutoff made;
    made.form_ = Form::waves;
    for (const std::vector<Wave>& list : of_rank) made.of_rank_.emplace_back(list);
    return made;
  }
  /// The same with columns along `axis`, negative from the end. By default the columns run along
  /// the slowest axis in memory of the field in real space, or along the next axis if r2c halves
  /// that one: where real space is divided along the same axis, one exchange moves whole columns.
  Cutoff along(int axis) const {
    Cutoff made = *this;
    made.column_axis_ = axis;
    return made;
  }

  /// What was given.
  Form form() const { return form_; }
  /// Whether there is a cut-off.
  bool is_given() const { return form_ != Form::none; }
  /// The radius of a sphere, in units of the vectors, and the vectors.
  double radius() const { return radius_; }
  const ReciprocalVectors& vectors() const { return vectors_; }
  /// The axis that was asked for, perhaps negative; `slowest` if none was.
  int column_axis() const { return column_axis_; }
  static constexpr int slowest = 1 << 20;
  /// The waves that were given to of_my_waves.
  const Waves& my_waves() const { return mine_; }
  /// Whether of_my_waves made it.
  bool is_of_mine() const { return is_of_mine_; }
  /// The waves of every rank, as given or as a plan has gathered them; else empty.
  const std::vector<Waves>& waves_of_rank() const { return of_rank_; }
  /// The same cut-off when the lists of all ranks are known.
  Cutoff gathered(std::vector<Waves> of_rank) const {
    Cutoff made = *this;
    made.of_rank_ = std::move(of_rank);
    return made;
  }
  /// The ranks that own the equal shares of a sphere, in order. Empty: the ranks that compute.
  const std::vector<int>& owners() const { return owners_; }
  /// The same sphere, with these owners, whichever ranks compute.
  Cutoff placed(std::vector<int> owners) const {
    Cutoff made = *this;
    made.owners_ = std::move(owners);
    return made;
  }

  friend bool operator==(const Cutoff&, const Cutoff&) = default;

 private:
  Form form_ = Form::none;
  double radius_ = 0;
  ReciprocalVectors vectors_{};
  int column_axis_ = slowest;
  Waves mine_;
  bool is_of_mine_ = false;
  std::vector<Waves> of_rank_;
  std::vector<int> owners_;
};

}  // namespace weft

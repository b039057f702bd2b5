// fft/lanes/real_ends: the real lines that go together in lanes, and what is stored of them.
// Keeps: knows no vectors, so that it is compiled once for all sets of instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/fft/engine.hpp"
#include "weft/fft/lanes/lane_loops.hpp"

namespace weft {

/// As many lines as there are lanes, or fewer; strides in reals.
template <class Real>
struct PlacedLines {
  Real* first;
  std::int64_t point_stride, line_stride, count;
};

/// Lines of which not all points are stored, and a buffer for the whole lines, in which the other
/// points are zero.
template <class Real>
class PartOfLines {
 public:
  PartOfLines() = default;
  /// As many lines as there are lanes, of `points` points of so many reals each, of which `kept`
  /// says which are stored.
  PartOfLines(const KeptPoints& kept, std::int64_t points, std::int64_t reals, std::int64_t lanes);

  bool is_part() const { return kept_.count != points_; }
  PlacedLines<Real> whole(std::int64_t count);
  PlacedLines<Real> gathered(const PlacedLines<Real>& stored);
  void scatter(const PlacedLines<Real>& stored);

 private:
  template <class Copy>
  void for_each_run(const PlacedLines<Real>& stored, const Copy& copy);

  KeptPoints kept_;
  std::int64_t points_ = 0, reals_ = 1;
  std::vector<Real> whole_;  // line by line
};

/// r2c and c2r lines, as many at a time as there are lanes.
template <class Real>
class KernelOfRealLanes : public KernelOfLanes {
 public:
  /// `across` is the loop whose lines are distributed over the lanes; null for a single line.
  KernelOfRealLanes(const Lines& lines, const Lines::Loop* across, std::int64_t lanes);
  ~KernelOfRealLanes() override;

 private:
  /// Reads all points of `from` before it writes the first of `to`.
  virtual void transform(const PlacedLines<Real>& from, const PlacedLines<Real>& to,
                         PrefetchQueue& queue) = 0;
  void run_across(void* in, void* out, PrefetchQueue& queue) final;

  std::int64_t lanes_;
  PartOfLines<Real> in_, out_;
};

/// exp(-2 pi i k / n), times a length.
template <class Real>
struct Turn {
  Real re, im;
};
/// These for all k < count.
template <class Real>
std::vector<Turn<Real>> turns_of(std::int64_t count, std::int64_t n, long double length = 1);

extern template class KernelOfRealLanes<float>;
extern template class KernelOfRealLanes<double>;
extern template std::vector<Turn<float>> turns_of(std::int64_t, std::int64_t, long double);
extern template std::vector<Turn<double>> turns_of(std::int64_t, std::int64_t, long double);

}  // namespace weft

// device/line_tables: the roots, factors and orders that the kernel of lines reads.
// Pure. Keeps: they are computed in long double, so that they add no error of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/device/line_arguments.hpp"
#include "weft/fft/lanes/convolution.hpp"

namespace weft {

/// All numbers in one array, and all places in another, as they are copied to a device.
template <class Real>
class LineTables {
 public:
  /// `split_points` as in LineWork.
  explicit LineTables(const LineShape& shape, std::int64_t split_points = 0);

  const std::vector<Real>& numbers() const { return numbers_; }
  const std::vector<std::int32_t>& places() const { return places_; }
  /// Gives the arguments the tables, which were copied to these addresses.
  void bind(LineArguments<Real>& arguments, const Real* numbers, const std::int32_t* places) const;

 private:
  // Returns where the table begins.
  std::size_t add(const std::vector<Convolution::Number>& table);
  void add_places(std::int64_t points, const Convolution& convolution);

  std::vector<Real> numbers_;
  std::vector<std::int32_t> places_;
  // Where each table begins.
  std::size_t end_roots_ = 0, factors_ = 0, chirp_ = 0, spectrum_ = 0, fine_ = 0, coarse_ = 0,
              out_places_ = 0;
};

extern template class LineTables<float>;
extern template class LineTables<double>;

}  // namespace weft

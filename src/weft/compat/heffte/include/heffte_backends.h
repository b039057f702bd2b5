// heffte_backends: what fft3d and fft3d_r2c have in common: boxes, sizes, and runs of typed arrays.
#ifndef HEFFTE_BACKENDS_H
#define HEFFTE_BACKENDS_H

#include <mpi.h>

#include "heffte_plan_logic.h"

namespace heffte {

/// The complex type that a transform of `scalar_type` makes.
template <typename scalar_type>
struct fft_output {
  using type = scalar_type;
};
template <>
struct fft_output<float> {
  using type = std::complex<float>;
};
template <>
struct fft_output<double> {
  using type = std::complex<double>;
};

/// The type that a transform of a backend makes: of sines and cosines the same.
template <typename scalar_type, typename backend_tag>
struct transform_output {
  using type = typename std::conditional<backend::uses_fft_types<backend_tag>::value,
                                         fft_output<scalar_type>,
                                         std::enable_if<true, scalar_type>>::type::type;
};

/// The type of the real and imaginary parts of a number.
template <typename number_type>
struct real_part_of {
  using type = number_type;
};
template <typename real_type>
struct real_part_of<std::complex<real_type>> {
  using type = real_type;
};

/// The real type that goes with what a transform of a backend makes.
template <typename scalar_type, typename backend_tag>
struct transform_real_type {
  using type = typename real_part_of<typename define_standard_type<scalar_type>::type>::type;
};

/// How results are multiplied: not at all, by what makes the other direction the inverse, or by its
/// square root.
enum class scale { none, full, symmetric };

/// A plan of either kind; programs have fft3d and fft3d_r2c.
template <typename backend_tag, typename index>
class plan_over_weft
    : public backend::device_instance<typename backend::buffer_traits<backend_tag>::location> {
 public:
  /// The vectors that methods take and return, and where arrays are.
  using location_tag = typename backend::buffer_traits<backend_tag>::location;
  template <typename T>
  using buffer_container = typename backend::buffer_traits<backend_tag>::template container<T>;
  template <typename T>
  using real_buffer_container =
      buffer_container<typename transform_real_type<T, backend_tag>::type>;
  template <typename T>
  using output_buffer_container = buffer_container<typename transform_output<T, backend_tag>::type>;

  /// The number of points of this rank's box of the field, and of the spectrum.
  long long size_inbox() const { return inbox().count(); }
  long long size_outbox() const { return outbox().count(); }
  /// This rank's box of the field, and of the spectrum.
  box3d<index> inbox() const { return box_of(transform_.inbox()); }
  box3d<index> outbox() const { return box_of(transform_.outbox()); }

  /// The factor of a scale.
  double get_scale_factor(scale scaling) const {
    if (scaling == scale::none) return 1;
    return scaling == scale::full ? transform_.full_scale() : std::sqrt(transform_.full_scale());
  }
  /// The elements of a workspace for one field. A workspace saves an allocation where a plan of
  /// complex numbers takes or makes real ones, and is not touched otherwise.
  std::size_t size_workspace() const { return transform_.size_workspace(); }
  /// Nothing: buffers of messages are weft's.
  std::size_t size_comm_buffers() const { return 0; }

 protected:
  plan_over_weft(box3d<index> const& in, box3d<index> const& out, int r2c_direction, MPI_Comm comm,
                 plan_options const& options)
      : transform_(wanted_of<backend_tag>(options, plain(in), plain(out), r2c_direction), comm) {}

  template <typename number_type>
  static over_weft::array array_of(number_type const* data, long long count) {
    using standard = typename define_standard_type<number_type>::type;
    using over_weft::number;
    const number type = std::is_same<standard, float>::value    ? number::single_real
                        : std::is_same<standard, double>::value ? number::double_real
                        : std::is_same<standard, std::complex<float>>::value
                            ? number::single_complex
                            : number::double_complex;
    return over_weft::array{type, data, count};
  }

  over_weft::transform transform_;

 private:
  static over_weft::ordered_box plain(box3d<index> const& box) {
    over_weft::ordered_box made;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      made.low[axis] = static_cast<long long>(box.low[axis]);
      made.high[axis] = static_cast<long long>(box.high[axis]);
    }
    made.order = box.order;
    return made;
  }
  static box3d<index> box_of(over_weft::ordered_box const& box) {
    std::array<index, 3> low, high;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = static_cast<index>(box.low[axis]);
      high[axis] = static_cast<index>(box.high[axis]);
    }
    return box3d<index>(low, high, box.order);
  }
};

}  // namespace heffte

#endif

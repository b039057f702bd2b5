// heffte_utils: short names for MPI, and which types are complex numbers.
#ifndef HEFFTE_UTILS_H
#define HEFFTE_UTILS_H

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstddef>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "heffte_config.h"

namespace heffte {

/// Replaces a value and returns the one before: std::exchange, for C++11.
template <class T, class U = T>
T c11_exchange(T& object, U&& value) {
  T before(std::move(object));
  object = std::forward<U>(value);
  return before;
}

namespace mpi {

/// This process's rank in `comm`.
inline int comm_rank(MPI_Comm const comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
/// The number of ranks of `comm`.
inline int comm_size(MPI_Comm const comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}
/// This process's rank in MPI_COMM_WORLD, and whether it is `rank`.
inline int world_rank() { return comm_rank(MPI_COMM_WORLD); }
inline bool world_rank(int rank) { return world_rank() == rank; }

/// Prints a line and all values of a range, on the rank `me` of MPI_COMM_WORLD, or on all if it is
/// negative.
template <typename vector_like>
void dump(int me, vector_like const& values, std::string const& message) {
  if (me >= 0 && !world_rank(me)) return;
  std::cout << message << "\n";
  for (auto const& value : values) std::cout << value << "  ";
  std::cout << std::endl;
}

/// A communicator of these ranks of `comm`; MPI_COMM_NULL on the others. Collective over `comm`.
inline MPI_Comm new_comm_from_group(std::vector<int> const& ranks, MPI_Comm const comm) {
  MPI_Group all, some;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_create(comm, some, &made);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return made;
}
/// Frees a communicator. Collective.
inline void comm_free(MPI_Comm const comm) {
  MPI_Comm freed = comm;
  if (MPI_Comm_free(&freed) != MPI_SUCCESS)
    throw std::runtime_error("heffte::mpi::comm_free: MPI could not free the communicator");
}

/// MPI's name for a type of C++, which is one of those below.
template <typename scalar>
inline MPI_Datatype type_from() {
  static_assert(sizeof(scalar) == 0, "MPI has no name for this type");
  return MPI_BYTE;
}
template <>
inline MPI_Datatype type_from<int>() {
  return MPI_INT;
}
template <>
inline MPI_Datatype type_from<float>() {
  return MPI_FLOAT;
}
template <>
inline MPI_Datatype type_from<double>() {
  return MPI_DOUBLE;
}
template <>
inline MPI_Datatype type_from<std::complex<float>>() {
  return MPI_C_FLOAT_COMPLEX;
}
template <>
inline MPI_Datatype type_from<std::complex<double>>() {
  return MPI_C_DOUBLE_COMPLEX;
}

}  // namespace mpi

/// Whether a type is a complex number of two floats, or of two doubles, and lies in memory like
/// std::complex of them. Programs specialise these for types of their own. Those of FFTW are two
/// numbers in an array, and those of oneMKL are C's.
template <typename scalar_type>
struct is_ccomplex : std::false_type {};
template <typename scalar_type>
struct is_zcomplex : std::false_type {};
template <>
struct is_ccomplex<std::complex<float>> : std::true_type {};
template <>
struct is_zcomplex<std::complex<double>> : std::true_type {};
template <>
struct is_ccomplex<float[2]> : std::true_type {};
template <>
struct is_zcomplex<double[2]> : std::true_type {};
#ifdef __GNUC__
namespace of_c {
__extension__ typedef float _Complex single_complex;
__extension__ typedef double _Complex double_complex;
}  // namespace of_c
template <>
struct is_ccomplex<of_c::single_complex> : std::true_type {};
template <>
struct is_zcomplex<of_c::double_complex> : std::true_type {};
#endif

/// The type of the standard library that lies in memory like `scalar_type`, as `type`.
template <typename scalar_type, typename = void>
struct define_standard_type {};
template <>
struct define_standard_type<float, void> {
  using type = float;
};
template <>
struct define_standard_type<double, void> {
  using type = double;
};
template <typename scalar_type>
struct define_standard_type<scalar_type,
                            typename std::enable_if<is_ccomplex<scalar_type>::value>::type> {
  using type = std::complex<float>;
};
template <typename scalar_type>
struct define_standard_type<scalar_type,
                            typename std::enable_if<is_zcomplex<scalar_type>::value>::type> {
  using type = std::complex<double>;
};

/// The same array as one of the standard library's type.
template <typename scalar_type>
typename define_standard_type<scalar_type>::type* convert_to_standard(scalar_type array[]) {
  return reinterpret_cast<typename define_standard_type<scalar_type>::type*>(array);
}
template <typename scalar_type>
typename define_standard_type<scalar_type>::type const* convert_to_standard(
    scalar_type const array[]) {
  return reinterpret_cast<typename define_standard_type<scalar_type>::type const*>(array);
}

}  // namespace heffte

#endif

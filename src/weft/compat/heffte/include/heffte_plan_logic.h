// heffte_plan_logic: options of plans. weft chooses what most of them would choose in heFFTe.
#ifndef HEFFTE_PLAN_LOGIC_H
#define HEFFTE_PLAN_LOGIC_H

#include <mpi.h>

#include "heffte_common.h"

namespace heffte {

/// How heFFTe exchanges data. weft chooses among its own exchanges, whatever is given.
enum class reshape_algorithm { alltoallv = 0, p2p_plined = 1, p2p = 2, alltoall = 3 };

/// Options of a plan. The number of ranks that compute has effect; the others are kept, printed,
/// and left to weft.
struct plan_options {
  /// The defaults of a backend.
  template <typename backend_tag>
  plan_options(backend_tag const)  // NOLINT: a tag is options
      : plan_options(default_plan_options<backend_tag>::use_reorder, reshape_algorithm::alltoallv,
                     true) {}
  /// These, and the defaults for the rest.
  plan_options(bool reorder, reshape_algorithm alg, bool pencils)
      : use_reorder(reorder), algorithm(alg), use_pencils(pencils) {}

  bool use_reorder;             ///< no effect: weft transforms lines where they are fastest
  reshape_algorithm algorithm;  ///< no effect: weft chooses the exchange
  bool use_pencils;             ///< no effect: weft chooses how data are divided in between
  bool use_gpu_aware = true;    ///< no effect: there are no devices

  /// So many ranks compute; below 1: all.
  void use_num_subranks(int num_subranks) { num_sub = num_subranks; }
  /// As many ranks compute as `comm` has; others pass MPI_COMM_NULL. weft chooses which these are.
  /// `comm` may be freed after this call.
  void use_subcomm(MPI_Comm comm) {
    num_sub = 1;
    has_subset = true;
    computes = comm != MPI_COMM_NULL;
  }
  /// The number that was set; 1 for a communicator, -1 for neither.
  int get_subranks() const { return num_sub; }

 private:
  template <typename backend_tag>
  friend over_weft::wanted wanted_of(plan_options const& options, over_weft::ordered_box in,
                                     over_weft::ordered_box out, int r2c_direction);
  int num_sub = -1;
  bool has_subset = false, computes = true;
};

/// Prints the options in a line.
inline std::ostream& operator<<(std::ostream& stream, plan_options const options) {
  static const char* const algorithms[] = {"mpi:alltoallv", "mpi:point-to-point-pipelined",
                                           "mpi:point-to-point", "mpi:alltoall"};
  return stream << "options = (" << (options.use_reorder ? "fft1d:contiguous" : "fft1d:strided")
                << ", " << algorithms[static_cast<int>(options.algorithm)] << ", "
                << (options.use_pencils ? "decomposition:pencil" : "decomposition:slab") << ", "
                << (options.use_gpu_aware ? "mpi:from-gpu" : "mpi:from-cpu") << ")";
}

/// The defaults of a backend, and options as a backend can have them.
template <typename backend_tag>
plan_options default_options() {
  return plan_options(backend_tag());
}
template <typename backend_tag, bool use_r2c = false>
plan_options set_options(plan_options options) {
  if (!backend::uses_fft_types<backend_tag>::value) options.use_reorder = true;
  return options;
}
inline plan_options force_reorder(plan_options options) {
  options.use_reorder = true;
  return options;
}

/// What weft is asked for; inside.
template <typename backend_tag>
over_weft::wanted wanted_of(plan_options const& options, over_weft::ordered_box in,
                            over_weft::ordered_box out, int r2c_direction) {
  return over_weft::wanted{in,
                           out,
                           r2c_direction,
                           backend::over_weft<backend_tag>::transforms,
                           backend::over_weft<backend_tag>::doubles_backward,
                           options.has_subset ? 0 : options.num_sub,
                           options.has_subset,
                           options.computes};
}

}  // namespace heffte

#endif

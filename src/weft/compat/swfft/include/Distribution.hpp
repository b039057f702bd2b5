// Distribution.hpp: SWFFT's distributions for C++, over weft: see distribution_c.h.
#ifndef WEFT_SWFFT_DISTRIBUTION_HPP
#define WEFT_SWFFT_DISTRIBUTION_HPP

#include <mpi.h>

#include <cstddef>

#include "complex-type.h"
#include "distribution_c.h"

namespace hacc {

class Distribution {
 public:
  /// A grid of n[0] x n[1] x n[2] points, or of ng along each axis, on the ranks of `comm`.
  /// Collective; MPI_Init is called if nobody has.
  Distribution(MPI_Comm comm, int const n[], bool debug = false) { initialize(comm, n, debug); }
  Distribution(MPI_Comm comm, int ng, bool debug = false) {
    const int n[3] = {ng, ng, ng};
    initialize(comm, n, debug);
  }
  /// Collective, but after MPI_Finalize.
  ~Distribution() { distribution_fini(&m_d); }
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  /// Moves between slabs (1), cubes (3), and pencils along an axis (2). Collective.
  void redistribute_1_to_3(const complex_t* a, complex_t* b) { distribution_1_to_3(a, b, &m_d); }
  void redistribute_3_to_1(const complex_t* a, complex_t* b) { distribution_3_to_1(a, b, &m_d); }
  void redistribute_2_to_3(const complex_t* a, complex_t* b, int axis) {
    distribution_2_to_3(a, b, &m_d, axis);
  }
  void redistribute_3_to_2(const complex_t* a, complex_t* b, int axis) {
    distribution_3_to_2(a, b, &m_d, axis);
  }

  /// Points of each rank, and of all.
  std::size_t local_size() const { return product(m_d.process_topology_3.n); }
  std::size_t global_size() const { return product(m_d.n); }
  int global_ng(int i) const { return m_d.n[i]; }
  int const (&global_ng() const)[3] { return m_d.n; }

  MPI_Comm parent_comm() const { return m_d.parent; }
  int nproc() const {
    int ranks = 1;
    MPI_Comm_size(cart_3d(), &ranks);
    return ranks;
  }
  int self() const {
    int rank = 0;
    MPI_Comm_rank(cart_3d(), &rank);
    return rank;
  }

  MPI_Comm cart_1d() const { return m_d.process_topology_1.cart; }
  int nproc_1d(int i) const { return m_d.process_topology_1.nproc[i]; }
  int const (&nproc_1d() const)[3] { return m_d.process_topology_1.nproc; }
  int self_1d(int i) const { return m_d.process_topology_1.self[i]; }
  int const (&self_1d() const)[3] { return m_d.process_topology_1.self; }
  int local_ng_1d(int i) const { return m_d.process_topology_1.n[i]; }
  int const (&local_ng_1d() const)[3] { return m_d.process_topology_1.n; }

  MPI_Comm cart_2d_x() const { return m_d.process_topology_2_x.cart; }
  int nproc_2d_x(int i) const { return m_d.process_topology_2_x.nproc[i]; }
  int const (&nproc_2d_x() const)[3] { return m_d.process_topology_2_x.nproc; }
  int self_2d_x(int i) const { return m_d.process_topology_2_x.self[i]; }
  int const (&self_2d_x() const)[3] { return m_d.process_topology_2_x.self; }
  int local_ng_2d_x(int i) const { return m_d.process_topology_2_x.n[i]; }
  int const (&local_ng_2d_x() const)[3] { return m_d.process_topology_2_x.n; }

  MPI_Comm cart_2d_y() const { return m_d.process_topology_2_y.cart; }
  int nproc_2d_y(int i) const { return m_d.process_topology_2_y.nproc[i]; }
  int const (&nproc_2d_y() const)[3] { return m_d.process_topology_2_y.nproc; }
  int self_2d_y(int i) const { return m_d.process_topology_2_y.self[i]; }
  int const (&self_2d_y() const)[3] { return m_d.process_topology_2_y.self; }
  int local_ng_2d_y(int i) const { return m_d.process_topology_2_y.n[i]; }
  int const (&local_ng_2d_y() const)[3] { return m_d.process_topology_2_y.n; }

  MPI_Comm cart_2d_z() const { return m_d.process_topology_2_z.cart; }
  int nproc_2d_z(int i) const { return m_d.process_topology_2_z.nproc[i]; }
  int const (&nproc_2d_z() const)[3] { return m_d.process_topology_2_z.nproc; }
  int self_2d_z(int i) const { return m_d.process_topology_2_z.self[i]; }
  int const (&self_2d_z() const)[3] { return m_d.process_topology_2_z.self; }
  int local_ng_2d_z(int i) const { return m_d.process_topology_2_z.n[i]; }
  int const (&local_ng_2d_z() const)[3] { return m_d.process_topology_2_z.n; }

  MPI_Comm cart_3d() const { return m_d.process_topology_3.cart; }
  int nproc_3d(int i) const { return m_d.process_topology_3.nproc[i]; }
  int const (&nproc_3d() const)[3] { return m_d.process_topology_3.nproc; }
  int self_3d(int i) const { return m_d.process_topology_3.self[i]; }
  int const (&self_3d() const)[3] { return m_d.process_topology_3.self; }
  int local_ng_3d(int i) const { return m_d.process_topology_3.n[i]; }
  int const (&local_ng_3d() const)[3] { return m_d.process_topology_3.n; }

  int rank_2d_x(int c[]) {
    int rank = 0;
    Rank_x_pencils(&rank, c, &m_d);
    return rank;
  }
  void coords_2d_x(int r, int c[]) { Coord_x_pencils(r, c, &m_d); }

  int rank_2d_y(int c[]) {
    int rank = 0;
    Rank_y_pencils(&rank, c, &m_d);
    return rank;
  }
  void coords_2d_y(int r, int c[]) { Coord_y_pencils(r, c, &m_d); }

  int rank_2d_z(int c[]) {
    int rank = 0;
    Rank_z_pencils(&rank, c, &m_d);
    return rank;
  }
  void coords_2d_z(int r, int c[]) { Coord_z_pencils(r, c, &m_d); }

 private:
  static std::size_t product(const int (&n)[3]) {
    return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) *
           static_cast<std::size_t>(n[2]);
  }
  void initialize(MPI_Comm comm, int const n[], bool debug) {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    if (!is_initialized) MPI_Init(0, 0);
    distribution_init(comm, n, n, &m_d, debug);
  }

 public:
  distribution_t m_d;
};

}  // namespace hacc

#endif

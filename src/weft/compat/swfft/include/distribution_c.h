/* distribution_c.h: SWFFT's distributions for C, over weft: slabs (1), cubes (3) and pencils along
 * x, y and z (2), and moves between them. */
#ifndef WEFT_SWFFT_DISTRIBUTION_C_H
#define WEFT_SWFFT_DISTRIBUTION_C_H

#include <mpi.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

#include "complex-type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A process grid: its ranks along each axis, this rank's place, and the points that each rank has.
 * All axes are periodic. */
typedef struct {
  MPI_Comm cart;
  int nproc[3];
  int period[3];
  int self[3];
  int n[3];
} process_topology_t;

/* A grid of n points on all of these. */
typedef struct {
  bool debug;
  int n[3];
  process_topology_t process_topology_1;
  process_topology_t process_topology_2_z;
  process_topology_t process_topology_2_y;
  process_topology_t process_topology_2_x;
  process_topology_t process_topology_3;
  MPI_Comm parent;
  void* weft; /* what moves the points */
} distribution_t;

/* Chooses process grids, or takes them. n_padded changes nothing. Collective. Numbers of points
 * that do not divide end the program. */
void distribution_init(MPI_Comm comm, const int n[], const int n_padded[], distribution_t* d,
                       bool debug);
void distribution_init_explicit(MPI_Comm comm, const int n[], const int n_padded[], int nproc_1d[],
                                int nproc_2d_x[], int nproc_2d_y[], int nproc_2d_z[],
                                int nproc_3d[], distribution_t* d, bool debug);
void distribution_fini(distribution_t* d);
/* Ends the program if points do not divide among slabs, too. */
void distribution_assert_commensurate(distribution_t* d);

/* Moves complex numbers from a to b. Pencils have their axis contiguous; those along x lie as (z,
 * y, x) and those along y as (x, z, y), and the z of both runs downwards. Collective. */
void distribution_1_to_3(const complex_t* a, complex_t* b, distribution_t* d);
void distribution_3_to_1(const complex_t* a, complex_t* b, distribution_t* d);
void distribution_2_to_3(const complex_t* a, complex_t* b, distribution_t* d, int dim_z);
void distribution_3_to_2(const complex_t* a, complex_t* b, distribution_t* d, int dim_z);

/* The place of a rank among pencils, and the rank of a place. */
void Coord_x_pencils(int myrank, int coord[], distribution_t* d);
void Rank_x_pencils(int* myrank, int coord[], distribution_t* d);
void Coord_y_pencils(int myrank, int coord[], distribution_t* d);
void Rank_y_pencils(int* myrank, int coord[], distribution_t* d);
void Coord_z_pencils(int myrank, int coord[], distribution_t* d);
void Rank_z_pencils(int* myrank, int coord[], distribution_t* d);

static inline int distribution_get_nproc_1d(distribution_t* d, int direction) {
  return d->process_topology_1.nproc[direction];
}
static inline int distribution_get_nproc_2d_x(distribution_t* d, int direction) {
  return d->process_topology_2_x.nproc[direction];
}
static inline int distribution_get_nproc_2d_y(distribution_t* d, int direction) {
  return d->process_topology_2_y.nproc[direction];
}
static inline int distribution_get_nproc_2d_z(distribution_t* d, int direction) {
  return d->process_topology_2_z.nproc[direction];
}
static inline int distribution_get_nproc_3d(distribution_t* d, int direction) {
  return d->process_topology_3.nproc[direction];
}
static inline int distribution_get_self_1d(distribution_t* d, int direction) {
  return d->process_topology_1.self[direction];
}
static inline int distribution_get_self_2d_x(distribution_t* d, int direction) {
  return d->process_topology_2_x.self[direction];
}
static inline int distribution_get_self_2d_y(distribution_t* d, int direction) {
  return d->process_topology_2_y.self[direction];
}
static inline int distribution_get_self_2d_z(distribution_t* d, int direction) {
  return d->process_topology_2_z.self[direction];
}
static inline int distribution_get_self_3d(distribution_t* d, int direction) {
  return d->process_topology_3.self[direction];
}

/* What the class Dfft calls: a plan from cubes to z pencils, and its runs forward (sign -1) and
 * back (1). */
void* weft_swfft_plan_create(const distribution_t* d);
void weft_swfft_plan_run(void* plan, int sign, const complex_t* from, complex_t* to);
void weft_swfft_plan_free(void* plan);

#ifdef __cplusplus
}
#endif

#endif

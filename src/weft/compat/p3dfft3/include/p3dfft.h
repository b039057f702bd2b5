/* p3dfft.h: P3DFFT++ 3.1 for C++ and C, over weft. Data grids have axes X, Y, Z; MemOrder[i] says
 * how fast axis i is, 0 the fastest. */
#ifndef WEFT_P3DFFT3_H
#define WEFT_P3DFFT3_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
#include <complex>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
extern "C" {
#endif

/* The one-dimensional transforms. Their ids are P3DFFT_ and the name in C, and the name in the
 * namespace p3dfft in C++. */
#define WEFT_P3DFFT3_TYPES(TYPE)                                                                  \
  TYPE(EMPTY_TYPE)                                                                                \
  TYPE(EMPTY_TYPE_SINGLE) TYPE(EMPTY_TYPE_DOUBLE) TYPE(EMPTY_TYPE_SINGLE_COMPLEX)                 \
      TYPE(EMPTY_TYPE_DOUBLE_COMPLEX) TYPE(R2CFFT_S) TYPE(R2CFFT_D) TYPE(C2RFFT_S) TYPE(C2RFFT_D) \
          TYPE(CFFT_FORWARD_S) TYPE(CFFT_FORWARD_D) TYPE(CFFT_BACKWARD_S) TYPE(CFFT_BACKWARD_D)   \
              TYPE(DCT1_REAL_S) TYPE(DCT1_REAL_D) TYPE(DCT2_REAL_S) TYPE(DCT2_REAL_D)             \
                  TYPE(DCT3_REAL_S) TYPE(DCT3_REAL_D) TYPE(DCT4_REAL_S) TYPE(DCT4_REAL_D)         \
                      TYPE(DST1_REAL_S) TYPE(DST1_REAL_D) TYPE(DST2_REAL_S) TYPE(DST2_REAL_D)     \
                          TYPE(DST3_REAL_S) TYPE(DST3_REAL_D) TYPE(DST4_REAL_S) TYPE(DST4_REAL_D) \
                              TYPE(DCT1_COMPLEX_S) TYPE(DCT1_COMPLEX_D) TYPE(DCT2_COMPLEX_S)      \
                                  TYPE(DCT2_COMPLEX_D) TYPE(DCT3_COMPLEX_S) TYPE(DCT3_COMPLEX_D)  \
                                      TYPE(DCT4_COMPLEX_S) TYPE(DCT4_COMPLEX_D)                   \
                                          TYPE(DST1_COMPLEX_S) TYPE(DST1_COMPLEX_D)               \
                                              TYPE(DST2_COMPLEX_S) TYPE(DST2_COMPLEX_D)           \
                                                  TYPE(DST3_COMPLEX_S) TYPE(DST3_COMPLEX_D)       \
                                                      TYPE(DST4_COMPLEX_S) TYPE(DST4_COMPLEX_D)
#define WEFT_P3DFFT3_IN_C(NAME) extern int P3DFFT_##NAME;
WEFT_P3DFFT3_TYPES(WEFT_P3DFFT3_IN_C)
#undef WEFT_P3DFFT3_IN_C

/* ---- what the rest is made of ---- */

/* What a rank has of a side: points of the whole grid, first index and number along X, Y and Z, and
 * the order of the axes. */
typedef struct {
  MPI_Comm comm;
  int points[3], start[3], size[3], order[3];
} weft_p3dfft3_side;

/* Part `i` of `parts` of an axis: the last ones have one point more. */
void weft_p3dfft3_part(int points, int parts, int i, int* start, int* size);
/* A plan for one type along each axis; of real or complex numbers. Collective. What cannot be ends
 * the program. */
void* weft_p3dfft3_plan(const weft_p3dfft3_side* in, const weft_p3dfft3_side* out,
                        const int types[3], int is_in_complex, int is_out_complex, int is_single);
void weft_p3dfft3_run(void* plan, const void* in, void* out);
void weft_p3dfft3_free(void* plan);
/* Multiplies complex numbers by i k, where k are the wavenumbers along `axis` of `points` points,
 * halved or not. */
void weft_p3dfft3_derive(const weft_p3dfft3_side* side, const void* in, void* out, int axis,
                         int points, int is_halved, int is_single);
void weft_p3dfft3_refuse(const char* why);

#ifdef __cplusplus
}

using namespace std; /* as P3DFFT++ has it: programs rely on it */

namespace p3dfft {

#define WEFT_P3DFFT3_IN_CPP(NAME) extern int NAME;
WEFT_P3DFFT3_TYPES(WEFT_P3DFFT3_IN_CPP)
#undef WEFT_P3DFFT3_IN_CPP

typedef std::complex<float> mycomplex;
typedef std::complex<double> complex_double;

inline void setup(int = 0) {}
inline void cleanup() {}

/// Seconds of stages, of which weft has none that are apart.
class timer {
 public:
  void init() {}
  void print(MPI_Comm) {}
};
extern timer timers;

/// Ranks as a grid of up to three axes, the first of which has neighbouring ranks. Copies are of
/// one grid.
class ProcGrid {
 public:
  int taskid, numtasks, nd;
  int ProcDims[3], grid_id_cart[3];
  MPI_Comm mpi_comm_glob, mpi_comm_cart, mpicomm[3];

  /// Collective over `comm`, as letting go of the last copy is.
  ProcGrid(const int procdims[3], MPI_Comm comm) : mpi_comm_glob(comm) {
    MPI_Comm_rank(comm, &taskid);
    MPI_Comm_size(comm, &numtasks);
    if (procdims[0] * procdims[1] * procdims[2] != numtasks)
      weft_p3dfft3_refuse("a process grid has another number of ranks than there are");
    MPI_Comm_dup(comm, &mpi_comm_cart);
    nd = 0;
    int rest = taskid;
    for (int i = 0; i < 3; ++i) {
      ProcDims[i] = procdims[i];
      grid_id_cart[i] = rest % procdims[i];
      rest /= procdims[i];
      if (procdims[i] > 1) ++nd;
    }
    const int colors[3] = {grid_id_cart[1] + procdims[1] * grid_id_cart[2],
                           grid_id_cart[0] + procdims[0] * grid_id_cart[2],
                           grid_id_cart[0] + procdims[0] * grid_id_cart[1]};
    for (int i = 0; i < 3; ++i)
      MPI_Comm_split(mpi_comm_cart, colors[i], grid_id_cart[i], &mpicomm[i]);
    kept.reset(new MPI_Comm[4]{mpi_comm_cart, mpicomm[0], mpicomm[1], mpicomm[2]}, free_all);
  }

 private:
  static void free_all(MPI_Comm* comms) {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    for (int i = 0; i < 4 && !is_finalized; ++i) MPI_Comm_free(&comms[i]);
    delete[] comms;
  }
  std::shared_ptr<MPI_Comm> kept;
};

/// A grid of points on ranks, and how a rank's part lies in memory.
class DataGrid {
 public:
  int nd, Gdims[3], dim_conj_sym, MemOrder[3], Ldims[3], Pdims[3], Dmap[3], L[3], D[3],
      GlobStart[3], grid_id[3];
  ProcGrid* Pgrid;
  bool is_set;

  DataGrid() : nd(0), dim_conj_sym(-1), Pgrid(nullptr), is_set(false) {}
  /// Axis i of the data is divided along axis dmap[i] of the processes. It takes its own copy of
  /// the process grid.
  DataGrid(const int gdims[3], int dim_conj_sym_, ProcGrid* pgrid, const int dmap[3],
           const int mem_order[3])
      : nd(0), dim_conj_sym(dim_conj_sym_), is_set(true), kept(new ProcGrid(*pgrid)) {
    Pgrid = kept.get();
    int local = 0;
    for (int i = 0; i < 3; ++i) L[i] = D[i] = -1;
    for (int i = 0; i < 3; ++i) {
      Gdims[i] = gdims[i];
      Dmap[i] = dmap[i];
      MemOrder[i] = mem_order[i];
      Pdims[i] = pgrid->ProcDims[dmap[i]];
      grid_id[i] = pgrid->grid_id_cart[dmap[i]];
      weft_p3dfft3_part(gdims[i], Pdims[i], grid_id[i], &GlobStart[i], &Ldims[i]);
      if (Pdims[i] > 1)
        D[nd++] = i;
      else
        L[local++] = i;
    }
  }
  void set_mo(const int mo[3]) {
    for (int i = 0; i < 3; ++i) MemOrder[i] = mo[i];
  }
  /// What weft is told.
  weft_p3dfft3_side side() const {
    weft_p3dfft3_side told;
    told.comm = Pgrid->mpi_comm_cart;
    for (int i = 0; i < 3; ++i) {
      told.points[i] = Gdims[i];
      told.start[i] = GlobStart[i];
      told.size[i] = Ldims[i];
      told.order[i] = MemOrder[i];
    }
    return told;
  }

 private:
  std::shared_ptr<ProcGrid> kept;
};

/// A one-dimensional transform for each axis.
class trans_type3D {
 public:
  int types[3];
  bool is_set;
  explicit trans_type3D(const int ids[3]) : is_set(true) {
    for (int i = 0; i < 3; ++i) types[i] = ids[i];
  }
};

template <class Type>
struct of_weft {};
template <>
struct of_weft<float> {
  enum { is_complex = 0, is_single = 1 };
};
template <>
struct of_weft<double> {
  enum { is_complex = 0, is_single = 0 };
};
template <>
struct of_weft<mycomplex> {
  enum { is_complex = 1, is_single = 1 };
};
template <>
struct of_weft<complex_double> {
  enum { is_complex = 1, is_single = 0 };
};

/// Transforms along all axes. Planning is collective, and so are runs and letting go of the last
/// copy. The input is left as it is; both arrays may be the same.
template <class Type1, class Type2>
class transform3D {
 public:
  transform3D(const DataGrid& grid1, const DataGrid& grid2, const trans_type3D* type, bool = false,
              bool = false)
      : in(grid1), out(grid2) {
    const weft_p3dfft3_side from = in.side(), to = out.side();
    plan.reset(weft_p3dfft3_plan(&from, &to, type->types, of_weft<Type1>::is_complex,
                                 of_weft<Type2>::is_complex, of_weft<Type1>::is_single),
               weft_p3dfft3_free);
  }
  void exec(Type1* IN, Type2* OUT, bool = false) { weft_p3dfft3_run(plan.get(), IN, OUT); }
  /// The same, and the derivative along axis idir, of a field of the period 2 pi: complex numbers
  /// only.
  void exec_deriv(Type1* IN, Type2* OUT, int idir, bool = false) {
    exec(IN, OUT);
    const weft_p3dfft3_side side = out.side();
    const bool is_halved = out.dim_conj_sym == idir;
    if (!of_weft<Type2>::is_complex) weft_p3dfft3_refuse("a derivative is of complex numbers");
    weft_p3dfft3_derive(&side, OUT, OUT, idir, is_halved ? in.Gdims[idir] : out.Gdims[idir],
                        is_halved, of_weft<Type2>::is_single);
  }

 private:
  DataGrid in, out;
  std::shared_ptr<void> plan;
};

/// Transforms along one axis.
template <class Type1, class Type2>
class transplan {
 public:
  transplan(const DataGrid& grid1, const DataGrid& grid2, int type_ID, int dim, bool = false) {
    const weft_p3dfft3_side from = grid1.side(), to = grid2.side();
    int types[3] = {EMPTY_TYPE, EMPTY_TYPE, EMPTY_TYPE};
    if (dim < 0 || dim > 2) weft_p3dfft3_refuse("axes are 0, 1 and 2");
    types[dim] = type_ID;
    plan.reset(weft_p3dfft3_plan(&from, &to, types, of_weft<Type1>::is_complex,
                                 of_weft<Type2>::is_complex, of_weft<Type1>::is_single),
               weft_p3dfft3_free);
  }
  void exec(char* In, char* Out, bool = false) { weft_p3dfft3_run(plan.get(), In, Out); }

 private:
  std::shared_ptr<void> plan;
};

/// Multiplies by i k along axis idir. A halved axis has 2 (n - 1) points in real space here.
template <class Type>
void compute_deriv(Type* IN, Type* OUT, DataGrid* gr, int idir) {
  static_assert(of_weft<Type>::is_complex == 1, "a derivative is of complex numbers");
  const weft_p3dfft3_side side = gr->side();
  const bool is_halved = gr->dim_conj_sym == idir;
  weft_p3dfft3_derive(&side, IN, OUT, idir, is_halved ? 2 * (gr->Gdims[idir] - 1) : gr->Gdims[idir],
                      is_halved, of_weft<Type>::is_single);
}

}  // namespace p3dfft

extern "C" {
#endif

/* ---- C ---- */

typedef int Type3D;
typedef int Plan3D;
struct Grid_struct {
  int nd;
  int Gdims[3];
  int dim_conj_sym;
  int MemOrder[3];
  int Ldims[3];
  int Pgrid;
  int Dmap[3];
  int L[3];
  int D[3];
  int Pdims[3];
  int grid_id[3];
  int GlobStart[3];
  int weft; /* its number */
};
typedef struct Grid_struct Grid;

void p3dfft_setup(void);
/* Frees all grids, types and plans. Collective. */
void p3dfft_cleanup(void);
int p3dfft_init_proc_grid(int pdims[3], MPI_Comm mpicomm);
Grid* p3dfft_init_data_grid(int gdims[3], int dim_conj_sym, int pgrid, int dmap[3],
                            int mem_order[3]);
void p3dfft_free_proc_grid(int pgrid);
void p3dfft_free_data_grid(Grid* gr);
Type3D p3dfft_init_3Dtype(int type_ids[3]);
Plan3D p3dfft_plan_3Dtrans(Grid* gridIn, Grid* gridOut, Type3D type3D);
int p3dfft_plan_1Dtrans(Grid* gridIn, Grid* gridOut, int type1D, int dim);
/* OW changes nothing: input is left as it is. */
void p3dfft_exec_3Dtrans_double(Plan3D plan, double* in, double* out, int OW);
void p3dfft_exec_3Dtrans_single(Plan3D plan, float* in, float* out, int OW);
void p3dfft_exec_3Dderiv_double(Plan3D plan, double* in, double* out, int idir, int OW);
void p3dfft_exec_3Dderiv_single(Plan3D plan, float* in, float* out, int idir, int OW);
void p3dfft_exec_1Dtrans_double(int plan, double* in, double* out, int OW);
void p3dfft_exec_1Dtrans_single(int plan, float* in, float* out, int OW);
/* The arrays have complex numbers, as spectra do. */
void p3dfft_compute_deriv_double(double* in, double* out, Grid* gr, int idir);
void p3dfft_compute_deriv_single(float* in, float* out, Grid* gr, int idir);
/* The inverse of an order: imo[mo[i]] = i. */
void p3dfft_inv_mo(int mo[3], int imo[3]);

/* What the module for Fortran calls: a process grid of Fortran's communicator, and the data grid of
 * a number. */
int weft_p3dfft3_proc_grid(int pdims[3], int mpicomm);
Grid* weft_p3dfft3_grid(int number);

#ifdef __cplusplus
}
#endif

#endif

// compat/p3dfft3/c_names: P3DFFT++'s interface for C, whose objects have numbers, and what the
// module for Fortran needs besides.
#include <mpi.h>

#include <map>
#include <memory>

#include "p3dfft.h"

namespace {

struct Plan {
  std::shared_ptr<void> of_weft;
  p3dfft::DataGrid in, out;
  bool is_single = false, gives_complex = false;
};

// All objects of C: they live until they are freed, or p3dfft_cleanup.
struct Objects {
  int next = 1;
  std::map<int, std::unique_ptr<p3dfft::ProcGrid>> processes;
  std::map<int, p3dfft::DataGrid> grids;
  std::map<int, p3dfft::trans_type3D> types;
  std::map<int, Plan> plans;
  std::map<int, std::unique_ptr<Grid>> told;
};
Objects objects;

template <class Object>
Object& found(std::map<int, Object>& among, int number, const char* why) {
  const auto at = among.find(number);
  if (at == among.end()) weft_p3dfft3_refuse(why);
  return at->second;
}

p3dfft::DataGrid& grid_of(const Grid* grid) {
  return found(objects.grids, grid->weft, "there is no such data grid, or it was freed");
}

// Whether the numbers of a side are complex, as the types say.
struct Numbers {
  int in = 0, out = 0, is_single = 0;
};

bool is_among(int id, std::initializer_list<int> ids) {
  for (const int one : ids)
    if (id == one) return true;
  return false;
}

Numbers numbers_of(const int types[3]) {
  using namespace p3dfft;
  Numbers numbers;
  for (int i = 0; i < 3; ++i) {
    const int id = types[i];
    const bool to_complex = is_among(id, {R2CFFT_S, R2CFFT_D}),
               to_real = is_among(id, {C2RFFT_S, C2RFFT_D});
    const bool stays_complex =
        is_among(id, {CFFT_FORWARD_S, CFFT_FORWARD_D, CFFT_BACKWARD_S, CFFT_BACKWARD_D,
                      EMPTY_TYPE_SINGLE_COMPLEX, EMPTY_TYPE_DOUBLE_COMPLEX}) ||
        (id >= DCT1_COMPLEX_S && id <= DST4_COMPLEX_D);
    if (to_real || stays_complex) numbers.in = 1;
    if (to_complex || stays_complex) numbers.out = 1;
    // Ids of single and double precision take turns.
    if (id >= R2CFFT_S ? (id - R2CFFT_S) % 2 == 0
                       : is_among(id, {EMPTY_TYPE_SINGLE, EMPTY_TYPE_SINGLE_COMPLEX}))
      numbers.is_single = 1;
  }
  for (int i = 0; i < 3;
       ++i) {  // what is halved last is real before, and what is doubled first is real after
    if (is_among(types[i], {R2CFFT_S, R2CFFT_D})) numbers.in = 0;
    if (is_among(types[i], {C2RFFT_S, C2RFFT_D})) numbers.out = 0;
  }
  return numbers;
}

int add_plan(const Grid* gridIn, const Grid* gridOut, const int types[3]) {
  Plan plan;
  plan.in = grid_of(gridIn);
  plan.out = grid_of(gridOut);
  const Numbers numbers = numbers_of(types);
  plan.is_single = numbers.is_single != 0;
  plan.gives_complex = numbers.out != 0;
  const weft_p3dfft3_side from = plan.in.side(), to = plan.out.side();
  plan.of_weft.reset(
      weft_p3dfft3_plan(&from, &to, types, numbers.in, numbers.out, numbers.is_single),
      weft_p3dfft3_free);
  objects.plans.emplace(objects.next, plan);
  return objects.next++;
}

void run(int number, bool is_single, const void* in, void* out) {
  const Plan& plan = found(objects.plans, number, "there is no such plan");
  if (plan.is_single != is_single)
    weft_p3dfft3_refuse("a plan is run with arrays of another precision");
  weft_p3dfft3_run(plan.of_weft.get(), in, out);
}

void derive(const p3dfft::DataGrid& grid, int points, const void* in, void* out, int idir,
            bool is_single) {
  const weft_p3dfft3_side side = grid.side();
  weft_p3dfft3_derive(&side, in, out, idir, points, grid.dim_conj_sym == idir ? 1 : 0,
                      is_single ? 1 : 0);
}

void run_and_derive(int number, bool is_single, const void* in, void* out, int idir) {
  const Plan& plan = found(objects.plans, number, "there is no such plan");
  if (!plan.gives_complex) weft_p3dfft3_refuse("a derivative is of complex numbers");
  run(number, is_single, in, out);
  if (idir < 0 || idir > 2) weft_p3dfft3_refuse("a derivative is along axis 0, 1 or 2");
  derive(plan.out, plan.out.dim_conj_sym == idir ? plan.in.Gdims[idir] : plan.out.Gdims[idir], out,
         out, idir, is_single);
}

void derive_alone(const Grid* gr, bool is_single, const void* in, void* out, int idir) {
  const p3dfft::DataGrid& grid = grid_of(gr);
  if (idir < 0 || idir > 2) weft_p3dfft3_refuse("a derivative is along axis 0, 1 or 2");
  derive(grid, grid.dim_conj_sym == idir ? 2 * (grid.Gdims[idir] - 1) : grid.Gdims[idir], in, out,
         idir, is_single);
}

}  // namespace

void p3dfft_setup() {}

void p3dfft_cleanup() { objects = Objects(); }

int p3dfft_init_proc_grid(int pdims[3], MPI_Comm mpicomm) {
  objects.processes.emplace(objects.next, std::make_unique<p3dfft::ProcGrid>(pdims, mpicomm));
  return objects.next++;
}

Grid* p3dfft_init_data_grid(int gdims[3], int dim_conj_sym, int pgrid, int dmap[3],
                            int mem_order[3]) {
  auto& processes =
      found(objects.processes, pgrid, "there is no such process grid, or it was freed");
  const p3dfft::DataGrid grid(gdims, dim_conj_sym, processes.get(), dmap, mem_order);
  auto told = std::make_unique<Grid>();
  told->nd = grid.nd;
  told->dim_conj_sym = dim_conj_sym;
  told->Pgrid = pgrid;
  told->weft = objects.next++;
  for (int i = 0; i < 3; ++i) {
    told->Gdims[i] = grid.Gdims[i];
    told->MemOrder[i] = grid.MemOrder[i];
    told->Ldims[i] = grid.Ldims[i];
    told->Dmap[i] = grid.Dmap[i];
    told->L[i] = grid.L[i];
    told->D[i] = grid.D[i];
    told->Pdims[i] = grid.Pdims[i];
    told->grid_id[i] = grid.grid_id[i];
    told->GlobStart[i] = grid.GlobStart[i];
  }
  Grid* const at = told.get();
  objects.grids.emplace(at->weft, grid);
  objects.told.emplace(at->weft, std::move(told));
  return at;
}

void p3dfft_free_proc_grid(int pgrid) { objects.processes.erase(pgrid); }

void p3dfft_free_data_grid(Grid* gr) {
  const int number = gr->weft;
  objects.grids.erase(number);
  objects.told.erase(number);
}

Type3D p3dfft_init_3Dtype(int type_ids[3]) {
  objects.types.emplace(objects.next, p3dfft::trans_type3D(type_ids));
  return objects.next++;
}

Plan3D p3dfft_plan_3Dtrans(Grid* gridIn, Grid* gridOut, Type3D type3D) {
  return add_plan(gridIn, gridOut,
                  found(objects.types, type3D, "there is no such type of a transform").types);
}

int p3dfft_plan_1Dtrans(Grid* gridIn, Grid* gridOut, int type1D, int dim) {
  int types[3] = {p3dfft::EMPTY_TYPE, p3dfft::EMPTY_TYPE, p3dfft::EMPTY_TYPE};
  if (dim < 0 || dim > 2) weft_p3dfft3_refuse("axes are 0, 1 and 2");
  types[dim] = type1D;
  return add_plan(gridIn, gridOut, types);
}

void p3dfft_exec_3Dtrans_double(Plan3D plan, double* in, double* out, int) {
  run(plan, false, in, out);
}
void p3dfft_exec_3Dtrans_single(Plan3D plan, float* in, float* out, int) {
  run(plan, true, in, out);
}
void p3dfft_exec_3Dderiv_double(Plan3D plan, double* in, double* out, int idir, int) {
  run_and_derive(plan, false, in, out, idir);
}
void p3dfft_exec_3Dderiv_single(Plan3D plan, float* in, float* out, int idir, int) {
  run_and_derive(plan, true, in, out, idir);
}
void p3dfft_exec_1Dtrans_double(int plan, double* in, double* out, int) {
  run(plan, false, in, out);
}
void p3dfft_exec_1Dtrans_single(int plan, float* in, float* out, int) { run(plan, true, in, out); }
void p3dfft_compute_deriv_double(double* in, double* out, Grid* gr, int idir) {
  derive_alone(gr, false, in, out, idir);
}
void p3dfft_compute_deriv_single(float* in, float* out, Grid* gr, int idir) {
  derive_alone(gr, true, in, out, idir);
}

void p3dfft_inv_mo(int mo[3], int imo[3]) {
  for (int i = 0; i < 3; ++i) imo[mo[i]] = i;
}

int weft_p3dfft3_proc_grid(int pdims[3], int mpicomm) {
  return p3dfft_init_proc_grid(pdims, MPI_Comm_f2c(static_cast<MPI_Fint>(mpicomm)));
}

Grid* weft_p3dfft3_grid(int number) {
  return found(objects.told, number, "there is no such data grid, or it was freed").get();
}

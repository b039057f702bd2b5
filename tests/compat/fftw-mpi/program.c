// tests/compat/fftw-mpi/program: the functions of FFTW's MPI interface in C, as its manual uses them, compared with direct sums. It is
// linked with FFTW-MPI or with weft; with the argument "weft" it expects weft's plans, with "alone" those of weft without FFTW-MPI.
#include <unistd.h>

#include "uses.h"

static MPI_Comm comm;
static int rank, ranks;
static char said[400];

#define SAY(...) (snprintf(said, sizeof said, __VA_ARGS__), said)

// Plans of weft say so.
static int is_expected_weft = 0, has_original = 1;
static void expect_maker(F(plan) plan, int is_weft) {
  char* const text = F(sprint_plan)(plan);
  expect((strstr(text, "weft-mpi") != NULL) == is_weft, SAY("the plan is %s", text), rank);
  free(text);
}

static const char* flags_of(unsigned flags) {
  static char text[80];
  snprintf(text, sizeof text, "%s%s%s%s", flags & FFTW_MPI_TRANSPOSED_IN ? " transposed in" : "",
           flags & FFTW_MPI_TRANSPOSED_OUT ? " transposed out" : "", flags & FFTW_MPI_SCRAMBLED_IN ? " scrambled in" : "",
           flags & FFTW_MPI_SCRAMBLED_OUT ? " scrambled out" : "");
  return text;
}

static const char* name_of(const char* kind, int rnk, const ptrdiff_t* n, ptrdiff_t howmany, unsigned flags, int in_place) {
  static char text[200];
  int letters = snprintf(text, sizeof text, "%s of ", kind);
  for (int axis = 0; axis < rnk; ++axis)
    letters += snprintf(text + letters, sizeof text - (size_t)letters, "%s%td", axis > 0 ? "x" : "", n[axis]);
  snprintf(text + letters, sizeof text - (size_t)letters, " howmany %td%s%s on %d ranks", howmany, flags_of(flags),
           in_place ? " in place" : "", ranks);
  return text;
}

// A field along a single axis has blocks of its own.
static void dft_1d(ptrdiff_t n, ptrdiff_t howmany, int sign, int in_place) {
  ptrdiff_t ni, is, no, os;
  const ptrdiff_t room = F(mpi_local_size_many_1d)(n, howmany, comm, sign, FFTW_ESTIMATE, &ni, &is, &no, &os);
  pair* const in = F(alloc_complex)((size_t)room);
  pair* const out = in_place ? in : F(alloc_complex)((size_t)room);
  const F(plan) plan = F(mpi_plan_many_dft)(1, &n, howmany, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK, in, out, comm, sign,
                                            FFTW_ESTIMATE);
  const char* const name = name_of(sign < 0 ? "dft" : "inverse dft", 1, &n, howmany, 0, in_place);
  expect(plan != NULL, name, rank);
  field f = some_field(1, &n, howmany, 1);
  put(&f, (part){0, 0, ni, is, 0}, (real*)in, 1);
  F(execute)(plan);
  fourier(&f, 0, sign);
  compare(&f, (part){0, 0, no, os, 0}, (real*)out, 1, name, rank);
  F(destroy_plan)(plan);
  free_field(&f);
  if (!in_place) F(free)(out);
  F(free)(in);
}

// Scrambled spectra are multiplied point by point: a convolution, whatever their order.
static void convolution_1d(ptrdiff_t n) {
  ptrdiff_t ni, is, no, os, ni2, is2, no2, os2;
  ptrdiff_t room = F(mpi_local_size_1d)(n, comm, FFTW_FORWARD, FFTW_MPI_SCRAMBLED_OUT, &ni, &is, &no, &os);
  const ptrdiff_t room2 = F(mpi_local_size_1d)(n, comm, FFTW_BACKWARD, FFTW_MPI_SCRAMBLED_IN, &no2, &os2, &ni2, &is2);
  if (room2 > room) room = room2;
  pair* const a = F(alloc_complex)((size_t)room);
  pair* const b = F(alloc_complex)((size_t)room);
  const F(plan) there = F(mpi_plan_dft_1d)(n, a, a, comm, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT);
  const F(plan) back = F(mpi_plan_dft_1d)(n, a, a, comm, FFTW_BACKWARD, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_IN);
  const char* const name = SAY("a convolution of %td points on %d ranks", n, ranks);
  expect((there != NULL) == (ranks > 1) && (back != NULL) == (ranks > 1), "scrambled plans are for several ranks", rank);
  if (there != NULL && back != NULL) {
    field x = some_field(1, &n, 1, 1), y = some_field(1, &n, 1, 0), sum = some_field(1, &n, 1, 1);
    put(&x, (part){0, 0, ni, is, 0}, (real*)a, 1);
    put(&y, (part){0, 0, ni, is, 0}, (real*)b, 1);
    F(execute)(there);
    F(mpi_execute_dft)(there, b, b);
    for (ptrdiff_t i = 0; i < no; ++i) a[i] *= b[i];
    F(execute)(back);
    for (ptrdiff_t k = 0; k < n; ++k) {
      sum.at[k] = 0;
      for (ptrdiff_t j = 0; j < n; ++j) sum.at[k] += (number)n * x.at[j] * y.at[(k - j + n) % n];
    }
    compare(&sum, (part){0, 0, ni2, is2, 0}, (real*)a, 1, name, rank);
    free_field(&x);
    free_field(&y);
    free_field(&sum);
  }
  F(destroy_plan)(there);
  F(destroy_plan)(back);
  F(free)(a);
  F(free)(b);
}

// The parts of a rank: axis 0 is divided, or axis 1 where a side is transposed. `n` has the complex numbers of rows.
typedef struct {
  ptrdiff_t room, block0, block1;
  part natural, transposed;
} parts;

// Larger than by default, but not so large that a single rank has all: FFTW-MPI 3.3.10 then writes beyond the memory that it asks for.
static ptrdiff_t own_block(ptrdiff_t n) {
  const ptrdiff_t usual = (n + ranks - 1) / ranks;
  return usual + 1 < n ? usual + 1 : usual;
}

static parts parts_of(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, int has_own_blocks) {
  parts p = {0};
  p.block0 = has_own_blocks ? own_block(n[0]) : FFTW_MPI_DEFAULT_BLOCK;
  p.block1 = has_own_blocks ? own_block(n[1]) : FFTW_MPI_DEFAULT_BLOCK;
  p.transposed.axis = p.transposed.is_exchanged = 1;
  p.room = F(mpi_local_size_many_transposed)(rnk, n, howmany, p.block0, p.block1, comm, &p.natural.n, &p.natural.start,
                                             &p.transposed.n, &p.transposed.start);
  return p;
}

static void dft(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, int sign, unsigned flags, int in_place, int has_own_blocks) {
  const parts p = parts_of(rnk, n, howmany, has_own_blocks);
  const int is_in = (flags & FFTW_MPI_TRANSPOSED_IN) != 0, is_out = (flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
  pair* const in = F(alloc_complex)((size_t)p.room);
  pair* const out = in_place ? in : F(alloc_complex)((size_t)p.room);
  const F(plan) plan = F(mpi_plan_many_dft)(rnk, n, howmany, is_in ? p.block1 : p.block0, is_out ? p.block1 : p.block0, in, out,
                                            comm, sign, flags | FFTW_ESTIMATE);
  const char* const name = name_of(sign < 0 ? "dft" : "inverse dft", rnk, n, howmany, flags, in_place);
  expect(plan != NULL, name, rank);
  field f = some_field(rnk, n, howmany, 1);
  put(&f, is_in ? p.transposed : p.natural, (real*)in, 1);
  F(execute)(plan);
  for (int axis = 0; axis < rnk; ++axis) fourier(&f, axis, sign);
  compare(&f, is_out ? p.transposed : p.natural, (real*)out, 1, name, rank);
  F(destroy_plan)(plan);
  free_field(&f);
  if (!in_place) F(free)(out);
  F(free)(in);
}

// Real rows have room for 2(n/2+1) numbers; then back again, from new arrays. `n` are real points.
static void dft_r2c(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, int is_transposed, int in_place, int has_own_blocks) {
  ptrdiff_t half[8];
  memcpy(half, n, (size_t)rnk * sizeof *n);
  half[rnk - 1] = n[rnk - 1] / 2 + 1;
  const parts p = parts_of(rnk, half, howmany, has_own_blocks);
  part of_real = p.natural;
  of_real.row = 2 * half[rnk - 1];
  const part of_complex = is_transposed ? p.transposed : p.natural;
  const ptrdiff_t block = is_transposed ? p.block1 : p.block0;
  real* const r = F(alloc_real)(2 * (size_t)p.room);
  pair* const c = in_place ? (pair*)r : F(alloc_complex)((size_t)p.room);
  const F(plan) there = F(mpi_plan_many_dft_r2c)(rnk, n, howmany, p.block0, block, r, c, comm,
                                                 FFTW_ESTIMATE | (is_transposed ? FFTW_MPI_TRANSPOSED_OUT : 0));
  const F(plan) back = F(mpi_plan_many_dft_c2r)(rnk, n, howmany, block, p.block0, c, r, comm,
                                                FFTW_ESTIMATE | (is_transposed ? FFTW_MPI_TRANSPOSED_IN : 0));
  const unsigned flags = is_transposed ? FFTW_MPI_TRANSPOSED_OUT : 0;
  expect(there != NULL && back != NULL, name_of("r2c", rnk, n, howmany, flags, in_place), rank);
  field f = some_field(rnk, n, howmany, 0), spectrum = some_field(rnk, half, howmany, 1), x = some_field(rnk, n, howmany, 0);
  put(&f, of_real, r, 0);
  F(execute)(there);
  for (int axis = 0; axis < rnk; ++axis) fourier(&f, axis, -1);
  const ptrdiff_t row = n[rnk - 1] * howmany, kept = half[rnk - 1] * howmany;
  for (ptrdiff_t i = 0; i < points_of(rnk, half) * howmany; ++i) spectrum.at[i] = f.at[i / kept * row + i % kept];
  compare(&spectrum, of_complex, (real*)c, 1, name_of("r2c", rnk, n, howmany, flags, in_place), rank);
  real* const r2 = F(alloc_real)(2 * (size_t)p.room);
  pair* const c2 = in_place ? (pair*)r2 : F(alloc_complex)((size_t)p.room);
  memcpy(c2, c, (size_t)p.room * sizeof *c);
  F(mpi_execute_dft_c2r)(back, c2, r2);
  for (ptrdiff_t i = 0; i < points_of(rnk, n) * howmany; ++i) x.at[i] *= points_of(rnk, n);
  compare(&x, of_real, r2, 0, name_of("c2r", rnk, n, howmany, flags, in_place), rank);
  F(destroy_plan)(there);
  F(destroy_plan)(back);
  free_field(&f);
  free_field(&x);
  free_field(&spectrum);
  if (!in_place) F(free)(c), F(free)(c2);
  F(free)(r);
  F(free)(r2);
}

static void r2r(int rnk, const ptrdiff_t* n, ptrdiff_t howmany, const F(r2r_kind) * kinds, unsigned flags, int in_place) {
  const parts p = parts_of(rnk, n, howmany, 0);
  const int is_in = (flags & FFTW_MPI_TRANSPOSED_IN) != 0, is_out = (flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
  real* const in = F(alloc_real)((size_t)p.room);
  real* const out = in_place ? in : F(alloc_real)((size_t)p.room);
  const F(plan) plan = F(mpi_plan_many_r2r)(rnk, n, howmany, 0, 0, in, out, comm, kinds, flags | FFTW_ESTIMATE);
  const char* const name = name_of("r2r", rnk, n, howmany, flags, in_place);
  expect(plan != NULL, name, rank);
  field f = some_field(rnk, n, howmany, 0);
  put(&f, is_in ? p.transposed : p.natural, in, 0);
  F(mpi_execute_r2r)(plan, in, out);
  for (int axis = 0; axis < rnk; ++axis) real_kind(&f, axis, kinds[axis]);
  compare(&f, is_out ? p.transposed : p.natural, out, 0, name, rank);
  F(destroy_plan)(plan);
  free_field(&f);
  if (!in_place) F(free)(out);
  F(free)(in);
}

// The flags say whether a side lies transposed to what is usual, which is exchanged for the output.
static void transpose(const ptrdiff_t* n, ptrdiff_t howmany, unsigned flags, int in_place, int has_own_blocks) {
  parts p = parts_of(2, n, howmany, has_own_blocks);
  p.natural.is_exchanged = (flags & FFTW_MPI_TRANSPOSED_IN) != 0;
  p.transposed.is_exchanged = (flags & FFTW_MPI_TRANSPOSED_OUT) == 0;
  real* const in = F(alloc_real)((size_t)p.room);
  real* const out = in_place ? in : F(alloc_real)((size_t)p.room);
  const F(plan) plan = F(mpi_plan_many_transpose)(n[0], n[1], howmany, p.block0, p.block1, in, out, comm, flags | FFTW_ESTIMATE);
  const char* const name = name_of("transpose", 2, n, howmany, flags, in_place);
  expect(plan != NULL, name, rank);
  field f = some_field(2, n, howmany, 0);
  put(&f, p.natural, in, 0);
  F(execute)(plan);
  compare(&f, p.transposed, out, 0, name, rank);
  F(destroy_plan)(plan);
  free_field(&f);
  if (!in_place) F(free)(out);
  F(free)(in);
}

static void c2c_problems(void) {
  const ptrdiff_t fields[][5] = {{2, 10, 6}, {2, 3, 11}, {3, 8, 6, 5}, {3, 3, 7, 4}, {4, 4, 3, 2, 5}};
  const unsigned flags[] = {0, FFTW_MPI_TRANSPOSED_OUT, FFTW_MPI_TRANSPOSED_IN,
                            FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT};
  for (int i = 0; i < 5; ++i)
    for (int f = 0; f < 4; ++f) dft((int)fields[i][0], fields[i] + 1, i == 2 ? 3 : 1, (i + f) % 2 ? 1 : -1, flags[f], (i / 2 + f) % 2, i % 2);
  const ptrdiff_t lines[] = {1, 7, 12, 24, 36, 50};
  for (int i = is_expected_weft ? 0 : 1; i < 6; ++i) {  // FFTW-MPI 3.3.10 ends the program for a single point
    dft_1d(lines[i], 1, -1, i % 2);
    dft_1d(lines[i], 1, 1, (i + 1) % 2);
  }
  dft_1d(24, 3, -1, 0);
  dft_1d(10, 8, 1, 1);
  convolution_1d(24);
}

static void real_problems(void) {
  const ptrdiff_t fields[][5] = {{2, 10, 6}, {2, 5, 9}, {3, 6, 8, 5}, {3, 3, 4, 6}, {4, 4, 3, 2, 5}};
  for (int i = 0; i < 5; ++i)
    for (int is_transposed = 0; is_transposed < 2; ++is_transposed)
      dft_r2c((int)fields[i][0], fields[i] + 1, i == 3 ? 2 : 1, is_transposed, (i + is_transposed) % 2, i % 2);
  const F(r2r_kind) kinds[][3] = {{FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01},
                                  {FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10},
                                  {FFTW_RODFT01, FFTW_RODFT11, FFTW_REDFT10}};
  const ptrdiff_t n[] = {6, 5, 7};
  r2r(3, n, 1, kinds[0], 0, 0);
  r2r(3, n, 2, kinds[1], FFTW_MPI_TRANSPOSED_OUT, 1);
  r2r(3, n, 1, kinds[2], FFTW_MPI_TRANSPOSED_IN, 0);
  r2r(2, n, 1, kinds[1], 0, 1);
  const ptrdiff_t matrix[] = {9, 4};
  const unsigned flags[] = {0, FFTW_MPI_TRANSPOSED_OUT, FFTW_MPI_TRANSPOSED_IN,
                            FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT};
  for (int f = 0; f < 4; ++f)
    for (int howmany = 1; howmany < 5; ++howmany) transpose(matrix, howmany, flags[f], (f + howmany / 2) % 2, howmany % 2);
}

// What weft lacks is FFTW's; where there is none of it, there is no plan.
static void handed_on(void) {
  const ptrdiff_t n[] = {6, 5};
  const F(r2r_kind) kinds[] = {FFTW_DHT, FFTW_REDFT10};
  if (has_original) {
    r2r(2, n, 1, kinds, 0, 0);
    return;
  }
  real* const array = F(alloc_real)(60);
  expect(F(mpi_plan_r2r)(2, n, array, array, comm, kinds, FFTW_ESTIMATE) == NULL, "there is no Hartley transform", rank);
  F(free)(array);
}

// There is no such plan.
static void refused(void) {
  const ptrdiff_t n[] = {8, 6}, line = 12;
  pair* const a = F(alloc_complex)(200);
  expect(F(mpi_plan_dft)(2, n, a, a, comm, -1, FFTW_ESTIMATE | FFTW_MPI_SCRAMBLED_OUT) == NULL, "scrambled in 2 dimensions", rank);
  expect(F(mpi_plan_dft_1d)(line, a, a, comm, -1, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT) == NULL, "transposed in 1", rank);
  expect(F(mpi_plan_dft_r2c)(1, &line, (real*)a, a, comm, FFTW_ESTIMATE) == NULL, "real in 1 dimension", rank);
  expect(F(mpi_plan_dft_r2c_2d)(8, 6, (real*)a, a, comm, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_IN) == NULL, "real transposed in", rank);
  expect(F(mpi_plan_dft_c2r_2d)(8, 6, a, (real*)a, comm, FFTW_ESTIMATE | FFTW_MPI_TRANSPOSED_OUT) == NULL, "real transposed out", rank);
  expect(ranks == 1 || F(mpi_plan_many_dft)(2, n, 1, 1, 1, a, a, comm, -1, FFTW_ESTIMATE) == NULL || ranks >= 8, "too many blocks", rank);
  expect(F(mpi_plan_dft_2d)(0, 6, a, a, comm, -1, FFTW_ESTIMATE) == NULL, "no points", rank);
  expect(F(mpi_plan_dft_2d)(8, 6, a, a, comm, -1, FFTW_WISDOM_ONLY) == NULL, "no wisdom", rank);
  F(free)(a);
}

// Serial plans and plans of all ranks go through the same functions.
static void mixed(void) {
  pair* const a = F(alloc_complex)(64);
  pair* const b = F(alloc_complex)(64);
  const F(plan) serial = F(plan_dft_1d)(8, a, a, FFTW_FORWARD, FFTW_ESTIMATE);
  const F(plan) ours = F(mpi_plan_dft_2d)(8, 8, b, b, comm, FFTW_FORWARD, FFTW_MEASURE);
  expect_maker(serial, 0);
  expect_maker(ours, is_expected_weft);
  for (int i = 0; i < 64; ++i) a[i] = b[i] = i == 0 && rank == 0;
  ptrdiff_t rows, first;
  F(mpi_local_size_2d)(8, 8, comm, &rows, &first);
  F(execute)(serial);
  F(execute)(ours);
  expect(fabs((double)creal(a[5]) - (rank == 0)) < 1e-6, "the transform of a one", rank);
  expect(fabs((double)creal(b[5]) - (rows > 0)) < 1e-6, "the transform of a one on all ranks", rank);
  double add = -1, mul = -1, fma = -1;
  F(flops)(ours, &add, &mul, &fma);
  expect(add >= 0 && mul >= 0 && fma >= 0 && F(cost)(ours) >= 0 && F(estimate_cost)(ours) >= 0, "a plan has a cost", rank);
  add = mul = fma = -1;
  F(flops)(serial, &add, &mul, &fma);
  expect(add >= 0 && mul >= 0 && fma >= 0, "and a serial one", rank);
  F(destroy_plan)(serial);
  F(destroy_plan)(ours);
  F(destroy_plan)(NULL);
  F(free)(a);
  F(free)(b);
}

static void wisdom(void) {
  pair* const a = F(alloc_complex)(128);
  if (rank == ranks - 1) F(destroy_plan)(F(plan_dft_1d)(126, a, a, FFTW_FORWARD, FFTW_MEASURE));
  /* A message of the program's own is under way. */
  MPI_Request sent = MPI_REQUEST_NULL;
  int mine = rank, arrived = ranks - 1;
  if (ranks > 1 && rank == ranks - 1) MPI_Isend(&mine, 1, MPI_INT, 0, 0, comm, &sent);
  F(mpi_gather_wisdom)(comm);
  F(mpi_broadcast_wisdom)(comm);
  if (ranks > 1 && rank == 0) MPI_Recv(&arrived, 1, MPI_INT, ranks - 1, 0, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  expect(arrived == ranks - 1, "messages of the program are left to it", rank);
  const F(plan) known = F(plan_dft_1d)(126, a, a, FFTW_FORWARD, FFTW_WISDOM_ONLY | FFTW_MEASURE);
  expect(known != NULL, "every rank knows what the last one has measured", rank);
  F(destroy_plan)(known);
  F(forget_wisdom)();
  F(free)(a);
}

static void all(void) {
  c2c_problems();
  real_problems();
  handed_on();
  refused();
  mixed();
  wisdom();
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  F(mpi_init)();
  is_expected_weft = argc > 1;
  has_original = argc < 2 || strcmp(argv[1], "alone") != 0;
  int me = 0, everyone = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &everyone);
  const int numbers[] = {1, 2, 3, 4, 6, 7};
  for (int i = 0; i < 6 && numbers[i] <= everyone; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, me < numbers[i] ? 0 : MPI_UNDEFINED, me, &comm);
    if (comm != MPI_COMM_NULL) {
      MPI_Comm_rank(comm, &rank);
      MPI_Comm_size(comm, &ranks);
      all();
      MPI_Comm_free(&comm);
    }
    // Ranks that wait leave the processors to the others.
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done;) usleep(2000);
  }
  int sums[2] = {failures, checks};
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("%d of %d checks failed\n", sums[0], sums[1]);
  F(mpi_cleanup)();
  MPI_Finalize();
  return sums[0] == 0 && sums[1] > 100 ? 0 : 1;
}

// program: transforms fields with P3DFFT++'s classes, and compares with direct sums.
#include <mpi.h>
#include <p3dfft.h>

#include <vector>

extern "C" {
int held_next_communicator(void);
int held_descriptors(void);
long long held_bytes(void);
}

namespace {

using p3dfft::complex_double;
using p3dfft::DataGrid;
using p3dfft::mycomplex;
using p3dfft::ProcGrid;
using Whole = std::vector<complex_double>;

const double pi = std::acos(-1.0);
const int in_order[3] = {0, 1, 2}, z_first[3] = {1, 2, 0}, turned[3] = {2, 1, 0};

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "expected: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

std::size_t place(const int n[3], int i, int j, int k) {
  return static_cast<std::size_t>((i * n[1] + j) * n[2] + k);
}

Whole whole_field(const int n[3], bool is_real) {
  Whole field(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k)
        field[place(n, i, j, k)] = {std::sin(1.3 * i * j + 0.7 * k + i),
                                    is_real ? 0 : std::cos(0.9 * i + 2.1 * j * k)};
  return field;
}

// The factor of point j in coefficient k: 'f' for Fourier, and cosines and sines 1 to 4 as "c1" has
// them.
complex_double factor(const char* kind, int n, int j, int k) {
  if (kind[0] == 'f') return std::polar(1.0, -2 * pi * (j * k % n) / n);
  if (kind[0] == 'e') return j == k ? 1 : 0;
  const bool is_cosine = kind[0] == 'c';
  const double twice = 2;
  switch (kind[1]) {
    case '1':
      return is_cosine ? (j == 0 || j == n - 1 ? 1 : twice) * std::cos(pi * j * k / (n - 1))
                       : twice * std::sin(pi * (j + 1) * (k + 1) / (n + 1));
    case '2':
      return is_cosine ? twice * std::cos(pi * (j + 0.5) * k / n)
                       : twice * std::sin(pi * (j + 0.5) * (k + 1) / n);
    case '3':
      return is_cosine ? (j == 0 ? 1 : twice) * std::cos(pi * j * (k + 0.5) / n)
                       : (j == n - 1 ? (k % 2 == 0 ? 1 : -1)
                                     : twice * std::sin(pi * (j + 1) * (k + 0.5) / n));
    default:
      return is_cosine ? twice * std::cos(pi * (j + 0.5) * (k + 0.5) / n)
                       : twice * std::sin(pi * (j + 0.5) * (k + 0.5) / n);
  }
}

Whole along(const Whole& field, const int n[3], int axis, const char* kind) {
  const int steps[3] = {n[1] * n[2], n[2], 1};
  Whole sums(field.size());
  for (int at = 0; at < static_cast<int>(field.size()); ++at) {
    const int k = at / steps[axis] % n[axis], first = at - k * steps[axis];
    complex_double sum = 0;
    for (int j = 0; j < n[axis]; ++j)
      sum += factor(kind, n[axis], j, k) * field[static_cast<std::size_t>(first + j * steps[axis])];
    sums[static_cast<std::size_t>(at)] = sum;
  }
  return sums;
}

template <class Real>
void set(Real& number, const complex_double& value) {
  number = static_cast<Real>(value.real());
}
template <class Real>
void set(std::complex<Real>& number, const complex_double& value) {
  number = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
}

// This rank's part of a field, by the order of its axes in memory.
template <class Type>
std::vector<Type> part(const DataGrid& grid, const Whole& field, const int n[3]) {
  std::vector<Type> mine(static_cast<std::size_t>(grid.Ldims[0]) *
                         static_cast<std::size_t>(grid.Ldims[1] * grid.Ldims[2]));
  int strides[3];
  for (int a = 0; a < 3; ++a) {
    strides[a] = 1;
    for (int b = 0; b < 3; ++b)
      if (grid.MemOrder[b] < grid.MemOrder[a]) strides[a] *= grid.Ldims[b];
  }
  for (int i = 0; i < grid.Ldims[0]; ++i)
    for (int j = 0; j < grid.Ldims[1]; ++j)
      for (int k = 0; k < grid.Ldims[2]; ++k)
        set(mine[static_cast<std::size_t>(i * strides[0] + j * strides[1] + k * strides[2])],
            field[place(n, grid.GlobStart[0] + i, grid.GlobStart[1] + j, grid.GlobStart[2] + k)]);
  return mine;
}

template <class Type>
void expect_close(const std::vector<Type>& found, const std::vector<Type>& wanted, double scale,
                  double error, const char* what) {
  expect(found.size() == wanted.size(), what);
  for (std::size_t i = 0; i < found.size(); ++i)
    expect(std::abs(complex_double(found[i]) * scale - complex_double(wanted[i])) < error, what);
}

// The processes as 1 x P1 x P2.
ProcGrid pencils() {
  int ranks = 1, dims[2] = {0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  const int procs[3] = {1, dims[1], dims[0]};
  return ProcGrid(procs, MPI_COMM_WORLD);
}

template <class Real>
void real_fields(const int (&n)[3], double error) {
  using Complex = std::complex<Real>;
  const bool is_single = sizeof(Real) == 4;
  ProcGrid processes = pencils();
  const int to_x[3] = {0, 1, 2}, to_z[3] = {2, 0, 1}, half[3] = {n[0] / 2 + 1, n[1], n[2]};
  const DataGrid space(n, -1, &processes, to_x, in_order),
      waves(half, 0, &processes, to_z, z_first);
  const int forward[3] = {is_single ? p3dfft::R2CFFT_S : p3dfft::R2CFFT_D,
                          is_single ? p3dfft::CFFT_FORWARD_S : p3dfft::CFFT_FORWARD_D,
                          is_single ? p3dfft::CFFT_FORWARD_S : p3dfft::CFFT_FORWARD_D};
  const int backward[3] = {is_single ? p3dfft::C2RFFT_S : p3dfft::C2RFFT_D,
                           is_single ? p3dfft::CFFT_BACKWARD_S : p3dfft::CFFT_BACKWARD_D,
                           is_single ? p3dfft::CFFT_BACKWARD_S : p3dfft::CFFT_BACKWARD_D};
  p3dfft::trans_type3D to_waves(forward), to_space(backward);
  p3dfft::transform3D<Real, Complex> there(space, waves, &to_waves);
  p3dfft::transform3D<Complex, Real> back(waves, space, &to_space);
  const Whole field = whole_field(n, true);
  Whole spectrum = along(along(along(field, n, 0, "f"), n, 1, "f"), n, 2, "f");
  std::vector<Real> u = part<Real>(space, field, n), w(u.size());
  std::vector<Complex> v(part<Complex>(waves, spectrum, n).size());
  const double points = n[0] * n[1] * n[2];
  there.exec(u.data(), v.data(), false);
  expect_close(v, part<Complex>(waves, spectrum, n), 1, error * points,
               "a spectrum of real numbers");
  back.exec(v.data(), w.data(), true);
  expect_close(w, u, 1 / points, error * 10, "real numbers come back");
  for (int axis = 0; axis < 3; ++axis) {
    Whole derived = spectrum;
    for (int i = 0; i < n[0]; ++i)
      for (int j = 0; j < n[1]; ++j)
        for (int k = 0; k < n[2]; ++k) {
          const int at[3] = {i, j, k};
          const int wave = 2 * at[axis] == n[axis]  ? 0
                           : 2 * at[axis] > n[axis] ? at[axis] - n[axis]
                                                    : at[axis];
          derived[place(n, i, j, k)] *= complex_double(0, wave);
        }
    there.exec_deriv(u.data(), v.data(), axis, false);
    expect_close(v, part<Complex>(waves, derived, n), 1, error * points * n[axis], "a derivative");
  }
}

void complex_fields(const int (&n)[3]) {
  ProcGrid processes = pencils();
  const int to_x[3] = {0, 1, 2}, to_y[3] = {1, 0, 2};
  const DataGrid from(n, -1, &processes, to_x, z_first), to(n, -1, &processes, to_y, turned);
  const int forward[3] = {p3dfft::CFFT_FORWARD_D, p3dfft::CFFT_FORWARD_D, p3dfft::CFFT_FORWARD_D};
  const int backward[3] = {p3dfft::CFFT_BACKWARD_D, p3dfft::CFFT_BACKWARD_D,
                           p3dfft::CFFT_BACKWARD_D};
  p3dfft::trans_type3D minus(forward), plus(backward);
  p3dfft::transform3D<complex_double, complex_double> there(from, to, &minus),
      back(to, from, &plus);
  const Whole field = whole_field(n, false),
              spectrum = along(along(along(field, n, 0, "f"), n, 1, "f"), n, 2, "f");
  std::vector<complex_double> u = part<complex_double>(from, field, n),
                              wanted = part<complex_double>(to, spectrum, n);
  std::vector<complex_double> both(std::max(u.size(), wanted.size()));
  std::copy(u.begin(), u.end(), both.begin());
  there.exec(both.data(), both.data(), true);
  expect_close(std::vector<complex_double>(
                   both.begin(), both.begin() + static_cast<std::ptrdiff_t>(wanted.size())),
               wanted, 1, 1e-11, "in place");
  back.exec(both.data(), both.data(), true);
  expect_close(std::vector<complex_double>(both.begin(),
                                           both.begin() + static_cast<std::ptrdiff_t>(u.size())),
               u, 1.0 / (n[0] * n[1] * n[2]), 1e-13, "in place, back");
}

// Sines and cosines of real numbers along all axes, and of complex ones beside a transform of real
// numbers.
void sines_and_cosines(const int (&n)[3]) {
  using namespace p3dfft;
  ProcGrid processes = pencils();
  const int to_x[3] = {0, 1, 2}, to_z[3] = {2, 0, 1}, half[3] = {n[0], n[1] / 2 + 1, n[2]};
  const DataGrid space(n, -1, &processes, to_x, in_order), same(n, -1, &processes, to_z, turned),
      waves(half, 1, &processes, to_z, z_first);
  const Whole field = whole_field(n, true);
  const std::vector<double> u = part<double>(space, field, n);
  const struct {
    int ids[3];
    const char* kinds[3];
  } cases[] = {{{DCT1_REAL_D, DCT2_REAL_D, DCT3_REAL_D}, {"c1", "c2", "c3"}},
               {{DST1_REAL_D, DST2_REAL_D, DST3_REAL_D}, {"s1", "s2", "s3"}},
               {{DCT4_REAL_D, DST4_REAL_D, EMPTY_TYPE_DOUBLE}, {"c4", "s4", "e"}}};
  for (const auto& one : cases) {
    trans_type3D type(one.ids);
    transform3D<double, double> there(space, same, &type);
    std::vector<double> v(part<double>(same, field, n).size());
    std::vector<double> in = u;
    there.exec(in.data(), v.data(), false);
    expect_close(v,
                 part<double>(same,
                              along(along(along(field, n, 0, one.kinds[0]), n, 1, one.kinds[1]), n,
                                    2, one.kinds[2]),
                              n),
                 1, 1e-10, "sines and cosines");
  }
  const int forward[3] = {DCT2_COMPLEX_D, R2CFFT_D, DST1_COMPLEX_D},
            backward[3] = {DCT3_COMPLEX_D, C2RFFT_D, DST1_COMPLEX_D};
  trans_type3D to_waves(forward), to_space(backward);
  transform3D<double, complex_double> there(space, waves, &to_waves);
  transform3D<complex_double, double> back(waves, space, &to_space);
  const Whole spectrum = along(along(along(field, n, 0, "c2"), n, 1, "f"), n, 2, "s1");
  std::vector<double> in = u, w(u.size());
  std::vector<complex_double> v(part<complex_double>(waves, spectrum, n).size());
  there.exec(in.data(), v.data(), false);
  expect_close(v, part<complex_double>(waves, spectrum, n), 1, 1e-10, "mixed transforms");
  back.exec(v.data(), w.data(), false);
  expect_close(w, u, 1.0 / (2 * n[0] * n[1] * 2 * (n[2] + 1)), 1e-13, "mixed transforms come back");
}

void one_axis(const int (&n)[3]) {
  using namespace p3dfft;
  ProcGrid processes = pencils();
  for (int axis = 0; axis < 3; ++axis) {
    int map[3], next = 1;
    for (int a = 0; a < 3; ++a) map[a] = a == axis ? 0 : next++;
    const DataGrid from(n, -1, &processes, map, z_first), to(n, -1, &processes, map, turned);
    const Whole field = whole_field(n, false);
    std::vector<complex_double> u = part<complex_double>(from, field, n), v(u.size());
    transplan<complex_double, complex_double> cosines(from, to, DCT1_COMPLEX_D, axis),
        there(from, to, CFFT_FORWARD_D, axis), back(from, to, CFFT_BACKWARD_D, axis);
    cosines.exec(reinterpret_cast<char*>(u.data()), reinterpret_cast<char*>(v.data()), false);
    expect_close(v, part<complex_double>(to, along(field, n, axis, "c1"), n), 1, 1e-11,
                 "cosines along one axis");
    there.exec(reinterpret_cast<char*>(u.data()), reinterpret_cast<char*>(v.data()), false);
    expect_close(v, part<complex_double>(to, along(field, n, axis, "f"), n), 1, 1e-11, "one axis");
    back.exec(reinterpret_cast<char*>(u.data()), reinterpret_cast<char*>(v.data()), false);
    Whole conjugate = field;
    for (complex_double& x : conjugate) x = std::conj(x);
    conjugate = along(conjugate, n, axis, "f");
    for (complex_double& x : conjugate) x = std::conj(x);
    expect_close(v, part<complex_double>(to, conjugate, n), 1, 1e-11,
                 "one axis with the other sign");
  }
}

// What the first grid has must be told, remainders to the last ranks.
void grids_are_told() {
  ProcGrid processes = pencils();
  const int n[3] = {4, 11, 13}, map[3] = {0, 1, 2};
  const DataGrid grid(n, -1, &processes, map, turned);
  const DataGrid copy = grid;
  expect(grid.Ldims[0] == 4 && grid.GlobStart[0] == 0 && grid.Pdims[1] == processes.ProcDims[1],
         "a grid is told");
  expect(grid.grid_id[1] == processes.taskid % processes.ProcDims[1],
         "tasks next to each other are along the first divided axis");
  const bool is_last = grid.grid_id[2] == grid.Pdims[2] - 1;
  expect(grid.Ldims[2] == n[2] / grid.Pdims[2] +
                              (grid.grid_id[2] >= grid.Pdims[2] - n[2] % grid.Pdims[2] ? 1 : 0),
         "the last ones have more");
  expect(!is_last || grid.GlobStart[2] + grid.Ldims[2] == n[2],
         "the last one ends where the grid does");
  int size = 0;
  MPI_Comm_size(processes.mpicomm[1], &size);
  expect(size == processes.ProcDims[1] && copy.MemOrder[0] == 2, "communicators of the axes");
}

void many_leave_nothing() {
  int next = 0, descriptors = 0, ranks = 1;
  long long bytes = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n[3] = {6, 4, 5}, map[3] = {0, 1, 2},
            ids[3] = {p3dfft::CFFT_FORWARD_D, p3dfft::CFFT_FORWARD_D, p3dfft::CFFT_FORWARD_D};
  for (int i = 0; i <= (ranks == 1 ? 510 : 60); ++i) {
    if (i == 10 || i == 510 || (i == 60 && ranks > 1)) {
      const int now = held_next_communicator();
      expect(i == 10 || (now == next && held_descriptors() == descriptors &&
                         held_bytes() - bytes < 100000),
             "nothing is left");
      next = now;
      descriptors = held_descriptors();
      bytes = held_bytes();
    }
    ProcGrid processes = pencils();
    const DataGrid grid(n, -1, &processes, map, in_order);
    p3dfft::trans_type3D type(ids);
    p3dfft::transform3D<complex_double, complex_double> there(grid, grid, &type);
    std::vector<complex_double> u(120);
    there.exec(u.data(), u.data());
  }
}

void refuse(const std::string& what) {
  using namespace p3dfft;
  ProcGrid processes = pencils();
  const int n[3] = {8, 8, 8}, map[3] = {0, 1, 2};
  const DataGrid grid(n, -1, &processes, map, in_order);
  const int mixed[3] = {CFFT_FORWARD_D, CFFT_BACKWARD_D, CFFT_FORWARD_D},
            real[3] = {R2CFFT_D, CFFT_FORWARD_D, CFFT_FORWARD_D},
            single[3] = {CFFT_FORWARD_S, CFFT_FORWARD_S, CFFT_FORWARD_S};
  trans_type3D type(what == "mixed" ? mixed : what == "size" ? real : single);
  if (what == "size") {
    transform3D<double, complex_double> plan(grid, grid, &type);
  } else {
    transform3D<complex_double, complex_double> plan(grid, grid, &type);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  p3dfft::setup();
  if (argc > 1) refuse(argv[1]);
  grids_are_told();
  real_fields<double>({8, 6, 5}, 1e-15);
  complex_fields({5, 8, 7});
  sines_and_cosines({5, 6, 7});
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 4) {  // plans cost time on many ranks
    real_fields<double>({7, 9, 11}, 1e-15);
    real_fields<float>({8, 7, 5}, 5e-7);
    one_axis({5, 6, 7});
    many_leave_nothing();
  }
  p3dfft::cleanup();
  MPI_Finalize();
  if (rank == 0) std::printf("all is as expected\n");
  return 0;
}

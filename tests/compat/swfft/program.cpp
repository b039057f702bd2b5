// program: moves and transforms fields with SWFFT's classes, and compares with direct sums.
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "AlignedAllocator.h"
#include "Dfft.hpp"
#include "Distribution.hpp"
#include "TimingStats.h"

using hacc::Dfft;
using hacc::Distribution;

extern "C" {
int held_next_communicator(void);
int held_descriptors(void);
long long held_bytes(void);
}

namespace {

using Numbers = std::vector<complex_t, hacc::AlignedAllocator<complex_t, 16>>;

void expect(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "expected: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

complex_t value_at(int i, int j, int k) {
  return {std::sin(1.3 * i * j + 0.7 * k), std::cos(0.9 * i + 2.1 * j * k)};
}

// The points of a place in a process grid, by the axes in the order in which they lie; `turned`
// says whose indices run downwards.
template <class Use>
void for_points(const int (&self)[3], const int (&n)[3], const int (&order)[3], int turned,
                Use use) {
  std::size_t next = 0;
  int at[3];
  for (int a = 0; a < n[order[0]]; ++a)
    for (int b = 0; b < n[order[1]]; ++b)
      for (int c = 0; c < n[order[2]]; ++c) {
        at[order[0]] = a;
        at[order[1]] = b;
        at[order[2]] = c;
        if (turned >= 0) at[turned] = n[turned] - 1 - at[turned];
        use(self[0] * n[0] + at[0], self[1] * n[1] + at[1], self[2] * n[2] + at[2], next++);
      }
}

const int in_order[3] = {0, 1, 2}, x_order[3] = {2, 1, 0}, y_order[3] = {0, 2, 1};

Numbers field_of(const int (&self)[3], const int (&n)[3], const int (&order)[3], int turned) {
  Numbers field(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1] * n[2]));
  for_points(self, n, order, turned,
             [&](int i, int j, int k, std::size_t at) { field[at] = value_at(i, j, k); });
  return field;
}

void fields_are_moved(Distribution& d) {
  const Numbers cube = field_of(d.self_3d(), d.local_ng_3d(), in_order, -1);
  expect(cube.size() == d.local_size(), "a cube has its points");
  Numbers other(d.local_size()), back(d.local_size());
  const Numbers wanted[3] = {field_of(d.self_2d_x(), d.local_ng_2d_x(), x_order, 2),
                             field_of(d.self_2d_y(), d.local_ng_2d_y(), y_order, 2),
                             field_of(d.self_2d_z(), d.local_ng_2d_z(), in_order, -1)};
  for (int axis = 0; axis < 3; ++axis) {
    d.redistribute_3_to_2(cube.data(), other.data(), axis);
    expect(other == wanted[axis], "pencils");
    back.assign(back.size(), 0.0);
    d.redistribute_2_to_3(other.data(), back.data(), axis);
    expect(back == cube && other == wanted[axis], "cubes of pencils");
  }
  if (d.global_ng(0) % d.nproc_1d(0) != 0) return;
  d.redistribute_3_to_1(cube.data(), other.data());
  expect(other == field_of(d.self_1d(), d.local_ng_1d(), in_order, -1), "slabs");
  d.redistribute_1_to_3(other.data(), back.data());
  expect(back == cube, "cubes of slabs");
}

void ranks_know_their_places(Distribution& d) {
  int rank = 0, place[3];
  MPI_Comm_rank(d.parent_comm(), &rank);
  expect(d.self() == rank, "the rank is told");
  d.coords_2d_x(rank, place);
  expect(place[1] == d.self_2d_x(1) && place[2] == d.self_2d_x(2) && d.rank_2d_x(place) == rank,
         "a place along x");
  d.coords_2d_y(rank, place);
  expect(place[0] == d.self_2d_y(0) && place[2] == d.self_2d_y(2) && d.rank_2d_y(place) == rank,
         "a place along y");
  d.coords_2d_z(rank, place);
  expect(place[0] == d.self_2d_z(0) && place[1] == d.self_2d_z(1) && d.rank_2d_z(place) == rank,
         "a place along z");
  MPI_Cart_coords(d.cart_3d(), rank, 3, place);
  for (int a = 0; a < 3; ++a) expect(place[a] == d.self_3d(a), "a place among cubes");
}

// The transform by its definition, axis by axis.
std::vector<complex_t> direct(std::vector<complex_t> field, const int (&n)[3]) {
  const double pi = std::acos(-1.0);
  const std::size_t steps[3] = {static_cast<std::size_t>(n[1] * n[2]),
                                static_cast<std::size_t>(n[2]), 1};
  for (int a = 0; a < 3; ++a) {
    const std::vector<complex_t> lines = field;
    for (std::size_t at = 0; at < field.size(); ++at) {
      const int k = static_cast<int>(at / steps[a]) % n[a];
      const std::size_t first = at - static_cast<std::size_t>(k) * steps[a];
      complex_t sum = 0;
      for (int j = 0; j < n[a]; ++j)
        sum += std::polar(1.0, -2 * pi * (j * k % n[a]) / n[a]) *
               lines[first + static_cast<std::size_t>(j) * steps[a]];
      field[at] = sum;
    }
  }
  return field;
}

std::vector<complex_t> whole(const int (&n)[3], bool is_real) {
  std::vector<complex_t> field;
  for (int i = 0; i < n[0]; ++i)
    for (int j = 0; j < n[1]; ++j)
      for (int k = 0; k < n[2]; ++k)
        field.push_back(is_real ? complex_t(static_cast<float>(value_at(i, j, k).real()))
                                : value_at(i, j, k));
  return field;
}

void expect_spectrum(const Dfft& dfft, const Numbers& found, const std::vector<complex_t>& wanted) {
  double most = 0;
  for_points(dfft.self_kspace(), dfft.local_ng_kspace(), in_order, -1,
             [&](int i, int j, int k, std::size_t at) {
               const std::size_t of_whole =
                   static_cast<std::size_t>((i * dfft.global_ng(1) + j) * dfft.global_ng(2) + k);
               most = std::fmax(most, std::abs(found[at] - wanted[of_whole]));
             });
  expect(most < 1e-11, "a spectrum is that of direct sums");
}

void fields_are_transformed(Distribution& d) {
  Numbers a(d.local_size()), b(d.local_size()), in(d.local_size()), out(d.local_size());
  Dfft dfft(d);
  dfft.makePlans(&a[0], &b[0], &a[0], &b[0]);
  const std::vector<complex_t> wanted = direct(whole(d.global_ng(), false), d.global_ng());
  in = field_of(dfft.self_rspace(), dfft.local_ng_rspace(), in_order, -1);
  const Numbers before = in;
  dfft.forward(&in[0]);
  expect(in == before, "the input is left as it is");
  expect_spectrum(dfft, a, wanted);
  dfft.backward(&out[0]);
  const double points = static_cast<double>(d.global_size());
  for (std::size_t i = 0; i < in.size(); ++i)
    expect(std::abs(out[i] / points - in[i]) < 1e-13, "there and back");
  a = in;
  dfft.forward(&a[0]);
  expect_spectrum(dfft, a, wanted);
  dfft.backward(&a[0]);
  for (std::size_t i = 0; i < in.size(); ++i)
    expect(std::abs(a[i] / points - in[i]) < 1e-13, "in one array");
}

void numbers_with_ghosts_are_transformed(Distribution& d) {
  Numbers fo(d.local_size()), fs(d.local_size()), bi(d.local_size()), bs(d.local_size());
  Dfft dfft(d, &fo[0], &fs[0], &bi[0], &bs[0]);
  const int(&n)[3] = dfft.local_ng_rspace();
  const int before = 2, after = 3;
  const int row = before + n[2] + after, plane = row * (before + n[1] + after);
  std::vector<float> field(static_cast<std::size_t>((before + n[0] + after) * plane), -5.0f),
      back = field;
  const int(&self)[3] = dfft.self_rspace();
  const auto place = [&](int i, int j, int k) {
    return static_cast<std::size_t>((before + i - self[0] * n[0]) * plane +
                                    (before + j - self[1] * n[1]) * row + before + k -
                                    self[2] * n[2]);
  };
  for_points(self, n, in_order, -1, [&](int i, int j, int k, std::size_t) {
    field[place(i, j, k)] = static_cast<float>(value_at(i, j, k).real());
  });
  dfft.forward(field.data(), 2);
  expect_spectrum(dfft, fo, direct(whole(d.global_ng(), true), d.global_ng()));
  bi = fo;
  dfft.backward(back.data(), 2, 3);
  const float points = static_cast<float>(d.global_size());
  for_points(self, n, in_order, -1,
             [&](int i, int j, int k, std::size_t) { back[place(i, j, k)] /= points; });
  for (std::size_t i = 0; i < back.size(); ++i)
    expect(std::fabs(back[i] - field[i]) < 1e-5f, "ghost points are left alone");
}

struct Holding {
  int next, descriptors;
  long long bytes;
};

Holding what_is_held() { return {held_next_communicator(), held_descriptors(), held_bytes()}; }

void many_leave_nothing(int n, int count) {
  Holding before{};
  for (int i = 0; i < count; ++i) {
    if (i == 10) before = what_is_held();
    Distribution d(MPI_COMM_WORLD, n);
    Numbers a(d.local_size()), b(d.local_size());
    Dfft dfft(d);
    dfft.makePlans(&a[0], &b[0], &a[0], &b[0]);
    dfft.forward(&a[0]);
    d.redistribute_3_to_2(a.data(), b.data(), 0);
  }
  const Holding now = what_is_held();
  expect(now.next == before.next && now.descriptors == before.descriptors &&
             now.bytes - before.bytes < 100000,
         "nothing is left");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int n = ranks == 7 ? 7 : 12;
  const int unequal[3] = {12, 24, 36};
  {
    Distribution d(MPI_COMM_WORLD, n);
    ranks_know_their_places(d);
    fields_are_moved(d);
    fields_are_transformed(d);
    numbers_with_ghosts_are_transformed(d);
    printTimingStats(d.cart_3d(), "nothing", 0.5);
  }
  if (ranks != 7) {
    Distribution d(MPI_COMM_WORLD, unequal, false);
    fields_are_moved(d);
    fields_are_transformed(d);
  }
  if (ranks == 4) {
    MPI_Comm mine;  // is not needed after the distribution is made
    MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - rank, &mine);
    Distribution d(mine, n);
    MPI_Comm_free(&mine);
    expect(d.self() == ranks - 1 - rank && d.nproc() == ranks, "the rank is told later");
    fields_are_moved(d);
    fields_are_transformed(d);
  }
  if (ranks < 4) many_leave_nothing(n, ranks == 1 ? 260 : 40);
  MPI_Finalize();
  if (rank == 0) std::printf("all is as expected\n");
  return 0;
}

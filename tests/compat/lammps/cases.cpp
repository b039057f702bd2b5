// compat/lammps/cases: a program that transforms and moves grids as LAMMPS does: plans made anew,
// everything in place, in arrays of the larger side; compared with direct sums. It is compiled for
// both precisions.
#include "../fftmpi/cases.hpp"

#include <algorithm>
#include <vector>

#include "../fftmpi/direct_sum.h"
#include "fft3d.h"
#include "remap.h"

namespace {

#ifdef FFT_SINGLE
constexpr double epsilon = 6e-8;
#else
constexpr double epsilon = 2.3e-16;
#endif

struct Case {
  int n[3], in, out, permute, scaled;
};

struct Sides {
  int in[6], out[6];
  long points;  // of the larger side
  Sides(const Case& c, const Findings& f) {
    bounds_of(c.in, c.n, f.rank, f.ranks, in);
    bounds_of(c.out, c.n, f.rank, f.ranks, out);
    points = std::max(points_in(in), points_in(out));
  }
};

void expect_spectrum(Findings& f, const Case& c, const Sides& s, const FFT_DATA* found, int sign) {
  const double all = double(c.n[0]) * c.n[1] * c.n[2], factor = sign == 1 && c.scaled ? 1 / all : 1;
  const std::string name = "from " + std::to_string(c.in) + " to " + std::to_string(c.out) +
                           " permuted " + std::to_string(c.permute) + " with sign " +
                           std::to_string(sign) + " and " + std::to_string(sizeof(FFT_SCALAR)) +
                           " bytes";
  long double* const wanted = direct_sum(c.n, sign);
  FOR_POINTS(c.n, s.out, c.permute, 3) {
    f.expect_near(found[place].re, double(wanted[2 * point]) * factor, epsilon * 60 * all, name);
    f.expect_near(found[place].im, double(wanted[2 * point + 1]) * factor, epsilon * 60 * all,
                  name);
  }
  free(wanted);
}

// Both directions go from the input to the output.
void check_transform(Findings& f, const Case& c) {
  const Sides s(c, f);
  int nbuf = -1;
  fft_plan_3d* const plan = fft_3d_create_plan(
      MPI_COMM_WORLD, c.n[0], c.n[1], c.n[2], s.in[0], s.in[1], s.in[2], s.in[3], s.in[4], s.in[5],
      s.out[0], s.out[1], s.out[2], s.out[3], s.out[4], s.out[5], c.scaled, c.permute, &nbuf, 0);
  f.expect(plan != nullptr && nbuf >= 0, "a plan");
  std::vector<FFT_DATA> data(std::size_t(s.points)), other(std::size_t(s.points));
  for (const int flag : {1, -1}) {
    FOR_POINTS(c.n, s.in, 0, 3)
    data[std::size_t(place)] = {FFT_SCALAR(value_at(point, 0)), FFT_SCALAR(value_at(point, 1))};
    FFT_DATA* const to = c.permute == 1 && f.rank == 0 ? other.data() : data.data();
    fft_3d(data.data(), to, flag, plan);
    expect_spectrum(f, c, s, to, -flag);
  }
  fft_1d_only(data.data(), int(s.points), 1, plan);
  fft_3d_destroy_plan(plan);
}

void check_remap(Findings& f, const Case& c, int nqty) {
  const Sides s(c, f);
  remap_plan_3d* const plan = remap_3d_create_plan(
      MPI_COMM_WORLD, s.in[0], s.in[1], s.in[2], s.in[3], s.in[4], s.in[5], s.out[0], s.out[1],
      s.out[2], s.out[3], s.out[4], s.out[5], nqty, c.permute, 0, FFT_PRECISION, 0);
  f.expect(plan != nullptr, "a plan that moves");
  std::vector<FFT_SCALAR> data(std::size_t(nqty * s.points)), buf(1);
  FOR_POINTS(c.n, s.in, 0, 3)
  for (int q = 0; q < nqty; ++q) data[std::size_t(nqty * place + q)] = FFT_SCALAR(nqty * point + q);
  remap_3d(data.data(), data.data(), buf.data(), plan);
  FOR_POINTS(c.n, s.out, c.permute, 3)
  for (int q = 0; q < nqty; ++q)
    f.expect_near(data[std::size_t(nqty * place + q)], double(nqty * point + q), 0, "remap_3d");
  remap_3d_destroy_plan(plan);
}

// The lines of one process: those along the fastest axis, then the same numbers as lines of the
// other lengths.
void check_lines(Findings& f) {
  const int n[] = {4, 3, 5}, size = 60;
  int nbuf;
  fft_plan_3d* const plan = fft_3d_create_plan(MPI_COMM_SELF, 4, 3, 5, 0, 3, 0, 2, 0, 4, 0, 3, 0, 2,
                                               0, 4, 1, 0, &nbuf, 0);
  std::vector<FFT_DATA> data(size);
  std::vector<long double> wanted(2 * size);
  for (int at = 0; at < size; ++at) {
    data[std::size_t(at)] = {FFT_SCALAR(value_at(at, 0)), FFT_SCALAR(value_at(at, 1))};
    for (int part = 0; part < 2; ++part) wanted[std::size_t(2 * at + part)] = value_at(at, part);
  }
  for (const int length : n)
    for (int first = 0; first < size; first += length)
      sum_along(&wanted[std::size_t(2 * first)], length, 1, length, 1);
  fft_1d_only(data.data(), size, -1, plan);
  for (int at = 0; at < size; ++at)
    f.expect_near(data[std::size_t(at)].im, double(wanted[std::size_t(2 * at + 1)]) / size,
                  epsilon * 6000, "fft_1d_only");
  fft_3d_destroy_plan(plan);
}

// What there cannot be is no plan, on all ranks; here both sides leave a point out.
void check_refused(Findings& f) {
  int nbuf;
  const int last = f.rank == f.ranks - 1 ? 2 : -1;
  f.expect(fft_3d_create_plan(MPI_COMM_WORLD, 4, 4, 4, 0, last, 0, 3, 0, 3, 0, last, 0, 3, 0, 3, 0,
                              0, &nbuf, 0) == nullptr,
           "a plan whose bricks leave points out");
  f.expect(remap_3d_create_plan(MPI_COMM_WORLD, 0, last, 0, 3, 0, 3, 0, last, 0, 3, 0, 3, 1, 0, 0,
                                3, 0) == nullptr,
           "a plan of precision 3");
}

void check(Findings& f) {
  const int grids[][3] = {{7, 5, 6}, {3, 11, 4}, {13, 1, 2}};
  int number = 0;
  for (const auto& n : grids)
    for (int in = 0; in < DIVISIONS; ++in)
      for (int out = 0; out < DIVISIONS; ++out) {
        if (number++ % (f.ranks > 4 ? 9 : 5) != 0) continue;
        const Case c{{n[0], n[1], n[2]}, in, out, number % 3, number / 5 % 2};
        check_transform(f, c);
        check_remap(f, c, 1 + number / 5 % 4);
      }
  check_transform(f, {{6, 5, 9}, PENCILS, PENCILS, 0, 1});
  check_lines(f);
  check_refused(f);
}

}  // namespace

#ifdef FFT_SINGLE
void check_single(Findings& findings) { check(findings); }
#else
void check_double(Findings& findings) { check(findings); }
#endif

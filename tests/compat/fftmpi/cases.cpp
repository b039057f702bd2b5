// compat/fftmpi/cases: a program that uses fftMPI's classes, as its manual shows it, at odd, prime
// and uneven sizes, compared with direct sums. It is compiled for both precisions.
#include "cases.hpp"

#include <algorithm>
#include <vector>

#include "direct_sum.h"
#include "fft2d.h"
#include "fft3d.h"
#include "remap2d.h"
#include "remap3d.h"

using namespace FFTMPI_NS;

namespace {

#ifdef FFT_SINGLE
constexpr int precision = 1;
constexpr double epsilon = 6e-8;
#else
constexpr int precision = 2;
constexpr double epsilon = 2.3e-16;
#endif

struct Case {
  int n[3], in, out, permute;
};

std::string name_of(const Case& c, const char* what) {
  char text[200];
  std::snprintf(text, sizeof text, "%s of %dx%dx%d from %d to %d permuted %d, precision %d", what,
                c.n[0], c.n[1], c.n[2], c.in, c.out, c.permute, precision);
  return text;
}

struct Sides {
  int in[6], out[6];
  Sides(const Case& c, const Findings& f) {
    bounds_of(c.in, c.n, f.rank, f.ranks, in);
    bounds_of(c.out, c.n, f.rank, f.ranks, out);
  }
};

int axes_of(const Case& c) { return c.n[2] == 0 ? 2 : 3; }

// A transform of two or three axes, by the class for so many.
class Fft {
 public:
  explicit Fft(const Case& c) : case_(c) {
    if (axes_of(c) == 3)
      three_ = new FFT3d(MPI_COMM_WORLD, precision);
    else
      two_ = new FFT2d(MPI_COMM_WORLD, precision);
  }
  ~Fft() {
    delete three_;
    delete two_;
  }
  void setup(const int* in, const int* out, int& fftsize) {
    int sendsize = -1, recvsize = -1;
    const int* const n = case_.n;
    if (three_)
      three_->setup(n[0], n[1], n[2], in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1],
                    out[2], out[3], out[4], out[5], case_.permute, fftsize, sendsize, recvsize);
    else
      two_->setup(n[0], n[1], in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3],
                  case_.permute, fftsize, sendsize, recvsize);
  }
  void set(int scaled, int remaponly) {
    (three_ ? three_->scaled : two_->scaled) = scaled;
    (three_ ? three_->remaponly : two_->remaponly) = remaponly;
  }
  void compute(FFT_SCALAR* in, FFT_SCALAR* out, int flag) {
    three_ ? three_->compute(in, out, flag) : two_->compute(in, out, flag);
  }
  void only_remaps(FFT_SCALAR* in, FFT_SCALAR* out, int flag) {
    three_ ? three_->only_remaps(in, out, flag) : two_->only_remaps(in, out, flag);
  }
  void only_one_remap(FFT_SCALAR* in, FFT_SCALAR* out, int flag, int which) {
    three_ ? three_->only_one_remap(in, out, flag, which)
           : two_->only_one_remap(in, out, flag, which);
  }

 private:
  Case case_;
  FFT3d* three_ = nullptr;
  FFT2d* two_ = nullptr;
};

// A grid of two axes is one of three whose last one has one point.
struct Checked {
  int n[3], axes;
  Sides sides;
  std::string name;

  Checked(const Case& c, const Findings& f, const char* what)
      : n{c.n[0], c.n[1], axes_of(c) == 3 ? c.n[2] : 1},
        axes(axes_of(c)),
        sides(Case{{n[0], n[1], n[2]}, c.in, c.out, c.permute}, f),
        name(name_of(c, what)) {}

  void fill(std::vector<FFT_SCALAR>& array) const {
    FOR_POINTS(n, sides.in, 0, axes)
    for (int part = 0; part < 2; ++part)
      array[std::size_t(2 * place + part)] = FFT_SCALAR(value_at(point, part));
  }
  void expect(Findings& f, const std::vector<FFT_SCALAR>& array, const int* bounds, int permute,
              const long double* wanted, double factor, double tolerance, const char* step) const {
    FOR_POINTS(n, bounds, permute, axes)
    for (int part = 0; part < 2; ++part) {
      const double value = wanted ? double(wanted[2 * point + part]) : value_at(point, part);
      f.expect_near(array[std::size_t(2 * place + part)], factor * value, tolerance,
                    name + ", " + step);
    }
  }
};

// `place` 0: in place; 1: two arrays; 2: some ranks this, some that.
void check_transform(Findings& f, const Case& c, int place) {
  const Checked checked(c, f, "transform");
  const auto& [n, axes, sides, name] = checked;
  const double points = double(n[0]) * n[1] * n[2], small = epsilon * 60 * points;
  Fft fft(c);
  int fftsize = -1;
  fft.setup(sides.in, sides.out, fftsize);
  f.expect(fftsize >= std::max(points_in(sides.in), points_in(sides.out)), name + ": fftsize");
  std::vector<FFT_SCALAR> first(std::size_t(2 * fftsize)), second(std::size_t(2 * fftsize));
  const bool is_in_place = place == 0 || (place == 2 && f.rank % 2 == 0);
  auto& spectrum = is_in_place ? first : second;
  checked.fill(first);
  long double* const wanted = direct_sum(n, -1);
  fft.compute(first.data(), spectrum.data(), 1);
  checked.expect(f, spectrum, sides.out, c.permute, wanted, 1, small, "forward");
  free(wanted);
  if (!is_in_place) {
    checked.expect(f, first, sides.in, 0, nullptr, 1, epsilon, "input after it");
    std::fill(first.begin(), first.end(), FFT_SCALAR(7));
  }
  fft.compute(spectrum.data(), first.data(), -1);
  checked.expect(f, first, sides.in, 0, nullptr, 1, small, "and back");
  fft.set(0, 0);
  fft.compute(first.data(), spectrum.data(), 1);
  fft.compute(spectrum.data(), first.data(), -1);
  checked.expect(f, first, sides.in, 0, nullptr, points, points * small, "and back without scale");
  fft.set(1, 1);
  checked.fill(first);
  fft.compute(first.data(), spectrum.data(), 1);
  checked.expect(f, spectrum, sides.out, c.permute, nullptr, 1, epsilon, "remaponly");
  fft.only_remaps(spectrum.data(), first.data(), -1);
  checked.expect(f, first, sides.in, 0, nullptr, 1, epsilon, "only_remaps back");
  for (int which = 1; which <= axes + 1; ++which)
    fft.only_one_remap(first.data(), first.data(), 1, which);
  checked.expect(f, first, sides.out, c.permute, nullptr, 1, epsilon, "each remap");
  for (int which = axes + 1; which >= 1; --which)
    fft.only_one_remap(first.data(), first.data(), -1, which);
  checked.expect(f, first, sides.in, 0, nullptr, 1, epsilon, "each remap back");
}

// Lines of one process, along the fastest axis and, as they lie then, along the others.
void check_lines(Findings& f) {
  const Case c{{6, 5, 7}, SLOW_SLABS, SLOW_SLABS, 0};
  const int alone[] = {0, 5, 0, 4, 0, 6}, size = 6 * 5 * 7;
  MPI_Comm self = MPI_COMM_SELF;
  FFT3d fft(self, precision);
  int fftsize, sendsize, recvsize;
  fft.setup(6, 5, 7, 0, 5, 0, 4, 0, 6, 0, 5, 0, 4, 0, 6, 0, fftsize, sendsize, recvsize);
  std::vector<FFT_SCALAR> array(std::size_t(2 * fftsize));
  std::vector<long double> wanted(std::size_t(2 * size));
  for (int at = 0; at < 2 * size; ++at) {
    wanted[std::size_t(at)] = value_at(at / 2, at % 2);
    array[std::size_t(at)] = FFT_SCALAR(value_at(at / 2, at % 2));
  }
  for (const int length : c.n)
    for (long first = 0; first < size; first += length)
      sum_along(&wanted[std::size_t(2 * first)], length, 1, length, 1);
  fft.only_1d_ffts(array.data(), -1);
  FOR_POINTS(c.n, alone, 0, 3)
  f.expect_near(array[std::size_t(2 * place)], double(wanted[std::size_t(2 * point)]),
                1e5 * epsilon, name_of(c, "only_1d_ffts"));
}

void check_tune(Findings& f) {
  const Case c{{9, 8, 5}, SLOW_SLABS, PENCILS, 2};
  const Checked checked(c, f, "tuned transform");
  const int *const in = checked.sides.in, *const out = checked.sides.out;
  FFT3d fft(MPI_COMM_WORLD, precision);
  int fftsize, sendsize, recvsize;
  fft.memoryflag = 0;
  fft.tune(9, 8, 5, in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2], out[3],
           out[4], out[5], 2, fftsize, sendsize, recvsize, 0, 2, 0.04, 1);
  f.expect(fft.ntrial == 1 && fft.npertrial >= 1 && fft.npertrial <= 2, "the trials of tune");
  f.expect(fft.tfft[0] > 0 && fft.besttime == fft.tfft[0] && fft.setuptime > 0, "times of tune");
  f.expect(fft.t1d[0] > 0 && fft.tremap[0] > 0 && fft.tremap4[0] > 0, "times of parts");
  f.expect(fft.cbest == 2 && fft.ebest == 0 && fft.pbest == 2, "settings after tune");
  f.expect(fft.npfast2 * fft.npfast3 <= f.ranks && fft.npfast1 == 1 && fft.npmid2 == 1 &&
               fft.npslow3 == 1,
           "process grids");
  f.expect(std::string(fft.precision) == (precision == 1 ? "single" : "double"), "precision");
  std::vector<FFT_SCALAR> send(2 * std::size_t(fftsize)), receive(2 * std::size_t(fftsize));
  f.expect(sendsize >= 0 && recvsize >= 0, "sizes of buffers");
  fft.setup_memory(send.data(), receive.data());
  std::vector<FFT_SCALAR> array(std::size_t(2 * fftsize));
  checked.fill(array);
  long double* const wanted = direct_sum(c.n, -1);
  fft.compute(array.data(), array.data(), 1);
  checked.expect(f, array, out, 2, wanted, 1, epsilon * 60 * 360, "forward");
  free(wanted);
}

// Points of `nqty` numbers; the grid is that of the bounds, which need not begin at 0.
void check_remap(Findings& f, const Case& c, int nqty, int shift) {
  const Checked checked(c, f, "remap");
  const auto& [n, axes, sides, name] = checked;
  int in[6], out[6], sendsize = -1, recvsize = -1;
  for (int b = 0; b < 6; ++b) {
    in[b] = sides.in[b] + shift;
    out[b] = sides.out[b] + shift;
  }
  const auto numbers = std::size_t(nqty * std::max(points_in(sides.in), points_in(sides.out)));
  std::vector<FFT_SCALAR> array(numbers), other(numbers);
  FOR_POINTS(n, sides.in, 0, axes)
  for (int q = 0; q < nqty; ++q)
    array[std::size_t(nqty * place + q)] = FFT_SCALAR(nqty * point + q);
  const bool is_in_place = (f.rank + nqty) % 2 == 0;
  FFT_SCALAR* const to = is_in_place ? array.data() : other.data();
  if (axes == 3) {
    Remap3d remap(MPI_COMM_WORLD);
    remap.setup(in[0], in[1], in[2], in[3], in[4], in[5], out[0], out[1], out[2], out[3], out[4],
                out[5], nqty, c.permute, 1, sendsize, recvsize);
    remap.remap(array.data(), to, nullptr, nullptr);
  } else {
    Remap2d remap(MPI_COMM_WORLD, precision);
    remap.setup(in[0], in[1], in[2], in[3], out[0], out[1], out[2], out[3], nqty, c.permute, 1,
                sendsize, recvsize);
    remap.remap(array.data(), to, nullptr, nullptr);
  }
  f.expect(sendsize == nqty * points_in(sides.in) && recvsize == nqty * points_in(sides.out),
           name + ": sizes");
  FOR_POINTS(n, sides.out, c.permute, axes)
  for (int q = 0; q < nqty; ++q)
    f.expect_near(to[nqty * place + q], double(nqty * point + q), 0, name);
}

void check(Findings& f) {
  const int grids[][3] = {{7, 5, 6}, {11, 3, 13}, {4, 1, 9}, {5, 7, 0}, {17, 4, 0}};
  int number = 0;
  for (const auto& n : grids)
    for (int in = 0; in < DIVISIONS; ++in)
      for (int out = 0; out < DIVISIONS; ++out) {
        const int axes = n[2] == 0 ? 2 : 3, permute = number % axes;
        if (axes == 2 && (in == SLOW_SLABS || out == SLOW_SLABS || in == PENCILS || out == PENCILS))
          continue;
        if (number++ % (f.ranks > 4 ? 13 : 7) != 0) continue;
        const Case c{{n[0], n[1], n[2]}, in, out, permute};
        check_transform(f, c, number % 3);
        check_remap(f, c, 1 + number % 4, number % 2 * 3);
      }
  check_lines(f);
  check_tune(f);
}

}  // namespace

#ifdef FFT_SINGLE
void check_single(Findings& findings) { check(findings); }
#else
void check_double(Findings& findings) { check(findings); }
#endif

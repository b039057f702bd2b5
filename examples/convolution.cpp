// convolution: a volume blurred by a kernel, as if it were zero all around, and not periodic. Both
// fit a corner of a grid that is as long as their convolution, so nothing wraps around. `support`
// says that the rest is zero: it is not stored, sent or transformed. Here both are products of
// powers, a^x b^y c^z, of which the sums are known: with r = a / p, the convolution along x is
//     sum_j a^j p^(x-j) = p^x (1 + r + r^2 + ...), over all j of the volume with x - j in the
//     kernel.
// With the conjugate of the kernel's spectrum it is the correlation, which tells where the volume
// looks like the kernel: sum_j p^j a^(x+j), over all j of the kernel with x + j in the volume.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <weft/weft.hpp>

// Along one axis: the sum over 0 <= j < points of the volume and 0 <= x - j < width of the kernel.
double along(double a, std::int64_t points, double p, std::int64_t width, std::int64_t x) {
  double sum = 0;
  for (std::int64_t j = std::max<std::int64_t>(0, x - width + 1); j < points && j <= x; ++j)
    sum += std::pow(a, double(j)) * std::pow(p, double(x - j));
  return sum;
}

double correlated(double a, std::int64_t points, double p, std::int64_t width, std::int64_t x) {
  double sum = 0;
  for (std::int64_t j = 0; j < width && x + j < points; ++j)
    sum += std::pow(p, double(j)) * std::pow(a, double(x + j));
  return sum;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    const std::int64_t points = 40, width = 9;
    const std::int64_t all = weft::next_fast_length(points + width - 1);
    const weft::Extents grid{all, all, all};
    auto of_volume = weft::r2c(grid), of_kernel = weft::r2c(grid), of_result = weft::r2c(grid);
    of_volume.support = {{0, 0, 0}, {points, points, points}};
    of_kernel.support = {{0, 0, 0}, {width, width, width}};
    // All three have the same spectrum, so it is distributed in the same way.
    for (auto* problem : {&of_volume, &of_kernel, &of_result})
      problem->output = weft::Distribution::slab;
    auto volume = weft::Plan(MPI_COMM_WORLD, of_volume);
    auto kernel = weft::Plan(MPI_COMM_WORLD, of_kernel);
    auto result = weft::Plan(MPI_COMM_WORLD, of_result);

    auto u = volume.make_input();
    auto k = kernel.make_input();
    auto r = result.make_input();
    auto v = volume.make_output(), w = kernel.make_output();
    const double a[] = {0.9, -0.8, 0.95}, p[] = {0.5, 0.7, -0.6};
    const auto power = [](const double* of, const weft::Dims& at) {
      double product = 1;
      for (int axis = 0; axis < 3; ++axis) product *= std::pow(of[axis], double(at[axis]));
      return product;
    };
    for (auto [at, x] : u.points()) x = power(a, at);
    for (auto [at, x] : k.points()) x = power(p, at);

    volume.forward(u, v);
    kernel.forward(k, w);
    auto spectrum = result.make_output();
    error = 0;
    for (const bool correlates : {false, true}) {
      for (std::int64_t i = 0; i < v.size(); ++i)
        spectrum.data()[i] = v.data()[i] * (correlates ? std::conj(w.data()[i]) : w.data()[i]);
      result.backward(spectrum, r);
      for (auto [at, x] : r.points()) {
        // Where the kernel begins before the volume, the correlation is at the end of the grid.
        if (correlates && std::max({at[0], at[1], at[2]}) >= points) continue;
        double expected = 1;
        for (int axis = 0; axis < 3; ++axis)
          expected *= (correlates ? correlated : along)(a[axis], points, p[axis], width, at[axis]);
        error = std::max(error, std::abs(x - expected));
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (result.rank() == 0) std::printf("largest error %.2e\n", error);
  }
  MPI_Finalize();
  return error < 1e-12 ? 0 : 1;
}

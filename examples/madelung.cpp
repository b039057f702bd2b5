// madelung: the energy of a crystal of sodium chloride by smooth particle-mesh Ewald (U. Essmann et
// al., J. Chem. Phys. 103, 8577 (1995)). The potential of point charges q_i is split in two. The
// near part falls off as erfc(alpha r) / r and is summed directly. The far part is smooth: charges
// are spread over a grid by B-splines M_p of order p, their spectrum is multiplied by
//     4 pi / (V k^2) exp(-k^2 / 4 alpha^2) |b_x b_y b_z|^2,
// where b undoes the spreading, and transformed back to the potential, which gives each grid
// point's charge its energy. With one pair of ions per unit of length, the energy of an ion is -M /
// 2 with the Madelung constant M = 1.747564594633182.
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/weft.hpp>

constexpr double pi = std::numbers::pi, known = 1.747564594633182;
constexpr int side = 4;                   // ions along an edge of the cube, one unit apart
constexpr std::int64_t n = 48;            // grid points along an edge
constexpr int order = 10;                 // of the B-splines
constexpr double alpha = 1.1, reach = 6;  // erfc(alpha * reach) is 1e-20

struct Ion {
  std::array<double, 3> at;
  double charge;
};

// The ions lie between the grid points.
std::vector<Ion> crystal() {
  std::vector<Ion> ions;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        ions.push_back({{x + 0.123, y + 0.456, z + 0.789}, (x + y + z) % 2 == 0 ? 1.0 : -1.0});
  return ions;
}

// M_p(u), which is not zero for 0 < u < p, by its recurrence.
double spline(int p, double u) {
  if (u <= 0 || u >= p) return 0;
  if (p == 2) return 1 - std::abs(u - 1);
  return (u * spline(p - 1, u) + (p - u) * spline(p - 1, u - 1)) / (p - 1);
}

// Of an ion at `x`, its part at every grid point along an axis.
std::vector<double> spread(double x) {
  std::vector<double> parts(n, 0.0);
  const double u = x * double(n) / side;
  for (int i = 0; i < order; ++i) {
    const auto point = std::int64_t(std::floor(u)) - i;
    parts[std::size_t((point + n) % n)] += spline(order, u - double(point));
  }
  return parts;
}

// |b(m)|^2 of the wave m along an axis.
double unspread(std::int64_t m) {
  std::complex<double> sum = 0;
  for (int j = 0; j < order - 1; ++j)
    sum += spline(order, j + 1) * std::polar(1.0, 2 * pi * double(m) * j / double(n));
  return 1 / std::norm(sum);
}

double near_energy(const std::vector<Ion>& ions) {
  double energy = 0;
  constexpr int images = int(reach) / side + 1;
  for (const Ion& a : ions) {
    for (const Ion& b : ions)
      for (int x = -images; x <= images; ++x)
        for (int y = -images; y <= images; ++y)
          for (int z = -images; z <= images; ++z) {
            const double r = std::hypot(a.at[0] - b.at[0] + side * x, a.at[1] - b.at[1] + side * y,
                                        a.at[2] - b.at[2] + side * z);
            if (r > 0 && r < reach) energy += a.charge * b.charge * std::erfc(alpha * r) / r / 2;
          }
    energy -= alpha / std::sqrt(pi) * a.charge * a.charge;  // of its own far part
  }
  return energy;
}

double far_energy(const std::vector<Ion>& ions) {
  auto problem = weft::r2c({n, n, n});
  problem.norm = weft::Norm::none;
  weft::Plan plan(MPI_COMM_WORLD, problem);
  auto charge = plan.make_input(), potential = plan.make_input();
  for (const Ion& ion : ions) {
    const std::vector<double> x = spread(ion.at[0]), y = spread(ion.at[1]), z = spread(ion.at[2]);
    for (auto [at, value] : charge.points())
      value += ion.charge * x[std::size_t(at[0])] * y[std::size_t(at[1])] * z[std::size_t(at[2])];
  }
  auto waves = plan.make_output();
  plan.forward(charge, waves);
  const weft::Wavenumbers k[] = {plan.wavenumbers(0), plan.wavenumbers(1), plan.wavenumbers(2)};
  std::vector<double> b;
  for (std::int64_t i = 0; i < n; ++i) b.push_back(unspread(i));
  for (auto [at, value] : waves.points()) {
    double k2 = 0, factor = 4 * pi / (side * side * side);
    for (int axis = 0; axis < 3; ++axis) {
      k2 += std::pow(2 * pi / side * double(k[axis][at[axis]]), 2);
      factor *= b[std::size_t(at[axis])];
    }
    value *= k2 > 0 ? factor * std::exp(-k2 / (4 * alpha * alpha)) / k2 : 0;
  }
  plan.backward(waves, potential);
  double mine = 0, all = 0;
  for (std::int64_t i = 0; i < charge.size(); ++i)
    mine += charge.data()[i] * potential.data()[i] / 2;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, plan.comm());
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::vector<Ion> ions = crystal();
  const double energy = near_energy(ions) + far_energy(ions);
  const double found = -2 * energy / double(ions.size()), error = std::abs(found - known);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("Madelung constant %.12f, known %.12f\n", found, known);
  MPI_Finalize();
  return error < 1e-9 ? 0 : 1;
}

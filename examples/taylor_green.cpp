// taylor_green: the Navier-Stokes equations in a periodic cube of side 2 pi, from the Taylor-Green
// vortex on, by a pseudo-spectral method without aliases. In Fourier space
//     du/dt = P[F(u x w)] - nu k^2 u,   w = curl u,   P = 1 - k k.../k^2,
// where P takes out what pressure balances. Products are made in real space, on a grid of 64^3
// points; of their 64^3 waves those up to 21 = 2/3 of the highest are kept, so that what a product
// makes beyond them does not come back as other waves. The plan neither computes, nor sends, nor
// stores the others. Time steps are those of the classical Runge-Kutta method. The kinetic energy
// after 0.1 at nu = 1/1600 is that of M. Mortensen and H. P. Langtangen, "High performance Python
// for direct numerical simulations of turbulent flows", Comput. Phys. Commun. 203 (2016).
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/weft.hpp>

using Complex = std::complex<double>;
using Vector = std::vector<Complex>;  // three components of every wave of this rank

constexpr std::int64_t n = 64, kept = 43;  // waves -21 to 21
constexpr double nu = 1.0 / 1600;

// The three components of a field lie together, as an axis that is not transformed.
auto dealiased() {
  auto problem = weft::r2c({n, n, n, 3});
  problem.axes = {0, 1, 2};
  problem.modes = {kept, kept, kept, 3};
  problem.input = weft::Distribution::slab;
  problem.output = weft::Distribution::slab;
  problem.norm = weft::Norm::forward;  // coefficients do not depend on n
  return problem;
}

struct Flow {
  weft::Plan<double, Complex> plan{MPI_COMM_WORLD, dealiased()};
  weft::Field<double> u = plan.make_input(), w = plan.make_input();
  weft::Field<Complex> waves = plan.make_output();
  weft::Wavenumbers k[3] = {plan.wavenumbers(0), plan.wavenumbers(1), plan.wavenumbers(2)};

  // Calls body(i, kx, ky, kz) for every wave of this rank; its components are i, i + 1, i + 2.
  template <class Body>
  void for_each_wave(const Body& body) {
    std::size_t i = 0;
    for (auto [at, components] : waves.points().rows()) {
      body(i, double(k[0][at[0]]), double(k[1][at[1]]), double(k[2][at[2]]));
      i += 3;
    }
  }
  std::size_t size() const { return std::size_t(waves.size()); }
  void to_space(const Vector& from, weft::Field<double>& to) {
    std::copy(from.begin(), from.end(), waves.data());
    plan.backward(waves, to);
  }

  // The right-hand side, for the velocity v.
  Vector change(const Vector& v) {
    Vector curl(size()), result(size());
    for_each_wave([&](std::size_t i, double x, double y, double z) {
      const Complex imaginary(0, 1), a = v[i], b = v[i + 1], c = v[i + 2];
      curl[i] = imaginary * (y * c - z * b);
      curl[i + 1] = imaginary * (z * a - x * c);
      curl[i + 2] = imaginary * (x * b - y * a);
    });
    to_space(v, u);
    to_space(curl, w);
    for (std::int64_t i = 0; i < u.size(); i += 3) {
      double *a = u.data() + i, *b = w.data() + i;
      const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
      a[2] = a[0] * b[1] - a[1] * b[0];
      a[0] = x;
      a[1] = y;
    }
    plan.forward(u, waves);
    for_each_wave([&](std::size_t i, double x, double y, double z) {
      const Complex* f = waves.data() + i;
      const double k2 = x * x + y * y + z * z;
      const Complex p = k2 > 0 ? (x * f[0] + y * f[1] + z * f[2]) / k2 : 0;
      result[i] = f[0] - x * p - nu * k2 * v[i];
      result[i + 1] = f[1] - y * p - nu * k2 * v[i + 1];
      result[i + 2] = f[2] - z * p - nu * k2 * v[i + 2];
    });
    return result;
  }

  void step(Vector& v, double dt) {
    const Vector begin = v;
    constexpr std::array shares{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, reaches{0.5, 0.5, 1.0, 0.0};
    Vector at = begin;
    for (std::size_t stage = 0; stage < 4; ++stage) {
      const Vector rate = change(at);
      for (std::size_t i = 0; i < v.size(); ++i) {
        v[i] += dt * shares[stage] * rate[i];
        at[i] = begin[i] + dt * reaches[stage] * rate[i];
      }
    }
  }

  // Of the whole cube, relative to its volume.
  double kinetic_energy(const Vector& v) {
    to_space(v, u);
    double mine = 0, all = 0;
    for (std::int64_t i = 0; i < u.size(); ++i) mine += u.data()[i] * u.data()[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, plan.comm());
    return all / 2 / double(n * n * n);
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 1;
  {
    Flow flow;
    const double h = 2 * std::numbers::pi / n;
    for (auto [at, x] : flow.u.points()) {
      const double a = h * double(at[0]), b = h * double(at[1]), c = h * double(at[2]);
      x = at[3] == 0   ? std::sin(a) * std::cos(b) * std::cos(c)
          : at[3] == 1 ? -std::cos(a) * std::sin(b) * std::cos(c)
                       : 0.0;
    }
    flow.plan.forward(flow.u, flow.waves);
    Vector v(flow.waves.data(), flow.waves.data() + flow.size());
    for (int i = 0; i < 10; ++i) flow.step(v, 0.01);
    const double energy = flow.kinetic_energy(v), known = 0.124953117517;
    error = std::abs(energy - known);
    if (flow.plan.rank() == 0)
      std::printf("kinetic energy at 0.1: %.12f, known: %.12f\n", energy, known);
  }
  MPI_Finalize();
  return error < 1e-11 ? 0 : 1;
}

// plan/allocator: plans transform vectors with weft's allocator.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "support/asked.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

// The plane wave exp(2 pi i (3x/24 + 5z/20)) has one spike, at the wavenumber (3, 0, 5).
TEST(Allocator, vectors_are_transformed_as_fields_are) {
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex, Allocator<Complex>>;
  for (const Arrays arrays : {Arrays::of_weft, Arrays::any}) {
    Options options = quick();
    options.arrays = arrays;
    auto problem = c2c({24, 18, 20});
    const int rank = rank_of_world(), ranks = ranks_of_world();
    const std::int64_t first = rank * 24 / ranks, last = (rank + 1) * 24 / ranks;
    problem.input = Distribution::of_my_boxes({Box{{first, 0, 0}, {last, 18, 20}}});
    problem.output = Distribution::same;
    Plan plan(MPI_COMM_WORLD, problem, options);
    const auto elements = [](const Share& share) {
      return static_cast<std::size_t>(share.elements);
    };
    Vector u(elements(plan.input())), v(elements(plan.output())), back(u.size());
    ASSERT_EQ(std::ssize(u), (last - first) * 18 * 20);
    const auto index_of = [&](std::size_t i) {
      const auto n = static_cast<std::int64_t>(i);
      return std::array{first + n / 360, n / 20 % 18, n % 20};
    };
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto [x, y, z] = index_of(i);
      u[i] = std::polar(1.0, 2 * std::numbers::pi * (3 * double(x) / 24 + 5 * double(z) / 20));
    }
    plan.forward(u, v);
    double error = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const bool is_spike = index_of(i) == std::array<std::int64_t, 3>{3, 0, 5};
      error = std::max(error, std::abs(v[i] - (is_spike ? 24.0 * 18 * 20 : 0.0)));
    }
    EXPECT_LT(error / (24 * 18 * 20), 1e-14);
    plan.backward(v, back);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_LT(std::abs(back[i] - u[i]), 1e-13);
  }
}

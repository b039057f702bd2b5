// plan/device: plans on the late device compute what plans on the processor compute.

#include <gmock/gmock.h>

#include <complex>
#include <cstdlib>
#include <vector>

#include "support/values.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

Options on_device() {
  Options options;
  options.engine = "late";
  return options;
}

}  // namespace

TEST(Device, transforms_arrays_in_memory_of_the_device) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({12, 10, 14}), on_device());
  auto here = Plan(MPI_COMM_WORLD, c2c({12, 10, 14}));
  auto u = here.make_input(), back = here.make_input();
  for (auto [at, x] : u.points())
    x = Complex(std::sin(1.0 + static_cast<double>(at[0] * 3 + at[1])),
                std::cos(static_cast<double>(at[2] * at[0])));
  auto v = here.make_output(), w = here.make_output();
  here.forward(u, v);
  auto du = plan.make_input(Memory::device);
  auto dv = plan.make_output(Memory::device);
  copy(u, du);
  plan.forward(du, dv);
  copy(dv, w);
  EXPECT_LT(max_abs_difference(v, w), 1e-10);
  plan.backward(dv, du);
  copy(du, back);
  EXPECT_LT(max_abs_difference(u, back), 1e-12);
}

}  // namespace weft

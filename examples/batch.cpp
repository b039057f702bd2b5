// batch: several fields in one plan, which weft sends in the same messages. The fields of a rank
// lie one after another in one array, field_stride elements apart: points(i) walks over field i,
// and raw memory has it at data() + i * field_stride. Field i is cos(2 pi (i + 1) x/n): its
// spectrum is n^3/2 at wave numbers (i + 1, 0, 0) and (-i - 1, 0, 0), of which r2c keeps both.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <weft/weft.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double error = 0;
  {
    const std::int64_t n = 32, fields = 3;
    auto problem = weft::r2c({n, n, n});
    problem.batch = fields;
    auto plan = weft::Plan(MPI_COMM_WORLD, problem);
    auto u = plan.make_input();
    auto v = plan.make_output(), answer = plan.make_output();
    const auto kx = plan.wavenumbers(0);
    for (std::int64_t i = 0; i < fields; ++i) {
      for (auto [at, x] : u.points(i))
        x = std::cos(2 * std::numbers::pi * double((i + 1) * at[0]) / n);
      for (auto [k, x] : answer.points(i))
        if (std::abs(kx[k[0]]) == i + 1 && k[1] == 0 && k[2] == 0) x = double(n * n * n) / 2;
    }
    plan.forward(u, v);
    for (std::int64_t i = 0; i < fields; ++i)
      error = std::max(error, weft::max_abs_difference(v, answer, i) / double(n * n * n));

    const auto stride = plan.output().array.field_stride;  // elements from a field to the next
    bool same = true;
    for (std::int64_t i = 0; i < fields; ++i) {
      const auto rows = v.points(i).rows();
      same = same && (rows.empty() || rows[0].values.data() == v.data() + i * stride);
    }
    if (plan.rank() == 0) std::printf("field stride %lld\nerror %.2e\n", (long long)stride, error);
    if (!same) error = 1;
  }
  MPI_Finalize();
  return error < 1e-13 ? 0 : 1;
}

// transposes: an application with transforms of its own, which needs nothing but the movement of
// data: weft::Reshape brings each axis in turn to one rank, and weft::Halo the neighbours' points.
// Here the Laplacian of u = sin x sin y sin z, which is -3 u, in two ways: exactly, by a transform
// of one axis at a time, and by differences of neighbours, of which the answer is known, too: along
// each axis sin(x + h) - 2 sin x + sin(x - h) = -(2 - 2 cos h) sin x.
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>
#include <weft/weft.hpp>

constexpr std::int64_t n = 24;
const double h = 2 * std::numbers::pi / n;

// Stands for the application's own FFT: the second derivative of a periodic line of n points, by
// the sum over its waves.
void derive_twice(double* line, std::int64_t stride) {
  std::vector<std::complex<double>> waves(n);
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      waves[std::size_t(k)] +=
          line[j * stride] * std::polar(1.0, -h * double(j * k % n)) / double(n);
  for (std::int64_t j = 0; j < n; ++j) {
    std::complex<double> sum = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const double wave = double(k <= n / 2 ? k : k - n);
      sum -= wave * wave * waves[std::size_t(k)] * std::polar(1.0, h * double(j * k % n));
    }
    line[j * stride] = sum.real();
  }
}

// Along `axis` of the only box of a rank.
void derive_twice(const weft::Box& box, int axis, std::vector<double>& values) {
  const weft::Layout at = weft::Layout::packed(box.extents());
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  for (std::int64_t i = 0; i < box.extent(a); ++i)
    for (std::int64_t j = 0; j < box.extent(b); ++j)
      derive_twice(values.data() + i * at.strides[a] + j * at.strides[b], at.strides[axis]);
}

double u_at(const weft::Dims& at) {
  return std::sin(h * double(at[0])) * std::sin(h * double(at[1])) * std::sin(h * double(at[2]));
}

// The largest difference from factor * u at the points of the boxes, of an array of this layout.
double error(const std::vector<weft::Box>& boxes, const weft::UserArray& array,
             const double* values, double factor) {
  double worst = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const weft::Box& box = boxes[i];
    for (std::int64_t p = 0; p < box.volume(); ++p) {
      const std::int64_t z = p % box.extent(2), y = p / box.extent(2) % box.extent(1),
                         x = p / box.extent(2) / box.extent(1);
      const double value = values[array.offsets[i] + array.layouts[i].at({x, y, z})];
      const double expected = factor * u_at({box.lo[0] + x, box.lo[1] + y, box.lo[2] + z});
      worst = std::max(worst, std::abs(value - expected));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool failed = true;
  {
    int ranks = 1, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // Pencils along z, and along y and x after the transposes.
    const weft::Distribution along_z{weft::Distribution::brick, {ranks, 1, 1}};
    const weft::Distribution along_y{weft::Distribution::brick, {1, 1, ranks}};
    const weft::Distribution along_x{weft::Distribution::brick, {1, ranks, 1}};
    const weft::Extents grid{n, n, n};
    weft::Reshape<double> z_to_y(MPI_COMM_WORLD, grid, along_z, along_y);
    weft::Reshape<double> z_to_x(MPI_COMM_WORLD, grid, along_z, along_x);

    std::vector<double> u(std::size_t(z_to_y.from_elements()));
    std::vector<double> y(std::size_t(z_to_y.to_elements())), x(std::size_t(z_to_x.to_elements()));
    const auto boxes = z_to_y.from_boxes();
    std::size_t next = 0;
    for (const weft::Box& box : boxes)
      for (std::int64_t p = 0; p < box.volume(); ++p)
        u[next++] = u_at({box.lo[0] + p / (n * n), p / n % n, p % n});
    z_to_y.forward(u.data(), y.data());
    z_to_x.forward(u.data(), x.data());
    std::vector<double> sum = u, part(u.size());
    for (const weft::Box& box : boxes) derive_twice(box, 2, sum);
    for (const weft::Box& box : z_to_y.to_boxes()) derive_twice(box, 1, y);
    for (const weft::Box& box : z_to_x.to_boxes()) derive_twice(box, 0, x);
    z_to_y.backward(y.data(), part.data());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    z_to_x.backward(x.data(), part.data());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
    const double exact = error(boxes, weft::UserArray::of(boxes, {}, 1), sum.data(), -3);

    weft::Distribution bricks{weft::Distribution::brick};
    bricks.storage = weft::Storage::with_ghosts({1, 1, 1}, {1, 1, 1});
    weft::Halo<double> halo(MPI_COMM_WORLD, grid, bricks);
    std::vector<double> v(std::size_t(halo.elements())), differences(v.size());
    const auto for_each = [&](const auto& body) {
      for (std::size_t i = 0; i < halo.boxes().size(); ++i) {
        const weft::Box& box = halo.boxes()[i];
        const weft::Layout& layout = halo.array().layouts[i];
        for (std::int64_t p = 0; p < box.volume(); ++p) {
          const weft::Dims at{p / box.extent(2) / box.extent(1), p / box.extent(2) % box.extent(1),
                              p % box.extent(2)};
          body(box, at, halo.array().offsets[i] + layout.at(at), layout.strides);
        }
      }
    };
    for_each([&](const weft::Box& box, const weft::Dims& at, std::int64_t e, const weft::Dims&) {
      v[std::size_t(e)] = u_at({box.lo[0] + at[0], box.lo[1] + at[1], box.lo[2] + at[2]});
    });
    halo.exchange(v.data());
    for_each([&](const weft::Box&, const weft::Dims&, std::int64_t e, const weft::Dims& strides) {
      for (const std::int64_t stride : strides)
        differences[std::size_t(e)] +=
            v[std::size_t(e + stride)] - 2 * v[std::size_t(e)] + v[std::size_t(e - stride)];
    });
    const double by_differences =
        error(halo.boxes(), halo.array(), differences.data(), -3 * (2 - 2 * std::cos(h)));
    if (rank == 0)
      std::printf("error by transforms %.2e, by differences %.2e\n", exact, by_differences);
    failed = !(exact < 1e-11 && by_differences < 1e-14);
  }
  MPI_Finalize();
  return failed ? 1 : 0;
}

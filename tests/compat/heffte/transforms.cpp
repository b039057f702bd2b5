// tests/compat/heffte/transforms: a program for heFFTe, as its users write them: transforms of
// complex and real fields, sines and cosines, with every sort of boxes, against direct sums.

#include "direct.h"

using namespace direct;

namespace {

/// How a grid is divided, and the order of its axes in memory.
struct Division {
  std::vector<Box> boxes;
  std::string name;
};

std::vector<Division> divisions(Grid const& grid, MPI_Comm comm) {
  const int ranks = heffte::mpi::comm_size(comm);
  const std::array<int, 2> plane = heffte::make_procgrid(ranks);
  std::vector<Division> all;
  const auto add = [&](std::array<int, 3> grid_of_ranks, std::array<int, 3> order,
                       std::string name) {
    all.push_back(Division{heffte::split_world(grid.world(order), grid_of_ranks), name});
  };
  add(heffte::proc_setup_min_surface(grid.world({{0, 1, 2}}), ranks), {{0, 1, 2}}, "bricks 012");
  add({{1, plane[0], plane[1]}}, {{2, 0, 1}}, "pencils 201");
  add({{plane[1], 1, plane[0]}}, {{1, 2, 0}}, "pencils 120");
  add({{plane[0], plane[1], 1}}, {{2, 1, 0}}, "pencils 210");
  add({{1, 1, ranks}}, {{0, 1, 2}}, "slabs 012");
  add({{ranks, 1, 1}}, {{0, 2, 1}}, "slabs 021");
  // All points on the last rank, and an order of its own for every rank.
  std::vector<Box> last(static_cast<std::size_t>(ranks), Box({{0, 0, 0}}, {{-1, -1, -1}}));
  last.pop_back();
  last.push_back(grid.world({{1, 0, 2}}));
  all.push_back(Division{last, "on the last rank"});
  std::vector<Box> mixed;
  const std::array<int, 3> orders[] = {{{0, 1, 2}}, {{2, 1, 0}}, {{1, 0, 2}}};
  for (Box const& box : all[0].boxes)
    mixed.push_back(Box(box.low, box.high, orders[mixed.size() % 3]));
  all.push_back(Division{mixed, "bricks in orders of their own"});
  return all;
}

struct Case {
  Grid grid;
  Box in, out;
  std::string name;
  MPI_Comm comm;
};

std::vector<std::vector<Long>> fields_of(Grid const& grid, int batch, bool is_real) {
  std::vector<std::vector<Long>> fields;
  for (int f = 0; f < batch; ++f) fields.push_back(noisy(grid, 10 + f, is_real));
  return fields;
}
std::vector<std::vector<Long>> all_summed(Grid const& grid,
                                          std::vector<std::vector<Long>> const& fields, Sum sum) {
  std::vector<std::vector<Long>> sums;
  for (auto const& field : fields) sums.push_back(summed(grid, field, sum));
  return sums;
}

const heffte::scale scales[] = {heffte::scale::none, heffte::scale::full, heffte::scale::symmetric};

long double factor_of(heffte::scale scale, long double full) {
  return scale == heffte::scale::none ? 1 : scale == heffte::scale::full ? full : std::sqrt(full);
}

/// One plan for all types: complex and real, in place or not, batches and scales, both ways.
template <typename backend, typename real>
void complex_is_right(Case const& c, heffte::fft3d<backend> const& plan, int batch,
                      heffte::scale scale) {
  using number = std::complex<real>;
  const auto count_in =
      static_cast<std::size_t>(plan.size_inbox()) * static_cast<std::size_t>(batch);
  const auto count_out =
      static_cast<std::size_t>(plan.size_outbox()) * static_cast<std::size_t>(batch);
  const long double factor = factor_of(scale, 1.0L / static_cast<long double>(c.grid.points()));
  const auto check = [&](double error, std::string const& what) {
    expect(error < tolerance<real>(), c.name + ", " + what + ", batch " + std::to_string(batch) +
                                          ": " + std::to_string(error * 1e16) + "e-16");
  };
  for (const bool is_real : {false, true}) {
    const auto fields = fields_of(c.grid, batch, is_real);
    const auto spectra = all_summed(c.grid, fields, Sum::forward);
    const auto back = all_summed(c.grid, spectra, Sum::backward);
    std::vector<number> workspace(static_cast<std::size_t>(batch) * plan.size_workspace());
    std::vector<number> spectrum(count_out);
    if (is_real) {
      const auto field = part<real>(c.grid, c.in, fields);
      plan.forward(batch, field.data(), spectrum.data(), workspace.data(), scale);
      check(error(c.grid, c.out, spectra, spectrum.data(), factor, c.comm), "real forward");
      std::vector<real> result(count_in);
      plan.backward(batch, spectrum.data(), result.data(), scale);
      check(error(c.grid, c.in, back, result.data(), factor * factor, c.comm), "back to real");
    } else {
      const auto field = part<number>(c.grid, c.in, fields);
      const auto before = field;
      plan.forward(batch, field.data(), spectrum.data(), scale);
      check(error(c.grid, c.out, spectra, spectrum.data(), factor, c.comm), "forward");
      expect(field == before, c.name + ": the input has changed");
      std::vector<number> result(count_in);
      plan.backward(batch, spectrum.data(), result.data(), workspace.data(), scale);
      check(error(c.grid, c.in, back, result.data(), factor * factor, c.comm), "backward");
      // In place; the array has room for the larger side.
      std::vector<number> both(std::max(count_in, count_out));
      std::copy(field.begin(), field.end(), both.begin());
      plan.forward(batch, both.data(), both.data(), scale);
      check(error(c.grid, c.out, spectra, both.data(), factor, c.comm), "forward in place");
      plan.backward(batch, both.data(), both.data(), scale);
      check(error(c.grid, c.in, back, both.data(), factor * factor, c.comm), "backward in place");
    }
  }
}

template <typename backend>
void complex_cases(Case const& c, std::size_t number) {
  heffte::fft3d<backend> made(c.in, c.out, c.comm);
  heffte::fft3d<backend> plan = std::move(made);
  expect(plan.size_inbox() == c.in.count() && plan.size_outbox() == c.out.count() &&
             plan.inbox() == c.in && plan.outbox().ordered_same_as(c.out),
         c.name + ": the boxes of the plan are others");
  complex_is_right<backend, double>(c, plan, 1, scales[number % 3]);
  complex_is_right<backend, float>(c, plan, number % 2 == 0 ? 3 : 1, scales[(number + 1) % 3]);
}

/// Vectors, whose results are new ones.
void vectors_are_right(Case const& c) {
  const auto fields = fields_of(c.grid, 1, true);
  const auto spectra = all_summed(c.grid, fields, Sum::forward);
  heffte::fft3d<heffte::backend::fftw> plan(nullptr, c.in, c.out, c.comm);
  std::vector<double> u = part<double>(c.grid, c.in, fields);
  std::vector<std::complex<double>> v = plan.forward(u, heffte::scale::full);
  expect(static_cast<long long>(v.size()) == c.out.count(),
         "the vector of the spectrum has another size");
  const auto full = static_cast<long double>(plan.get_scale_factor(heffte::scale::full));
  expect(error(c.grid, c.out, spectra, v.data(), full, c.comm) < 4e-15, c.name + ": vectors");
  const std::vector<double> w = plan.backward_real(v);
  expect(error(c.grid, c.in, fields, w.data(), 1, c.comm) < 4e-15, c.name + ": backward_real");
  const std::vector<std::complex<double>> z = plan.backward(v);
  expect(error(c.grid, c.in, fields, z.data(), 1, c.comm) < 4e-15,
         c.name + ": backward of vectors");
}

template <typename real>
void half_is_right(Case const& c, int direction, int batch, heffte::scale scale) {
  using number = std::complex<real>;
  Grid half = c.grid;
  half.n[static_cast<std::size_t>(direction)] = half.n[static_cast<std::size_t>(direction)] / 2 + 1;
  const auto fields = fields_of(c.grid, batch, true);
  std::vector<std::vector<Long>> kept;
  for (auto const& spectrum : all_summed(c.grid, fields, Sum::forward)) {
    kept.emplace_back();
    for (int z = 0; z < half.n[2]; ++z)
      for (int y = 0; y < half.n[1]; ++y)
        for (int x = 0; x < half.n[0]; ++x) kept.back().push_back(spectrum[c.grid.at(x, y, z)]);
  }
  const auto plan = heffte::make_fft3d_r2c<heffte::backend::stock>(c.in, c.out, direction, c.comm);
  const long double factor = factor_of(scale, 1.0L / static_cast<long double>(c.grid.points()));
  const auto field = part<real>(c.grid, c.in, fields);
  std::vector<number> spectrum(static_cast<std::size_t>(plan.size_outbox() * batch));
  std::vector<number> workspace(static_cast<std::size_t>(batch) * plan.size_workspace());
  plan.forward(batch, field.data(), spectrum.data(), workspace.data(), scale);
  const std::string name = c.name + ", halved along " + std::to_string(direction);
  expect(error(half, c.out, kept, spectrum.data(), factor, c.comm) < tolerance<real>(), name);
  std::vector<real> result(field.size());
  plan.backward(batch, spectrum.data(), result.data(), scale);
  const auto points = static_cast<long double>(c.grid.points());
  expect(error(c.grid, c.in, fields, result.data(), points * factor * factor, c.comm) <
             tolerance<real>(),
         name + ", back");
  if (batch == 1) {
    const auto returned = plan.backward(plan.forward(field), heffte::scale::full);
    expect(error(c.grid, c.in, fields, returned.data(), 1, c.comm) < tolerance<real>(),
           name + ", vectors");
  }
}

/// Sines and cosines: forward FFTW's, backward with what each library multiplies by.
template <typename backend, typename real>
void rtransform_is_right(Case const& c, Sum forward, Sum backward, int per_axis,
                         heffte::scale scale) {
  const auto fields = fields_of(c.grid, 2, true);
  const auto spectra = all_summed(c.grid, fields, forward);
  const auto back = all_summed(c.grid, spectra, backward);
  heffte::rtransform<backend> plan(c.in, c.out, c.comm);
  const auto field = part<real>(c.grid, c.in, fields);
  std::vector<real> both(
      static_cast<std::size_t>(2 * std::max(plan.size_inbox(), plan.size_outbox())));
  std::copy(field.begin(), field.end(), both.begin());
  const long double factor =
      factor_of(scale, static_cast<long double>(plan.get_scale_factor(heffte::scale::full)));
  const long double twice = per_axis * per_axis * per_axis;
  const std::string name = c.name + ", " + heffte::backend::name<backend>();
  plan.forward(2, both.data(), both.data(), scale);
  expect(error(c.grid, c.out, spectra, both.data(), factor, c.comm) < tolerance<real>(), name);
  std::vector<real> result(field.size());
  plan.backward(2, both.data(), result.data(), scale);
  expect(
      error(c.grid, c.in, back, result.data(), factor * factor * twice, c.comm) < tolerance<real>(),
      name + ", back");
  // A full scale makes the way back the inverse.
  plan.forward(2, field.data(), both.data());
  plan.backward(2, both.data(), result.data(), heffte::scale::full);
  expect(error(c.grid, c.in, fields, result.data(), 1, c.comm) < tolerance<real>(),
         name + ", round trip");
}

void sines_and_cosines(Case const& c) {
  using namespace heffte::backend;
  using heffte::scale;
  rtransform_is_right<fftw_cos, double>(c, Sum::dct2, Sum::dct3, 1, scale::none);
  rtransform_is_right<fftw_sin, float>(c, Sum::dst2, Sum::dst3, 1, scale::symmetric);
  rtransform_is_right<fftw_cos1, double>(c, Sum::dct1, Sum::dct1, 1, scale::full);
  rtransform_is_right<fftw_sin1, double>(c, Sum::dst1, Sum::dst1, 1, scale::none);
  rtransform_is_right<stock_cos, double>(c, Sum::dct2, Sum::dct3, 2, scale::symmetric);
  rtransform_is_right<stock_sin, double>(c, Sum::dst2, Sum::dst3, 2, scale::full);
  rtransform_is_right<stock_cos1, float>(c, Sum::dct1, Sum::dct1, 2, scale::none);
  rtransform_is_right<mkl_cos, double>(c, Sum::dct2, Sum::dct3, 2, scale::none);
  rtransform_is_right<mkl_sin, double>(c, Sum::dst2, Sum::dst3, 2, scale::none);
}

std::string text(Grid const& grid, Division const& in, Division const& out) {
  return std::to_string(grid.n[0]) + "x" + std::to_string(grid.n[1]) + "x" +
         std::to_string(grid.n[2]) + " from " + in.name + " to " + out.name;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm comm = MPI_COMM_WORLD;
  const auto me = static_cast<std::size_t>(heffte::mpi::comm_rank(comm));
  std::size_t number = 0;
  for (Grid const grid : {Grid{{{7, 5, 6}}}, Grid{{{4, 11, 3}}}}) {
    const auto all = divisions(grid, comm);
    for (std::size_t from = 0; from < all.size(); ++from)
      for (const std::size_t shift : {0, 3, 4}) {
        if (shift == 4 && number % 3 != 0) continue;
        Division const& to = all[(from + shift) % all.size()];
        const Case c{grid, all[from].boxes[me], to.boxes[me], text(grid, all[from], to), comm};
        if (number % 2 == 0)
          complex_cases<heffte::backend::fftw>(c, number);
        else
          complex_cases<heffte::backend::mkl>(c, number);
        ++number;
        const int direction = static_cast<int>(number % 3);
        Grid half = grid;
        half.n[number % 3] = half.n[number % 3] / 2 + 1;
        const Case h{grid, c.in, divisions(half, comm)[(from + shift) % all.size()].boxes[me],
                     c.name, comm};
        half_is_right<double>(h, direction, 1, scales[number % 3]);
        half_is_right<float>(h, direction, 2, scales[(number + 2) % 3]);
      }
    const Case c{grid, all[0].boxes[me], all[1].boxes[me], text(grid, all[0], all[1]), comm};
    vectors_are_right(c);
    sines_and_cosines(c);
  }
  // Planes: boxes of two axes.
  const Grid plane{{{9, 10, 1}}};
  const auto rows =
      heffte::split_world(plane.world({{0, 1, 2}}), {{1, heffte::mpi::comm_size(comm), 1}});
  Box const& mine = rows[me];
  const heffte::box2d<> flat(std::array<int, 2>{{mine.low[0], mine.low[1]}},
                             std::array<int, 2>{{mine.high[0], mine.high[1]}},
                             std::array<int, 2>{{1, 0}});
  const Case in_plane{plane, flat, divisions(plane, comm)[5].boxes[me], "a plane", comm};
  complex_cases<heffte::backend::stock>(in_plane, 0);
  const Grid half_plane{{{5, 10, 1}}};
  half_is_right<double>(
      Case{plane, flat, divisions(half_plane, comm)[0].boxes[me], "a plane", comm}, 0, 1,
      heffte::scale::none);
  // A line, whose points most ranks have none of.
  const Grid line{{{1, 1, 13}}};
  complex_cases<heffte::backend::fftw>(Case{line, divisions(line, comm)[6].boxes[me],
                                            divisions(line, comm)[4].boxes[me], "a line", comm},
                                       1);
  if (me == 0) std::printf("all is as expected: %zu plans\n", number);
  MPI_Finalize();
  return 0;
}

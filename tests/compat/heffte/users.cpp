// tests/compat/heffte/users: what programs for heFFTe do beside transforms: helpers, options,
// communicators that are freed, complex numbers of their own, and what is refused on all ranks.

#include <cstdint>
#include <new>
#include <set>

#include "direct.h"

using namespace direct;
using heffte::backend::fftw;

namespace {

/// Whether this process has no more memory for those who ask for it without exceptions.
bool is_memory_over = false;

}  // namespace

void* operator new[](std::size_t bytes, std::nothrow_t const&) noexcept {
  try {
    return is_memory_over ? nullptr : ::operator new[](bytes);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

namespace {

/// A complex number of a program's own.
struct Pair {
  double re, im;
};

}  // namespace

namespace heffte {
template <>
struct is_zcomplex<Pair> : std::true_type {};
}  // namespace heffte

namespace {

const Grid grid{{{6, 5, 4}}};

Box mine_of(std::array<int, 3> ranks_of_axes, MPI_Comm comm) {
  const auto me = static_cast<std::size_t>(heffte::mpi::comm_rank(comm));
  return heffte::split_world(grid.world({{0, 1, 2}}), ranks_of_axes)[me];
}

Box rows(MPI_Comm comm) { return mine_of({{1, heffte::mpi::comm_size(comm), 1}}, comm); }
Box planes(MPI_Comm comm) { return mine_of({{1, 1, heffte::mpi::comm_size(comm)}}, comm); }

/// Whether a plan transforms as it should.
template <typename number = std::complex<double>>
void is_right(heffte::fft3d<fftw> const& plan, MPI_Comm comm, std::string const& what) {
  const auto field = noisy(grid, 3, false);
  const auto u = part<std::complex<double>>(grid, plan.inbox(), {field});
  std::vector<std::complex<double>> v(static_cast<std::size_t>(plan.size_outbox()));
  plan.forward(reinterpret_cast<number const*>(u.data()), reinterpret_cast<number*>(v.data()));
  expect(error(grid, plan.outbox(), {summed(grid, field, Sum::forward)}, v.data(), 1, comm) < 4e-15,
         what);
}

/// On all ranks, the call throws an error of this type with this in its text.
template <typename Thrown = std::invalid_argument, typename Call>
void is_refused(Call const& call, std::string const& expected) {
  std::string said = "nothing";
  try {
    call();
  } catch (Thrown const& refusal) {
    said = refusal.what();
  }
  expect(said.find(expected) != std::string::npos, "expected: " + expected + "\n  thrown: " + said);
}

void helpers_are_right() {
  using heffte::box3d;
  using Grid3 = std::array<int, 3>;
  const box3d<> world({{0, 0, 0}}, {{9, 4, 2}}, {{2, 0, 1}});
  expect(world.count() == 150 && world.osize(0) == 3 && world.find_order(1) == 2 && !world.is2d(),
         "box3d");
  expect(world.r2c(0).high[0] == 5 && world.r2c(1).high[1] == 2 && world.r2c(2).high[2] == 1,
         "box3d::r2c");
  const auto parts = heffte::split_world(world, {{4, 1, 2}});
  expect(parts.size() == 8 && parts[0].size[0] == 3 && parts[2].size[0] == 2 &&
             parts[4].low[2] == 2 && parts[1].low[0] == 3 && parts[7].ordered_same_as(world),
         "split_world");
  expect(heffte::find_world(parts) == world && heffte::world_complete(parts, world), "find_world");
  expect(parts[0].collide(parts[1]).empty() && parts[0].collide(world) == parts[0], "collide");
  is_refused(
      [&] { heffte::world_complete(std::vector<box3d<>>(parts.begin(), parts.end() - 1), world); },
      "do not cover the whole grid: they have 140 of 150 points");
  is_refused(
      [&] {
        auto twice = parts;
        twice.push_back(parts[0]);
        heffte::world_complete(twice, world);
      },
      "the boxes 0 and 8 overlap");
  expect(heffte::make_procgrid(12) == std::array<int, 2>{{3, 4}} &&
             heffte::make_procgrid(7) == std::array<int, 2>{{1, 7}},
         "make_procgrid");
  expect(heffte::make_procgrid2d(world, 0, {{2, 3}}) == Grid3{{1, 2, 3}} &&
             heffte::make_procgrid2d(world, 2, {{2, 6}}) == Grid3{{4, 3, 1}},
         "make_procgrid2d");
  expect(heffte::proc_setup_min_surface(box3d<>({{0, 0, 0}}, {{7, 7, 7}}), 8) == Grid3{{2, 2, 2}},
         "proc_setup_min_surface");
  expect(heffte::proc_setup_min_surface(box3d<>({{0, 0, 0}}, {{0, 63, 7}}), 4) == Grid3{{1, 4, 1}},
         "proc_setup_min_surface of a plane");
  expect(heffte::proc_setup_min_surface(box3d<>({{0, 0, 0}}, {{1, 1, 1}}), 7) == Grid3{{7, 1, 1}} ||
             heffte::proc_setup_min_surface(box3d<>({{0, 0, 0}}, {{1, 1, 1}}), 7)[1] == 7 ||
             heffte::proc_setup_min_surface(box3d<>({{0, 0, 0}}, {{1, 1, 1}}), 7)[2] == 7,
         "more processes than points");
  const heffte::box3d<long long> wide({{0, 0, 0}}, {{4999999999LL, 1, 0}});
  expect(wide.count() == 10000000000LL && wide.is2d(), "box3d of long long");
  expect(!heffte::backend::is_enabled<heffte::backend::cufft>::value &&
             heffte::backend::is_enabled<heffte::backend::mkl>::value,
         "is_enabled");
  expect(heffte::backend::check_types<fftw, float, std::complex<float>>::value &&
             !heffte::backend::check_types<fftw, float, std::complex<double>>::value &&
             heffte::backend::check_types<fftw, double, Pair>::value &&
             heffte::backend::check_types<heffte::backend::fftw_cos, float, float>::value &&
             !heffte::backend::check_types<heffte::backend::fftw_cos, double,
                                           std::complex<double>>::value,
         "check_types");
  expect(std::is_same<heffte::backend::default_backend<heffte::tag::cpu>::type, fftw>::value &&
             !heffte::backend::uses_gpu<fftw>::value,
         "default_backend");
  expect(heffte::mpi::type_from<std::complex<float>>() == MPI_C_FLOAT_COMPLEX, "type_from");
  heffte::init_tracing("nothing");
  heffte::add_trace name("a call");
  heffte::finalize_tracing();
}

void communicators_may_go() {
  MPI_Comm backwards = MPI_COMM_NULL;
  const int ranks = heffte::mpi::world_rank() == -1 ? 0 : heffte::mpi::comm_size(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, 0, ranks - heffte::mpi::world_rank(), &backwards);
  std::unique_ptr<heffte::fft3d<fftw>> plan(
      new heffte::fft3d<fftw>(rows(backwards), planes(backwards), backwards));
  heffte::fft3d<fftw> other(planes(backwards), planes(backwards), backwards);
  is_right(other, MPI_COMM_WORLD, "before the communicator is freed");
  heffte::mpi::comm_free(backwards);
  is_right(*plan, MPI_COMM_WORLD, "after the communicator is freed");
  is_right<Pair>(*plan, MPI_COMM_WORLD, "complex numbers of the program's own");
  is_right<double[2]>(*plan, MPI_COMM_WORLD, "complex numbers of FFTW");
  heffte::fft3d<fftw> moved = std::move(*plan);
  plan.reset();
  is_right(moved, MPI_COMM_WORLD, "a plan that was moved");
  other = std::move(moved);
  is_right(other, MPI_COMM_WORLD, "a plan that was assigned");
  const heffte::fft3d<heffte::backend::stock> alone({{0, 0, 0}, {5, 4, 3}}, {{0, 0, 0}, {5, 4, 3}},
                                                    MPI_COMM_SELF);
}

void options_are_taken() {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const int ranks = heffte::mpi::comm_size(comm);
  heffte::plan_options options = heffte::default_options<fftw>();
  for (const auto algorithm :
       {heffte::reshape_algorithm::p2p, heffte::reshape_algorithm::alltoall}) {
    options.algorithm = algorithm;
    options.use_pencils = !options.use_pencils;
    options.use_reorder = !options.use_reorder;
    is_right(heffte::fft3d<fftw>(rows(comm), planes(comm), comm, options), comm, "options");
  }
  options.use_num_subranks(2);
  expect(options.get_subranks() == 2, "get_subranks");
  is_right(heffte::fft3d<fftw>(rows(comm), planes(comm), comm, options), comm,
           "two ranks that compute");
  std::vector<int> but_first;
  for (int rank = 1; rank < ranks; ++rank) but_first.push_back(rank);
  MPI_Comm some = ranks == 1 ? MPI_COMM_SELF : heffte::mpi::new_comm_from_group(but_first, comm);
  options.use_subcomm(some);
  heffte::fft3d<fftw> plan(rows(comm), planes(comm), comm, options);
  if (ranks > 1 && some != MPI_COMM_NULL) heffte::mpi::comm_free(some);
  is_right(plan, comm, "a communicator that computes");
  const Box in = rows(comm), out = planes(comm);
  const heffte::fft3d<fftw> by_numbers(in.low[0], in.low[1], in.low[2], in.high[0], in.high[1],
                                       in.high[2], out.low[0], out.low[1], out.low[2], out.high[0],
                                       out.high[1], out.high[2], comm);
  is_right(by_numbers, comm, "boxes number by number");
}

/// In place on one rank only, where both sides lie differently.
void in_place_here_and_there() {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const bool is_first = heffte::mpi::comm_rank(comm) == 0;
  heffte::fft3d<fftw> plan(rows(comm), planes(comm), comm);
  const auto field = noisy(grid, 5, false);
  const auto u = part<std::complex<double>>(grid, plan.inbox(), {field});
  std::vector<std::complex<double>> both(
      static_cast<std::size_t>(std::max(plan.size_inbox(), plan.size_outbox())));
  std::copy(u.begin(), u.end(), both.begin());
  std::vector<std::complex<double>> apart(static_cast<std::size_t>(plan.size_outbox()));
  auto& v = is_first ? both : apart;
  plan.forward(is_first ? both.data() : u.data(), v.data());
  expect(error(grid, plan.outbox(), {summed(grid, field, Sum::forward)}, v.data(), 1, comm) < 4e-15,
         "in place on one rank");
}

void wrong_use_is_refused() {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const bool is_last = heffte::mpi::comm_rank(comm) == heffte::mpi::comm_size(comm) - 1;
  const int ranks = heffte::mpi::comm_size(comm);
  const Box whole = grid.world({{0, 1, 2}}), none({{0, 0, 0}}, {{-1, -1, -1}});
  const auto make = [&](Box const& in, Box const& out) { heffte::fft3d<fftw>(in, out, comm); };
  if (ranks > 1)
    is_refused([&] { make(whole, planes(comm)); },
               "the inboxes of ranks 0 and 1 overlap: 0..5 x 0..4 x 0..3");
  is_refused([&] { make(none, none); }, "no rank's inbox has points");
  is_refused([&] { make(planes(comm), is_last ? none : planes(comm)); },
             ranks == 1 ? "no rank's outbox has points"
                        : "the inboxes are a grid of 6x5x4 and the outboxes one of");
  is_refused(
      [&] {
        make(is_last ? Box({{1, 0, 0}}, {{5, 4, 3}}) : none, planes(comm));
      },
      "the inboxes begin at 1 along axis 0");
  is_refused(
      [&] {
        make(is_last ? Box({{0, 0, 0}}, {{5, 4, 3}}, {{0, 1, 1}}) : none, planes(comm));
      },
      "the order of the inbox of rank " + std::to_string(ranks - 1) + " is 0, 1, 1");
  is_refused([&] { heffte::fft3d_r2c<fftw>(planes(comm), planes(comm), 0, comm); },
             "outboxes of a grid of 4x5x4");
  is_refused([&] { heffte::fft3d_r2c<fftw>(planes(comm), planes(comm), 3, comm); },
             "halve an axis that is none");
  is_refused([&] { heffte::fft3d<fftw>(planes(comm), planes(comm), MPI_COMM_NULL); },
             "MPI_COMM_NULL");
  if (ranks > 1)
    is_refused([&] { heffte::fft3d_r2c<fftw>(planes(comm), planes(comm), is_last ? 0 : 1, comm); },
               "make different plans");
  // A vector that is short on one rank, of complex and of real numbers; the plan is right again.
  heffte::fft3d<fftw> plan(rows(comm), planes(comm), comm);
  const auto points = static_cast<std::size_t>(plan.size_inbox());
  const std::vector<std::complex<double>> u(is_last ? points - 1 : points);
  const std::vector<float> real(is_last ? points - 1 : points);
  is_refused([&] { plan.forward(u); }, "elements where");
  is_refused([&] { plan.backward(0, u.data(), const_cast<std::complex<double>*>(u.data())); },
             "there are no 0 fields");
  is_refused([&] { plan.forward(real); }, "elements where");
  std::vector<double> overlapping(points + 1);
  is_refused(
      [&] {
        heffte::rtransform<heffte::backend::fftw_cos> cosines(rows(comm), rows(comm), comm);
        cosines.forward(overlapping.data(), overlapping.data() + 1);
      },
      "overlap");
  // A rank that has no memory for numbers of another type, while the others have.
  const std::vector<float> whole_real(points);
  const std::vector<std::complex<double>> spectrum(static_cast<std::size_t>(plan.size_outbox()));
  std::vector<double> back(points);
  is_memory_over = is_last;
  is_refused<std::runtime_error>([&] { plan.forward(whole_real); }, "bytes of memory");
  is_refused<std::runtime_error>([&] { plan.backward(spectrum.data(), back.data()); },
                                 "bytes of memory");
  is_memory_over = false;
  is_right(plan, comm, "after a refusal");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  helpers_are_right();
  communicators_may_go();
  options_are_taken();
  in_place_here_and_there();
  wrong_use_is_refused();
  if (heffte::mpi::world_rank(0)) std::printf("all is as expected\n");
  MPI_Finalize();
  return 0;
}

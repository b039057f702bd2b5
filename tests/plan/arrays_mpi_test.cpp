// plan/arrays: plans take vectors, spans and pointers as they take fields, and refuse short ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "support/asked.hpp"
#include "support/subject.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

using Complex = std::complex<double>;

// A multiple of every number of ranks; the other extents are as many as the ranks or more, so that
// all have points on both sides.
constexpr std::int64_t planes = 84;

std::size_t number(std::int64_t elements) { return static_cast<std::size_t>(elements); }

double value_at(const Dims& at) {
  return std::sin(1 + static_cast<double>(at[0] * 7 + at[1] * at[2]));
}

// Whether both are the same number at every point of the share.
template <class T>
bool is_same(const T* a, const T* b, const Share& share) {
  auto other = Points(b, share).begin();
  bool same = true;
  for (auto [at, value] : Points(a, share)) {
    same = same && value == (*other).value;
    ++other;
  }
  return same;
}

// The transform of a field of ones: its number of points at the wave number 0.
void expect_spike(const Complex* spectrum, const Share& share, std::int64_t points) {
  for (auto [at, value] : Points(spectrum, share)) {
    const auto height = static_cast<double>(at == Dims{0, 0, 0} ? points : 0);
    EXPECT_LT(std::abs(value - height), 1e-10) << to_string(at);
  }
}

// The code of the error that `body` throws, and its text.
template <class Body>
std::pair<int, std::string> error_of_run(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {-1, "nothing was thrown"};
}

bool is_wrong_rank() { return rank_of_world() == ranks_of_world() - 1; }

// What a rank says whose array is refused, and what the others say.
std::string beginning() {
  return is_wrong_rank() ? "weft: "
                         : fmt::format("weft: rank {} refused to start run 1 of this plan: ",
                                       ranks_of_world() - 1);
}

}  // namespace

// What is no array of the right type, cannot be written to, or would be gone before a started run
// reads it, is refused by the compiler.
static_assert(std::is_convertible_v<std::vector<double>&, Source<double>>);
static_assert(std::is_convertible_v<const std::vector<double>&, Source<double>>);
static_assert(std::is_convertible_v<std::span<const double>, Source<double>>);
static_assert(std::is_convertible_v<std::vector<double>&, Target<double>>);
static_assert(std::is_convertible_v<std::span<double>, Target<double>>);
static_assert(!std::is_convertible_v<std::vector<float>&, Source<double>>);
static_assert(!std::is_convertible_v<std::vector<double>, Source<double>>);
static_assert(!std::is_convertible_v<const std::vector<double>&, Target<double>>);
static_assert(!std::is_convertible_v<std::span<const double>, Target<double>>);
static_assert(!std::is_convertible_v<Field<float>&, Source<double>>);
static_assert(!std::is_convertible_v<const Field<double>&, Target<double>>);

TEST(Arrays, of_every_kind_on_either_side_give_the_bits_of_fields) {
  auto plan = Plan(MPI_COMM_WORLD, r2c({planes, 5, 6}), quick());
  auto u = plan.make_input(), back = plan.make_input();
  auto v = plan.make_output(), other = plan.make_output();
  for (auto [at, x] : u.points()) x = value_at(at);
  plan.forward(u, v);
  plan.backward(v, back);

  std::vector<double> x(number(plan.input().elements));
  std::vector<Complex> y(number(plan.output().elements));
  for (auto [at, value] : Points(x.data(), plan.input())) value = value_at(at);
  plan.forward(x, y);
  EXPECT_TRUE(is_same(y.data(), v.data(), plan.output())) << "vector to vector";
  plan.forward(x, other);
  EXPECT_TRUE(is_same(other.data(), v.data(), plan.output())) << "vector to field";
  y.assign(y.size(), 0);
  plan.start_forward(u, std::span(y)).wait();
  EXPECT_TRUE(is_same(y.data(), v.data(), plan.output())) << "field to span";
  x.assign(x.size(), 0);
  plan.backward(std::span<const Complex>(y), x.data());
  EXPECT_TRUE(is_same(x.data(), back.data(), plan.input())) << "span to pointer";
  x.assign(x.size(), 0);
  plan.start_backward(v, x).wait();
  EXPECT_TRUE(is_same(x.data(), back.data(), plan.input())) << "field to vector";
}

TEST(Arrays, that_are_short_on_one_rank_are_an_error_on_all_with_the_numbers) {
  for (const char* exchange : {"p2p", "node"})
    for (const bool is_input : {true, false}) {
      auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 12, 7}), in_chunks(exchange, 2));
      std::vector<Complex> x(number(plan.input().elements)), y(number(plan.output().elements));
      std::vector<Complex>& array = is_input ? x : y;
      const auto needed = array.size();
      if (is_wrong_rank()) array.resize(needed - 1);
      const auto [code, text] = error_of_run([&] { plan.forward(x, y); });
      EXPECT_EQ(code, Error::invalid) << text;
      EXPECT_THAT(text, StartsWith(beginning()));
      EXPECT_THAT(text, HasSubstr(fmt::format("the {} has ", is_input ? "input" : "output")));
      if (!is_wrong_rank()) continue;
      EXPECT_THAT(text, HasSubstr(fmt::format("has {} elements, but this rank needs {}", needed - 1,
                                              needed)));
    }
}

TEST(Arrays, that_are_short_on_all_ranks_leave_the_plan_as_it_is) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 12, 7}), quick());
  std::vector<Complex> x(number(plan.input().elements)), y(number(plan.output().elements)), none;
  const auto [code, text] = error_of_run([&] { plan.backward(none, x); });
  EXPECT_EQ(code, Error::invalid);
  EXPECT_THAT(text, StartsWith(fmt::format("weft: the input has 0 elements, but this rank needs {}",
                                           y.size())));
  x.assign(x.size(), 1);
  plan.forward(x, y);
  expect_spike(y.data(), plan.output(), planes * 84);
}

TEST(Arrays, that_are_longer_keep_what_lies_beyond) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 12, 7}), quick());
  const auto needed = number(plan.output().elements);
  std::vector<Complex> x(number(plan.input().elements) + 5, 1), y(needed + 5, 7);
  plan.forward(x, y);
  for (auto i = needed; i < y.size(); ++i) EXPECT_EQ(y[i], Complex(7)) << i;
}

TEST(Arrays, in_place_have_room_for_both_sides) {
  auto problem = r2c({planes, 12, 6});
  problem.in_place = true;
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  std::vector<double> both(number(plan.input().elements));
  auto* const spectrum = reinterpret_cast<Complex*>(both.data());
  for (auto [at, value] : Points(both.data(), plan.input())) value = 1;
  plan.forward(both, std::span(spectrum, both.size() / 2));
  expect_spike(spectrum, plan.output(), planes * 72);
  const std::span<double> reals = std::span(both).first(both.size() - 1);
  EXPECT_THAT(message_thrown_by([&] { plan.forward(reals, spectrum); }),
              HasSubstr(fmt::format("the input has {} elements, but this rank needs {}",
                                    both.size() - 1, both.size())));
}

TEST(Arrays, of_types_known_at_run_time_are_counted_in_their_own_elements) {
  AnyPlan plan(MPI_COMM_WORLD, c2c({planes, 12, 7}), quick());
  std::vector<Complex> x(number(plan.input().elements), 1), y(number(plan.output().elements));
  plan.forward(std::span(x), std::span(y));
  expect_spike(y.data(), plan.output(), planes * 84);
  std::vector<double> numbers(2 * x.size() - 1);
  EXPECT_THAT(message_thrown_by([&] { plan.forward(std::span(numbers), std::span(y)); }),
              HasSubstr(fmt::format("the input has {} elements, but this rank needs {}",
                                    numbers.size(), 2 * x.size())));
}

TEST(Arrays, of_reshapes_are_checked_in_elements_of_the_application) {
  struct Cell {
    double values[3];
  };
  Reshape<Cell> cells(MPI_COMM_WORLD, {planes, 84, 2}, Distribution::slab,
                      {Distribution::pencil, {1, ranks_of_world()}}, quick());
  std::vector<Cell> from(number(cells.from_elements())), to(number(cells.to_elements()));
  for (std::size_t i = 0; i < from.size(); ++i) from[i].values[2] = 1;
  cells.forward(from, to);
  for (const Cell& cell : to) EXPECT_EQ(cell.values[2], 1);
  from.pop_back();
  EXPECT_THAT(message_thrown_by([&] { cells.forward(from, to); }),
              HasSubstr(fmt::format("the input has {} elements, but this rank needs {}",
                                    from.size(), from.size() + 1)));
}

TEST(Arrays, of_halos_are_checked) {
  Distribution slabs{Distribution::slab};
  slabs.storage = Storage::with_ghosts({1, 0}, {1, 0});
  Halo<double> halo(MPI_COMM_WORLD, {planes, 5}, slabs, Periodic::all(), quick());
  std::vector<double> u(number(halo.elements()), 0);
  const Layout& rows = halo.array().layouts[0];
  double* const first = u.data() + halo.array().offsets[0];
  for (std::int64_t i = 0; i < rows.extents[0]; ++i)
    for (std::int64_t j = 0; j < rows.extents[1]; ++j)
      first[i * rows.strides[0] + j * rows.strides[1]] = 3;
  halo.exchange(u);
  for (const double value : u) EXPECT_EQ(value, 3);
  u.pop_back();
  EXPECT_THAT(
      message_thrown_by([&] { halo.exchange(u); }),
      HasSubstr(fmt::format("has {} elements, but this rank needs {}", u.size(), u.size() + 1)));
}

TEST(Arrays, of_an_ensemble_may_be_vectors) {
  Ensemble bands(MPI_COMM_WORLD, 2, c2c({planes, 12, 7}), EnsemblePolicy::all_ranks, quick());
  auto v = bands.make_output(0);
  std::vector<Complex> x(number(bands.any().plan(0).input().elements), 1);
  bands.start_forward(0, x, v).wait();
  expect_spike(v.data(), v.share(), planes * 84);
}

TEST(LocalBox, is_the_one_box_of_this_rank) {
  auto plan = Plan(MPI_COMM_WORLD, c2c({planes, 12, 7}), quick());
  EXPECT_EQ(plan.local_input(), plan.input().boxes[0]);
  EXPECT_EQ(plan.local_output(), plan.output().boxes[0]);
  EXPECT_EQ(plan.local_input().volume(), plan.input().elements);
}

TEST(LocalBox, has_no_points_where_the_rank_has_none) {
  auto problem = c2c({planes, 4, 3});
  problem.input = Distribution::of_my_boxes(
      rank_of_world() == 0 ? std::vector{Box::whole({planes, 4, 3})} : std::vector<Box>());
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  EXPECT_EQ(plan.local_input().axes(), 3);
  EXPECT_EQ(plan.local_input().volume(), rank_of_world() == 0 ? planes * 12 : 0);
}

TEST(LocalBox, of_several_boxes_or_of_waves_is_an_error) {
  const std::int64_t thick = planes / ranks_of_world(), first = rank_of_world() * thick;
  auto problem = c2c({planes, 4, 3});
  problem.input = Distribution::of_my_boxes(
      {Box{{first, 0, 0}, {first + 1, 4, 3}}, Box{{first + 1, 0, 0}, {first + thick, 4, 3}}});
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  const auto [code, text] = error_of_run([&] { plan.local_input(); });
  EXPECT_EQ(code, Error::invalid);
  EXPECT_THAT(text, HasSubstr("this rank has 2 boxes of the input"));

  auto waves = c2c({planes, 12, 12});
  waves.cutoff = Cutoff::sphere(3);
  auto cut = Plan(MPI_COMM_WORLD, waves, quick());
  EXPECT_THAT(message_thrown_by([&] { cut.local_output(); }), HasSubstr("no box"));
  EXPECT_EQ(cut.local_input(), cut.input().boxes[0]);
}

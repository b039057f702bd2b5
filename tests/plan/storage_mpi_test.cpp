// plan/storage: arrays with their axes in any order, with ghost points, with interleaved fields, on
// both sides of plans and of Reshape; and what cannot be.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "support/asked.hpp"
#include "support/check_plan.hpp"
#include "support/dice.hpp"
#include "support/exchanges_here.hpp"
#include "support/sanitized.hpp"
#include "support/world.hpp"
#include "weft/grid/split.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

void expect_right_storage(const Problem& problem, const Options& options = quick()) {
  AnyPlan plan(MPI_COMM_WORLD, problem, options);
  for (const Arrays arrays : {Arrays::of_weft, Arrays::any}) {
    const auto failure = check_plan(plan, known_reference(plan.problem(), 19), nullptr, arrays);
    EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
  }
}

// All that a storage can be, some together.
std::vector<Storage> storages() {
  std::vector<Storage> all{Storage(), Storage::column_major(3),
                           Storage::with_ghosts({1, 0, 2}, {0, 2, 1})};
  all.push_back({{1, 2, 0}, {0, 1, 1}, {}, true});
  all.push_back({{}, {}, {0, 0, 5}, true});
  return all;
}

}  // namespace

TEST(Storage, any_on_one_side_and_any_on_the_other) {
  int number = 0;
  for (const Storage& from : storages())
    for (const Storage& to : storages()) {
      if (ranks_of_world() > 4 && ++number % 3 != 0) continue;
      for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r}) {
        Problem problem = of({6, 5, 8}, kind);
        problem.batch = 2;
        problem.input.storage = from;
        problem.output.storage = to;
        problem.in_place = kind == Kind::r2c;
        expect_right_storage(problem);
      }
    }
}

TEST(Storage, with_every_exchange) {
  for (const auto& exchange : exchanges_here())
    for (const Kind kind : {Kind::c2c, Kind::r2c}) {
      Problem problem = of({8, 6, 10}, kind);
      problem.input.storage = Storage::column_major(3);
      problem.output = {Distribution::brick};
      problem.output.storage = Storage::with_ghosts({1, 1, 1}, {1, 1, 1});
      Options options = quick();
      options.exchange = exchange.name;
      expect_right_storage(problem, options);
    }
}

// A free input lies on a process grid of the axes in memory order, and the output must be there,
// too.
TEST(Storage, the_same_distribution_on_both_sides) {
  for (const auto& order : std::vector<std::vector<int>>{{2, 1, 0}, {1, 0, 2}})
    for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
      for (const Distribution::Form form : {Distribution::free, Distribution::pencil}) {
        Problem problem = of({16, 12, 14}, kind);
        problem.input.storage.order = problem.output.storage.order = order;
        problem.output.form = Distribution::same;
        if (kind == Kind::c2c) problem.modes = {8, 12, 7};
        Options options = quick();
        options.decomposition = form;
        expect_right_storage(problem, options);
      }
}

// Whole fields in arrays whose strides are known: Fortran's u(n1, n2), and u[x][y][field].
TEST(Storage, strides_are_those_that_it_says) {
  Problem problem = of({4, 6});
  problem.batch = 3;
  problem.input = {Distribution::slab};
  problem.input.storage = Storage::column_major(2);
  problem.output = {Distribution::slab};
  problem.output.storage.interleaves_batch = true;
  problem.output.storage.before = {1, 2};
  AnyPlan plan(MPI_COMM_WORLD, problem, quick());
  const Share &in = plan.input(), &out = plan.output();
  if (in.boxes.empty()) return;
  const std::int64_t rows = in.boxes[0].extent(0);
  EXPECT_EQ(in.array.layouts[0].strides, (Dims{1, rows}));
  EXPECT_EQ(in.array.field_stride, 6 * rows);
  EXPECT_EQ(in.elements, 3 * 6 * rows);
  EXPECT_EQ(out.array.layouts[0].strides, (Dims{3 * 8, 3}));
  EXPECT_EQ(out.array.offsets[0], 3 * (8 + 2));
  EXPECT_EQ(out.array.field_stride, 1);
  EXPECT_EQ(out.elements, 3 * 8 * (rows + 1));
}

TEST(Storage, fields_walk_over_their_points_but_have_rows_only_where_these_are_contiguous) {
  auto problem = c2c({4, 6, 5});
  problem.input.storage = Storage::column_major(3);
  problem.output.storage.after = {0, 0, 3};
  auto plan = Plan(MPI_COMM_WORLD, problem, quick());
  auto u = plan.make_input();
  auto v = plan.make_output();
  for (auto [at, x] : u.points()) x = 1;
  plan.forward(u, v);
  for (auto [at, row] : v.points().rows())
    for (const auto& x : row)
      EXPECT_NEAR(std::abs(x - (at[0] + at[1] + at[2] + (&x - row.data()) == 0 ? 120.0 : 0.0)), 0,
                  1e-12);
  if (u.size() > 0 && u.boxes().front().extent(2) > 1) {
    EXPECT_THROW(static_cast<void>(u.points().rows()), Error);
  }
}

// Bit for bit: from any storage to any, on both sides any boxes, elements of several sizes.
TEST(Storage, reshape_from_any_to_any) {
  struct Element {
    std::int32_t a, b, c;
  };
  Dice dice(5);
  const int ranks = ranks_of_world();
  for (int round = 0; round < 12; ++round) {
    const Extents extents{dice.between(1, 6), dice.between(1, 7), dice.between(1, 8)};
    Distribution from = Distribution::of_boxes(random_tiling(dice, extents, ranks));
    Distribution to = Distribution::of_boxes(random_tiling(dice, extents, ranks));
    const auto all = storages();
    from.storage = dice.pick(all);
    to.storage = dice.pick(all);
    Reshape<Element> reshape(MPI_COMM_WORLD, extents, from, to, quick());
    std::vector<Element> a(static_cast<std::size_t>(reshape.from_elements())),
        b(static_cast<std::size_t>(reshape.to_elements()), Element{-1, -1, -1});
    const auto number = [&](const Dims& at) {
      return static_cast<std::int32_t>((at[0] * 100 + at[1]) * 100 + at[2]);
    };
    // The plan moves the three numbers of an element along an axis of their own.
    const auto visit = [&](const Share& share, std::vector<Element>& array, const auto& body) {
      for_each_point(share, 1, [&](std::int64_t, const Dims& at, std::int64_t e) {
        std::int32_t* const numbers = &array[static_cast<std::size_t>(e / 3)].a;
        body(at, numbers[e % 3]);
      });
    };
    visit(reshape.plan().input(), a, [&](const Dims& at, std::int32_t& x) {
      x = number(at) + static_cast<std::int32_t>(at[3]) * 1000000;
    });
    reshape.forward(a.data(), b.data());
    std::int64_t wrong = 0, points = 0;
    visit(reshape.plan().output(), b, [&](const Dims& at, std::int32_t& x) {
      ++points;
      if (x != number(at) + static_cast<std::int32_t>(at[3]) * 1000000) ++wrong;
      x = -1;
    });
    EXPECT_EQ(wrong, 0) << round;
    const auto untouched = std::count_if(b.begin(), b.end(), [](const Element& each) {
      return each.a == -1 && each.b == -1 && each.c == -1;
    });
    EXPECT_EQ(untouched, std::ssize(b)) << "elements between the points were written";
  }
}

TEST(Storage, what_cannot_be) {
  Problem problem = of({8, 9});
  problem.input.storage.order = {0};
  expect_error(planning_error(problem), "the storage order of the input is 0, not all axes of 8x9");
  problem.input.storage.order = {0, 2};
  expect_error(planning_error(problem), "the storage order of the input is 0,2");
  problem = of({8, 9});
  problem.output.storage.before = {1};
  expect_error(planning_error(problem), "the output has ghost points for 1 axes, but 8x9 has 2");
  problem.output.storage.before = {1, -1};
  expect_error(planning_error(problem), "the output has -1 ghost points along axis 1");
  problem = of({8, 9, 10});
  problem.output.storage.before = {1 << 20, 1 << 20, 1 << 20};
  expect_error(planning_error(problem), "with ghost points and 1 fields has more than");
  problem = of({1, 1});
  problem.batch = std::int64_t{1} << 30;
  problem.input.storage = Storage::with_ghosts({1 << 17, 0}, {0, 1 << 17});
  expect_error(planning_error(problem), "ghost points and 1073741824 fields has more than");
  if (ranks_of_world() > 1) {
    problem = of({8, 9});
    if (rank_of_world() == 0) problem.output.storage = Storage::column_major(2);
    expect_error(planning_error(problem), "stored 1,0");
  }
}

namespace {

// This rank's slab of axis `axis`, with strides in a random order and room between all points.
Distribution scattered(const Extents& extents, int axis, std::int64_t batch, std::uint64_t seed) {
  Dice dice(seed * 64 + static_cast<std::uint64_t>(rank_of_world()));
  Box box = Box::whole(extents);
  box.set(axis, split(extents[axis], ranks_of_world(), rank_of_world()));
  if (box.empty()) return Distribution::of_my_boxes({}, {});
  std::vector<int> order{0, 1, 2};
  dice.shuffle(order);
  Dims strides = Dims::filled(3, 1);
  std::int64_t stride = dice.between(1, 3);
  const bool interleaves = dice.chance(30);
  const std::int64_t field = interleaves ? stride : 0;
  if (interleaves) stride *= batch;
  for (const int a : order) {
    strides[a] = stride;
    stride *= box.extent(a) + dice.between(0, 2);
  }
  UserArray array = UserArray::strided(box, strides, batch, field);
  array.offsets.front() = dice.between(0, 5);
  array.elements += array.offsets.front() + dice.between(0, 5);
  return Distribution::of_my_boxes({box}, array);
}

}  // namespace

// Each rank has strides of its own.
TEST(Storage, strides_of_the_users_own) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      Problem problem = of({7, 8, 9}, kind);
      problem.batch = 1 + static_cast<std::int64_t>(seed % 2) * 2;
      const Problem known = validated(problem);
      problem.input = scattered(input_extents(known), 0, problem.batch, seed);
      problem.output = seed == 3 ? Distribution(Distribution::slab)
                                 : scattered(output_extents(known), 1, problem.batch, seed + 50);
      AnyPlan plan(MPI_COMM_WORLD, problem, quick());
      const auto failure = check_plan(plan, known_reference(plan.problem(), 17));
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
    }
}

namespace {

// The same points, the box in two, with empty boxes before, between and after them, of which the
// array says what cannot be.
Distribution with_empty_boxes(const Distribution& plain) {
  const Box none{{3, 0, 0}, {3, 0, 0}};
  UserArray array = plain.my_array().value_or(UserArray());
  std::vector<Box> boxes;
  std::vector<Layout> layouts;
  std::vector<std::int64_t> offsets;
  const auto add = [&](const Box& box, const Dims& strides, std::int64_t offset) {
    boxes.push_back(box);
    layouts.push_back({box.extents(), strides});
    offsets.push_back(offset);
  };
  add(none, {1, 1, 1}, -1000000);
  if (!plain.my_boxes().empty()) {
    const Box& whole = plain.my_boxes().front();
    const Dims& strides = array.layouts.front().strides;
    Box first = whole, second = whole;
    first.hi[2] = second.lo[2] = (whole.lo[2] + whole.hi[2]) / 2;
    add(first, strides, array.offsets.front());
    add(none, {0, 5, -7}, 3);
    add(second, strides, array.offsets.front() + first.extent(2) * strides[2]);
  }
  add(none, {1, 1, 1}, std::int64_t{1} << 40);
  array.layouts = layouts;
  array.offsets = offsets;
  return Distribution::of_my_boxes(boxes, array);
}

}  // namespace

TEST(Storage, empty_boxes_among_those_of_an_array_say_nothing) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::c2r})
    for (const std::int64_t batch : {1, 2}) {
      Problem problem = of({7, 8, 9}, kind);
      problem.batch = batch;
      const Problem known = validated(problem);
      problem.input = with_empty_boxes(scattered(input_extents(known), 0, batch, 3));
      problem.output = with_empty_boxes(scattered(output_extents(known), 1, batch, 4));
      AnyPlan plan(MPI_COMM_WORLD, problem, quick());
      EXPECT_EQ(plan.input().boxes.size(), plan.input().array.layouts.size());
      const auto failure = check_plan(plan, known_reference(plan.problem(), 17));
      EXPECT_FALSE(failure) << *failure << "\n" << plan.describe(Detail::all);
      // As a plan tells them, for another one.
      Problem again = plan.problem();
      AnyPlan second(MPI_COMM_WORLD, again, quick());
      EXPECT_EQ(second.input(), plan.input());
    }
}

TEST(Storage, empty_boxes_among_those_of_structures) {
  struct Element {
    std::int32_t a, b, c;
  };
  const Extents extents{7, 8, 9};
  const Distribution from = with_empty_boxes(scattered(extents, 0, 1, 5));
  const auto check = [&](const Distribution& source) {
    Reshape<Element> reshape(MPI_COMM_WORLD, extents, source, Distribution::slab, quick());
    std::vector<Element> a(static_cast<std::size_t>(reshape.from_elements()), Element{-1, -1, -1}),
        b(static_cast<std::size_t>(reshape.to_elements()), Element{-1, -1, -1});
    const auto visit = [](const Share& share, std::vector<Element>& array, const auto& body) {
      for_each_point(share, 1, [&](std::int64_t, const Dims& at, std::int64_t e) {
        std::int32_t* const numbers = &array[static_cast<std::size_t>(e / 3)].a;
        body(static_cast<std::int32_t>(((at[0] * 9 + at[1]) * 9 + at[2]) * 3 + at[3]),
             numbers[e % 3]);
      });
    };
    visit(reshape.plan().input(), a, [](std::int32_t number, std::int32_t& x) { x = number; });
    reshape.forward(a.data(), b.data());
    visit(reshape.plan().output(), b,
          [](std::int32_t number, std::int32_t& x) { EXPECT_EQ(x, number); });
  };
  check(from);
  // Gathered by a plan of numbers.
  Problem problem = of(extents);
  problem.input = from;
  check(AnyPlan(MPI_COMM_WORLD, problem, quick()).problem().input);
}

// Memory that ends where the next page may not be touched.
class Guarded {
 public:
  explicit Guarded(std::int64_t bytes)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        size_((static_cast<std::size_t>(bytes) + page_ - 1) / page_ * page_ + page_),
        memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    std::byte* const end = static_cast<std::byte*>(memory_) + size_ - page_;
    EXPECT_EQ(mprotect(end, page_, PROT_NONE), 0);
    data_ = end - bytes;
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(memory_, size_); }
  std::byte* data() const { return data_; }

 private:
  std::size_t page_, size_;
  void* memory_;
  std::byte* data_;
};

// An odd number of real numbers on one side, which is the larger one: the array is no whole number
// of complex ones.
TEST(Storage, an_array_in_place_ends_where_its_larger_side_ends) {
  for (const char* exchange : {"p2p", "shared", "node", "alltoallw"})
    for (const Kind kind : {Kind::r2c, Kind::c2r}) {
      // The axis that is divided is transformed, so that both ends are exchanged.
      const auto slab = [](const Extents& extents) {
        Box box = Box::whole(extents);
        box.set(1, split(extents[1], ranks_of_world(), rank_of_world()));
        return box;
      };
      Problem problem = of({9, 24}, kind);
      problem.axes = {1};
      problem.in_place = true;
      const Box real = slab({9, 24}), spectral = slab({9, 13});
      UserArray of_real = UserArray::strided(real, {real.extent(1), 1});
      const UserArray of_spectral = UserArray::strided(spectral, {spectral.extent(1), 1});
      of_real.elements = std::max(of_real.elements, 2 * of_spectral.elements) | 1;
      const bool is_c2r = kind == Kind::c2r;
      (is_c2r ? problem.output : problem.input) = Distribution::of_my_boxes({real}, of_real);
      (is_c2r ? problem.input : problem.output) =
          Distribution::of_my_boxes({spectral}, of_spectral);
      Options options = quick();
      options.exchange = exchange;
      AnyPlan plan(MPI_COMM_WORLD, problem, options);
      const Guarded array(of_real.elements * 8);
      auto* const numbers = reinterpret_cast<double*>(array.data());
      for (std::int64_t i = 0; i < of_real.elements; ++i)
        numbers[i] = static_cast<double>(rank_of_world() + i);
      const std::vector<double> before(numbers, numbers + of_real.elements);
      plan.forward(array.data(), array.data());
      plan.backward(array.data(), array.data());
      if (is_c2r) continue;  // what is not the spectrum of real numbers does not come back
      const auto points = static_cast<std::size_t>(real.volume());
      for (std::size_t i = 0; i < points; ++i) EXPECT_NEAR(numbers[i], before[i], 1e-12);
    }
}

// Two components in one array of memory that weft does not share: one is the output of a transform,
// the application writes the other one meanwhile.
TEST(Storage, between_the_points_belongs_to_the_application_also_during_a_run) {
  const Extents extents{6, 8, 5};
  for (const char* exchange : {"shared", "node", "p2p"})
    for (const std::int64_t batch : {1, 2}) {
      Problem problem = of(extents);
      problem.batch = batch;
      const auto of_mine = [&](int axis) {
        Box box = Box::whole(extents);
        box.set(axis, split(extents[axis], ranks_of_world(), rank_of_world()));
        const Dims strides{2 * box.extent(1) * box.extent(2), 2 * box.extent(2), 2};
        return Distribution::of_my_boxes(
            box.empty() ? std::vector<Box>{} : std::vector{box},
            box.empty() ? UserArray() : UserArray::strided(box, strides, batch, 2 * box.volume()));
      };
      problem.input = of_mine(0);
      problem.output = of_mine(1);
      Options options = quick();
      options.exchange = exchange;
      AnyPlan plan(MPI_COMM_WORLD, problem, options);
      using Values = std::vector<std::complex<double>>;
      Values u(static_cast<std::size_t>(plan.input().elements) + 1);
      Values v(static_cast<std::size_t>(plan.output().elements) + 1), plain = v;
      for (std::size_t i = 0; i < u.size(); i += 2)
        u[i] = {static_cast<double>(i * i % 17), static_cast<double>(rank_of_world())};
      plan.forward(u.data(), plain.data());
      auto ticket = plan.start_forward(u.data(), v.data());
      for (std::size_t i = 1; i < v.size(); i += 2) v[i] = {1.0, static_cast<double>(i)};
      ticket.wait();
      for (std::size_t i = 0; i + 1 < v.size(); i += 2) EXPECT_EQ(v[i], plain[i]) << exchange;
      for (std::size_t i = 1; i < v.size(); i += 2)
        EXPECT_EQ(v[i], std::complex(1.0, static_cast<double>(i))) << exchange;
    }
}

// A few points of an array that is larger than any memory.
TEST(Storage, of_few_points_of_a_large_array) {
  if (is_sanitized) GTEST_SKIP() << "the proof of each plan has a map of all bytes";
  const Extents extents{2, 3, 4};
  const bool is_first = rank_of_world() == 0;
  const Box box = is_first ? Box::whole(extents) : Box{{0, 0, 0}, {0, 0, 0}};
  constexpr std::int64_t far = std::int64_t{1} << 45;
  Problem problem = of(extents);
  problem.input = Distribution::of_my_boxes({box}, UserArray::strided(box, {far, 4, 1}));
  EXPECT_EQ(planning_error(problem, quick()), "no error");
  problem.input = Distribution::of_my_boxes({box}, UserArray::strided(box, {far, 1, 1}));
  expect_error(planning_error(problem, quick()),
               is_first ? "which another point has" : "another point");
}

// Pieces of a rank that come in another order in memory than by their places in the grid of stages.
TEST(Storage, orders_of_several_pieces_of_a_rank) {
  const int other = ranks_of_world() - 1;
  const std::string on = fmt::format("on 0,{0},0,0,{0},0,0,0", other);
  for (const std::vector<int>& order : {std::vector<int>{2, 0, 1}, {1, 2, 0}, {2, 1, 0}})
    for (const Distribution::Form form : {Distribution::free, Distribution::slab}) {
      Problem problem = of({8, 6, 10});
      problem.output.form = form;
      problem.input.storage.order = problem.output.storage.order = order;
      Options options = quick();
      options.strategy = fmt::format(
          "fftw | from 4x2x1 {0} | alltoallw to 1x2x4 {0} | fft 0 | alltoallw to 2x1x4 {0} | fft 1 "
          "| "
          "alltoallw to 2x4x1 {0} | fft 2{1}",
          on, form == Distribution::free ? "" : " | alltoallw to output");
      expect_right_storage(problem, options);
    }
}

TEST(Storage, strides_that_cannot_be) {
  const Box box = Box::whole({4, 5, 6});
  const bool is_first = rank_of_world() == 0;
  const auto refused = [&](UserArray array, const char* what) {
    Problem problem = of({4, 5, 6});
    problem.input = is_first ? Distribution::of_my_boxes({box}, std::move(array))
                             : Distribution::of_my_boxes({}, {});
    expect_error(planning_error(problem, quick()), what);
  };
  refused(UserArray::strided(box, {30, 6, 0}), "which another point has");
  refused(UserArray::strided(box, {29, 6, 1}), "which another point has");
  refused(UserArray::strided(box, {30, 6, -1}), "do not lie in its array");
  refused(UserArray::strided(box, {30, 6}), "do not lie in its array");
  UserArray small = UserArray::strided(box, {30, 6, 1});
  --small.elements;
  refused(small, "do not lie in its array of 119 elements");
  // Numbers whose products are too large for 64 bits.
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  UserArray wide = UserArray::strided(box, {30, 6, 1});
  wide.layouts.front().strides = {huge, huge, huge};
  refused(wide, "do not lie in its array");
  wide.layouts.front().strides = {30, 6, 1};
  wide.offsets.front() = huge;
  refused(wide, "do not lie in its array");
  wide.offsets.front() = 0;
  wide.elements = -1;
  const char* const uncountable =
      "the boxes of rank 0 do not lie in its array of more elements than 64 bits can count";
  refused(wide, uncountable);
  refused(is_first ? UserArray::strided(box, {huge, huge, huge}) : UserArray(), uncountable);
  // A box of a grid with fewer axes.
  const Box plane = Box::whole({4, 5});
  Problem problem = of({4, 5, 6});
  problem.input = is_first ? Distribution::of_my_boxes({plane}, UserArray::strided(plane, {1, 4}))
                           : Distribution::of_my_boxes({}, {});
  expect_error(planning_error(problem, quick()),
               "an input box with 2 axes, but the grid 4x5x6 has 3");
  problem.input = is_first ? Distribution::of_my_boxes({box}, UserArray::strided(box, {30, 6, 1}))
                           : Distribution::of_my_boxes({}, {});
  problem.input.storage.before = {1, 1, 1};
  expect_error(planning_error(problem, quick()), "strides of their own, and a storage");
}

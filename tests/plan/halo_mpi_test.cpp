// faces/halo: ghost points against the values that the whole grid has there, corners and widths
// beyond the neighbour's box included; and what cannot be.

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/asked.hpp"
#include "support/decompositions.hpp"
#include "support/dice.hpp"
#include "support/exchanges_here.hpp"
#include "support/world.hpp"
#include "weft/weft.hpp"

using namespace weft;
using namespace weft::test;

namespace {

struct Triple {
  float a, b, c;
};

// A value of its own for every point of a grid of less than 100 points along each axis.
std::int64_t number_of(const Dims& at) {
  std::int64_t number = 1;
  for (const auto index : at) number = number * 100 + index;
  return number;
}

void set(double& x, std::int64_t number) { x = static_cast<double>(number); }
void set(float& x, std::int64_t number) { x = static_cast<float>(number); }
void set(std::complex<double>& x, std::int64_t number) {
  x = {static_cast<double>(number), -static_cast<double>(number)};
}
void set(Triple& x, std::int64_t number) {
  const auto one = static_cast<float>(number);
  x = {one, one + 1, one + 2};
}

// Calls body(at, element) for every point of a box and of its ghost points; `at` is not wrapped.
template <class Body>
void for_each_around(const Box& box, const Dims& before, const Dims& after, const Layout& layout,
                     std::int64_t offset, const Body& body) {
  Box around = box;
  for (int a = 0; a < box.axes(); ++a) {
    around.lo[a] -= before.empty() ? 0 : before[a];
    around.hi[a] += after.empty() ? 0 : after[a];
  }
  Dims at = around.lo;
  for (std::int64_t left = around.volume(); left > 0; --left) {
    Dims within = at;
    for (int a = 0; a < at.size(); ++a) within[a] -= box.lo[a];
    body(at, offset + layout.at(within));
    for (int a = at.size() - 1; a >= 0; --a) {
      if (++at[a] < around.hi[a]) break;
      at[a] = around.lo[a];
    }
  }
}

// Fills the points, exchanges twice, and compares all of the array.
template <class T>
void expect_filled(const Extents& extents, const Distribution& distribution,
                   const Periodic& periodic, const Options& options = quick()) {
  Halo<T> halo(MPI_COMM_WORLD, extents, distribution, periodic, options);
  const std::vector<bool> wraps = periodic.of(extents.size());
  const Storage& storage = distribution.storage;
  const auto size = static_cast<std::size_t>(halo.elements());
  const std::shared_ptr<std::byte> made = halo.allocate();
  std::vector<T> own(size);
  for (T* const array : {reinterpret_cast<T*>(made.get()), own.data()})
    for (const std::int64_t salt : {0, 5}) {
      std::vector<T> expected(size);
      if (size > 0) {
        std::memset(static_cast<void*>(array), 0x33, size * sizeof(T));
        std::memset(static_cast<void*>(expected.data()), 0x33, size * sizeof(T));
      }
      for (std::size_t i = 0; i < halo.boxes().size(); ++i) {
        const Box& box = halo.boxes()[i];
        for_each_around(box, storage.before, storage.after, halo.array().layouts[i],
                        halo.array().offsets[i], [&](const Dims& at, std::int64_t element) {
                          Dims wrapped = at;
                          bool is_inside = true;
                          for (int a = 0; a < at.size(); ++a) {
                            const std::int64_t n = extents[a];
                            if (wraps[static_cast<std::size_t>(a)])
                              wrapped[a] = (at[a] + n) % n;
                            else
                              is_inside = is_inside && at[a] >= 0 && at[a] < n;
                          }
                          const auto e = static_cast<std::size_t>(element);
                          if (box.contains(at)) set(array[e], number_of(at) + salt);
                          if (is_inside) set(expected[e], number_of(wrapped) + salt);
                        });
      }
      halo.exchange(array);
      if (size == 0) continue;
      EXPECT_EQ(std::memcmp(array, expected.data(), size * sizeof(T)), 0)
          << to_string(extents) << " " << to_string(distribution.form) << "\n"
          << halo.plan().describe(Detail::all);
    }
}

Distribution with(Distribution distribution, const Storage& storage) {
  distribution.storage = storage;
  return distribution;
}

}  // namespace

TEST(Halo, of_slabs_pencils_bricks_and_boxes) {
  Dice dice(3);
  const Extents extents{8, 9, 7};
  for (const Distribution::Form form :
       {Distribution::slab, Distribution::pencil, Distribution::brick}) {
    expect_filled<double>(extents, with(form, Storage::with_ghosts({1, 1, 1}, {1, 1, 1})),
                          Periodic::all());
    expect_filled<double>(extents, with(form, Storage::with_ghosts({2, 0, 1}, {0, 3, 1})),
                          Periodic::none());
    expect_filled<float>(extents, with(form, Storage::with_ghosts({1, 2, 0}, {})),
                         Periodic({0, -1}));
  }
  for (int round = 0; round < 4; ++round)
    expect_filled<std::complex<double>>(
        extents,
        with(Distribution::of_boxes(random_tiling(dice, extents, ranks_of_world())),
             Storage::with_ghosts({1, 2, 1}, {2, 1, 1})),
        round % 2 == 0 ? Periodic::all() : Periodic({1}));
}

// Up to a whole period, which is beyond every box, and meets the box itself from both sides.
TEST(Halo, wider_than_the_boxes) {
  for (const std::int64_t n : {3, 5}) {
    const Storage wide = Storage::with_ghosts({n, 2}, {n - 1, 4});
    expect_filled<double>({n, 4}, with(Distribution::slab, wide), Periodic::all());
    expect_filled<double>({n, 4}, with(Distribution::brick, wide), Periodic::none());
  }
}

TEST(Halo, with_every_exchange_and_pretended_nodes) {
  for (const auto& exchange : exchanges_here())
    for (const int node_size : {1, 2, 64}) {
      if (exchange.name == "shared" && node_size < 64) continue;
      Options options = quick();
      options.exchange = exchange.name;
      options.pretend.node_sizes = {node_size};
      expect_filled<double>({6, 5, 7},
                            with(Distribution::brick, Storage::with_ghosts({1, 1, 1}, {1, 1, 1})),
                            Periodic::all(), options);
    }
}

TEST(Halo, of_structures_in_any_order) {
  Storage storage = Storage::column_major(2);
  storage.before = {1, 2};
  storage.after = {1, 0};
  for (const Periodic& periodic : {Periodic::all(), Periodic::none()}) {
    expect_filled<Triple>({12, 9}, with(Distribution::pencil, storage), periodic);
    expect_filled<float>({12, 9}, with(Distribution::brick, storage), periodic);
  }
}

TEST(Halo, of_one_axis_and_of_none_divided) {
  expect_filled<double>({13}, with(Distribution::slab, Storage::with_ghosts({2}, {3})),
                        Periodic::all());
  expect_filled<double>({13}, with(Distribution::slab, {}), Periodic::all());
  std::vector<std::vector<Box>> boxes(static_cast<std::size_t>(ranks_of_world()));
  boxes.back() = {Box::whole({4, 5})};
  expect_filled<double>({4, 5},
                        with(Distribution::of_boxes(boxes), Storage::with_ghosts({1, 1}, {1, 1})),
                        Periodic::all());
}

// Each rank tells its own boxes, and goes on computing while the ghost points are under way.
TEST(Halo, of_my_boxes_started_and_waited_for) {
  const std::int64_t rank = rank_of_world(), ranks = ranks_of_world();
  Distribution mine = Distribution::of_my_boxes({{{3 * rank}, {3 * rank + 3}}});
  mine.storage = Storage::with_ghosts({1}, {1});
  Halo<double> halo(MPI_COMM_WORLD, {3 * ranks}, mine, Periodic::all(), quick());
  std::vector<double> u(5, -1);
  for (std::int64_t i = 0; i < 3; ++i)
    u[static_cast<std::size_t>(i + 1)] = static_cast<double>(3 * rank + i);
  Ticket ticket = halo.start(u.data());
  EXPECT_EQ(u[2], static_cast<double>(3 * rank + 1));
  ticket.wait();
  EXPECT_EQ(u[0], static_cast<double>((3 * rank + 3 * ranks - 1) % (3 * ranks)));
  EXPECT_EQ(u[4], static_cast<double>((3 * rank + 3) % (3 * ranks)));
}

TEST(Halo, what_cannot_be) {
  const auto error = [](const Distribution& distribution, const Periodic& periodic,
                        const Extents& extents = {8, 9}) -> std::string {
    try {
      const Halo<double> halo(MPI_COMM_WORLD, extents, distribution, periodic, quick());
    } catch (const Error& thrown) {
      return thrown.what();
    }
    return "no error";
  };
  const Storage ghosts = Storage::with_ghosts({1, 1}, {1, 1});
  expect_error(error(Distribution(), Periodic::all()),
               "the distribution is 'free', which does not say where the data are");
  expect_error(
      error(with(Distribution::slab, Storage::with_ghosts({9, 1}, {1, 1})), Periodic::all()),
      "axis 0 has 8 points, and 9 ghost points beside each box");
  expect_error(error(with(Distribution::slab, Storage::with_ghosts({1}, {})), Periodic::all()),
               "ghost points for 1 axes, but 8x9 has 2");
  expect_error(error(with(Distribution::slab, ghosts), Periodic({2})),
               "the periodic axis 2 is out of range for 2 axes");
  const Box box = rank_of_world() == 0 ? Box{{0, 0}, {8, 9}} : Box{{0, 0}, {0, 0}};
  expect_error(
      error(Distribution::of_my_boxes({box}, UserArray::strided(box, {1, 8})), Periodic::all()),
      "the distribution has arrays with strides of their own");
  expect_error(error(Distribution::slab, Periodic::all(), {2, 2, 2, 2, 2, 2, 2, 2}),
               "a halo of 8 axes needs 9 of at most 8");
  Options options = quick();
  for (const auto& [strategy, text] :
       {std::pair("fftw | from input | alltoallw to output", "alltoallw stands at an end of"),
        std::pair("fftw | from input | copy | p2p to 1x1x1 | copy | p2p to output | copy",
                  "parts of a grid cannot be moved to a process grid")}) {
    options.strategy = strategy;
    try {
      const Halo<double> halo(MPI_COMM_WORLD, {8, 9}, with(Distribution::slab, ghosts),
                              Periodic::all(), options);
      ADD_FAILURE() << strategy;
    } catch (const Error& thrown) {
      expect_error(thrown.what(), text);
    }
  }
  if (ranks_of_world() > 1) {
    const bool first = rank_of_world() == 0;
    expect_error(
        error(with(Distribution::slab, ghosts), first ? Periodic::all() : Periodic::none()),
        "periodic axes");
    expect_error(error(with(Distribution::slab, first ? ghosts : Storage()), Periodic::all()),
                 "grid of the halo");
  }
}

// plan/gathered: sends the boxes and waves of each rank to all, as lists of numbers.

#include "weft/plan/gathered.hpp"

#include <utility>

#include "weft/comm/agreement.hpp"
#include "weft/problem/arrays.hpp"

namespace weft {

namespace {

// The users' boxes are not checked yet: lo and hi may have different numbers of axes.
void append(std::vector<std::int64_t>& numbers, const Dims& dims) {
  numbers.push_back(dims.size());
  numbers.insert(numbers.end(), dims.begin(), dims.end());
}

Dims take_dims(std::vector<std::int64_t>::const_iterator& next) {
  Dims dims;
  for (std::int64_t left = *next++; left > 0; --left) dims.push_back(*next++);
  return dims;
}

// A list of numbers for an array, and back. It is not checked yet, either.
void append(std::vector<std::int64_t>& numbers, const UserArray& array) {
  numbers.insert(numbers.end(), {array.field_stride, array.elements,
                                 static_cast<std::int64_t>(array.layouts.size())});
  for (const Layout& layout : array.layouts) {
    append(numbers, layout.extents);
    append(numbers, layout.strides);
  }
  numbers.push_back(static_cast<std::int64_t>(array.offsets.size()));
  numbers.insert(numbers.end(), array.offsets.begin(), array.offsets.end());
}

UserArray take_array(std::vector<std::int64_t>::const_iterator next) {
  UserArray array;
  array.field_stride = *next++;
  array.elements = *next++;
  for (std::int64_t left = *next++; left > 0; --left) {
    const Dims extents = take_dims(next);
    array.layouts.push_back({extents, take_dims(next)});
  }
  for (std::int64_t left = *next++; left > 0; --left) array.offsets.push_back(*next++);
  return array;
}

// Where the boxes of every rank lie; none if no rank says it. Collective.
std::vector<UserArray> gathered_arrays(const Communicator& comm, const Distribution& distribution) {
  const auto mine = agree(comm, [&] {
    std::vector<std::int64_t> numbers;
    if (distribution.my_array()) append(numbers, *distribution.my_array());
    return numbers;
  });
  const auto all = comm.gather_all(mine);
  return agree(comm, [&] {
    std::vector<UserArray> arrays;
    for (const auto& numbers : all)
      if (!numbers.empty()) arrays.push_back(take_array(numbers.begin()));
    return arrays;
  });
}

bool is_gathered(const Distribution& distribution) {
  return distribution.form == Distribution::boxes && distribution.is_of_mine();
}

// The distribution of a grid of so many axes, with what every rank gave.
Distribution gathered(const Communicator& comm, const Distribution& distribution, int axes) {
  const auto mine = agree(comm, [&] {
    std::vector<std::int64_t> numbers;
    for (const Box& box : distribution.my_boxes()) {
      append(numbers, box.lo);
      append(numbers, box.hi);
    }
    return numbers;
  });
  const auto all = comm.gather_all(mine);
  const std::vector<UserArray> arrays = gathered_arrays(comm, distribution);
  return agree(comm, [&] {
    std::vector<std::vector<Box>> of_rank;
    for (const auto& numbers : all) {
      of_rank.emplace_back();
      for (auto next = numbers.begin(); next != numbers.end();) {
        const Dims lo = take_dims(next);
        of_rank.back().push_back({lo, take_dims(next)});
      }
    }
    Distribution known = distribution.gathered(std::move(of_rank), arrays);
    // Boxes that have other axes than the grid are refused later, for what they are.
    std::vector<int> order = order_in(arrays);
    if (known.storage.order.empty() && static_cast<int>(order.size()) == axes)
      known.storage.order = std::move(order);
    return known;
  });
}

Cutoff gathered(const Communicator& comm, const Cutoff& cutoff) {
  const auto mine = agree(comm, [&] {
    std::vector<std::int64_t> numbers;
    for (const Wave& wave : cutoff.my_waves())
      numbers.insert(numbers.end(), wave.begin(), wave.end());
    return numbers;
  });
  const auto all = comm.gather_all(mine);
  return agree(comm, [&] {
    std::vector<Waves> of_rank;
    for (const auto& numbers : all) {
      std::vector<Wave> waves(numbers.size() / 3);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        waves[i / 3][i % 3] = static_cast<std::int32_t>(numbers[i]);
      of_rank.emplace_back(std::move(waves));
    }
    return cutoff.gathered(std::move(of_rank));
  });
}

}  // namespace

void gather_boxes(const Communicator& comm, Problem& problem) {
  const Cutoff& cutoff = problem.cutoff;
  if (cutoff.is_of_mine() && cutoff.waves_of_rank().empty())
    problem.cutoff = gathered(comm, problem.cutoff);
  for (Distribution* side : {&problem.input, &problem.output})
    if (is_gathered(*side)) *side = gathered(comm, *side, problem.extents.size());
}

}  // namespace weft

// plan/gathered: sends the boxes and waves of each rank to all, as lists of numbers.

#include "weft/plan/gathered.hpp"

#include "weft/comm/agreement.hpp"

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

Distribution gathered(const Communicator& comm, const Distribution& distribution) {
  if (distribution.form != Distribution::boxes || !distribution.is_of_mine())
    return agree(comm, [&] { return distribution; });
  const auto mine = agree(comm, [&] {
    std::vector<std::int64_t> numbers;
    for (const Box& box : distribution.my_boxes()) {
      append(numbers, box.lo);
      append(numbers, box.hi);
    }
    return numbers;
  });
  const auto all = comm.gather_all(mine);
  return agree(comm, [&] {
    std::vector<std::vector<Box>> of_rank;
    for (const auto& numbers : all) {
      of_rank.emplace_back();
      for (auto next = numbers.begin(); next != numbers.end();) {
        const Dims lo = take_dims(next);
        of_rank.back().push_back({lo, take_dims(next)});
      }
    }
    Distribution known = Distribution::of_boxes(std::move(of_rank));
    known.storage = distribution.storage;
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
  problem.input = gathered(comm, problem.input);
  problem.output = gathered(comm, problem.output);
}

}  // namespace weft

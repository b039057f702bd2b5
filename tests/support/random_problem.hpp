// support/random_problem: random valid problems from a seed.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/dice.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/problem/arrays.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/columns.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft::test {

Distribution random_distribution(Dice& dice, const Extents& extents, int ranks,
                                 std::vector<Distribution::Form> forms);

/// Pieces on random ranks, other ones for every process grid; the same for the same seed.
Placement random_placement(int pieces, int ranks, std::uint64_t seed);

// The same boxes, in every rank's array with strides of their own and room between points.
Distribution scattered(Dice& dice, const Distribution& boxes, std::int64_t batch);

struct RandomCase {
  int ranks;
  Problem problem;
  Options options;
};

// As plans and programs take it.
Problem problem_of(const RandomCase& random);

// Any order, some ghost points, and the fields of a batch interleaved.
Storage random_storage(Dice& dice, int axes);

RandomCase random_case(std::uint64_t seed, int most_ranks);

}  // namespace weft::test

// prove: the programs of random problems on random machines, checked for races and deadlocks. No
// MPI and no FFT: programs are values. A hazard prints the seed that replays it.
//     weft_prove COUNT [--seed S] [--ranks R]      random problems of up to R ranks (16)
//     weft_prove --mutate COUNT                    without each kind of wait in turn: is it missed?
//     weft_prove --extents 512x512x512 --ranks 4096 --node-size 64    one large plan
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>

#include "support/random_problem.hpp"
#include "support/random_strategy.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/problem/ghosts.hpp"
#include "weft/proof/mutations.hpp"
#include "weft/proof/proof.hpp"

namespace {

using namespace weft;
using namespace weft::test;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Nodes of the sizes asked for, in turn; all ranks on one where none are.
Machine machine_of(const RandomCase& random) {
  Machine machine;
  machine.ranks = random.ranks;
  const auto& sizes = random.options.pretend.node_sizes;
  int node = 0, room = sizes.empty() ? random.ranks : sizes.front();
  for (int rank = 0; rank < random.ranks; ++rank, --room) {
    if (room == 0) room = sizes[static_cast<std::size_t>(++node) % sizes.size()];
    machine.node_of_rank.push_back(node);
  }
  if (random.options.pretend.cache_bytes > 0)
    machine.cache_bytes = random.options.pretend.cache_bytes;
  if (random.options.pretend.eager_message_bytes > 0)
    machine.eager_message_bytes = random.options.pretend.eager_message_bytes;
  if (random.options.segment_bytes > 0) machine.segment_bytes = random.options.segment_bytes;
  machine.threads_of_rank.assign(static_cast<std::size_t>(random.ranks), random.options.threads);
  return machine;
}

struct Proof {
  Blueprint blueprint;
  ProgramSet set;
};

// Ghost points of random boxes, as faces/halo asks for them.
Problem random_halo(Dice& dice, int ranks) {
  const Extents extents = random_extents(dice, 200);
  const auto boxes = random_tiling(dice, extents, ranks);
  Storage storage = random_storage(dice, extents.size());
  storage.interleaves_batch = false;
  std::vector<bool> periodic;
  for (int axis = 0; axis < extents.size(); ++axis) {
    periodic.push_back(dice.chance(50));
    for (Dims* const ghosts : {&storage.before, &storage.after})
      if (!ghosts->empty()) (*ghosts)[axis] = std::min((*ghosts)[axis], extents[axis]);
  }
  GhostParts parts =
      ghost_parts(Decomposition::of_boxes(extents, boxes, "random"), storage, periodic);
  Problem problem;
  problem.axes = Axes::none();
  problem.extents = parts.extents;
  problem.input = std::move(parts.from);
  problem.output = std::move(parts.to);
  return problem;
}

// What devices run: on data that they hold, or that stream through them.
Blueprint on_devices(const Blueprint& blueprint, Dice& dice) {
  Machine machine = blueprint.machine;
  machine.has_devices = true;
  if (dice.chance(50)) {
    machine.tile_bytes = dice.pick<std::int64_t>({100, 1000, 10000});
    return Blueprint::of(blueprint.problem, without_choices(blueprint.strategy), machine);
  }
  return Blueprint::of(blueprint.problem, one_axis_a_pass(blueprint.strategy), machine);
}

// Planning takes longer than proving, so several seeds share what is planned, and vary the
// strategy, the nodes, the caches, the threads, whether devices compute, and whether the plan is in
// place.
class RandomProofs {
 public:
  explicit RandomProofs(int most_ranks) : most_ranks_(most_ranks) {}

  /// Nothing where the strategy for one machine is no answer on the varied one.
  std::optional<Proof> answered(std::uint64_t seed) {
    try {
      return proof(seed);
    } catch (const Error& error) {
      if (error.code() == Error::invalid || error.code() == Error::unsupported) return std::nullopt;
      throw;
    }
  }

 private:
  Proof proof(std::uint64_t seed) {
    const std::uint64_t shared = seed / seeds_that_share;
    if (!is_planned_ || shared != shared_) plan(shared);
    Dice dice(seed * 31 + 7);
    RandomCase random = random_;
    if (seed % seeds_that_share != 0) {
      random.options.pretend.node_sizes.clear();
      for (auto nodes = dice.between(0, 3); nodes > 0; --nodes)
        random.options.pretend.node_sizes.push_back(static_cast<int>(dice.between(1, 5)));
      random.options.threads = static_cast<int>(dice.between(1, 3));
      random.options.pretend.cache_bytes = dice.pick<std::int64_t>({0, 2048, 16384});
      random.problem.in_place = dice.chance(50) && !random.problem.input.is_of_parts() &&
                                !random.problem.cutoff.is_given();
    }
    Proof made;
    made.blueprint = varied_blueprint(problem_of(random), strategy_, machine_of(random), dice);
    if (Dice devices(seed * 5557 + 3); devices.chance(25))
      made.blueprint = on_devices(made.blueprint, devices);
    if (Dice(seed * 7307 + 11).chance(50)) made.blueprint.arrays = Arrays::any;
    made.set = programs_of(made.blueprint);
    return made;
  }

  static constexpr std::uint64_t seeds_that_share = 8;

  void plan(std::uint64_t shared) {
    shared_ = shared;
    is_planned_ = true;
    random_ = random_case(shared, most_ranks_);
    if (Dice halos(shared * 4099 + 1); halos.chance(15)) {
      random_.problem = random_halo(halos, random_.ranks);
      random_.options.placement = {};
      random_.options.ranks = 0;
    }
    strategy_ = fastest_strategy(problem_of(random_), CostPredictor::here(machine_of(random_)),
                                 random_.options);
  }

  int most_ranks_;
  bool is_planned_ = false;
  std::uint64_t shared_ = 0;
  RandomCase random_;
  Strategy strategy_;
};

std::string told(const Blueprint& blueprint, std::uint64_t seed) {
  return fmt::format("seed {}: {}\n  {}\n  nodes {}{}", seed, to_string(blueprint.problem),
                     to_string(blueprint.strategy), fmt::join(blueprint.machine.node_of_rank, ","),
                     blueprint.arrays == Arrays::any ? ", any arrays" : "");
}

int prove_random(long count, std::uint64_t first, int ranks) {
  const double begin = seconds_now();
  double last_told = begin;
  long hazards = 0, unanswered = 0;
  RandomProofs proofs(ranks);
  for (long i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    try {
      const auto proof = proofs.answered(seed);
      if (!proof) {
        ++unanswered;
        continue;
      }
      const auto found = check(proof->set);
      if (!found.empty()) {
        ++hazards;
        std::printf("HAZARD %s\n", told(proof->blueprint, seed).c_str());
        for (std::size_t h = 0; h < std::min<std::size_t>(2, found.size()); ++h)
          std::printf("  %s\n", found[h].text.c_str());
      }
    } catch (const std::exception& error) {
      ++hazards;
      std::printf("FAILED seed %llu: %s\n", static_cast<unsigned long long>(seed), error.what());
    }
    if (hazards >= 20) break;
    if (seconds_now() - last_told > 5) {
      last_told = seconds_now();
      std::fprintf(stderr, "prove: %ld of %ld problems, %.0f s\n", i + 1, count, last_told - begin);
    }
  }
  std::printf("prove: %ld problems of up to %d ranks, seeds %llu on, %ld with hazards, %.1f s\n",
              count - unanswered, ranks, static_cast<unsigned long long>(first), hazards,
              seconds_now() - begin);
  return hazards > 0 ? 1 : 0;
}

// Each kind of wait must be missed by the check of some problem, or it is no use.
int prove_mutations(long count, std::uint64_t first, int ranks) {
  std::map<std::string, std::pair<long, long>> kinds;  // tried, reported
  const auto key_of = [](const WaitKind& kind) {
    std::string key = to_string(kind);
    for (char& c : key)  // exchanges and cells of all numbers are of one kind
      if (c >= '0' && c <= '9') c = '#';
    return key;
  };
  CheckOptions options;
  options.most_hazards = 1;
  RandomProofs proofs(ranks);
  for (long i = 0; i < count; ++i) {
    const auto proof = proofs.answered(first + static_cast<std::uint64_t>(i));
    if (!proof) continue;
    for (const WaitKind& kind : wait_kinds(proof->set)) {
      if (kind.why == Why::paired) continue;  // for speed alone
      auto& [tried, reported] = kinds[key_of(kind)];
      if (reported >= 3) continue;
      ++tried;
      if (!check(without(proof->set, kind), options).empty()) ++reported;
    }
  }
  int unnoticed = 0;
  for (const auto& [kind, numbers] : kinds) {
    std::printf("%-48s without it: %ld of %ld problems reported%s\n", kind.c_str(), numbers.second,
                numbers.first, numbers.second == 0 ? "  UNNOTICED" : "");
    unnoticed += numbers.second == 0 ? 1 : 0;
  }
  std::printf("prove: %zu kinds of waits, %d unnoticed\n", kinds.size(), unnoticed);
  return unnoticed > 0 ? 1 : 0;
}

int prove_large(const std::string& extents, int ranks, int node_size) {
  Problem problem;
  problem.extents = parse_dims(extents, "--extents");
  Machine machine;
  machine.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) machine.node_of_rank.push_back(rank / node_size);
  const double begin = seconds_now();
  problem = as_r2c(validated(problem));
  const Strategy strategy = fastest_strategy(problem, CostPredictor::here(machine), Options{});
  const double planned = seconds_now();
  const ProgramSet set = programs_of(Blueprint::of(problem, strategy, machine));
  const double made = seconds_now();
  const auto found = check(set);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  for (const Hazard& hazard : found) std::printf("HAZARD %s\n", hazard.text.c_str());
  std::printf(
      "prove: %s over %d ranks on %d nodes, '%s': planned in %.1f s, programs made in %.1f s, "
      "checked in %.1f s, %zu hazards, at most %.1f GB of memory\n",
      extents.c_str(), ranks, machine.nodes(), to_string(strategy).c_str(), planned - begin,
      made - planned, seconds_now() - made, found.size(),
      static_cast<double>(usage.ru_maxrss) * 1024 / 1e9);
  return found.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  long count = 0;
  std::uint64_t seed = 1;
  int ranks = 16, node_size = 64;
  bool mutates = false;
  std::string extents;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto next = [&] { return i + 1 < argc ? argv[++i] : "0"; };
    if (word == "--seed")
      seed = std::strtoull(next(), nullptr, 10);
    else if (word == "--ranks")
      ranks = std::atoi(next());
    else if (word == "--node-size")
      node_size = std::atoi(next());
    else if (word == "--extents")
      extents = next();
    else if (word == "--mutate")
      mutates = true;
    else
      count = std::strtol(word.c_str(), nullptr, 10);
  }
  if ((count <= 0 && extents.empty()) || ranks < 1 || node_size < 1) {
    std::fprintf(stderr,
                 "usage: weft_prove COUNT [--seed S] [--ranks R] [--mutate]\n"
                 "       weft_prove --extents 512x512x512 --ranks 4096 --node-size 64\n");
    return 2;
  }
  if (!extents.empty()) return prove_large(extents, ranks, node_size);
  return mutates ? prove_mutations(count, seed, ranks) : prove_random(count, seed, ranks);
}

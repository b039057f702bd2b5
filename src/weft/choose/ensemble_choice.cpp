// choose/ensemble_choice: adds up what the instances of every rank walk and send.

#include "weft/choose/ensemble_choice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "weft/base/ensure.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/grid/split.hpp"

namespace weft {

namespace {

std::vector<int> all_of(std::size_t ranks) {
  std::vector<int> all(ranks);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::int64_t nodes_of(const std::vector<int>& node_of_rank) {
  return 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end());
}

InstanceRanks by_nodes(std::size_t instances, const std::vector<int>& node_of_rank) {
  const std::int64_t nodes = nodes_of(node_of_rank);
  const auto count = static_cast<std::int64_t>(instances);
  const std::int64_t groups = std::min(count, nodes);
  InstanceRanks subsets(instances);
  for (std::int64_t i = 0; i < count; ++i) {
    const Range mine = split(nodes, groups, part_of(count, groups, i));
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank)
      if (node_of_rank[rank] >= mine.lo && node_of_rank[rank] < mine.hi)
        subsets[static_cast<std::size_t>(i)].push_back(static_cast<int>(rank));
  }
  return subsets;
}

// As many as share the nodes out evenly, on subsets of them; the others on all ranks.
InstanceRanks mixed(std::size_t instances, const std::vector<int>& node_of_rank) {
  const auto nodes = static_cast<std::size_t>(nodes_of(node_of_rank));
  std::size_t even = instances;
  while (even % nodes != 0 && nodes % even != 0) --even;
  InstanceRanks subsets = by_nodes(even, node_of_rank);
  subsets.resize(instances, all_of(node_of_rank.size()));
  return subsets;
}

// The seconds in which an instance lets the busiest of its ranks compute, and exchange.
struct Spent {
  double walked = 0, sent = 0;
};

// The arrays of all instances of a rank are walked over in turn, so that the cache holds none.
CostPredictor predictor_without_caches(const Machine& machine) {
  MachineModel model = model_of(machine);
  model.shared_cache_bytes_per_second.clear();
  return CostPredictor::here(machine, model);
}

Spent spent_on(const Machine& machine, const Problem& problem, const Options& options) {
  const Problem r2c = with_placed_columns(as_r2c(validated(problem)), machine, options);
  const CostPredictor predictor = predictor_without_caches(machine);
  const Strategy strategy = fastest_strategy(r2c, predictor, options);
  Spent spent;
  for (const StageCost& stage : predictor.cost(strategy, r2c, exchange_kinds()).stages)
    (stage.is_exchange ? spent.sent : spent.walked) += stage.seconds();
  return spent;
}

// What a rank walks and sends for all its instances.
class Load {
 public:
  // Ranks take all their instances further at the same time: while messages of one are under way,
  // another computes, so that the shorter of walking and sending hides behind the longer. At both
  // ends, when all start and when the last one ends, nothing is there to hide about half of one
  // instance's shorter part behind: of 1, 2, 3, 4 and 8 instances of 100x100x100 on 4 simulated
  // hosts, whose walking takes as long as their sending, 3.9, 2.8, 2.0, 2.0 and 6.0 ms of 6 were
  // not hidden. The plain sum of both took subsets for 3 instances: 24.0 ms instead of 20.0; on 8
  // hosts 16.8 instead of 12.4. An instance that walks longer than it sends, as on a node alone,
  // hides the ends of others: 5 instances mixed on 4 hosts took 30.1 ms, of 30 of walking. Half of
  // that lead is counted: with all of it, 2 on 8 hosts would take subsets, 10.3 ms instead of 9.1.
  double cost() const { return std::max(walked_, sent_) + std::max(0.0, exposed_ - lead_ / 2) / 2; }
  double sent() const { return sent_; }
  void add(const Spent& instance) {
    walked_ += instance.walked;
    sent_ += instance.sent;
    exposed_ = std::max(exposed_, std::min(instance.walked, instance.sent));
    lead_ = std::max(lead_, instance.walked - instance.sent);
  }

 private:
  double walked_ = 0, sent_ = 0;
  double exposed_ = 0;  // of the shorter of both, in the instance where it is longest
  double lead_ = 0;     // of walking over sending, in the instance where it is longest
};

// One way to share the ranks out.
struct Division {
  InstanceRanks ranks;
  std::vector<const Spent*> instances;  // empty if one of them cannot be planned
};

class Choice {
 public:
  Choice(const std::vector<Problem>& problems, const Machine& machine, const Options& options)
      : problems_(problems), machine_(machine), options_(options) {}

  // A subset may be too small, or too large, for what the options ask for.
  Division planned(InstanceRanks ranks) {
    Division division{std::move(ranks), {}};
    try {
      for (std::size_t i = 0; i < problems_.size(); ++i)
        division.instances.push_back(&instance(problems_[i], division.ranks[i]));
    } catch (const Error&) {
      division.instances.clear();
    }
    return division;
  }

  // What the busiest rank takes, and what one sends at most, after all have been planned.
  struct Cost {
    double all = 0, sent = 0;
  };
  Cost cost(const Division& division) const {
    if (division.instances.empty()) return {std::numeric_limits<double>::infinity(), 0};
    std::vector<Load> of_rank(static_cast<std::size_t>(machine_.ranks));
    for (std::size_t i = 0; i < division.instances.size(); ++i)
      for (const int rank : division.ranks[i])
        of_rank[static_cast<std::size_t>(rank)].add(*division.instances[i]);
    Cost most;
    for (const Load& load : of_rank)
      most = {std::max(most.all, load.cost()), std::max(most.sent, load.sent())};
    return most;
  }

 private:
  // Instances are often alike.
  const Spent& instance(const Problem& problem, const std::vector<int>& ranks) {
    const Machine part = subset_of(machine_, ranks);
    const std::string key =
        fmt::format("{} {} {}", to_string(problem), fmt::join(part.node_of_rank, ","),
                    fmt::join(part.threads_of_rank, ","));
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    return known_.emplace(key, spent_on(part, problem, options_)).first->second;
  }

  const std::vector<Problem>& problems_;
  const Machine& machine_;
  const Options& options_;
  std::map<std::string, Spent> known_;
};

// What is sent takes something of the cores, too, although it hides behind what is walked: with
// equal walks, 5 instances of 100x100x100 on 2 hosts over TCP at 10 Gbit/s took 92 to 105 ms on all
// ranks and 57 to 78 ms mixed.
bool is_less(const Choice::Cost& cost, const Choice::Cost& other) {
  constexpr double equal = 1.01;  // a choice: costs are no more certain than this
  if (cost.all * equal < other.all) return true;
  return cost.all < other.all * equal && cost.sent * equal < other.sent;
}

}  // namespace

InstanceRanks shared_out(EnsemblePolicy::Form form, std::size_t instances,
                         const std::vector<int>& node_of_rank) {
  if (form == EnsemblePolicy::subsets) return by_nodes(instances, node_of_rank);
  if (form == EnsemblePolicy::mixed) return mixed(instances, node_of_rank);
  return InstanceRanks(instances, all_of(node_of_rank.size()));
}

std::vector<int> nodes_within(const std::vector<int>& ranks, const std::vector<int>& node_of_rank) {
  std::vector<int> seen, nodes;
  for (const int rank : ranks) {
    const int node = node_of_rank[static_cast<std::size_t>(rank)];
    auto found = std::find(seen.begin(), seen.end(), node);
    if (found == seen.end()) found = seen.insert(seen.end(), node);
    nodes.push_back(static_cast<int>(found - seen.begin()));
  }
  return nodes;
}

Machine subset_of(const Machine& machine, const std::vector<int>& ranks) {
  Machine part = machine;
  part.ranks = static_cast<int>(ranks.size());
  std::vector<int> nodes, threads;
  for (const int rank : ranks) {
    nodes.push_back(machine.node(rank));
    threads.push_back(machine.threads(rank));
  }
  part.node_of_rank = nodes_within(all_of(ranks.size()), nodes);
  part.threads_of_rank = std::move(threads);
  return part;
}

EnsemblePolicy::Form fastest_form(const std::vector<Problem>& problems,
                                  const std::vector<int>& node_of_rank, const Machine& machine,
                                  const Options& options) {
  constexpr std::array forms{EnsemblePolicy::all_ranks, EnsemblePolicy::subsets,
                             EnsemblePolicy::mixed};
  Choice choice(problems, machine, options);
  std::vector<Division> divisions;
  divisions.reserve(forms.size());
  for (const auto form : forms)
    divisions.push_back(choice.planned(shared_out(form, problems.size(), node_of_rank)));
  EnsemblePolicy::Form best = EnsemblePolicy::all_ranks;
  Choice::Cost least{std::numeric_limits<double>::infinity(), 0};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Choice::Cost cost = choice.cost(divisions[i]);
    if (!is_less(cost, least)) continue;
    least = cost;
    best = forms[i];
  }
  return best;
}

}  // namespace weft

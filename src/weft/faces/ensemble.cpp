// faces/ensemble: sharing ranks out, and planning on every share.

#include "weft/faces/ensemble.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "weft/comm/agreement.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/grid/split.hpp"
#include "weft/model/names.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/plan/speeds.hpp"

namespace weft {

namespace {

// Of those that a word tells.
constexpr Names<EnsemblePolicy::Form, 4> form_names{{{EnsemblePolicy::all_ranks, "all"},
                                                     {EnsemblePolicy::subsets, "subsets"},
                                                     {EnsemblePolicy::mixed, "mixed"},
                                                     {EnsemblePolicy::automatic, "automatic"}}};

using Subsets = std::vector<std::vector<int>>;  // ranks of every instance

std::vector<int> all_of(int ranks) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Subsets by_nodes(std::size_t instances, const std::vector<int>& node_of_rank) {
  const std::int64_t nodes = 1 + *std::max_element(node_of_rank.begin(), node_of_rank.end());
  const auto count = static_cast<std::int64_t>(instances);
  const std::int64_t groups = std::min(count, nodes);
  Subsets subsets(instances);
  for (std::int64_t i = 0; i < count; ++i) {
    const Range mine = split(nodes, groups, part_of(count, groups, i));
    for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank)
      if (node_of_rank[rank] >= mine.lo && node_of_rank[rank] < mine.hi)
        subsets[static_cast<std::size_t>(i)].push_back(static_cast<int>(rank));
  }
  return subsets;
}

// As many as share the nodes out evenly, on subsets of them; the others on all ranks.
Subsets mixed(std::size_t instances, const std::vector<int>& node_of_rank) {
  const auto nodes =
      static_cast<std::size_t>(1 + *std::max_element(node_of_rank.begin(), node_of_rank.end()));
  std::size_t even = instances;
  while (even % nodes != 0 && nodes % even != 0) --even;
  Subsets subsets = by_nodes(even, node_of_rank);
  subsets.resize(instances, all_of(static_cast<int>(node_of_rank.size())));
  return subsets;
}

Subsets subsets_of(EnsemblePolicy::Form form, std::size_t instances,
                   const std::vector<int>& node_of_rank) {
  if (form == EnsemblePolicy::subsets) return by_nodes(instances, node_of_rank);
  if (form == EnsemblePolicy::mixed) return mixed(instances, node_of_rank);
  return Subsets(instances, all_of(static_cast<int>(node_of_rank.size())));
}

// The nodes of a subset's ranks, numbered from 0 in the order of their lowest rank.
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

// What a rank walks and sends for all its instances.
struct Load {
  double walked = 0, sent = 0;
  double exposed = 0;  // of the shorter of both, in the instance where it is longest
  double lead = 0;     // of walking over sending, in the instance where it is longest

  // Ranks take all their instances further at the same time: while messages of one are under way,
  // another computes, so that the shorter of walking and sending hides behind the longer. At both
  // ends, when all start and when the last one ends, nothing is there to hide about half of one
  // instance's shorter part behind: of 1, 2, 3, 4 and 8 instances of 100x100x100 on 4 simulated
  // hosts, whose walking takes as long as their sending, 3.9, 2.8, 2.0, 2.0 and 6.0 ms of 6 were
  // not hidden. The plain sum of both took subsets for 3 instances: 24.0 ms instead of 20.0; on 8
  // hosts 16.8 instead of 12.4. An instance that walks longer than it sends, as on a node alone,
  // hides the ends of others: 5 instances mixed on 4 hosts took 30.1 ms, of 30 of walking. Half of
  // that lead is counted: with all of it, 2 on 8 hosts would take subsets, 10.3 ms instead of 9.1.
  double cost() const { return std::max(walked, sent) + std::max(0.0, exposed - lead / 2) / 2; }
  void add(const Planned& instance) {
    const double walks = instance.cost - instance.sent;
    walked += walks;
    sent += instance.sent;
    exposed = std::max(exposed, std::min(walks, instance.sent));
    lead = std::max(lead, walks - instance.sent);
  }
};

// The cost is that of the busiest rank.
double cost_of(const Subsets& subsets, const std::vector<Problem>& problems,
               const std::vector<int>& node_of_rank, const Options& options, const Speeds& speeds) {
  std::map<std::string, Planned> known;  // instances are often alike
  std::vector<Load> of_rank(node_of_rank.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const std::vector<int> nodes = nodes_within(subsets[i], node_of_rank);
    const std::string key = fmt::format("{} {}", to_string(problems[i]), fmt::join(nodes, ","));
    if (!known.contains(key)) known[key] = estimated_plan(problems[i], nodes, options, speeds);
    for (const int rank : subsets[i]) of_rank[static_cast<std::size_t>(rank)].add(known[key]);
  }
  double most = 0;
  for (const Load& load : of_rank) most = std::max(most, load.cost());
  return most;
}

// A subset may be too small, or too large, for what the options ask for.
double cost_or_infinity(const Subsets& subsets, const std::vector<Problem>& problems,
                        const std::vector<int>& node_of_rank, const Options& options,
                        const Speeds& speeds) {
  try {
    return cost_of(subsets, problems, node_of_rank, options, speeds);
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

// Of equal ones the simplest.
EnsemblePolicy::Form cheapest(const std::vector<Problem>& problems,
                              const std::vector<int>& node_of_rank, const Options& options,
                              const Speeds& speeds) {
  EnsemblePolicy::Form best = EnsemblePolicy::all_ranks;
  double least = std::numeric_limits<double>::infinity();
  for (const auto form :
       {EnsemblePolicy::all_ranks, EnsemblePolicy::subsets, EnsemblePolicy::mixed}) {
    const double cost = cost_or_infinity(subsets_of(form, problems.size(), node_of_rank), problems,
                                         node_of_rank, options, speeds);
    if (cost >= least) continue;
    least = cost;
    best = form;
  }
  return best;
}

Subsets checked(Subsets chosen, std::size_t instances, int ranks) {
  if (chosen.size() != instances)
    throw Error(Error::invalid,
                fmt::format("ranks are chosen for {} instances of {}", chosen.size(), instances),
                "give the ranks of every instance");
  for (std::size_t i = 0; i < instances; ++i) {
    auto& of = chosen[i];
    std::sort(of.begin(), of.end());
    if (of.empty())
      throw Error(Error::invalid, fmt::format("instance {} has no ranks", i),
                  "give it one at least");
    if (of.front() < 0 || of.back() >= ranks)
      throw Error(Error::invalid,
                  fmt::format("instance {} has rank {}, of {} ranks", i,
                              of.front() < 0 ? of.front() : of.back(), ranks),
                  "ranks count from 0");
    if (const auto twice = std::adjacent_find(of.begin(), of.end()); twice != of.end())
      throw Error(Error::invalid, fmt::format("instance {} has rank {} twice", i, *twice),
                  "name every rank once");
  }
  return chosen;
}

std::string to_text(const std::vector<Problem>& problems, const EnsemblePolicy& policy,
                    const Options& options) {
  std::string text = fmt::format("{} {}", to_string(policy.form), to_string(options));
  for (const auto& ranks : policy.ranks) text += fmt::format(" [{}]", fmt::join(ranks, ","));
  for (const Problem& problem : problems) text += "; " + to_string(problem);
  return text;
}

// Where nodes are pretended, a subset's are what they are among all ranks.
Options options_within(Options options, const std::vector<int>& nodes) {
  options.node_sizes.clear();
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (rank > 0 && nodes[rank] == nodes[rank - 1])
      ++options.node_sizes.back();
    else
      options.node_sizes.push_back(1);
  return options;
}

}  // namespace

const char* to_string(EnsemblePolicy::Form form) {
  return form == EnsemblePolicy::chosen ? "chosen" : name_in(form_names, form);
}
EnsemblePolicy::Form parse_policy(const std::string& text) {
  return value_in(form_names, text, "policy");
}

AnyEnsemble::AnyEnsemble(MPI_Comm user, std::vector<Problem> problems, EnsemblePolicy policy,
                         const Options& options) {
  const Communicator comm(user);
  require_same(
      comm, [&] { return to_text(problems, policy, options); }, "ensemble");
  if (problems.empty())  // on all ranks, as they are the same
    throw Error(Error::invalid, "an ensemble of no instances", "give it a problem at least");
  const std::vector<int> pretend = agreed_node_sizes(comm, options.node_sizes);
  const std::vector<int> node_of_rank = nodes_of_ranks(comm, pretend);

  form_ = policy.form;
  agree(comm, [&] {
    for (const Problem& problem : problems) validated(problem);
    if (form_ == EnsemblePolicy::chosen)
      ranks_ = checked(policy.ranks, problems.size(), comm.size());
    plans_.resize(problems.size());
  });
  if (form_ == EnsemblePolicy::automatic) {
    const Machine machine = agree(comm, [&] { return machine_like_this(node_of_rank, options); });
    const Speeds speeds = machine.nodes() > 1 ? measured_speeds(comm, machine, options) : Speeds{};
    // Caches may differ between nodes: rank 0 decides.
    const std::int64_t mine = agree(comm, [&]() -> std::int64_t {
      return comm.rank() == 0 ? cheapest(problems, node_of_rank, options, speeds) : 0;
    });
    form_ = static_cast<EnsemblePolicy::Form>(comm.max(mine));
  }
  agree(comm, [&] {
    if (form_ != EnsemblePolicy::chosen) ranks_ = subsets_of(form_, problems.size(), node_of_rank);
  });

  ErrorRecord failure;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    // All take part in splitting, but only the members plan; who failed goes on with the others,
    // who may be waiting for it in the next plan.
    const bool is_member = std::binary_search(ranks_[i].begin(), ranks_[i].end(), comm.rank());
    const Communicator subset = comm.split(is_member ? 1 : 0);
    if (!is_member) continue;
    const ErrorRecord error = record_of([&] {
      const Options within = agree(subset, [&] {
        return pretend.empty() ? options
                               : options_within(options, nodes_within(ranks_[i], node_of_rank));
      });
      AnyPlan plan(subset.handle(), problems[i], within);
      agree(subset, [&] { plans_[i] = std::make_unique<AnyPlan>(std::move(plan)); });
    });
    if (!failure.has_error()) failure = error;
  }
  throw_together(comm, failure);
}

const std::vector<int>& AnyEnsemble::ranks(int i) const {
  if (i < 0 || i >= size())
    throw Error(Error::invalid, fmt::format("there is no instance {} of {}", i, size()),
                "instances count from 0");
  return ranks_[static_cast<std::size_t>(i)];
}

bool AnyEnsemble::is_mine(int i) const {
  static_cast<void>(ranks(i));
  return plans_[static_cast<std::size_t>(i)] != nullptr;
}

const AnyPlan& AnyEnsemble::plan(int i) const {
  if (!is_mine(i))
    throw Error(Error::invalid, fmt::format("instance {} has no part on this rank", i),
                "ask is_mine first");
  return *plans_[static_cast<std::size_t>(i)];
}

AnyPlan& AnyEnsemble::plan(int i) {
  return const_cast<AnyPlan&>(static_cast<const AnyEnsemble&>(*this).plan(i));
}

}  // namespace weft

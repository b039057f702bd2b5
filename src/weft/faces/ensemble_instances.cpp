// faces/ensemble_instances: sharing ranks out, and planning on every share.

#include "weft/faces/ensemble_instances.hpp"

#include <algorithm>

#include "weft/any_ensemble.hpp"
#include "weft/base/names.hpp"
#include "weft/choose/checked_options.hpp"
#include "weft/choose/ensemble_choice.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/comm/nodes.hpp"
#include "weft/plan/machine_here.hpp"
#include "weft/plan/speeds.hpp"

namespace weft {

namespace {

// The names of the forms that a word names.
constexpr Names<EnsemblePolicy::Form, 4> form_names{{{EnsemblePolicy::all_ranks, "all"},
                                                     {EnsemblePolicy::subsets, "subsets"},
                                                     {EnsemblePolicy::mixed, "mixed"},
                                                     {EnsemblePolicy::automatic, "automatic"}}};

InstanceRanks checked(InstanceRanks chosen, std::size_t instances, int ranks) {
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
  options.pretend.node_sizes.clear();
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    if (rank > 0 && nodes[rank] == nodes[rank - 1])
      ++options.pretend.node_sizes.back();
    else
      options.pretend.node_sizes.push_back(1);
  return options;
}

// What plans on all ranks find out. Collective.
Machine measured_machine(const Communicator& comm, const Options& options) {
  agree(comm, [&] { check(options, comm); });
  RankHere here;
  Machine machine = machine_here(comm, options, &here);
  if (here.device) return machine;
  confirm_caches(comm, options, here.cores, machine);
  if (machine.nodes() > 1) machine.speeds = measured_speeds(comm, machine, options, here.cores);
  return machine;
}

void require_mine(const AnyEnsemble& ensemble, int i) {
  if (!ensemble.is_mine(i))
    throw Error(Error::invalid, fmt::format("instance {} has no part on this rank", i),
                "ask is_mine first");
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
  const std::vector<int> pretend = agreed_node_sizes(comm, options.pretend.node_sizes);
  const std::vector<int> node_of_rank = nodes_of_ranks(comm, pretend);

  form_ = policy.form;
  agree(comm, [&] {
    for (const Problem& problem : problems) validated(problem);
    if (form_ == EnsemblePolicy::chosen)
      ranks_ = checked(policy.ranks, problems.size(), comm.size());
    plans_.resize(problems.size());
  });
  if (form_ == EnsemblePolicy::automatic) {
    const Machine machine = measured_machine(comm, options);
    // Rank 0 decides, as it does for plans.
    const std::int64_t mine = agree(comm, [&]() -> std::int64_t {
      return comm.rank() == 0 ? fastest_form(problems, node_of_rank, machine, options) : 0;
    });
    form_ = static_cast<EnsemblePolicy::Form>(comm.max(mine));
  }
  agree(comm, [&] {
    if (form_ != EnsemblePolicy::chosen) ranks_ = shared_out(form_, problems.size(), node_of_rank);
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
  require_mine(*this, i);
  return *plans_[static_cast<std::size_t>(i)];
}

AnyPlan& AnyEnsemble::plan(int i) {
  require_mine(*this, i);
  return *plans_[static_cast<std::size_t>(i)];
}

}  // namespace weft

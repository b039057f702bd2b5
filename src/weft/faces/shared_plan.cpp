// faces/shared_plan: a list of plans beside the duplicate of a communicator, the last used first.
// Keeps: agreement - the lists of all ranks have the same plans in the same order.

#include "weft/shared_plan.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <list>
#include <optional>
#include <tuple>

#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/faces/plan_access.hpp"

namespace weft {

namespace {

constexpr std::size_t most_kept = 16;

struct KeptPlan {
  Problem problem;
  Options options;
  std::shared_ptr<std::optional<AnyPlan>> plan;

  std::shared_ptr<AnyPlan> shared() const { return {plan, &plan->value()}; }
};
using KeptPlans = std::list<KeptPlan>;

// All members but the placement. A new member does not compile here until it is compared.
auto compared(const Options& options) {
  const auto& [exchange, engine, device, device_memory_limit, stream, decomposition, grid, ranks,
               placement, strategy, effort, tune_seconds, reproducible, threads, segment_bytes,
               chunks, in_flight, arrays, huge_pages, progress, pretend] = options;
  const auto& [cache_bytes, shared_cache_bytes, eager_message_bytes, node_sizes] = pretend;
  return std::tie(exchange, engine, device, device_memory_limit, stream, decomposition, grid, ranks,
                  strategy, effort, tune_seconds, reproducible, threads, segment_bytes, chunks,
                  in_flight, arrays, huge_pages, progress, cache_bytes, shared_cache_bytes,
                  eager_message_bytes, node_sizes);
}

bool is_for(const KeptPlan& kept, const Problem& problem, const Options& options) {
  return !options.placement.is_given() && kept.problem == problem &&
         compared(kept.options) == compared(options);
}

// The plan that all ranks ask for, or null; it becomes the first of the list. A rank may have
// several plans for what it passes, which differ in what other ranks passed, so it votes by a bit
// for each plan. Plans that are of no use any more leave the list. Allocates nothing, and throws
// only what MPI says. Collective.
std::shared_ptr<AnyPlan> found(const Communicator& comm, KeptPlans* plans, const Problem& problem,
                               const Options& options) {
  static_assert(most_kept < 64);
  std::uint64_t matching = 0, sound = ~std::uint64_t{0}, bit = 1;
  if (plans != nullptr)
    for (const KeptPlan& kept : *plans) {
      if (is_for(kept, problem, options)) {
        matching |= bit;
        if (!PlanAccess::body(**kept.plan).is_sound()) sound &= ~bit;
      }
      bit <<= 1;
    }
  std::array<std::int64_t, 2> votes{static_cast<std::int64_t>(matching),
                                    static_cast<std::int64_t>(sound)};
  comm.and_each(votes);
  matching = static_cast<std::uint64_t>(votes[0]);
  sound = static_cast<std::uint64_t>(votes[1]);
  if (plans == nullptr) return nullptr;
  const int chosen = std::countr_zero(matching & sound);
  std::shared_ptr<AnyPlan> plan;
  int number = 0;
  for (auto next = plans->begin(); next != plans->end(); ++number) {
    const auto here = next++;
    if (number == chosen) {
      plan = here->shared();
      plans->splice(plans->begin(), *plans, here);
    } else if ((sound >> number & 1) == 0) {
      plans->erase(here);
    }
  }
  return plan;
}

}  // namespace

std::shared_ptr<AnyPlan> shared_plan(MPI_Comm comm, const Problem& problem,
                                     const Options& options) {
  const auto ranks = shared_duplicate(comm);
  std::shared_ptr<void>* const place = kept_with(comm);
  auto* plans = place == nullptr ? nullptr : static_cast<KeptPlans*>(place->get());
  if (auto plan = found(*ranks, plans, problem, options)) return plan;
  KeptPlans made = agree(*ranks, [&] {
    if (place != nullptr && !*place) *place = std::make_shared<KeptPlans>();
    KeptPlans one;
    one.push_back({problem, options, std::make_shared<std::optional<AnyPlan>>()});
    return one;
  });
  const KeptPlan& kept = made.front();
  if (place != nullptr) plans = static_cast<KeptPlans*>(place->get());
  try {
    kept.plan->emplace(comm, problem, options);
  } catch (const Error& error) {
    if (error.code() != Error::system || plans == nullptr || plans->empty()) throw;
    plans->clear();
    kept.plan->emplace(comm, problem, options);
  }
  std::shared_ptr<AnyPlan> plan = kept.shared();
  if (plans == nullptr || options.placement.is_given()) return plan;
  plans->splice(plans->begin(), made);
  if (plans->size() > most_kept) plans->pop_back();
  return plan;
}

}  // namespace weft

// plan/make_plan: plans as users ask for them: remembered, measured or tuned.
#pragma once

#include <memory>

#include "weft/comm/communicator.hpp"
#include "weft/options.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/planning/wisdom.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

/// A plan that runs what is remembered for `problem` on this machine. Where nothing is, it is made
/// as PlanBody::make does; with Effort::tune it is tuned first, and remembered. Wisdom that cannot
/// be read or written is told in the log. Collective; errors as of AnyPlan.
std::unique_ptr<PlanBody> make_plan(const std::shared_ptr<const Communicator>& comm,
                                    const Problem& problem, const Options& options);

/// A plan that runs what `entry` says. Collective; errors as of AnyPlan.
std::unique_ptr<PlanBody> make_known_plan(const std::shared_ptr<const Communicator>& comm,
                                          const Problem& problem, const Options& options,
                                          const WisdomEntry& entry);

}  // namespace weft

// faces/any_plan: the calls of weft::AnyPlan, handed to its body.

#include <algorithm>

#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/faces/plan_access.hpp"
#include "weft/field.hpp"
#include "weft/plan/make_plan.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

namespace {

Box only_box(const Share& share, const char* side) {
  if (share.waves.are_given())
    throw Error(Error::invalid, fmt::format("the {} has waves on this rank, and no box", side),
                "take the waves from Share::waves, or from points()");
  if (share.boxes.size() > 1)
    throw Error(Error::invalid,
                fmt::format("this rank has {} boxes of the {}", share.boxes.size(), side),
                "take them from Share::boxes");
  if (!share.boxes.empty()) return share.boxes.front();
  return {Dims::filled(share.extents.size(), 0), Dims::filled(share.extents.size(), 0)};
}

}  // namespace

AnyPlan::AnyPlan(MPI_Comm comm, const Problem& problem, const Options& options)
    : body_(make_plan(shared_duplicate(comm), problem, options)) {}
AnyPlan::AnyPlan(const Problem& problem, const Options& options)
    : body_(make_plan(std::make_shared<Communicator>(Communicator::alone()), problem, options)) {}
AnyPlan::AnyPlan(AnyPlan&& other) noexcept = default;
AnyPlan& AnyPlan::operator=(AnyPlan&& other) noexcept = default;
AnyPlan::~AnyPlan() = default;

PlanBody& AnyPlan::body() const {
  if (!body_)
    throw Error(Error::invalid, "the plan has been moved from", "use the plan it was moved to");
  return *body_;
}

const PlanBody& PlanAccess::body(const AnyPlan& plan) { return plan.body(); }

Ticket AnyPlan::start_forward(const AnySource& from, const AnyTarget& to, double scale) {
  return body().start({true, from, to, scale});
}
Ticket AnyPlan::start_backward(const AnySource& from, const AnyTarget& to, double scale) {
  return body().start({false, from, to, scale});
}

const Problem& AnyPlan::problem() const { return body().problem(); }
const Share& AnyPlan::input() const { return body().input(); }
const Share& AnyPlan::output() const { return body().output(); }
Box AnyPlan::local_input() const { return only_box(input(), "input"); }
Box AnyPlan::local_output() const { return only_box(output(), "output"); }
Wavenumbers AnyPlan::wavenumbers(int axis) const {
  const Problem& of = problem();
  const int count = of.extents.size(), resolved = axis < 0 ? axis + count : axis;
  if (std::find(of.axes.begin(), of.axes.end(), resolved) == of.axes.end())
    throw Error(Error::invalid,
                fmt::format("axis {} of {} is not transformed, and has no wavenumbers", axis,
                            to_string(of.extents)),
                fmt::format("the transformed axes are {}", fmt::join(of.axes, ",")));
  if (basis_of(of, resolved) != Basis::fourier)
    throw Error(Error::invalid,
                fmt::format("axis {} has the basis {}, which has no wavenumbers", axis,
                            to_string(basis_of(of, resolved))),
                "its coefficients have the index of their cosine, sine or polynomial");
  if (of.cutoff.is_given())
    throw Error(Error::invalid, "the waves of a cut-off have no indices along an axis",
                "take their numbers from Share::waves, or from points()");
  return {(of.modes.empty() ? of.extents : of.modes)[resolved], resolved == half_axis(of)};
}
void AnyPlan::require_in_place() const {
  if (problem().in_place) return;
  throw Error(Error::invalid, "the plan is not in place, so its output is not in its input",
              "set Problem::in_place, or take the output from make_output");
}
std::shared_ptr<std::byte> AnyPlan::allocate(std::int64_t bytes) const {
  return body().allocate(bytes);
}
std::shared_ptr<std::byte> AnyPlan::allocate(std::int64_t bytes, Memory kind) const {
  return body().allocate(bytes, kind);
}
Memory AnyPlan::usual_memory() const { return body().usual_memory(); }

int AnyPlan::rank() const { return body().comm()->rank(); }
MPI_Comm AnyPlan::comm() const { return body().comm()->handle(); }
const std::string& AnyPlan::engine() const { return body().strategy().engine; }
int AnyPlan::threads() const { return body().threads(); }
std::int64_t AnyPlan::workspace_bytes() const { return body().workspace_bytes(); }
PlanMemory AnyPlan::memory() const { return body().memory(); }
StrategyText AnyPlan::strategy() const { return StrategyText(to_string(body().strategy())); }
std::string AnyPlan::describe(Detail detail) const { return body().describe(detail); }

PlanReport AnyPlan::report() const {
  const PlanBody& plan = body();
  const Machine& machine = plan.machine();
  PlanReport report{to_string(plan.strategy()),
                    plan.strategy().engine,
                    plan.device_text(),
                    plan.progress(),
                    plan.is_remembered(),
                    {},
                    plan.memory(),
                    plan.forward(),
                    plan.backward()};
  MachineReport& of = report.machine;
  of = {machine.ranks,
        machine.nodes(),
        {},
        {},
        machine.cache_bytes,
        machine.shared_cache_bytes,
        machine.eager_message_bytes,
        machine.segment_bytes};
  for (int rank = 0; rank < machine.ranks; ++rank) {
    of.node_of_rank.push_back(machine.node(rank));
    of.threads_of_rank.push_back(machine.threads(rank));
  }
  return report;
}

}  // namespace weft

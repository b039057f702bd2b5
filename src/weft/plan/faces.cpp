// plan/faces: the calls of weft::AnyPlan, handed to its body.

#include "weft/plan/plan_body.hpp"

namespace weft {

AnyPlan::AnyPlan(MPI_Comm comm, const Problem& problem, const Options& options)
    : body_(PlanBody::make(comm, problem, options)) {}
AnyPlan::AnyPlan(AnyPlan&& other) noexcept = default;
AnyPlan& AnyPlan::operator=(AnyPlan&& other) noexcept = default;
AnyPlan::~AnyPlan() = default;

const PlanBody& AnyPlan::body() const {
  if (!body_)
    throw Error(Error::invalid, "the plan has been moved from", "use the plan it was moved to");
  return *body_;
}
PlanBody& AnyPlan::body() {
  return const_cast<PlanBody&>(static_cast<const AnyPlan&>(*this).body());
}

Ticket AnyPlan::start_forward(const void* from, void* to) { return body().start(true, from, to); }
Ticket AnyPlan::start_backward(const void* from, void* to) { return body().start(false, from, to); }

const Problem& AnyPlan::problem() const { return body().problem(); }
const Share& AnyPlan::input() const { return body().input(); }
const Share& AnyPlan::output() const { return body().output(); }
void AnyPlan::check_sizes(std::int64_t input_elements, std::int64_t output_elements) const {
  body().check_sizes(input_elements, output_elements);
}
std::shared_ptr<std::byte> AnyPlan::allocate(std::int64_t bytes) const {
  return body().allocate(bytes);
}

int AnyPlan::rank() const { return body().comm()->rank(); }
MPI_Comm AnyPlan::comm() const { return body().comm()->handle(); }
const std::string& AnyPlan::engine() const { return body().strategy().engine; }
int AnyPlan::threads() const { return body().threads(); }
std::int64_t AnyPlan::workspace_bytes() const { return body().workspace_bytes(); }
StrategyText AnyPlan::strategy() const { return StrategyText(to_string(body().strategy())); }
std::string AnyPlan::describe() const { return body().describe(); }

std::vector<StageTime> AnyPlan::forward_stages() const {
  const auto reports = body().forward_stages();
  return {reports.begin(), reports.end()};
}
std::vector<StageTime> AnyPlan::backward_stages() const {
  const auto reports = body().backward_stages();
  return {reports.begin(), reports.end()};
}

}  // namespace weft

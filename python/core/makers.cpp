// python/core/makers: asks on all ranks, and plans without the GIL.

#include "makers.hpp"

#include <utility>

#include "request.hpp"
#include "weft/error.hpp"
#include "weft/faces/movement_shares.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

// Makes an object without the GIL; raises what Python's placement has raised, where it did.
template <class Object, class Make>
std::shared_ptr<Object> made(const PlacementFailure& failure, Make&& make) {
  try {
    const nb::gil_scoped_release without_gil;
    return make();
  } catch (...) {
    if (*failure) std::rethrow_exception(std::exchange(*failure, nullptr));
    throw;
  }
}

std::unique_ptr<PlanOfPython> runnable_plan(const std::shared_ptr<AnyPlan>& plan, bool is_of_many,
                                            void* stream) {
  const Problem& problem = plan->problem();
  return std::make_unique<PlanOfPython>(
      Runnable{plan,
               [plan](bool is_forward, const AnySource& from, const AnyTarget& to, double scale) {
                 return is_forward ? plan->start_forward(from, to, scale)
                                   : plan->start_backward(from, to, scale);
               },
               {plan->input(), problem.input.storage, "input"},
               {plan->output(), problem.output.storage, "output"},
               is_of_many,
               stream});
}

}  // namespace

std::unique_ptr<PlanOfPython> make_plan(const nb::dict& given, std::uintptr_t comm) {
  const AskedPlan asked = agreed(comm, [&] { return asked_plan(given); });
  const auto plan = made<AnyPlan>(asked.failure, [&] {
    if (comm == 0) return std::make_shared<AnyPlan>(asked.problem, asked.options);
    return std::make_shared<AnyPlan>(comm_at(comm), asked.problem, asked.options);
  });
  return runnable_plan(plan, comm != 0, asked.options.stream);
}

std::unique_ptr<PlanOfPython> make_reshape(const nb::dict& given, std::uintptr_t comm) {
  const AskedMovement asked = agreed(comm, [&] { return asked_movement(given); });
  std::shared_ptr<AnyReshape> reshape;
  {
    const nb::gil_scoped_release without_gil;
    reshape = std::make_shared<AnyReshape>(comm_at(comm), asked.extents, asked.element, asked.from,
                                           asked.to, asked.options);
  }
  const int axes = asked.extents.size();
  return std::make_unique<PlanOfPython>(Runnable{
      std::shared_ptr<const AnyPlan>(reshape, &reshape->plan()),
      [reshape](bool is_forward, const AnySource& from, const AnyTarget& to, double) {
        return is_forward ? reshape->start_forward(from, to) : reshape->start_backward(from, to);
      },
      {share_of(*reshape, axes, true), asked.from.storage, "input", asked.element.bytes},
      {share_of(*reshape, axes, false), asked.to.storage, "output", asked.element.bytes},
      true});
}

std::unique_ptr<PlanOfPython> make_halo(const nb::dict& given, std::uintptr_t comm) {
  const AskedMovement asked = agreed(comm, [&] { return asked_movement(given); });
  std::shared_ptr<AnyHalo> halo;
  {
    const nb::gil_scoped_release without_gil;
    halo = std::make_shared<AnyHalo>(comm_at(comm), asked.extents, asked.element, asked.from,
                                     asked.periodic, asked.options);
  }
  const Side side(share_of(*halo, asked.extents), asked.from.storage, "array", asked.element.bytes);
  return std::make_unique<PlanOfPython>(Runnable{
      std::shared_ptr<const AnyPlan>(halo, &halo->plan()),
      [halo](bool, const AnySource&, const AnyTarget& to, double) { return halo->start(to); }, side,
      side, true});
}

EnsembleOfPython::EnsembleOfPython(const std::vector<nb::dict>& given, const nb::object& policy,
                                   std::uintptr_t comm) {
  struct Asked {
    std::vector<Problem> problems;
    Options options;
    PlacementFailure failure;
    EnsemblePolicy policy;
  };
  const Asked asked = agreed(comm, [&] {
    Asked of;
    for (const nb::dict& one : given) {
      AskedPlan plan = asked_plan(one);
      of.problems.push_back(std::move(plan.problem));
      if (of.problems.size() > 1) continue;
      of.options = std::move(plan.options);
      of.failure = std::move(plan.failure);
    }
    of.policy = policy_of(policy);
    if (of.problems.empty())
      throw Error(Error::invalid, "an ensemble of 0 instances", "give it a shape at least");
    return of;
  });
  stream_ = asked.options.stream;
  ensemble_ = made<AnyEnsemble>(asked.failure, [&] {
    return std::make_shared<AnyEnsemble>(comm_at(comm), asked.problems, asked.policy,
                                         asked.options);
  });
}

const AnyEnsemble& EnsembleOfPython::ensemble() const {
  if (!ensemble_) throw Error(Error::invalid, "the ensemble has been closed", "make a new one");
  return *ensemble_;
}

std::unique_ptr<PlanOfPython> EnsembleOfPython::plan(int instance) const {
  ensemble();
  return runnable_plan({ensemble_, &ensemble_->plan(instance)}, true, stream_);
}

void EnsembleOfPython::close() {
  const nb::gil_scoped_release without_gil;
  ensemble_.reset();
}

}  // namespace weft::python

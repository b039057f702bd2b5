// plan/plan_body: starting a transform, or refusing to, together on all ranks.

#include "weft/plan/plan_body.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

void PlanBody::require_startable(bool is_forward, const void* from, const void* to) const {
  const bool has_data = input_.elements > 0 || output_.elements > 0;
  if (!has_data) return;
  if ((from == to) != problem_.in_place)
    throw Error(Error::invalid,
                problem_.in_place
                    ? "the plan is in place, but was given two arrays"
                    : "input and output are the same array, but the plan is not in place",
                "set Problem::in_place for what the plan is to do");
  const auto bytes = [](const Share& share) { return share.elements * share.scalar.bytes(); };
  const Scheduler& scheduler = Scheduler::of_process();
  if (scheduler.is_in_use(from, bytes(is_forward ? input_ : output_), false))
    throw Error(Error::invalid, "the input is the output of a transform that is under way",
                "wait for its ticket first");
  if (scheduler.is_in_use(to, bytes(is_forward ? output_ : input_), true))
    throw Error(Error::invalid, "a transform that is under way works on the output",
                "wait for its ticket first, or give each transform in flight its own arrays");
}

Ticket PlanBody::start(bool is_forward, const void* from, void* to) {
  if (!mpi_is_running())
    throw Error(Error::invalid, "MPI is not running", "transform before MPI_Finalize");
  Scheduler& scheduler = Scheduler::of_process();
  const auto& slot = slots_.all()[starts_++ % slots_.all().size()];
  scheduler.wait(*slot, slot->run());
  for (const auto& each : slots_.all())
    if (each->is_broken())
      throw Error(Error::system, "an earlier run of this plan failed on the way",
                  "make a new plan: messages of the failed run may still be under way");
  ErrorRecord refusal;
  scheduler.with_lock([&] {
    refusal = record_of([&] {
      require_startable(is_forward, from, to);
      slot->prepare(is_forward, from, to);
    });
    if (refusal.has_error()) {
      slot->refuse(is_forward, refusal);
      return;
    }
    slot->start();
    scheduler.add(slot.get());
  });
  if (refusal.has_error()) {
    for (bool told = false; !told;) {
      scheduler.progress();
      scheduler.with_lock([&] { told = slot->test_refusal(); });
    }
    throw refusal.error();
  }
  (is_forward ? last_forward_ : last_backward_) = slot.get();
  return Ticket(slot);
}

}  // namespace weft

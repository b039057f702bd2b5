// plan/raced_plans: see the header.

#include "weft/plan/raced_plans.hpp"

#include <utility>

#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft {

namespace {

class BodyOfRace : public RacedPlan {
 public:
  explicit BodyOfRace(std::unique_ptr<PlanBody> body) : body_(std::move(body)) {}

  const Share& input() const override { return body_->input(); }
  const Share& output() const override { return body_->output(); }
  std::int64_t held_bytes() const override {
    const MemoryUse use = body_->memory().planned;
    return use.buffers + use.stand_ins + use.tiles + use.programs;
  }
  std::shared_ptr<std::byte> allocate(std::int64_t bytes) const override {
    // Copies over the bus would take longer than what is compared.
    return body_->computes_on_device() ? body_->allocate(bytes, Memory::device)
                                       : body_->allocate(bytes);
  }
  void run(bool is_forward, std::byte* from, std::byte* to) override {
    body_->start({is_forward, {from}, {to}}).wait();
  }

 private:
  std::unique_ptr<PlanBody> body_;
};

// Error::system if a further plan needs more memory than there is, or than is free. Nothing is
// known of the first one: most plans need about as much as their arrays, which are made after it.
// Whoever asks for a plan has room for one, but perhaps not for more arrays. Collective.
void require_memory_beside(const RacedBytes& beside, const Communicator& comm) {
  const std::int64_t further = beside.largest_plan == 0 ? beside.arrays : beside.largest_plan;
  MemoryUse use;
  use.input = beside.arrays;
  use.buffers = beside.plans + further;
  require_memory(comm, use);
  require_free_memory(comm, further);
}

}  // namespace

MakeRacedPlan raced_plans(std::shared_ptr<const Communicator> comm) {
  return [comm = std::move(comm)](const Problem& problem, const Options& options,
                                  const RacedBytes& beside) -> std::unique_ptr<RacedPlan> {
    require_memory_beside(beside, *comm);
    return std::make_unique<BodyOfRace>(PlanBody::make_unreported(comm, problem, options));
  };
}

}  // namespace weft

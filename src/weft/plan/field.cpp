// plan/field: what fields of all element types have in common.

#include "weft/field.hpp"

#include "weft/plan/plan_body.hpp"

namespace weft {

FieldMemory::FieldMemory(const AnyPlan& plan, const Share& share, std::shared_ptr<std::byte> memory)
    : comm_(plan.body().comm()), share_(share), memory_(std::move(memory)) {}

double FieldMemory::largest_of_ranks(double mine) const {
  if (!comm_)
    throw Error(Error::invalid, "a field of no plan has no largest value",
                "use a field that a plan has made");
  return comm_->max(mine);
}

}  // namespace weft

// faces/field: what fields of all element types have in common.

#include "weft/field.hpp"
#include "weft/chebyshev.hpp"

#include "weft/comm/agreement.hpp"
#include "weft/faces/plan_access.hpp"

namespace weft {

FieldMemory::FieldMemory(const AnyPlan& plan, const Share& share, std::shared_ptr<std::byte> memory,
                         Memory kind)
    : comm_(PlanAccess::body(plan).comm()),
      share_(share),
      memory_(std::move(memory)),
      kind_(kind) {}

std::int64_t FieldMemory::start_of(std::int64_t number) const {
  if (!comm_) return 0;
  if (number < 0 || number >= share_.fields)
    throw Error(Error::invalid,
                fmt::format("there is no field {} in a batch of {}", number, share_.fields),
                "fields count from 0");
  if (kind_ == Memory::device)
    throw Error(Error::invalid,
                "the field is in memory of a device, where its points cannot be seen",
                "copy it to a field of make_input() or make_output() with weft::copy");
  return number * share_.array.field_stride;
}

void copy(const FieldMemory& from, FieldMemory& to) {
  if (from.share() == to.share()) {
    weft::copy(from.memory().get(), to.memory().get(), from.size() * from.share().scalar.bytes());
    return;
  }
  from.require_same_boxes(to);
  throw Error(Error::invalid, "the fields have the same boxes, laid out otherwise in memory",
              "copy between fields of the same side of a plan");
}

void require_whole_axis(const Share& share, int axis) {
  if (axis < 0 || axis >= share.extents.size())
    throw Error(Error::invalid,
                fmt::format("there is no axis {} in {}", axis, to_string(share.extents)),
                "axes count from 0");
  if (share.waves.are_given())
    throw Error(Error::unsupported, "the waves of a cut-off are no lines along an axis",
                "keep all waves, or those that Problem::modes counts");
  for (const Box& box : share.boxes)
    if (box.extent(axis) != share.extents[axis])
      throw Error(Error::invalid,
                  fmt::format("axis {} of {} is divided: this rank has {}", axis,
                              to_string(share.extents), to_string(box)),
                  "let the distribution of this side of the plan divide other axes");
}

double FieldMemory::largest_of_ranks(const std::function<double()>& mine) const {
  if (!comm_)
    throw Error(Error::invalid, "a field of no plan has no largest value",
                "use a field that a plan has made");
  comm_->require_usable();
  return comm_->max(agree(*comm_, mine));
}

void FieldMemory::require_same_boxes(const FieldMemory& other) const {
  if (share_.extents == other.share_.extents && share_.boxes == other.share_.boxes &&
      share_.waves == other.share_.waves)
    return;
  const auto text = [](const Share& share) {
    if (share.waves.are_given()) return fmt::format("{} waves", share.waves.size());
    return fmt::format("{} box{} of {}", share.boxes.size(), share.boxes.size() == 1 ? "" : "es",
                       to_string(share.extents)) +
           (share.boxes.empty() ? "" : ", the first " + to_string(share.boxes.front()));
  };
  throw Error(Error::invalid,
              fmt::format("the fields lie differently: rank {} has {}, and {}", comm_->rank(),
                          text(share_), text(other.share_)),
              "compare fields with the same distribution over the ranks");
}

}  // namespace weft

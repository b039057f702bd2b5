// plan/plan_body: starting a transform, or refusing to, together on all ranks.

#include <cmath>
#include <cstdint>
#include <exception>
#include <functional>

#include "weft/plan/memory_need.hpp"
#include "weft/plan/plan_body.hpp"
#include "weft/run/scheduler.hpp"

namespace weft {

namespace {

std::string text_of(const std::vector<Box>& boxes) {
  if (boxes.empty()) return "no boxes";
  const std::string first = to_string(boxes.front());
  return boxes.size() == 1 ? first : fmt::format("{} and {} more", first, boxes.size() - 1);
}

// How a field that holds `given` differs from what a plan takes or makes.
std::string difference(const Share& given, const Share& planned) {
  if (given.extents.empty()) return "is of no plan";
  if (given.extents != planned.extents)
    return fmt::format("is of the grid {} instead of {}", to_string(given.extents),
                       to_string(planned.extents));
  if (given.scalar != planned.scalar)
    return fmt::format("is of {} instead of {}", given.scalar.name(), planned.scalar.name());
  if (given.fields != planned.fields)
    return fmt::format("is a batch of {} instead of {}", given.fields, planned.fields);
  if (given.boxes != planned.boxes)
    return fmt::format("holds {} instead of {} on this rank", text_of(given.boxes),
                       text_of(planned.boxes));
  if (given.waves != planned.waves)
    return fmt::format("holds {} waves on this rank, other ones than the {} of the plan",
                       given.waves.size(), planned.waves.size());
  return "lies otherwise in memory than the plan's fields, as one of a plan in place may";
}

// Throws why this side of a plan cannot use the field; not if it can, or of an array.
void require_alike(const GivenArray& given, const Share& planned, const char* side) {
  if (given.field_share == nullptr || *given.field_share == planned) return;
  throw Error(Error::invalid,
              fmt::format("the {} {}", side, difference(*given.field_share, planned)),
              "use a field of this plan's make_input, make_output or output_in, or of a plan with "
              "the same distribution");
}

// Throws if the array is known to be too short for this side of a plan.
void require_long_enough(const GivenArray& given, const Share& planned, const char* side) {
  if (given.element_bytes == 0) return;
  const std::int64_t bytes = planned.elements * planned.scalar.bytes();
  const std::int64_t needed = (bytes + given.element_bytes - 1) / given.element_bytes;
  if (given.elements >= needed) return;
  throw Error(
      Error::invalid,
      fmt::format("the {} has {} elements, but this rank needs {}", side, given.elements, needed),
      "pass an array of as many elements as Plan::input() or output() says");
}

// In place, one array has room for either side; of two, that of a side without points is not used.
void require_given(const GivenArray& given, const Share& planned, const char* side) {
  if (given.data != nullptr || bytes_of_array(planned) == 0) return;
  throw Error(Error::invalid,
              fmt::format("the {} is a null pointer, but this rank has {} elements of it", side,
                          planned.elements),
              "pass an array of as many elements as Plan::input() or output() says");
}

// Kernels load numbers from their addresses. What is only moved is of any type.
void require_aligned(const GivenArray& given, const Share& planned, const char* side) {
  const std::int64_t bytes = planned.scalar.bytes() / (planned.scalar.is_complex ? 2 : 1);
  const auto beyond =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(given.data)) % bytes;
  if (beyond == 0) return;
  throw Error(Error::invalid,
              fmt::format("the {} begins {} bytes after a multiple of the {} bytes of its numbers",
                          side, beyond, bytes),
              "pass an array that is aligned as arrays of this type are");
}

void require_no_overlap(const std::byte* from, std::int64_t read, const std::byte* to,
                        std::int64_t written) {
  const std::less<> before;
  if (!before(from, to + written) || !before(to, from + read)) return;
  const std::int64_t between = before(from, to) ? to - from : from - to;
  throw Error(
      Error::invalid,
      fmt::format("input and output overlap: they begin {} bytes apart, and the {} takes {}",
                  between, before(from, to) ? "input" : "output",
                  before(from, to) ? read : written),
      "pass an output that shares no memory with the input, or set Problem::in_place and "
      "pass the same array twice");
}

}  // namespace

void PlanBody::require_scale(double scale) const {
  if (scale == 1) return;
  const bool is_single = parts_.problem.precision == Precision::single_precision;
  if (!std::isfinite(is_single ? static_cast<float>(scale) : scale))
    throw Error(Error::invalid,
                fmt::format("the scale {} is no finite number{}", scale,
                            is_single ? " in single precision" : ""),
                "give a number by which all results are to be multiplied");
  if (parts_.problem.axes.empty())
    throw Error(Error::unsupported,
                fmt::format("a plan that transforms no axis cannot multiply by the scale {}: it "
                            "moves bits, not numbers",
                            scale),
                "leave the scale at 1");
}

// Throws if one array is given for both sides, or two that overlap, and the plan cannot work so.
void PlanBody::require_other_arrays(const Call& call, const Share& source,
                                    const Share& target) const {
  if (parts_.array_bytes(source) == 0 || parts_.array_bytes(target) == 0) return;
  const std::byte *const from = call.from.data, *const to = call.to.data;
  if (from == to && !parts_.problem.in_place)
    throw Error(Error::invalid, "input and output are the same array, but the plan is not in place",
                "set Problem::in_place: the plan then takes one array or two; or pass an array of "
                "its own as the output");
  // Arrays with gaps may lie between each other's points, as components of a vector do.
  const auto is_dense = [&](const Share& side) {
    return side.waves.are_given() || bytes_of_array(side) == stored_bytes(side);
  };
  if (from != to && is_dense(source) && is_dense(target))
    require_no_overlap(from, bytes_of_array(source), to, bytes_of_array(target));
}

// Throws if a transform that is under way works on one of the arrays. Called with the lock.
void PlanBody::require_unused(const Call& call, const Share& source, const Share& target) const {
  const Scheduler& scheduler = *parts_.scheduler;
  const auto is_in_use = [&](const GivenArray& given, const Share& side, bool is_written) {
    return given.data != nullptr &&
           scheduler.is_in_use(given.data, parts_.array_bytes(side), is_written);
  };
  if (is_in_use(call.from, source, false))
    throw Error(Error::invalid, "the input is the output of a transform that is under way",
                "wait for its ticket first");
  if (is_in_use(call.to, target, true))
    throw Error(Error::invalid, "a transform that is under way works on the output",
                "wait for its ticket first, or give each transform in flight its own arrays");
}

void PlanBody::require_startable(const Call& call) const {
  const Share& source = call.is_forward ? parts_.input : parts_.output;
  const Share& target = call.is_forward ? parts_.output : parts_.input;
  for (const GivenArray* each : {&call.from, &call.to})
    if (each->refusal != nullptr) throw Error(*each->refusal);
  require_alike(call.from, source, "input");
  require_alike(call.to, target, "output");
  require_long_enough(call.from, source, "input");
  require_long_enough(call.to, target, "output");
  require_scale(call.scale);
  const bool moves_parts = parts_.blueprint->moves_parts();
  if (moves_parts && !call.is_forward)
    throw Error(Error::unsupported, "parts of a grid are moved forward only",
                "make a plan with input and output exchanged for the other way");
  if (source.elements == 0 && target.elements == 0) return;  // this rank has no points
  require_given(call.from, source, "input");
  require_given(call.to, target, "output");
  if (!parts_.problem.axes.empty()) {
    require_aligned(call.from, source, "input");
    require_aligned(call.to, target, "output");
  }
  if (!moves_parts) require_other_arrays(call, source, target);
  require_unused(call, source, target);
}

const std::shared_ptr<ExecutionSlot>& PlanBody::slot_of(std::size_t start) const {
  const auto& slots = parts_.slots->all();
  return slots[start % slots.size()];
}

// A thread that may not call MPI cannot start a run, for which the other ranks would wait.
void PlanBody::require_thread() {
  parts_.comm->require_running();
  const ErrorRecord why = record_of([&] { parts_.comm->require_usable(); });
  if (!why.has_error()) return;
  parts_.scheduler->with_lock([&] {
    if (parts_.comm->size() > 1) slot_of(starts_)->fail_without_mpi(why);
  });
  throw why.error();
}

bool PlanBody::is_sound() const {
  bool is_sound = true;
  parts_.scheduler->with_lock([&] {
    for (const auto& slot : parts_.slots->all()) is_sound = is_sound && !slot->is_broken();
  });
  return is_sound;
}

// Throws if an earlier run has failed. Called with the lock.
void PlanBody::require_sound() const {
  for (const auto& slot : parts_.slots->all()) {
    if (!slot->is_broken()) continue;
    const ErrorRecord earlier = record_of([&] { std::rethrow_exception(slot->failure()); });
    throw Error(
        Error::system,
        fmt::format("an earlier run of this plan failed on the way: {}", earlier.error().message()),
        "make a new plan: messages of the failed run may still be under way");
  }
}

// Returns once the other ranks know why this one refuses the run, by throwing it. Calls no
// callbacks, which could start a run before this one is over.
void PlanBody::refuse(ExecutionSlot& slot, const ErrorRecord& why) {
  Scheduler& scheduler = *parts_.scheduler;
  for (bool told = false; !told;) {
    scheduler.take_further();
    scheduler.with_lock([&] { told = slot.test_refusal(); });
  }
  throw why.error();
}

Ticket PlanBody::start(const Call& call) {
  require_thread();
  Scheduler& scheduler = *parts_.scheduler;
  std::shared_ptr<ExecutionSlot> slot;
  std::optional<Ticket> ticket;
  ErrorRecord refusal;
  for (bool is_next = false; !is_next;) {
    std::size_t number = 0;
    std::int64_t run = 0;
    scheduler.with_lock([&] {
      number = starts_;
      slot = slot_of(number);
      run = slot->run();
    });
    scheduler.wait(slot.get(), run);
    scheduler.with_lock([&] {
      // A callback that was called meanwhile may have started further runs of this plan, which come
      // before this one, as they do on ranks where the callback has been called earlier.
      is_next = starts_ == number;
      if (!is_next) return;
      require_sound();
      ++starts_;
      refusal = record_of([&] {
        require_startable(call);
        slot->start(call);
      });
      if (refusal.has_error()) {
        slot->refuse(refusal);
        return;
      }
      scheduler.add(slot.get());
      (call.is_forward ? last_forward_ : last_backward_) = slot.get();
      ++(call.is_forward ? forward_runs_ : backward_runs_);
      ticket.emplace(slot);
    });
  }
  if (refusal.has_error()) refuse(*slot, refusal);
  return std::move(*ticket);
}

}  // namespace weft

// capi/plan: plans, and what they tell.

#include <algorithm>
#include <utility>

#include "weft/allocator.hpp"
#include "weft/capi/converted.hpp"
#include "weft/capi/handles.hpp"
#include "weft/capi/sized.hpp"
#include "weft/capi/telling.hpp"
#include "weft/problem/validated.hpp"

using namespace weft::capi;

namespace {

weft_bytes bytes_of(const weft::MemoryUse& use) {
  return {use.input, use.output, use.buffers, use.stand_ins, use.tiles, use.programs};
}

}  // namespace

namespace weft::capi {

PartedShare::PartedShare(const Share& share) : share_(share) {
  for (std::size_t b = 0; b < share_.boxes.size(); ++b) {
    weft_part part{};
    const Box& box = share_.boxes[b];
    const Dims& strides = share_.array.layouts[b].strides;
    for (int a = 0; a < std::min(box.axes(), WEFT_MOST_AXES); ++a) {
      part.box.lo[a] = box.lo[a];
      part.box.hi[a] = box.hi[a];
      part.strides[a] = strides[a];
    }
    part.offset = share_.array.offsets[b];
    parts_.push_back(part);
  }
}

void PartedShare::write_to(weft_share* to) const {
  weft_share made{};
  made.axes = std::min(share_.extents.size(), WEFT_MOST_AXES);
  made.is_complex = share_.scalar.is_complex ? 1 : 0;
  made.precision =
      share_.scalar.precision == Precision::single_precision ? WEFT_SINGLE : WEFT_DOUBLE;
  std::copy_n(share_.extents.begin(), made.axes, made.extents);
  made.elements = share_.elements;
  made.fields = share_.fields;
  made.field_stride = share_.array.field_stride;
  made.count = static_cast<std::int64_t>(parts_.size());
  made.parts = parts_.data();
  if (share_.waves.are_given()) {
    made.wave_count = share_.waves.size();
    // A Wave is an array of three numbers, and lies as C has it.
    static_assert(sizeof(Wave) == sizeof(weft_wave) && alignof(Wave) == alignof(weft_wave));
    made.waves = reinterpret_cast<const weft_wave*>(share_.waves.begin());
  }
  write(to, made, "weft_share");
}

std::vector<PartedShare> both_sides(const Share& input, const Share& output) {
  std::vector<PartedShare> sides;
  sides.emplace_back(input);
  sides.emplace_back(output);
  return sides;
}

const PartedShare& side_in(const std::vector<PartedShare>& sides, weft_side side) {
  const auto number = static_cast<std::size_t>(checked_value(side, 2, "side"));
  if (sides.size() <= number)
    throw Error(Error::invalid, "the plan has no sides",
                "ask the reshape or the halo that it belongs to");
  return sides[number];
}

}  // namespace weft::capi

void weft_plan::show(const weft::AnyPlan& plan, weft::AnyPlan* to_run) {
  shown = &plan;
  run = to_run;
  if (to_run != nullptr) sides = both_sides(plan.input(), plan.output());
}

void weft_plan::own_plan(weft::AnyPlan plan) {
  own.emplace(std::move(plan));
  show(*own, &*own);
}

weft_status weft_plan_create(MPI_Comm comm, const weft_problem* problem, const char* settings,
                             weft_plan** plan) {
  return create(
      comm, plan, [&] { return asked_of(problem, settings); },
      [&](weft_plan& made, const Asked& asked) {
        made.own_plan(weft::AnyPlan(comm, asked.problem, asked.options));
      });
}

weft_status weft_plan_create_alone(const weft_problem* problem, const char* settings,
                                   weft_plan** plan) {
  return status_of([&] {
    throw_refusal(take_refusal());
    given(plan, "the place for the handle") = nullptr;
    const Asked asked = asked_of(problem, settings);
    auto made = std::make_unique<weft_plan>();
    made->own_plan(weft::AnyPlan(asked.problem, asked.options));
    *plan = made.release();
  });
}

weft_status weft_plan_free(weft_plan** plan) {
  const weft_status refused = status_of([&] {
    const weft_plan* const mine = given(plan, "the place of the plan");
    if (mine != nullptr && !given(mine, "what the handle holds").own)
      throw weft::Error(weft::Error::invalid, "the plan belongs to another object",
                        "free the ensemble, the reshape or the halo, and its plans with it");
  });
  return refused != WEFT_OK ? refused : free_handle(plan, "the place of the plan");
}

weft_status weft_plan_share(const weft_plan* plan, weft_side side, weft_share* share) {
  return status_of([&] { side_in(given(plan, "the plan").sides, side).write_to(share); });
}
weft_status weft_plan_elements(const weft_plan* plan, weft_side side, int64_t* elements) {
  return tell(plan, elements,
              [&](const weft::AnyPlan&) { return side_in(plan->sides, side).elements(); });
}

weft_status weft_plan_wavenumbers(const weft_plan* plan, int axis, weft_wavenumbers* numbers) {
  return tell(plan, numbers, [&](const weft::AnyPlan& of) {
    static_cast<void>(of.wavenumbers(axis));  // throws where there are none
    const weft::Problem& problem = of.problem();
    const int along = axis < 0 ? axis + problem.extents.size() : axis;
    return weft_wavenumbers{(problem.modes.empty() ? problem.extents : problem.modes)[along],
                            along == weft::half_axis(problem) ? 1 : 0};
  });
}

weft_status weft_plan_rank(const weft_plan* plan, int* rank) {
  return tell(plan, rank, [](const weft::AnyPlan& of) { return of.rank(); });
}
weft_status weft_plan_comm(const weft_plan* plan, MPI_Comm* comm) {
  return tell(plan, comm, [](const weft::AnyPlan& of) { return of.comm(); });
}
weft_status weft_plan_threads(const weft_plan* plan, int* threads) {
  return tell(plan, threads, [](const weft::AnyPlan& of) { return of.threads(); });
}
weft_status weft_plan_engine(const weft_plan* plan, const char** name) {
  return tell_text(plan, name, &PlanAnswers::engine,
                   [](const weft::AnyPlan& of) { return of.engine(); });
}
weft_status weft_plan_strategy(const weft_plan* plan, const char** text) {
  return tell_text(plan, text, &PlanAnswers::strategy,
                   [](const weft::AnyPlan& of) { return to_string(of.strategy()); });
}
weft_status weft_plan_describe(const weft_plan* plan, weft_detail detail, const char** text) {
  return tell_text(plan, text, &PlanAnswers::description, [&](const weft::AnyPlan& of) {
    const bool is_all = checked_value(detail, 2, "detail") == WEFT_DETAIL_ALL;
    return of.describe(is_all ? weft::Detail::all : weft::Detail::summary);
  });
}

weft_status weft_plan_memory(const weft_plan* plan, weft_memory* memory) {
  return status_of([&] {
    const weft::PlanMemory of = shown(plan).memory();
    weft_memory made{};
    made.planned = bytes_of(of.planned);
    made.held = bytes_of(of.held);
    write(memory, made, "weft_memory");
  });
}

weft_status weft_allocate(int64_t bytes, void** memory) {
  return status_of([&] {
    given(memory, "the place for the memory") = nullptr;
    if (bytes < 0)
      throw weft::Error(weft::Error::invalid, fmt::format("memory of {} bytes", bytes),
                        "give 0 or more");
    *memory = weft::allocate_bytes(static_cast<std::size_t>(bytes));
  });
}

weft_status weft_deallocate(void** memory) {
  return status_of(
      [&] { weft::free_bytes(std::exchange(given(memory, "the place of the memory"), nullptr)); });
}

weft_status weft_copy(const void* from, void* to, int64_t bytes) {
  return status_of([&] {
    if (bytes < 0)
      throw weft::Error(weft::Error::invalid, fmt::format("a copy of {} bytes", bytes),
                        "give 0 or more");
    if (bytes == 0) return;
    if (from == nullptr || to == nullptr)
      throw weft::Error(weft::Error::invalid, "memory to copy is a null pointer",
                        "give memory of the processor or of a device");
    weft::copy(from, to, bytes);
  });
}

int weft_next_point(const weft_share* share, weft_point* point) {
  if (share == nullptr || point == nullptr) return 0;
  const bool is_first = point->number++ == 0;
  if (share->waves != nullptr) {
    if (!is_first) ++point->element;
    if (point->element >= share->wave_count) return 0;
    for (int a = 0; a < 3; ++a) point->at[a] = share->waves[point->element].k[a];
    return 1;
  }
  if (!is_first && point->part < share->count) {
    const weft_part& part = share->parts[point->part];
    for (int a = share->axes - 1; a >= 0; --a) {
      point->element += part.strides[a];
      if (++point->at[a] < part.box.hi[a]) return 1;
      point->element -= part.strides[a] * (part.box.hi[a] - part.box.lo[a]);
      point->at[a] = part.box.lo[a];
    }
    ++point->part;
  }
  for (; point->part < share->count; ++point->part) {
    const weft_part& part = share->parts[point->part];
    bool is_empty = false;
    for (int a = 0; a < share->axes; ++a) is_empty |= part.box.hi[a] <= part.box.lo[a];
    if (is_empty) continue;
    std::copy_n(part.box.lo, share->axes, point->at);
    point->element = part.offset;
    return 1;
  }
  return 0;
}

// capi/report: a plan and its last runs, as values.

#include "weft/report.hpp"

#include <iterator>
#include <utility>

#include "weft/capi/converted.hpp"
#include "weft/capi/sized.hpp"
#include "weft/capi/telling.hpp"

using namespace weft::capi;

namespace {

static_assert(static_cast<int>(weft::Feeds::other_nodes) == WEFT_FEEDS_OTHER_NODES &&
              static_cast<int>(weft::Feeds::ring) == WEFT_FEEDS_RING &&
              static_cast<int>(weft::Feeds::this_node) == WEFT_FEEDS_THIS_NODE &&
              static_cast<int>(weft::Feeds::nobody) == WEFT_FEEDS_NOBODY);
static_assert(static_cast<int>(weft::Progress::by_calls) == WEFT_BY_CALLS &&
              static_cast<int>(weft::Progress::by_tiles) == WEFT_BY_TILES &&
              static_cast<int>(weft::Progress::by_thread) == WEFT_BY_THREAD);

std::vector<weft::StageReport> stages_of(const weft_plan* plan, weft_direction direction) {
  weft::PlanReport report = shown(plan).report();
  const bool is_forward = checked_value(direction, 2, "direction") == WEFT_FORWARD;
  return std::move((is_forward ? report.forward : report.backward).stages);
}

weft::StageReport stage_of(const weft_plan* plan, weft_direction direction, int number) {
  auto stages = stages_of(plan, direction);
  if (number < 0 || number >= static_cast<int>(stages.size()))
    throw weft::Error(weft::Error::invalid,
                      fmt::format("there is no stage {}: the plan has {}", number, stages.size()),
                      "weft_plan_stage_count tells their number, and they count from 0");
  return std::move(stages[static_cast<std::size_t>(number)]);
}

}  // namespace

weft_status weft_plan_stage_count(const weft_plan* plan, weft_direction direction, int* count) {
  return tell(plan, count, [&](const weft::AnyPlan&) {
    return static_cast<int>(stages_of(plan, direction).size());
  });
}

weft_status weft_plan_stage(const weft_plan* plan, weft_direction direction, int number,
                            weft_stage* stage) {
  return status_of([&] {
    weft::StageReport of = stage_of(plan, direction, number);
    plan->answers.stage_name = std::move(of.name);
    weft_stage made{};
    made.name = plan->answers.stage_name.c_str();
    made.is_exchange = of.is_exchange ? 1 : 0;
    made.segments = of.segments;
    made.start = of.start;
    made.seconds = of.seconds;
    made.active_seconds = of.active_seconds;
    made.bytes = of.bytes;
    made.messages = of.messages;
    made.message_bytes = of.message_bytes;
    made.passes = static_cast<int>(of.passes);
    for (const int axis : of.axes)
      if (made.axis_count < static_cast<int>(std::size(made.axes)))
        made.axes[made.axis_count++] = axis;
    for (const std::int64_t pieces : of.grid)
      if (made.grid_axes < WEFT_MOST_AXES) made.grid[made.grid_axes++] = pieces;
    plan->answers.exchange_name = std::move(of.exchange);
    made.exchange = plan->answers.exchange_name.c_str();
    write(stage, made, "weft_stage");
  });
}

weft_status weft_plan_items(const weft_plan* plan, weft_direction direction, int number,
                            int64_t* count, const weft_item** items) {
  return status_of([&] {
    const weft::StageReport of = stage_of(plan, direction, number);
    std::vector<weft_item> kept;
    for (const weft::ItemReport& item : of.items)
      kept.push_back({static_cast<weft_feeds>(item.feeds), item.start, item.seconds});
    given(items, "the place for the items");
    given(count, "the place for their number") = static_cast<std::int64_t>(kept.size());
    plan->answers.items = std::move(kept);
    *items = plan->answers.items.data();
  });
}

weft_status weft_plan_report(const weft_plan* plan, weft_report* report) {
  return status_of([&] {
    weft::PlanReport of = shown(plan).report();
    weft_report made{};
    made.progress = static_cast<weft_progress_by>(of.progress);
    made.is_remembered = of.is_remembered ? 1 : 0;
    made.runs[WEFT_FORWARD] = of.forward.runs;
    made.runs[WEFT_BACKWARD] = of.backward.runs;
    made.ranks = of.machine.ranks;
    made.nodes = of.machine.nodes;
    made.cache_bytes = of.machine.cache_bytes;
    made.shared_cache_bytes = of.machine.shared_cache_bytes;
    made.eager_message_bytes = of.machine.eager_message_bytes;
    made.segment_bytes = of.machine.segment_bytes;
    made.node_of_rank = of.machine.node_of_rank.data();
    made.threads_of_rank = of.machine.threads_of_rank.data();
    made.copied_bytes[WEFT_FORWARD] = of.forward.copied_bytes;
    made.copied_bytes[WEFT_BACKWARD] = of.backward.copied_bytes;
    made.device = (plan->answers.device = std::move(of.device)).c_str();
    write(report, made, "weft_report");
    // They keep their places as they are moved.
    plan->answers.node_of_rank = std::move(of.machine.node_of_rank);
    plan->answers.threads_of_rank = std::move(of.machine.threads_of_rank);
  });
}

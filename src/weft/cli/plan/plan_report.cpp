// cli/plan/plan_report: tables of stages, and why strategies lose.

#include "weft/cli/plan/plan_report.hpp"

#include "weft/base/printable.hpp"
#include "weft/choose/why_slower.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/networks/machine_presets.hpp"
#include "weft/problem/validated.hpp"

namespace weft::cli {

namespace {

std::string reason_text(const Reason& reason) {
  if (reason.seconds == 0) return "equal";
  return fmt::format("{} +{} ms", reason.spending, milliseconds(reason.seconds));
}

Json findings_json(const MachineModel& machine) {
  Json all = Json::array();
  for (const Finding& each : machine.findings)
    all.push_back({{"name", each.name}, {"what", each.what}, {"mend", each.mend}});
  return all;
}

std::string cell(double seconds) { return seconds == 0 ? "" : milliseconds(seconds); }

Json json_of(const StageCost& stage) {
  Json object{{"name", stage.name}, {"predicted_seconds", stage.seconds()}};
  if (stage.is_exchange) {
    object["message_seconds"] = stage.messages;
    object["latency_seconds"] = stage.latency;
    object["link_seconds"] = stage.links;
    object["handling_seconds"] = stage.handling;
    object["messages"] = stage.message_count;
    object["message_bytes"] = stage.message_bytes;
    object["busiest_link"] = stage.busiest_link;
  } else {
    object["transform_seconds"] = stage.transforms;
  }
  object["memory_seconds"] = stage.memory;
  return object;
}

Json json_of(const Replay& replay) {
  Json steps = Json::array();
  for (const ReplayedStep& step : replay.steps)
    steps.push_back({{"name", step.name},
                     {"begin_seconds", step.begin},
                     {"end_seconds", step.end},
                     {"busy_seconds", step.busy}});
  return {{"replayed_seconds", replay.seconds},
          {"waiting_part", replay.waiting},
          {"transfers", replay.transfers},
          {"steps", steps}};
}

Json json_of(const Replayed& ranked) {
  Json stages = Json::array();
  for (const StageCost& stage : ranked.cost.stages) stages.push_back(json_of(stage));
  Json object{{"strategy", to_string(ranked.strategy)},
              {"predicted_seconds", ranked.cost.seconds()},
              {"hidden_seconds", ranked.cost.hidden},
              {"stages", stages}};
  if (ranked.replay) object["replay"] = json_of(*ranked.replay);
  return object;
}

// When each step of a replay began and ended.
std::string text_of(const Replay& replay) {
  std::vector<std::vector<std::string>> rows{{"step of the replay", "begins ms", "ends", "busy"}};
  for (const ReplayedStep& step : replay.steps)
    rows.push_back(
        {step.name, milliseconds(step.begin), milliseconds(step.end), milliseconds(step.busy)});
  return aligned(rows, 1);
}

constexpr std::size_t most_shown_of_source = 400;

std::string origins_text(const ExtendedMachine& origins) {
  std::string text;
  for (const FigureOrigin& each : origins.origins)
    text += fmt::format("  from {}: {}\n", printable(each.source, most_shown_of_source),
                        fmt::join(each.members, ", "));
  return text;
}

Json origins_json(const ExtendedMachine& origins) {
  Json all = Json::array();
  for (const FigureOrigin& each : origins.origins)
    all.push_back({{"source", each.source}, {"members", each.members}});
  return all;
}

std::string text_of(const OnDevices& devices) {
  return fmt::format(
      "  on devices: {} ms forward, of which {} ms for copies over the bus{}, {} for passes and {} "
      "for messages; strategy: {}\n",
      milliseconds(devices.cost.seconds()), milliseconds(devices.cost.copies),
      devices.streams ? ", as data stream through the devices, which cannot hold them"
                      : " of arrays that are not on the devices",
      milliseconds(devices.cost.passes), milliseconds(devices.cost.messages),
      to_string(devices.strategy));
}

Json json_of(const OnDevices& devices) {
  return {{"strategy", to_string(devices.strategy)},
          {"predicted_seconds", devices.cost.seconds()},
          {"copies_seconds", devices.cost.copies},
          {"passes_seconds", devices.cost.passes},
          {"messages_seconds", devices.cost.messages},
          {"streams", devices.streams},
          {"bus_bytes_per_second", devices.speeds.to_device},
          {"memory_bytes_per_second", devices.speeds.memory}};
}

}  // namespace

std::string list_of_machines() {
  std::vector<std::vector<std::string>> rows;
  for (const MachineModel& preset : machine_presets())
    rows.push_back({preset.name, to_string(preset.network), preset.source});
  std::string text = aligned(rows, 3);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string ForecastReport::link_text(int link) const {
  if (link < 0) return "";
  const Link& of = predictor_.network().links()[static_cast<std::size_t>(link)];
  const auto end = [&](int vertex) {
    const int nodes = predictor_.network().nodes();
    return vertex < nodes ? fmt::format("node {}", vertex)
                          : fmt::format("switch {}", vertex - nodes);
  };
  return fmt::format("{} to {}", end(of.from), end(of.to));
}

std::string ForecastReport::idle_text(const Forecast& forecast) const {
  const int ranks = predictor_.ranks().ranks, working = forecast.working.count;
  if (working >= ranks) return "";
  const std::string text = fmt::format("  only {} of {} ranks have points in '{}'", working, ranks,
                                       forecast.working.pass);
  if (forecast.usable == ranks) return text + ", which is predicted to be fastest\n";
  return fmt::format("{}, as {} cannot be shared out to {}; on {} ranks, all would have some\n",
                     text, to_string(forecast.problem.extents), ranks, forecast.usable);
}

std::string ForecastReport::text(const Forecast& forecast) const {
  const Machine& ranks = predictor_.ranks();
  const Replayed& best = forecast.ranked.front();
  std::string text = fmt::format(
      "{} on {} ranks, {} threads each, on {} nodes of '{}', a {}\n"
      "  strategy: {}\n  predicted: {} ms forward; {} strategies compared in {} ms\n",
      to_string(forecast.problem), ranks.ranks, ranks.threads(0), ranks.nodes(),
      shown_name(machine_), to_string(machine_.network), to_string(best.strategy),
      milliseconds(best.cost.seconds()), forecast.ranked.size(),
      milliseconds(forecast.plan_seconds));
  text += origins_text(origins_) + idle_text(forecast);
  if (forecast.devices) text += text_of(*forecast.devices);
  std::vector<std::vector<std::string>> rows{{"stage", "busiest link", "ms", "memory", "transforms",
                                              "messages", "latency", "links", "handling",
                                              "messages", "bytes each"}};
  for (const StageCost& stage : best.cost.stages)
    rows.push_back({stage.name, link_text(stage.busiest_link), milliseconds(stage.seconds()),
                    cell(stage.memory), cell(stage.transforms), cell(stage.messages),
                    cell(stage.latency), cell(stage.links), cell(stage.more_by_handling()),
                    stage.message_count == 0 ? "" : std::to_string(stage.message_count),
                    stage.message_count == 0 ? "" : fmt::format("{:.0f}", stage.message_bytes)});
  if (best.cost.hidden > 0)
    rows.push_back({"hidden by chunks", "", "-" + milliseconds(best.cost.hidden), "", "", "", "",
                    "", "", "", ""});
  text += aligned(rows, 2);
  if (best.replay) {
    while (text.ends_with('\n')) text.pop_back();
    text += fmt::format(
        "\n\n  replayed: {} ms forward, in which ranks wait {:.0f}% of the time; {} transfers; the "
        "replays took {} ms\n{}",
        milliseconds(best.replay->seconds), 100 * best.replay->waiting, best.replay->transfers,
        milliseconds(forecast.replay_seconds), text_of(*best.replay));
  }
  const std::size_t shown = std::min(forecast.ranked.size() - 1, others_);
  while (text.ends_with('\n')) text.pop_back();
  if (shown == 0) return text;
  rows = {{"other strategies", "loses by", "ms", "ratio"}};
  if (best.replay) rows.front().emplace_back("replayed");
  for (std::size_t i = 1; i <= shown; ++i) {
    const Replayed& other = forecast.ranked[i];
    rows.push_back({to_string(other.strategy), reason_text(why_slower(other.cost, best.cost)),
                    milliseconds(other.cost.seconds()),
                    fmt::format("{:.2f}", other.cost.seconds() / best.cost.seconds())});
    if (best.replay) rows.back().push_back(other.replay ? milliseconds(other.replay->seconds) : "");
  }
  text += "\n\n" + aligned(rows, 2);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string ForecastReport::json(const std::vector<Forecast>& forecasts) const {
  Json all = Json::array();
  for (const Forecast& forecast : forecasts) {
    Json object{{"weft", WEFT_VERSION},
                {"machine", machine_.name},
                {"machine_findings", findings_json(machine_)},
                {"network", to_string(machine_.network)},
                {"problem", to_string(forecast.problem)},
                {"ranks", predictor_.ranks().ranks},
                {"nodes", predictor_.ranks().nodes()},
                {"threads", predictor_.ranks().threads(0)},
                {"working_ranks", forecast.working.count},
                {"plan_seconds", forecast.plan_seconds}};
    if (!origins_.origins.empty()) object["figures"] = origins_json(origins_);
    if (forecast.devices) object["on_devices"] = json_of(*forecast.devices);
    object.update(json_of(forecast.ranked.front()));
    object["others"] = Json::array();
    for (std::size_t i = 1; i < forecast.ranked.size(); ++i)
      object["others"].push_back(json_of(forecast.ranked[i]));
    all.push_back(object);
  }
  return json_text(all, 1);
}

}  // namespace weft::cli

// replay/rank_replay: how long items take, from their tiles.

#include "weft/replay/rank_replay.hpp"

#include <algorithm>
#include <map>

#include "weft/making/sweep_items.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

std::size_t axes_of_stage(const Program& program, int stage) {
  std::size_t axes = 0;
  for (const SweepProgram& sweep : program.sweeps)
    for (const PassProgram& pass : sweep.passes)
      if (pass.spec.stage == stage) axes += pass.spec.axes.size();
  return axes;
}

// What a pass takes for a point of the side that it loads. Passes over several axes of one stage
// share its time.
double seconds_per_point(const Program& program, const PassSpec& spec, const ReplaySpeeds& speeds) {
  if (spec.stage < 0)
    return speeds.copy_seconds_per_byte *
           static_cast<double>(spec.source_scalar().bytes() + spec.target_scalar().bytes());
  const std::size_t axes = axes_of_stage(program, spec.stage);
  const double share =
      axes == 0 ? 1 : static_cast<double>(spec.axes.size()) / static_cast<double>(axes);
  return speeds.pass_seconds_per_point[at(spec.stage)] * share;
}

double loaded_points(const PassSpec& spec, const Tile& tile) {
  return static_cast<double>((spec.forward ? tile.real : tile.spectral).volume());
}

}  // namespace

RankReplay::RankReplay(const Program& program, const ReplaySpeeds& speeds)
    : program_(&program),
      schedule_(program),
      sends_(program.exchanges.begin(), program.exchanges.end()),
      send_tasks_(program.exchanges.size()),
      parts_(program.steps.size()),
      items_left_(program.steps.size()),
      computed_(program.steps.size(), 0) {
  for (std::size_t e = 0; e < program.exchanges.size(); ++e) {
    send_tasks_[e].resize(program.exchanges[e].sends.size());
    sends_[e].begin();
  }
  for (std::size_t s = 0; s < program.steps.size(); ++s)
    if (program.steps[s].sweep >= 0) add_sweep(s, speeds);
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    if (task.kind != Task::send) continue;
    const int exchange = program.steps[at(task.step)].exchange;
    send_tasks_[at(exchange)][at(task.index)] = static_cast<int>(t);
  }
  schedule_.begin();
}

void RankReplay::add_sweep(std::size_t step, const ReplaySpeeds& speeds) {
  const SweepProgram& sweep = program_->sweeps[at(program_->steps[step].sweep)];
  std::vector<double> per_point;
  per_point.reserve(sweep.passes.size());
  for (const PassProgram& pass : sweep.passes)
    per_point.push_back(seconds_per_point(*program_, pass.spec, speeds));
  const std::size_t last = sweep.passes.size() - 1;
  const TileMessages of_last(sweep.passes[last]);
  items_left_[step].assign(at(sweep.passes[last].spec.target_messages), 0);
  for (const Item& each : sweep.items) {
    double seconds = 0;
    std::map<int, double> stored;  // by message: when the last tile of the item stores to it
    for (std::size_t i = each.first; i < each.last; ++i)
      for (std::size_t p = 0; p < sweep.passes.size(); ++p)
        for (std::size_t t = sweep.first_tile(p, sweep.order[i]);
             t < sweep.first_tile(p, sweep.order[i] + 1); ++t) {
          const PassProgram& pass = sweep.passes[p];
          seconds += per_point[p] * loaded_points(pass.spec, pass.tiles[t]);
          if (p != last) continue;
          for (const int message : of_last.targets(pass.tiles[t])) stored[message] = seconds;
        }
    std::vector<Part> parts;
    for (const auto& [message, when] : stored) {
      parts.push_back({when, message});
      ++items_left_[step][at(message)];
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.seconds < b.seconds; });
    parts.push_back({seconds, -1});
    parts_[step].push_back(std::move(parts));
  }
}

const std::vector<RankReplay::Part>& RankReplay::parts(int task) const {
  const Task& item_task = program_->tasks[at(task)];
  return parts_[at(item_task.step)][at(item_task.index)];
}

double RankReplay::begin_part(int part, double time) {
  const auto& all = parts(item);
  const double before = part == 0 ? 0 : all[at(part - 1)].seconds;
  const double seconds = all[at(part)].seconds - before;
  computed_[at(program_->tasks[at(item)].step)] += seconds;
  told_ = handled_;
  const double begin = part == 0 ? std::max({time, handles_until_, handles_bytes_until_}) : time;
  return begin + seconds;
}

double RankReplay::take_delay() {
  const double delay = handled_ - told_;
  told_ = handled_;
  return delay;
}

double RankReplay::handle(double time, double seconds) {
  handles_until_ = std::max(time, handles_until_) + seconds;
  if (item >= 0) handled_ += seconds;
  return handles_until_;
}

void RankReplay::handle_bytes(double time, double seconds) {
  if (item >= 0)
    handled_ += seconds;
  else
    handles_bytes_until_ = std::max(time, handles_bytes_until_) + seconds;
}

bool RankReplay::counts_down(std::size_t step, int number) {
  return --items_left_[step][at(number)] == 0;
}

}  // namespace weft

// proof/check_work: checks grains, patches, messages and parts, and counts their tasks.

#include "weft/proof/check_work.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

#include "weft/base/ensure.hpp"
#include "weft/program/index.hpp"

namespace weft {

namespace {

bool is_buffer(const Program& program, int number) {
  return number >= 0 && at(number) < program.buffers.size();
}

// Whether all patches are in existing buffers, belong to messages below `messages`, and have boxes
// and strides with the same number of axes.
bool are_patches(const Program& program, const Patches& patches, std::size_t messages) {
  return std::all_of(patches.begin(), patches.end(), [&](const Patch& patch) {
    const int axes = patch.box.lo.size();
    return is_buffer(program, patch.buffer) && patch.message >= Patch::resident &&
           (patch.message < 0 || at(patch.message) < messages) && patch.box.hi.size() == axes &&
           patch.strides.size() == axes;
  });
}

bool have_axes(const std::vector<Tile>& tiles, const PassSpec& spec) {
  const Patches& first = spec.source.empty() ? spec.target : spec.source;
  if (first.empty()) return true;
  const int axes = first.front().box.axes();
  const auto fits = [axes](const Box& box) {
    return box.lo.size() == axes && box.hi.size() == axes;
  };
  const auto patches_fit = [&](const Patches& patches) {
    return std::all_of(patches.begin(), patches.end(), [&](const Patch& p) { return fits(p.box); });
  };
  return patches_fit(spec.source) && patches_fit(spec.target) &&
         std::all_of(tiles.begin(), tiles.end(),
                     [&](const Tile& tile) { return fits(tile.real) && fits(tile.spectral); });
}

// What is wrong with a pass between `incoming` incoming and `outgoing` outgoing messages.
std::string pass_fault(const Program& program, const PassProgram& pass, std::size_t incoming,
                       std::size_t outgoing) {
  if (pass.first_tiles.empty() || pass.first_tiles.front() != 0 ||
      pass.first_tiles.back() != pass.tiles.size() ||
      !std::is_sorted(pass.first_tiles.begin(), pass.first_tiles.end()))
    return "its blocks are not those of its tiles";
  if (!have_axes(pass.tiles, pass.spec)) return "its tiles and patches are not of the same grid";
  if (!are_patches(program, pass.spec.source, incoming))
    return "it loads from a buffer or message that does not exist";
  if (!are_patches(program, pass.spec.target, outgoing))
    return "it stores to a buffer or message that does not exist";
  // A message is sent when its last part has been stored, so it must have one.
  std::vector<bool> has_part(outgoing, false);
  for (const Patch& patch : pass.spec.target)
    if (patch.message >= 0) has_part[at(patch.message)] = true;
  const auto empty = std::find(has_part.begin(), has_part.end(), false);
  if (empty != has_part.end())
    return fmt::format("it stores nothing to message {}", empty - has_part.begin());
  return {};
}

// Checks that every grain is in one item.
std::string items_fault(const SweepProgram& sweep) {
  const PassProgram& first = sweep.passes.front();
  const std::size_t grains = sweep.passes.size() == 1 ? first.tiles.size() : first.blocks();
  std::vector<int> times(grains, 0);
  for (std::size_t i = 0; i < sweep.items.size(); ++i) {
    const Item& item = sweep.items[i];
    if (item.first > item.last || item.last > sweep.order.size())
      return fmt::format("item {} has grains that do not exist", i);
    for (std::size_t p = item.first; p < item.last; ++p) {
      if (sweep.order[p] >= grains) return fmt::format("item {} has grain {}", i, sweep.order[p]);
      if (++times[sweep.order[p]] > 1)
        return fmt::format("grain {} is in two items", sweep.order[p]);
    }
  }
  const auto missing = std::find(times.begin(), times.end(), 0);
  if (missing != times.end()) return fmt::format("grain {} is in no item", missing - times.begin());
  return {};
}

std::string collective_fault(const Program& program, const Collective& collective) {
  const auto& group = collective.group;
  const auto is_member = [&](int rank) {
    return std::binary_search(group.begin(), group.end(), rank);
  };
  if (!std::is_sorted(group.begin(), group.end(), std::less_equal<>()) || !is_member(program.rank))
    return "has a group that does not ascend or lacks this rank";
  if (!is_buffer(program, collective.send_buffer) || !is_buffer(program, collective.receive_buffer))
    return "has a buffer that does not exist";
  for (const auto* parts : {&collective.sends, &collective.receives})
    for (const Collective::Part& part : *parts) {
      if (!is_member(part.peer)) return fmt::format("has a part for rank {}", part.peer);
      if (part.offset < 0 || part.count < 0 || !are_patches(program, part.boxes, SIZE_MAX))
        return fmt::format("has a part for rank {} that is outside of all buffers", part.peer);
    }
  return {};
}

// The number of tasks that do each grain of work. The kinds of work are those of Task::Kind up to
// `collective`.
struct Counts {
  std::vector<int> first;  // by step and kind: index of the first count
  std::vector<int> times;  // the counts

  static constexpr std::size_t kinds = Task::collective + 1;

  void add(std::size_t works) {
    first.push_back(static_cast<int>(times.size()));
    times.resize(times.size() + works, 0);
  }
  int& of(const Task& task) {
    return times[at(first[at(task.step) * kinds + at(task.kind)] + task.index)];
  }
};

Counts empty_counts(const Program& program) {
  Counts counts;
  for (const Step& step : program.steps) {
    const ExchangeProgram* exchange =
        step.exchange >= 0 ? &program.exchanges[at(step.exchange)] : nullptr;
    counts.add(step.sweep >= 0 ? program.sweeps[at(step.sweep)].items.size() : 0);
    counts.add(step.stored.size());
    counts.add(exchange != nullptr ? exchange->receives.size() : 0);
    counts.add(exchange != nullptr ? exchange->sends.size() : 0);
    counts.add(exchange != nullptr ? exchange->collectives.size() : 0);
  }
  return counts;
}

}  // namespace

std::string sweep_fault(const Program& program, int number) {
  const SweepProgram& sweep = program.sweeps[at(program.steps[at(number)].sweep)];
  const auto neighbour = [&](int step) {
    return step >= 0 && at(step) < program.steps.size() ? &program.steps[at(step)] : nullptr;
  };
  const Step *before = neighbour(number - 1), *after = neighbour(number + 1);
  if (sweep.passes.empty()) return "it has no pass";
  for (std::size_t p = 0; p < sweep.passes.size(); ++p) {
    const PassProgram& pass = sweep.passes[p];
    const bool is_first = p == 0, is_last = p + 1 == sweep.passes.size();
    std::string fault =
        pass_fault(program, pass, is_first && before != nullptr ? before->arrived.size() : 0,
                   is_last && after != nullptr ? after->stored.size() : 0);
    if (!fault.empty()) return fault;
    if (pass.blocks() != sweep.passes.front().blocks() && sweep.passes.size() > 1)
      return "its passes have different numbers of blocks";
  }
  return items_fault(sweep);
}

std::string exchange_fault(const Program& program, int number) {
  const ExchangeProgram& exchange = program.exchanges[at(program.steps[at(number)].exchange)];
  if (exchange.element_bytes < 1) return "its elements have no bytes";
  for (const auto* messages : {&exchange.receives, &exchange.sends})
    for (const Message& message : *messages)
      if (!is_buffer(program, message.buffer) || message.offset < 0 || message.count < 0)
        return fmt::format("the message of rank {} with tag {} is outside of all buffers",
                           message.peer, message.tag);
  for (std::size_t c = 0; c < exchange.collectives.size(); ++c) {
    const std::string fault = collective_fault(program, exchange.collectives[c]);
    if (!fault.empty()) return fmt::format("collective {} {}", c, fault);
  }
  return {};
}

std::string work_fault(const Program& program) {
  Counts counts = empty_counts(program);
  for (const Task& task : program.tasks)
    if (task.kind <= Task::collective) ++counts.of(task);
  static constexpr const char* names[] = {"item", "outgoing message", "receive", "send",
                                          "collective"};
  for (std::size_t s = 0; s < program.steps.size(); ++s)
    for (std::size_t kind = 0; kind < Counts::kinds; ++kind) {
      const std::size_t place = s * Counts::kinds + kind;
      const int first = counts.first[place];
      const int last = place + 1 < counts.first.size() ? counts.first[place + 1]
                                                       : static_cast<int>(counts.times.size());
      for (int work = first; work < last; ++work)
        if (counts.times[at(work)] != 1)
          return fmt::format("step {} ({}): {} tasks do {} {}, instead of one", s,
                             program.steps[s].name, counts.times[at(work)], names[kind],
                             work - first);
    }
  return {};
}

}  // namespace weft

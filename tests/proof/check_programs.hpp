// proof/check_programs: small programs, written by hand, for the tests of the check.
// Keeps: fields of one axis; elements are complex doubles, 16 bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/proof/check.hpp"

namespace weft {

constexpr std::int64_t element = 16;

inline Box points(std::int64_t lo, std::int64_t hi) { return {{lo}, {hi}}; }

/// A program that grows step by step and task by task.
struct Sketch {
  Program program;

  Sketch(int rank, std::int64_t array_elements, std::int64_t workspace_elements) {
    program.rank = rank;
    program.workspace_bytes = workspace_elements * element;
    for (const Home home : {Home::source, Home::target})
      add_buffer(rank, static_cast<int>(program.buffers.size()), home, 0, array_elements);
  }

  int add_buffer(int rank, int role, Home home, std::int64_t first, std::int64_t elements) {
    program.buffers.push_back(
        {rank, role, home, MemorySpace::host, first * element, elements * element});
    return static_cast<int>(program.buffers.size()) - 1;
  }

  /// A sweep of one pass without transforms, whose tiles are items of their own if `apart`.
  int add_sweep(const std::vector<Box>& tiles, Patches source, Patches target, bool apart = false) {
    PassProgram pass;
    pass.spec.target_messages = static_cast<int>(target.size());
    pass.spec.source = std::move(source);
    pass.spec.target = std::move(target);
    for (const Box& tile : tiles) pass.tiles.push_back({tile, tile, 0});
    pass.first_tiles = {0, tiles.size()};
    SweepProgram sweep;
    sweep.passes.push_back(std::move(pass));
    for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
      sweep.order.push_back(tile);
      if (apart) sweep.items.push_back({tile, tile + 1, {}, Feeds::nobody});
    }
    if (!apart) sweep.items.push_back({0, tiles.size(), {}, Feeds::nobody});
    program.sweeps.push_back(std::move(sweep));
    Step step;
    step.name = "pass " + std::to_string(program.sweeps.size() - 1);
    step.sweep = static_cast<int>(program.sweeps.size()) - 1;
    program.steps.push_back(std::move(step));
    return static_cast<int>(program.steps.size()) - 1;
  }
  int add_exchange(ExchangeProgram exchange, std::string name) {
    program.exchanges.push_back(std::move(exchange));
    Step step;
    step.name = "exchange " + std::to_string(program.exchanges.size() - 1) + ": " + name;
    step.exchange = static_cast<int>(program.exchanges.size()) - 1;
    program.steps.push_back(std::move(step));
    return static_cast<int>(program.steps.size()) - 1;
  }

  int add_task(Task::Kind kind, int step, int index, std::vector<Wait> waits = {}, int lag = 0) {
    const int number = static_cast<int>(program.tasks.size());
    Task task;
    task.kind = kind;
    task.step = step;
    task.index = index;
    task.lag = lag;
    task.waits = std::move(waits);
    program.tasks.push_back(std::move(task));
    if (kind == Task::stored)
      program.steps[static_cast<std::size_t>(step)].stored.push_back(number);
    return number;
  }
  int add_arrived(int step, int index, std::vector<Wait> waits) {
    const int number = add_task(Task::milestone, step, index, std::move(waits));
    program.tasks.back().what = Task::arrived;
    program.steps[static_cast<std::size_t>(step)].arrived.push_back(number);
    return number;
  }
};

/// Two ranks of two nodes, each with 4 of 8 points. A pass stores all points to a message for the
/// other rank, in two tiles; the next pass loads what has arrived.
struct SendReceive {
  enum { computed, is_stored, received, sent, has_arrived, loaded };  // tasks

  static Sketch sketch(int rank) {
    Sketch sketch(rank, 4, 8);
    const std::int64_t first = 4 * rank, other = 4 - first;
    const int sending = sketch.add_buffer(rank, 2, Home::workspace, 0, 4);
    const int receiving = sketch.add_buffer(rank, 3, Home::workspace, 4, 4);
    const Box mine = points(first, first + 4), theirs = points(other, other + 4);
    sketch.add_sweep({points(first, first + 2), points(first + 2, first + 4)},
                     {packed_patch(mine, 0, 0)}, {packed_patch(mine, sending, 0, 0)});
    ExchangeProgram exchange;
    exchange.sends = {{1 - rank, 7, sending, 0, 4, 0}};
    exchange.receives = {{1 - rank, 7, receiving, 0, 4, 0}};
    sketch.add_exchange(exchange, "p2p");
    sketch.add_sweep({theirs}, {packed_patch(theirs, receiving, 0, 0)},
                     {packed_patch(theirs, 1, 0)});
    sketch.add_task(Task::compute, 0, 0);
    sketch.add_task(Task::stored, 1, 0, {{computed, Why::stored, true}});
    sketch.add_task(Task::receive, 1, 0);
    sketch.add_task(Task::send, 1, 0, {{is_stored, Why::stored}});
    sketch.add_arrived(1, 0, {{received, Why::arrived}});
    sketch.add_task(Task::compute, 2, 0, {{has_arrived, Why::arrived}});
    return sketch;
  }

  static ProgramSet set() {
    const std::vector<Program> programs = {sketch(0).program, sketch(1).program};
    return {programs, programs, {0, 1}, false};
  }
};

/// Two ranks of one node. A pass stores to the rank's own workspace; the next pass loads from that
/// of the other rank. Signals: `stored`, and `loaded`, which ends the run.
struct SharedMemory {
  enum { computed, raise_stored, await_stored, loaded, raise_loaded, await_loaded };  // tasks

  static Sketch sketch(int rank, int lag) {
    Sketch sketch(rank, 4, 4);
    const int mine = sketch.add_buffer(rank, 2, Home::workspace, 0, 4);
    const int theirs = sketch.add_buffer(1 - rank, 2, Home::workspace, 0, 4);
    sketch.program.signals = {{"stored", 2}, {"loaded", 2}};
    sketch.add_sweep({points(0, 4)}, {packed_patch(points(0, 4), 0, 0)},
                     {packed_patch(points(0, 4), mine, 0)});
    sketch.add_sweep({points(0, 4)}, {packed_patch(points(0, 4), theirs, 0)},
                     {packed_patch(points(0, 4), 1, 0)});
    sketch.add_task(Task::compute, 0, 0);
    sketch.add_task(Task::raise, 0, 0, {{computed, Why::stored}});
    sketch.add_task(Task::await, 1, 0, {{raise_stored, Why::begun}});
    sketch.add_task(Task::compute, 1, 0, {{await_stored, Why::counted}});
    sketch.add_task(Task::raise, 1, 1, {{loaded, Why::loaded}});
    if (lag == 0)
      sketch.add_task(Task::await, 1, 1, {{raise_loaded, Why::begun}});
    else {
      sketch.add_task(Task::await, 0, 1, {}, lag);
      sketch.program.tasks[computed].waits = {{await_loaded, Why::loaded}};
    }
    return sketch;
  }

  /// `lag` 0: the run ends when all have loaded; else it begins when all have loaded `lag` runs
  /// before.
  static ProgramSet set(int lag) {
    const std::vector<Program> programs = {sketch(0, lag).program, sketch(1, lag).program};
    return {programs, programs, {0, 0}, false};
  }
};

/// Two ranks; rank 0 sends 3 points and rank 1 sends 2, by an alltoall of slots of 3.
struct Slots {
  enum { computed, is_stored, collected, has_arrived, loaded };  // tasks

  static Sketch sketch(int rank) {
    Sketch sketch(rank, 3, 12);
    const std::int64_t sent = 3 - rank, received = 2 + rank;
    const int sending = sketch.add_buffer(rank, 2, Home::workspace, 0, 6);
    const int receiving = sketch.add_buffer(rank, 3, Home::workspace, 6, 6);
    const std::int64_t slot = 3 * (1 - rank);
    sketch.add_sweep({points(0, sent)}, {packed_patch(points(0, sent), 0, 0)},
                     {packed_patch(points(0, sent), sending, slot, 0)});
    Collective collective;
    collective.method = Collective::alltoall;
    collective.group = {0, 1};
    collective.send_buffer = sending;
    collective.receive_buffer = receiving;
    collective.sends = {{1 - rank, slot, sent, {}}};
    collective.receives = {{1 - rank, slot, received, {}}};
    collective.largest_count = 3;
    ExchangeProgram exchange;
    exchange.collectives = {collective};
    sketch.add_exchange(exchange, "alltoall");
    sketch.add_sweep({points(0, received)}, {packed_patch(points(0, received), receiving, slot, 0)},
                     {packed_patch(points(0, received), 1, 0)});
    sketch.add_task(Task::compute, 0, 0);
    sketch.add_task(Task::stored, 1, 0, {{computed, Why::stored, true}});
    sketch.add_task(Task::collective, 1, 0, {{is_stored, Why::stored}});
    sketch.add_arrived(1, 0, {{collected, Why::arrived}});
    sketch.add_task(Task::compute, 2, 0, {{has_arrived, Why::arrived}});
    return sketch;
  }

  static ProgramSet set() {
    const std::vector<Program> programs = {sketch(0).program, sketch(1).program};
    return {programs, programs, {0, 1}, false};
  }
};

}  // namespace weft

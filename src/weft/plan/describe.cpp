// plan/describe: the text of AnyPlan::describe.

#include "weft/plan/describe.hpp"

#include <algorithm>

#include "weft/choose/describe_predictions.hpp"
#include "weft/choose/ranking.hpp"
#include "weft/grid/redistribution.hpp"
#include "weft/making/exchange_table.hpp"
#include "weft/plan/memory_need.hpp"
#include "weft/planning/progress.hpp"
#include "weft/problem/checked_cutoff.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft {

namespace {

// The first rank's share stands for the others': of those that own something, mostly rank 0.
std::string share_text(const Decomposition& at) {
  const int rank = at.holder(0);
  const auto mine = at.boxes(rank);
  std::string where = (at.grid() ? "grid " : "") + to_string(at);
  where += fmt::format(", rank {}: {}", rank, to_string(mine.front()));
  if (mine.size() > 1) where += fmt::format(" and {} more", mine.size() - 1);
  return where;
}

// " cutoff 24: 57777 waves, at most 28901 on a rank"; nothing without a cut-off.
std::string waves_text(const Blueprint& blueprint) {
  if (!blueprint.columns) return {};
  std::int64_t all = 0, most = 0;
  for (int rank = 0; rank < blueprint.machine.ranks; ++rank) {
    const std::int64_t waves = blueprint.columns->count(rank);
    all += waves;
    most = std::max(most, waves);
  }
  return fmt::format("{}: {} waves, at most {} on a rank", to_string(blueprint.problem.cutoff), all,
                     most);
}

// What the first of the ranks that own something gives to others, and how.
std::string movement_text(const Redistribution& moves, const Machine& machine, bool shares_memory,
                          std::int64_t element_bytes) {
  std::int64_t in_node = 0, sent = 0, boxes = 0;
  const int rank = moves.source().holder(0);
  for (const Transfer& transfer : moves.sends(rank)) {
    if (transfer.peer == rank) continue;
    const std::int64_t bytes = transfer.box.volume() * element_bytes;
    const bool stays = shares_memory && machine.node(transfer.peer) == machine.node(rank);
    (stays ? in_node : sent) += bytes;
    if (!stays) ++boxes;
  }
  const auto text = [](std::int64_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  const std::string loaded = fmt::format("others of its node load {}", text(in_node));
  std::string goes =
      fmt::format("{} sends {} in {} box{}", rank == 0 ? "it" : fmt::format("rank {}", rank),
                  text(sent), boxes, boxes == 1 ? "" : "es");
  if (!shares_memory) return goes;
  return sent == 0 ? loaded : fmt::format("{}, {} to other nodes", loaded, goes);
}

constexpr const char* taking_turns = "some ranks take turns on the cores, as there are too few";

// No message between two nodes is so large.
constexpr std::int64_t larger_than_messages = std::int64_t{1} << 40;

std::string binary_text(std::int64_t bytes) {
  return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes >> 10) : fmt::format("{} bytes", bytes);
}

// The ways in which messages are moved that are not the usual ones, each with who chose it.
std::string moving_text(const Description& description) {
  const Machine &machine = description.blueprint.machine, usual;
  const Options& asked = description.options;
  const auto chosen = [](bool by_user) { return by_user ? "as asked for" : "as tuned"; };
  std::string text;
  if (machine.ranks > 1 && description.progress != Progress::by_tiles)
    text += fmt::format("; progress {}, {}", to_string(description.progress),
                        chosen(asked.progress != Progress::automatic));
  if (machine.nodes() < 2) return text;
  if (machine.segment_bytes != usual.segment_bytes)
    text += fmt::format("; {}, {}", segment_text(machine.segment_bytes),
                        chosen(asked.segment_bytes != 0));
  if (machine.eager_message_bytes != usual.eager_message_bytes)
    text += fmt::format("; {}, {}", eager_text(machine.eager_message_bytes),
                        chosen(asked.pretend.eager_message_bytes != 0));
  return text;
}

// "double r2c 128x128x128 over 4 ranks on 1 node".
std::string problem_text(const Problem& problem, const Blueprint& blueprint) {
  const int ranks = blueprint.machine.ranks, nodes = blueprint.machine.nodes();
  return fmt::format("{} {} {}{}{}{} over {} rank{} on {} node{}", to_string(problem.precision),
                     kind_text(problem), to_string(problem.extents),
                     problem.batch > 1 ? fmt::format(", batch {}", problem.batch) : "",
                     problem.in_place ? ", in place" : "", waves_text(blueprint), ranks,
                     ranks == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s");
}

// "2 threads a rank", "1 to 2 threads a rank".
std::string threads_text(const Description& description) {
  const std::int64_t fewest = description.fewest_threads, most = description.most_threads;
  return fmt::format("{}{} thread{} a rank", fewest < most ? fmt::format("{} to ", fewest) : "",
                     most, most == 1 ? "" : "s");
}

// "weft", or "weft, and fftw for some axes"; "cuda, on devices".
std::string engines_text(const Strategy& strategy, const Machine& machine) {
  if (machine.tile_bytes > 0)
    return fmt::format("{}, in memory of the processor, in tiles through devices", strategy.engine);
  const std::string engine = strategy.engine + (machine.has_devices ? ", on devices" : "");
  std::vector<std::string> others;
  for (const Stage& stage : strategy.stages)
    if (const auto* pass = std::get_if<PassStage>(&stage))
      for (const std::string& name : pass->choice.engines)
        if (name != strategy.engine && std::ranges::find(others, name) == others.end())
          others.push_back(name);
  if (others.empty()) return engine;
  return fmt::format("{}, and {} for some axes", engine, fmt::join(others, " and "));
}

// How the strategy was found.
std::string chosen_text(const Description& description) {
  if (!description.remembered.empty()) return description.remembered;
  if (!description.options.strategy.empty()) return "as the option strategy says";
  const Blueprint& blueprint = description.blueprint;
  std::string text = "by prediction from nominal speeds";
  if (blueprint.machine.speeds.are_known()) {
    const StrategyCost cost = CostPredictor::here(blueprint.machine)
                                  .cost(blueprint.strategy, blueprint.problem, exchange_kinds());
    text = fmt::format("by prediction, {:.3f} ms forward", 1e3 * cost.seconds());
  }
  const int raced = description.raced.candidates;
  return raced == 0 ? text + "; nothing was raced"
                    : fmt::format("{}; {} ways to run it were raced", text, raced);
}

// What may make the plan slower than it could be, or what the application must not do.
std::vector<std::string> notes_on(const Description& description) {
  std::vector<std::string> notes;
  if (description.takes_turns) notes.emplace_back(taking_turns);
  if (description.blueprint.machine.tile_bytes > 0)
    notes.emplace_back(
        "arrays that are not registered, as those of make_input() are, cost an extra copy");
  if (const Machine& machine = description.blueprint.machine; !machine.why_not_shared.empty())
    notes.push_back(not_shared_text(machine));
  if (description.engine_caveat)
    notes.push_back(fmt::format("the engine {}: {}", description.blueprint.strategy.engine,
                                *description.engine_caveat));
  if (!description.engine_choice.empty()) notes.push_back(description.engine_choice);
  if (!description.message_route.empty()) notes.push_back(description.message_route);
  if (description.shares_input || description.shares_output)
    notes.push_back(fmt::format("{}arrays that weft did not make cost an extra copy",
                                description.shares_input && description.shares_output ? ""
                                : description.shares_input                            ? "input "
                                                                                      : "output "));
  return notes;
}

std::string predicted_text(const StageCost& cost) {
  return fmt::format("; {:.3f} ms predicted", 1e3 * cost.seconds());
}

// Where the data are, stage by stage, and what is predicted, if that is known.
std::string stages_text(const Blueprint& blueprint, const StrategyCost& cost) {
  const Route& route = blueprint.route;
  std::string text = fmt::format("  {:<28} {}\n", "start", share_text(route.user_input));
  unsigned done = 0;
  for (std::size_t i = 0; i < blueprint.strategy.stages.size(); ++i) {
    const Stage& stage = blueprint.strategy.stages[i];
    std::string what;
    if (const auto* pass = std::get_if<PassStage>(&stage)) {
      done |= FieldStates::set_of(pass->axes);
      what = "load, transform, store";
    } else {
      const std::int64_t element = route.states.scalar(done).bytes();
      const Redistribution moves(route.before[i], route.after[i]);
      const auto& name = std::get<ExchangeStage>(stage).exchange;
      const bool shares = find_exchange(name, blueprint.problem, blueprint.machine).shares_memory;
      what = fmt::format("{}; {}", share_text(route.after[i]),
                         movement_text(moves, blueprint.machine, shares, element));
    }
    text += fmt::format("  {:<28} {}{}\n", to_string(stage), what,
                        cost.stages.empty() ? "" : predicted_text(cost.stages[i]));
  }
  text += fmt::format("  {:<28} {}\n", "end", share_text(route.user_output));
  return text;
}

// On which arrays the ranks of a node work in place, and what other arrays cost.
std::string in_place_text(const Description& description) {
  const auto either = [&](const char* input, const char* output, const char* joint) {
    if (description.shares_input && description.shares_output)
      return fmt::format("{}{}{}", input, joint, output);
    return std::string(description.shares_input ? input : output);
  };
  return fmt::format(
      "the ranks of a node work in place on the {}: arrays not from {} cost an extra copy",
      either("input", "output", " and the "), either("make_input()", "make_output()", " and "));
}

}  // namespace

std::string segment_text(std::int64_t bytes) {
  if (bytes >= larger_than_messages) return "one segment for two nodes";
  return "segments of at least " + binary_text(bytes);
}

std::string eager_text(std::int64_t bytes) {
  if (bytes <= 1) return "no message is eager";
  if (bytes >= larger_than_messages) return "every message is eager";
  return fmt::format("messages below {} are eager", binary_text(bytes));
}

std::string not_shared_text(const Machine& machine) {
  return fmt::format("ranks that cannot share memory count as different nodes: {}",
                     machine.why_not_shared);
}

std::string describe_plan(const Description& description) {
  const Problem& problem = description.problem;
  const Blueprint& blueprint = description.blueprint;
  const Route& route = blueprint.route;
  std::string text = fmt::format("{}\nstrategy: {}\n", problem_text(problem, blueprint),
                                 to_string(blueprint.strategy));
  if (const auto& order = route.input_view().slowest_first; !order.empty())
    text += fmt::format("(its axes are numbered in the order of memory: 0 is axis {})\n",
                        fmt::join(order, ", the next is "));
  if (problem.kind == Kind::c2r) text += "(forward runs it from the end to the start)\n";
  const CostPredictor predictor = CostPredictor::here(blueprint.machine);
  StrategyCost cost;
  if (!blueprint.moves_parts())
    cost = predictor.cost(blueprint.strategy, blueprint.problem, exchange_kinds());
  text += stages_text(blueprint, cost);
  text += fmt::format("workspace: {} a rank, tiles included",
                      bytes_text(static_cast<double>(description.workspace_bytes)));
  text += "; " + threads_text(description) + moving_text(description);
  if (blueprint.machine.tile_bytes > 0)
    text += fmt::format(
        "\ndata stay in memory of the processor, and stream through devices in tiles of at most {}",
        bytes_text(static_cast<double>(blueprint.machine.tile_bytes)));
  text += fmt::format("\nmemory: {} a rank at most: {}",
                      bytes_text(static_cast<double>(description.memory.total())),
                      to_string(description.memory));
  // As Pretend::cache_bytes and shared_cache_bytes take them.
  text += fmt::format("\ncaches: {} bytes a core, {} bytes of the shared ones a rank",
                      blueprint.machine.cache_bytes, blueprint.machine.shared_cache_bytes);
  if (!blueprint.machine.why_not_shared.empty()) text += "\n" + not_shared_text(blueprint.machine);
  if (description.takes_turns) text += fmt::format("\n{}", taking_turns);
  if (!description.engine_choice.empty()) text += "\n" + description.engine_choice;
  if (!description.message_route.empty()) text += "\n" + description.message_route;
  if (description.shares_input || description.shares_output)
    text += "\n" + in_place_text(description);
  if (description.engine_caveat)
    text +=
        fmt::format("\nthe engine {}: {}", blueprint.strategy.engine, *description.engine_caveat);
  if (!blueprint.moves_parts())
    text += "\n" + describe_predictions(cost, blueprint, predictor, description.options);
  if (!description.remembered.empty()) return text + "\n" + description.remembered;
  const std::string& raced = description.raced.told;
  if (!raced.empty()) text += "\n" + raced.substr(0, raced.size() - 1);
  return text;
}

std::string summarize_plan(const Description& description) {
  const Blueprint& blueprint = description.blueprint;
  const MemoryUse& memory = description.memory;
  std::string text = fmt::format("{}, {}\n", problem_text(description.problem, blueprint),
                                 threads_text(description));
  text += fmt::format("engine:   {}\n", engines_text(blueprint.strategy, blueprint.machine));
  text += fmt::format("strategy: {}\n", to_string(blueprint.strategy));
  if (!blueprint.moves_parts()) text += fmt::format("chosen:   {}\n", chosen_text(description));
  text += fmt::format("memory:   {} a rank at most, of which input and output take {}",
                      bytes_text(static_cast<double>(memory.total())),
                      bytes_text(static_cast<double>(memory.input + memory.output)));
  if (const auto notes = notes_on(description); !notes.empty())
    text += fmt::format("\nnote:     {}", fmt::join(notes, "; "));
  return text;
}

}  // namespace weft

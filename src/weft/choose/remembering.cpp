// choose/remembering: keys, and what rank 0 tells the others.

#include "weft/choose/remembering.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>
#include <string>

#include "weft/base/ensure.hpp"
#include "weft/base/log.hpp"
#include "weft/base/printable.hpp"
#include "weft/base/simulation.hpp"
#include "weft/choose/candidates.hpp"
#include "weft/choose/checked_options.hpp"
#include "weft/choose/chosen_strategy.hpp"
#include "weft/choose/common_engine.hpp"
#include "weft/choose/wisdom_file.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/fft/engine.hpp"
#include "weft/making/blueprint.hpp"
#include "weft/memory/processor.hpp"

namespace weft {

namespace {

std::uint64_t digest(const std::string& text) {
  std::uint64_t number = 0xcbf29ce484222325U;  // FNV-1a
  for (const char each : text)
    number = (number ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
  return number;
}

// A text of the boxes of thousands of ranks is cut: its start and a number stand for it.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 300, start = 200;
  if (text.size() <= most) return text;
  return fmt::format("{} ... {:016x}", text.substr(0, start), digest(text));
}

// A text in which equal numbers in a row stand once: "4 x 16, 1 x 8".
std::string runs_of(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end < numbers.size() && numbers[end] == numbers[i]) ++end;
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", end - i, numbers[i]);
    i = end;
  }
  return text;
}

std::string ranks_text(const Machine& machine) {
  std::vector<int> sizes(static_cast<std::size_t>(machine.nodes()), 0), threads;
  for (int rank = 0; rank < machine.ranks; ++rank) {
    ++sizes[static_cast<std::size_t>(machine.node(rank))];
    threads.push_back(machine.threads(rank));
  }
  // Strategies depend on which ranks share a node.
  const bool in_order = std::is_sorted(machine.node_of_rank.begin(), machine.node_of_rank.end());
  const std::string order =
      in_order ? "" : fmt::format(", in the order {:016x}", digest(runs_of(machine.node_of_rank)));
  return fmt::format("{}, nodes x ranks {}{}, ranks x threads {}", machine.ranks, runs_of(sizes),
                     order, shortened(runs_of(threads)));
}

// Everything of the options that has to do with what is fastest.
std::string options_text(Options options) {
  options.effort = Effort::measure;
  options.threads = 0;  // which ranks_text() has, as it has the nodes
  options.pretend.node_sizes.clear();
  // Where nothing is asked for, tiles are the usual choice, and were the default when weft wrote
  // the first wisdom: it is found as before, and what the user asks for wins over it.
  Options usual;
  for (Options* each : {&options, &usual})
    if (each->progress == Progress::automatic) each->progress = Progress::by_tiles;
  const std::string text = to_string(options);
  return text == to_string(usual) ? std::string() : text;
}

std::string versions_text(const Communicator& comm) {
  std::string text =
      fmt::format("weft {}, {}", WEFT_VERSION, comm.is_alone() ? "no MPI" : mpi_version());
  for (const EngineEntry& engine : engines())
    if (!engine.applies()) text += fmt::format(", {} {}", engine.name, engine.version());
  return text;
}

// Texts of a file may be anything.
std::string shown(const std::string& text) {
  constexpr std::size_t most_shown = 300;
  return printable(text, most_shown);
}

// Warns once of the same thing, though every plan finds it again.
void warn(const std::string& text) {
  static std::mutex guard;
  static std::string last;
  const std::lock_guard lock(guard);
  if (std::exchange(last, text) != text) log_line(LogLevel::warn, [&] { return text; });
}

// The wisdom of a file; none, and a line in the log, if it cannot be read.
std::shared_ptr<const Wisdom> known_here(const std::string& path) {
  try {
    if (!path.empty()) return known_wisdom(path);
  } catch (const Error& error) {
    warn(fmt::format("wisdom is not used: {}; {}", error.message(), error.hint()));
  }
  return std::make_shared<const Wisdom>();
}

// Error::unsupported unless all engines of a strategy are among those of all ranks.
void require_engines(const Strategy& strategy, const std::vector<std::string>& of_all_ranks) {
  std::vector<std::string> named{strategy.engine};
  for (const Stage& stage : strategy.stages)
    if (const auto* pass = std::get_if<PassStage>(&stage))
      named.insert(named.end(), pass->choice.engines.begin(), pass->choice.engines.end());
  for (const std::string& name : named)
    if (std::ranges::find(of_all_ranks, name) == of_all_ranks.end())
      throw Error(Error::unsupported,
                  fmt::format("its engine {} does not apply on all ranks", name));
}

// Whether all ranks can run the strategy of an entry, which may have been written by hand, with the
// engines that they have.
bool fits(const WisdomEntry& entry, const Problem& problem, const Machine& machine,
          const Options& options, const std::vector<std::string>& engines,
          const std::string& path) {
  try {
    const Problem r2c = with_placed_columns(as_r2c(problem), machine, options);
    const Strategy strategy = parse_strategy(entry.strategy);
    require_engines(strategy, engines);
    require_runnable(strategy, r2c, machine);
    const int most = *std::ranges::max_element(machine.threads_of_rank);
    if (entry.threads > most)
      throw Error(Error::invalid, fmt::format("it has {} threads a rank, of {} that there are",
                                              entry.threads, most));
    return true;
  } catch (const Error& error) {
    warn(fmt::format("the strategy that '{}' has for {} is not used: {}", path,
                     shown(entry.key.problem), error.message()));
    return false;
  }
}

// Programs that initialise MPI in another way than the one that tuned find the same entry.
// Collective.
void leave_out_thread(Remembered& found, const WisdomKey& key, const Communicator& comm) {
  if (found.progress != Progress::by_thread || allows_progress_thread(comm)) return;
  found.progress = Progress::automatic;
  agree(comm, [&] {
    found.note += "; without the thread that it was tuned with, as MPI allows none";
    if (comm.rank() != 0) return;
    warn(
        fmt::format("{} was tuned with a thread that makes progress, which MPI does not allow "
                    "here: passes make it instead; initialise MPI with MPI_THREAD_MULTIPLE",
                    shown(key.problem)));
  });
}

}  // namespace

bool may_recall(const Options& options) {
  return !is_simulated && options.effort != Effort::estimate && !options.reproducible &&
         options.strategy.empty() && !options.placement.is_given();
}

WisdomKey key_of(const Communicator& comm, const Problem& problem, const Machine& machine,
                 const Options& options) {
  const auto mine = agree(comm, [&] {
    return static_cast<std::int64_t>(digest(processor_text()) >> 1);  // without a sign
  });
  const std::int64_t least = comm.min(mine), most = comm.max(mine);
  return agree(comm, [&] {
    WisdomKey key{shortened(to_string(problem)), options_text(options), ranks_text(machine),
                  processor_text(), versions_text(comm)};
    if (least != most) key.machine = fmt::format("different processors {:x} to {:x}", least, most);
    return key;
  });
}

Remembered as_remembered(const WisdomEntry& entry, const std::string& path) {
  return {
      entry.strategy,
      entry.threads,
      entry.cache_bytes,
      entry.shared_cache_bytes,
      entry.segment_bytes,
      entry.eager_message_bytes,
      entry.progress,
      fmt::format("tuned at {}{}: {} plans raced, {}", shown(entry.tuned_at),
                  path.empty() ? "" : " and remembered in " + path, entry.tried, gain_text(entry))};
}

bool allows_progress_thread(const Communicator& comm) {
  if (comm.is_alone()) return true;
  return comm.min(std::int64_t{mpi_allows_threads()}) != 0;
}

std::optional<Remembered> recalled(const Communicator& comm, const Problem& problem,
                                   const Machine& machine, const Options& options) {
  if (!may_recall(options) || problem.input.is_of_parts()) return std::nullopt;
  std::string path;
  std::shared_ptr<const Wisdom> known;
  const auto [is_any] = agree_on_largest(comm, [&] {
    if (comm.rank() == 0) path = wisdom_path();
    known = known_here(path);
    return std::array{std::int64_t{!known->entries().empty()}};
  });
  if (is_any == 0) return std::nullopt;
  const WisdomKey key = key_of(comm, problem, machine, options);
  const std::vector<std::string> engines = common_engines(comm);
  const std::string told = agree(comm, [&] {
    const WisdomEntry* entry = known->find(key);
    Wisdom one;
    if (entry != nullptr && fits(*entry, problem, machine, options, engines, path))
      one.learn(*entry);
    return to_text(one);
  });
  const std::string text = comm.broadcast(told, 0);
  path = comm.broadcast(path, 0);
  auto found = agree(comm, [&]() -> std::optional<Remembered> {
    const Wisdom wisdom = parse_wisdom(text);
    if (wisdom.entries().empty()) return std::nullopt;
    return as_remembered(wisdom.entries().front(), path);
  });
  if (found && options.progress == Progress::automatic) leave_out_thread(*found, key, comm);
  return found;
}

void remember(const Communicator& comm, const WisdomEntry& entry) {
  agree(comm, [&] {
    if (comm.rank() != 0) return;
    const std::string path = wisdom_path();
    if (path.empty()) return;
    change_wisdom(path, [&](Wisdom& wisdom) { wisdom.learn(entry); });
  });
}

void require_rememberable(const Communicator& comm) {
  agree(comm, [&] {
    if (const std::string path = comm.rank() == 0 ? wisdom_path() : ""; !path.empty())
      require_changeable(path);
  });
}

std::string time_text() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32] = "";
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace weft

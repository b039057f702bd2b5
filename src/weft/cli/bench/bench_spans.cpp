// cli/bench/bench_spans: sends records of all ranks to all ranks.

#include "weft/cli/bench/bench_spans.hpp"

#include <cmath>

namespace weft::cli {

namespace {

constexpr double nano = 1e9;
constexpr std::size_t numbers_of_span = 4;  // stage, feeds or work, start, duration

using Numbers = std::vector<std::int64_t>;

void add_record(Numbers& records, std::int64_t stage, std::int64_t detail, double since,
                double seconds) {
  records.insert(records.end(),
                 {stage, detail, std::llround(since * nano), std::llround(seconds * nano)});
}

// When the first rank of this machine left the barrier. These ranks share a clock; those of another
// machine leave it at about the same time.
double zero_of(const LastRun& run) { return -run.comm.on_this_machine().max(-run.began); }

Numbers items_of(const LastRun& run, double zero) {
  Numbers records;
  for (std::size_t i = 0; i < run.stages.size(); ++i)
    for (const ItemReport& item : run.stages[i].items)
      add_record(records, static_cast<std::int64_t>(i), static_cast<std::int64_t>(item.feeds),
                 item.start - zero, item.seconds);
  return records;
}

Numbers streams_of(const LastRun& run, double zero) {
  Numbers records;
  for (const StreamSpan& span : run.streams)
    add_record(records, span.step, span.work, span.start - zero, span.seconds);
  return records;
}

// Calls add(rank, record) for the records of all ranks. Collective.
template <class Add>
void for_each_record(const LastRun& run, const Numbers& mine, const Add& add) {
  const auto all = run.comm.gather_all(mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t at = 0; at < all[rank].size(); at += numbers_of_span)
      add(rank, &all[rank][at]);
}

}  // namespace

void add_run(Measurement& found, const LastRun& run) {
  const double zero = zero_of(run);
  const auto span_of = [&](std::size_t rank, const std::int64_t* record) {
    const bool has_stage = record[0] >= 0;
    Measurement::Span span;
    span.name = has_stage ? run.stages[static_cast<std::size_t>(record[0])].name : "copy";
    span.rank = static_cast<int>(rank);
    span.node = run.machine.node_of_rank[rank];
    span.is_forward = run.is_forward;
    span.start = static_cast<double>(record[2]) / nano;
    span.seconds = static_cast<double>(record[3]) / nano;
    return span;
  };
  for_each_record(run, items_of(run, zero), [&](std::size_t rank, const std::int64_t* record) {
    found.spans.push_back(span_of(rank, record));
    found.spans.back().feeds = to_string(static_cast<Feeds>(record[1]));
  });
  for_each_record(run, streams_of(run, zero), [&](std::size_t rank, const std::int64_t* record) {
    found.spans.push_back(span_of(rank, record));
    found.spans.back().stream = stream_names[static_cast<std::size_t>(record[1])];
  });
  auto& steps = found.steps[run.is_forward ? 0 : 1];
  for (const StageReport& stage : run.stages) steps.push_back(stage.name);
  const auto all = run.comm.gather_all(numbers_of(run.events, zero));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    found.events.push_back({static_cast<int>(rank), run.machine.node_of_rank[rank], run.is_forward,
                            events_of(all[rank])});
}

}  // namespace weft::cli

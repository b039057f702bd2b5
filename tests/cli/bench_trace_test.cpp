// cli/bench: a trace tells of whom a rank has waited.

#include "weft/cli/bench/bench_trace.hpp"

#include <gmock/gmock.h>

#include "weft/base/json_text.hpp"

namespace weft::cli {
namespace {

constexpr int number = 1;  // of the signal, and of the messages: their tag

// Two nodes of ranks 0, 1 and 2. Rank 0 waits for a message of rank 2, for the end of one to it,
// and for a signal that rank 1 raises.
Measurement measured() {
  RunEvent received, sent, awaited, raised;
  received.kind = Task::receive;
  sent.kind = Task::send;
  received.peer = sent.peer = 2;
  awaited.kind = Task::await;
  raised.kind = Task::raise;
  raised.signal = awaited.signal = "left";
  for (RunEvent* event : {&received, &sent, &awaited, &raised}) {
    event->number = number;
    event->end = 1e-3;
  }
  Measurement m;
  m.problem.extents = {4, 4, 4};
  m.ranks = 3;
  m.nodes = 2;
  m.steps[0] = {"exchange 0"};
  m.events = {{0, 0, true, {{received, sent, awaited}, {{0, 0, 1e-3}, {1, 0, 1e-3}, {2, 0, 1e-3}}}},
              {1, 0, true, {{raised}, {}}}};
  return m;
}

TEST(BenchTrace, tells_of_whom_a_rank_waited_also_where_tags_and_signals_have_one_number) {
  std::vector<std::string> waits;
  const Json trace = Json::parse(trace_of({measured()}));
  for (const Json& event : trace["traceEvents"])
    if (event.value("cat", "") == "forward,wait")
      waits.push_back(event["name"].get<std::string>() + ", " + event["args"]["rank"].dump());
  EXPECT_THAT(waits, testing::ElementsAre("wait for a message of rank 2, 2",
                                          "wait for the end of a send to rank 2, 2",
                                          "wait for a signal of rank 1, 1"));
}

}  // namespace
}  // namespace weft::cli

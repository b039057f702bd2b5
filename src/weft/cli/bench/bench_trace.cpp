// cli/bench/bench_trace: writes the events of a trace, one measurement after the other.

#include "weft/cli/bench/bench_trace.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

constexpr double micro = 1e6;

// One measurement: its processes, and when it begins.
class Timeline {
 public:
  Timeline(const Measurement& m, int first_process, double begin, Json& events)
      : m_(m), first_process_(first_process), begin_(begin), events_(events) {}

  // Returns when it ends.
  double write();

 private:
  using RankEvents = Measurement::RankEvents;
  // A signal is raised once by each raiser in a run; a message is known by both ends and its tag.
  using Key = std::tuple<bool, int, int, int>;
  struct End {
    const RankEvents* of = nullptr;
    const RunEvent* event = nullptr;
  };

  void name_rows();
  int row_of(const Measurement::Span& span) const;
  void find_ends();
  double end_of(bool is_forward) const;
  double ticks(bool is_forward, double start) const {
    return micro * (begin_ + start + (is_forward ? 0 : forward_end_));
  }
  Json& add(const char* phase, const std::string& name, const std::string& category,
            const RankEvents& of, double start);
  void add_span(const Measurement::Span& span);
  void add_call(const RankEvents& of, const RunEvent& event);
  void add_message(const RankEvents& of, const RunEvent& sent);
  void add_wait(const RankEvents& of, const RunWait& wait);
  const std::string& step(const RankEvents& of, const RunEvent& event) const {
    return m_.steps[of.is_forward ? 0 : 1][static_cast<std::size_t>(event.step)];
  }
  // Who raised a signal last; nobody if it is not known. Messages have numbers of their own.
  End last_raise(const RankEvents& of, const RunEvent& awaited) const {
    if (awaited.is_of_earlier_run) return {};
    const auto found = raises_.find({of.is_forward, of.node, 0, awaited.number});
    return found == raises_.end() ? End{} : found->second;
  }
  void add_arrow(const RankEvents& from, double start, const RankEvents& to, double end);

  const Measurement& m_;
  int first_process_;
  double begin_, forward_end_ = 0;
  Json& events_;
  std::map<Key, End> receives_, raises_;
  int arrows_ = 0;
};

const char* direction_of(bool is_forward) { return is_forward ? "forward" : "backward"; }

// What a wait for the event is for, in a word, and what the call that hands it over is called.
struct Words {
  const char *what, *call;
};
Words words_of(const RunEvent& event) {
  switch (event.kind) {
    case Task::send:
      return {"end of a send", "send to"};
    case Task::receive:
      return {"message", "post a receive from"};
    case Task::collective:
      return {"collective", "start a collective"};
    case Task::raise:
      return {"signal", "raise a signal"};
    default:
      return {"signal", ""};
  }
}

double Timeline::end_of(bool is_forward) const {
  double end = 0;
  for (const auto& span : m_.spans)
    if (span.is_forward == is_forward) end = std::max(end, span.start + span.seconds);
  for (const RankEvents& of : m_.events) {
    if (of.is_forward != is_forward) continue;
    for (const RunEvent& event : of.run.events) end = std::max(end, event.end);
    for (const RunWait& wait : of.run.waits) end = std::max(end, wait.start + wait.seconds);
  }
  return end;
}

// A row for each rank, and below these one for each kind of work of its device's streams.
void Timeline::name_rows() {
  const auto metadata = [&](const char* what, int process, int row, const std::string& name) {
    events_.push_back(
        {{"name", what}, {"ph", "M"}, {"pid", process}, {"tid", row}, {"args", {{"name", name}}}});
  };
  for (int node = 0; node < m_.nodes; ++node)
    metadata("process_name", first_process_ + node, 0,
             fmt::format("{} {} {}, node {}", title(m_), m_.engine, m_.exchange, node));
  std::set<int> named;
  for (const RankEvents& of : m_.events)
    if (named.insert(of.rank).second)
      metadata("thread_name", first_process_ + of.node, of.rank, fmt::format("rank {}", of.rank));
  for (const Measurement::Span& span : m_.spans)
    if (named.insert(row_of(span)).second)
      metadata("thread_name", first_process_ + span.node, row_of(span),
               fmt::format("rank {}, {}", span.rank, span.stream));
}

int Timeline::row_of(const Measurement::Span& span) const {
  if (span.stream.empty()) return span.rank;
  const auto kind = std::ranges::find(stream_names, span.stream) - stream_names.begin();
  return span.rank + m_.ranks * (1 + static_cast<int>(kind));
}

void Timeline::find_ends() {
  for (const RankEvents& of : m_.events)
    for (const RunEvent& event : of.run.events) {
      if (event.kind == Task::receive)
        receives_[{of.is_forward, event.peer, of.rank, event.number}] = {&of, &event};
      if (event.kind != Task::raise) continue;
      End& last = raises_[{of.is_forward, of.node, 0, event.number}];
      if (last.event == nullptr || last.event->end < event.end) last = {&of, &event};
    }
}

Json& Timeline::add(const char* phase, const std::string& name, const std::string& category,
                    const RankEvents& of, double start) {
  std::string categories = direction_of(of.is_forward);
  if (!category.empty()) categories += "," + category;
  events_.push_back({{"name", name},
                     {"cat", categories},
                     {"ph", phase},
                     {"ts", ticks(of.is_forward, start)},
                     {"pid", first_process_ + of.node},
                     {"tid", of.rank}});
  return events_.back();
}

void Timeline::add_span(const Measurement::Span& span) {
  Json& event = add("X", span.name, span.stream.empty() ? "" : "device",
                    {row_of(span), span.node, span.is_forward, {}}, span.start);
  event["dur"] = micro * span.seconds;
  if (!span.feeds.empty()) event["args"] = {{"feeds", span.feeds}};
  if (!span.stream.empty()) event["args"] = {{"stream", span.stream}, {"rank", span.rank}};
}

// The time in the call that handed it over.
void Timeline::add_call(const RankEvents& of, const RunEvent& event) {
  if (event.kind == Task::await) return;
  const bool has_peer = event.peer >= 0;
  const std::string to = has_peer ? fmt::format(" rank {}", event.peer) : "";
  Json& call = add("X", words_of(event).call + to, "call", of, event.start);
  call["dur"] = micro * event.call_seconds;
  call["args"] = {{"stage", step(of, event)}};
  if (has_peer) call["args"]["rank"] = event.peer;
  if (event.bytes > 0) call["args"]["bytes"] = event.bytes;
  if (!event.signal.empty()) call["args"]["signal"] = event.signal;
  if (event.kind == Task::send) add_message(of, event);
}

void Timeline::add_arrow(const RankEvents& from, double start, const RankEvents& to, double end) {
  const int id = ++arrows_;
  add("s", "arrives", "arrow", from, start)["id"] = fmt::format("{}.{}", first_process_, id);
  add("f", "arrives", "arrow", to, std::max(start, end))["id"] =
      fmt::format("{}.{}", first_process_, id);
}

// From when it was handed over until the receiver saw it. The clocks of nodes may differ.
void Timeline::add_message(const RankEvents& of, const RunEvent& sent) {
  const auto found = receives_.find({of.is_forward, of.rank, sent.peer, sent.number});
  if (found == receives_.end() || found->second.event->end == 0) return;
  const auto [receiver, receive] = found->second;
  const std::string name = fmt::format("messages of rank {}", of.rank);
  const std::string id = fmt::format("{}.{}", first_process_, arrows_ + 1);
  Json& begin = add("b", name, "message", of, sent.start);
  begin["id"] = id;
  begin["args"] = {{"stage", step(of, sent)},
                   {"from", of.rank},
                   {"to", sent.peer},
                   {"bytes", sent.bytes},
                   {"sent_us", micro * (sent.end - sent.start)}};
  add("e", name, "message", of, std::max(sent.start, receive->end))["id"] = id;
  add_arrow(of, sent.start, *receiver, receive->end);
}

void Timeline::add_wait(const RankEvents& of, const RunWait& wait) {
  Json args = Json::object();
  std::string name = "wait for the device";
  End raise;
  if (wait.event == RunWait::all_ranks) name = "wait until all ranks have started the run";
  if (wait.event >= 0) {
    const RunEvent& event = of.run.events[static_cast<std::size_t>(wait.event)];
    if (event.kind == Task::await) raise = last_raise(of, event);
    const int rank = raise.of != nullptr ? raise.of->rank : event.peer;
    name =
        fmt::format("wait for {} {}", event.kind == Task::send ? "the" : "a", words_of(event).what);
    if (rank >= 0) name += fmt::format(" {} rank {}", event.kind == Task::send ? "to" : "of", rank);
    args = {{"stage", step(of, event)}, {"for", words_of(event).what}};
    if (rank >= 0) args["rank"] = rank;
    if (event.bytes > 0) args["bytes"] = event.bytes;
    if (!event.signal.empty()) args["signal"] = event.signal;
  }
  Json& waited = add("X", name, "wait", of, wait.start);
  waited["dur"] = micro * wait.seconds;
  waited["args"] = args;
  if (raise.of != nullptr && raise.of->rank != of.rank)
    add_arrow(*raise.of, raise.event->start, of, wait.start + wait.seconds);
}

double Timeline::write() {
  // The times of each direction count from its own barrier; backward is drawn after forward.
  forward_end_ = end_of(true);
  name_rows();
  find_ends();
  for (const auto& span : m_.spans) add_span(span);
  for (const RankEvents& of : m_.events) {
    for (const RunEvent& event : of.run.events) add_call(of, event);
    for (const RunWait& wait : of.run.waits) add_wait(of, wait);
  }
  return begin_ + forward_end_ + end_of(false);
}

}  // namespace

std::string trace_of(const std::vector<Measurement>& measurements) {
  Json events = Json::array(), runs = Json::array();
  double begin = 0;
  int first_process = 0;
  for (const Measurement& m : measurements) {
    const double end = Timeline(m, first_process, begin, events).write();
    runs.push_back({{"title", fmt::format("{} {} {}", title(m), m.engine, m.exchange)},
                    {"ranks", m.ranks},
                    {"nodes", m.nodes},
                    {"threads", m.threads},
                    {"strategy", m.strategy},
                    {"first_pid", first_process},
                    {"begin_us", micro * begin},
                    {"end_us", micro * end}});
    begin = end;
    first_process += m.nodes;
  }
  const Json other{{"weft", WEFT_VERSION}, {"processor", processor_of_ranks()}, {"runs", runs}};
  return json_text(Json{{"traceEvents", events}, {"displayTimeUnit", "ms"}, {"otherData", other}},
                   -1) +
         "\n";
}

}  // namespace weft::cli

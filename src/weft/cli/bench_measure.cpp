// cli/bench_measure: running one plan again and again between barriers.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>

#include "weft/base/trace.hpp"
#include "weft/cli/bench.hpp"
#include "weft/cli/rows.hpp"
#include "weft/cli/work.hpp"

namespace weft::cli {

namespace {

// A value in [-0.5, 0.5) that depends on `index` alone: any rank can tell what any point held.
double hashed(std::uint64_t index) {
  index = (index + 1) * 0x9e3779b97f4a7c15U;
  index = (index ^ (index >> 32)) * 0xd6e8feb86659fd93U;
  index ^= index >> 32;
  return static_cast<double>(index >> 11) * 0x1p-53 - 0.5;
}

// Scalars of the element at `index`: one, or real and imaginary part.
template <class Real, class Visit>
void for_each_scalar(const Share& share, std::int64_t batch, void* data, const Visit& visit) {
  const int parts = share.scalar.is_complex ? 2 : 1;
  for_each_row(share, batch, [&](std::int64_t element, std::int64_t index, std::int64_t points) {
    Real* scalars = static_cast<Real*>(data) + element * parts;
    const auto first = static_cast<std::uint64_t>(index * parts);
    for (std::int64_t i = 0; i < points * parts; ++i)
      visit(scalars[i], static_cast<Real>(hashed(first + static_cast<std::uint64_t>(i))));
  });
}

template <class Visit>
void for_each_value(const Share& share, std::int64_t batch, void* data, const Visit& visit) {
  if (share.scalar.precision == Precision::single_precision)
    for_each_scalar<float>(share, batch, data, visit);
  else
    for_each_scalar<double>(share, batch, data, visit);
}

void fill(const Share& share, std::int64_t batch, void* data) {
  for_each_value(share, batch, data, [](auto& value, auto wanted) { value = wanted; });
}

// Against what fill wrote; relative to the largest value. Collective.
double error_of(const Communicator& comm, const Share& share, std::int64_t batch, void* data) {
  double difference = 0, most = 0;
  for_each_value(share, batch, data, [&](auto value, auto wanted) {
    const double d = std::abs(static_cast<double>(value - wanted));
    if (!(d <= difference)) difference = d;  // what is no number counts as wrong, and stays
    most = std::max(most, std::abs(static_cast<double>(wanted)));
  });
  if (std::isnan(difference)) difference = HUGE_VAL;
  return comm.max(difference) / std::max(comm.max(most), 1e-300);
}

// One direction of a plan, timed.
class Runs {
 public:
  Runs(const Communicator& comm, AnyPlan& plan, const std::vector<Fields>& fields, bool is_forward)
      : comm_(comm), plan_(plan), fields_(fields), is_forward_(is_forward) {}

  /// What the application does while the transforms are under way.
  void meanwhile(std::function<void()> work) { meanwhile_ = std::move(work); }

  void once() {
    std::vector<Ticket> tickets;
    tickets.reserve(fields_.size());
    for (const Fields& field : fields_)
      tickets.push_back(is_forward_ ? plan_.start_forward(field.input(), field.output())
                                    : plan_.start_backward(field.output(), field.input()));
    if (meanwhile_) meanwhile_();
    for (Ticket& ticket : tickets) ticket.wait();
  }
  void timed() {
    comm_.barrier();
    began_ = now();
    once();
    seconds_.push_back(comm_.max(now() - began_));
    stages_.push_back(is_forward_ ? plan_.body().forward_stages() : plan_.body().backward_stages());
  }

  Times times() const { return times_of(seconds_); }

  // Of the run of median time (the lower of two). Collective.
  std::vector<Measurement::Stage> median_stages() const {
    std::vector<Measurement::Stage> all;
    for (const auto& mine : of_median_run())
      all.push_back({mine.name, comm_.max(mine.seconds), comm_.max(mine.bytes),
                     comm_.max(mine.messages), comm_.max(mine.message_bytes),
                     comm_.max(std::int64_t{mine.segments})});
    return all;
  }

  // Of all ranks' exchanges in that run: the part of the active time in which nobody waited.
  // Collective.
  double overlap() const {
    double mine[] = {0, 0}, all[] = {0, 0};  // waited, active
    for (const auto& stage : of_median_run())
      if (stage.is_exchange) {
        mine[0] += stage.seconds;
        mine[1] += stage.active_seconds;
      }
    check_mpi(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm_.handle()), "MPI_Allreduce");
    return all[1] > 0 ? std::clamp(1 - all[0] / all[1], 0.0, 1.0) : 0;
  }

  // Of the last run, on all ranks. Collective.
  void add_spans(std::vector<Measurement::Span>& spans) const {
    constexpr double nano = 1e9;
    const auto& stages = stages_.back();
    std::vector<std::int64_t> mine;
    const auto add = [&](std::size_t stage, std::int64_t feeds, double start, double seconds) {
      const double since = start > 0 ? start - began_ : 0;
      mine.insert(mine.end(), {static_cast<std::int64_t>(stage), feeds, std::llround(since * nano),
                               std::llround(seconds * nano)});
    };
    for (std::size_t i = 0; i < stages.size(); ++i) {
      for (const auto& item : stages[i].items)
        add(i, static_cast<std::int64_t>(item.feeds), item.start, item.seconds);
      if (stages[i].items.empty()) add(i, -1, stages[i].start, stages[i].seconds);
    }
    const auto all = comm_.gather_all(mine);
    for (int rank = 0; rank < comm_.size(); ++rank) {
      const auto& of_rank = all[static_cast<std::size_t>(rank)];
      for (auto record = of_rank.begin(); record != of_rank.end(); record += 4)
        spans.push_back({stages[static_cast<std::size_t>(record[0])].name,
                         record[1] < 0 ? "" : to_string(static_cast<Feeds>(record[1])), rank,
                         plan_.body().machine().node(rank), is_forward_,
                         static_cast<double>(record[2]) / nano,
                         static_cast<double>(record[3]) / nano});
    }
  }

 private:
  // The lower of two. All ranks know the same times.
  const std::vector<StageReport>& of_median_run() const {
    std::vector<std::size_t> order(seconds_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return seconds_[a] < seconds_[b]; });
    return stages_[order[(order.size() - 1) / 2]];
  }

  const Communicator& comm_;
  AnyPlan& plan_;
  const std::vector<Fields>& fields_;
  std::function<void()> meanwhile_;
  bool is_forward_;
  double began_ = 0;
  std::vector<double> seconds_;
  std::vector<std::vector<StageReport>> stages_;
};

}  // namespace

Measurement measure(const Surroundings& here, const Problem& problem, const Options& options,
                    const Repetition& repetition, bool with_spans) {
  const Communicator& comm = here.comm;
  const std::string what =
      fmt::format("{} {} {}", to_string(problem.extents), to_string(problem.kind),
                  options.exchange.empty() ? "" : options.exchange);
  here.console.doing("planning " + what);
  comm.barrier();
  const double began = now();
  AnyPlan plan(comm.handle(), problem, options);
  Measurement found;
  static_cast<Setup&>(found) =
      setup_of(plan.problem(), plan.body().strategy(), options, repetition);
  found.plan_seconds = comm.max(now() - began);
  found.ranks = comm.size();
  found.nodes = plan.body().machine().nodes();
  found.threads = static_cast<int>(comm.max(std::int64_t{plan.threads()}));
  found.workspace_bytes = comm.max(plan.workspace_bytes());

  std::vector<Fields> fields;
  fields.reserve(static_cast<std::size_t>(repetition.in_flight));
  for (int i = 0; i < repetition.in_flight; ++i) fields.emplace_back(comm, &plan);
  Runs forward(comm, plan, fields, true), backward(comm, plan, fields, false);
  // Any real field is the transform of something, but not any half spectrum is: a round trip of
  // c2r starts from its output.
  const bool from_output = problem.kind == Kind::c2r;
  const Share& origin = from_output ? plan.output() : plan.input();
  const auto data = [&](const Fields& field) {
    return from_output ? field.output() : field.input();
  };
  here.console.doing("filling " + what);
  for (const Fields& field : fields) fill(origin, problem.batch, data(field));
  here.console.doing("running " + what);
  if (from_output) backward.once();
  if (repetition.verifies) {
    forward.once();
    if (!from_output) backward.once();
    found.max_error = 0;
    for (const Fields& field : fields)
      found.max_error =
          std::max(*found.max_error, error_of(comm, origin, problem.batch, data(field)));
    if (from_output) backward.once();
  }
  if (repetition.work_seconds > 0)
    forward.meanwhile(
        [&] { work(repetition.work_seconds, options.progress == Progress::by_calls); });
  for (int i = 0; i < repetition.warmup + repetition.repeat; ++i) {
    if (i < repetition.warmup) {
      forward.once();
      backward.once();
      continue;
    }
    forward.timed();
    backward.timed();
  }
  found.forward = forward.times();
  found.backward = backward.times();
  found.stages = forward.median_stages();
  found.overlap = forward.overlap();
  found.gflops = repetition.in_flight * flops_of(found.problem) / found.forward.median / 1e9;
  if (with_spans) {
    forward.add_spans(found.spans);
    backward.add_spans(found.spans);
  }
  return found;
}

}  // namespace weft::cli

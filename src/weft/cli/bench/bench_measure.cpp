// cli/bench/bench_measure: runs one plan repeatedly, each run between barriers.

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <list>
#include <optional>

#include "weft/any_plan.hpp"
#include "weft/base/trace.hpp"
#include "weft/cli/bench/bench.hpp"
#include "weft/cli/bench/bench_spans.hpp"
#include "weft/cli/bench/rows.hpp"
#include "weft/cli/bench/seen_array.hpp"
#include "weft/cli/bench/work.hpp"
#include "weft/cli/verify.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/device/stream_times.hpp"
#include "weft/faces/plan_access.hpp"
#include "weft/problem/axis_transform.hpp"
#include "weft/problem/problem_text.hpp"

namespace weft::cli {

namespace {

// A value in [-0.5, 0.5) that depends only on `index`, so that any rank can compute any point.
double hashed(std::uint64_t index) {
  index = (index + 1) * 0x9e3779b97f4a7c15U;
  index = (index ^ (index >> 32)) * 0xd6e8feb86659fd93U;
  index ^= index >> 32;
  return static_cast<double>(index >> 11) * 0x1p-53 - 0.5;
}

// Calls visit(scalar, expected value) for every scalar of the share; a complex element has two.
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
  for_each_value(share, batch, data, [](auto& value, auto expected) { value = expected; });
}

// The largest difference from the values of fill(), relative to the largest of them. Collective.
double error_of(const Communicator& comm, const Share& share, std::int64_t batch, void* data) {
  double difference = 0, most = 0;
  for_each_value(share, batch, data, [&](auto value, auto expected) {
    difference = larger_or_nan(difference, std::abs(static_cast<double>(value - expected)));
    most = std::max(most, std::abs(static_cast<double>(expected)));
  });
  return comm.max(difference) / std::max(comm.max(most), 1e-300);
}

// Runs one direction of a plan, and records times.
class Runs {
 public:
  Runs(const Communicator& comm, AnyPlan& plan, const std::vector<Fields>& fields, bool is_forward)
      : comm_(comm), plan_(plan), fields_(fields), is_forward_(is_forward) {}

  /// Sets what the application computes while the transforms run.
  void set_work(std::function<void()> work) { work_ = std::move(work); }

  void run() {
    std::vector<Ticket> tickets;
    tickets.reserve(fields_.size());
    for (const Fields& field : fields_)
      tickets.push_back(is_forward_ ? plan_.start_forward(field.input(), field.output())
                                    : plan_.start_backward(field.output(), field.input()));
    if (work_) work_();
    for (Ticket& ticket : tickets) ticket.wait();
  }
  void run_timed() {
    comm_.barrier();
    began_ = now();
    run();
    seconds_.push_back(comm_.max(now() - began_));
    const PlanReport report = plan_.report();
    stages_.push_back((is_forward_ ? report.forward : report.backward).stages);
  }

  Times times() const { return times_of(seconds_); }

  // The stages of the run of median time: maxima over all ranks. Collective.
  std::vector<Measurement::Stage> median_stages() const {
    std::vector<Measurement::Stage> all;
    for (const auto& mine : of_median_run())
      all.push_back({mine.name, comm_.max(mine.seconds), comm_.max(mine.bytes),
                     comm_.max(mine.messages), comm_.max(mine.message_bytes),
                     comm_.max(std::int64_t{mine.segments}), mine.axes, mine.passes});
    return all;
  }

  // The part of the active time of all ranks' exchanges, in the run of median time, during which no
  // rank waited. Collective.
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

  // What streams of this rank's device did in the last run; none if it is not known.
  std::vector<StreamSpan> stream_spans() const {
    return PlanAccess::body(plan_).stream_spans(is_forward_);
  }
  // Adds what all ranks did in the last run. Collective.
  void add_last_run(Measurement& found) const {
    add_run(found, {comm_, plan_.report().machine, stages_.back(), stream_spans(),
                    PlanAccess::body(plan_).events(is_forward_), is_forward_, began_});
  }

 private:
  // The stages of the run of median time; of the faster one for an even number of runs. All ranks
  // have the same times, and so choose the same run.
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
  std::function<void()> work_;
  bool is_forward_;
  double began_ = 0;
  std::vector<double> seconds_;
  std::vector<std::vector<StageReport>> stages_;
};

// Everything that measuring one plan needs.
class PlanBenchmark {
 public:
  PlanBenchmark(const Surroundings& here, const Case& of, const Repetition& repetition);

  // Makes fields, runs there and back once, and verifies the result.
  void begin();
  // There and back.
  void warm_up();
  void run_timed();
  // From now on.
  void record_runs() { PlanAccess::body(*plan_).record_runs(); }
  Measurement found(bool with_spans) const;

 private:
  // Any real field is the transform of some spectrum, but not every half spectrum is the transform
  // of a real field. So the round trip of c2r starts from its output.
  bool starts_from_output() const { return plan_->problem().kind == Kind::c2r; }
  const Share& origin() const { return starts_from_output() ? plan_->output() : plan_->input(); }
  void* origin_data(const Fields& field) const {
    return starts_from_output() ? field.output() : field.input();
  }

  SeenArray seen(void* array, const Share& share) const {
    return {array, share.elements * share.scalar.bytes(),
            repetition_.memory.value_or(Memory::host)};
  }

  void make_fields();
  double round_trip_error();
  double error_of_runs();
  void add_copies(Measurement& found, bool is_timed) const;

  const Surroundings& here_;
  const Options& options_;
  const Repetition& repetition_;
  std::string title_;
  std::optional<AnyPlan> plan_;
  std::vector<Fields> fields_;
  std::optional<Runs> forward_, backward_;
  double plan_seconds_ = 0;
  std::optional<double> error_;
};

PlanBenchmark::PlanBenchmark(const Surroundings& here, const Case& of, const Repetition& repetition)
    : here_(here),
      options_(of.options),
      repetition_(repetition),
      title_(fmt::format("{} {} {}", to_string(of.problem.extents), kind_text(of.problem),
                         of.options.exchange)) {
  here.console.start_activity("planning " + title_);
  here.comm.barrier();
  const double began = now();
  plan_.emplace(here.comm.handle(), of.problem, of.options);
  plan_seconds_ = here.comm.max(now() - began);
}

void PlanBenchmark::make_fields() {
  fields_.reserve(static_cast<std::size_t>(repetition_.in_flight));
  for (int i = 0; i < repetition_.in_flight; ++i)
    fields_.emplace_back(here_.comm, &*plan_, options_.arrays, repetition_.memory);
  forward_.emplace(here_.comm, *plan_, fields_, true);
  backward_.emplace(here_.comm, *plan_, fields_, false);
  here_.console.start_activity("filling " + title_);
  for (const Fields& field : fields_) {
    SeenArray array = seen(origin_data(field), origin());
    fill(origin(), plan_->problem().batch, array.data());
    array.put_back();
  }
}

double PlanBenchmark::round_trip_error() {
  forward_->run();
  if (!starts_from_output()) backward_->run();
  double most = 0;
  for (const Fields& field : fields_)
    most = larger_or_nan(most, error_of(here_.comm, origin(), plan_->problem().batch,
                                        seen(origin_data(field), origin()).data()));
  if (starts_from_output()) backward_->run();
  return most;
}

// A round trip that leaves out modes or points is not the identity. So each way is compared with
// direct sums at a few points.
double PlanBenchmark::error_of_runs() {
  double most = 0;
  for (const bool backward : {starts_from_output(), !starts_from_output()}) {
    const Share& from = backward ? plan_->output() : plan_->input();
    const Share& to = backward ? plan_->input() : plan_->output();
    std::vector<std::vector<std::byte>> before;  // in place, it is overwritten
    for (const Fields& field : fields_) {
      SeenArray array = seen(backward ? field.output() : field.input(), from);
      const auto* data = static_cast<const std::byte*>(array.data());
      before.emplace_back(data, data + from.elements * from.scalar.bytes());
    }
    (backward ? backward_ : forward_)->run();
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      SeenArray array = seen(backward ? fields_[i].input() : fields_[i].output(), to);
      most = larger_or_nan(most, verify(here_.comm, plan_->problem(), backward,
                                        {from, before[i].data()}, {to, array.data()})
                                     .error);
    }
  }
  return most;
}

void PlanBenchmark::begin() {
  make_fields();
  here_.console.start_activity("running " + title_);
  if (starts_from_output()) backward_->run();
  if (repetition_.verifies)
    error_ = is_pruned(plan_->problem()) ? error_of_runs() : round_trip_error();
  if (repetition_.work_seconds > 0)
    forward_->set_work([this, calls = plan_->report().progress == Progress::by_calls] {
      work(repetition_.work_seconds, calls);
    });
}

void PlanBenchmark::warm_up() {
  for (int i = 0; i < repetition_.warmup; ++i) {
    forward_->run();
    backward_->run();
  }
}

void PlanBenchmark::run_timed() {
  forward_->run_timed();
  backward_->run_timed();
}

// What copies took, and what of it is hidden. Collective.
void PlanBenchmark::add_copies(Measurement& found, bool is_timed) const {
  const Communicator& comm = here_.comm;
  const PlanReport report = plan_->report();
  if (report.device.empty()) return;
  found.copied_bytes = comm.max(report.forward.copied_bytes);
  double mine[] = {0, 0}, all[] = {0, 0};
  bool is_known = is_timed;
  for (const auto& [runs, bytes] : {std::pair{&*forward_, report.forward.copied_bytes},
                                    {&*backward_, report.backward.copied_bytes}}) {
    const std::vector<StreamSpan> spans = runs->stream_spans();
    is_known = is_known && (bytes == 0 || !spans.empty());
    const CopyTimes times = copy_times(spans);
    mine[0] += times.seconds;
    mine[1] += times.hidden_seconds;
  }
  check_mpi(MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm.handle()), "MPI_Allreduce");
  if (comm.min(std::int64_t{is_known}) != 0 && all[0] > 0)
    found.hidden_copy_share = all[1] / all[0];
}

Measurement PlanBenchmark::found(bool with_spans) const {
  const Communicator& comm = here_.comm;
  Measurement found;
  static_cast<Setup&>(found) = setup_of(plan_->problem(), plan_->report(), options_, repetition_);
  found.plan_seconds = plan_seconds_;
  found.explanation = plan_->describe(Detail::all);
  found.workspace_bytes = comm.max(plan_->workspace_bytes());
  found.max_error = error_;
  found.forward = forward_->times();
  found.backward = backward_->times();
  found.stages = forward_->median_stages();
  found.overlap = forward_->overlap();
  found.gflops = repetition_.in_flight * flops_of(found.problem) / found.forward.median / 1e9;
  add_copies(found, with_spans);
  if (with_spans)
    for (const auto* const runs : {&*forward_, &*backward_}) runs->add_last_run(found);
  return found;
}

}  // namespace

std::vector<Measurement> measure(const Surroundings& here, const std::vector<Case>& cases,
                                 const Repetition& repetition, bool with_spans) {
  std::vector<Measurement> found;
  found.reserve(cases.size());
  const std::size_t together = repetition.in_turn ? cases.size() : 1;
  for (std::size_t first = 0; first < cases.size(); first += together) {
    std::list<PlanBenchmark> all;
    for (std::size_t i = first; i < first + together; ++i)
      all.emplace_back(here, cases[i], repetition);
    for (PlanBenchmark& one : all) {
      one.begin();
      if (with_spans) one.record_runs();
    }
    for (int turn = 0; turn < repetition.repeat; ++turn)
      for (PlanBenchmark& one : all) {
        // Others have used the caches since its last run.
        if (turn == 0 || together > 1) one.warm_up();
        one.run_timed();
      }
    for (const PlanBenchmark& one : all) found.push_back(one.found(with_spans));
  }
  return found;
}

}  // namespace weft::cli

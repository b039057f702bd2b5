// cli/bench/density: runs and times an ensemble, each instance of which proceeds independently.

#include "weft/cli/bench/density.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>
#include <set>

#include "weft/any_ensemble.hpp"
#include "weft/base/trace.hpp"
#include "weft/cli/bench/rows.hpp"
#include "weft/cli/bench/waves.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/comm/nodes.hpp"

namespace weft::cli {

namespace {

// Calls visit(pointer to the first value, global index of its point, points) for every row.
template <class Visit>
void for_each_complex_row(const Share& share, void* data, const Visit& visit) {
  const auto as = [&](auto* values) {
    for_each_row(share, 1, [&](std::int64_t element, std::int64_t index, std::int64_t points) {
      visit(values + element, index, points);
    });
  };
  if (share.scalar.precision == Precision::single_precision)
    as(static_cast<std::complex<float>*>(data));
  else
    as(static_cast<std::complex<double>*>(data));
}

// Calls visit(value, value of `spectrum`) for every point of the share.
template <class Visit>
void for_each_coefficient(const Share& share, const Spectrum& spectrum, void* data,
                          const Visit& visit) {
  for_each_complex_row(share, data, [&](auto* values, std::int64_t index, std::int64_t points) {
    auto next = spectrum.lower_bound(index);
    for (std::int64_t i = 0; i < points; ++i) {
      const bool is_known = next != spectrum.end() && next->first == index + i;
      visit(values[i], is_known ? (next++)->second : std::complex<double>());
    }
  });
}

// Sets `largest` to `value` if that is larger, or not a number.
void keep_larger(double& largest, double value) { largest = larger_or_nan(largest, value); }

// One instance on this rank. The rank may have no part in it.
class Instance {
 public:
  Instance(const Communicator& comm, AnyEnsemble& ensemble, int number, const Extents& extents)
      : ensemble_(ensemble),
        number_(number),
        is_mine_(ensemble.is_mine(number)),
        fields_(comm, is_mine_ ? &ensemble.plan(number) : nullptr, Arrays::of_weft),
        waves_(extents, number) {}
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void fill() {
    if (is_mine_)
      for_each_coefficient(plan().output(), waves_.field, fields_.output(),
                           [](auto& value, std::complex<double> expected) {
                             value = std::remove_reference_t<decltype(value)>(expected);
                           });
  }

  /// Starts the first transform. Its ticket's callback computes the density and starts the second.
  void start() {
    if (!is_mine_) return;
    began_ = now();
    to_real_space_ = ensemble_.start_backward(number_, fields_.output(), fields_.input());
    to_real_space_.then([this] {
      square();
      back_ = ensemble_.start_forward(number_, fields_.input(), fields_.output());
      back_.then([this] { seconds_ = now() - began_; });
    });
  }
  void wait() {
    to_real_space_.wait();
    back_.wait();
  }

  double seconds() const { return seconds_; }
  /// The sum of the density over this rank's points.
  double density_sum() const { return density_sum_; }
  const Waves& waves() const { return waves_; }

  /// The error of the density's spectrum on this rank, relative to its largest value.
  double error() {
    double most = 0;
    if (is_mine_)
      for_each_coefficient(plan().output(), waves_.density, fields_.output(),
                           [&](auto value, std::complex<double> expected) {
                             keep_larger(most, std::abs(std::complex<double>(value) - expected));
                           });
    return most / waves_.density_sum();
  }

 private:
  AnyPlan& plan() { return ensemble_.plan(number_); }

  void square() {
    density_sum_ = 0;
    for_each_complex_row(plan().input(), fields_.input(),
                         [&](auto* values, std::int64_t, std::int64_t points) {
                           double sum = 0;
                           for (std::int64_t i = 0; i < points; ++i) {
                             values[i] = std::norm(values[i]);
                             sum += static_cast<double>(values[i].real());
                           }
                           density_sum_ += sum;
                         });
  }

  AnyEnsemble& ensemble_;
  int number_;
  bool is_mine_;
  Fields fields_;
  Waves waves_;
  Ticket to_real_space_, back_;
  double began_ = 0, seconds_ = 0, density_sum_ = 0;
};

// Runs all instances repeatedly.
class DensityRuns {
 public:
  DensityRuns(const Communicator& comm, AnyEnsemble& ensemble, const Extents& extents)
      : comm_(comm) {
    for (int i = 0; i < ensemble.size(); ++i) instances_.emplace_back(comm, ensemble, i, extents);
  }

  /// Runs all instances once. Collective.
  void run() {
    for (Instance& instance : instances_) instance.fill();
    comm_.barrier();
    const double began = now();
    const std::optional<Error> failure = run_on_this_rank();
    const bool all_have_ended = reduce(failure.has_value());
    completion_ = comm_.max(now() - began);
    if (!all_have_ended) throw_together(comm_, failure);

    average_ = 0;
    for (std::size_t i = 0; i < instances_.size(); ++i) {
      average_ += comm_.max(instances_[i].seconds()) / static_cast<double>(instances_.size());
      const double expected = instances_[i].waves().density_sum();
      keep_larger(sum_error_, std::abs(density_sums_[i] - expected) / expected);
    }
  }
  void run_timed() {
    run();
    completions_.push_back(completion_);
    averages_.push_back(average_);
  }

  Times completion() const { return times_of(completions_); }
  Times average() const { return times_of(averages_); }
  /// The largest error of the sums of all densities so far, and of their spectra in the last run.
  /// Collective.
  double error() {
    double most = sum_error_;
    for (Instance& instance : instances_) most = larger_or_nan(most, instance.error());
    return comm_.max(most);
  }

 private:
  // Returns the error that stopped this rank, if any.
  std::optional<Error> run_on_this_rank() {
    try {
      for (Instance& instance : instances_) instance.start();
      for (Instance& instance : instances_) instance.wait();
    } catch (const Error& error) {
      return error;
    } catch (const std::exception& error) {
      return Error(Error::system, error.what());
    }
    return {};
  }

  // Sums the densities over all ranks. Returns whether no rank has failed, which is part of the
  // same reduction.
  bool reduce(bool has_failed) {
    density_sums_.clear();
    for (const Instance& instance : instances_) density_sums_.push_back(instance.density_sum());
    density_sums_.push_back(has_failed ? 1 : 0);
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, density_sums_.data(), narrow(std::ssize(density_sums_)),
                            MPI_DOUBLE, MPI_SUM, comm_.handle()),
              "MPI_Allreduce");
    return density_sums_.back() == 0;
  }

  const Communicator& comm_;
  std::deque<Instance> instances_;  // whose addresses must not change
  std::vector<double> density_sums_, completions_, averages_;
  double completion_ = 0, average_ = 0, sum_error_ = 0;
};

int number_of_subsets(const AnyEnsemble& ensemble) {
  std::set<std::vector<int>> subsets;
  for (int i = 0; i < ensemble.size(); ++i) subsets.insert(ensemble.ranks(i));
  return static_cast<int>(subsets.size());
}

// Describes the ensemble: the strategy of the first instance, in which rank 0 has a part, and
// maxima over all ranks. Collective.
DensityMeasurement described(const Communicator& comm, AnyEnsemble& ensemble,
                             const Problem& problem, const Options& options,
                             const Repetition& repetition) {
  std::string strategy, progress;
  std::int64_t workspace_bytes = 0, threads = 1;
  for (int i = 0; i < ensemble.size(); ++i) {
    if (!ensemble.is_mine(i)) continue;
    const AnyPlan& plan = ensemble.plan(i);
    if (strategy.empty()) {
      strategy = plan.strategy();
      progress = to_string(plan.report().progress);
    }
    workspace_bytes += plan.workspace_bytes();
    threads = std::max(threads, std::int64_t{plan.threads()});
  }
  DensityMeasurement found;
  PlanReport report;
  report.strategy = comm.broadcast(strategy, 0);
  report.engine = parse_strategy(report.strategy).engine;
  report.progress = parse_progress(comm.broadcast(progress, 0));
  report.machine.ranks = comm.size();
  report.machine.nodes =
      Machine{comm.size(), nodes_of_ranks(comm, options.pretend.node_sizes)}.nodes();
  report.machine.threads_of_rank = {static_cast<int>(comm.max(threads))};
  static_cast<Setup&>(found) = setup_of(validated(problem), report, options, repetition);
  found.workspace_bytes = comm.max(workspace_bytes);
  found.instances = {ensemble.size(), ensemble.form()};
  found.subsets = number_of_subsets(ensemble);
  return found;
}

}  // namespace

DensityMeasurement measure_density(const Surroundings& here, const Problem& problem,
                                   const Options& options, const Repetition& repetition,
                                   const Instances& instances) {
  const Communicator& comm = here.comm;
  const std::string what =
      fmt::format("{} instances of {}", instances.count, to_string(problem.extents));
  here.console.start_activity("planning " + what);
  comm.barrier();
  const double began = now();
  AnyEnsemble ensemble(comm.handle(),
                       std::vector<Problem>(static_cast<std::size_t>(instances.count), problem),
                       instances.policy, options);
  const double plan_seconds = comm.max(now() - began);
  DensityMeasurement found = described(comm, ensemble, problem, options, repetition);
  found.plan_seconds = plan_seconds;

  here.console.start_activity("running " + what);
  DensityRuns runs(comm, ensemble, problem.extents);
  for (int i = 0; i < repetition.warmup; ++i) runs.run();
  for (int i = 0; i < repetition.repeat; ++i) runs.run_timed();
  if (repetition.verifies) found.max_error = runs.error();
  found.completion = runs.completion();
  found.average = runs.average();
  found.gflops = 2 * instances.count * flops_of(found.problem) / found.completion.median / 1e9;
  return found;
}

}  // namespace weft::cli

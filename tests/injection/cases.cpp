// injection/cases: drawing, running and checking them.

#include "injection/cases.hpp"

#include <unistd.h>

#include <exception>
#include <optional>
#include <vector>

#include "injection/events.hpp"
#include "support/check_plan.hpp"
#include "weft/choose/checked_options.hpp"
#include "weft/run/delay.hpp"

namespace weft::test {

namespace {

// An exception that is no std::exception, as an application's function may throw one.
struct Surprise {};
struct CallbackSurprise {};

void step_of_a_run(Late) {
  if (fails(run_step)) throw Surprise();
}

int place_piece(const Dims& grid, const Dims& piece, int ranks) {
  if (fails(placement)) throw Surprise();
  return static_cast<int>(ProcessGrid{grid}.piece(piece) % ranks);
}

void draw_options(Case& drawn, Dice& dice) {
  Options& options = drawn.options;
  options.engine = "fftw";
  options.effort = Effort::estimate;
  options.threads = dice.chance(20) ? 2 : 1;
  options.in_flight = static_cast<int>(dice.between(1, 2));
  options.progress =
      dice.pick<Progress>({Progress::by_calls, Progress::by_tiles, Progress::by_thread});
  options.chunks = static_cast<int>(dice.between(0, 3));
  options.pretend.node_sizes = dice.pick<std::vector<int>>({{}, {1}, {2}, {3}, {1, 2}});
  options.exchange =
      dice.pick<std::string>({"", "", "node", "node", "p2p", "alltoallv", "alltoallw"});
  if (!dice.chance(15)) return;
  const int ranks = drawn.ranks;
  options.placement = {
      0, [ranks](const Dims& grid, const Dims& piece) { return place_piece(grid, piece, ranks); }};
}

// The arrays of one instance, and its reference.
struct Subject {
  AnyPlan* plan;
  std::optional<GuardedArray> from, to;
  std::byte* source() { return from->data(); }
  std::byte* target() { return to ? to->data() : from->data(); }
};

// Whether `mine` holds on all ranks: what an application has to ask where weft's call is not
// collective.
bool on_all(MPI_Comm comm, bool mine) {
  int all = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
  return all != 0;
}

class Run {
 public:
  Run(const Case& of, MPI_Comm comm, std::uint64_t seed)
      : case_(of), comm_(comm), reference_(validated(of.problem), seed) {}

  Outcome run() {
    try {
      make_plans();
      make_arrays();
      outcome_.stage = Outcome::running;
      for (int round = 0; round < 2 && outcome_.wrong.empty(); ++round) {
        fill();
        step(true);
        step(false);
      }
      outcome_.stage = Outcome::done;
    } catch (const std::exception& error) {
      outcome_.error = error.what();
    } catch (...) {
      outcome_.error = "what was thrown is no std::exception";
    }
    // After a failed run MPI may still read and write the arrays that it was given.
    static auto& kept = *new std::vector<std::vector<Subject>>;
    if (outcome_.stage == Outcome::running) kept.push_back(std::move(subjects_));
    return outcome_;
  }

 private:
  void make_plans() {
    const Watch watch;
    if (case_.instances == 0) {
      plan_.emplace(comm_, case_.problem, case_.options);
      return;
    }
    ensemble_.emplace(
        comm_, std::vector<Problem>(static_cast<std::size_t>(case_.instances), case_.problem),
        EnsemblePolicy(), case_.options);
  }

  void make_arrays() {
    std::string error;
    try {
      const Watch watch;
      if (plan_) add(*plan_);
      for (int i = 0; ensemble_ && i < ensemble_->size(); ++i)
        if (ensemble_->is_mine(i)) add(ensemble_->plan(i));
    } catch (const std::exception& thrown) {
      error = thrown.what();
    }
    if (!on_all(comm_, error.empty()))
      throw std::runtime_error("an array cannot be made: " + error);
  }

  void add(AnyPlan& plan) {
    const Arrays arrays = case_.takes_any_array ? Arrays::any : Arrays::of_weft;
    const Share &in = plan.input(), &out = plan.output();
    Subject& subject = subjects_.emplace_back();
    subject.plan = &plan;
    subject.from.emplace(plan, arrays, in.elements * in.scalar.bytes());
    if (!plan.problem().in_place)
      subject.to.emplace(plan, arrays, out.elements * out.scalar.bytes());
  }

  void fill() {
    for (Subject& subject : subjects_)
      for_each_point(subject.plan->input(), 1, [&](std::int64_t f, const Dims& at, std::int64_t e) {
        put(subject.source(), subject.plan->input().scalar, e,
            reference_.space[static_cast<std::size_t>(f)][at]);
      });
  }

  // An instance of an ensemble may fail on ranks that others share another instance with. Only the
  // application can tell those.
  void step(bool forward) {
    const ErrorRecord error = record_of([&] { transform(forward); });
    if (case_.instances > 0 && !on_all(comm_, !error.has_error()) && !error.has_error())
      throw std::runtime_error("an instance has failed on another rank");
    if (error.has_error()) throw error.error();
    check(forward);
  }

  // A callback that throws is told by the ticket of its own rank, and ends nothing.
  void transform(bool forward) {
    int failed = 0;
    std::vector<Ticket> tickets;
    tickets.reserve(subjects_.size());
    const Watch watch;
    // A rank that fails goes on to start what the other ranks start, as they would wait for it.
    std::exception_ptr first;
    for (Subject& subject : subjects_) try {
        std::byte* const from = forward ? subject.source() : subject.target();
        std::byte* const to = forward ? subject.target() : subject.source();
        tickets.push_back(forward ? subject.plan->start_forward(from, to)
                                  : subject.plan->start_backward(from, to));
        if (case_.sets_callbacks_late) usleep(3000);
        if (case_.has_callbacks)
          tickets.back().then([] {
            if (fails(callback)) throw CallbackSurprise();
          });
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    for (Ticket& ticket : tickets) try {
        ticket.wait();
      } catch (const CallbackSurprise&) {
        ++failed;
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    if (first) std::rethrow_exception(first);
    outcome_.callbacks_failed += failed;
  }

  void check(bool forward) {
    for (Subject& subject : subjects_) {
      const Share& share = forward ? subject.plan->output() : subject.plan->input();
      const auto& expected = forward ? reference_.spectrum : reference_.space;
      std::byte* const data = forward ? subject.target() : subject.source();
      for_each_point(share, 1, [&](std::int64_t f, const Dims& at, std::int64_t e) {
        const Wide want = expected[static_cast<std::size_t>(f)][at];
        const Wide got = get(data, share.scalar, e);
        if (!(std::abs(got - want) < 1e-9L))
          outcome_.wrong = fmt::format(
              "{} at {}: {}{:+}i instead of {}{:+}i", forward ? "forward" : "backward",
              to_string(at), static_cast<double>(got.real()), static_cast<double>(got.imag()),
              static_cast<double>(want.real()), static_cast<double>(want.imag()));
      });
      if (!subject.from->intact() || (subject.to && !subject.to->intact()))
        outcome_.wrong = "memory around an array was written";
    }
  }

  const Case& case_;
  MPI_Comm comm_;
  Reference reference_;
  Outcome outcome_;
  std::optional<AnyPlan> plan_;
  std::optional<AnyEnsemble> ensemble_;
  std::vector<Subject> subjects_;
};

}  // namespace

std::string Case::text() const {
  return fmt::format("{} ranks, {}, {}{}{}{}{}", ranks, to_string(problem), to_string(options),
                     instances > 0 ? fmt::format(", {} instances", instances) : "",
                     takes_any_array ? ", any arrays" : "", has_callbacks ? ", callbacks" : "",
                     sets_callbacks_late ? ", set late" : "");
}

Case draw_case(std::uint64_t seed, int most, bool on_nodes) {
  Dice dice(seed * 101 + 17);
  Case drawn;
  drawn.ranks = static_cast<int>(dice.between(2, most));
  drawn.problem.extents =
      dice.pick<Extents>({{6, 4, 5}, {8, 6, 4}, {9, 12}, {5, 7, 3}, {30}, {4, 4, 4, 2}});
  if (dice.chance(30)) drawn.problem.output.form = Distribution::same;
  drawn.problem.in_place = dice.chance(35);
  draw_options(drawn, dice);
  drawn.instances = dice.chance(20) ? static_cast<int>(dice.between(2, 3)) : 0;
  if (drawn.instances > 0) drawn.options.placement = {};
  drawn.takes_any_array = dice.chance(50);
  drawn.has_callbacks = dice.chance(25);
  drawn.sets_callbacks_late = drawn.has_callbacks && dice.chance(50);
  if (!on_nodes) return drawn;
  drawn.ranks = 2 * static_cast<int>(dice.between(1, most / 2));
  drawn.problem.extents = {8, 6, 4};
  drawn.options.pretend.node_sizes = {2};
  drawn.options.exchange = "node";
  drawn.options.placement = {};
  drawn.instances = 0;
  return drawn;
}

Outcome run_case(const Case& of, MPI_Comm comm, std::uint64_t seed) {
  late_hook = step_of_a_run;
  Outcome outcome = Run(of, comm, seed).run();
  late_hook = nullptr;
  return outcome;
}

}  // namespace weft::test

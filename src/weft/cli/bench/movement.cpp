// cli/bench/movement: runs Reshape and Halo on points whose values tell where they belong.

#include "weft/cli/bench/movement.hpp"

#include <cmath>
#include <functional>

#include "weft/base/trace.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/halo.hpp"
#include "weft/problem/validated.hpp"
#include "weft/reshape.hpp"

namespace weft::cli {

namespace {

// The boxes of one side on this rank, and the points around them that are visited.
struct Points {
  std::vector<Box> boxes;
  UserArray array;
  std::int64_t around = 0;
};

// Calls visit(box, at, element) for every point, which may lie outside of the grid.
template <class Visit>
void for_each_point(const Points& points, const Visit& visit) {
  for (std::size_t i = 0; i < points.boxes.size(); ++i) {
    const Box& box = points.boxes[i];
    const Dims& strides = points.array.layouts[i].strides;
    const int axes = box.axes();
    Dims at = box.lo;
    std::int64_t element = points.array.offsets[i];
    for (int a = 0; a < axes; ++a) {
      at[a] -= points.around;
      element -= points.around * strides[a];
    }
    for (int a = 0; a >= 0;) {
      visit(box, at, element);
      for (a = axes - 1; a >= 0; --a) {
        element += strides[a];
        if (++at[a] < box.hi[a] + points.around) break;
        const std::int64_t length = box.extent(a) + 2 * points.around;
        element -= length * strides[a];
        at[a] -= length;
      }
    }
  }
}

// A value that few other points have. Integers that also float holds exactly.
double value_at(Dims at, const Extents& extents) {
  double value = 1;
  for (int a = 0; a < at.size(); ++a) {
    const std::int64_t n = extents[a];
    value = std::fmod(value * 1021 + static_cast<double>(((at[a] % n) + n) % n), 8388593.0);
  }
  return value;
}

template <class Real>
void fill_as(const Points& points, const Extents& extents, std::int64_t numbers, void* data) {
  for_each_point(points, [&](const Box& box, const Dims& at, std::int64_t element) {
    auto* const to = static_cast<Real*>(data) + element * numbers;
    // Ghost points have another value before they are filled.
    const double value = box.contains(at) ? value_at(at, extents) : -1;
    for (std::int64_t i = 0; i < numbers; ++i) to[i] = static_cast<Real>(value);
  });
}

// 1 if a point has a wrong value, else 0: values are moved, and have no other errors.
template <class Real>
double error_as(const Points& points, const Extents& extents, std::int64_t numbers,
                const void* data) {
  double worst = 0;
  for_each_point(points, [&](const Box&, const Dims& at, std::int64_t element) {
    const auto* const from = static_cast<const Real*>(data) + element * numbers;
    for (std::int64_t i = 0; i < numbers; ++i)
      if (from[i] != static_cast<Real>(value_at(at, extents))) worst = 1;
  });
  return worst;
}

// How the points of one case are moved once, and compared.
struct Movement {
  const AnyPlan& plan;
  std::function<void()> run;
  std::function<void()> fill;
  std::function<double()> error;
};

MovementMeasurement measured(const Surroundings& here, const Problem& problem,
                             const Options& options, const Repetition& repetition,
                             double plan_seconds, const Movement& movement) {
  const Communicator& comm = here.comm;
  MovementMeasurement found;
  static_cast<Setup&>(found) = setup_of(problem, movement.plan.report(), options, repetition);
  found.plan_seconds = plan_seconds;
  found.workspace_bytes = comm.max(movement.plan.workspace_bytes());
  found.error_limit = 0;
  movement.fill();
  for (int i = 0; i < repetition.warmup; ++i) movement.run();
  if (repetition.verifies) {
    movement.run();
    found.max_error = comm.max(movement.error());
  }
  std::vector<double> seconds;
  for (int i = 0; i < repetition.repeat; ++i) {
    comm.barrier();
    const double begin = now();
    movement.run();
    seconds.push_back(comm.max(now() - begin));
  }
  found.seconds = times_of(seconds);
  std::int64_t bytes = 0;
  for (const StageReport& stage : movement.plan.report().forward.stages) bytes += stage.bytes;
  found.bytes = comm.max(bytes);
  return found;
}

// Calls body(Real()) for the type of the problem's numbers.
template <class Body>
auto with_real(const Problem& problem, const Body& body) {
  if (problem.precision == Precision::single_precision) return body(float());
  return body(double());
}

Distribution or_else(Distribution distribution, Distribution::Form form) {
  if (distribution.form == Distribution::free) distribution.form = form;
  return distribution;
}

Json json_of(const MovementMeasurement& m) {
  Json all = head_of(m);
  all.update({{"workload", m.workload},
              {"ghosts", m.ghosts},
              {"seconds", json_of(m.seconds)},
              {"bytes", m.bytes}});
  all.update(tail_of(m));
  return all;
}

}  // namespace

MovementMeasurement measure_reshape(const Surroundings& here, const Problem& problem,
                                    const Options& options, const Repetition& repetition) {
  const Scalar scalar = problem.input_scalar();
  const std::int64_t numbers = scalar.is_complex ? 2 : 1;
  here.console.start_activity("planning " + to_string(problem.extents) + " reshape");
  const double began = now();
  AnyReshape reshape(here.comm.handle(), problem.extents, scalar.bytes(),
                     or_else(problem.input, Distribution::slab),
                     or_else(problem.output, Distribution::pencil), options);
  const double plan_seconds = here.comm.max(now() - began);
  const auto from = reshape.allocate(reshape.from_elements());
  const auto to = reshape.allocate(reshape.to_elements());
  const Points source{reshape.from_boxes(), UserArray::of(reshape.from_boxes(), {}, 1)};
  const Points target{reshape.to_boxes(), UserArray::of(reshape.to_boxes(), {}, 1)};
  here.console.start_activity("running " + to_string(problem.extents) + " reshape");
  MovementMeasurement found = with_real(problem, [&](auto real) {
    using Real = decltype(real);
    return measured(here, problem, options, repetition, plan_seconds,
                    {reshape.plan(), [&] { reshape.forward(from.get(), to.get()); },
                     [&] { fill_as<Real>(source, problem.extents, numbers, from.get()); },
                     [&] { return error_as<Real>(target, problem.extents, numbers, to.get()); }});
  });
  found.workload = "reshape";
  return found;
}

MovementMeasurement measure_halo(const Surroundings& here, const Problem& problem,
                                 const Options& options, const Repetition& repetition,
                                 std::int64_t ghosts) {
  const Scalar scalar = problem.input_scalar();
  const std::int64_t numbers = scalar.is_complex ? 2 : 1;
  Distribution distribution = or_else(problem.input, Distribution::brick);
  const Dims width = Dims::filled(problem.extents.size(), ghosts);
  distribution.storage = Storage::with_ghosts(width, width);
  here.console.start_activity("planning " + to_string(problem.extents) + " halo");
  const double began = now();
  AnyHalo halo(here.comm.handle(), problem.extents, scalar.bytes(), distribution, Periodic::all(),
               options);
  const double plan_seconds = here.comm.max(now() - began);
  const auto array = halo.allocate();
  const Points points{halo.boxes(), halo.array(), ghosts};
  here.console.start_activity("running " + to_string(problem.extents) + " halo");
  MovementMeasurement found = with_real(problem, [&](auto real) {
    using Real = decltype(real);
    return measured(
        here, problem, options, repetition, plan_seconds,
        {halo.plan(), [&] { halo.exchange(array.get()); },
         [&] { fill_as<Real>(points, problem.extents, numbers, array.get()); },
         [&] { return error_as<Real>(points, problem.extents, numbers, array.get()); }});
  });
  found.workload = "halo";
  found.ghosts = ghosts;
  return found;
}

std::string table_of(const std::vector<MovementMeasurement>& measurements) {
  std::vector<std::vector<std::string>> rows{{"problem", "workload", "exchange", "ghosts", "ranks",
                                              "threads", "plan ms", "ms", "min", "max", "MB sent",
                                              "error", "work MB/rank"}};
  for (const MovementMeasurement& m : measurements)
    rows.push_back({title(m), m.workload, m.exchange, std::to_string(m.ghosts),
                    std::to_string(m.ranks), std::to_string(m.threads),
                    milliseconds(m.plan_seconds), milliseconds(m.seconds.median),
                    milliseconds(m.seconds.min), milliseconds(m.seconds.max), megabytes(m.bytes),
                    error_text(m), megabytes(m.workspace_bytes)});
  std::string text = aligned(rows, 3);
  text += fmt::format(
      "times are those of the slowest rank, medians of {} runs; MB sent: to other ranks, by the "
      "rank "
      "that sends most; error: 1 if any point has a wrong value\n",
      measurements.front().repetition.repeat);
  for (const MovementMeasurement& m : measurements)
    text += fmt::format("  strategy: {}\n", m.strategy);
  text.pop_back();
  return text;
}

std::string json_of(const std::vector<MovementMeasurement>& measurements) {
  Json all = Json::array();
  for (const MovementMeasurement& m : measurements) all.push_back(json_of(m));
  return json_text(all, 1) + "\n";
}

}  // namespace weft::cli

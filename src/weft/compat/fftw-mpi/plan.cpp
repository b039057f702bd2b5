// compat/fftw-mpi/plan: says in weft's terms what FFTW-MPI is asked for.

#include "weft/compat/fftw-mpi/plan.hpp"

#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "weft/compat/fftw-mpi/blocks.hpp"
#include "weft/compat/fftw-mpi/original.hpp"
#include "weft/shared_plan.hpp"

namespace weft::compat::fftw {

namespace {

constexpr char tag = 0;

constexpr unsigned scrambled = FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT;
constexpr unsigned transposed = FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT;

bool is_halved(Task task) { return task == Task::r2c || task == Task::c2r; }

// One side of a plan: the axis that is divided, into blocks of how many points, and whether the
// first two axes are exchanged in memory.
struct Side {
  Extents extents;
  int axis = 0;
  std::int64_t block = 1;
  bool is_exchanged = false;
  std::int64_t padding = 0;  // of rows
};
struct Sides {
  Side in, out;
};

std::optional<Sides> sides_of_one_axis(const Request& request, int ranks) {
  if (is_halved(request.task) || (request.flags & transposed) != 0) return {};
  if (request.task == Task::r2r && (request.flags & scrambled) != 0) return {};
  OneAxis one{request.n[0], request.howmany, request.block_in, request.block_out, request.sign};
  one.is_scrambled_in = (request.flags & FFTW_MPI_SCRAMBLED_IN) != 0;
  one.is_scrambled_out = (request.flags & FFTW_MPI_SCRAMBLED_OUT) != 0;
  if (request.task == Task::r2r)
    one.howmany = std::max<std::int64_t>(one.howmany, ranks);  // as asked
  const auto axis = blocks_of_plan(one, ranks);
  if (!axis) return {};
  return Sides{{{axis->n}, 0, axis->in}, {{axis->n}, 0, axis->out}};
}

// A field of n, divided along its second axis, if it is transposed, else along its first.
Side side_of(const Extents& n, bool is_transposed, std::int64_t block, int ranks) {
  Side side{n, is_transposed ? 1 : 0, block, is_transposed};
  if (block == 0) side.block = default_block(n[side.axis], ranks);
  return side;
}

bool fits(const Side& side, int ranks) {
  return blocks(side.extents[side.axis], side.block) <= ranks;
}

// Nothing where FFTW has no such plan.
std::optional<Sides> sides_of(const Request& request, int ranks) {
  if (request.n.empty() || request.howmany < 0 || request.block_in < 0 || request.block_out < 0)
    return {};
  if (std::any_of(request.n.begin(), request.n.end(), [](auto points) { return points < 1; }))
    return {};
  if (request.n.size() == 1) return sides_of_one_axis(request, ranks);
  if ((request.flags & scrambled) != 0) return {};
  const bool in = (request.flags & FFTW_MPI_TRANSPOSED_IN) != 0,
             out = (request.flags & FFTW_MPI_TRANSPOSED_OUT) != 0;
  if ((request.task == Task::r2c && in) || (request.task == Task::c2r && out)) return {};
  Extents extents, half;
  for (const auto points : request.n) extents.push_back(points);
  half = extents;
  half.back() = half.back() / 2 + 1;
  const bool is_transpose = request.task == Task::transpose;
  Sides sides{side_of(request.task == Task::c2r ? half : extents, in && !is_transpose,
                      request.block_in, ranks),
              side_of(request.task == Task::r2c ? half : extents, out || is_transpose,
                      request.block_out, ranks)};
  if (!fits(sides.in, ranks) || !fits(sides.out, ranks)) return {};
  // A transpose divides the rows of its input and the columns of its output, whose rows they are;
  // the flags say how they lie.
  if (is_transpose) {
    sides.in.is_exchanged = in;
    sides.out.is_exchanged = !out;
  }
  if (request.task == Task::r2c) sides.in.padding = 2 * half.back() - extents.back();
  if (request.task == Task::c2r) sides.out.padding = 2 * half.back() - extents.back();
  return sides;
}

Distribution distribution_of(const Side& side, std::int64_t howmany, int rank) {
  Box box = Box::whole(side.extents);
  const Part mine = part(side.extents[side.axis], side.block, rank);
  box.set(side.axis, {mine.start, mine.start + mine.n});
  Distribution distribution =
      Distribution::of_my_boxes(box.empty() ? std::vector<Box>{} : std::vector<Box>{box});
  const int axes = side.extents.size();
  if (side.is_exchanged) {
    for (int axis = 0; axis < axes; ++axis) distribution.storage.order.push_back(axis);
    std::swap(distribution.storage.order[0], distribution.storage.order[1]);
  }
  if (side.padding > 0) {
    distribution.storage.after = Dims::filled(axes, 0);
    distribution.storage.after.back() = side.padding;
  }
  distribution.storage.interleaves_batch = howmany > 1;
  return distribution;
}

// A transpose moves elements of `howmany` real numbers: these become complex numbers where they
// can, and an axis of these.
void move_tuples(Problem& problem, Sides& sides, std::int64_t& howmany) {
  problem.axes = Axes::none();
  problem.kind = howmany % 2 == 0 ? Kind::c2c : Kind::r2r;
  const std::int64_t numbers = howmany % 2 == 0 ? howmany / 2 : howmany;
  howmany = 1;
  if (numbers == 1) return;
  problem.extents.push_back(numbers);
  sides.in.extents.push_back(numbers);
  sides.out.extents.push_back(numbers);
}

// Forward has the minus sign; the other one is the way back of the problem whose sides are
// exchanged.
bool runs_backward(const Request& request) { return request.task == Task::c2c && request.sign > 0; }

Problem problem_of(const Request& request, Sides sides, int rank) {
  Problem problem;
  for (const auto points : request.n) problem.extents.push_back(points);
  problem.precision = request.precision;
  problem.norm = Norm::none;
  std::int64_t howmany = request.howmany;
  switch (request.task) {
    case Task::c2c:
      problem.kind = Kind::c2c;
      break;
    case Task::r2c:
      problem.kind = Kind::r2c;
      break;
    case Task::c2r:
      problem.kind = Kind::c2r;
      break;
    case Task::r2r:
      problem.kind = Kind::r2r;
      problem.bases = request.bases;
      break;
    case Task::transpose:
      move_tuples(problem, sides, howmany);
      break;
  }
  problem.batch = howmany;
  problem.input = distribution_of(sides.in, howmany, rank);
  problem.output = distribution_of(sides.out, howmany, rank);
  if (runs_backward(request)) std::swap(problem.input, problem.output);
  return problem;
}

// Planning writes to no array, so the flags only say how long it may look.
Options options_of(const Request& request) {
  Options options;
  options.effort = (request.flags & FFTW_ESTIMATE) != 0     ? Effort::estimate
                   : (request.flags & FFTW_EXHAUSTIVE) != 0 ? Effort::tune
                                                            : Effort::measure;
  options.arrays = Arrays::any;
  const bool is_double = request.precision == Precision::double_precision;
  if (const auto threads =
          original_of<int()>(is_double ? "fftw_planner_nthreads" : "fftwf_planner_nthreads"))
    if (const int asked = threads(); asked > 1) options.threads = asked;
  return options;
}

// Ranks without points pass any pointers.
bool is_in_place(const Request& request, const Problem& problem) {
  const bool has_points = !problem.input.my_boxes().empty() || !problem.output.my_boxes().empty();
  int is_same = has_points && request.in == request.out ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_same, 1, MPI_INT, MPI_MAX, request.comm);
  return is_same != 0;
}

std::string text_of(const Request& request, const AnyPlan& plan) {
  constexpr const char* tasks[] = {"dft", "dft-r2c", "dft-c2r", "r2r", "transpose"};
  std::string text = std::string("(weft-mpi-") + tasks[static_cast<int>(request.task)] + " ";
  for (std::size_t axis = 0; axis < request.n.size(); ++axis)
    text += (axis > 0 ? "x" : "") + std::to_string(request.n[axis]);
  if (request.howmany != 1) text += " howmany " + std::to_string(request.howmany);
  return text + (runs_backward(request) ? " backward" : "") + " \"" + to_string(plan.strategy()) +
         "\")";
}

Operations operations_of(const Request& request, int ranks) {
  if (request.task == Task::transpose) return {};
  double points = 1;
  for (const auto extent : request.n) points *= static_cast<double>(extent);
  const double all = 5 * points * std::log2(std::max(points, 2.0)) *
                     static_cast<double>(request.howmany) /
                     (request.task == Task::c2c ? ranks : 2 * ranks);
  return {0.6 * all, 0.4 * all};
}

}  // namespace

struct Plan {
  const void* tag;
  const char* function;
  void *in, *out;
  bool is_backward;
  std::shared_ptr<AnyPlan> transform;  // none: no field
  std::string text;
  Operations operations;
};

namespace {

std::unique_ptr<Plan> plan_of(const Request& request) {
  const char* const destroys =
      request.precision == Precision::double_precision ? "fftw_destroy_plan" : "fftwf_destroy_plan";
  if (const char* const file = taken_by(destroys); request.needs_order && *file != 0)
    throw Error(Error::unsupported,
                std::string("plans of weft would be given to the functions of ") + file,
                "link weft_fftw_mpi before FFTW's libraries");
  int rank = 0, ranks = 1;
  MPI_Comm_rank(request.comm, &rank);
  MPI_Comm_size(request.comm, &ranks);
  const auto sides = sides_of(request, ranks);
  if (!sides || (request.flags & FFTW_WISDOM_ONLY) != 0) return nullptr;
  auto plan = std::unique_ptr<Plan>(new Plan{
      &tag, request.function, request.in, request.out, runs_backward(request), {}, {}, {}});
  if (request.howmany == 0) return plan;
  Problem problem = problem_of(request, *sides, rank);
  problem.in_place = is_in_place(request, problem);
  plan->transform = shared_plan(request.comm, problem, options_of(request));
  plan->text = text_of(request, *plan->transform);
  plan->operations = operations_of(request, ranks);
  return plan;
}

}  // namespace

Plan* make_plan(const Request& request) noexcept {
  try {
    return plan_of(request).release();
  } catch (const std::exception& error) {
    say(request.comm, request.function, error.what());
    return nullptr;
  }
}

Plan* own(const void* plan) {
  if (plan == nullptr || *static_cast<const void* const*>(plan) != &tag) return nullptr;
  return static_cast<Plan*>(const_cast<void*>(plan));
}

void destroy(Plan* plan) noexcept {
  plan->tag = nullptr;
  delete plan;
}

void run(Plan& plan) noexcept { run(plan, plan.in, plan.out); }

void run(Plan& plan, void* in, void* out) noexcept {
  if (!plan.transform) return;
  try {
    if (plan.is_backward)
      plan.transform->backward(in, out);
    else
      plan.transform->forward(in, out);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "weft: a plan of %s on rank %d: %s\n", plan.function,
                 plan.transform->rank(), error.what());
    MPI_Abort(plan.transform->comm(), 1);
  }
}

const std::string& text_of(const Plan& plan) { return plan.text; }

Operations operations_of(const Plan& plan) { return plan.operations; }

}  // namespace weft::compat::fftw

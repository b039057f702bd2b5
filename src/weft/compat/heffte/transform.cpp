// compat/heffte/transform: plans of weft's for every type of numbers and number of fields.

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "geometry.hpp"
#include "include/heffte_transform.h"
#include "kept_comm.hpp"
#include "weft/any_plan.hpp"
#include "weft/error.hpp"

namespace heffte::over_weft {

namespace {

bool is_complex(number type) {
  return type == number::single_complex || type == number::double_complex;
}

weft::Precision precision_of(number type) {
  return type == number::single_real || type == number::single_complex
             ? weft::Precision::single_precision
             : weft::Precision::double_precision;
}

std::int64_t bytes_of(number type) {
  return weft::Scalar{precision_of(type), is_complex(type)}.bytes();
}

// What a function of weft's throws, as heFFTe's users expect it.
template <class Function>
auto as_users_expect(Function&& function) {
  try {
    return function();
  } catch (const weft::Error& error) {
    if (error.code() == weft::Error::invalid || error.code() == weft::Error::mismatch)
      throw std::invalid_argument(error.what());
    throw std::runtime_error(error.what());
  }
}

weft::Basis basis_of(family transforms) {
  switch (transforms) {
    case family::cosine2:
      return weft::Basis::dct2;
    case family::sine2:
      return weft::Basis::dst2;
    case family::cosine1:
      return weft::Basis::dct1;
    case family::sine1:
      return weft::Basis::dst1;
    case family::fourier:
      break;
  }
  return weft::Basis::fourier;
}

// The points after which a transform along an axis repeats itself: its round trip multiplies by
// as many.
double period(family transforms, std::int64_t points) {
  const auto n = static_cast<double>(points);
  switch (transforms) {
    case family::cosine2:
    case family::sine2:
      return 2 * n;
    case family::cosine1:
      return 2 * (n - 1);
    case family::sine1:
      return 2 * (n + 1);
    case family::fourier:
      break;
  }
  return n;
}

// Real numbers become complex ones, and of complex numbers the real parts are kept.
template <class Real>
void copy_to_complex(const void* from, std::byte* to, std::int64_t count) {
  const auto* reals = static_cast<const Real*>(from);
  auto* parts = reinterpret_cast<Real*>(to);
  for (std::int64_t i = 0; i < count; ++i) {
    parts[2 * i] = reals[i];
    parts[2 * i + 1] = 0;
  }
}
template <class Real>
void copy_real_parts(const std::byte* from, void* to, std::int64_t count) {
  const auto* parts = reinterpret_cast<const Real*>(from);
  auto* reals = static_cast<Real*>(to);
  for (std::int64_t i = 0; i < count; ++i) reals[i] = parts[2 * i];
}

// Memory for a run: the workspace that was given, or some of its own. A rank that gets none has no
// data, and says so in the run, where the others would wait for it.
class Room {
 public:
  Room(void* given, std::int64_t bytes)
      : own_(given == nullptr ? new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]
                              : nullptr),
        data_(given == nullptr ? own_.get() : static_cast<std::byte*>(given)),
        bytes_(bytes) {}
  std::byte* data() const { return data_; }
  std::int64_t lacking_bytes() const { return data_ == nullptr ? bytes_ : 0; }

 private:
  std::unique_ptr<std::byte[]> own_;
  std::byte* data_;
  std::int64_t bytes_;
};

// One run: all of its arrays are known, and all ranks are in it.
struct Run {
  bool is_forward;
  int batch;
  array from, to;
  void* workspace;
  double scale;

  void* target() const { return const_cast<void*>(to.data); }
};

}  // namespace

struct transform::body {
  body(const wanted& problem, MPI_Comm user)
      : asked(problem), comm(kept_comm(user)), geometry(problem, comm->get()) {}

  wanted asked;
  std::shared_ptr<const weft::compat::OwnComm> comm;
  Geometry geometry;
  // By precision, number of fields, and whether they are in place.
  std::map<std::tuple<weft::Precision, int, bool>, std::unique_ptr<weft::AnyPlan>> plans;

  std::int64_t inputs(const Run& run) const {
    return run.batch * count(run.is_forward ? geometry.in.mine() : geometry.out.mine());
  }
  std::int64_t outputs(const Run& run) const {
    return run.batch * count(run.is_forward ? geometry.out.mine() : geometry.in.mine());
  }
  weft::Problem problem_for(weft::Precision precision, int batch, bool in_place) const;
  weft::AnyPlan& plan_for(weft::Precision precision, int batch, bool in_place);
  void run(const Run& run);
  void run_plan(weft::AnyPlan& plan, const Run& run, const void* from, void* to,
                std::int64_t lacking_bytes = 0) const;
  void run_alike(const Run& run);
  void run_from_real(const Run& run);
  void run_to_real(const Run& run);
  bool anybody_is_in_place(const Run& run) const;
};

weft::Problem transform::body::problem_for(weft::Precision precision, int batch,
                                           bool in_place) const {
  weft::Problem problem;
  problem.extents = geometry.points;
  problem.precision = precision;
  problem.norm = weft::Norm::none;
  problem.batch = batch;
  problem.in_place = in_place;
  problem.input = geometry.in.distribution(batch);
  problem.output = geometry.out.distribution(batch);
  if (asked.transforms != family::fourier) {
    problem.kind = weft::Kind::r2r;
    problem.bases.assign(3, basis_of(asked.transforms));
  } else if (asked.r2c_direction >= 0) {
    problem.kind = weft::Kind::r2c;
    std::vector<int> axes;
    for (int axis = 0; axis < 3; ++axis)
      if (axis != asked.r2c_direction) axes.push_back(axis);
    axes.push_back(asked.r2c_direction);
    problem.axes = axes;
  }
  return problem;
}

weft::AnyPlan& transform::body::plan_for(weft::Precision precision, int batch, bool in_place) {
  auto& plan = plans[{precision, batch, in_place}];
  if (!plan) {
    weft::Options options;
    options.effort = weft::Effort::estimate;
    options.arrays = weft::Arrays::any;
    options.ranks = geometry.computing;
    plan = std::make_unique<weft::AnyPlan>(comm->get(), problem_for(precision, batch, in_place),
                                           options);
  }
  return *plan;
}

// A rank whose array is too short, or that has no memory of its own for the run, is refused by the
// plan, and so on all ranks.
void transform::body::run_plan(weft::AnyPlan& plan, const Run& run, const void* from, void* to,
                               std::int64_t lacking_bytes) const {
  weft::AnySource source(from);
  std::optional<weft::Error> refusal;
  if (lacking_bytes > 0)
    refusal.emplace(weft::Error::system,
                    "a transform lacks " + std::to_string(lacking_bytes) + " bytes of memory",
                    "give a workspace, or two arrays of the same type");
  else if (run.from.count >= 0 && run.from.count < inputs(run))
    refusal.emplace(
        weft::Error::invalid,
        "a vector has " + std::to_string(run.from.count) + " elements where " +
            std::to_string(inputs(run)) + " are needed",
        run.is_forward ? "as many as size_inbox() says" : "as many as size_outbox() says");
  if (refusal) source.refusal = &*refusal;
  if (run.is_forward)
    plan.forward(source, weft::AnyTarget(to), run.scale);
  else
    plan.backward(source, weft::AnyTarget(to), run.scale);
}

// Whether any rank gives the same array twice. Collective.
bool transform::body::anybody_is_in_place(const Run& run) const {
  int mine = run.from.data == run.to.data && inputs(run) + outputs(run) > 0 ? 1 : 0, any = 0;
  if (MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm->get()) != MPI_SUCCESS)
    throw std::runtime_error("heffte: MPI_Allreduce failed");
  return any != 0;
}

// Numbers of one type on both sides, which may be one array. Where both sides lie alike, plans in
// place are as fast as others, and take one array or two; else ranks agree which it is.
void transform::body::run_alike(const Run& run) {
  const bool in_place = geometry.lies_alike || anybody_is_in_place(run);
  auto& plan = plan_for(precision_of(run.from.type), run.batch, in_place);
  if (geometry.lies_alike || !in_place || run.from.data == run.to.data)
    return run_plan(plan, run, run.from.data, run.target());
  // Others are in place, where a plan takes arrays that hold either side.
  const std::int64_t bytes = bytes_of(run.from.type);
  const Room room(nullptr, std::max(inputs(run), outputs(run)) * bytes);
  const auto* from = static_cast<const std::byte*>(run.from.data);
  const bool is_lacking = room.lacking_bytes() > 0;
  if (!is_lacking && (run.from.count < 0 || run.from.count >= inputs(run)))
    std::copy(from, from + inputs(run) * bytes, room.data());
  run_plan(plan, run, room.data(), room.data(), room.lacking_bytes());
  std::copy(room.data(), room.data() + outputs(run) * bytes, static_cast<std::byte*>(run.target()));
}

void transform::body::run_from_real(const Run& run) {
  const Room room(run.workspace, inputs(run) * bytes_of(run.to.type));
  const bool is_lacking = room.lacking_bytes() > 0;
  if (!is_lacking && (run.from.count < 0 || run.from.count >= inputs(run))) {
    if (run.from.type == number::single_real)
      copy_to_complex<float>(run.from.data, room.data(), inputs(run));
    else
      copy_to_complex<double>(run.from.data, room.data(), inputs(run));
  }
  run_plan(plan_for(precision_of(run.from.type), run.batch, geometry.lies_alike), run, room.data(),
           run.target(), room.lacking_bytes());
}

void transform::body::run_to_real(const Run& run) {
  const Room room(run.workspace, outputs(run) * bytes_of(run.from.type));
  run_plan(plan_for(precision_of(run.from.type), run.batch, geometry.lies_alike), run,
           run.from.data, room.data(), room.lacking_bytes());
  if (run.to.type == number::single_real)
    copy_real_parts<float>(room.data(), run.target(), outputs(run));
  else
    copy_real_parts<double>(room.data(), run.target(), outputs(run));
}

void transform::body::run(const Run& run) {
  if (run.batch < 1)
    throw std::invalid_argument("heffte: there are no " + std::to_string(run.batch) +
                                " fields to transform\n  try:   a batch of 1 or more");
  as_users_expect([&] {
    try {
      if (run.from.type == run.to.type)
        run_alike(run);
      else if (asked.r2c_direction >= 0)
        run_plan(plan_for(precision_of(run.from.type), run.batch, false), run, run.from.data,
                 run.target());
      else if (run.is_forward)
        run_from_real(run);
      else
        run_to_real(run);
    } catch (const weft::Error&) {
      plans.clear();  // on all ranks: a plan of which a run has failed runs no more
      throw;
    }
  });
}

transform::transform(const wanted& problem, MPI_Comm comm)
    : body_(std::make_unique<body>(problem, comm)) {}
transform::transform(transform&& other) noexcept = default;
transform& transform::operator=(transform&& other) noexcept = default;
transform::~transform() = default;

void transform::forward(int batch, array from, array to, void* workspace, double scale) const {
  body_->run({true, batch, from, to, workspace, scale});
}

void transform::backward(int batch, array from, array to, void* workspace, double scale) const {
  const double of_library = body_->asked.doubles_backward ? 8 : 1;
  body_->run({false, batch, from, to, workspace, scale * of_library});
}

const ordered_box& transform::inbox() const { return body_->geometry.in.mine(); }
const ordered_box& transform::outbox() const { return body_->geometry.out.mine(); }

double transform::full_scale() const {
  double factor = body_->asked.doubles_backward ? 1.0 / 8 : 1;
  for (const auto points : body_->geometry.points)
    factor /= period(body_->asked.transforms, points);
  return factor;
}

std::size_t transform::size_workspace() const {
  const bool needs_some =
      body_->asked.transforms == family::fourier && body_->asked.r2c_direction < 0;
  const std::int64_t points = needs_some ? count(inbox()) : 0;
  return static_cast<std::size_t>(points > 0 ? points : 1);
}

}  // namespace heffte::over_weft

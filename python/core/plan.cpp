// python/core/plan: makes plans of settings, runs them without the GIL, and waits.

#include "plan.hpp"

#include <mpi.h>

#include <chrono>
#include <thread>

#include "weft/error.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

// How often a wait looks whether the user has pressed Ctrl-C.
constexpr auto between_signals = std::chrono::milliseconds(20);
// A wait that is not over after so many looks lets other threads and ranks compute.
constexpr int looks_before_yield = 50;

std::vector<Box> boxes_of(const std::vector<BoxOfPython>& given) {
  std::vector<Box> boxes;
  for (const auto& [lo, hi] : given) {
    Box box;
    for (const auto index : lo) box.lo.push_back(index);
    for (const auto index : hi) box.hi.push_back(index);
    boxes.push_back(box);
  }
  return boxes;
}

void set_side(Distribution& side, const BoxesOfPython& boxes, const Storage& storage) {
  if (boxes) side = Distribution::of_my_boxes(boxes_of(*boxes));
  side.storage = storage;
}

std::unique_ptr<AnyPlan> plan_of(const Request& request) {
  Problem problem = problem_of(request.settings);
  const Options options = options_of(request.settings);
  const Storage storage =
      request.is_column_major ? Storage::column_major(problem.extents.size()) : Storage();
  set_side(problem.input, request.input, storage);
  set_side(problem.output, request.output, storage);
  const nb::gil_scoped_release without_gil;
  if (request.comm == 0) return std::make_unique<AnyPlan>(problem, options);
  const MPI_Comm comm = *reinterpret_cast<const MPI_Comm*>(request.comm);
  return std::make_unique<AnyPlan>(comm, problem, options);
}

// Owns an object of Python, and lets it go with the GIL, on whichever thread that is.
std::shared_ptr<nb::object> kept(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* owned) {
            if (!nb::is_alive()) return;  // the interpreter has gone, and the object with it
            const nb::gil_scoped_acquire with_gil;
            delete owned;
          }};
}

}  // namespace

nb::object numpy_array(void* data, const Side& side, bool is_flat, nb::handle owner) {
  const auto bytes = side.scalar.bytes();
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> steps;
  if (is_flat || !side.is_box) {
    shape.push_back(std::size_t(side.elements));
    steps.push_back(1);
  } else {
    for (const auto points : side.shape) shape.push_back(std::size_t(points));
    for (const auto step : side.byte_steps) steps.push_back(step / bytes);
  }
  nb::dlpack::dtype type;
  type.code = std::uint8_t(side.scalar.is_complex ? nb::dlpack::dtype_code::Complex
                                                  : nb::dlpack::dtype_code::Float);
  type.bits = std::uint8_t(8 * bytes);
  type.lanes = 1;
  return nb::cast(
      nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, steps.data(), type),
      nb::rv_policy::reference);
}

PlanOfPython::PlanOfPython(const Request& request)
    : plan_(plan_of(request)),
      is_of_many_(request.comm != 0),
      input_(plan_->input(), "input"),
      output_(plan_->output(), "output") {}

const AnyPlan& PlanOfPython::plan() const {
  if (!plan_) throw Error(Error::invalid, "the plan has been closed", "make a new one");
  return *plan_;
}

void PlanOfPython::close() {
  const nb::gil_scoped_release without_gil;
  const std::lock_guard lock(mutex_);
  if (interrupted_) {
    const nb::gil_scoped_acquire with_gil;
    interrupted_.reset();
  }
  plan_.reset();
}

std::unique_ptr<TicketOfPython> PlanOfPython::start(bool is_forward, nb::handle from, nb::handle to,
                                                    double scale) {
  plan();
  auto read = std::make_unique<ArrayInUse>(from, side(is_forward), false);
  auto written = std::make_unique<ArrayInUse>(to, side(!is_forward), true);
  Ticket ticket;
  {
    const nb::gil_scoped_release without_gil;
    const std::lock_guard lock(mutex_);
    plan();  // another thread may have closed it
    ticket = is_forward ? plan_->start_forward(read->data(), written->data(), scale)
                        : plan_->start_backward(read->data(), written->data(), scale);
  }
  return std::make_unique<TicketOfPython>(std::move(ticket), is_of_many_, std::move(read),
                                          std::move(written), nb::borrow(to));
}

void PlanOfPython::run(bool is_forward, nb::handle from, nb::handle to, double scale) {
  auto ticket = start(is_forward, from, to, scale);
  interrupted_.reset();  // the start has waited for it
  try {
    ticket->wait();
  } catch (const nb::python_error&) {
    interrupted_ = std::move(ticket);
    throw;
  }
}

nb::object PlanOfPython::allocate(bool is_input) const {
  const Side& of = side(is_input);
  auto memory = std::make_unique<std::shared_ptr<std::byte>>(
      plan().allocate(of.elements * of.scalar.bytes()));
  void* const data = memory->get();
  const nb::capsule owner(memory.release(), [](void* held) noexcept {
    delete static_cast<std::shared_ptr<std::byte>*>(held);
  });
  return numpy_array(data, of, true, owner);
}

nb::object PlanOfPython::view(nb::handle array, bool is_input) const {
  const ArrayInUse memory(array, side(!is_input), false);
  return numpy_array(memory.data(), side(is_input), false, array);
}

TicketOfPython::TicketOfPython(Ticket ticket, bool is_of_many, std::unique_ptr<ArrayInUse> from,
                               std::unique_ptr<ArrayInUse> to, nb::object result)
    : ticket_(std::move(ticket)),
      is_of_many_(is_of_many),
      from_(std::move(from)),
      to_(std::move(to)),
      result_(std::move(result)) {}

TicketOfPython::~TicketOfPython() {
  const nb::gil_scoped_release without_gil;
  ticket_ = Ticket();
}

bool TicketOfPython::test() {
  const nb::gil_scoped_release without_gil;
  return ticket_.test();
}

void TicketOfPython::wait() {
  const nb::gil_scoped_release without_gil;
  if (!is_of_many_) return ticket_.wait();
  auto next_look = std::chrono::steady_clock::now() + between_signals;
  for (int looks = 0; !ticket_.test(); ++looks) {
    if (looks < looks_before_yield) continue;
    std::this_thread::yield();
    if (std::chrono::steady_clock::now() < next_look) continue;
    const nb::gil_scoped_acquire with_gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    next_look = std::chrono::steady_clock::now() + between_signals;
  }
}

void TicketOfPython::then(nb::object callback) {
  const auto call = kept(std::move(callback));
  const nb::gil_scoped_release without_gil;
  ticket_.then([call] {
    const nb::gil_scoped_acquire with_gil;
    (*call)();
  });
}

}  // namespace weft::python

// python/core/plan: runs plans without the GIL, and waits.

#include "plan.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "request.hpp"
#include "weft/device/device.hpp"
#include "weft/device/driver.hpp"
#include "weft/error.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

// How often a wait looks whether the user has pressed Ctrl-C.
constexpr auto between_signals = std::chrono::milliseconds(20);
// A wait that is not over after so many looks lets other threads and ranks compute.
constexpr int looks_before_yield = 50;

std::string name_of_type(nb::handle object) {
  return nb::cast<std::string>(nb::str(object.type().attr("__name__")));
}

// A factor that Python gives: None is 1.
double scale_of(nb::handle given) {
  if (given.is_none()) return 1;
  if (PyFloat_Check(given.ptr())) return PyFloat_AsDouble(given.ptr());
  const bool is_complex =
      PyComplex_Check(given.ptr()) ||
      nb::cast<std::string>(nb::str(
          nb::getattr(nb::getattr(given, "dtype", nb::none()), "kind", nb::str("")))) == "c";
  const double scale = is_complex ? 0 : PyFloat_AsDouble(given.ptr());
  if (!is_complex && PyErr_Occurred() == nullptr) return scale;
  PyErr_Clear();
  throw Error(Error::invalid,
              fmt::format("the scale is no real number: {} of type {}",
                          nb::cast<std::string>(nb::repr(given)), name_of_type(given)),
              "give a number by which all results are to be multiplied");
}

nb::object numpy_array(void* data, const Side& side, nb::handle owner) {
  const auto bytes = side.element_bytes;
  std::vector<std::size_t> shape;
  std::vector<std::int64_t> steps;
  if (side.is_box) {
    for (const auto points : side.shape) shape.push_back(std::size_t(points));
    steps.assign(side.steps.begin(), side.steps.end());
  } else {
    shape.push_back(std::size_t(side.share.elements));
    steps.push_back(1);
  }
  nb::dlpack::dtype type;
  type.code = std::uint8_t(side.share.scalar.is_complex ? nb::dlpack::dtype_code::Complex
                                                        : nb::dlpack::dtype_code::Float);
  type.bits = std::uint8_t(8 * bytes);
  type.lanes = 1;
  return nb::cast(
      nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner, steps.data(), type),
      nb::rv_policy::reference);
}

}  // namespace

const AnyPlan& PlanOfPython::plan() const {
  if (!runnable_.plan) throw Error(Error::invalid, "the plan has been closed", "make a new one");
  return *runnable_.plan;
}

void PlanOfPython::close() {
  const nb::gil_scoped_release without_gil;
  const std::lock_guard lock(mutex_);
  if (interrupted_) {
    const nb::gil_scoped_acquire with_gil;
    interrupted_.reset();
  }
  runnable_.start = nullptr;
  runnable_.plan.reset();
}

void PlanOfPython::refuse(bool is_forward, const Error& why) {
  if (!runnable_.is_of_many) throw why;
  const nb::gil_scoped_release without_gil;
  const std::lock_guard lock(mutex_);
  plan();
  AnyTarget none(nullptr);
  none.refusal = &why;
  static_cast<void>(runnable_.start(is_forward, none, none, 1));
  throw why;  // the start has thrown it
}

std::unique_ptr<TicketOfPython> PlanOfPython::start(bool is_forward, nb::handle from, nb::handle to,
                                                    nb::handle scale) {
  plan();
  std::unique_ptr<ArrayInUse> read, written;
  double factor = 1;
  const ErrorRecord why = record_of([&] {
    read = std::make_unique<ArrayInUse>(from, side(is_forward), false);
    written = std::make_unique<ArrayInUse>(to, side(!is_forward), true);
    factor = scale_of(scale);
    await_stream_of(*read);
    await_stream_of(*written);
  });
  if (why.has_error()) refuse(is_forward, why.error());
  Ticket ticket;
  {
    const nb::gil_scoped_release without_gil;
    const std::lock_guard lock(mutex_);
    plan();  // another thread may have closed it
    ticket = runnable_.start(is_forward, read->data(), written->data(), factor);
  }
  return std::make_unique<TicketOfPython>(std::move(ticket), runnable_.is_of_many, std::move(read),
                                          std::move(written), nb::borrow(to));
}

// What is enqueued in the stream of the plan comes after what others have enqueued there.
void PlanOfPython::await_stream_of(const ArrayInUse& array) const {
  if (!array.stream() || plan().usual_memory() == Memory::host) return;
  void* const stream = reinterpret_cast<void*>(*array.stream());
  if (runnable_.stream != nullptr && stream == runnable_.stream) return;
  const nb::gil_scoped_release without_gil;
  DeviceDriver& driver = find_driver(plan().engine()).get();
  const int device = std::max(driver.place_of(array.data()).device, 0);
  const SelectedDevice selected(Device{&driver, device});
  // While the stream of the plan is captured in a graph, nothing can be waited for.
  const DeviceStream own{runnable_.stream};
  if (own.handle != nullptr && driver.capture_of(own) != Capture::none) return;
  // CUDA and HIP both have the default stream at the null handle.
  driver.await(DeviceStream{*array.stream() == 1 ? nullptr : stream});
}

void PlanOfPython::run(bool is_forward, nb::handle from, nb::handle to, nb::handle scale) {
  auto ticket = start(is_forward, from, to, scale);
  interrupted_.reset();  // the start has waited for it
  try {
    ticket->wait();
  } catch (const nb::python_error&) {
    interrupted_ = std::move(ticket);
    throw;
  }
}

double PlanOfPython::largest(double mine) const {
  const AnyPlan& of = plan();
  if (!runnable_.is_of_many) return mine;
  const nb::gil_scoped_release without_gil;
  const double given[] = {std::isnan(mine) ? 1.0 : 0.0, std::isnan(mine) ? 0.0 : mine};
  double all[2] = {};
  if (MPI_Allreduce(given, all, 2, MPI_DOUBLE, MPI_MAX, of.comm()) != MPI_SUCCESS)
    throw Error(Error::system, "MPI_Allreduce failed", "see what MPI has written");
  return all[0] > 0 ? std::nan("") : all[1];
}

nb::object PlanOfPython::allocate(bool is_input, const std::optional<std::string>& kind) const {
  const Side& of = side(is_input);
  const std::int64_t bytes = of.share.elements * of.element_bytes;
  const Memory in = kind ? parse_memory(*kind) : plan().usual_memory();
  auto memory = std::make_unique<std::shared_ptr<std::byte>>(
      plan().allocate(std::max<std::int64_t>(bytes, 1), in));
  if (in == Memory::device) return nb::cast(MemoryOfDevice{std::move(*memory), bytes});
  void* const data = memory->get();
  const nb::capsule owner(memory.release(), [](void* held) noexcept {
    delete static_cast<std::shared_ptr<std::byte>*>(held);
  });
  const auto size = std::size_t(bytes);
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(data, {size}, owner),
                  nb::rv_policy::reference);
}

nb::object PlanOfPython::view(nb::handle array, bool is_input) const {
  plan().require_in_place();
  const ArrayInUse memory(array, side(!is_input), false);
  return numpy_array(memory.data(), side(is_input), array);
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

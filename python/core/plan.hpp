// python/core/plan: what runs, as Python has it: plans of transforms, reshapes and halos, and their
// tickets. Keeps: weft runs without the GIL; what a transform works on lives until it has ended.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "weft/any_plan.hpp"
#include "weft/error.hpp"

namespace weft::python {

/// Starts a run, forward or back, of two arrays, with a scale.
using Start = std::function<Ticket(bool is_forward, const AnySource& from, const AnyTarget& to,
                                   double scale)>;

/// A plan in whatever object has it, and how it is started.
struct Runnable {
  std::shared_ptr<const AnyPlan> plan;  ///< keeps what it belongs to
  Start start;
  Side input, output;
  bool is_of_many = false;  ///< whether other ranks may take part
  void* stream = nullptr;   ///< of the application, in which a device computes
};

/// Memory of a device, which the processor cannot touch.
struct MemoryOfDevice {
  std::shared_ptr<std::byte> memory;
  std::int64_t bytes = 0;
};

class TicketOfPython;

/// A plan that several threads of Python may call.
class PlanOfPython {
 public:
  explicit PlanOfPython(Runnable runnable) : runnable_(std::move(runnable)) {}
  /// Waits for what is under way.
  ~PlanOfPython() { close(); }
  PlanOfPython(const PlanOfPython&) = delete;
  PlanOfPython& operator=(const PlanOfPython&) = delete;

  /// Starts a run of two arrays. Error::invalid if they are not what the plan takes, or if the
  /// scale is no number: the other ranks are told.
  std::unique_ptr<TicketOfPython> start(bool is_forward, nanobind::handle from, nanobind::handle to,
                                        nanobind::handle scale);
  /// Starts one and waits for it; KeyboardInterrupt comes through where other ranks take part.
  void run(bool is_forward, nanobind::handle from, nanobind::handle to, nanobind::handle scale);
  /// Takes the place of a start on a rank that has no arrays for it: throws `why`, when the other
  /// ranks know it.
  void refuse(bool is_forward, const Error& why);
  /// Destroys the plan, if this was the last that held it: collective. Any later use is
  /// Error::invalid.
  void close();

  /// The plan. Error::invalid after close().
  const AnyPlan& plan() const;
  /// A side: the input or the output.
  const Side& side(bool is_input) const { return is_input ? runnable_.input : runnable_.output; }
  /// The largest of the ranks' values; NaN if there is one. Collective.
  double largest(double mine) const;
  /// Zeroed memory of one side, of the plan's usual kind or of the kind with this name, which
  /// outlives the plan: an array of bytes, or MemoryOfDevice.
  nanobind::object allocate(bool is_input, const std::optional<std::string>& kind) const;
  /// The array that lies in the memory of `array` as a side says.
  nanobind::object view(nanobind::handle array, bool is_input) const;

 private:
  void await_stream_of(const ArrayInUse& array) const;

  Runnable runnable_;
  // Of starts: a callback may start a run while another one is started.
  std::recursive_mutex mutex_;
  // Left by a KeyboardInterrupt: its arrays are kept until the next run, or the plan's end.
  std::unique_ptr<TicketOfPython> interrupted_;
};

/// A transform under way, with the arrays that it works on.
class TicketOfPython {
 public:
  TicketOfPython(Ticket ticket, bool is_of_many, std::unique_ptr<ArrayInUse> from,
                 std::unique_ptr<ArrayInUse> to, nanobind::object result);
  /// Waits, without the GIL.
  ~TicketOfPython();
  TicketOfPython(const TicketOfPython&) = delete;
  TicketOfPython& operator=(const TicketOfPython&) = delete;

  /// Whether it has ended; without the GIL.
  bool test();
  /// Returns when it has ended; KeyboardInterrupt comes through where other ranks take part.
  void wait();
  /// Calls `callback` when it has ended.
  void then(nanobind::object callback);
  /// The array with the result; None until the transform has ended, and after an error.
  const nanobind::object& result() const { return result_; }

 private:
  Ticket ticket_;
  bool is_of_many_;
  std::unique_ptr<ArrayInUse> from_, to_;
  nanobind::object result_;
};

}  // namespace weft::python

// python/core/plan: a plan and its tickets, as Python has them.
// Keeps: weft runs without the GIL; what a transform works on lives until it has ended.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "weft/any_plan.hpp"
#include "weft/faces/settings.hpp"

namespace weft::python {

/// The first index of a box along each axis, and one past the last.
using BoxOfPython = std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>;
/// This rank's boxes of a side; none where a setting says the side.
using BoxesOfPython = std::optional<std::vector<BoxOfPython>>;

/// What a plan is made of: settings by name, the address of an MPI_Comm or 0, and boxes.
struct Request {
  SettingTexts settings;
  std::uintptr_t comm = 0;
  BoxesOfPython input, output;
  bool is_column_major = false;
};

class TicketOfPython;

/// A plan that several threads of Python may call.
class PlanOfPython {
 public:
  /// Plans without the GIL.
  explicit PlanOfPython(const Request& request);
  /// Waits for what is under way.
  ~PlanOfPython() { close(); }
  PlanOfPython(const PlanOfPython&) = delete;
  PlanOfPython& operator=(const PlanOfPython&) = delete;

  /// Starts a transform of two arrays. Error::invalid if they are not what the plan takes.
  std::unique_ptr<TicketOfPython> start(bool is_forward, nanobind::handle from, nanobind::handle to,
                                        double scale);
  /// Starts one and waits for it; KeyboardInterrupt comes through where other ranks take part.
  void run(bool is_forward, nanobind::handle from, nanobind::handle to, double scale);
  /// Destroys the plan: collective. Any later use is Error::invalid.
  void close();

  /// The plan. Error::invalid after close().
  const AnyPlan& plan() const;
  /// A side: the input or the output.
  const Side& side(bool is_input) const { return is_input ? input_ : output_; }
  const Share& share(bool is_input) const { return is_input ? plan().input() : plan().output(); }
  /// Whether other ranks may take part.
  bool is_of_many() const { return is_of_many_; }
  /// Zeroed memory of one side, as an array of one axis, which outlives the plan.
  nanobind::object allocate(bool is_input) const;
  /// The array that lies in the memory of `array` as a side says.
  nanobind::object view(nanobind::handle array, bool is_input) const;

 private:
  std::recursive_mutex
      mutex_;  // of starts: a callback may start a run while another one is started
  std::unique_ptr<AnyPlan> plan_;
  bool is_of_many_ = false;
  Side input_, output_;
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

/// An array of NumPy's on memory that `owner` keeps, laid out as `side`, or with one axis.
nanobind::object numpy_array(void* data, const Side& side, bool is_flat, nanobind::handle owner);

}  // namespace weft::python

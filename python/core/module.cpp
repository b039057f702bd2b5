// python/core/module: what python/weft calls. One module for each MPI: its name is
// WEFT_PYTHON_CORE. Keeps: errors of weft's are weft.Error in Python.

#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "files.hpp"
#include "makers.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "request.hpp"
#include "weft/basis.hpp"
#include "weft/error.hpp"
#include "weft/faces/settings.hpp"
#include "weft/files/hdf5_library.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/ticket.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

const char* name_of(Error::Code code) {
  static const char* const names[] = {"invalid", "mismatch", "unsupported", "io", "system", "bug"};
  return names[code];
}

// Raises weft.Error for an Error; other exceptions are left to nanobind.
void raise_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("weft._errors").attr("Error");
    const nb::object value =
        type(error.message(), error.hint(), error.context(), name_of(error.code()));
    PyErr_SetObject(type.ptr(), value.ptr());
  }
}

const char* name_of_mpi() {
#if defined(OMPI_MAJOR_VERSION)
  return "openmpi";
#else
  return "mpich";
#endif
}

nb::list settings() {
  nb::list rows;
  for (const Setting* row : all_settings())
    rows.append(nb::make_tuple(row->name, row->value, row->meaning));
  return rows;
}

// Of the indices lo to hi - 1 of an axis; 0 for a wave that has no odd derivative, if `is_odd`.
std::vector<std::int64_t> wavenumbers(const PlanOfPython& plan, int axis, std::int64_t lo,
                                      std::int64_t hi, bool is_odd) {
  const Wavenumbers of = plan.plan().wavenumbers(axis);
  std::vector<std::int64_t> numbers = of.over({lo, hi});
  for (std::int64_t index = lo; is_odd && index < hi; ++index)
    if (of.is_nyquist(index)) numbers[std::size_t(index - lo)] = 0;
  return numbers;
}

// Writes the handle of the plan's communicator, which stays weft's, to where mpi4py has one.
void write_comm(const PlanOfPython& plan, std::uintptr_t address) {
  *reinterpret_cast<MPI_Comm*>(address) = plan.plan().comm();
}

Error error_of(const std::string& message, const std::string& hint, const std::string& context,
               const std::string& code) {
  int number = 0;
  while (number < Error::bug && code != name_of(Error::Code(number))) ++number;
  Error error(Error::Code(number), message, hint);
  if (!context.empty()) error.add_context(context);
  return error;
}

// Copies go to and from the address of an array of NumPy's.
void add_memory(nb::module_& m) {
  nb::class_<MemoryOfDevice>(m, "MemoryOfDevice")
      .def_prop_ro("address",
                   [](const MemoryOfDevice& self) {
                     return reinterpret_cast<std::uintptr_t>(self.memory.get());
                   })
      .def_ro("bytes", &MemoryOfDevice::bytes)
      .def("read",
           [](const MemoryOfDevice& self, std::uintptr_t to) {
             const nb::gil_scoped_release without_gil;
             copy(self.memory.get(), reinterpret_cast<void*>(to), self.bytes);
           })
      .def("write", [](const MemoryOfDevice& self, std::uintptr_t from) {
        const nb::gil_scoped_release without_gil;
        copy(reinterpret_cast<const void*>(from), self.memory.get(), self.bytes);
      });
}

void add_plan(nb::module_& m) {
  nb::class_<PlanOfPython>(m, "Plan")
      .def("run", &PlanOfPython::run, nb::arg("is_forward"), nb::arg("source"), nb::arg("target"),
           nb::arg("scale").none())
      .def("start", &PlanOfPython::start, nb::arg("is_forward"), nb::arg("source"),
           nb::arg("target"), nb::arg("scale").none(), nb::keep_alive<0, 1>())
      .def("refuse",
           [](PlanOfPython& self, bool is_forward, const std::string& message,
              const std::string& hint, const std::string& context, const std::string& code) {
             self.refuse(is_forward, error_of(message, hint, context, code));
           })
      .def("close", &PlanOfPython::close)
      .def("allocate", &PlanOfPython::allocate, nb::arg("is_input"), nb::arg("kind").none())
      .def("is_on_device",
           [](const PlanOfPython& self) { return self.plan().usual_memory() != Memory::host; })
      .def("require_in_place", [](const PlanOfPython& self) { self.plan().require_in_place(); })
      .def("view", &PlanOfPython::view)
      .def("side",
           [](const PlanOfPython& self, bool is_input) { return side_of(self.side(is_input)); })
      .def("wavenumbers", &wavenumbers)
      .def("largest", &PlanOfPython::largest)
      .def("write_comm", &write_comm)
      .def("describe",
           [](const PlanOfPython& self, bool is_all) {
             return self.plan().describe(is_all ? Detail::all : Detail::summary);
           })
      .def("strategy", [](const PlanOfPython& self) { return to_string(self.plan().strategy()); })
      .def("engine", [](const PlanOfPython& self) { return self.plan().engine(); })
      .def("threads", [](const PlanOfPython& self) { return self.plan().threads(); })
      .def("rank", [](const PlanOfPython& self) { return self.plan().rank(); })
      .def("workspace_bytes",
           [](const PlanOfPython& self) { return self.plan().workspace_bytes(); })
      .def("memory", [](const PlanOfPython& self) { return memory_of(self.plan()); })
      .def("transform", [](const PlanOfPython& self) { return transform_of(self.plan()); })
      .def("report", [](const PlanOfPython& self) { return report_of(self.plan()); });
}

void add_makers(nb::module_& m) {
  nb::class_<EnsembleOfPython>(m, "Ensemble")
      .def("policy", &EnsembleOfPython::policy)
      .def("size", &EnsembleOfPython::size)
      .def("ranks", &EnsembleOfPython::ranks)
      .def("is_mine", &EnsembleOfPython::is_mine)
      .def("plan", &EnsembleOfPython::plan)
      .def("close", &EnsembleOfPython::close);
  m.def("make_plan", &make_plan);
  m.def("make_reshape", &make_reshape);
  m.def("make_halo", &make_halo);
  m.def(
      "make_ensemble",
      [](const std::vector<nb::dict>& given, const nb::object& policy, std::uintptr_t comm) {
        return std::make_unique<EnsembleOfPython>(given, policy, comm);
      },
      nb::arg("given"), nb::arg("policy").none(), nb::arg("comm"));
  m.def("refuse_together",
        [](std::uintptr_t comm, const std::string& message, const std::string& hint,
           const std::string& context, const std::string& code) {
          refuse_together(comm, error_of(message, hint, context, code));
        });
}

void add_files(nb::module_& m) {
  nb::class_<AskedFile>(m, "File")
      .def("header", &header_of)
      .def("read", &read_file)
      .def("write", &write_file);
  m.def(
      "open_file",
      [](std::string path, std::optional<std::string> inner, std::uintptr_t comm) {
        return AskedFile{std::move(path), std::move(inner), comm};
      },
      nb::arg("path"), nb::arg("inner").none(), nb::arg("comm"));
  m.def("set_hdf5_library", &set_hdf5_library);
}

}  // namespace

NB_MODULE(WEFT_PYTHON_CORE, m) {
  nb::set_leak_warnings(false);  // plans may outlive the interpreter: MPI ends last
  nb::register_exception_translator(raise_error);
  add_memory(m);
  add_plan(m);
  add_makers(m);
  add_files(m);
  nb::class_<TicketOfPython>(m, "Ticket")
      .def("test", &TicketOfPython::test)
      .def("wait", &TicketOfPython::wait)
      .def("then", &TicketOfPython::then)
      .def("result", &TicketOfPython::result);
  m.def("progress", [] {
    const nb::gil_scoped_release without_gil;
    return progress();
  });
  m.def("next_fast_length", [](std::int64_t at_least, const std::string& basis) {
    return next_fast_length(at_least, parse_basis(basis));
  });
  m.def("settings", &settings);
  m.attr("mpi") = name_of_mpi();
}

}  // namespace weft::python

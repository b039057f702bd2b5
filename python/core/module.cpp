// python/core/module: what python/weft calls. One module for each MPI: its name is
// WEFT_PYTHON_CORE. Keeps: errors of weft's are weft.Error in Python.

#include <mpi.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "plan.hpp"
#include "report.hpp"
#include "weft/basis.hpp"
#include "weft/error.hpp"
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

std::vector<std::int64_t> wavenumbers(const PlanOfPython& plan, int axis, std::int64_t lo,
                                      std::int64_t hi) {
  return plan.plan().wavenumbers(axis).over({lo, hi});
}

void add_plan(nb::module_& m) {
  nb::class_<PlanOfPython>(m, "Plan")
      .def(
          "__init__",
          [](PlanOfPython* self, const SettingTexts& settings, std::uintptr_t comm,
             const BoxesOfPython& input, const BoxesOfPython& output, bool is_column_major) {
            new (self) PlanOfPython({settings, comm, input, output, is_column_major});
          },
          nb::arg("settings"), nb::arg("comm"), nb::arg("input").none(), nb::arg("output").none(),
          nb::arg("is_column_major"))
      .def("run", &PlanOfPython::run)
      .def("start", &PlanOfPython::start, nb::keep_alive<0, 1>())
      .def("close", &PlanOfPython::close)
      .def("allocate", &PlanOfPython::allocate)
      .def("view", &PlanOfPython::view)
      .def("share",
           [](const PlanOfPython& self, bool is_input) { return share_of(self.share(is_input)); })
      .def("wavenumbers", &wavenumbers)
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
      .def("report", [](const PlanOfPython& self) { return report_of(self.plan()); });
}

}  // namespace

NB_MODULE(WEFT_PYTHON_CORE, m) {
  nb::set_leak_warnings(false);  // plans may outlive the interpreter: MPI ends last
  nb::register_exception_translator(raise_error);
  add_plan(m);
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

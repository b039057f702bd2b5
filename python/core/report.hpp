// python/core/report: the values of plans as dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "weft/any_plan.hpp"

namespace weft::python {

/// The numbers as Python has them.
nanobind::tuple tuple_of(const Dims& dims);
/// plan.report(): the names are those of weft/report.hpp.
nanobind::dict report_of(const AnyPlan& plan);
/// plan.memory(): bytes planned and held.
nanobind::dict memory_of(const AnyPlan& plan);
/// What is transformed, and how: `support` is where the arrays begin in real space, and `ratio`
/// what the way to the spectrum multiplies by, over what the way back does.
nanobind::dict transform_of(const AnyPlan& plan);
/// What this rank has of a side: boxes, waves, the type of the elements, and how an array lies.
nanobind::dict side_of(const Side& side);

}  // namespace weft::python

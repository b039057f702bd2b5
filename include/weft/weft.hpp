// weft: distributed FFTs of fields spread over the memories of many processes. The C++ interface.
// Floor: public.
//
//     weft::Plan                 a transform, ready to run           weft/plan.hpp
//     weft::c2c, r2c, c2r, r2r   what to transform                   weft/problem.hpp
//     weft::Basis                sines, cosines, Chebyshev           weft/basis.hpp
//     weft::Problem              all there is to say about it        weft/problem.hpp
//     weft::Options              how to plan it                      weft/options.hpp
//     weft::Placement            which rank holds which piece        weft/placement.hpp
//     weft::Storage              the order of points in memory       weft/storage.hpp
//     weft::Cutoff               plane waves in a sphere             weft/cutoff.hpp
//     weft::Field                this rank's share of a field        weft/field.hpp
//     weft::Memory               kinds of memory, and copies         weft/memory.hpp
//     weft::Share                its boxes, and their layout         weft/share.hpp
//     weft::Points, Rows         walking over it by global index     weft/points.hpp
//     weft::Source, Target       arrays that a run reads or writes   weft/source.hpp
//     weft::Allocator            memory for std::vector              weft/allocator.hpp
//     weft::Wavenumbers          of the axes of a spectrum           weft/wavenumbers.hpp
//     differentiate_chebyshev    of Chebyshev coefficients           weft/chebyshev.hpp
//     weft::Ticket, progress     a transform under way               weft/ticket.hpp
//     weft::Reshape              moves a grid of any elements        weft/reshape.hpp
//     weft::Halo                 fills ghost points                  weft/halo.hpp
//     weft::Ensemble             many transforms at once             weft/ensemble.hpp
//     weft::shared_plan          plans that are found again          weft/shared_plan.hpp
//     weft::AnyPlan, AnyEnsemble element types known at run time     weft/any_plan.hpp
//     weft::PlanReport           a plan and its times, as values     weft/report.hpp
//     weft::Error                what goes wrong, and what to try    weft/error.hpp
//
// In the library weft::machines, with a header of its own:
//     weft::reordered            other numbers for the ranks         weft/reordered.hpp
#pragma once

#include "weft/allocator.hpp"
#include "weft/any_ensemble.hpp"
#include "weft/chebyshev.hpp"
#include "weft/ensemble.hpp"
#include "weft/error.hpp"
#include "weft/halo.hpp"
#include "weft/plan.hpp"
#include "weft/reshape.hpp"
#include "weft/shared_plan.hpp"

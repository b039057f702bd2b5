// weft: distributed FFTs of fields spread over the memories of many processes. The C++ interface.
//
//     weft::Plan                 a transform, ready to run           weft/plan/plan.hpp
//     weft::c2c, r2c, c2r        what to transform                   weft/plan/plan.hpp
//     weft::Problem              all there is to say about it        weft/model/problem.hpp
//     weft::Options              how to plan it                      weft/plan/options.hpp
//     weft::Placement            which rank holds which piece        weft/model/placement.hpp
//     weft::Field                this rank's share of a field        weft/plan/field.hpp
//     weft::Ticket, progress     a transform under way               weft/run/ticket.hpp
//     weft::Ensemble             many transforms at once             weft/plan/ensemble.hpp
//     weft::Error                what goes wrong, and what to try    weft/base/error.hpp
#pragma once

#include "weft/plan/ensemble.hpp"
#include "weft/plan/plan.hpp"

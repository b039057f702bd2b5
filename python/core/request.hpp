// python/core/request: what is asked of a plan, a reshape, a halo or an ensemble, as Python tells
// it. Keeps: what a text can say are settings, which faces/settings reads; the rest is read here.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/error_record.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/ensemble_policy.hpp"
#include "weft/halo.hpp"
#include "weft/options.hpp"
#include "weft/problem.hpp"

namespace weft::python {

/// The communicator whose handle is at this address; 0 stands for none, which plans of this process
/// alone have.
MPI_Comm comm_at(std::uintptr_t address);

/// Numbers as weft has them. Error::invalid for more than Dims::capacity.
Dims dims_of(const std::vector<std::int64_t>& numbers);

/// An object of Python that other threads may let go, with the GIL.
std::shared_ptr<nanobind::object> kept(nanobind::object object);

/// What Python's placement raised, where it did. Its plan is an error on all ranks then.
using PlacementFailure = std::shared_ptr<std::exception_ptr>;

/// What a plan is made of.
struct AskedPlan {
  Problem problem;
  Options options;
  PlacementFailure failure = std::make_shared<std::exception_ptr>();
};
/// What a reshape is made of, and a halo, whose distribution is `from`.
struct AskedMovement {
  Extents extents;
  ElementSize element{8};
  Distribution from, to;
  Periodic periodic = Periodic::all();
  Options options;
};

/// Read the dictionaries that weft._request makes. Error::invalid for what cannot be.
AskedPlan asked_plan(const nanobind::dict& given);
AskedMovement asked_movement(const nanobind::dict& given);
EnsemblePolicy policy_of(const nanobind::object& given);

/// Reads with `read` what this rank was given, on all ranks or on none: what one rank throws, all
/// do. With the GIL, which it gives away while it waits for the other ranks.
template <class Read>
auto agreed(std::uintptr_t comm, Read&& read) {
  std::optional<std::invoke_result_t<Read>> asked;
  if (comm == 0) return read();
  const ErrorRecord failure = record_of([&] { asked.emplace(read()); });
  {
    const nanobind::gil_scoped_release without_gil;
    agree(*shared_duplicate(comm_at(comm)), [&] {
      if (failure.has_error()) throw failure.error();
    });
  }
  return std::move(*asked);
}

/// Takes the place of agreed() on a rank that has nothing to read: throws `why` on all ranks.
[[noreturn]] void refuse_together(std::uintptr_t comm, const Error& why);

}  // namespace weft::python

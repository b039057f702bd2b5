// compat/fftw-mpi/plan: the plans of weft that programs hold as plans of FFTW's.
// Keeps: the first bytes of a plan tell it from FFTW's, of which they are a pointer to something of
// FFTW's.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "weft/basis.hpp"
#include "weft/scalar.hpp"

namespace weft::compat::fftw {

/// What FFTW-MPI has plans for.
enum class Task { c2c, r2c, c2r, r2r, transpose };

/// The arguments of a function that makes plans, in the terms of its manual.
struct Request {
  const char* function = "";  ///< its name, for messages
  bool needs_order = true;    ///< as Serial says it
  Task task = Task::c2c;
  Precision precision = Precision::double_precision;
  std::vector<std::int64_t> n;
  std::int64_t howmany = 1, block_in = 0, block_out = 0;
  void *in = nullptr, *out = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int sign = -1;
  unsigned flags = 0;
  std::vector<Basis> bases;  ///< of each axis of r2r
};

struct Plan;

/// The plan for a request; null where FFTW has none, and, with the reason on stderr, where weft has
/// none. Collective.
Plan* make_plan(const Request& request) noexcept;
/// The plan at this address, if weft made it; else null. Also for null.
Plan* own(const void* plan);
/// Frees it. Collective, and not after MPI_Finalize with transforms under way.
void destroy(Plan* plan) noexcept;

/// Transforms the arrays that the plan was made with, or others of the same placement. Collective.
/// What fails ends the program with a message, as these functions of FFTW have no way to tell.
void run(Plan& plan) noexcept;
void run(Plan& plan, void* in, void* out) noexcept;

/// The plan in a line, as fftw_print_plan shows it.
const std::string& text_of(const Plan& plan);
/// Operations of this rank, by the usual estimate of 5 N log2 N.
struct Operations {
  double additions = 0, products = 0;
};
Operations operations_of(const Plan& plan);

}  // namespace weft::compat::fftw

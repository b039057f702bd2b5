// compat/heffte/fortran: what the module weft_heffte calls. Boxes are nine numbers: first and last
// indices, and the order.
// Keeps: throws nothing; the text of an error waits for weft_heffte_error.

#include <mpi.h>

#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "geometry.hpp"
#include "untyped.hpp"

namespace {

using heffte::over_weft::transform;

// A transform, and whether it halves an axis.
struct Handle {
  transform plan;
  bool is_r2c;
};

std::string& last_error() {
  thread_local std::string text;
  return text;
}

// 0, or 1 with the text of what it throws kept.
template <class Function>
int status_of(Function&& function) {
  try {
    function();
    return 0;
  } catch (const std::exception& error) {
    last_error() = error.what();
    return 1;
  }
}

heffte::over_weft::ordered_box box_at(const int* nine) {
  return heffte::over_weft::box_of(nine, nine + 3, nine + 6);
}

const Handle& at(const void* handle) {
  if (handle == nullptr)
    throw std::invalid_argument("heffte: there is no plan: it was not made, or is released");
  return *static_cast<const Handle*>(handle);
}

}  // namespace

// As the module declares them.
extern "C" {

int weft_heffte_create(const int* in, const int* out, int r2c_direction, MPI_Fint comm,
                       void** handle) {
  *handle = nullptr;
  return status_of([&] {
    const auto made = std::unique_ptr<transform>(
        heffte::over_weft::made(box_at(in), box_at(out), r2c_direction, MPI_Comm_f2c(comm)));
    *handle = new Handle{std::move(*made), r2c_direction >= 0};
  });
}

void weft_heffte_destroy(void* handle) { delete static_cast<Handle*>(handle); }

// Points of the inbox (0) and the outbox (1), or elements of a workspace (2).
long long weft_heffte_size(const void* handle, int which) {
  long long size = 0;
  status_of([&] {
    const transform& plan = at(handle).plan;
    size = which == 0   ? heffte::over_weft::count(plan.inbox())
           : which == 1 ? heffte::over_weft::count(plan.outbox())
                        : static_cast<long long>(plan.size_workspace());
  });
  return size;
}

double weft_heffte_full_scale(const void* handle) {
  double factor = 0;
  status_of([&] { factor = at(handle).plan.full_scale(); });
  return factor;
}

int weft_heffte_run(const void* handle, const heffte::over_weft::UntypedRun* asked) {
  return status_of([&] { heffte::over_weft::run(at(handle).plan, at(handle).is_r2c, *asked); });
}

// The last error's text in `room` characters, filled with blanks, and how long it is.
int weft_heffte_error(char* text, int room) {
  const auto length = static_cast<int>(last_error().size());
  std::memset(text, ' ', static_cast<std::size_t>(room));
  std::memcpy(text, last_error().data(), static_cast<std::size_t>(length < room ? length : room));
  return length;
}

}  // extern "C"

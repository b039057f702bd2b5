// compat/p3dfft2/c_names: the functions that p3dfft.h and the module p3dfft call, and P3DFFT's
// wrappers that Fortran calls without an interface. One setup of a process is there at a time.
// Keeps: what is wrong ends the program with its text, as P3DFFT has no statuses.
#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

#include <weft/error.hpp>

#include "p3dfft.h"
#include "transforms.hpp"
#include "weft/compat/shared/ending.hpp"

using weft::Error;
using weft::p3dfft2::Fields;
using weft::p3dfft2::Grid;
using weft::p3dfft2::Side;
using weft::p3dfft2::Transforms;

namespace {

std::unique_ptr<Transforms> the_setup;

template <class Function>
void or_end(const Function& function) {
  weft::compat::or_end(the_setup ? the_setup->comm() : MPI_COMM_WORLD, function);
}

Transforms& setup() {
  if (!the_setup)
    throw Error(Error::invalid, "P3DFFT is used before p3dfft_setup, or after p3dfft_clean");
  return *the_setup;
}

bool is_fourier(char letter) { return letter == 'f' || letter == 't'; }

// What `letter` does along z; x and y have Fourier transforms only.
char along_z(char letter, char x, char y, const char* op) {
  std::optional<char> found;
  if (is_fourier(letter)) found = 'f';
  if (letter == 'c' || letter == 's') found = letter;
  if (letter == 'n' || letter == '0') found = 'n';
  if (!found || !is_fourier(x) || !is_fourier(y))
    throw Error(Error::invalid, "there is no transform '" + std::string(op, 3) + "'",
                "fft, ffc, ffs and ffn forward, and tff, cff, sff and nff back");
  return *found;
}

class Timed {
 public:
  explicit Timed(int timer) : timer_(timer), start_(MPI_Wtime()) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { weft_p3dfft2_timers[timer_] += MPI_Wtime() - start_; }

 private:
  int timer_;
  double start_;
};

Fields<const std::byte> source(const void* from, int step) {
  return {static_cast<const std::byte*>(from), step};
}
Fields<std::byte> target(void* to, int step) { return {static_cast<std::byte*>(to), step}; }

void copy(const Grid::Dimensions& told, int* start, int* end, int* size) {
  for (std::size_t i = 0; i < 3; ++i) {
    start[i] = told.start[i];
    end[i] = told.end[i];
    size[i] = told.size[i];
  }
}

}  // namespace

double weft_p3dfft2_timers[12] = {};

void weft_p3dfft2_setup(int layout, const int* dims, const int* points, int comm, const int* modes,
                        int* memsize) {
  or_end([&] {
    the_setup.reset();
    Grid grid;
    grid.layout = layout;
    grid.dims = {dims[0], dims[1]};
    for (std::size_t a = 0; a < 3; ++a) {
      grid.points[a] = points[a];
      grid.modes[a] = modes[a];
    }
    the_setup = std::make_unique<Transforms>(MPI_Comm_f2c(comm), grid);
    if (memsize == nullptr) return;
    const auto padded = grid.padded_dimensions(the_setup->rank());
    for (std::size_t i = 0; i < 3; ++i) memsize[i] = padded.size[i];
  });
}

void weft_p3dfft2_get_dims(int* start, int* end, int* size, int conf) {
  or_end([&] {
    const Transforms& now = setup();
    if (conf == 1)
      copy(now.grid().dimensions(Side::real_space, now.rank()), start, end, size);
    else if (conf == 2)
      copy(now.grid().dimensions(Side::spectrum, now.rank()), start, end, size);
    else if (conf == 3)
      copy(now.grid().padded_dimensions(now.rank()), start, end, size);
    else
      throw Error(Error::invalid, "p3dfft_get_dims knows 1, 2 and 3, not " + std::to_string(conf));
  });
}

void weft_p3dfft2_get_mpi_info(int* rank, int* ranks, int* comm) {
  or_end([&] {
    *rank = setup().rank();
    MPI_Comm_size(setup().comm(), ranks);
    *comm = MPI_Comm_c2f(setup().comm());
  });
}

void weft_p3dfft2_forward(const void* from, int from_step, void* to, int to_step, int count,
                          const char* op) {
  const Timed timed(4);
  or_end([&] {
    setup().forward(source(from, from_step), target(to, to_step), count,
                    along_z(op[2], op[0], op[1], op));
  });
}

void weft_p3dfft2_backward(const void* from, int from_step, void* to, int to_step, int count,
                           const char* op) {
  const Timed timed(5);
  or_end([&] {
    setup().backward(source(from, from_step), target(to, to_step), count,
                     along_z(op[0], op[1], op[2], op));
  });
}

void weft_p3dfft2_forward_along_x(const void* from, void* to) {
  const Timed timed(4);
  or_end([&] {
    setup().forward_along_x(static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
  });
}

void weft_p3dfft2_cheby(const void* from, int from_step, void* to, int to_step, int count,
                        double length) {
  const Timed timed(4);
  or_end([&] { setup().chebyshev(source(from, from_step), target(to, to_step), count, length); });
}

void weft_p3dfft2_clean() { the_setup.reset(); }

// Fortran's names, as all of today's compilers make them; the length of op comes last.
extern "C" {

void ftran_r2c_(const void* from, void* to, const char* op, std::size_t) {
  weft_p3dfft2_forward(from, 0, to, 0, 1, op);
}

void btran_c2r_(const void* from, void* to, const char* op, std::size_t) {
  weft_p3dfft2_backward(from, 0, to, 0, 1, op);
}

void ftran_r2c_many_(const void* from, const int* dim_in, void* to, const int* dim_out,
                     const int* nv, const char* op, std::size_t) {
  weft_p3dfft2_forward(from, *dim_in, to, *dim_out, *nv, op);
}

void btran_c2r_many_(const void* from, const int* dim_in, void* to, const int* dim_out,
                     const int* nv, const char* op, std::size_t) {
  weft_p3dfft2_backward(from, *dim_in, to, *dim_out, *nv, op);
}
}

// fft/engine: one interface to the local FFT libraries, each of which is one entry of a table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/prefetch_queue.hpp"
#include "weft/grid/kept_points.hpp"
#include "weft/options.hpp"
#include "weft/problem/line_transform.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// The kind of a one-dimensional transform.
enum class LineKind { c2c, r2c, c2r, r2r };

/// The points of lines that a transform reads, and those that it writes.
struct LineEnds {
  KeptPoints in, out;

  friend bool operator==(const LineEnds&, const LineEnds&) = default;
};

/// Unscaled one-dimensional transforms of `n` points (of the real line for r2c and c2r), repeated
/// over nested loops. Strides are in elements of the input's and of the output's type.
struct Lines {
  struct Loop {
    std::int64_t count, in_stride, out_stride;
    friend bool operator==(const Loop&, const Loop&) = default;
  };
  LineKind kind = LineKind::c2c;
  Precision precision = Precision::double_precision;
  int sign = -1;  ///< sign of the exponent: -1 for r2c, +1 for c2r
  std::int64_t n = 1, in_stride = 1, out_stride = 1;
  std::vector<Loop> loops;
  LineTransform real = {};  ///< for r2r: which sums, and the factors of the ends
  /// Where not all points of the lines are stored: which are read, the others being zero, and which
  /// are written. Strides are those of the stored points. Engine::make does not take such lines.
  std::optional<LineEnds> kept = {};
  /// A power of two that all results are multiplied with, which changes no bit of their fractions
  /// as long as no number overflows or is subnormal. Engine::make does not take lines with another
  /// one than 1.
  double factor = 1;
  /// Further axes of the same transform: complex points that are transformed along these, too,
  /// after the lines if these are r2c, and before them if they are c2r. Each loop has the points of
  /// an axis. Only Engine::make_whole takes them.
  std::vector<Loop> more_axes = {};

  friend bool operator==(const Lines&, const Lines&) = default;
};

/// A transform that is ready to run.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Transforms from `in` to `out`: the same address if the kernel was made in place, and with the
  /// same alignment to cache lines as when it was made. c2r and r2r may destroy their input.
  /// Kernels of weft's own issue prefetches from `queue` while they compute.
  virtual void run(void* in, void* out, PrefetchQueue& queue) = 0;
  /// Whether it may run from `in` to `out`, although these may be aligned in another way than what
  /// it was made for, and then gives the same bits. The two are different, but for kernels that
  /// Engine::make_own allows to work in place.
  virtual bool suits(const void* in, const void* out) const = 0;
};

/// A local FFT library.
class Engine {
 public:
  virtual ~Engine() = default;
  /// A kernel for transforms from `in` to `out`, which are equal for a c2c or r2r transform in
  /// place. Making it may overwrite this memory. Error::system, with the library's own text, if the
  /// library has no kernel for these lines; Error::unsupported for r2r in a build without FFTW.
  virtual std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) = 0;
  /// A kernel that transforms along several axes (Lines::more_axes) at once with up to `threads`
  /// threads, for any addresses, which are equal exactly if it works in place. It multiplies by any
  /// Lines::factor. Its last bits may depend on the number of threads and on the addresses. Null if
  /// the library has none for these lines. Errors: as make().
  virtual std::unique_ptr<Kernel> make_whole(const Lines& /*lines*/, bool /*is_in_place*/,
                                             int /*threads*/) {
    return nullptr;
  }
  /// A kernel of weft's own, for any addresses, and for lines with Lines::kept, too, and c2c lines
  /// with Lines::factor; c2c lines with equal strides on both sides may be in one array. Null if
  /// the engine has none for these lines.
  virtual std::unique_ptr<Kernel> make_own(const Lines& /*lines*/) { return nullptr; }
  /// Whether this engine transforms columns of `n` points, c2c or with these sums, fastest as
  /// columns, several at a time. If not, it is faster with contiguous results.
  virtual bool keeps_columns(std::int64_t /*n*/, Basis /*sums*/ = Basis::fourier) const {
    return false;
  }
};

/// An entry of the table of engines.
struct EngineEntry {
  std::string name;
  std::string summary;
  /// Empty if the engine can be used in this build and on this processor, else the reason why not.
  std::optional<std::string> (*applies)();
  std::string (*version)();
  /// What users should know about the library that this program was linked with; empty if nothing.
  std::optional<std::string> (*caveat)();
  std::unique_ptr<Engine> (*make)();
};

/// All engines, in order of preference.
const std::vector<EngineEntry>& engines();

/// The engine called `name`; for an empty name, the first that applies. Errors: see find_entry.
const EngineEntry& find_engine(const std::string& name);

/// For tests: the engine called `name` comes first from now on. The same on all ranks, and before
/// anything else is called. Errors: as find_engine.
void pretend_preferred_engine(const std::string& name);

// The entries, each defined in the file of its library.
EngineEntry weft_entry();
EngineEntry weft512_entry();
EngineEntry weft256_entry();
EngineEntry weft128_entry();
EngineEntry fftw_entry();
EngineEntry mkl_entry();

}  // namespace weft

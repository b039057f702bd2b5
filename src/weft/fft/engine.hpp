// fft/engine: local FFT libraries behind one interface, one row of a table each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/ahead.hpp"
#include "weft/options.hpp"
#include "weft/scalar.hpp"

namespace weft {

/// What is computed along one line.
enum class LineKind { c2c, r2c, c2r };

/// One-dimensional transforms of `n` points (of the real line for r2c and c2r), unscaled, repeated
/// over nested loops. Strides in elements of the input's and the output's type.
struct Lines {
  struct Loop {
    std::int64_t count, in_stride, out_stride;
    friend bool operator==(const Loop&, const Loop&) = default;
  };
  LineKind kind = LineKind::c2c;
  Precision precision = Precision::double_precision;
  int sign = -1;  ///< of the exponent; r2c is -1, c2r +1
  std::int64_t n = 1, in_stride = 1, out_stride = 1;
  std::vector<Loop> loops;

  friend bool operator==(const Lines&, const Lines&) = default;
};

/// A transform ready to run.
class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Transforms what lies at `in` to `out`: the same address if it was made so, and each aligned to
  /// cache lines as the one it was made for. A c2r transform may destroy its input. An engine that
  /// can asks for what is `ahead` on the way.
  virtual void run(void* in, void* out, Ahead& ahead) = 0;
};

/// A local FFT library.
class Engine {
 public:
  virtual ~Engine() = default;
  /// A kernel for transforms such as that from `in` to `out`; the same address for a c2c transform
  /// in place. The memory may be overwritten. Error::system, with the library's own text, if the
  /// library refuses.
  virtual std::unique_ptr<Kernel> make(const Lines& lines, void* in, void* out, Effort effort) = 0;
  /// Whether c2c columns of `n` points are fastest where they lie, many beside each other; else
  /// results are best made contiguous.
  virtual bool keeps_columns(std::int64_t /*n*/) const { return false; }
};

/// A row of the table of engines.
struct EngineRow {
  std::string name;
  std::string summary;
  /// Nothing if it can be used in this build, else the reason why not.
  std::optional<std::string> (*applies)();
  std::string (*version)();
  std::unique_ptr<Engine> (*make)();
};

/// All engines weft knows, the preferred first.
const std::vector<EngineRow>& engines();

/// The row called `name`, or the first that applies for an empty name. Error::invalid lists the
/// engines there are, and why the others do not apply.
const EngineRow& find_engine(const std::string& name);

// The rows, each in its library's file.
EngineRow weft_row();
EngineRow fftw_row();
EngineRow mkl_row();

}  // namespace weft

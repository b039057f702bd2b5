// heffte_transform: a transform of weft's, of which headers of heFFTe know no more than this.
#ifndef HEFFTE_TRANSFORM_H
#define HEFFTE_TRANSFORM_H

#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>

namespace heffte {
namespace over_weft {

/// What is computed along all axes: FFTW's unscaled transforms.
enum class family { fourier, cosine2, sine2, cosine1, sine1 };

/// Elements of an array.
enum class number { single_real, double_real, single_complex, double_complex };

/// A box as heFFTe has it: first and last indices, and the axes, the contiguous one first.
struct ordered_box {
  std::array<long long, 3> low, high;
  std::array<int, 3> order;
};

/// What a transform is made for. All ranks pass the same, but for the boxes and `computes`.
struct wanted {
  ordered_box in, out;
  int r2c_direction;      ///< the axis that is halved; -1: none
  family transforms;      ///< what is computed
  bool doubles_backward;  ///< whether the way back of sines and cosines multiplies by 2 per axis
  int ranks;              ///< how many ranks compute; below 1: all
  bool has_subset;        ///< whether `computes` says which; their number then counts
  bool computes;          ///< whether this rank is one of those that compute
};

/// An array that a program passes. `count` is the number of its elements; negative: not known.
struct array {
  number type;
  void const* data;
  long long count;
};

/// One transform, of any type of numbers and any number of fields: plans are made when they are
/// first needed, and kept. Making and destroying it is collective. Errors are the same on all
/// ranks: std::invalid_argument for what is wrong with boxes and arrays, std::runtime_error for
/// what this build or machine cannot do.
class transform {
 public:
  transform(wanted const& problem, MPI_Comm comm);
  transform(transform&& other) noexcept;
  transform& operator=(transform&& other) noexcept;
  ~transform();

  /// Transforms `batch` fields, which follow each other, and multiplies by `scale`. The workspace
  /// has batch * size_workspace() elements of the complex type, or is null. Collective.
  void forward(int batch, array from, array to, void* workspace, double scale) const;
  void backward(int batch, array from, array to, void* workspace, double scale) const;

  ordered_box const& inbox() const;   ///< this rank's box of the field
  ordered_box const& outbox() const;  ///< and of the spectrum
  /// The factor with which a round trip returns the field.
  double full_scale() const;
  /// Complex numbers of the workspace for one field.
  std::size_t size_workspace() const;

 private:
  struct body;
  std::unique_ptr<body> body_;
};

}  // namespace over_weft
}  // namespace heffte

#endif

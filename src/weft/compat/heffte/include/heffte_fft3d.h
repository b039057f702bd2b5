// heffte_fft3d: transforms of complex and real numbers, and sines and cosines, along three axes.
#ifndef HEFFTE_FFT3D_H
#define HEFFTE_FFT3D_H

#include <mpi.h>

#include "heffte_backends.h"

namespace heffte {

/// A transform along three axes of a field that is divided into boxes, one a rank. `forward` takes
/// what is in the inboxes to the outboxes, and `backward` returns. One plan serves single and
/// double precision, and real and complex fields: real numbers become complex ones, and of the way
/// back the real parts are kept. With sines and cosines, all numbers are real. Results are as
/// FFTW's, without a factor, unless a scale is given. Making, running and destroying it is
/// collective.
///
/// Throws std::invalid_argument on all ranks for boxes that do not cover a grid that begins at 0,
/// or overlap, and for vectors that are too short; std::runtime_error for what weft or the machine
/// cannot do. The communicator may be freed when the plan is made.
template <typename backend_tag, typename index = int>
class fft3d : public plan_over_weft<backend_tag, index> {
  using base = plan_over_weft<backend_tag, index>;
  static_assert(backend::is_enabled<backend_tag>::value,
                "weft's heFFTe has the backends fftw, mkl and stock: none of devices");

 public:
  template <typename T>
  using buffer_container = typename base::template buffer_container<T>;
  template <typename T>
  using real_buffer_container = typename base::template real_buffer_container<T>;
  template <typename T>
  using output_buffer_container = typename base::template output_buffer_container<T>;

  /// This rank's boxes of the field and of the spectrum, which may be empty.
  fft3d(box3d<index> const inbox, box3d<index> const outbox, MPI_Comm const comm,
        plan_options const options = default_options<backend_tag>())
      : base(inbox, outbox, -1, comm, options) {}
  /// The same; a processor has no stream, and what is given is not looked at.
  fft3d(void*, box3d<index> const inbox, box3d<index> const outbox, MPI_Comm const comm,
        plan_options const options = default_options<backend_tag>())
      : fft3d(inbox, outbox, comm, options) {}
  /// The same with the numbers of the boxes one by one: first and last indices, and orders.
  fft3d(int il0, int il1, int il2, int ih0, int ih1, int ih2, int io0, int io1, int io2, int ol0,
        int ol1, int ol2, int oh0, int oh1, int oh2, int oo0, int oo1, int oo2, MPI_Comm const comm,
        bool use_reorder, int algorithm, bool use_pencils)
      : fft3d(box(il0, il1, il2, ih0, ih1, ih2, io0, io1, io2),
              box(ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2), comm,
              plan_options(use_reorder, static_cast<reshape_algorithm>(algorithm), use_pencils)) {}
  fft3d(int il0, int il1, int il2, int ih0, int ih1, int ih2, int io0, int io1, int io2, int ol0,
        int ol1, int ol2, int oh0, int oh1, int oh2, int oo0, int oo1, int oo2, MPI_Comm const comm)
      : fft3d(box(il0, il1, il2, ih0, ih1, ih2, io0, io1, io2),
              box(ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2), comm) {}
  fft3d(int il0, int il1, int il2, int ih0, int ih1, int ih2, int ol0, int ol1, int ol2, int oh0,
        int oh1, int oh2, MPI_Comm const comm)
      : fft3d(box(il0, il1, il2, ih0, ih1, ih2, 0, 1, 2),
              box(ol0, ol1, ol2, oh0, oh1, oh2, 0, 1, 2), comm) {}

  /// To the spectrum: of one field, or of several that follow each other, with a workspace or
  /// without. Input and output may be the same array.
  template <typename input_type, typename output_type>
  void forward(input_type const input[], output_type output[], scale scaling = scale::none) const {
    run_forward(1, input, -1, output, static_cast<output_type*>(nullptr), scaling);
  }
  template <typename input_type, typename output_type>
  void forward(input_type const input[], output_type output[], output_type workspace[],
               scale scaling = scale::none) const {
    run_forward(1, input, -1, output, workspace, scaling);
  }
  template <typename input_type, typename output_type>
  void forward(int const batch_size, input_type const input[], output_type output[],
               scale scaling = scale::none) const {
    run_forward(batch_size, input, -1, output, static_cast<output_type*>(nullptr), scaling);
  }
  template <typename input_type, typename output_type>
  void forward(int const batch_size, input_type const input[], output_type output[],
               output_type workspace[], scale scaling = scale::none) const {
    run_forward(batch_size, input, -1, output, workspace, scaling);
  }

  /// From the spectrum, in the same ways. The spectrum stays.
  template <typename input_type, typename output_type>
  void backward(input_type const input[], output_type output[], scale scaling = scale::none) const {
    run_backward(1, input, -1, output, static_cast<input_type*>(nullptr), scaling);
  }
  template <typename input_type, typename output_type>
  void backward(input_type const input[], output_type output[], input_type workspace[],
                scale scaling = scale::none) const {
    run_backward(1, input, -1, output, workspace, scaling);
  }
  template <typename input_type, typename output_type>
  void backward(int const batch_size, input_type const input[], output_type output[],
                scale scaling = scale::none) const {
    run_backward(batch_size, input, -1, output, static_cast<input_type*>(nullptr), scaling);
  }
  template <typename input_type, typename output_type>
  void backward(int const batch_size, input_type const input[], output_type output[],
                input_type workspace[], scale scaling = scale::none) const {
    run_backward(batch_size, input, -1, output, workspace, scaling);
  }

  /// The same with vectors. The result is a new one.
  template <typename input_type>
  output_buffer_container<input_type> forward(buffer_container<input_type> const& input,
                                              scale scaling = scale::none) const {
    output_buffer_container<input_type> output(static_cast<std::size_t>(this->size_outbox()));
    run_forward(1, input.data(), static_cast<long long>(input.size()), output.data(),
                static_cast<decltype(output.data())>(nullptr), scaling);
    return output;
  }
  template <typename scalar_type>
  buffer_container<scalar_type> backward(buffer_container<scalar_type> const& input,
                                         scale scaling = scale::none) const {
    buffer_container<scalar_type> output(static_cast<std::size_t>(this->size_inbox()));
    run_backward(1, input.data(), static_cast<long long>(input.size()), output.data(),
                 static_cast<scalar_type*>(nullptr), scaling);
    return output;
  }
  /// The way back to a real field, of a spectrum whose field is real.
  template <typename scalar_type>
  real_buffer_container<scalar_type> backward_real(buffer_container<scalar_type> const& input,
                                                   scale scaling = scale::none) const {
    real_buffer_container<scalar_type> output(static_cast<std::size_t>(this->size_inbox()));
    run_backward(1, input.data(), static_cast<long long>(input.size()), output.data(),
                 static_cast<scalar_type*>(nullptr), scaling);
    return output;
  }

 private:
  static box3d<index> box(int l0, int l1, int l2, int h0, int h1, int h2, int o0, int o1, int o2) {
    return box3d<index>(std::array<index, 3>{{l0, l1, l2}}, std::array<index, 3>{{h0, h1, h2}},
                        std::array<int, 3>{{o0, o1, o2}});
  }
  template <typename input_type, typename output_type>
  void run_forward(int batch, input_type const* input, long long count, output_type* output,
                   output_type* workspace, scale scaling) const {
    static_assert(backend::check_types<backend_tag, input_type, output_type>::value,
                  "these types of numbers do not go together, or are not known: see "
                  "heffte::is_ccomplex and heffte::is_zcomplex");
    this->transform_.forward(batch, base::array_of(input, count), base::array_of(output, -1),
                             workspace, this->get_scale_factor(scaling));
  }
  template <typename input_type, typename output_type>
  void run_backward(int batch, input_type const* input, long long count, output_type* output,
                    input_type* workspace, scale scaling) const {
    static_assert(backend::check_types<backend_tag, output_type, input_type>::value,
                  "these types of numbers do not go together, or are not known: see "
                  "heffte::is_ccomplex and heffte::is_zcomplex");
    this->transform_.backward(batch, base::array_of(input, count), base::array_of(output, -1),
                              workspace, this->get_scale_factor(scaling));
  }
};

/// A transform of planes, whose boxes have one point along axis 2.
template <typename backend_tag, typename index = int>
using fft2d = fft3d<backend_tag, index>;

/// Sines or cosines along all axes, of the backends whose names end in _cos, _sin, _cos1 or _sin1.
template <typename backend_tag, typename index = int>
using rtransform = fft3d<backend_tag, index>;

/// A plan whose type of indices is that of the boxes.
template <typename backend_tag, typename index>
fft3d<backend_tag, index> make_fft3d(box3d<index> const inbox, box3d<index> const outbox,
                                     MPI_Comm const comm,
                                     plan_options const options = default_options<backend_tag>()) {
  return fft3d<backend_tag, index>(inbox, outbox, comm, options);
}

}  // namespace heffte

#endif

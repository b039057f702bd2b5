// heffte_fft3d_r2c: transforms of real numbers, of whose spectrum one half is kept.
#ifndef HEFFTE_FFT3D_R2C_H
#define HEFFTE_FFT3D_R2C_H

#include <mpi.h>

#include "heffte_fft3d.h"

namespace heffte {

/// A transform of real fields along three axes. Along the axis `r2c_direction`, the spectrum has
/// n/2 + 1 of n points. The rest is as with fft3d.
template <typename backend_tag, typename index = int>
class fft3d_r2c : public plan_over_weft<backend_tag, index> {
  using base = plan_over_weft<backend_tag, index>;
  static_assert(backend::is_enabled<backend_tag>::value,
                "weft's heFFTe has the backends fftw, mkl and stock: none of devices");
  static_assert(backend::uses_fft_types<backend_tag>::value,
                "sines and cosines have no half spectrum: use rtransform");

 public:
  template <typename T>
  using buffer_container = typename base::template buffer_container<T>;
  template <typename T>
  using real_buffer_container = typename base::template real_buffer_container<T>;
  template <typename T>
  using output_buffer_container = typename base::template output_buffer_container<T>;

  /// This rank's boxes of the field and of the spectrum, which may be empty.
  fft3d_r2c(box3d<index> const inbox, box3d<index> const outbox, int r2c_direction,
            MPI_Comm const comm, plan_options const options = default_options<backend_tag>())
      : base(inbox, outbox, r2c_direction, comm, options) {}
  /// The same; a processor has no stream, and what is given is not looked at.
  fft3d_r2c(void*, box3d<index> const inbox, box3d<index> const outbox, int r2c_direction,
            MPI_Comm const comm, plan_options const options = default_options<backend_tag>())
      : fft3d_r2c(inbox, outbox, r2c_direction, comm, options) {}
  /// The same with the numbers of the boxes one by one: first and last indices, and orders.
  fft3d_r2c(int il0, int il1, int il2, int ih0, int ih1, int ih2, int io0, int io1, int io2,
            int ol0, int ol1, int ol2, int oh0, int oh1, int oh2, int oo0, int oo1, int oo2,
            int r2c_direction, MPI_Comm const comm, bool use_reorder, int algorithm,
            bool use_pencils)
      : fft3d_r2c(
            box(il0, il1, il2, ih0, ih1, ih2, io0, io1, io2),
            box(ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2), r2c_direction, comm,
            plan_options(use_reorder, static_cast<reshape_algorithm>(algorithm), use_pencils)) {}
  fft3d_r2c(int il0, int il1, int il2, int ih0, int ih1, int ih2, int io0, int io1, int io2,
            int ol0, int ol1, int ol2, int oh0, int oh1, int oh2, int oo0, int oo1, int oo2,
            int r2c_direction, MPI_Comm const comm)
      : fft3d_r2c(box(il0, il1, il2, ih0, ih1, ih2, io0, io1, io2),
                  box(ol0, ol1, ol2, oh0, oh1, oh2, oo0, oo1, oo2), r2c_direction, comm) {}
  fft3d_r2c(int il0, int il1, int il2, int ih0, int ih1, int ih2, int ol0, int ol1, int ol2,
            int oh0, int oh1, int oh2, int r2c_direction, MPI_Comm const comm)
      : fft3d_r2c(box(il0, il1, il2, ih0, ih1, ih2, 0, 1, 2),
                  box(ol0, ol1, ol2, oh0, oh1, oh2, 0, 1, 2), r2c_direction, comm) {}

  /// To the spectrum: of one field, or of several that follow each other, with a workspace or
  /// without.
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
  real_buffer_container<scalar_type> backward(buffer_container<scalar_type> const& input,
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
    static_assert((std::is_same<input_type, float>::value && is_ccomplex<output_type>::value) ||
                      (std::is_same<input_type, double>::value && is_zcomplex<output_type>::value),
                  "these types of numbers do not go together, or are not known: see "
                  "heffte::is_ccomplex and heffte::is_zcomplex");
    this->transform_.forward(batch, base::array_of(input, count), base::array_of(output, -1),
                             workspace, this->get_scale_factor(scaling));
  }
  template <typename input_type, typename output_type>
  void run_backward(int batch, input_type const* input, long long count, output_type* output,
                    input_type* workspace, scale scaling) const {
    static_assert((std::is_same<output_type, float>::value && is_ccomplex<input_type>::value) ||
                      (std::is_same<output_type, double>::value && is_zcomplex<input_type>::value),
                  "these types of numbers do not go together, or are not known: see "
                  "heffte::is_ccomplex and heffte::is_zcomplex");
    this->transform_.backward(batch, base::array_of(input, count), base::array_of(output, -1),
                              workspace, this->get_scale_factor(scaling));
  }
};

/// A transform of planes, whose boxes have one point along axis 2.
template <typename backend_tag, typename index = int>
using fft2d_r2c = fft3d_r2c<backend_tag, index>;

/// A plan whose type of indices is that of the boxes.
template <typename backend_tag, typename index>
fft3d_r2c<backend_tag, index> make_fft3d_r2c(
    box3d<index> const inbox, box3d<index> const outbox, int r2c_direction, MPI_Comm const comm,
    plan_options const options = default_options<backend_tag>()) {
  return fft3d_r2c<backend_tag, index>(inbox, outbox, r2c_direction, comm, options);
}

}  // namespace heffte

#endif

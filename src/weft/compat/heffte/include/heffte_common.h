// heffte_common: names of backends, and what programs ask about them.
// Keeps: every backend of processors is weft; those of devices are names only.
#ifndef HEFFTE_COMMON_H
#define HEFFTE_COMMON_H

#include "heffte_geometry.h"
#include "heffte_trace.h"
#include "heffte_transform.h"

namespace heffte {

namespace tag {
/// Where arrays are: in memory of the processor, or of a device.
struct cpu {};
struct gpu {};
}  // namespace tag

namespace backend {

/// Copies of arrays, which are all in memory of the processor.
template <typename location_tag>
struct data_manipulator {};
template <>
struct data_manipulator<tag::cpu> {
  using stream_type = void*;
  template <typename source_type, typename destination_type>
  static void copy_n(source_type const source[], std::size_t count,
                     destination_type destination[]) {
    std::copy_n(source, count, destination);
  }
  template <typename source_type, typename destination_type>
  static void copy_n(void*, source_type const source[], std::size_t count,
                     destination_type destination[]) {
    std::copy_n(source, count, destination);
  }
  template <typename source_type, typename destination_type>
  static void copy_device_to_host(void*, source_type const source[], std::size_t count,
                                  destination_type destination[]) {
    std::copy_n(source, count, destination);
  }
  template <typename source_type, typename destination_type>
  static void copy_device_to_device(void*, source_type const source[], std::size_t count,
                                    destination_type destination[]) {
    std::copy_n(source, count, destination);
  }
  template <typename source_type, typename destination_type>
  static void copy_host_to_device(void*, source_type const source[], std::size_t count,
                                  destination_type destination[]) {
    std::copy_n(source, count, destination);
  }
};

/// Whether plans can be made with a backend.
template <typename backend_tag>
struct is_enabled : std::false_type {};
/// Whether its transforms are Fourier's, not sines and cosines.
template <typename backend_tag>
struct uses_fft_types : std::true_type {};
/// Its name, to be printed.
template <typename backend_tag>
inline std::string name() {
  return "unknown";
}
/// What weft computes for it.
template <typename backend_tag>
struct over_weft {
  static constexpr heffte::over_weft::family transforms = heffte::over_weft::family::fourier;
  static constexpr bool doubles_backward = false;
};

// A backend that weft computes. For sines and cosines of another library than FFTW, the way back
// multiplies by two along each axis, as theirs do.
#define HEFFTE_BACKEND_OVER_WEFT(tag, text, family_of, doubles)                                   \
  struct tag {};                                                                                  \
  template <>                                                                                     \
  struct is_enabled<tag> : std::true_type {};                                                     \
  template <>                                                                                     \
  struct uses_fft_types<tag>                                                                      \
      : std::integral_constant<bool, heffte::over_weft::family::family_of ==                      \
                                         heffte::over_weft::family::fourier> {};                  \
  template <>                                                                                     \
  inline std::string name<tag>() {                                                                \
    return text;                                                                                  \
  }                                                                                               \
  template <>                                                                                     \
  struct over_weft<tag> {                                                                         \
    static constexpr heffte::over_weft::family transforms = heffte::over_weft::family::family_of; \
    static constexpr bool doubles_backward = doubles;                                             \
  };
HEFFTE_BACKEND_OVER_WEFT(fftw, "fftw", fourier, false)
HEFFTE_BACKEND_OVER_WEFT(fftw_cos, "fftw-cos-type-II", cosine2, false)
HEFFTE_BACKEND_OVER_WEFT(fftw_sin, "fftw-sin-type-II", sine2, false)
HEFFTE_BACKEND_OVER_WEFT(fftw_cos1, "fftw-cos-type-I", cosine1, false)
HEFFTE_BACKEND_OVER_WEFT(fftw_sin1, "fftw-sin-type-I", sine1, false)
HEFFTE_BACKEND_OVER_WEFT(stock, "stock", fourier, false)
HEFFTE_BACKEND_OVER_WEFT(stock_cos, "stock-cos-type-II", cosine2, true)
HEFFTE_BACKEND_OVER_WEFT(stock_sin, "stock-sin-type-II", sine2, true)
HEFFTE_BACKEND_OVER_WEFT(stock_cos1, "stock-cos-type-I", cosine1, true)
HEFFTE_BACKEND_OVER_WEFT(mkl, "mkl", fourier, false)
HEFFTE_BACKEND_OVER_WEFT(mkl_cos, "mkl-cos", cosine2, true)
HEFFTE_BACKEND_OVER_WEFT(mkl_sin, "mkl-sin", sine2, true)
#undef HEFFTE_BACKEND_OVER_WEFT

// A backend of a device, which no plan can be made with.
#define HEFFTE_BACKEND_OF_DEVICES(tag, text, is_fft)                    \
  struct tag {};                                                        \
  template <>                                                           \
  struct uses_fft_types<tag> : std::integral_constant<bool, is_fft> {}; \
  template <>                                                           \
  inline std::string name<tag>() {                                      \
    return text;                                                        \
  }
HEFFTE_BACKEND_OF_DEVICES(cufft, "cufft", true)
HEFFTE_BACKEND_OF_DEVICES(cufft_cos, "cufft-cos-type-II", false)
HEFFTE_BACKEND_OF_DEVICES(cufft_sin, "cufft-sin-type-II", false)
HEFFTE_BACKEND_OF_DEVICES(cufft_cos1, "cufft-cos-type-I", false)
HEFFTE_BACKEND_OF_DEVICES(rocfft, "rocfft", true)
HEFFTE_BACKEND_OF_DEVICES(rocfft_cos, "rocfft-cos", false)
HEFFTE_BACKEND_OF_DEVICES(rocfft_sin, "rocfft-sin", false)
HEFFTE_BACKEND_OF_DEVICES(rocfft_cos1, "rocfft-cos1", false)
HEFFTE_BACKEND_OF_DEVICES(onemkl, "onemkl", true)
HEFFTE_BACKEND_OF_DEVICES(onemkl_cos, "onemkl-cos", false)
HEFFTE_BACKEND_OF_DEVICES(onemkl_sin, "onemkl-sin", false)
#undef HEFFTE_BACKEND_OF_DEVICES

template <>
inline std::string name<tag::cpu>() {
  return "cpu";
}
template <>
inline std::string name<tag::gpu>() {
  return "gpu";
}

/// Where arrays of a backend are, and the vectors that methods return.
template <typename backend_tag,
          typename std::enable_if<is_enabled<backend_tag>::value, void*>::type = nullptr>
struct buffer_traits {
  using location = tag::cpu;
  template <typename T>
  using container = std::vector<T>;
};

/// Whether arrays of a backend are on a device: of none.
template <typename backend_tag, typename = void>
struct uses_gpu : std::false_type {};

/// What plans are based on: the stream of a device, of which a processor has none.
template <typename location_tag>
struct device_instance {
  device_instance(void* = nullptr) {}
  virtual ~device_instance() = default;
  void* stream() { return nullptr; }
  void* stream() const { return nullptr; }
  void synchronize_device() const {}
  using stream_type = void*;
};

/// The backend for arrays at a location.
template <typename location_tag>
struct default_backend {
  using type = stock;
};
template <>
struct default_backend<tag::cpu> {
  using type = fftw;
};

/// Whether a transform takes `input` and makes `output`.
template <typename backend_tag, typename input, typename output, typename = void>
struct check_types
    : std::integral_constant<
          bool,
          uses_fft_types<backend_tag>::value
              ? (std::is_same<input, float>::value&& is_ccomplex<output>::value) ||
                    (std::is_same<input, double>::value && is_zcomplex<output>::value) ||
                    (is_ccomplex<input>::value && is_ccomplex<output>::value) ||
                    (is_zcomplex<input>::value && is_zcomplex<output>::value)
              : (std::is_same<input, float>::value&& std::is_same<output, float>::value) ||
                    (std::is_same<input, double>::value && std::is_same<output, double>::value)> {};

}  // namespace backend

/// A vector of this many elements.
template <typename scalar_type>
std::vector<scalar_type> make_buffer_container(void*, std::size_t size) {
  return std::vector<scalar_type>(size);
}

/// Multiplies an array by a factor; programs that scale by themselves use it.
namespace data_scaling {
template <typename scalar_type, typename index>
void apply(index count, scalar_type* data, double factor) {
  using real = decltype(std::real(scalar_type()));
  for (index i = 0; i < count; ++i) data[i] *= static_cast<real>(factor);
}
template <typename scalar_type, typename index>
void apply(void*, index count, scalar_type* data, double factor) {
  apply(count, data, factor);
}
}  // namespace data_scaling

/// To the spectrum, or from it.
enum class direction { forward, backward };

/// What a plan of a backend does if no options are given.
template <typename backend_tag>
struct default_plan_options {
  static const bool use_reorder = true;
};

}  // namespace heffte

#endif

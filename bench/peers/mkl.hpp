// bench/peers/mkl: the common part of the two MKL peers: checked calls and the strides of a field.
#pragma once

#include <mkl_dfti.h>
#include <mkl_service.h>

#include "peer.hpp"

namespace peer {

/// Checks the status of a call. If an error status is ignored, a transform may do nothing.
inline void mkl(MKL_LONG status, const char* doing) {
  if (status == DFTI_NO_ERROR) return;
  // Cluster FFT's own codes start at 1000 and are unknown to DftiErrorMessage.
  const std::string message = status == 1000   ? "an error of MPI"
                              : status == 1001 ? "fewer planes than ranks"
                              : status > 1001  ? "an unknown error of cluster FFT"
                                               : DftiErrorMessage(status);
  throw Unsupported(std::string("MKL refused ") + doing + ": " + message + " (status " +
                    std::to_string(status) + "); try larger extents or fewer ranks");
}

/// "2026.2", which the library knows as major 2026, minor 0 and update 2.
inline std::string mkl_library_version() {
  MKLVersion version{};
  mkl_get_version(&version);
  return std::to_string(version.MajorVersion) + "." +
         (version.MinorVersion ? std::to_string(version.MinorVersion) + "." : "") +
         std::to_string(version.UpdateVersion);
}

inline DFTI_CONFIG_VALUE mkl_precision(const Problem& problem) {
  return problem.single ? DFTI_SINGLE : DFTI_DOUBLE;
}
inline DFTI_CONFIG_VALUE mkl_domain(const Problem& problem) {
  return problem.real ? DFTI_REAL : DFTI_COMPLEX;
}

/// MKL's strides of an array with extents n and rows of `row` elements: a leading 0, then slowest
/// axis first.
inline std::vector<MKL_LONG> mkl_strides(const Index& n, std::int64_t row) {
  std::vector<MKL_LONG> strides(n.size() + 1, 0);
  strides.back() = 1;
  for (std::size_t a = n.size() - 1; a > 0; --a)
    strides[a] = strides[a + 1] * static_cast<MKL_LONG>(a + 1 == n.size() ? row : n[a]);
  return strides;
}

}  // namespace peer

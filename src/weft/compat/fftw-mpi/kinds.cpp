// compat/fftw-mpi/kinds: FFTW's names of transforms, and weft's.

#include "weft/compat/fftw-mpi/kinds.hpp"

#include <algorithm>
#include <iterator>

namespace weft::compat::fftw {

namespace {

struct Row {
  fftw_r2r_kind kind;
  Basis basis;
};
// 01 is the inverse of 10, up to a factor, and weft has it as a transform of its own.
constexpr Row table[] = {
    {FFTW_REDFT00, Basis::dct1}, {FFTW_REDFT10, Basis::dct2}, {FFTW_REDFT01, Basis::dct3},
    {FFTW_REDFT11, Basis::dct4}, {FFTW_RODFT00, Basis::dst1}, {FFTW_RODFT10, Basis::dst2},
    {FFTW_RODFT01, Basis::dst3}, {FFTW_RODFT11, Basis::dst4},
};

}  // namespace

std::optional<std::vector<Basis>> bases_of(int axes, const fftw_r2r_kind* kinds) {
  std::vector<Basis> bases;
  for (int axis = 0; axis < axes; ++axis) {
    const auto row = std::find_if(std::begin(table), std::end(table),
                                  [&](const Row& r) { return r.kind == kinds[axis]; });
    if (row == std::end(table)) return {};
    bases.push_back(row->basis);
  }
  return bases;
}

}  // namespace weft::compat::fftw

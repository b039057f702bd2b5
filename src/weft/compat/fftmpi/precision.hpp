// compat/fftmpi/precision: fftMPI's numbers of precisions, 1 and 2, and whether they are those of
// the program's arrays.
#pragma once

#include <string>

#include "weft/error.hpp"
#include "weft/scalar.hpp"

namespace FFTMPI_NS {

/// The precision `wanted`, 1 or 2. Error::invalid for another one, and if a real number of the
/// program has other than `bytes`; 0: it is not known how many it has.
inline weft::Precision precision_of(int wanted, int bytes) {
  if (wanted != 1 && wanted != 2)
    throw weft::Error(weft::Error::invalid, "precision is " + std::to_string(wanted),
                      "1, single, or 2, double");
  if (bytes != 0 && bytes != 4 * wanted)
    throw weft::Error(weft::Error::invalid,
                      "precision is " + std::to_string(wanted) +
                          ", but the program's FFT_SCALAR has " + std::to_string(bytes) + " bytes",
                      "precision 1 and -DFFT_SINGLE, or precision 2 without it");
  return wanted == 1 ? weft::Precision::single_precision : weft::Precision::double_precision;
}

}  // namespace FFTMPI_NS

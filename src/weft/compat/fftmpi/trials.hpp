// compat/fftmpi/trials: tuning, and the times of what it found.
#pragma once

#include "weft/compat/fftmpi/fft_body.hpp"
#include "weft/compat/fftmpi/include/weft_fftmpi.h"

namespace FFTMPI_NS {

/// Plans `body` with Effort::tune, for about as long as nine trials of `niter` transforms take, and
/// no longer than tmax, and runs one trial with the plan. Fills in the numbers of `fft`.
/// Collective.
void tune_and_try(WeftFft& fft, WeftFftBody& body, const WeftFft::Tuning& tuning);

}  // namespace FFTMPI_NS

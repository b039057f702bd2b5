// compat/fftmpi/trials: all ranks time the same runs, and take the time of the slowest one, so that
// none decides otherwise than the others.

#include "weft/compat/fftmpi/trials.hpp"

#include <algorithm>
#include <cstddef>

#include "weft/compat/fftmpi/bricks.hpp"

namespace FFTMPI_NS {

namespace {

using namespace weft::bricks;

/// The least and the most seconds that weft takes for tuning.
constexpr double least_seconds = 0.02, most_seconds = 86400;

template <class Work>
double seconds_of(MPI_Comm comm, int runs, const Work& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  for (int i = 0; i < runs; ++i) work();
  double seconds = (MPI_Wtime() - start) / runs, slowest = 0;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return slowest;
}

/// An array for any place of the transform, of zeros.
std::vector<std::byte> array_for(const WeftFftBody& body) {
  const auto bytes = body.most_points() * weft::Scalar{body.precision, true}.bytes();
  return std::vector<std::byte>(static_cast<std::size_t>(bytes));
}

/// Calls `work` with the directions that are tuned for, 1 and -1, or one of them.
template <class Work>
void each_way(int flag, const Work& work) {
  if (flag >= 0) work(1);
  if (flag <= 0) work(-1);
}

void time_parts(WeftFft& fft, WeftFftBody& body, int flag, std::byte* array) {
  const int runs = fft.npertrial * (flag == 0 ? 2 : 1);
  const auto seconds = [&](const auto& part) {
    return seconds_of(body.comm, fft.npertrial, [&] { each_way(flag, part); }) * fft.npertrial /
           runs;
  };
  fft.t1d[0] = seconds([&](int way) { body.transform_lines(array, way); });
  fft.tremap[0] = seconds([&](int way) { body.move(array, array, way); });
  double* const of_step[] = {fft.tremap1, fft.tremap2, fft.tremap3, fft.tremap4};
  for (int which = 1; which <= body.axes + 1; ++which)
    of_step[which - 1][0] = seconds([&](int way) { body.move_once(array, array, way, which); });
}

}  // namespace

void tune_and_try(WeftFft& fft, WeftFftBody& body, const WeftFft::Tuning& tuning) {
  fft.setuptime = seconds_of(body.comm, 1, [&] { body.plan_with(usual_options()); });
  std::vector<std::byte> array = array_for(body);
  const auto transform = [&] {
    each_way(tuning.flag,
             [&](int way) { body.transform(array.data(), array.data(), way, fft.scaled != 0); });
  };
  transform();
  const double once = seconds_of(body.comm, 1, transform);

  // Half of tmax for tuning, the other half for the trial.
  const double limit = tuning.tmax > 0 ? tuning.tmax / 2 : most_seconds;
  weft::Options options = usual_options();
  options.effort = weft::Effort::tune;
  options.tune_seconds =
      std::clamp(std::min(9 * tuning.niter * once, limit), least_seconds, most_seconds);
  body.plan_with(options);
  array = array_for(body);
  fft.npertrial = static_cast<int>(
      std::clamp(limit / std::max(once, 1e-9), 1.0, static_cast<double>(tuning.niter)));
  fft.ntrial = 1;
  const double both = seconds_of(body.comm, fft.npertrial, transform);
  fft.tfft[0] = fft.besttime = both / (tuning.flag == 0 ? 2 : 1);
  fft.cflags[0] = fft.cbest = fft.collective;
  fft.eflags[0] = fft.ebest = fft.exchange;
  fft.pflags[0] = fft.pbest = fft.packflag;
  if (tuning.tflag != 0) time_parts(fft, body, tuning.flag, array.data());
}

}  // namespace FFTMPI_NS

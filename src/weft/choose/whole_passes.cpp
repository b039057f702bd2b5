// choose/whole_passes: makes what the candidate would run, to see whether it can.

#include "weft/choose/whole_passes.hpp"

#include <array>

#include "weft/comm/agreement.hpp"
#include "weft/compute/pass.hpp"
#include "weft/fft/processor_family.hpp"
#include "weft/making/maker.hpp"
#include "weft/planning/other_walks.hpp"

namespace weft {

namespace {

// FFTW's takes seconds to plan with trial runs, and mostly longer than weft's passes (docs/lab,
// "Transforms of whole fields by libraries").
constexpr const char* library = "mkl";

void make_kernels(const Blueprint& blueprint, bool forward, int rank) {
  EngineSet engines(blueprint.strategy.engine);
  const std::vector<TileMemory> memory(static_cast<std::size_t>(blueprint.machine.threads(rank)));
  for (const SweepProgram& sweep : make_program(blueprint, forward, rank).sweeps)
    for (const PassProgram& pass : sweep.passes)
      if (pass.spec.is_whole) Pass(pass, engines).make_kernels(memory, engines, Effort::estimate);
}

bool can_run(const Strategy& strategy, const Blueprint& blueprint, int rank) {
  try {
    Blueprint changed = Blueprint::of(blueprint.problem, strategy, blueprint.machine);
    changed.largest_tag = blueprint.largest_tag;
    changed.arrays = blueprint.arrays;
    for (const bool forward : {true, false}) make_kernels(changed, forward, rank);
    return true;
  } catch (const Error& error) {
    if (error.code() == Error::bug) throw;
    return false;
  }
}

}  // namespace

std::vector<Strategy> whole_passes(const Communicator& comm, const Blueprint& blueprint,
                                   const std::string& asked) {
  const Strategy one = with_whole_passes(blueprint.strategy, library);
  // The same on all ranks, which then need not meet.
  if (one == blueprint.strategy || blueprint.machine.nodes() > 1 ||
      !(asked.empty() || asked == library))
    return {};
  const auto [cannot] = agree_on_largest(comm, [&] {
    const bool is_worthwhile = is_intel() || asked == library;
    return std::array{std::int64_t{!is_worthwhile || !can_run(one, blueprint, comm.rank())}};
  });
  if (cannot != 0) return {};
  return {one};
}

}  // namespace weft

// measuring/measure_machine: shares out the time.

#include "weft/measuring/measure_machine.hpp"

#include <algorithm>
#include <cmath>

#include "weft/base/ensure.hpp"
#include "weft/base/simulation.hpp"
#include "weft/base/trace.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/cores.hpp"
#include "weft/measuring/job_facts.hpp"
#include "weft/measuring/measure_memory.hpp"
#include "weft/measuring/measure_messages.hpp"
#include "weft/measuring/measure_plans.hpp"
#include "weft/measuring/measure_transforms.hpp"

namespace weft {

namespace {

// Parts of the time. What is left is for planning.
constexpr double of_memory = 0.2, of_transforms = 0.2, of_messages = 0.2, of_collectives = 0.1,
                 of_passes = 0.1, of_overlap = 0.1;
// In less time, engines and plans do not try what is fastest, and transforms are small.
constexpr double thorough_seconds = 5;
constexpr std::int64_t usual_cube = 128, small_cube = 64;
// The arrays of a cube, and what plans need beside them.
constexpr std::int64_t bytes_of_point = 16 * 4;

void check(const MeasurementChoices& choices) {
  if (is_simulated)
    throw Error(Error::unsupported,
                "the machine of this build is simulated, so it cannot be measured",
                "build weft with another MPI than SimGrid's");
  if (choices.seconds > 0 && choices.seconds <= most_measurement_seconds) return;
  throw Error(Error::invalid,
              fmt::format("the machine cannot be measured in {} seconds", choices.seconds),
              fmt::format("give more than 0 and at most {}", most_measurement_seconds));
}

}  // namespace

MachineMeasurement measure_machine(const Communicator& comm, const MeasurementChoices& choices,
                                   const std::function<void(const std::string&)>& tell) {
  agree(comm, [&] { check(choices); });
  const double seconds = choices.seconds, begin = now();
  Options options;
  options.node_sizes = choices.node_sizes;
  options.threads = choices.threads;
  MachineMeasurement found;
  tell("asking for ranks, cores and caches");
  found.job = job_facts(comm, options, choices.name);
  // Ranks that take turns would find out by trials who had a turn.
  const bool is_crowded = comm.max(std::int64_t{core_share(comm).takes_turns ? 1 : 0}) > 0;
  options.effort = seconds >= thorough_seconds && !is_crowded ? Effort::measure : Effort::estimate;
  tell("measuring memory");
  found.memory = measure_memory(comm, found.job, of_memory * seconds);
  tell("measuring transforms in cache");
  found.engines =
      measure_transforms(comm, found.job.cache_bytes, of_transforms * seconds, options.effort);
  tell("measuring messages between pairs of ranks");
  found.messages = measure_messages(comm, found.job, of_messages * seconds);
  tell("measuring messages between all ranks");
  for (SizeCurve& curve : measure_collectives(comm, found.job, of_collectives * seconds))
    found.messages.curves.push_back(std::move(curve));
  const std::int64_t room = found.job.spare_bytes * comm.size() / bytes_of_point;
  const std::int64_t points =
      seconds >= thorough_seconds && room >= usual_cube * usual_cube * usual_cube ? usual_cube
                                                                                  : small_cube;
  tell(fmt::format("measuring the passes of {0}x{0}x{0}", points));
  found.passes = measure_passes(comm, points, options, of_passes * seconds);
  tell("measuring what hides behind computing");
  options.node_sizes = {1};
  options.effort = Effort::estimate;
  found.overlap = measure_overlap(comm, small_cube, options, of_overlap * seconds);
  found.seconds = comm.max(now() - begin);
  return found;
}

}  // namespace weft

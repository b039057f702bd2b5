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
#include "weft/measuring/measure_devices.hpp"
#include "weft/measuring/measure_memory.hpp"
#include "weft/measuring/measure_messages.hpp"
#include "weft/measuring/measure_plans.hpp"
#include "weft/measuring/measure_transforms.hpp"

namespace weft {

namespace {

// Parts of the time.
constexpr double of_memory = 0.2, of_transforms = 0.2, of_messages = 0.2, of_collectives = 0.1,
                 of_passes = 0.1, of_overlap = 0.1, of_planning = 0.1, of_devices = 0.1;
// In less time, engines and plans do not try what is fastest, and transforms are small.
constexpr double thorough_seconds = 5;
constexpr std::int64_t usual_cube = 128, small_cube = 64;
// Several times the caches of today's devices, and 5 ms over a bus of 50 GB/s.
constexpr std::int64_t usual_copy = std::int64_t{256} << 20, small_copy = std::int64_t{16} << 20;
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

// Measures part after part, each within its share of the time.
class Measuring {
 public:
  Measuring(const Communicator& comm, const MeasurementChoices& choices,
            const std::function<void(const std::string&)>& tell, MachineMeasurement& found)
      : comm_(comm),
        tell_(tell),
        found_(found),
        seconds_(choices.seconds),
        most_(std::max(choices.seconds, least_patience)),
        limit_(choices.seconds, most_, choices.clock) {}

  // Calls measure(limit). Its aim is `share` of the seconds from now on; its end is that of its
  // share of all the time that there is, and what is left for planning later.
  template <class Measure>
  void part(const std::string& name, double share, const Measure& measure) {
    tell_("measuring " + name);
    shares_ += share;
    const TimeLimit limit = limit_.part(share * seconds_, (shares_ + of_planning) * most_);
    measure(limit);
    if (limit.is_over(comm_)) agree(comm_, [&] { found_.cut_short.push_back(name); });
  }
  // Whether a part has taken longer than its share.
  bool is_late() const { return !found_.cut_short.empty(); }

 private:
  const Communicator& comm_;
  const std::function<void(const std::string&)>& tell_;
  MachineMeasurement& found_;
  double seconds_, most_;
  TimeLimit limit_;
  double shares_ = 0;
};

}  // namespace

MachineMeasurement measure_machine(const Communicator& comm, const MeasurementChoices& choices,
                                   const std::function<void(const std::string&)>& tell) {
  agree(comm, [&] { check(choices); });
  const bool is_thorough = choices.seconds >= thorough_seconds;
  const double begin = choices.clock();
  MachineMeasurement found;
  Measuring measuring(comm, choices, tell, found);
  Options options;
  options.pretend.node_sizes = choices.node_sizes;
  options.threads = choices.threads;
  tell("asking for ranks, cores and caches");
  found.job = job_facts(comm, options, choices.name);
  // Ranks that take turns would find out by trials who had a turn.
  const bool is_crowded = comm.max(std::int64_t{core_share(comm).takes_turns ? 1 : 0}) > 0;
  const auto effort = [&] {
    return is_thorough && !is_crowded && !measuring.is_late() ? Effort::measure : Effort::estimate;
  };
  measuring.part("memory", of_memory, [&](const TimeLimit& limit) {
    found.memory = measure_memory(comm, found.job, limit);
  });
  measuring.part("transforms in cache", of_transforms, [&](const TimeLimit& limit) {
    found.engines = measure_transforms(comm, found.job.cache_bytes, limit, effort());
  });
  measuring.part("messages between pairs of ranks", of_messages, [&](const TimeLimit& limit) {
    found.messages = measure_messages(comm, found.job, limit);
  });
  measuring.part("messages between all ranks", of_collectives, [&](const TimeLimit& limit) {
    for (SizeCurve& curve : measure_collectives(comm, found.job, limit))
      found.messages.curves.push_back(std::move(curve));
  });
  const std::int64_t room = found.job.spare_bytes * comm.size() / bytes_of_point;
  const bool is_large =
      is_thorough && !measuring.is_late() && room >= usual_cube * usual_cube * usual_cube;
  measuring.part("the passes of a cube", of_passes, [&](const TimeLimit& limit) {
    options.effort = effort();
    if (!limit.is_over(comm))
      found.passes = measure_passes(comm, is_large ? usual_cube : small_cube, options, limit);
  });
  measuring.part("what hides behind computing", of_overlap, [&](const TimeLimit& limit) {
    options.pretend.node_sizes = {1};
    options.effort = Effort::estimate;
    found.overlap = measure_overlap(comm, small_cube, options, limit);
  });
  const CommonDriver devices = common_driver(comm);
  agree(comm, [&] { found.devices.why_none = devices.why_none; });
  const std::int64_t copied_bytes = is_thorough && !measuring.is_late() ? usual_copy : small_copy;
  if (devices.number >= 0)
    measuring.part("devices", of_devices, [&](const TimeLimit& limit) {
      const DriverEntry& driver = device_drivers()[static_cast<std::size_t>(devices.number)];
      DeviceDriver* const its = agree(comm, [&] { return &driver.get(); });
      found.devices = measure_devices(comm, found.job, *its, copied_bytes, limit);
      agree(comm, [&] { found.devices.driver = driver.name; });
    });
  found.seconds = comm.max(choices.clock() - begin);
  return found;
}

}  // namespace weft

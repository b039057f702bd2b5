// measuring/job_facts: what the system and MPI tell of a job and its hosts, before anything is
// measured. Keeps: agreement - all ranks are told the same.
#pragma once

#include <string>

#include "weft/comm/communicator.hpp"
#include "weft/measuring/machine_measurement.hpp"
#include "weft/options.hpp"

namespace weft {

/// The facts of this job. Only node_sizes and threads of `options` matter. `name` is what the
/// machine will be called; empty: the host of rank 0. Collective; errors as of machine_here.
JobFacts job_facts(const Communicator& comm, const Options& options, const std::string& name);

/// The word in brackets of a line as "always [madvise] never"; empty without one.
std::string chosen_word(const std::string& line);

}  // namespace weft

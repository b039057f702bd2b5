// cli/doctor/doctor_findings: what is wrong with a machine, or with how a job was started on it,
// and how to mend it. Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/measuring/machine_measurement.hpp"

namespace weft::cli {

/// Beyond which number something is a finding, and why this number.
struct Threshold {
  const char* name;
  double value;
  const char* reason;
};

/// All thresholds.
const std::vector<Threshold>& thresholds();

/// All findings, the most important first; none for a machine without fault. Where ranks take turns
/// on cores, times are not judged.
std::vector<Finding> findings_of(const MachineMeasurement& measured);

/// The machine that predictions take, with those of the findings that tell why its figures may be
/// wrong. The others tell what a machine is like, and its figures hold.
MachineModel machine_with_findings(const MachineMeasurement& measured);

}  // namespace weft::cli

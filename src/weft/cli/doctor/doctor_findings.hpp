// cli/doctor/doctor_findings: what is wrong with a machine, or with how a job was started on it,
// and how to mend it. Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/measuring/machine_measurement.hpp"

namespace weft::cli {

/// Something that makes transforms slower than they need be, or measurements wrong.
struct Finding {
  std::string name;  ///< one word, which stays the same from version to version
  std::string what, mend;
};

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

}  // namespace weft::cli

// cli/doctor/doctor_report: what was measured and found, as text and as JSON.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/doctor/doctor_findings.hpp"

namespace weft::cli {

/// Short tables for a person, and the findings in words.
std::string doctor_text(const MachineMeasurement& measured, const std::vector<Finding>& findings);

/// Everything, the machine as machine files have it.
std::string doctor_json(const MachineMeasurement& measured, const std::vector<Finding>& findings);

/// "2 ranks on 1 node of 2 cores; Open MPI v4.1.4".
std::string job_text(const JobFacts& job);

/// A head, and a row for each device that was measured: what it is, and its speeds in GB/s.
std::vector<std::vector<std::string>> device_rows(const DeviceMeasurement& devices);

/// What a core computes of transforms of this speed, in flops per second.
double flops_of(const LineSpeed& speed);

/// "4 KiB", "1 MiB".
std::string size_text(double bytes);

}  // namespace weft::cli

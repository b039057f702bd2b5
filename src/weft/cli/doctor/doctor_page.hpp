// cli/doctor/doctor_page: what was measured and found, as one page with pictures.
// Pure. Keeps: the page needs no other file and no network.
#pragma once

#include <string>
#include <vector>

#include "weft/cli/doctor/doctor_findings.hpp"

namespace weft::cli {

/// HTML with its style and pictures (SVG) in it: findings, the roofline of a node, bandwidth by
/// size, and maps of pairs.
std::string doctor_page(const MachineMeasurement& measured, const std::vector<Finding>& findings);

}  // namespace weft::cli

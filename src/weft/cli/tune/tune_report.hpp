// cli/tune/tune_report: what `weft tune` prints and writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/plan/tuning.hpp"

namespace weft::cli {

/// What came of a problem: either what was found, or what was known.
struct TuneResult {
  Problem problem;
  std::optional<Tuned> found;
  std::string known;
};

/// A table of all plans that were raced, and the one that is kept; or what is known.
std::string text_of(const TuneResult& result);

/// As JSON: an array with an object for each problem.
std::string json_of(const std::vector<TuneResult>& results);

/// All entries in a few lines each, and the path.
std::string list_of(const Wisdom& wisdom, const std::string& path);

}  // namespace weft::cli

// cli/report_parts: the parts that the reports of all benchmarks share.
#pragma once

#include <string>
#include <vector>

#include "weft/base/json_text.hpp"
#include "weft/cli/bench/bench_setup.hpp"

namespace weft::cli {

/// Formats rows in columns: the first `text_columns` are text, aligned left; the others are
/// numbers.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns);

/// "1 rank", "2 ranks".
std::string counted(std::size_t number, const std::string& what);
std::string milliseconds(double seconds);
std::string megabytes(std::int64_t bytes);
/// "12.3 MB", in the unit that has one to three digits before the point.
std::string bytes_text(double bytes);
/// "node 3", or "ranks 4-7".
std::string range_text(const std::string& singular, int first, int last);
std::string error_text(const Setup& setup);
/// The problem in a few words, for example "64x64x64 c2c double".
std::string title(const Setup& setup);

/// The processor that ranks run on, in words.
std::string processor_of_ranks();

Json json_of(const Times& times);
/// The first keys of an object, from the version to the time of planning, and the last ones, error
/// and memory.
Json head_of(const Setup& setup);
Json tail_of(const Setup& setup);

}  // namespace weft::cli

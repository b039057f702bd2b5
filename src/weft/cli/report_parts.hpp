// cli/report_parts: what the reports of all benchmarks are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/cli/bench_setup.hpp"

namespace weft::cli {

using Json = nlohmann::ordered_json;

/// Rows under each other; so many columns of text, numbers behind them.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns);

std::string milliseconds(double seconds);
std::string megabytes(std::int64_t bytes);
std::string error_text(const Setup& setup);
/// The problem in a few words.
std::string title(const Setup& setup);

Json json_of(const Times& times);
/// What an object begins and ends with: from the version to the time of planning; error and memory.
Json head_of(const Setup& setup);
Json tail_of(const Setup& setup);

}  // namespace weft::cli

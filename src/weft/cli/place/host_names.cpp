// cli/place/host_names: reads a file line by line.

#include "weft/cli/place/host_names.hpp"

#include <sstream>
#include <unordered_map>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"
#include "weft/base/text_file.hpp"

namespace weft::cli {

namespace {

constexpr std::size_t most_of_name = 255;  // bytes, as DNS has it
constexpr const char* names_hint =
    "give the name of a host on a line for each node, in their order";

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream file(read_text_file(path, most_bytes_of_lists, names_hint));
  for (std::string line; std::getline(file, line);) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    lines.push_back(line.substr(0, last == std::string::npos ? 0 : last + 1));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

std::vector<std::string> read_host_names(const std::string& path, int nodes) {
  std::vector<std::string> names;
  if (path.empty()) {
    for (int node = 0; node < nodes; ++node) names.push_back(fmt::format("node{}", node));
    return names;
  }
  names = lines_of(path);
  if (static_cast<int>(names.size()) != nodes)
    throw Error(Error::invalid,
                fmt::format("'{}' has {} lines for {} nodes", path, names.size(), nodes),
                names_hint);
  std::unordered_map<std::string, std::size_t> line_of;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string shown = printable(names[i], most_of_name);
    if (names[i].empty() || shown != names[i] || names[i].find(' ') != std::string::npos)
      throw Error(Error::invalid,
                  fmt::format("line {} of '{}' is '{}', no name of a host", i + 1, path, shown),
                  names_hint);
    // Launchers would take both for one node.
    if (const auto [first, is_new] = line_of.emplace(names[i], i + 1); !is_new)
      throw Error(Error::invalid,
                  fmt::format("line {} of '{}' is '{}', as line {} is", i + 1, path, names[i],
                              first->second),
                  "give each node a name of its own");
  }
  return names;
}

}  // namespace weft::cli

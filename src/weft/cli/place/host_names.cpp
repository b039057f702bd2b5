// cli/place/host_names: reads a file line by line.

#include "weft/cli/place/host_names.hpp"

#include <fstream>
#include <unordered_map>

#include "weft/base/ensure.hpp"

namespace weft::cli {

namespace {

constexpr const char* names_hint =
    "give the name of a host on a line for each node, in their order";

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t last = line.find_last_not_of(" \t\r");
    lines.push_back(line.substr(0, last == std::string::npos ? 0 : last + 1));
  }
  if (!file.is_open() || file.bad())
    throw Error(Error::invalid, fmt::format("cannot read '{}'", path), names_hint);
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
    if (names[i].empty() || names[i].find_first_of(" \t") != std::string::npos)
      throw Error(Error::invalid,
                  fmt::format("line {} of '{}' is '{}', no name of a host", i + 1, path, names[i]),
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

// cli/place/host_names: what the nodes of a machine are called.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// The names of `nodes` nodes, from the lines of the file `path`; of an empty path, node0, node1
/// and so on. Error::invalid for a file that cannot be read, that has another number of lines, or
/// in which a line is not one word, or that of an earlier line.
std::vector<std::string> read_host_names(const std::string& path, int nodes);

}  // namespace weft::cli

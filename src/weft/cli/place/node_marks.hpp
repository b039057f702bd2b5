// cli/place/node_marks: lists of nodes, and which kinds of nodes a machine has.
// Pure but for reading a file.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// The nodes of a list such as "0-3,8", in its order. `where` is the option or line that has it,
/// `verb` what it says of them ("free"). Error::invalid for anything else, and for nodes beyond
/// `there`, the number of nodes of the network.
std::vector<int> parse_nodes(const std::string& where, const std::string& text, int there,
                             const std::string& verb);

/// The kind of every node, as a word.
struct NodeMarks {
  std::vector<std::string> words{"compute"};
  std::vector<int> word_of;  ///< by node, an index of `words`

  const std::string& word(int node) const {
    return words[static_cast<std::size_t>(word_of[static_cast<std::size_t>(node)])];
  }
  /// Whether a job can have the node: all but those that are marked as service or empty.
  bool computes(int node) const;
};

/// Every node is "compute" but those of the lines `NODES: WORD` of the file at `path`; blank lines
/// and lines that start with # say nothing. An empty path has no lines. Error::invalid, with the
/// number of the line, for other lines and for nodes that have two words.
NodeMarks read_node_marks(const std::string& path, int there);

/// Error::invalid, with their numbers, for nodes of `free` that do not compute.
void require_computing(const NodeMarks& marks, const std::vector<int>& free);

}  // namespace weft::cli

// cli/place/node_marks: reads lists of nodes, and files of them.

#include "weft/cli/place/node_marks.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"
#include "weft/base/text_file.hpp"
#include "weft/faces/integers.hpp"

namespace weft::cli {

namespace {

constexpr std::array not_computing{"service", "empty"};

constexpr std::size_t most_of_line = 200;

// As many as the page has colours for.
constexpr std::size_t most_words = 6;

std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_word(const std::string& text) {
  constexpr std::size_t longest = 40;
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
  });
}

int index_of(const std::string& word, const std::string& where, NodeMarks& marks) {
  const auto found = std::ranges::find(marks.words, word);
  if (found != marks.words.end()) return static_cast<int>(found - marks.words.begin());
  if (marks.words.size() == most_words)
    throw Error(
        Error::invalid,
        fmt::format("{} has the word '{}' after {}", where, word, fmt::join(marks.words, ", ")),
        fmt::format("use at most {} words, 'compute' included", most_words));
  marks.words.push_back(word);
  return static_cast<int>(marks.words.size()) - 1;
}

// Lines by which nodes were marked; 0 if by none.
using MarkedBy = std::vector<int>;

void read_line(const std::string& line, const std::string& where, NodeMarks& marks,
               MarkedBy& marked_by, int number) {
  const std::size_t colon = line.find(':');
  const std::string word = colon == std::string::npos ? "" : trimmed(line.substr(colon + 1));
  if (!is_word(word))
    throw Error(Error::invalid,
                fmt::format("{} is '{}', not NODES: WORD", where, printable(line, most_of_line)),
                "write lines like 0-31,40: service");
  const auto there = static_cast<int>(marks.word_of.size());
  const int index = index_of(word, where, marks);
  for (const int node : parse_nodes(where, trimmed(line.substr(0, colon)), there, "marked")) {
    int& earlier = marked_by[static_cast<std::size_t>(node)];
    if (earlier > 0)
      throw Error(Error::invalid,
                  fmt::format("{} marks node {}, which line {} has marked", where, node, earlier),
                  "give each node one word");
    earlier = number;
    marks.word_of[static_cast<std::size_t>(node)] = index;
  }
}

}  // namespace

std::vector<int> parse_nodes(const std::string& where, const std::string& text, int there,
                             const std::string& verb) {
  std::vector<int> nodes;
  const std::string hint = "write nodes like 0-3,8";
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t dash = part.find('-', 1);
    const int first = parse_integers(where, trimmed(part.substr(0, dash)), hint).front();
    const int last = dash == std::string::npos
                         ? first
                         : parse_integers(where, trimmed(part.substr(dash + 1)), hint).front();
    if (first > last)
      throw Error(Error::invalid, fmt::format("{} has the range '{}', which is empty", where, part),
                  hint);
    for (int node = first; node <= last; ++node) {
      if (node < 0 || node >= there)
        throw Error(
            Error::invalid,
            fmt::format("{}: node {} is {}, but the network has {}", where, node, verb, there),
            fmt::format("give nodes from 0 to {}", there - 1));
      if (static_cast<int>(nodes.size()) == there)
        throw Error(Error::invalid,
                    fmt::format("{} names more nodes than the {} of the network", where, there),
                    "give each node once");
      nodes.push_back(node);
    }
    at = end + 1;
  }
  return nodes;
}

bool NodeMarks::computes(int node) const {
  return std::ranges::none_of(not_computing,
                              [&](const char* other) { return word(node) == other; });
}

NodeMarks read_node_marks(const std::string& path, int there) {
  NodeMarks marks;
  marks.word_of.assign(static_cast<std::size_t>(there), 0);
  if (path.empty()) return marks;
  std::istringstream file(
      read_text_file(path, most_bytes_of_lists, "give a file with lines like 0-31,40: service"));
  MarkedBy marked_by(marks.word_of.size(), 0);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    line = trimmed(line);
    if (line.empty() || line.front() == '#') continue;
    read_line(line, fmt::format("line {} of '{}'", number, path), marks, marked_by, number);
  }
  return marks;
}

void require_computing(const NodeMarks& marks, const std::vector<int>& free) {
  constexpr std::size_t most_shown = 8;
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (const int node : free) {
    if (marks.computes(node)) continue;
    if (++count <= most_shown) shown.push_back(fmt::format("{} ({})", node, marks.word(node)));
  }
  if (count == 0) return;
  throw Error(Error::invalid,
              fmt::format("{} of the free nodes cannot compute: {}{}", count,
                          fmt::join(shown, ", "), count > most_shown ? ", ..." : ""),
              "leave them out of --free, or out of the file of --marks");
}

}  // namespace weft::cli

// program/program: names of the enumerators.

#include "weft/program/program.hpp"

namespace weft {

const char* to_string(Feeds feeds) {
  static constexpr const char* names[] = {"other nodes", "this node", "nobody"};
  return names[static_cast<int>(feeds)];
}

const char* to_string(Why why) {
  static constexpr const char* names[] = {
      "begun",       "arrived", "stored",    "counted", "opened", "in turn", "finished",
      "source read", "ordered", "all begun", "loaded",  "paired", "done"};
  return names[static_cast<int>(why)];
}

}  // namespace weft

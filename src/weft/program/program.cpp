// program/program: names of the enumerators, and sizes.

#include "weft/program/program.hpp"

namespace weft {

const char* to_string(Feeds feeds) {
  static constexpr const char* names[] = {"other nodes", "a ring", "this node", "nobody"};
  return names[static_cast<int>(feeds)];
}

const char* to_string(Why why) {
  static constexpr const char* names[] = {
      "begun",       "arrived", "stored",    "counted", "opened", "in turn", "finished",
      "source read", "ordered", "all begun", "loaded",  "paired", "done"};
  return names[static_cast<int>(why)];
}

std::int64_t Collective::Part::elements() const {
  if (boxes.empty()) return count;
  std::int64_t elements = 0;
  for (const Patch& patch : boxes) elements += patch.box.volume();
  return elements;
}

}  // namespace weft

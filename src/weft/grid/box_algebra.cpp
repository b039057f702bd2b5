// grid/box_algebra: boxes as text.

#include "weft/box.hpp"

namespace weft {

std::string to_string(const Box& box) {
  std::string text;
  for (int a = 0; a < box.axes(); ++a) {
    if (a > 0) text += 'x';
    text += '[' + std::to_string(box.lo[a]) + ',' + std::to_string(box.hi[a]) + ')';
  }
  return text;
}

}  // namespace weft

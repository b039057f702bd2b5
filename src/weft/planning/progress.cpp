// planning/progress: one table.

#include "weft/planning/progress.hpp"

#include "weft/base/names.hpp"

namespace weft {

namespace {

constexpr Names<Progress, 4> progress_names{{{Progress::by_calls, "inline"},
                                             {Progress::by_tiles, "tiles"},
                                             {Progress::by_thread, "thread"},
                                             {Progress::automatic, "automatic"}}};

}  // namespace

const char* to_string(Progress progress) { return name_in(progress_names, progress); }
Progress parse_progress(const std::string& text) {
  return value_in(progress_names, text, "progress");
}

}  // namespace weft

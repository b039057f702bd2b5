// proof/hazard_list: ranks, directions and tasks in words.

#include "weft/proof/hazard_list.hpp"

namespace weft {

namespace {

const char* name_of(int direction) { return direction == 0 ? "forward" : "backward"; }

}  // namespace

std::string in_words(int direction, int rank) {
  return fmt::format("rank {} ({})", rank, name_of(direction));
}

std::string in_words(const ProgramSet& set, int direction, int rank, int task) {
  return fmt::format("{}, {}", in_words(direction, rank),
                     describe_task(program_of(set, direction, rank), task));
}

std::string in_words(const ProgramSet& set, int direction, int rank, int task, int run) {
  return fmt::format("rank {}, run {} ({}), {}", rank, run + 1, name_of(direction),
                     describe_task(program_of(set, direction, rank), task));
}

}  // namespace weft

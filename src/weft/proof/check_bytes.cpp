// proof/check_bytes: marks all accesses in a map of the memory, one after another.

#include "weft/proof/check_bytes.hpp"

#include <algorithm>
#include <bit>

namespace weft {

namespace {

// Whether the waits of this rank alone guarantee that `task` is submitted after `earlier`.
bool is_submitted_after(const Program& program, int task, int earlier) {
  std::vector<bool> seen(program.tasks.size(), false);
  std::vector<int> path = {task};
  while (!path.empty()) {
    const int at = path.back();
    path.pop_back();
    for (const Wait& wait : program.tasks[static_cast<std::size_t>(at)].waits) {
      if (wait.task == earlier) return true;
      if (seen[static_cast<std::size_t>(wait.task)]) continue;
      seen[static_cast<std::size_t>(wait.task)] = true;
      path.push_back(wait.task);
    }
  }
  return false;
}

bool waits_for(const Program& program, int task, int earlier) {
  for (const Wait& wait : program.tasks[static_cast<std::size_t>(task)].waits)
    if (wait.task == earlier) return true;
  return is_submitted_after(program, task, earlier);
}

}  // namespace

ByteMap::ByteMap(const CheckedRuns& runs, const std::vector<int>& ranks, const Knowledge& knowledge,
                 HazardList& hazards)
    : set_(runs.set),
      in_one_array_(runs.in_one_array),
      ranks_(ranks),
      knowledge_(knowledge),
      hazards_(hazards),
      slots_(at(ranks_of(runs.set)), -1) {
  for (std::size_t slot = 0; slot < ranks.size(); ++slot)
    slots_[at(ranks[slot])] = static_cast<int>(slot);
  find_unit();
  measure();
  for (int direction = 0; direction < directions; ++direction)
    for (const int rank : ranks)
      if (!programs_of(set_, direction).empty())
        add(direction, rank, runs.all[at(direction)].bits[at(rank)]);
  collect_contents();
}

int ByteMap::memory_of(int direction, int rank, Home home) const {
  int which = workspace;
  if (home != Home::workspace)
    which = in_one_array_ || (home == Home::source) == (direction == 0) ? input : output;
  return slots_[at(rank)] * homes + which;
}

// The largest power of two that divides whatever regions begin, end and repeat with.
void ByteMap::find_unit() {
  std::uint64_t all = 0;
  const auto divides = [&all](std::int64_t bytes) { all |= static_cast<std::uint64_t>(bytes); };
  for (int direction = 0; direction < directions; ++direction)
    for (const int rank : ranks_) {
      if (programs_of(set_, direction).empty()) continue;
      const Program& program = program_of(set_, direction, rank);
      for (const auto& buffer : program.buffers) divides(buffer.offset);
      for (const ExchangeProgram& exchange : program.exchanges) divides(exchange.element_bytes);
      for (const SweepProgram& sweep : program.sweeps)
        for (const PassProgram& pass : sweep.passes) {
          divides(pass.spec.real_scalar.bytes());
          divides(pass.spec.spectral_scalar.bytes());
        }
    }
  unit_shift_ = all == 0 ? 0 : std::countr_zero(all);
}

void ByteMap::measure() {
  bytes_.assign(ranks_.size() * homes, 0);
  for (int direction = 0; direction < directions; ++direction)
    for (const int rank : ranks_) {
      if (programs_of(set_, direction).empty()) continue;
      const Program& program = program_of(set_, direction, rank);
      const auto hold = [&](Home home, std::int64_t bytes) {
        std::int64_t& room = bytes_[at(memory_of(direction, rank, home))];
        room = std::max(room, bytes);
      };
      hold(Home::workspace, program.workspace_bytes);
      for (const auto& buffer : program.buffers)
        if (buffer.rank == rank) hold(buffer.home, buffer.offset + buffer.bytes);
    }
  std::int64_t cells = 0;
  for (const std::int64_t bytes : bytes_) {
    first_cells_.push_back(cells);
    cells += (bytes + (std::int64_t{1} << unit_shift_) - 1) >> unit_shift_;
  }
  first_cells_.push_back(cells);
  cells_.resize(static_cast<std::size_t>(cells));
}

void ByteMap::add(int direction, int rank, const TaskBits& bits) {
  direction_ = direction;
  rank_ = rank;
  const Program& program = program_of(set_, direction, rank);
  AccessReader reader(program);
  for (task_ = 0; task_ < static_cast<int>(program.tasks.size()); ++task_)
    add_task(reader, program, bits);
}

void ByteMap::add_task(AccessReader& reader, const Program& program, const TaskBits& bits) {
  const Task::Kind kind = program.tasks[at(task_)].kind;
  if (kind != Task::compute && kind != Task::receive && kind != Task::send &&
      kind != Task::collective)
    return;
  ++turn_;
  is_told_ = false;
  named_.clear();
  reader.read(task_, [&](const Touch& touch) {
    if (at(reader.ends()) > named_.size()) name_accessors(reader, program, bits);
    mark(touch, program);
  });
  if (kind == Task::compute) check_stored(reader, program);
}

void ByteMap::name_accessors(const AccessReader& reader, const Program& program,
                             const TaskBits& bits) {
  const Task& task = program.tasks[at(task_)];
  while (named_.size() < at(reader.ends())) {
    const int ends = static_cast<int>(named_.size());
    named_.push_back(static_cast<int>(accessors_.size()));
    accessors_.push_back({direction_, rank_, task_, masks_.size()});
    masks_.resize(masks_.size() + at(knowledge_.words(rank_)), 0);
    Knowledge::Word* mask = &masks_[accessors_.back().mask];
    Knowledge::set_bit(mask, bits.completed[at(task_)]);
    for (const int message : reader.messages(ends)) {
      const int stored = program.steps[at(task.step) + 1].stored[at(message)];
      Knowledge::set_bit(mask, bits.completed[at(stored)]);
    }
  }
}

// Checks the messages that the current item stores to: the task `stored` of each must wait until
// the item has been submitted.
void ByteMap::check_stored(const AccessReader& reader, const Program& program) {
  const auto& stored = program.steps.back().stored;
  const std::size_t next = at(program.tasks[at(task_)].step) + 1;
  const auto& tasks = next < program.steps.size() ? program.steps[next].stored : stored;
  std::vector<int> told;
  for (int ends = 0; ends < reader.ends(); ++ends)
    for (const int message : reader.messages(ends)) {
      if (std::find(told.begin(), told.end(), message) != told.end()) continue;
      told.push_back(message);
      const int task = tasks[at(message)];
      if (waits_for(program, task, task_)) continue;
      hazards_.add({Hazard::malformed, direction_ == 0, rank_, task,
                    weft::in_words(set_, direction_, rank_, task) + ": does not wait for " +
                        describe_task(program, task_) + ", which stores to it"});
    }
}

void ByteMap::mark(const Touch& touch, const Program& program) {
  if (touch.region.run == 0 || !is_inside(touch, program)) return;
  const auto& buffer = program.buffers[at(touch.buffer)];
  kind_ = touch.kind;
  accessor_ = named_[at(touch.ends)];
  memory_ = memory_of(direction_, buffer.rank, buffer.home);
  grain_ = static_cast<std::uint32_t>(touch.grain) + 1;
  if (buffer.rank != rank_ && buffer.home != Home::workspace && visited_.insert(accessor_, memory_))
    visits_.push_back({accessor_,
                       kind_,
                       {memory_, buffer.offset + touch.region.first,
                        buffer.offset + touch.region.first + touch.region.run}});
  mark_region(touch.region, buffer.offset);
}

bool ByteMap::is_inside(const Touch& touch, const Program& program) {
  const std::int64_t bytes = program.buffers[at(touch.buffer)].bytes;
  if (touch.region.first >= 0 && touch.region.end() <= bytes) return true;
  if (!is_told_)
    hazards_.add({Hazard::outside, direction_ == 0, rank_, task_,
                  fmt::format("{} reaches bytes [{},{}) of buffer {}, which has {} bytes",
                              weft::in_words(set_, direction_, rank_, task_), touch.region.first,
                              touch.region.end(), touch.buffer, bytes)});
  is_told_ = true;
  return false;
}

void ByteMap::mark_region(const Strided& region, std::int64_t offset) {
  const auto axes = at(region.axes);
  std::array<std::int64_t, Dims::capacity> index{};
  std::int64_t first = offset + region.first;
  while (true) {
    mark_run(first >> unit_shift_, (first + region.run) >> unit_shift_);
    std::size_t axis = 0;
    for (; axis < axes; ++axis) {
      first += region.strides[axis];
      if (++index[axis] < region.counts[axis]) break;
      first -= region.counts[axis] * region.strides[axis];
      index[axis] = 0;
    }
    if (axis == axes) return;
  }
}

void ByteMap::mark_run(std::int64_t first, std::int64_t last) {
  Cell* cells = cells_.data() + first_cells_[at(memory_)];
  const int access = 4 * accessor_ + kind_, known = 4 * accessor_ + Touch::read_idly;
  for (std::int64_t unit = first; unit < last; ++unit) {
    Cell& cell = cells[unit];
    if (cell.turn != turn_) cell = {cell.set, turn_, 0, 0};
    const bool is_own = cell.writer == grain_;
    bool collides = cell.writer != 0 && !is_own;
    if (writes(kind_)) {
      collides = collides || (cell.reader != 0 && cell.reader != grain_);
      cell.writer = grain_;
    } else {
      cell.reader = cell.reader == 0 || cell.reader == grain_ ? grain_ : many;
    }
    if (collides) tell_grains(unit);
    // A grain may read what it has written itself.
    const int adds = kind_ == Touch::read && is_own ? known : access;
    const Set& set = sets_[cell.set];
    cell.set = static_cast<std::uint32_t>(
        set.last_access == adds ? set.last_set
                                : added(static_cast<int>(cell.set), adds, unit, last));
  }
}

// Returns the set that contains `access` in addition to those of `set`. If it is new, compares the
// access with all others of the set. The bytes from `unit` on, at most to `last`, have set `set`.
int ByteMap::added(int set, int access, std::int64_t unit, std::int64_t last) {
  bool is_new = false;
  int& number = set_numbers_.insert(set, access, set, is_new);
  if (is_new) {
    bool contains = false;
    for (int s = set; s != 0 && !contains; s = parent(s)) contains = this->access(s) == access;
    if (!contains) {
      number = static_cast<int>(sets_.size());
      sets_.push_back({set, access, -1, 0});
      const Cell* cells = cells_.data() + first_cells_[at(memory_)];
      std::int64_t end = unit + 1;
      while (end < last && static_cast<int>(cells[end].set) == set) ++end;
      const Bytes bytes{memory_, unit << unit_shift_, end << unit_shift_};
      for (int s = set; s != 0; s = parent(s)) compare(this->access(s), access, bytes);
    }
  }
  sets_[at(set)].last_access = access;
  sets_[at(set)].last_set = number;
  return number;
}

// Records a conflict of two accesses unless they are ordered anyway: accesses of one rank in
// different runs, or in one task.
void ByteMap::compare(int earlier, int access, const Bytes& bytes) {
  if (!writes(kind_of(earlier)) && !writes(kind_of(access))) return;
  const Accessor &a = accessor(accessor_of(earlier)), &b = accessor(accessor_of(access));
  if (a.rank == b.rank && (a.direction != b.direction || a.task == b.task)) return;
  if (compared_.insert(accessor_of(earlier), accessor_of(access)))
    conflicts_.push_back(
        {accessor_of(earlier), accessor_of(access), kind_of(earlier), kind_of(access), bytes});
}

void ByteMap::tell_grains(std::int64_t unit) {
  if (is_told_) return;
  is_told_ = true;
  hazards_.add({Hazard::race, direction_ == 0, rank_, task_,
                fmt::format("{}: two of its grains, which may run at the same time, touch {}, and "
                            "one of them writes",
                            weft::in_words(set_, direction_, rank_, task_),
                            in_words({memory_, unit << unit_shift_, (unit + 1) << unit_shift_}))});
}

void ByteMap::collect_contents() {
  std::vector<int> seen(sets_.size(), -1);
  for (std::size_t memory = 0; memory < bytes_.size(); ++memory) {
    const std::int64_t first = first_cells_[memory];
    for (std::int64_t cell = first; cell < first_cells_[memory + 1]; ++cell) {
      const std::uint32_t set = cells_[static_cast<std::size_t>(cell)].set;
      if (set == 0 || seen[set] == static_cast<int>(memory)) continue;
      seen[set] = static_cast<int>(memory);
      contents_.push_back({static_cast<int>(set),
                           {static_cast<int>(memory), (cell - first) << unit_shift_,
                            (cell - first + 1) << unit_shift_}});
    }
  }
}

std::string ByteMap::in_words(const Bytes& bytes) const {
  static constexpr const char* names[] = {"input array", "output array", "workspace"};
  const int home = bytes.memory % homes;
  return fmt::format("bytes [{},{}) of the {} of rank {}", bytes.first, bytes.last,
                     in_one_array_ && home == input ? "array" : names[home], owner(bytes.memory));
}

}  // namespace weft

// making/draft: lays out exchanges and the data between passes, and chooses the homes of buffers.

#include "weft/making/draft.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/pages.hpp"
#include "weft/making/exchange_table.hpp"

namespace weft {

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

Patches resident(Patches patches) {
  for (Patch& patch : patches) patch.message = Patch::resident;
  return patches;
}

}  // namespace

const NodeExchange& NodeExchanges::of(std::size_t exchange, const Redistribution& moves) {
  auto& made = made_[exchange];
  if (!made) {
    const auto stationary = plan_->stationary_array(exchange);
    const StationaryRule rule{stationary && stationary->own_only, plan_->slots(exchange)};
    made.emplace(moves, plan_->blueprint().machine, node_, plan_->scalar_before(exchange).bytes(),
                 rule);
  }
  return *made;
}

Draft::Draft(const StepPlan& plan, int rank, NodeExchanges& node)
    : plan_(&plan),
      rank_(rank),
      layouts_(plan.size()),
      sources_(plan.size()),
      targets_(plan.size()) {
  for (const int role : {source_role, target_role}) {
    BufferSpec array;
    array.rank = rank;
    array.role = role;
    array.home = role == source_role ? Home::source : Home::target;
    array.bytes = user_array_bytes(plan, rank, role);
    buffers_.push_back(array);
  }
  lifetimes_ = {{0, 0}, {never, 0}};
  source_ = user_array(plan, rank, source_role, source_role);
  target_ = user_array(plan, rank, target_role, target_role);
  for (std::size_t step = 0; step < plan.size(); ++step)
    if (!plan.is_pass(step)) lay_out(step, node);
  place_between_passes();
  use_all();
  assign_homes();
}

int Draft::add_buffer(std::size_t first_step, std::size_t last_step) {
  BufferSpec buffer;
  buffer.rank = rank_;
  buffer.role = ++last_role_;
  buffers_.push_back(buffer);
  lifetimes_.push_back({plan_->together_first(first_step), plan_->together_last(last_step)});
  return static_cast<int>(buffers_.size()) - 1;
}

// The index in buffers_ of the buffer of `rank` with the same role as this rank's `buffer`.
int Draft::buffer_of(int rank, int buffer) {
  if (rank == rank_) return buffer;
  const int role = buffers_[static_cast<std::size_t>(buffer)].role;
  for (std::size_t i = 0; i < buffers_.size(); ++i)
    if (buffers_[i].rank == rank && buffers_[i].role == role) return static_cast<int>(i);
  BufferSpec theirs;
  theirs.rank = rank;
  theirs.role = role;
  buffers_.push_back(theirs);
  lifetimes_.emplace_back();
  return static_cast<int>(buffers_.size()) - 1;
}

BufferSpec Draft::buffer_with(int role) const {
  for (const BufferSpec& buffer : buffers_)
    if (buffer.rank == rank_ && buffer.role == role) return buffer;
  ensure(false, rank_, role);
  return {};
}

void Draft::lay_out(std::size_t i, NodeExchanges& node) {
  const StepPlan& plan = *plan_;
  const bool stored = i > 0, loaded = i + 1 < plan.size();
  const std::size_t first = stored ? i - 1 : i, last = loaded ? i + 1 : i;
  const bool shares = plan[i].shares_memory;
  const Redistribution moves(plan.before(i), plan.after(i), plan.cutting_of(i));
  ExchangeQuestion question;
  question.rank = rank_;
  question.moves = &moves;
  question.machine = &plan.blueprint().machine;
  if (shares) question.node = &node.of(i, moves);
  question.element_bytes = plan.scalar_before(i).bytes();
  question.send_buffer = add_buffer(shares ? plan.first_pass_before(i) : first, last);
  question.receive_buffer = add_buffer(first, last);
  question.stationary_buffer = add_buffer(plan.first_pass_before(i), last);
  if (!stored) question.source_array = source_;
  if (!loaded) question.target_array = target_;
  question.first_tag = plan.first_tag(i);
  question.buffer_of = [this](int rank, int buffer) { return buffer_of(rank, buffer); };
  if (const auto stationary = plan.stationary_array(i)) {
    question.stationary_at_target = stationary->at_target;
    question.stationary_own_only = stationary->own_only;
    question.stationary_patches = [this, role = stationary->role](int rank) {
      return user_array(*plan_, rank, role, buffer_of(rank, role));
    };
    use(user_array(plan, rank_, stationary->role, stationary->role), plan.first_pass_before(i),
        true);
    use(user_array(plan, rank_, stationary->role, stationary->role), last, false);
  }
  question.ring = plan.ring(i);
  const auto& name = std::get<ExchangeStage>(plan[i].stage).exchange;
  ExchangeLayout& layout = layouts_[i];
  layout =
      find_exchange(name, plan.blueprint().problem, plan.blueprint().machine).lay_out(question);
  layout.program.name = name;
  layout.slots = plan.slots(i);
  if (layout.slots > 0) layout.ring_buffer = question.stationary_buffer;
  const auto bytes_of = [&](int buffer) -> std::int64_t& {
    return buffers_[static_cast<std::size_t>(buffer)].bytes;
  };
  bytes_of(question.send_buffer) = layout.send_elements * question.element_bytes;
  bytes_of(question.receive_buffer) = layout.receive_elements * question.element_bytes;
  bytes_of(question.stationary_buffer) = layout.stationary_elements * question.element_bytes;
  if (stored) targets_[i - 1] = layout.outgoing;
  if (loaded) sources_[i + 1] = layout.incoming;
  if (!stored) use(source_, last, false);
  if (!loaded) use(target_, first, true);
}

void Draft::place_between_passes() {
  const StepPlan& plan = *plan_;
  if (plan.is_pass(plan.size() - 1)) targets_.back() = target_;
  if (plan.is_pass(0)) sources_.front() = source_;
  for (std::size_t i = plan.size() - 1; i > 0; --i) {
    if (!plan.is_pass(i) || !plan.is_pass(i - 1)) continue;
    if (plan[i].works_in_place) {
      sources_[i] = targets_[i - 1] = resident(targets_[i]);
      continue;
    }
    const int between = add_buffer(i - 1, i);
    std::int64_t offset = 0;
    for (const Box& box : plan.before(i).boxes(rank_)) {
      sources_[i].push_back(packed_patch(box, between, offset));
      offset += box.volume();
    }
    targets_[i - 1] = sources_[i];
    buffers_[static_cast<std::size_t>(between)].bytes = offset * plan.scalar_before(i).bytes();
  }
}

// Extends the lifetimes of the buffers of `patches` to `step`. Passes that share a sweep run at the
// same time, as do the sweeps beside a ring, so a buffer that one of them uses is in use during
// all.
void Draft::use(const Patches& patches, std::size_t step, bool stores) {
  for (const Patch& patch : patches) {
    const auto b = static_cast<std::size_t>(patch.buffer);
    if (buffers_[b].rank != rank_) {
      others_uses_.push_back({patch.buffer, step, stores});
      continue;
    }
    lifetimes_[b].first = std::min(lifetimes_[b].first, plan_->together_first(step));
    lifetimes_[b].last = std::max(lifetimes_[b].last, plan_->together_last(step));
  }
}

void Draft::use_all() {
  for (std::size_t pass = 0; pass < plan_->size(); ++pass) {
    if (!plan_->is_pass(pass)) continue;
    use(sources_[pass], pass, false);
    use(targets_[pass], pass, true);
  }
}

std::int64_t Draft::lowest_offset(std::size_t buffer, Home home,
                                  const std::vector<std::size_t>& placed) const {
  std::int64_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const std::size_t i : placed) {
      const BufferSpec& other = buffers_[i];
      if (other.home != home || lifetimes_[i].last < lifetimes_[buffer].first ||
          lifetimes_[buffer].last < lifetimes_[i].first)
        continue;
      if (offset < other.offset + other.bytes && other.offset < offset + buffers_[buffer].bytes) {
        offset = (other.offset + other.bytes + page_bytes - 1) / page_bytes * page_bytes;
        moved = true;
      }
    }
  }
  return offset;
}

// Places buffers, the largest first, each at the lowest offset where no other buffer is in use at
// the same time. The user's target array is used like the workspace until the result is stored
// there, if it has no ghost points, and if other ranks may work on it.
void Draft::assign_homes() {
  const bool in_place = plan_->blueprint().problem.in_place;
  if (plan_->overlaps())
    for (Lifetime& lifetime : lifetimes_) lifetime = {0, plan_->size()};
  const std::size_t target_first = lifetimes_[target_role].first;
  const std::size_t source_last = lifetimes_[source_role].last;
  const bool shares = plan_->blueprint().shares_memory();
  for (BufferSpec& buffer : buffers_) buffer.space = shares ? MemorySpace::node : MemorySpace::host;

  std::vector<std::size_t> order, placed;
  for (std::size_t i = 2; i < buffers_.size(); ++i)
    if (buffers_[i].rank == rank_ && buffers_[i].bytes > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return buffers_[a].bytes > buffers_[b].bytes;
  });
  for (const std::size_t i : order) {
    BufferSpec& buffer = buffers_[i];
    const bool target_is_idle = !plan_->blueprint().has_ghosts() && !plan_->keeps_apart() &&
                                lifetimes_[i].last < target_first &&
                                (!in_place || lifetimes_[i].first > source_last);
    buffer.offset = lowest_offset(i, Home::target, placed);
    if (target_is_idle && buffer.offset + buffer.bytes <= buffers_[target_role].bytes) {
      buffer.home = Home::target;
    } else {
      buffer.home = Home::workspace;
      buffer.offset = lowest_offset(i, Home::workspace, placed);
      workspace_bytes_ = std::max(workspace_bytes_, buffer.offset + buffer.bytes);
    }
    placed.push_back(i);
  }
}

void Draft::keep_buffers() {
  layouts_ = std::vector<ExchangeLayout>();
  for (Patches* patches : {&source_, &target_}) *patches = Patches();
  for (std::vector<Patches>* of_passes : {&sources_, &targets_})
    *of_passes = std::vector<Patches>();
}

std::size_t Draft::first_step_on_others() const {
  std::size_t first = plan_->size();
  for (const OthersUse& use : others_uses_)
    if (use.stores || buffers_[static_cast<std::size_t>(use.buffer)].home != Home::workspace)
      first = std::min(first, use.step);
  return first;
}

bool Draft::works_on_others(Home home) const {
  return std::any_of(others_uses_.begin(), others_uses_.end(), [&](const OthersUse& use) {
    return buffers_[static_cast<std::size_t>(use.buffer)].home == home;
  });
}

}  // namespace weft

// run/binder_memory: where data lie between steps - storages, their lifetimes and their homes.

#include <algorithm>

#include "weft/run/binder.hpp"

namespace weft {

namespace {

constexpr std::int64_t page = 4096;

Patches resident(Patches patches) {
  for (Patch& patch : patches) patch.message = Patch::resident;
  return patches;
}

}  // namespace

// The patches of any rank's source or target array.
Patches Binder::array_of(int rank, int storage) {
  const auto& route = blueprint_.route;
  const bool real_side = (storage == source_storage) == forward_;
  const View& view = real_side ? route.input_view : route.output_view;
  const Decomposition& user = real_side ? route.user_input : route.user_output;
  const UserArray array = real_side ? blueprint_.real_array(rank) : blueprint_.spectral_array(rank);
  return view.patches(user.boxes(rank), array.layouts, array.offsets, array.field_stride,
                      storage_of(rank, storage));
}

// The number of a storage of any rank of the node.
int Binder::storage_of(int rank, int storage) {
  if (rank == rank_) return storage;
  auto& storages = program_.storages_;
  const int role = storages[static_cast<std::size_t>(storage)].role;
  for (std::size_t i = 0; i < storages.size(); ++i)
    if (storages[i].rank == rank && storages[i].role == role) return static_cast<int>(i);
  Program::Storage theirs;
  theirs.rank = rank;
  theirs.role = role;
  storages.push_back(theirs);
  return static_cast<int>(storages.size()) - 1;
}

int Binder::add_storage(std::size_t first_step, std::size_t last_step) {
  Program::Storage storage;
  storage.first_step = static_cast<int>(first_step);
  storage.last_step = static_cast<int>(last_step);
  storage.role = ++last_role_;
  program_.storages_.push_back(storage);
  return static_cast<int>(program_.storages_.size()) - 1;
}

// Whether the exchange at `last_exchange` brings every point back to the address, in place, that
// the first pass or exchange found it at.
bool Binder::ends_where_it_starts(std::size_t last_exchange) const {
  return arrays_match_ && before(0) == after(last_exchange);
}

// Whether a pass may overwrite its source while it runs: every tile writes where itself was read.
bool Binder::tiles_stay_apart(const Patches& source, const Patches& target,
                              Scalar target_scalar) const {
  if (source.size() != target.size()) return false;
  if (reaches_others(target)) return false;
  const std::int64_t from_bytes = scalar_before(0).bytes();
  const std::int64_t to_bytes = target_scalar.bytes();
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Patch &from = source[i], &to = target[i];
    if (from.offset * from_bytes != to.offset * to_bytes) return false;
    for (int a = 0; a < from.box.axes(); ++a) {
      const bool halved_rows = a == half_axis_ && from_bytes != to_bytes;
      if (from.box.lo[a] != to.box.lo[a]) return false;
      if (halved_rows ? from.strides[a] != 1 || to.strides[a] != 1
                      : from.strides[a] * from_bytes != to.strides[a] * to_bytes)
        return false;
    }
    if (from_bytes == to_bytes && from.box != to.box) return false;
  }
  return true;
}

// Data that stay in their node need no memory of their own while they may lie in users' arrays: at
// the ends; where the last passes then work in place on their own target; and where they store to
// the very places they load from, if the last exchange brings all back.
std::optional<Binder::ArrayRest> Binder::rest_in_array(std::size_t i) const {
  // Arrays are used in turn, which overlapping steps do not wait for.
  if (overlaps_) return std::nullopt;
  const std::size_t last = tasks_.size() - 1;
  if (i == 0) return ArrayRest{source_storage, false};
  if (i == last) return ArrayRest{target_storage, true};
  std::size_t next = i + 1;  // exchange, or the end
  for (; is_pass(next); ++next)
    if (!changes_nothing_but_values(next)) return std::nullopt;
  const bool with_taker = next == last + 1;
  const bool with_giver = next == last && shares_memory(next) && before(i) == after(next);
  if (!with_taker && !with_giver) return std::nullopt;
  // In place, the source is gone once something rests in the target.
  const bool source_is_read = i - 1 > source_last_step_;
  const bool stays_apart = with_taker ? source_last_step_ == 1 && ends_where_it_starts(i)
                                      : source_last_step_ == 0 && i == 1 && arrays_match_;
  if (blueprint_.problem.in_place && !source_is_read && !stays_apart) return std::nullopt;
  return ArrayRest{target_storage, with_taker};
}

// Of several passes before an exchange, each may work in place on what it takes away, which may lie
// with other ranks.
std::size_t Binder::first_pass_before(std::size_t exchange) const {
  std::size_t first = exchange;
  while (first > 0 && is_pass(first - 1)) --first;
  return first;
}

// Between two passes nothing moves. Where the second changes nothing but values it works in place
// on its own target, be it the user's array or message buffers; else the data rest in between.
void Binder::make_rests() {
  if (is_pass(tasks_.size() - 1)) pass_targets_.back() = target_;
  if (is_pass(0)) pass_sources_.front() = source_;
  for (std::size_t i = tasks_.size() - 1; i > 0; --i) {
    if (!is_pass(i) || !is_pass(i - 1)) continue;
    std::size_t next_exchange = i;
    while (is_pass(next_exchange)) ++next_exchange;
    const bool overwrites_source =
        blueprint_.problem.in_place && i - 1 <= source_last_step_ &&
        std::any_of(pass_targets_[i].begin(), pass_targets_[i].end(),
                    [&](const Patch& patch) { return is_target(patch.buffer); });
    const bool apart = !overwrites_source ||
                       (i == 1 && tiles_stay_apart(source_, pass_targets_[1], scalar_after(0))) ||
                       (source_last_step_ == 1 && next_exchange < tasks_.size() &&
                        ends_where_it_starts(next_exchange));
    // Exchanges that open with a meeting must not be stored to before.
    const bool too_early = mixes_exchanges_ && reaches_others(pass_targets_[i]);
    if (changes_nothing_but_values(i) && apart && !too_early) {
      works_in_place_[i] = true;
      pass_sources_[i] = pass_targets_[i - 1] = resident(pass_targets_[i]);
    } else {
      const int rest = add_storage(i - 1, i);
      std::int64_t offset = 0;
      for (const Box& box : before(i).boxes(rank_)) {
        pass_sources_[i].push_back(packed_patch(box, rest, offset));
        offset += box.volume();
      }
      pass_targets_[i - 1] = pass_sources_[i];
      program_.storages_[static_cast<std::size_t>(rest)].bytes = offset * scalar_before(i).bytes();
    }
  }
}

bool Binder::reaches_others(const Patches& patches) const {
  return std::any_of(patches.begin(), patches.end(), [&](const Patch& patch) {
    return program_.storages_[static_cast<std::size_t>(patch.buffer)].rank !=
           Program::Storage::mine;
  });
}

bool Binder::is_target(int buffer) const {
  return program_.storages_[static_cast<std::size_t>(buffer)].role == target_storage;
}

// A storage lives from the first step that touches it to the last.
void Binder::use(const Patches& patches, std::size_t step) {
  for (const Patch& patch : patches) {
    auto& storage = program_.storages_[static_cast<std::size_t>(patch.buffer)];
    if (storage.rank != Program::Storage::mine) {
      others_steps_.push_back({patch.buffer, step});
      continue;
    }
    storage.first_step = std::min(storage.first_step, static_cast<int>(step));
    storage.last_step = std::max(storage.last_step, static_cast<int>(step));
  }
}

// Largest first, each at the lowest place where nothing else lives at the same time. The user's
// target array is a home as good as the workspace until its own values are stored there.
void Binder::assign_homes() {
  auto& storages = program_.storages_;
  using Storage = Program::Storage;
  const bool in_place = blueprint_.problem.in_place;
  if (overlaps_)
    for (Storage& storage : storages) {
      storage.first_step = 0;
      storage.last_step = static_cast<int>(tasks_.size());
    }
  const int target_first = storages[target_storage].first_step;
  const int source_last = storages[source_storage].last_step;

  std::vector<std::size_t> order, placed;
  for (std::size_t i = 2; i < storages.size(); ++i)
    if (storages[i].rank == Storage::mine && storages[i].bytes > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return storages[a].bytes > storages[b].bytes;
  });
  const auto lowest_offset = [&](const Storage& storage, Storage::Home home) {
    std::int64_t offset = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i : placed) {
        const Storage& other = storages[i];
        if (other.home != home || other.last_step < storage.first_step ||
            storage.last_step < other.first_step)
          continue;
        if (offset < other.offset + other.bytes && other.offset < offset + storage.bytes) {
          offset = (other.offset + other.bytes + page - 1) / page * page;
          moved = true;
        }
      }
    }
    return offset;
  };
  for (std::size_t i : order) {
    Storage& storage = storages[i];
    const bool target_is_idle =
        storage.last_step < target_first && (!in_place || storage.first_step > source_last);
    storage.offset = lowest_offset(storage, Storage::target);
    if (target_is_idle && storage.offset + storage.bytes <= target_bytes_) {
      storage.home = Storage::target;
    } else {
      storage.home = Storage::workspace;
      storage.offset = lowest_offset(storage, Storage::workspace);
      program_.workspace_bytes_ =
          std::max(program_.workspace_bytes_, storage.offset + storage.bytes);
    }
    placed.push_back(i);
  }
}

// Where the node's others keep what my passes load and store. Collective.
void Binder::find_others_storages() {
  using Storage = Program::Storage;
  auto& storages = program_.storages_;
  constexpr int entry = 3;
  std::vector<std::int64_t> mine;
  for (const Storage& storage : storages)
    if (storage.rank == Storage::mine)
      mine.insert(mine.end(), {storage.role, storage.home, storage.offset});
  const auto all = blueprint_.comm->gather_all(mine);
  for (Storage& storage : storages) {
    if (storage.rank == Storage::mine) continue;
    const auto& theirs = all[static_cast<std::size_t>(storage.rank)];
    for (std::size_t k = 0; k < theirs.size(); k += entry) {
      if (theirs[k] != storage.role) continue;
      storage.home = static_cast<Storage::Home>(theirs[k + 1]);
      storage.offset = theirs[k + 2];
    }
  }
  std::size_t first = tasks_.size();
  bool source = false, target = false;
  for (const auto& [buffer, step] : others_steps_) {
    const Storage::Home home = storages[static_cast<std::size_t>(buffer)].home;
    if (home == Storage::workspace) continue;
    first = std::min(first, step);
    (home == Storage::source ? source : target) = true;
  }
  const Communicator& comm = *blueprint_.comm;
  program_.shares_source_ = comm.max(std::int64_t{source}) > 0;
  program_.shares_target_ = comm.max(std::int64_t{target}) > 0;
  first = static_cast<std::size_t>(comm.min(static_cast<std::int64_t>(first)));
  // Tasks that share a sweep are one step.
  for (std::size_t i = 0; i < first; ++i)
    if (!joins_next_[i]) ++program_.first_shared_step_;
}

}  // namespace weft

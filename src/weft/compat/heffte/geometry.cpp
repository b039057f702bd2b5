// compat/heffte/geometry: gathers boxes as lists of numbers.

#include "geometry.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace heffte::over_weft {

namespace {

// A rank's boxes, and what else it wants.
using Numbers = std::array<long long, 2 * 9 + 6>;

Numbers numbers_of(const wanted& mine) {
  Numbers all{};
  auto at = all.begin();
  for (const ordered_box* box : {&mine.in, &mine.out}) {
    at = std::copy(box->low.begin(), box->low.end(), at);
    at = std::copy(box->high.begin(), box->high.end(), at);
    at = std::copy(box->order.begin(), box->order.end(), at);
  }
  *at++ = mine.r2c_direction;
  *at++ = static_cast<long long>(mine.transforms);
  *at++ = mine.doubles_backward ? 1 : 0;
  *at++ = mine.ranks;
  *at++ = mine.has_subset ? 1 : 0;
  *at++ = mine.computes ? 1 : 0;
  return all;
}

ordered_box box_at(const long long* at) {
  ordered_box box{};
  std::copy(at, at + 3, box.low.begin());
  std::copy(at + 3, at + 6, box.high.begin());
  for (std::size_t axis = 0; axis < 3; ++axis) box.order[axis] = static_cast<int>(at[6 + axis]);
  return box;
}

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw std::invalid_argument("heffte: " + what + "\n  try:   " + hint);
}

std::string text(const ordered_box& box) {
  std::string words;
  for (std::size_t axis = 0; axis < 3; ++axis)
    words += (axis == 0 ? "" : " x ") + std::to_string(box.low[axis]) + ".." +
             std::to_string(box.high[axis]);
  return words;
}

bool overlap(const ordered_box& a, const ordered_box& b) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (a.low[axis] > b.high[axis] || b.low[axis] > a.high[axis]) return false;
  return true;
}

void check_order(const ordered_box& box, std::size_t rank, const char* side) {
  auto order = box.order;
  std::sort(order.begin(), order.end());
  if (order != std::array<int, 3>{0, 1, 2})
    refuse(std::string("the order of the ") + side + " of rank " + std::to_string(rank) + " is " +
               std::to_string(box.order[0]) + ", " + std::to_string(box.order[1]) + ", " +
               std::to_string(box.order[2]),
           "an order has each of 0, 1 and 2 once");
}

// No two boxes overlap: those that begin before another one ends along axis 0 are compared.
void check_apart(const Side& all, const char* side) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < all.of_rank.size(); ++rank)
    if (count(all.of_rank[rank]) > 0) ranks.push_back(rank);
  const auto& box = all.of_rank;
  std::sort(ranks.begin(), ranks.end(),
            [&](std::size_t a, std::size_t b) { return box[a].low[0] < box[b].low[0]; });
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (std::size_t j = i + 1; j < ranks.size() && box[ranks[j]].low[0] <= box[ranks[i]].high[0];
         ++j)
      if (overlap(box[ranks[i]], box[ranks[j]])) {
        const auto [one, other] = std::minmax(ranks[i], ranks[j]);
        refuse(std::string("the ") + side + "es of ranks " + std::to_string(one) + " and " +
                   std::to_string(other) + " overlap: " + text(box[one]) + " and " +
                   text(box[other]),
               "the last index of a box is included, so the next one begins after it");
      }
}

// The points of the whole grid that the boxes cover.
weft::Extents covered(const Side& all, const char* side) {
  std::array<long long, 3> low, high;
  low.fill(std::numeric_limits<long long>::max());
  high.fill(std::numeric_limits<long long>::min());
  std::int64_t points = 0;
  for (std::size_t rank = 0; rank < all.of_rank.size(); ++rank) {
    const ordered_box& box = all.of_rank[rank];
    if (count(box) == 0) continue;
    check_order(box, rank, side);
    points += count(box);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], box.low[axis]);
      high[axis] = std::max(high[axis], box.high[axis]);
    }
  }
  if (points == 0)
    refuse(std::string("no rank's ") + side + " has points", "give boxes with points");
  weft::Extents extents;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (low[axis] != 0)
      refuse(std::string("the ") + side + "es begin at " + std::to_string(low[axis]) +
                 " along axis " + std::to_string(axis),
             "indices begin at 0");
    extents.push_back(high[axis] + 1);
  }
  check_apart(all, side);
  if (points != weft::volume(extents))
    refuse(std::string("the ") + side + "es cover " + std::to_string(points) + " of the " +
               std::to_string(weft::volume(extents)) + " points of " + weft::to_string(extents),
           "boxes of all ranks together are the whole grid");
  return extents;
}

weft::Box half_open(const ordered_box& box) {
  weft::Box made;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    made.lo.push_back(box.low[axis]);
    made.hi.push_back(box.high[axis] + 1);
  }
  return made;
}

std::vector<weft::Box> boxes_of(const ordered_box& box) {
  return count(box) == 0 ? std::vector<weft::Box>{} : std::vector<weft::Box>{half_open(box)};
}

weft::UserArray packed(const ordered_box& box, std::int64_t batch) {
  if (count(box) == 0) return weft::UserArray::of({}, weft::Storage::column_major(3), batch);
  weft::Dims strides = weft::Dims::filled(3, 1);
  std::int64_t stride = 1;
  for (const int axis : box.order) {
    strides[axis] = stride;
    stride *= half_open(box).extent(axis);
  }
  return weft::UserArray::strided(half_open(box), strides, batch);
}

void check_same(const std::vector<Numbers>& all) {
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (!std::equal(all[rank].begin() + 18, all[rank].end() - 1, all[0].begin() + 18))
      refuse("ranks 0 and " + std::to_string(rank) + " make different plans",
             "all ranks give the same direction, backend, and number of ranks that compute");
}

}  // namespace

std::int64_t count(const ordered_box& box) {
  std::int64_t points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (box.high[axis] < box.low[axis]) return 0;
    points *= box.high[axis] - box.low[axis] + 1;
  }
  return points;
}

bool Side::has_one_order() const {
  const ordered_box* first = nullptr;
  for (const ordered_box& box : of_rank) {
    if (count(box) == 0) continue;
    if (first == nullptr) first = &box;
    if (box.order != first->order) return false;
  }
  return true;
}

weft::Distribution Side::distribution(std::int64_t batch) const {
  if (!has_one_order())
    return weft::Distribution::of_my_boxes(boxes_of(mine()), packed(mine(), batch));
  std::vector<std::vector<weft::Box>> boxes;
  std::array<int, 3> order{0, 1, 2};
  for (const ordered_box& box : of_rank) {
    boxes.push_back(boxes_of(box));
    if (count(box) > 0) order = box.order;
  }
  auto made = weft::Distribution::of_boxes(std::move(boxes));
  made.storage.order.assign(order.rbegin(), order.rend());
  return made;
}

Geometry::Geometry(const wanted& mine, MPI_Comm comm) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const Numbers numbers = numbers_of(mine);
  std::vector<Numbers> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(numbers.data(), static_cast<int>(numbers.size()), MPI_LONG_LONG, all.data(),
                static_cast<int>(numbers.size()), MPI_LONG_LONG, comm);
  check_same(all);
  in.rank = out.rank = rank;
  lies_alike = true;
  int computes = 0;
  for (const Numbers& of_rank : all) {
    in.of_rank.push_back(box_at(of_rank.data()));
    out.of_rank.push_back(box_at(of_rank.data() + 9));
    computes += of_rank.back() != 0 ? 1 : 0;
    lies_alike =
        lies_alike && std::equal(of_rank.begin(), of_rank.begin() + 9, of_rank.begin() + 9);
  }
  if (mine.r2c_direction < -1 || mine.r2c_direction > 2)
    refuse("a transform of real numbers is to halve an axis that is none",
           "the direction 0, 1 or 2");
  points = covered(in, "inbox");
  weft::Extents expected = points;
  if (mine.r2c_direction >= 0) expected[mine.r2c_direction] = points[mine.r2c_direction] / 2 + 1;
  const weft::Extents spectrum = covered(out, "outbox");
  if (spectrum != expected)
    refuse("the inboxes are a grid of " + weft::to_string(points) + " and the outboxes one of " +
               weft::to_string(spectrum),
           "outboxes of a grid of " + weft::to_string(expected));
  computing = mine.has_subset ? computes : mine.ranks;
  if (computing < 1 || computing >= ranks) computing = 0;
}

}  // namespace heffte::over_weft

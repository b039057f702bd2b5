// bench/peers/field: the fields that every peer transforms, their memory, and the part of a
// process.
#pragma once

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace peer {

/// A uniform number in [-0.5, 0.5) for every i: the finaliser of SplitMix64 (Steele, Lea, Flood,
/// OOPSLA 2014). Its 53 high bits make the double, so it is the same on every machine;
/// bench/peers/peer.py says it in NumPy.
inline double uniform(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53 - 0.5;
}

/// The field at the point with row-major index i: uniform(2i) + i*uniform(2i+1), or its real part.
/// A batch is one more axis, the slowest: its field number b begins at the index b * volume.
template <class T>
T value(std::int64_t i) {
  const auto at = static_cast<std::uint64_t>(i);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(uniform(2 * at));
  else
    return T(static_cast<typename T::value_type>(uniform(2 * at)),
             static_cast<typename T::value_type>(uniform(2 * at + 1)));
}

/// Four frequencies that a wrong axis order, sign or offset does not survive: zero, a low one that
/// differs on every axis, fractions of the extents, and the highest (on the last axis of r2c: the
/// middle).
inline std::vector<Index> check_frequencies(const Problem& problem) {
  const Index n = problem.extents;
  const Index spectrum = problem.spectrum();
  Index zero, low, part, high;
  for (std::size_t a = 0; a < n.size(); ++a) {
    const auto axis = static_cast<std::int64_t>(a);
    zero.push_back(0);
    low.push_back(std::min((axis + 1) % n[a], spectrum[a] - 1));
    part.push_back(n[a] / (axis + 2));
    high.push_back(spectrum[a] - 1);
  }
  return {zero, low, std::move(part), high};
}

/// Calls work(begin, end) on `threads` threads, each with its share of [0, count).
template <class Work>
void in_parallel(int threads, std::int64_t count, Work work) {
  std::vector<std::jthread> team;
  for (int t = 1; t < threads; ++t)
    team.emplace_back([=] { work(count * t / threads, count * (t + 1) / threads); });
  work(0, count / threads);
}

/// Memory for a field, the same for every peer, on huge pages where the system allows them.
template <class T>
class Field {
 public:
  Field() = default;
  explicit Field(std::int64_t count) : bytes_(bytes(count)), data_(allocate(bytes_)) {}
  Field(Field&& other) noexcept
      : bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}
  Field& operator=(Field&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Field() {
    if (data_) ::operator delete(data_, page);
  }
  T* data() const { return data_; }

 private:
  static constexpr std::align_val_t page{std::size_t{2} << 20};
  static std::size_t bytes(std::int64_t count) {
    return static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(T);
  }
  static T* allocate(std::size_t size) {
    void* memory = ::operator new(size, page);
#ifdef MADV_HUGEPAGE
    madvise(memory, size, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

/// The fields of a batch that a rank holds, each from a cache line on, so that a plan that was made
/// for the first one may transform the others, too.
template <class T>
class Batch {
 public:
  Batch() = default;
  Batch(std::int64_t fields, std::int64_t elements)
      : distance_((elements + line - 1) / line * line), memory_(fields * distance_) {}
  T* operator[](std::int64_t member) const { return memory_.data() + member * distance_; }
  /// Elements from one field to the next.
  std::int64_t distance() const { return distance_; }

 private:
  static constexpr std::int64_t line = 64;  // elements; at least as many bytes
  std::int64_t distance_ = 0;
  Field<T> memory_;
};

/// How a rank holds its part of a field: axes in the order they are stored, slowest first; the
/// first one is cut into slabs. `stored` are the extents in that order, the last with its padding.
struct Slab {
  std::vector<int> order;
  Index stored;
  std::int64_t first = 0;
  std::int64_t count = 0;

  bool owns(const Index& at) const {
    const auto i = at[static_cast<std::size_t>(order[0])];
    return first <= i && i < first + count;
  }
  std::int64_t offset(const Index& at) const {
    std::int64_t o = 0;
    for (std::size_t s = 0; s < order.size(); ++s)
      o = o * stored[s] + at[static_cast<std::size_t>(order[s])] - (s == 0 ? first : 0);
    return o;
  }
};

/// The planes [first, first+count) of axis 0 in natural order, rows padded to `row` elements.
inline Slab natural_slab(const Index& n, std::int64_t first, std::int64_t count, std::int64_t row) {
  Slab slab{{}, n, first, count};
  for (std::size_t a = 0; a < n.size(); ++a) slab.order.push_back(static_cast<int>(a));
  slab.stored.back() = row;
  return slab;
}

/// The planes [first, first+count) of axis order[0], the axes stored in the order given, unpadded.
inline Slab transposed_slab(const Index& n, std::vector<int> order, std::int64_t first,
                            std::int64_t count) {
  Index stored;
  for (int axis : order) stored.push_back(n[static_cast<std::size_t>(axis)]);
  return {std::move(order), std::move(stored), first, count};
}

/// Writes field number `member` into a slab in natural order, with `threads` threads.
template <class T>
void fill(T* data, const Index& n, std::int64_t member, const Slab& slab, int threads) {
  const bool line = n.size() == 1;
  const std::int64_t row = line ? slab.count : n.back();
  std::int64_t rows_per_plane = 1;
  for (std::size_t a = 1; a + 1 < n.size(); ++a) rows_per_plane *= n[a];
  const std::int64_t rows = line ? 1 : slab.count * rows_per_plane;
  const std::int64_t from =
      member * volume(n) + (line ? slab.first : slab.first * rows_per_plane * row);
  in_parallel(threads, rows, [=, pitch = slab.stored.back()](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      for (std::int64_t i = 0; i < row; ++i) data[r * pitch + i] = value<T>(from + r * row + i);
  });
}

/// The same for the input of a problem: complex points, or real ones for r2c.
template <class Real>
void fill_input(std::complex<Real>* data, const Problem& problem, std::int64_t member,
                const Slab& slab) {
  if (problem.real)
    fill(reinterpret_cast<Real*>(data), problem.extents, member, slab, problem.threads);
  else
    fill(data, problem.extents, member, slab, problem.threads);
}

template <class Real>
std::optional<std::complex<double>> find_in(const std::complex<Real>* data, const Slab& slab,
                                            const Index& k) {
  if (!slab.owns(k)) return std::nullopt;
  const std::complex<Real> found = data[slab.offset(k)];
  return std::complex<double>(found.real(), found.imag());
}

}  // namespace peer

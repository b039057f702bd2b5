// fft/lanes/lane_transform: complex transforms of one line in each lane of a vector.
// Keeps: intermediate data stay in one buffer. Include after all other headers, as
// fft/lanes/vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "weft/fft/lanes/lane_rows.hpp"
#include "weft/fft/lanes/radix_steps.hpp"

namespace weft::WEFT_LANES {

/// Vectors, or pairs of them, aligned for this set of instructions.
template <class Element>
class LaneBuffer {
 public:
  explicit LaneBuffer(std::int64_t count)
      : data_(static_cast<Element*>(::operator new (
            static_cast<std::size_t>(count) * sizeof(Element), std::align_val_t{64}))) {}
  Element* get() const { return data_.get(); }

 private:
  struct Delete {
    void operator()(Element* memory) const { ::operator delete (memory, std::align_val_t{64}); }
  };
  std::unique_ptr<Element, Delete> data_;
};

/// Whether lines of the kind `Access` go through a small buffer, some butterflies at a time,
/// instead of steps that are compiled for them: with vectors of 128 bits, which no plan prefers.
/// With others this takes up to half as long again (docs/lab, "Fewer radix steps to compile").
template <class Access>
concept GoesByParts = !HasAddresses<Access> && vector_bytes == 16;

/// The steps of a transform of `n` points, at least two of them, forward or inverse: first() reads
/// all points, last() writes them, and middle() comes between.
template <class Real>
class LaneTransform {
 public:
  explicit LaneTransform(std::int64_t n, bool is_forward = true)
      : LaneTransform(n, is_forward, radices_of_steps(n)) {}

  /// Multiplies all results of run from now on with a power of two. At most once.
  void scale(double factor) { chain_.scale_first(static_cast<Real>(factor)); }

  template <class In>
  void first(const In& in, PrefetchQueue& queue) const {
    if constexpr (GoesByParts<In>)
      first_by_parts(in, queue);
    else
      with_early_radix(chain_.steps.front().radix, [&](auto radix) {
        run_first<radix()>(chain_.steps.front(), in, intermediate_, queue);
      });
  }
  /// The same with an `in` that has In::block_size adjacent points at a time, if they all fit in.
  bool can_begin_by_blocks(std::int64_t size) const { return chain_.steps.front().groups >= size; }
  template <class In>
  void first_by_blocks(const In& in, PrefetchQueue& queue) const {
    with_early_radix(chain_.steps.front().radix, [&](auto radix) {
      run_first_by_blocks<radix()>(chain_.steps.front(), in, intermediate_, queue);
    });
  }
  void middle(PrefetchQueue& queue) const {
    for (std::size_t s = 1; s + 1 < chain_.steps.size(); ++s)
      with_early_radix(chain_.steps[s].radix, [&](auto radix) {
        run_middle<radix()>(chain_.steps[s], intermediate_, queue);
      });
  }
  template <class Out>
  void last(const Out& out, PrefetchQueue& queue) const {
    if constexpr (GoesByParts<Out>)
      last_by_parts(out, queue);
    else
      with_last_radix(chain_.steps.back().radix, [&](auto radix) {
        run_last<radix()>(chain_.steps.back(), chain_.frequencies(), intermediate_, out, queue);
      });
  }

 private:
  // An odd pitch, so that the points of a butterfly are not in the same cache set.
  LaneTransform(std::int64_t n, bool is_forward, const std::vector<int>& all)
      : memory_(all.front() * (n / all.front() | 1)),
        intermediate_{memory_.get(), all.front(), n / all.front() | 1},
        chain_(
            n, is_forward, all,
            {.lines = all.front(), .below = 1, .steps = all.size(), .vector_bytes = vector_bytes}) {
  }

  // Of the buffer, which fills a part of a level-1 cache.
  static constexpr std::int64_t part_values = 96;

  template <class In>
  __attribute__((noinline)) void first_by_parts(const In& in, PrefetchQueue& queue) const {
    alignas(vector_bytes) Values<Real> part[part_values];
    RadixStep<Real> step = chain_.steps.front();
    Intermediate<Real> to = intermediate_;
    const std::int64_t groups = step.groups, most = part_values / step.radix;
    for (std::int64_t p = 0; p < groups; p += step.groups) {
      step.groups = std::min(most, groups - p);
      for (std::int64_t k = 0; k < step.radix; ++k)
        for (std::int64_t i = 0; i < step.groups; ++i)
          part[step.groups * k + i] = in.get(p + i + groups * k);
      with_early_radix(step.radix, [&](auto radix) {
        run_first<radix()>(step, Buffered<Real>{part}, to, queue);
      });
      step.factors += 2 * (step.radix - 1) * step.groups;
      to.data += step.groups;
    }
  }

  // As many lines of the intermediate data at a time as their blocks fit, or some of the blocks of
  // one.
  template <class Out>
  __attribute__((noinline)) void last_by_parts(const Out& out, PrefetchQueue& queue) const {
    alignas(vector_bytes) Values<Real> part[part_values];
    RadixStep<Real> step = chain_.steps.back();
    Intermediate<Real> from = intermediate_;
    const std::int64_t most = part_values / step.radix, blocks = step.blocks;
    std::int32_t firsts[part_values / 3];
    for (std::int64_t i = 0; i < most; ++i) firsts[i] = static_cast<std::int32_t>(i * step.radix);
    const std::int32_t* order = chain_.order.data();
    for (std::int64_t line = 0; line < intermediate_.lines; line += from.lines) {
      from.lines = std::min(std::max<std::int64_t>(1, most / blocks), intermediate_.lines - line);
      for (std::int64_t block = 0; block < blocks; block += step.blocks) {
        step.blocks = std::min(most, blocks - block);
        from.data = intermediate_.data + line * from.pitch + block * step.radix;
        with_last_radix(step.radix, [&](auto radix) {
          run_last<radix()>(step, {firsts, 1}, from, Buffered<Real>{part}, queue);
        });
        const Values<Real>* values = part;
        for (std::int64_t i = from.lines * step.blocks; i > 0; --i, ++order)
          for (std::int64_t k = 0; k < step.radix; ++k, ++values) {
            const bool is_zero = k == 0 && order == chain_.order.data();
            out.put(is_zero ? 0 : *order + chain_.spacing * k, *values);
          }
      }
    }
  }

  LaneBuffer<Values<Real>> memory_;
  Intermediate<Real> intermediate_;
  RadixChain<Real> chain_;
};

}  // namespace weft::WEFT_LANES

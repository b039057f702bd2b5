// fft/lanes/lane_loops: what all kernels of lanes share: the nested loops over lines that they do
// not distribute over lanes. Keeps: knows no vectors, so that it is compiled once for all sets of
// instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/fft/engine.hpp"

namespace weft {

/// How lines lie in memory, in reals: the points of a line, the lines that go together, and the
/// loops over all others.
struct LanesLayout {
  Lines::Loop points, across;
  std::vector<Lines::Loop> loops;

  /// `across` is the loop of `lines` whose lines go together; null for a single line.
  LanesLayout(const Lines& lines, const Lines::Loop* across);
  ~LanesLayout();
};

/// Which of the stored points of a line of `n` points is a given point, -1 for one that is not
/// stored; none for lines that are stored as a whole.
std::vector<std::int32_t> stored_points(const KeptPoints& kept, std::int64_t n);

/// Loads and stores vectors at any addresses.
class KernelOfLanes : public Kernel {
 public:
  KernelOfLanes(const Lines& lines, const Lines::Loop* across);
  ~KernelOfLanes() override;
  bool suits(const void* in, const void* out) const final;
  void run(void* in, void* out, PrefetchQueue& queue) final;

 protected:
  const LanesLayout& layout() const { return layout_; }

 private:
  /// Transforms the lines that go together; the first of them begins at `in` and at `out`.
  virtual void run_across(void* in, void* out, PrefetchQueue& queue) = 0;
  void run_loops(std::byte* in, std::byte* out, PrefetchQueue& queue, std::size_t level);

  LanesLayout layout_;
  std::int64_t real_bytes_;
};

}  // namespace weft

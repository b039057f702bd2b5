// device/late_block: a block of threads as fibres of one thread of the processor, which change at
// every synchronization, in a random order.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace weft {

class LateGroup;

/// The bit that tells addresses on a late device.
inline constexpr std::uintptr_t late_side = std::uintptr_t{1} << (8 * sizeof(void*) - 2);

/// Where a late device sees memory of the processor that is registered with it: no program has
/// anything there, so that an address that is not translated is noticed.
template <class T>
T* late_address(T* here) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(here) | late_side);
}
/// Where the processor has what a late device sees at `address`.
template <class T>
T* address_here(T* address) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(address) & ~late_side);
}

/// A kernel's body: the threads of a block call it with what they share.
using LateBody = std::function<void(const LateGroup& group, std::byte* shared)>;

/// Runs blocks of `threads` threads one after the other. Between two synchronizations every thread
/// runs without a break, in an order that is new each time, so that a synchronization that is
/// missing is missed by some threads.
class LateBlock {
 public:
  LateBlock(int threads, std::int64_t shared_bytes, std::mt19937& random);
  LateBlock(const LateBlock&) = delete;
  LateBlock& operator=(const LateBlock&) = delete;

  /// Runs block `number` of `blocks`. What the threads share is NaN at first. Error::bug if a
  /// thread ends while others wait for it.
  void run(const LateBody& body, std::int64_t number, std::int64_t blocks);

 private:
  friend class LateGroup;
  static void begin_fibre(unsigned low, unsigned high);
  void leave_fibre();

  int threads_;
  std::vector<std::byte> shared_;
  std::mt19937& random_;
  std::vector<ucontext_t> fibres_;
  std::vector<std::unique_ptr<char[]>> stacks_;
  std::vector<char> has_ended_;
  std::vector<int> order_;
  ucontext_t main_{};
  int current_ = 0;
  std::int64_t number_ = 0, blocks_ = 1;
  const LateBody* body_ = nullptr;
};

/// The block that a thread belongs to, as kernels see it.
class LateGroup {
 public:
  explicit LateGroup(LateBlock& block) : block_(&block), thread_(block.current_) {}

  int thread() const { return thread_; }
  int threads() const { return block_->threads_; }
  std::int64_t block() const { return block_->number_; }
  std::int64_t blocks() const { return block_->blocks_; }
  void sync() const { block_->leave_fibre(); }
  std::byte* shared() const { return block_->shared_.data(); }
  template <class T>
  T* of_device(T* address) const {
    return address_here(address);
  }

 private:
  LateBlock* block_;
  int thread_;
};

}  // namespace weft

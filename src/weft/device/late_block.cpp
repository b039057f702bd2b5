// device/late_block: fibres.

#include "weft/device/late_block.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "weft/base/ensure.hpp"

namespace weft {

namespace {
constexpr std::size_t stack_bytes = 64 * 1024;
// Behind what the threads share, and at the end of each stack, which grows downwards: nobody may
// write there.
constexpr std::size_t guard_bytes = 256;
constexpr char guard = 0x5c;

bool is_guarded(const char* at) {
  return std::all_of(at, at + guard_bytes, [](char each) { return each == guard; });
}
}  // namespace

LateBlock::LateBlock(int threads, std::int64_t shared_bytes, std::mt19937& random)
    : threads_(threads),
      shared_(static_cast<std::size_t>(shared_bytes) + guard_bytes, std::byte{guard}),
      random_(random),
      fibres_(static_cast<std::size_t>(threads)),
      has_ended_(static_cast<std::size_t>(threads)),
      order_(static_cast<std::size_t>(threads)) {
  std::iota(order_.begin(), order_.end(), 0);
  for (int i = 0; i < threads; ++i) {
    stacks_.emplace_back(new char[stack_bytes]);
    std::fill_n(stacks_.back().get(), guard_bytes, guard);
  }
}

// makecontext() passes ints only.
void LateBlock::begin_fibre(unsigned low, unsigned high) {
  auto* const block =
      reinterpret_cast<LateBlock*>((static_cast<std::uintptr_t>(high) << 32U) | low);
  const int thread = block->current_;
  (*block->body_)(LateGroup(*block), block->shared_.data());
  block->has_ended_[static_cast<std::size_t>(thread)] = 1;
  block->leave_fibre();
}

void LateBlock::leave_fibre() {
  const int thread = current_;
  swapcontext(&fibres_[static_cast<std::size_t>(thread)], &main_);
  current_ = thread;
}

void LateBlock::run(const LateBody& body, std::int64_t number, std::int64_t blocks) {
  body_ = &body;
  number_ = number;
  blocks_ = blocks;
  std::ranges::fill(has_ended_, 0);
  std::memset(shared_.data(), 0xff, shared_.size() - guard_bytes);
  for (std::size_t i = 0; i < fibres_.size(); ++i) {
    getcontext(&fibres_[i]);
    fibres_[i].uc_stack = {stacks_[i].get(), 0, stack_bytes};
    fibres_[i].uc_link = nullptr;
    const auto here = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&fibres_[i], reinterpret_cast<void (*)()>(&LateBlock::begin_fibre), 2,
                static_cast<unsigned>(here), static_cast<unsigned>(here >> 32U));
  }
  for (int ended = 0; ended < threads_;) {
    std::ranges::shuffle(order_, random_);
    for (const int thread : order_) {
      current_ = thread;
      swapcontext(&main_, &fibres_[static_cast<std::size_t>(thread)]);
    }
    ended = static_cast<int>(std::ranges::count(has_ended_, 1));
    ensure(ended == 0 || ended == threads_, ended, threads_, number);
  }
  ensure(is_guarded(reinterpret_cast<const char*>(&shared_.back()) + 1 - guard_bytes),
         "threads wrote beyond what they share");
  for (const auto& stack : stacks_)
    ensure(is_guarded(stack.get()), "a thread's stack is too small");
}

}  // namespace weft

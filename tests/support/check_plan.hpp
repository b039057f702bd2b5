// support/check_plan: runs a plan forward and backward on guarded arrays and compares every point
// with direct sums.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/dice.hpp"
#include "support/reference.hpp"
#include "weft/any_plan.hpp"
#include "weft/plan/plan_body.hpp"

namespace weft::test {

/// An array with guards around it that nothing may touch.
class GuardedArray {
 public:
  GuardedArray(const AnyPlan& plan, Arrays arrays, std::int64_t bytes)
      : size_(static_cast<std::size_t>(bytes) + 2 * guard) {
    if (arrays == Arrays::of_weft)
      all_ = plan.allocate(static_cast<std::int64_t>(size_));
    else
      all_ = {new std::byte[size_], std::default_delete<std::byte[]>()};
    std::fill_n(all_.get(), size_, fill);
  }
  static constexpr std::size_t guard = 256;
  std::byte* data() { return all_.get() + guard; }
  bool intact() const {
    for (std::size_t i = 0; i < guard; ++i)
      if (all_.get()[i] != fill || all_.get()[size_ - 1 - i] != fill) return false;
    return true;
  }
  /// All of it, guards included.
  std::vector<std::byte> bytes() const { return {all_.get(), all_.get() + size_}; }

 private:
  static constexpr std::byte fill{0xa5};
  std::size_t size_;
  std::shared_ptr<std::byte> all_;
};

/// Calls visit(field, at, element) for every point of a share; of a cut-off, for every wave, whose
/// numbers may be negative.
template <class Visit>
void for_each_point(const Share& share, std::int64_t batch, const Visit& visit) {
  for (std::int64_t field = 0; field < batch; ++field)
    for (std::int64_t i = 0; i < share.waves.size(); ++i) {
      const Wave& wave = share.waves[i];
      visit(field, Dims{wave[0], wave[1], wave[2]}, field * share.array.field_stride + i);
    }
  for (std::int64_t field = 0; field < batch; ++field)
    for (std::size_t i = 0; i < share.boxes.size(); ++i) {
      const Box& box = share.boxes[i];
      Dims at = box.lo;
      for (std::int64_t left = box.volume(); left > 0; --left) {
        Dims within = at;
        for (int a = 0; a < at.size(); ++a) within[a] -= box.lo[a];
        visit(field, at,
              field * share.array.field_stride + share.array.offsets[i] +
                  share.array.layouts[i].at(within));
        for (int a = box.axes() - 1; a >= 0; --a) {
          if (++at[a] < box.hi[a]) break;
          at[a] = box.lo[a];
        }
      }
    }
}

/// The value at an index, or of a wave.
Wide value_at(const WholeField& field, Dims at);

/// How check_plan runs a plan.
struct RunsOf {
  RunsOf(Arrays of = Arrays::any) : arrays(of) {}  // NOLINT: arrays are a way to run
  Arrays arrays;
  /// With these, runs are started and taken further hesitantly.
  Dice* delays = nullptr;
  /// What the runs forward and back are told to multiply by; 1 where nothing is transformed.
  double scale = 1, scale_back = 1;
  /// This rank gives two arrays to a plan in place, too.
  bool in_two_arrays = false;
};

/// What went wrong on this rank, if anything did. Collective like the plan's runs.
/// The bytes of the forward result are appended to `bits`, if it is given.
std::optional<std::string> check_plan(AnyPlan& plan, const Reference& reference,
                                      std::vector<std::byte>* bits = nullptr, RunsOf runs = {});

}  // namespace weft::test

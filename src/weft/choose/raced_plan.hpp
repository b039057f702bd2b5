// choose/raced_plan: what a race needs of plans, which are made above it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "weft/options.hpp"
#include "weft/problem.hpp"
#include "weft/share.hpp"

namespace weft {

/// A plan that a race runs. Destroying it is collective.
class RacedPlan {
 public:
  RacedPlan() = default;
  RacedPlan(const RacedPlan&) = delete;
  RacedPlan& operator=(const RacedPlan&) = delete;
  virtual ~RacedPlan() = default;

  virtual const Share& input() const = 0;
  virtual const Share& output() const = 0;
  /// What it holds beside the arrays that it transforms, on this rank.
  virtual std::int64_t held_bytes() const = 0;
  virtual std::shared_ptr<std::byte> allocate(std::int64_t bytes) const = 0;
  /// Forward or backward, from one array to the other. An error may be one of this rank alone.
  virtual void run(bool is_forward, std::byte* from, std::byte* to) = 0;
};

/// The bytes that there are beside a further plan of a race: of the arrays on a rank, of all plans
/// that were made, and of the largest of them, 0 if none was.
struct RacedBytes {
  std::int64_t arrays = 0, plans = 0, largest_plan = 0;
};

/// Makes a plan that does what the options say. Collective; errors as of AnyPlan; Error::system if
/// there is not enough memory for it beside what there is.
using MakeRacedPlan = std::function<std::unique_ptr<RacedPlan>(const Problem&, const Options&,
                                                               const RacedBytes& beside)>;

}  // namespace weft

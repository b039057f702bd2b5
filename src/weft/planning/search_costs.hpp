// planning/search_costs: what the steps of a search for a strategy take, in seconds.
// Pure: makes no MPI call.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "weft/planning/cost.hpp"
#include "weft/planning/layout_candidates.hpp"

namespace weft {

/// Passes at places and exchanges between them, as CostPredictor::busiest_rank predicts them. Not
/// for several threads at once.
class SearchCosts {
 public:
  /// All must outlive this. Places are the numbers of `layouts`' candidates.
  SearchCosts(const SearchView& view, const LayoutCandidates& layouts,
              const CostPredictor& predictor);

  const PassGrouping& grouping() const { return passes_.grouping(); }
  /// The passes over `axes` at a place, when those in `done` are transformed; of no axes, a copy.
  double passes(std::size_t place, unsigned done, const std::vector<int>& axes) const;
  /// What a result that in-place transforms leave on other ranks than the input is charged.
  double extra_field(std::size_t place, unsigned done) const;
  /// What an exchange is charged beyond its time, when so many axes are left for later.
  double charge(int axes_left) const { return charge_ + axes_left * late_axis_; }
  /// By so little a start is charged for each one before it.
  double late_start() const { return unit_; }

  struct Exchange {
    const ExchangeTraits* traits;
    double seconds;
    bool takes_arrays;  ///< it can load from, or store to, users' arrays without a copy
  };
  Exchange exchange(std::size_t from, std::size_t to, unsigned done) const;
  /// Whether the exchange of this name shares memory.
  bool shares_memory(const std::string& exchange) const { return traits(exchange).shares_memory; }

 private:
  // The exchanges that Choices names; null where it names none.
  struct Exchanges {
    const ExchangeTraits *chosen = nullptr, *in_nodes = nullptr, *between_nodes = nullptr,
                         *small = nullptr, *large = nullptr;
  };

  double in_units(double seconds) const { return unit_ * std::round(seconds / unit_); }
  const ExchangeTraits& traits(const std::string& name) const;
  const ExchangeTraits& exchange_for(const Traffic& moved, unsigned done) const;
  const Traffic& traffic(std::size_t from, std::size_t to, unsigned done) const;

  const SearchView& view_;
  const LayoutCandidates& layouts_;
  const CostPredictor& predictor_;
  PassCosts passes_;
  Exchanges exchanges_;
  double unit_;  // all times are multiples of it, so that sums of equal times are equal
  double charge_, late_axis_;
  mutable std::vector<std::optional<Traffic>> traffic_;  // by state, from, to
};

}  // namespace weft

// choose/pass_candidates: lists candidates by what engines and walks there are.

#include "weft/choose/pass_candidates.hpp"

#include <algorithm>

#include "weft/comm/agreement.hpp"
#include "weft/problem/line_transform.hpp"

namespace weft {

void PassCandidates::agree_on_rules(const Communicator& comm) {
  std::vector<std::int64_t> rules;
  agree(comm, [&] {
    for (std::size_t stage = 0; stage < samples_.stages(); ++stage) {
      for (const auto what : WalkRule::all())
        rules.push_back(std::ranges::any_of(samples_.of_stage(stage),
                                            [&](const StageSample& at) { return at.rule.*what; }));
      for (const std::string& name : names_)
        rules.push_back(samples_.has_choice(stage) && samples_.has_columns(stage) &&
                        keeps_columns(name, stage));
    }
  });
  comm.max_each(rules);
  agree(comm, [&] {
    auto rule = rules.begin();
    for (std::size_t stage = 0; stage < samples_.stages(); ++stage) {
      WalkRule& walk = walks_.emplace_back();
      for (const auto what : WalkRule::all()) walk.*what = *rule++ != 0;
      for (const std::string& name : names_) prefers_columns_[{name, stage}] = *rule++ != 0;
    }
  });
}

PassChoice PassCandidates::by_rule(std::size_t stage) const {
  PassChoice choice;
  if (samples_.has_columns(stage)) choice.keeps_columns = prefers_columns(usual_engine(), stage);
  return choice;
}

std::vector<PassChoice> PassCandidates::of_engines(std::size_t stage) const {
  std::vector<PassChoice> all{samples_.pass(stage).choice};
  const bool has_columns = samples_.has_columns(stage);
  for (const std::string& name : engines_for(stage, has_columns))
    for (const bool columns : {true, false}) {
      if (columns && !has_columns) continue;
      // Lanes of other widths differ from those of the strategy's engine only in how they
      // transform columns, so without columns they are not tried.
      if (!columns && name != usual_engine() && name.starts_with("weft")) continue;
      PassChoice choice = all.front();
      if (name != usual_engine()) choice.engines = {name};
      if (has_columns) choice.keeps_columns = columns;
      if (choice != all.front()) all.push_back(std::move(choice));
    }
  return all;
}

std::vector<PassChoice> PassCandidates::of_first_axes(std::size_t stage) const {
  const PassChoice before = samples_.pass(stage).choice;
  std::vector<PassChoice> all{before};
  const std::size_t axes = samples_.pass(stage).axes.size();
  const std::string last = before.engines.empty() ? usual_engine() : before.engines.back();
  for (const std::string& name : engines_for(stage, false)) {
    if (axes < 2 || name == last || name.starts_with("weft")) continue;
    PassChoice choice = before;
    choice.engines.assign(axes, name);
    choice.engines.back() = last;
    all.push_back(std::move(choice));
  }
  return all;
}

std::vector<PassChoice> PassCandidates::of_walks(std::size_t stage) const {
  const PassChoice& before = samples_.pass(stage).choice;
  const WalkRule& rule = walks_[stage];
  std::vector<PassChoice> all{before, before};
  all.back().prefetches = !rule.prefetches;
  for (const bool other_loads : {false, true})
    for (const bool other_stores : {false, true}) {
      if (!other_loads && !other_stores) continue;
      if ((other_loads && !rule.tries_loads) || (other_stores && !rule.tries_stores)) continue;
      PassChoice& choice = all.emplace_back(before);
      if (other_loads) choice.loads_directly = !rule.loads_directly;
      if (other_stores) choice.stores_directly = !rule.stores_directly;
    }
  return all;
}

// The rule of an engine on this rank, for a pass that has columns.
bool PassCandidates::keeps_columns(const std::string& name, std::size_t stage) const {
  const int axis = samples_.pass(stage).axes.back();
  // Types II and III, of which one is the way back of the other, are alike.
  const Basis sums = is_fourier(axis)
                         ? Basis::fourier
                         : line_transform(samples_.basis(axis), true, samples_.norm()).kind;
  return engines_.of(name).keeps_columns(samples_.points_along(axis), sums);
}

bool PassCandidates::prefers_columns(const std::string& name, std::size_t stage) const {
  const auto found = prefers_columns_.find({name, stage});
  return found != prefers_columns_.end() && found->second;
}

// Whether an engine for lanes of one width is what the engine weft is here.
bool PassCandidates::is_same_width(const std::string& name) const {
  return usual_engine() == "weft" && name == fmt::format("weft{}", width_);
}

// The engines that are tried for axes of a pass: the strategy's, oneMKL, FFTW unless these are
// columns, which lanes take where they are faster, and of other lanes the two widest.
std::vector<std::string> PassCandidates::engines_for(std::size_t stage, bool are_columns) const {
  std::vector<std::string> some;
  // For what is not Fourier other libraries are FFTW, too; lanes of other widths are not tried.
  if (std::ranges::none_of(samples_.pass(stage).axes, [&](int axis) { return is_fourier(axis); }))
    return {usual_engine()};
  int lanes = 0;
  for (const std::string& name : names_) {
    if (name != usual_engine()) {
      if (name == "fftw" && usual_engine().starts_with("weft") && are_columns) continue;
      if (name.starts_with("weft") &&
          (is_same_width(name) || !prefers_columns(name, stage) || ++lanes > 2))
        continue;
    }
    some.push_back(name);
  }
  // Most plans take it for all axes, and its lanes are made at once.
  std::ranges::stable_partition(some, [&](auto& name) { return name == usual_engine(); });
  return some;
}

}  // namespace weft

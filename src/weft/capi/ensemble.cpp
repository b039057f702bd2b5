// capi/ensemble: ensembles, and the handles of their plans.

#include "weft/capi/converted.hpp"
#include "weft/capi/handles.hpp"

using namespace weft::capi;

namespace {

struct AskedEnsemble {
  std::vector<weft::Problem> problems;
  weft::EnsemblePolicy policy;
  weft::Options options;
};

AskedEnsemble asked_ensemble(int count, const weft_problem* const* problems,
                             const weft_policy* policy, const char* settings) {
  if (count < 1)
    throw weft::Error(weft::Error::invalid, fmt::format("an ensemble of {} instances", count),
                      "give it a problem at least");
  given(problems, "the list of problems");
  AskedEnsemble asked;
  asked.options = options_of_text(settings);
  for (int i = 0; i < count; ++i) {
    const Asked one = asked_of(&given(problems[i], "a problem"), settings);
    asked.problems.push_back(one.problem);
    if (i == 0) asked.options.stream = one.options.stream;
  }
  asked.policy = policy_of(policy, count);
  return asked;
}

const weft::AnyEnsemble& shown(const weft_ensemble* ensemble) {
  return *given(ensemble, "the ensemble").ensemble;
}

weft_policy_form form_of(weft::EnsemblePolicy::Form form) {
  static_assert(static_cast<int>(weft::EnsemblePolicy::automatic) == WEFT_AUTOMATIC &&
                static_cast<int>(weft::EnsemblePolicy::all_ranks) == WEFT_ALL_RANKS &&
                static_cast<int>(weft::EnsemblePolicy::subsets) == WEFT_SUBSETS &&
                static_cast<int>(weft::EnsemblePolicy::mixed) == WEFT_MIXED &&
                static_cast<int>(weft::EnsemblePolicy::chosen) == WEFT_CHOSEN);
  return static_cast<weft_policy_form>(form);
}

}  // namespace

weft_status weft_ensemble_create(MPI_Comm comm, int count, const weft_problem* const* problems,
                                 const weft_policy* policy, const char* settings,
                                 weft_ensemble** ensemble) {
  return create(
      comm, ensemble, [&] { return asked_ensemble(count, problems, policy, settings); },
      [&](weft_ensemble& made, AskedEnsemble asked) {
        made.ensemble.emplace(comm, std::move(asked.problems), std::move(asked.policy),
                              asked.options);
        for (int i = 0; i < made.ensemble->size(); ++i) {
          made.plans.push_back(made.ensemble->is_mine(i) ? std::make_unique<weft_plan>() : nullptr);
          if (made.plans.back() != nullptr)
            made.plans.back()->show(made.ensemble->plan(i), &made.ensemble->plan(i));
        }
      });
}

weft_status weft_ensemble_free(weft_ensemble** ensemble) {
  return free_handle(ensemble, "the place of the ensemble");
}

weft_status weft_ensemble_form(const weft_ensemble* ensemble, weft_policy_form* form) {
  return status_of(
      [&] { given(form, "the place for the policy") = form_of(shown(ensemble).form()); });
}

weft_status weft_ensemble_ranks(const weft_ensemble* ensemble, int instance, int* count,
                                const int** ranks) {
  return status_of([&] {
    const std::vector<int>& of = shown(ensemble).ranks(instance);
    given(ranks, "the place for the ranks") = of.data();
    given(count, "the place for their number") = static_cast<int>(of.size());
  });
}

weft_status weft_ensemble_plan(weft_ensemble* ensemble, int instance, weft_plan** plan) {
  return status_of([&] {
    given(plan, "the place for the plan") = nullptr;
    static_cast<void>(shown(ensemble).ranks(instance));
    *plan = ensemble->plans[static_cast<std::size_t>(instance)].get();
  });
}

// capi/telling: what a plan is asked, and where its answers go.
#pragma once

#include "weft/capi/handles.hpp"

namespace weft::capi {

/// The plan that a handle shows.
inline const AnyPlan& shown(const weft_plan* plan) {
  return given(given(plan, "the plan").shown, "the plan");
}

/// Puts what `ask` answers into the place that C gave for it.
template <class Place, class Ask>
weft_status tell(const weft_plan* plan, Place* place, Ask&& ask) noexcept {
  return status_of([&] {
    const AnyPlan& of = shown(plan);
    given(place, "the place for the result") = ask(of);
  });
}

/// Tells a text, which the plan keeps in `kept`.
template <class Ask>
weft_status tell_text(const weft_plan* plan, const char** place, std::string PlanAnswers::*kept,
                      Ask&& ask) noexcept {
  return tell(plan, place, [&](const AnyPlan& of) {
    std::string& text = plan->answers.*kept;
    text = ask(of);
    return text.c_str();
  });
}

}  // namespace weft::capi

// capi/field: fields of the four element types.

#include <functional>
#include <optional>

#include "weft/capi/converted.hpp"
#include "weft/capi/handles.hpp"
#include "weft/capi/runs.hpp"
#include "weft/chebyshev.hpp"

using namespace weft::capi;

namespace {

// Calls `make` with a value of the type of `scalar`, and returns the field that it makes.
template <class Make>
AnyField field_of(weft::Scalar scalar, Make&& make) {
  const bool is_single = scalar.precision == weft::Precision::single_precision;
  if (scalar.is_complex)
    return is_single ? AnyField(make(std::complex<float>())) : make(std::complex<double>());
  return is_single ? AnyField(make(float())) : make(double());
}

weft::AnyPlan& plan_of(const weft_plan* plan) {
  if (given(plan, "the plan").run != nullptr) return *plan->run;
  throw weft::Error(weft::Error::invalid, "the plan belongs to a reshape or a halo",
                    "give it arrays, of the size that weft_reshape_share or weft_halo_share tells");
}

void hand_over(AnyField made, weft_field** place) {
  auto field = std::make_unique<weft_field>();
  field->field = std::move(made);
  field->share.emplace(field->memory().share());
  *place = field.release();
}

// `check` throws what else is wrong with the call.
template <class Check>
weft::Ticket start(weft_plan* plan, weft_direction direction, const weft_field* from,
                   weft_field* to, double scale, Check&& check) {
  const auto prepare = [&] {
    check();
    return Arrays{is_forward(direction), given(from, "the field to transform").memory(),
                  given(to, "the field for the result").memory()};
  };
  return started(plan_of(plan), prepare, scale);
}

// The largest value on all ranks; what `mine` throws on one is thrown on all.
void tell_largest(const weft_field* field, double* most, const std::function<double()>& mine) {
  const weft::FieldMemory& of = given(field, "the first field").memory();
  const double found = of.largest_of_ranks([&] {
    given(most, "the place for the result");
    return mine();
  });
  *most = found;
}

// The kind is the plan's usual one if none is given.
weft_status create_field(const weft_plan* plan, weft_side side, std::optional<int> kind,
                         weft_field** field) noexcept {
  return status_of([&] {
    given(field, "the place for the handle") = nullptr;
    const weft::AnyPlan& of = plan_of(plan);
    const weft::Share& share =
        checked_value(side, 2, "side") == WEFT_INPUT ? of.input() : of.output();
    const auto memory = kind ? static_cast<weft::Memory>(checked_value(*kind, 4, "kind of memory"))
                             : of.usual_memory();
    hand_over(
        field_of(share.scalar, [&]<class T>(T) { return weft::make_field<T>(of, share, memory); }),
        field);
  });
}

}  // namespace

weft::FieldMemory& weft_field::memory() {
  return std::visit([](auto& of) -> weft::FieldMemory& { return of; }, field);
}
const weft::FieldMemory& weft_field::memory() const {
  return std::visit([](const auto& of) -> const weft::FieldMemory& { return of; }, field);
}

weft_status weft_field_create(const weft_plan* plan, weft_side side, weft_field** field) {
  return create_field(plan, side, std::nullopt, field);
}
weft_status weft_field_create_in(const weft_plan* plan, weft_side side, weft_memory_kind kind,
                                 weft_field** field) {
  return create_field(plan, side, kind, field);
}

weft_status weft_field_kind(const weft_field* field, weft_memory_kind* kind) {
  static_assert(static_cast<int>(weft::Memory::host) == WEFT_MEMORY_HOST &&
                static_cast<int>(weft::Memory::registered) == WEFT_MEMORY_REGISTERED &&
                static_cast<int>(weft::Memory::managed) == WEFT_MEMORY_MANAGED &&
                static_cast<int>(weft::Memory::device) == WEFT_MEMORY_DEVICE);
  return status_of([&] {
    const weft::Memory of = given(field, "the field").memory().kind();
    given(kind, "the place for the kind of memory") = static_cast<weft_memory_kind>(of);
  });
}

weft_status weft_field_view(const weft_plan* plan, const weft_field* input, weft_field** field) {
  return status_of([&] {
    given(field, "the place for the handle") = nullptr;
    const weft::AnyPlan& of = plan_of(plan);
    const weft::FieldMemory& memory = given(input, "the field").memory();
    hand_over(field_of(of.output().scalar,
                       [&]<class T>(T) { return weft::make_output_in<T>(of, memory); }),
              field);
  });
}

weft_status weft_field_free(weft_field** field) {
  return free_handle(field, "the place of the field");
}

void* weft_field_data(weft_field* field) {
  void* data = nullptr;
  static_cast<void>(status_of([&] { data = given(field, "the field").memory().memory().get(); }));
  return data;
}

weft_status weft_field_share(const weft_field* field, weft_share* share) {
  return status_of([&] { given(field, "the field").share->write_to(share); });
}

weft_status weft_run_fields(weft_plan* plan, weft_direction direction, const weft_field* from,
                            weft_field* to, double scale) {
  return status_of([&] { start(plan, direction, from, to, scale, [] {}).wait(); });
}
weft_status weft_start_fields(weft_plan* plan, weft_direction direction, const weft_field* from,
                              weft_field* to, double scale, weft_ticket** ticket) {
  return status_of([&] {
    TicketPlace place(ticket);
    place.take(start(plan, direction, from, to, scale, [&] { place.prepare(); }));
  });
}

weft_status weft_max_abs(const weft_field* a, int64_t number, double* most) {
  return status_of([&] {
    tell_largest(a, most, [&] {
      return std::visit([&](const auto& of) { return weft::max_abs_here(of, number); }, a->field);
    });
  });
}

weft_status weft_max_abs_difference(const weft_field* a, const weft_field* b, int64_t number,
                                    double* most) {
  return status_of([&] {
    tell_largest(a, most, [&] {
      const AnyField& other = given(b, "the second field").field;
      return std::visit(
          [&]<class T>(const weft::Field<T>& of) {
            const auto* const alike = std::get_if<weft::Field<T>>(&other);
            if (alike == nullptr)
              throw weft::Error(weft::Error::invalid, "the fields have different element types",
                                "compare fields of one type");
            return weft::max_abs_difference_here(of, *alike, number);
          },
          a->field);
    });
  });
}

weft_status weft_differentiate_chebyshev(weft_field* coefficients, int axis, int64_t number) {
  return status_of([&] {
    std::visit([&](auto& of) { weft::differentiate_chebyshev(of, axis, number); },
               given(coefficients, "the field").field);
  });
}

// capi/handles: what the handles of C point to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "weft/any_ensemble.hpp"
#include "weft/capi/live.hpp"
#include "weft/capi/status.hpp"
#include "weft/comm/agreement.hpp"
#include "weft/comm/duplicates.hpp"
#include "weft/comm/mpi_comm.hpp"
#include "weft/field.hpp"
#include "weft/halo.hpp"
#include "weft/reshape.hpp"

namespace weft::capi {

/// A share, and its parts as C has them.
class PartedShare {
 public:
  explicit PartedShare(const Share& share);
  /// Writes it to what the application gave, whose pointers are valid as long as this.
  void write_to(weft_share* to) const;
  std::int64_t elements() const { return share_.elements; }

 private:
  Share share_;
  std::vector<weft_part> parts_;
};

/// The shares of two sides, and the one that is asked for. Error::invalid for other numbers.
std::vector<PartedShare> both_sides(const Share& input, const Share& output);
const PartedShare& side_in(const std::vector<PartedShare>& sides, weft_side side);

/// What a plan keeps of what the application has asked for.
struct PlanAnswers {
  std::string engine, strategy, description, stage_name, exchange_name, device;
  std::vector<weft_item> items;
  std::vector<int> node_of_rank, threads_of_rank;
};

using AnyField = std::variant<Field<float>, Field<double>, Field<std::complex<float>>,
                              Field<std::complex<double>>>;

/// Makes an object on all ranks or on none: `read` converts what each rank gave, and `make` is the
/// collective constructor.
template <class Object, class Read, class Make>
weft_status create(MPI_Comm comm, Object** handle, Read&& read, Make&& make) noexcept {
  return status_of([&] {
    const std::string why = take_refusal();
    if (handle != nullptr) *handle = nullptr;
    const auto ranks = shared_duplicate(comm);
    auto [asked, object] = agree(*ranks, [&] {
      throw_refusal(why);
      given(handle, "the place for the handle");
      return std::pair(read(), std::make_unique<Object>());
    });
    make(*object, std::move(asked));
    *handle = object.release();
  });
}

}  // namespace weft::capi

struct weft_plan : weft::capi::Handle<weft_plan> {
  static constexpr char handle_type[] = "weft_plan";

  /// A plan of its own, or that of another object.
  std::optional<weft::AnyPlan> own;
  const weft::AnyPlan* shown = nullptr;
  weft::AnyPlan* run = nullptr;  ///< null if another object runs it
  mutable weft::capi::PlanAnswers answers;
  std::vector<weft::capi::PartedShare> sides;

  /// Shows, and runs, a plan that lives as long.
  void show(const weft::AnyPlan& plan, weft::AnyPlan* to_run);
  void own_plan(weft::AnyPlan plan);
};

struct weft_ticket : weft::capi::Handle<weft_ticket> {
  static constexpr char handle_type[] = "weft_ticket";

  weft::Ticket ticket;
};

struct weft_field : weft::capi::Handle<weft_field> {
  static constexpr char handle_type[] = "weft_field";

  weft::capi::AnyField field;
  std::optional<weft::capi::PartedShare> share;

  weft::FieldMemory& memory();
  const weft::FieldMemory& memory() const;
};

struct weft_ensemble : weft::capi::Handle<weft_ensemble> {
  static constexpr char handle_type[] = "weft_ensemble";

  std::optional<weft::AnyEnsemble> ensemble;
  std::vector<std::unique_ptr<weft_plan>> plans;  ///< null where not mine
};

struct weft_reshape : weft::capi::Handle<weft_reshape> {
  static constexpr char handle_type[] = "weft_reshape";

  std::optional<weft::AnyReshape> reshape;
  std::int64_t element_bytes = 0;
  std::vector<weft::capi::PartedShare> sides;
  weft_plan plan;
};

struct weft_halo : weft::capi::Handle<weft_halo> {
  static constexpr char handle_type[] = "weft_halo";

  std::optional<weft::AnyHalo> halo;
  std::int64_t element_bytes = 0;
  std::optional<weft::capi::PartedShare> share;
  weft_plan plan;
};

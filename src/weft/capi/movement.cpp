// capi/movement: reshapes and halos.

#include "weft/capi/converted.hpp"
#include "weft/capi/handles.hpp"
#include "weft/capi/runs.hpp"
#include "weft/faces/movement_shares.hpp"

using namespace weft::capi;

namespace {

struct AskedReshape {
  AskedGrid grid;
  weft::Distribution from, to;
  weft::Options options;
};

// `check` throws what else is wrong with the call.
template <class Check>
weft::Ticket start(weft_reshape* reshape, weft_direction direction, const weft_source& from,
                   const weft_target& to, Check&& check) {
  weft::AnyReshape& runs = *given(reshape, "the reshape").reshape;
  return started(runs, [&] {
    check();
    return Arrays{is_forward(direction), source_of(from, reshape->element_bytes),
                  target_of(to, reshape->element_bytes)};
  });
}

template <class Check>
weft::Ticket start(weft_halo* halo, const weft_target& array, Check&& check) {
  weft::AnyHalo& runs = *given(halo, "the halo").halo;
  std::optional<weft::Error> why;
  const auto prepare = [&] {
    check();
    return Arrays{true, nullptr, target_of(array, halo->element_bytes)};
  };
  return runs.start(prepared(prepare, why).to);
}

// The plan inside, which is looked at only.
void tell_plan(weft_plan& inside, weft_plan** plan) {
  given(plan, "the place for the plan") = &inside;
}

}  // namespace

weft_status weft_reshape_create(MPI_Comm comm, const weft_grid* grid, const weft_distribution* from,
                                const weft_distribution* to, const char* settings,
                                weft_reshape** reshape) {
  return create(
      comm, reshape,
      [&] {
        const AskedGrid asked = grid_of(grid);
        const int axes = asked.extents.size();
        return AskedReshape{asked, distribution_of(from, axes, 1), distribution_of(to, axes, 1),
                            options_of_text(settings)};
      },
      [&](weft_reshape& made, const AskedReshape& asked) {
        const auto& [extents, element, periodic, in_place] = asked.grid;
        made.reshape.emplace(
            in_place
                ? weft::AnyReshape::in_place(comm, extents, element, asked.from, asked.to,
                                             asked.options)
                : weft::AnyReshape(comm, extents, element, asked.from, asked.to, asked.options));
        made.element_bytes = element.bytes;
        made.plan.show(made.reshape->plan(), nullptr);
        made.sides = both_sides(weft::share_of(*made.reshape, extents.size(), true),
                                weft::share_of(*made.reshape, extents.size(), false));
      });
}

weft_status weft_reshape_free(weft_reshape** reshape) {
  return free_handle(reshape, "the place of the reshape");
}

weft_status weft_reshape_share(const weft_reshape* reshape, weft_side side, weft_share* share) {
  return status_of([&] { side_in(given(reshape, "the reshape").sides, side).write_to(share); });
}

weft_status weft_reshape_run(weft_reshape* reshape, weft_direction direction, weft_source from,
                             weft_target to) {
  return status_of([&] { start(reshape, direction, from, to, [] {}).wait(); });
}
weft_status weft_reshape_start(weft_reshape* reshape, weft_direction direction, weft_source from,
                               weft_target to, weft_ticket** ticket) {
  return status_of([&] {
    TicketPlace place(ticket);
    place.take(start(reshape, direction, from, to, [&] { place.prepare(); }));
  });
}

weft_status weft_reshape_plan(weft_reshape* reshape, weft_plan** plan) {
  return status_of([&] { tell_plan(given(reshape, "the reshape").plan, plan); });
}

weft_status weft_halo_create(MPI_Comm comm, const weft_grid* grid,
                             const weft_distribution* distribution, const char* settings,
                             weft_halo** halo) {
  struct AskedHalo {
    AskedGrid grid;
    weft::Distribution at;
    weft::Options options;
  };
  return create(
      comm, halo,
      [&] {
        const AskedGrid asked = grid_of(grid);
        return AskedHalo{asked, distribution_of(distribution, asked.extents.size(), 1),
                         options_of_text(settings)};
      },
      [&](weft_halo& made, const AskedHalo& asked) {
        const auto& [extents, element, periodic, in_place] = asked.grid;
        made.halo.emplace(comm, extents, element, asked.at, periodic, asked.options);
        made.element_bytes = element.bytes;
        made.plan.show(made.halo->plan(), nullptr);
        made.share.emplace(weft::share_of(*made.halo, extents));
      });
}

weft_status weft_halo_free(weft_halo** halo) { return free_handle(halo, "the place of the halo"); }

weft_status weft_halo_share(const weft_halo* halo, weft_share* share) {
  return status_of([&] { given(halo, "the halo").share->write_to(share); });
}

weft_status weft_halo_run(weft_halo* halo, weft_target array) {
  return status_of([&] { start(halo, array, [] {}).wait(); });
}
weft_status weft_halo_start(weft_halo* halo, weft_target array, weft_ticket** ticket) {
  return status_of([&] {
    TicketPlace place(ticket);
    place.take(start(halo, array, [&] { place.prepare(); }));
  });
}

weft_status weft_halo_plan(weft_halo* halo, weft_plan** plan) {
  return status_of([&] { tell_plan(given(halo, "the halo").plan, plan); });
}

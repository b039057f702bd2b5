// python/core/request: reads dictionaries.

#include "request.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "weft/faces/kinds.hpp"
#include "weft/faces/settings.hpp"
#include "weft/problem/problem_text.hpp"

namespace nb = nanobind;

namespace weft::python {

namespace {

using Corners = std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>;

// What is called `name`, or what it is where nothing is said.
template <class Value>
Value value_in(const nb::dict& given, const char* name, Value otherwise = {}) {
  return given.contains(name) ? nb::cast<Value>(given[name]) : otherwise;
}

Dims dims_in(const nb::dict& given, const char* name) {
  return dims_of(value_in<std::vector<std::int64_t>>(given, name));
}

Box box_of(const Corners& corners) { return {dims_of(corners.first), dims_of(corners.second)}; }

SettingTexts settings_in(const nb::dict& given) {
  SettingTexts texts;
  for (const auto& [name, text] : nb::cast<nb::dict>(given["settings"]))
    texts.emplace(nb::cast<std::string>(name), nb::cast<std::string>(text));
  return texts;
}

// Where this rank's boxes lie in its array.
UserArray array_of(const nb::dict& side, const std::vector<Box>& boxes) {
  UserArray array;
  const auto steps = nb::cast<std::vector<std::vector<std::int64_t>>>(side["steps"]);
  for (std::size_t b = 0; b < boxes.size(); ++b)
    array.layouts.push_back({boxes[b].extents(), dims_of(steps.at(b))});
  array.offsets = nb::cast<std::vector<std::int64_t>>(side["starts"]);
  array.field_stride = nb::cast<std::int64_t>(side["field_stride"]);
  array.elements = nb::cast<std::int64_t>(side["elements"]);
  return array;
}

void set_storage(Storage& storage, const nb::dict& side) {
  for (const auto axis : value_in<std::vector<int>>(side, "order")) storage.order.push_back(axis);
  storage.before = dims_in(side, "before");
  storage.after = dims_in(side, "after");
  storage.interleaves_batch = value_in<bool>(side, "interleaved");
}

// Sets what the dictionary says of a side, and leaves the rest as it is.
void set_side(Distribution& distribution, const nb::dict& side, const Dims& grid) {
  if (side.contains("boxes")) {
    std::vector<Box> boxes;
    for (const auto& corners : nb::cast<std::vector<Corners>>(side["boxes"]))
      boxes.push_back(box_of(corners));
    if (side.contains("steps")) {
      UserArray array = array_of(side, boxes);
      distribution = Distribution::of_my_boxes(std::move(boxes), std::move(array));
      return;
    }
    distribution = Distribution::of_my_boxes(std::move(boxes));
  } else if (side.contains("form")) {
    distribution = Distribution(parse_form(nb::cast<std::string>(side["form"])));
    const bool has_grid =
        distribution.form == Distribution::pencil || distribution.form == Distribution::brick;
    distribution.grid = side.contains("grid") ? dims_in(side, "grid") : has_grid ? grid : Dims();
  }
  set_storage(distribution.storage, side);
}

Cutoff cutoff_of(const nb::dict& given) {
  Cutoff cutoff;
  if (given.contains("waves")) {
    const auto waves =
        nb::cast<nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>>(
            given["waves"]);
    std::vector<Wave> list(waves.shape(0));
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = {waves(i, 0), waves(i, 1), waves(i, 2)};
    cutoff = Cutoff::of_my_waves(std::move(list));
  } else if (given.contains("vectors")) {
    cutoff = Cutoff::sphere(nb::cast<double>(given["radius"]),
                            nb::cast<ReciprocalVectors>(given["vectors"]));
  } else {
    cutoff = Cutoff::sphere(nb::cast<double>(given["radius"]));
  }
  return given.contains("along") ? cutoff.along(nb::cast<int>(given["along"])) : cutoff;
}

// Calls Python's function. What it raises is kept, and the plan becomes an error on all ranks.
Placement placement_of(const nb::dict& given, const PlacementFailure& failure) {
  Placement placement;
  placement.pieces = value_in<int>(given, "pieces");
  if (!given.contains("placement")) return placement;
  placement.rank_of = [call = kept(given["placement"]), failure](const Dims& grid,
                                                                 const Dims& piece) {
    const nb::gil_scoped_acquire with_gil;
    try {
      nb::list parts, at;
      for (const auto count : grid) parts.append(count);
      for (const auto index : piece) at.append(index);
      return nb::cast<int>(
          nb::module_::import_("operator").attr("index")((*call)(nb::tuple(parts), nb::tuple(at))));
    } catch (const std::exception& raised) {
      *failure = std::current_exception();
      throw Error(Error::invalid, fmt::format("the placement raised {}", raised.what()),
                  "return the rank of the piece, from 0 on");
    }
  };
  return placement;
}

}  // namespace

MPI_Comm comm_at(std::uintptr_t address) { return *reinterpret_cast<const MPI_Comm*>(address); }

Dims dims_of(const std::vector<std::int64_t>& numbers) {
  Dims dims;
  for (const auto number : numbers) dims.push_back(number);
  return dims;
}

std::shared_ptr<nb::object> kept(nb::object object) {
  return {new nb::object(std::move(object)), [](nb::object* owned) {
            if (!nb::is_alive()) return;  // the interpreter has gone, and the object with it
            const nb::gil_scoped_acquire with_gil;
            delete owned;
          }};
}

AskedPlan asked_plan(const nb::dict& given) {
  AskedPlan asked;
  const SettingTexts texts = settings_in(given);
  asked.problem = problem_of(texts);
  asked.options = options_of(texts);
  if (value_in<bool>(given, "moves_only")) asked.problem.axes = Axes::none();
  set_side(asked.problem.input, nb::cast<nb::dict>(given["input"]), asked.options.grid);
  set_side(asked.problem.output, nb::cast<nb::dict>(given["output"]), asked.options.grid);
  if (given.contains("support"))
    asked.problem.support = box_of(nb::cast<Corners>(given["support"]));
  if (given.contains("cutoff"))
    asked.problem.cutoff = cutoff_of(nb::cast<nb::dict>(given["cutoff"]));
  asked.options.placement = placement_of(given, asked.failure);
  asked.options.stream = reinterpret_cast<void*>(value_in<std::uintptr_t>(given, "stream"));
  return asked;
}

AskedMovement asked_movement(const nb::dict& given) {
  AskedMovement asked;
  SettingTexts texts = settings_in(given);
  asked.extents = problem_of({{"extents", texts.at("extents")}}).extents;
  asked.options = options_of(texts);
  asked.element = {nb::cast<std::int64_t>(given["element_bytes"]),
                   nb::cast<std::int64_t>(given["alignment"])};
  set_side(asked.from, nb::cast<nb::dict>(given["input"]), asked.options.grid);
  if (given.contains("output"))
    set_side(asked.to, nb::cast<nb::dict>(given["output"]), asked.options.grid);
  if (given.contains("periodic"))
    asked.periodic = Periodic(nb::cast<std::vector<int>>(given["periodic"]));
  return asked;
}

EnsemblePolicy policy_of(const nb::object& given) {
  if (given.is_none()) return {};
  if (!nb::isinstance<nb::str>(given))
    return EnsemblePolicy(nb::cast<std::vector<std::vector<int>>>(given));
  const auto name = nb::cast<std::string>(given);
  for (const auto form : {EnsemblePolicy::automatic, EnsemblePolicy::all_ranks,
                          EnsemblePolicy::subsets, EnsemblePolicy::mixed})
    if (name == to_string(form)) return form;
  throw Error(Error::invalid, fmt::format("there is no policy '{}'", name),
              "one of: automatic, all, subsets, mixed; or the ranks of every instance");
}

void refuse_together(std::uintptr_t comm, const Error& why) {
  if (comm != 0) {
    const nb::gil_scoped_release without_gil;
    agree(*shared_duplicate(comm_at(comm)), [&] { throw why; });
  }
  throw why;
}

}  // namespace weft::python

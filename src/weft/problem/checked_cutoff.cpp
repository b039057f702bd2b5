// problem/checked_cutoff: what a problem with a cut-off may be.

#include "weft/problem/checked_cutoff.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "weft/base/dims_text.hpp"
#include "weft/base/ensure.hpp"
#include "weft/grid/rank_list.hpp"
#include "weft/problem/validated.hpp"

namespace weft {

namespace {

void check_field(const Problem& problem) {
  const std::string grid = to_string(problem.extents);
  if (problem.extents.size() != 3)
    throw Error(Error::unsupported,
                fmt::format("a cut-off needs a grid of 3 axes, but {} has {}", grid,
                            problem.extents.size()),
                "use Problem::modes for fields of other numbers of axes");
  constexpr std::int64_t longest = 1 << 30;  // waves are numbers of 32 bits
  for (const std::int64_t points : problem.extents)
    if (points > longest)
      throw Error(Error::unsupported,
                  fmt::format("a cut-off needs axes of at most {} points, but the grid is {}",
                              longest, grid),
                  "use Problem::modes");
  if (problem.axes.size() != 3 || !problem.bases.empty() || problem.kind == Kind::r2r)
    throw Error(Error::unsupported,
                "a cut-off is one of plane waves, but not all axes are Fourier and transformed",
                "transform all axes with the basis fourier, or use Problem::modes");
  if (!problem.modes.empty())
    throw Error(Error::invalid,
                fmt::format("a cut-off says which waves are kept, but modes {} are given, too",
                            to_string(problem.modes)),
                "leave Problem::modes empty");
  if (problem.in_place)
    throw Error(Error::unsupported,
                fmt::format("a field of waves cannot take the memory of one of {} points", grid),
                "leave Problem::in_place false");
}

void check_waves_side(const Problem& problem) {
  const bool is_input = problem.kind == Kind::c2r;
  const Distribution& waves = is_input ? problem.input : problem.output;
  if (waves != Distribution())
    throw Error(Error::invalid,
                fmt::format("the {} has a cut-off, and a distribution or a storage of its own",
                            is_input ? "input" : "output"),
                "leave it free; Cutoff::of_my_waves says which rank has which waves, in which "
                "order");
  const Distribution& points = is_input ? problem.output : problem.input;
  if (points.form == Distribution::same)
    throw Error(Error::invalid, "real space cannot be distributed as the waves of a cut-off are",
                "one of: free, slab, pencil, brick, boxes");
  if (points.storage.interleaves_batch)
    throw Error(Error::unsupported, "the fields of a batch with a cut-off cannot be interleaved",
                "let the fields follow each other");
}

void check_sphere(const Cutoff& cutoff) {
  if (!std::isfinite(cutoff.radius()) || cutoff.radius() < 0)
    throw Error(Error::invalid, fmt::format("the radius of the cut-off is {}", cutoff.radius()),
                "give a number of at least 0");
  // The volume is that of vectors of length 1, so that the unit does not matter.
  ReciprocalVectors vectors = cutoff.vectors();
  for (auto& vector : vectors) {
    const bool is_finite =
        std::ranges::all_of(vector, [](double number) { return std::isfinite(number); });
    if (!is_finite || vector == std::array<double, 3>{})
      throw Error(Error::invalid,
                  fmt::format("a vector of the cut-off is ({})", fmt::join(vector, ",")),
                  "give vectors of finite numbers that are not all zero");
    vector = ScaledVector(vector).direction;
  }
  const auto& [a, b, c] = vectors;
  const double volume = a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                        a[2] * (b[0] * c[1] - b[1] * c[0]);
  constexpr double flat = 1e-9;
  if (std::abs(volume) <= flat)
    throw Error(Error::invalid,
                fmt::format("the three vectors of the cut-off span no volume: {:.1e} of that of a "
                            "box with their lengths",
                            std::abs(volume)),
                "give the vectors of a reciprocal lattice, which do not lie in one plane");
}

}  // namespace

ScaledVector::ScaledVector(const std::array<double, 3>& vector) : direction(vector) {
  for (const double number : vector) scale = std::max(scale, std::abs(number));
  for (double& number : direction) number /= scale;
  length = std::hypot(direction[0], direction[1], direction[2]);
  for (double& number : direction) number /= length;
}

void check_cutoff(const Problem& problem) {
  const Cutoff& cutoff = problem.cutoff;
  if (!cutoff.is_given()) return;
  check_field(problem);
  check_waves_side(problem);
  if (cutoff.form() == Cutoff::Form::sphere)
    check_sphere(cutoff);
  else if (!cutoff.owners().empty())
    throw Error(Error::invalid, "the cut-off lists waves of ranks, and has owners of shares, too",
                "Cutoff::placed is for spheres");
  if (cutoff.column_axis() == Cutoff::slowest) return;
  const int axis = cutoff.column_axis() < 0 ? cutoff.column_axis() + 3 : cutoff.column_axis();
  if (axis < 0 || axis > 2)
    throw Error(
        Error::invalid,
        fmt::format("there is no axis {} for the columns of the cut-off", cutoff.column_axis()),
        "axes are 0 to 2, or -3 to -1 from the end");
  if (axis == half_axis(problem))
    throw Error(Error::invalid,
                fmt::format("the columns of the cut-off run along axis {}, which {} halves", axis,
                            to_string(problem.kind)),
                "name another axis, or let another one be the last of Problem::axes");
}

std::string to_string(const Cutoff& cutoff) {
  if (!cutoff.is_given()) return {};
  std::string text = " cutoff";
  if (cutoff.form() == Cutoff::Form::sphere) {
    text += fmt::format(" {}", cutoff.radius());
    if (cutoff.vectors() != Cutoff::sphere(0).vectors())
      for (const auto& vector : cutoff.vectors())
        text += fmt::format(" ({})", fmt::join(vector, ","));
    if (!cutoff.owners().empty()) text += " on " + to_text(cutoff.owners());
  } else if (cutoff.is_of_mine() && cutoff.waves_of_rank().empty()) {
    text += " waves of each rank";  // which are compared when they are gathered
  } else {
    std::uint64_t number = 0xcbf29ce484222325U;  // FNV-1a
    std::int64_t count = 0;
    const auto add = [&](std::uint64_t value) { number = (number ^ value) * 0x100000001b3U; };
    for (const Waves& waves : cutoff.waves_of_rank()) {
      count += waves.size();
      add(static_cast<std::uint64_t>(waves.size()) << 32);  // where the list of a rank ends
      for (const Wave& wave : waves)
        for (const std::int32_t k : wave) add(static_cast<std::uint32_t>(k));
    }
    text +=
        fmt::format(" {} waves of {} ranks ({:x})", count, cutoff.waves_of_rank().size(), number);
  }
  if (cutoff.column_axis() != Cutoff::slowest)
    text += fmt::format(" columns {}", cutoff.column_axis());
  return text;
}

}  // namespace weft

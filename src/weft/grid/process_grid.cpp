// grid/process_grid: rank arithmetic and factorizations.

#include "weft/grid/process_grid.hpp"

#include "weft/grid/split.hpp"

namespace weft {

Dims ProcessGrid::coordinates(std::int64_t rank) const {
  Dims at = Dims::filled(parts.size(), 0);
  for (int a = parts.size() - 1; a >= 0; --a) {
    at[a] = rank % parts[a];
    rank /= parts[a];
  }
  return at;
}

std::int64_t ProcessGrid::rank(const Dims& coordinates) const {
  std::int64_t rank = 0;
  for (int a = 0; a < parts.size(); ++a) rank = rank * parts[a] + coordinates[a];
  return rank;
}

Box ProcessGrid::box(const Extents& extents, std::int64_t rank) const {
  Box box{Dims::filled(extents.size(), 0), Dims::filled(extents.size(), 0)};
  if (rank >= count()) return box;
  const Dims at = coordinates(rank);
  for (int a = 0; a < extents.size(); ++a) box.set(a, split(extents[a], parts[a], at[a]));
  return box;
}

namespace {

void factorize(std::int64_t count, int axes, Dims& head, std::vector<Dims>& all) {
  if (axes == 1) {
    Dims dims = head;
    dims.push_back(count);
    all.push_back(dims);
    return;
  }
  for (std::int64_t factor = count; factor >= 1; --factor) {
    if (count % factor != 0) continue;
    Dims longer = head;
    longer.push_back(factor);
    factorize(count / factor, axes - 1, longer, all);
  }
}

}  // namespace

std::vector<Dims> factorizations(std::int64_t count, int axes) {
  std::vector<Dims> all;
  Dims head;
  factorize(count, axes, head, all);
  return all;
}

Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed) {
  Dims best = Dims::filled(extents.size(), 1);
  double least = -1;
  for (const Dims& parts : factorizations(count, static_cast<int>(allowed.size()))) {
    Dims full = Dims::filled(extents.size(), 1);
    double surface = 0;
    for (int i = 0; i < parts.size(); ++i) {
      const int axis = allowed[static_cast<std::size_t>(i)];
      full[axis] = parts[i];
      // Relative to a block's volume, two faces across this axis weigh 1 / thickness. Cutting an
      // axis into more parts than it has points leaves ranks empty: worse than any surface.
      surface += static_cast<double>(parts[i]) / static_cast<double>(extents[axis]);
      if (parts[i] > extents[axis]) surface += 1e3 * static_cast<double>(parts[i]);
    }
    if (least < 0 || surface < least) {
      least = surface;
      best = full;
    }
  }
  return best;
}

}  // namespace weft

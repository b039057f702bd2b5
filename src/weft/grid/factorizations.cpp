// grid/factorizations: numbers the pieces, and factorizes the number of ranks.

#include "weft/grid/factorizations.hpp"

#include <algorithm>

#include "weft/base/checked.hpp"
#include "weft/grid/rank_list.hpp"
#include "weft/grid/split.hpp"

namespace weft {

ProcessGrid ProcessGrid::placed(const Dims& parts, std::vector<int> owners) {
  const auto pieces = static_cast<std::int64_t>(owners.size());
  const bool is_grid = std::all_of(parts.begin(), parts.end(), [](auto n) { return n > 0; });
  if (is_grid && checked_volume(parts) == pieces && is_consecutive(owners, pieces)) owners.clear();
  return {parts, std::move(owners)};
}

Dims ProcessGrid::coordinates(std::int64_t piece) const {
  Dims at = Dims::filled(parts.size(), 0);
  for (int a = parts.size() - 1; a >= 0; --a) {
    at[a] = piece % parts[a];
    piece /= parts[a];
  }
  return at;
}

std::int64_t ProcessGrid::piece(const Dims& coordinates) const {
  std::int64_t piece = 0;
  for (int a = 0; a < parts.size(); ++a) piece = piece * parts[a] + coordinates[a];
  return piece;
}

Box ProcessGrid::box(const Extents& extents, std::int64_t piece) const {
  Box box{Dims::filled(extents.size(), 0), Dims::filled(extents.size(), 0)};
  if (piece >= count()) return box;
  const Dims at = coordinates(piece);
  for (int a = 0; a < extents.size(); ++a) box.set(a, split(extents[a], parts[a], at[a]));
  return box;
}

std::string to_string(const ProcessGrid& grid) {
  return to_string(grid.parts) + (grid.owners.empty() ? "" : " on " + to_text(grid.owners));
}

int divided_axes(const Dims& parts) {
  return static_cast<int>(std::count_if(parts.begin(), parts.end(), [](auto n) { return n > 1; }));
}

namespace {

// In descending order.
std::vector<std::int64_t> divisors_of(std::int64_t count) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t divisor = count; divisor >= 1; --divisor)
    if (count % divisor == 0) divisors.push_back(divisor);
  return divisors;
}

// Calls visit(dims) for every way to write `count`, which has some of `divisors`, as a product of
// `axes` factors after those of `head`.
template <class Visit>
void factorize(std::int64_t count, int axes, const std::vector<std::int64_t>& divisors,
               const Dims& head, const Visit& visit) {
  if (axes == 1) {
    Dims dims = head;
    dims.push_back(count);
    visit(dims);
    return;
  }
  for (const std::int64_t factor : divisors) {
    if (count % factor != 0) continue;
    Dims longer = head;
    longer.push_back(factor);
    factorize(count / factor, axes - 1, divisors, longer, visit);
  }
}

}  // namespace

std::vector<Dims> factorizations(std::int64_t count, int axes) {
  std::vector<Dims> all;
  factorize(count, axes, divisors_of(count), {}, [&](const Dims& dims) { all.push_back(dims); });
  return all;
}

Dims balanced_factorization(std::int64_t count, const Extents& extents,
                            const std::vector<int>& allowed) {
  Dims best = Dims::filled(extents.size(), 1);
  double least = -1;
  const auto compare = [&](const Dims& parts) {
    Dims full = Dims::filled(extents.size(), 1);
    double surface = 0;
    for (int i = 0; i < parts.size(); ++i) {
      const int axis = allowed[static_cast<std::size_t>(i)];
      full[axis] = parts[i];
      // The surface of two faces across this axis, relative to the volume of a piece, is
      // proportional to 1 / thickness. An axis cut into more parts than it has points leaves ranks
      // without work, which must cost more than any surface: hence the factor of 1000.
      surface += static_cast<double>(parts[i]) / static_cast<double>(extents[axis]);
      if (parts[i] > extents[axis]) surface += 1e3 * static_cast<double>(parts[i]);
    }
    if (least < 0 || surface < least) {
      least = surface;
      best = full;
    }
  };
  factorize(count, static_cast<int>(allowed.size()), divisors_of(count), {}, compare);
  return best;
}

}  // namespace weft

// cli/pages/machine_tables: sums by kinds of links, and a map of groups.

#include "weft/cli/pages/machine_tables.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/page.hpp"
#include "weft/cli/pages/svg.hpp"
#include "weft/cli/place/network_places.hpp"
#include "weft/cli/place/network_words.hpp"
#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

std::string busiest_text(const ShownMachine& shown) {
  const int busiest = shown.loads.busiest;
  if (busiest < 0) return "<p>No message passes a link.</p>\n";
  const auto i = static_cast<std::size_t>(busiest);
  const Link& link = shown.network.links()[i];
  return fmt::format(
      "<p>The busiest link, {}, carries {} in all exchanges of the forward direction together: {} "
      "ms at {}/s.</p>\n",
      escaped(link_text(shown.machine.network, shown.network, link)),
      bytes_text(shown.loads.of_link[i]), milliseconds(shown.loads.busiest_seconds),
      bytes_text(link.speed.bytes_per_second));
}

// The links of one kind.
struct KindOfLinks {
  std::string name;
  std::size_t links = 0, loaded = 0;
  double bytes = 0;
  int busiest = -1;  // the first of those that take longest
};

std::vector<KindOfLinks> kinds_of_links(const ShownMachine& shown) {
  std::vector<KindOfLinks> kinds;
  for (std::size_t i = 0; i < shown.network.links().size(); ++i) {
    const std::string name =
        link_kind(shown.machine.network, shown.network, shown.network.links()[i]);
    auto kind = std::ranges::find(kinds, name, &KindOfLinks::name);
    if (kind == kinds.end()) kind = kinds.insert(kinds.end(), {name});
    ++kind->links;
    const double bytes = shown.loads.of_link[i];
    if (bytes <= 0) continue;
    ++kind->loaded;
    kind->bytes += bytes;
    const auto link = static_cast<int>(i);
    if (kind->busiest < 0 || shown.link_seconds(link) > shown.link_seconds(kind->busiest))
      kind->busiest = link;
  }
  return kinds;
}

std::string kinds_tables(const ShownMachine& shown) {
  std::vector<std::vector<std::string>> sums{{"links", "number", "with a load", "mean of these"}};
  std::vector<std::vector<std::string>> busiest{{"busiest of each kind", "bytes", "ms"}};
  for (const KindOfLinks& kind : kinds_of_links(shown)) {
    const auto loaded = static_cast<double>(kind.loaded);
    sums.push_back({kind.name, std::to_string(kind.links), std::to_string(kind.loaded),
                    kind.loaded == 0 ? "-" : bytes_text(kind.bytes / loaded)});
    if (kind.busiest < 0) continue;
    const auto i = static_cast<std::size_t>(kind.busiest);
    busiest.push_back({link_text(shown.machine.network, shown.network, shown.network.links()[i]),
                       bytes_text(shown.loads.of_link[i]),
                       milliseconds(shown.link_seconds(kind.busiest))});
  }
  return table(sums, 1) + (busiest.size() > 1 ? table(busiest, 1) : "");
}

}  // namespace

LoadUnit bytes_unit_for(double most) {
  constexpr std::array<LoadUnit, 5> units{
      {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}};
  LoadUnit best = units.front();
  for (const LoadUnit& unit : units)
    if (most >= unit.size) best = unit;
  return best;
}

std::string load_legend(const std::string& what, double most, const LoadUnit& unit,
                        const std::string& classes) {
  if (most <= 0) return "";
  std::string text =
      fmt::format("<p class=\"legend {}\"><span>{}, {}, up to:</span> ", classes, what, unit.name);
  for (int step = 0; step < load_steps; ++step)
    text += fmt::format("<span><i style=\"background:var(--k{})\"></i>{:.3g}</span> ", step,
                        most * (step + 1) / load_steps / unit.size);
  return text + "</p>\n";
}

std::string links_part(const ShownMachine& shown) {
  return section("Links", busiest_text(shown) + kinds_tables(shown));
}

std::string groups_part(const ShownMachine& shown) {
  const auto* const dragonfly = std::get_if<Dragonfly>(&shown.machine.network);
  if (dragonfly == nullptr || dragonfly->groups < 2) return "";
  const auto groups = static_cast<std::size_t>(dragonfly->groups);
  const int nodes = shown.network.nodes();
  HeatMap map;
  map.names.resize(groups);
  std::iota(map.names.begin(), map.names.end(), 0);
  map.cells.assign(groups * groups, 0);
  map.more_is_better = false;
  map.rows = "from group";
  map.columns = "to";
  for (std::size_t i = 0; i < shown.network.links().size(); ++i) {
    const Link& link = shown.network.links()[i];
    if (link.from < nodes || link.to < nodes) continue;
    const auto from = static_cast<std::size_t>(place_of(*dragonfly, link.from - nodes).group);
    const auto to = static_cast<std::size_t>(place_of(*dragonfly, link.to - nodes).group);
    if (from != to) map.cells[from * groups + to] += shown.loads.of_link[i];
  }
  const double most = *std::ranges::max_element(map.cells);
  if (most == 0) return "";
  const LoadUnit unit = bytes_unit_for(most);
  for (double& cell : map.cells) cell /= unit.size;
  map.unit = unit.name;
  return section(fmt::format("From group to group, {}", unit.name),
                 "<p class=\"soft\">From the group of the row to that of the column, over the one "
                 "link that they have.</p>\n" +
                     svg_of(map));
}

}  // namespace weft::cli

// cli/pages/machine_page: the page, part by part.

#include "weft/cli/pages/machine_page.hpp"

#include <algorithm>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/machine_svg.hpp"
#include "weft/cli/pages/machine_tables.hpp"
#include "weft/cli/pages/page.hpp"
#include "weft/cli/pages/svg.hpp"
#include "weft/cli/place/network_words.hpp"
#include "weft/cli/report_parts.hpp"
#include "weft/networks/network_of.hpp"

namespace weft::cli {

namespace {

// Loads have eight colours, from that of the page to one that stands out; words have those of the
// page. Without a script: a radio button that is checked changes what follows it.
constexpr const char* machine_style = R"(:root {
  --k0: #fde3c0; --k1: #fdd09b; --k2: #fdb884; --k3: #fc8d59; --k4: #ef6548; --k5: #d7301f; --k6: #b30000;
  --k7: #7f0000; --taken: #c3cad2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --k0: #4a2c23; --k1: #6b3524; --k2: #8f4024; --k3: #b54e22; --k4: #d9621f; --k5: #f2822e; --k6: #fbab5e;
    --k7: #ffdba6; --taken: #4d5a68;
  }
}
.m1 { --mark: var(--c0); } .m2 { --mark: var(--c2); } .m3 { --mark: var(--c3); }
.m4 { --mark: var(--c4); } .m5 { --mark: var(--c1); }
svg.machine { display: block; margin: 14px auto 16px; }
svg.machine text { font-size: var(--text); }
.node { fill: var(--card); stroke: var(--mark, var(--soft)); stroke-width: var(--edge); }
.node.taken { fill: var(--mark, var(--taken)); stroke: var(--mark, var(--taken)); }
.node.chosen { fill: var(--r); stroke: var(--mark, var(--ink)); }
.switch { fill: var(--page); stroke: var(--line); }
.frame { fill: none; stroke: var(--line); }
.link { fill: none; stroke: var(--line); stroke-width: .6; }
.link.k0 { stroke: var(--k0); stroke-width: 1.2; } .link.k1 { stroke: var(--k1); stroke-width: 1.4; }
.link.k2 { stroke: var(--k2); stroke-width: 1.6; } .link.k3 { stroke: var(--k3); stroke-width: 1.8; }
.link.k4 { stroke: var(--k4); stroke-width: 2; } .link.k5 { stroke: var(--k5); stroke-width: 2.2; }
.link.k6 { stroke: var(--k6); stroke-width: 2.4; } .link.k7 { stroke: var(--k7); stroke-width: 2.6; }
#by-load:checked ~ .machine .chosen { fill: var(--card); }
#by-load:checked ~ .machine .chosen[class*=" k"] { stroke: var(--mark, var(--card)); }
#by-load:checked ~ .machine .k0:not(.link) { fill: var(--k0); }
#by-load:checked ~ .machine .k1:not(.link) { fill: var(--k1); }
#by-load:checked ~ .machine .k2:not(.link) { fill: var(--k2); }
#by-load:checked ~ .machine .k3:not(.link) { fill: var(--k3); }
#by-load:checked ~ .machine .k4:not(.link) { fill: var(--k4); }
#by-load:checked ~ .machine .k5:not(.link) { fill: var(--k5); }
#by-load:checked ~ .machine .k6:not(.link) { fill: var(--k6); }
#by-load:checked ~ .machine .k7:not(.link) { fill: var(--k7); }
#by-load:not(:checked) ~ .of-load, #by-load:checked ~ .of-rank { display: none; }
label { margin-right: 16px; }
.legend i.hollow { border: 1.5px solid var(--mark, var(--soft)); }
.legend i.filled { background: var(--mark, var(--taken)); }
.legend i.ramp { width: 180px; margin: 0 6px; }
.strategy { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9rem;
  overflow-wrap: anywhere; }
)";

std::string colour_by_rank_legend(const ShownMachine& shown) {
  std::string stops;
  constexpr int last = 8;
  for (int i = 0; i <= last; ++i) stops += ", " + ramp_colour(static_cast<double>(i) / last);
  return fmt::format(
      "<p class=\"legend of-rank\"><span>rank 0<i class=\"ramp\" "
      "style=\"background:linear-gradient(90deg{})\"></i>rank {}</span></p>\n",
      stops, shown.ranks - 1);
}

// Nodes by what they are, with how many there are.
std::string states_legend(const ShownMachine& shown) {
  const NodeMarks& marks = shown.marks;
  std::vector<bool> is_chosen(shown.is_free.size(), false);
  for (const int node : shown.job) is_chosen[static_cast<std::size_t>(node)] = true;
  std::vector<std::size_t> free(marks.words.size(), 0), taken(marks.words.size(), 0);
  for (std::size_t node = 0; node < shown.is_free.size(); ++node)
    if (!is_chosen[node])
      ++(shown.is_free[node] ? free : taken)[static_cast<std::size_t>(marks.word_of[node])];
  std::string text = fmt::format("<p class=\"legend\"><span>{} of the job</span> ",
                                 counted(shown.job.size(), "node"));
  for (std::size_t word = 0; word < marks.words.size(); ++word)
    for (const bool is_free : {true, false}) {
      const std::size_t count = (is_free ? free : taken)[word];
      if (count == 0) continue;
      text +=
          fmt::format("<span><i class=\"{}{}\"></i>{} {}{}</span> ", is_free ? "hollow" : "filled",
                      word > 0 ? fmt::format(" m{}", word) : "", count,
                      word > 0 ? marks.words[word] + ", " : "", is_free ? "free" : "not free");
    }
  return text + "</p>\n";
}

std::string nodes_part(const ShownMachine& shown) {
  std::string caption;
  const std::string picture = svg_of(shown, caption);
  const double most = *std::ranges::max_element(
      shown.loads.of_vertex.begin(), shown.loads.of_vertex.begin() + shown.network.nodes());
  const double most_of_switches =
      shown.network.vertices() == shown.network.nodes()
          ? 0
          : *std::max_element(shown.loads.of_vertex.begin() + shown.network.nodes(),
                              shown.loads.of_vertex.end());
  std::string text = fmt::format("<p class=\"soft\">{}</p>\n", escaped(caption));
  text +=
      "<input type=\"radio\" name=\"colour\" id=\"by-rank\" checked>\n"
      "<label for=\"by-rank\">nodes by rank</label>\n"
      "<input type=\"radio\" name=\"colour\" id=\"by-load\">\n"
      "<label for=\"by-load\">nodes by bytes sent over their links</label>\n";
  text += picture + states_legend(shown) + colour_by_rank_legend(shown);
  text += load_legend("bytes over the links of a node", most, bytes_unit_for(most), "of-load");
  if (most_of_switches > 0)
    text += load_legend("bytes over the links of a switch or router", most_of_switches,
                        bytes_unit_for(most_of_switches), "of-load");
  if (picture.find("data-bytes") != std::string::npos)
    text += load_legend("time of a link", shown.loads.busiest_seconds, {"ms", 1e-3}, "");
  return section("Nodes", text);
}

std::string placements_part(const Placements& found) {
  std::vector<std::vector<std::string>> rows{{"nodes", "order of ranks", "links, ms", "all, ms"}};
  for (const PlacedJob& one : found.placed)
    rows.push_back({one.nodes, one.order.name, milliseconds(one.link_seconds),
                    milliseconds(one.cost.seconds())});
  return section("Placements",
                 "<p class=\"soft\">The first one is drawn. Links: what the busiest link of each "
                 "exchange takes, all exchanges together; all: the whole prediction.</p>\n" +
                     table(rows, 2));
}

std::string strategy_part(const MachinePage& page, const ShownMachine& shown) {
  std::vector<std::vector<std::string>> rows{
      {"stage", "busiest link", "bytes", "links, ms", "all, ms"}};
  for (const StageCost& stage : page.found.placed.front().cost.stages) {
    const bool has_link = stage.is_exchange && stage.busiest_link >= 0;
    std::string words = "-", bytes = "-";
    if (has_link) {
      const Link& link = shown.network.links()[static_cast<std::size_t>(stage.busiest_link)];
      words = link_text(page.machine.network, shown.network, link);
      bytes = bytes_text(stage.links * link.speed.bytes_per_second);
    }
    rows.push_back({stage.name, words, bytes, has_link ? milliseconds(stage.links) : "-",
                    milliseconds(stage.seconds())});
  }
  return section("Strategy", fmt::format("<p class=\"strategy\">{}</p>\n{}",
                                         escaped(to_string(page.found.strategy)), table(rows, 2)));
}

}  // namespace

std::string machine_page(const MachinePage& page) {
  const auto network = network_of(page.machine.network);
  const std::vector<int>& job = page.found.placed.front().order.places;
  ShownMachine shown{page.machine, *network, page.marks, {}, job, page.ranks, {}};
  shown.is_free.assign(static_cast<std::size_t>(network->nodes()), false);
  for (const int node : page.free) shown.is_free[static_cast<std::size_t>(node)] = true;
  shown.loads = loads_of(*network, page.found.messages, job);
  const std::string header =
      fmt::format("<h1>{}</h1>\n<p class=\"soft\">A {}. {} on {}, {}. Predicted by weft {}.</p>\n",
                  escaped(shown_name(page.machine)), to_string(page.machine.network),
                  escaped(page.problem), counted(static_cast<std::size_t>(page.ranks), "rank"),
                  counted(job.size(), "node"), WEFT_VERSION);
  const auto side_by_side = [](const std::string& parts) {
    return "<div class=\"grid\">\n" + parts + "</div>\n";
  };
  const std::string groups = groups_part(shown), placements = placements_part(page.found);
  const std::string strategy = strategy_part(page, shown);
  return html_of({"weft place: " + shown_name(page.machine), machine_style, header,
                  nodes_part(shown) +
                      side_by_side(links_part(shown) + (groups.empty() ? placements : groups)) +
                      side_by_side((groups.empty() ? "" : placements) + strategy)});
}

}  // namespace weft::cli

// cli/pages/machine_svg: draws frames, switches, links and nodes, in this order.

#include "weft/cli/pages/machine_svg.hpp"

#include <algorithm>
#include <numeric>

#include "weft/base/ensure.hpp"
#include "weft/cli/pages/drawing_parts.hpp"
#include "weft/cli/pages/machine_drawing.hpp"
#include "weft/cli/pages/svg.hpp"
#include "weft/cli/place/network_words.hpp"
#include "weft/cli/report_parts.hpp"

namespace weft::cli {

namespace {

std::string corners_of(const DrawnBox& box) {
  return fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", box.x, box.y,
                     box.width, box.height);
}

std::string step_class(double load, double most) {
  const int step = step_of(load, most);
  return step < 0 ? "" : fmt::format(" k{}", step);
}

double most_of(const std::vector<double>& loads, std::size_t begin, std::size_t end) {
  double most = 0;
  for (std::size_t i = begin; i < end; ++i) most = std::max(most, loads[i]);
  return most;
}

class MachineSvg {
 public:
  explicit MachineSvg(const ShownMachine& shown)
      : shown_(shown),
        nodes_(static_cast<std::size_t>(shown.network.nodes())),
        place_of_node_(nodes_, -1),
        most_of_node_(most_of(shown.loads.of_vertex, 0, nodes_)),
        most_of_switch_(most_of(shown.loads.of_vertex, nodes_, shown.loads.of_vertex.size())) {
    for (std::size_t i = 0; i < shown.job.size(); ++i)
      place_of_node_[static_cast<std::size_t>(shown.job[i])] = static_cast<int>(i);
  }

  std::string node(std::size_t number, const DrawnBox& box) const {
    const int i = place_of_node_[number], word = shown_.marks.word_of[number];
    std::string classes = "node", style;
    if (i >= 0) {
      const double last = std::max<double>(1, static_cast<double>(shown_.job.size()) - 1);
      classes += " chosen";
      style = fmt::format(" style=\"--r:{}\"", ramp_colour(i / last));
    } else if (!shown_.is_free[number]) {
      classes += " taken";
    }
    if (word > 0) classes += fmt::format(" m{}", word);
    classes += step_class(shown_.loads.of_vertex[number], most_of_node_);
    return fmt::format("<rect class=\"{}\" data-node=\"{}\" {}{}><title>{}</title></rect>\n",
                       classes, number, corners_of(box), style, escaped(node_title(number, i)));
  }

  std::string switch_box(std::size_t number, const DrawnBox& box) const {
    const double bytes = shown_.loads.of_vertex[nodes_ + number];
    std::string title =
        vertex_text(shown_.machine.network, shown_.network, static_cast<int>(nodes_ + number));
    if (bytes > 0) title += fmt::format(": {} leave over its links", bytes_text(bytes));
    return fmt::format("<rect class=\"switch{}\" rx=\"2\" {}><title>{}</title></rect>\n",
                       step_class(bytes, most_of_switch_), corners_of(box), escaped(title));
  }

  std::string wire(const DrawnWire& drawn) const {
    const auto link = static_cast<std::size_t>(drawn.link);
    const double bytes = shown_.loads.of_link[link], seconds = shown_.link_seconds(drawn.link);
    if (bytes <= 0) return fmt::format("<path class=\"link\" d=\"{}\"/>\n", drawn.path);
    return fmt::format(
        "<path class=\"link{}\" data-bytes=\"{:.0f}\" d=\"{}\"><title>{}: {}, {} "
        "ms</title></path>\n",
        step_class(seconds, shown_.loads.busiest_seconds), bytes, drawn.path,
        escaped(link_text(shown_.machine.network, shown_.network, shown_.network.links()[link])),
        bytes_text(bytes), milliseconds(seconds));
  }

 private:
  std::string node_title(std::size_t number, int i) const {
    const auto node = static_cast<int>(number);
    std::string text = vertex_text(shown_.machine.network, shown_.network, node);
    if (shown_.marks.word_of[number] > 0) text += ", " + shown_.marks.word(node);
    if (i >= 0)
      text += fmt::format(": {}, which send {} to other nodes", ranks_text(shown_, i),
                          bytes_text(shown_.loads.sent[number]));
    else
      text += shown_.is_free[number] ? ": free" : ": not free";
    const double bytes = shown_.loads.of_vertex[number];
    return bytes > 0 ? text + fmt::format("; {} leave over its links", bytes_text(bytes)) : text;
  }

  const ShownMachine& shown_;
  std::size_t nodes_;
  std::vector<int> place_of_node_;
  double most_of_node_, most_of_switch_;
};

}  // namespace

double ShownMachine::link_seconds(int link) const {
  const auto i = static_cast<std::size_t>(link);
  return loads.of_link[i] / network.links()[i].speed.bytes_per_second;
}

std::string ranks_text(const ShownMachine& shown, int i) {
  const int first = i * shown.machine.ranks_per_node;
  return range_text("rank", first, std::min(first + shown.machine.ranks_per_node, shown.ranks) - 1);
}

std::string svg_of(const ShownMachine& shown, std::string& caption) {
  MachineDrawing drawing = drawing_of(shown.machine.network, shown.network);
  caption = drawing.caption;
  const MachineSvg svg(shown);
  constexpr double most_enlarged = 1.5, text_size = 12, edges_per_side = 13;
  std::string text = fmt::format(
      "<svg class=\"machine\" viewBox=\"-1 -1 {:.1f} {:.1f}\" style=\"max-width:{:.0f}px;"
      "--text:{:.1f}px;--edge:{:.2f}\" role=\"img\" aria-label=\"{}\">\n",
      drawing.width + 2, drawing.height + 2, most_enlarged * drawing.width,
      text_size * std::max(1 / most_enlarged, drawing.width / page_width),
      drawing.nodes.front().width / edges_per_side, escaped(to_string(shown.machine.network)));
  for (const DrawnBox& frame : drawing.frames)
    text += fmt::format("<rect class=\"frame\" rx=\"4\" {}/>\n", corners_of(frame));
  for (std::size_t i = 0; i < drawing.switches.size(); ++i)
    text += svg.switch_box(i, drawing.switches[i]);
  // Draws the busiest links last, above the others.
  std::ranges::stable_sort(drawing.wires, [&](const DrawnWire& a, const DrawnWire& b) {
    return shown.link_seconds(a.link) < shown.link_seconds(b.link);
  });
  for (const DrawnWire& wire : drawing.wires) text += svg.wire(wire);
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) text += svg.node(i, drawing.nodes[i]);
  for (const DrawnLabel& label : drawing.labels)
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", label.x, label.y,
                        escaped(label.text));
  return text + "</svg>\n";
}

}  // namespace weft::cli

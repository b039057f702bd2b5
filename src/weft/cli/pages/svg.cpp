// cli/pages/svg: places marks, lines and cells.

#include "weft/cli/pages/svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/ensure.hpp"
#include "weft/base/printable.hpp"

namespace weft::cli {

namespace {

constexpr double picture_width = 640, picture_height = 380;
constexpr double left = 64, right = 620, top = 14, bottom = 330;

// A logarithmic axis from `low` to `high`, drawn from `from` to `to`.
struct Axis {
  double low = 1, high = 10, from = 0, to = 1;

  double at(double value) const {
    return from + (to - from) * std::log(value / low) / std::log(high / low);
  }
};

// Around the values, to the next mark or beyond it by half.
Axis axis_around(const std::vector<double>& values, double from, double to) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  constexpr double room = 1.35;
  return {*least / room, *most * room, from, to};
}

std::vector<double> marks_of(const Axis& axis, bool is_binary) {
  std::vector<double> marks;
  const bool is_short = axis.high / axis.low < 300;
  if (is_binary) {
    for (int power = 0; power < 64; power += 2)
      if (const double mark = std::ldexp(1.0, power); mark >= axis.low && mark <= axis.high)
        marks.push_back(mark);
    return marks;
  }
  for (int power = -12; power <= 15; ++power)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double mark = digit * std::pow(10.0, power);
      if (mark >= axis.low && mark <= axis.high && (digit == 1 || is_short)) marks.push_back(mark);
    }
  return marks;
}

std::string axes_of(const LogChart& chart, const Axis& x, const Axis& y) {
  std::string text;
  for (const double mark : marks_of(x, chart.has_binary_x))
    text += fmt::format(
        "<line class=\"mark\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0:.1f}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        x.at(mark), top, bottom, bottom + 18,
        chart.x_text == nullptr ? fmt::format("{:g}", mark) : chart.x_text(mark));
  for (const double mark : marks_of(y, false))
    text += fmt::format(
        "<line class=\"mark\" x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\"/>"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:g}</text>\n",
        y.at(mark), left, right, left - 8, y.at(mark) + 4, mark);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                      (left + right) / 2, picture_height - 8, escaped(chart.x_label));
  text += fmt::format(
      "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (top + bottom) / 2, escaped(chart.y_label));
  return text;
}

std::string text_of(const ChartSeries& series, const Axis& x, const Axis& y) {
  std::string text, path;
  for (const ChartPoint& point : series.points) {
    const double px = x.at(point.x), py = y.at(point.y);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : " L", px, py);
    text += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"var(--c{})\"><title>{}: "
        "{}</title></circle>\n",
        px, py, series.is_line ? 3 : 5, series.colour, escaped(series.name), escaped(point.label));
    if (series.is_line) continue;
    const bool is_right = px > (left + right) / 2;  // where a label would leave the picture
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                        is_right ? px - 9 : px + 9, py + 4, is_right ? "end" : "start",
                        escaped(point.label));
  }
  if (!series.is_line || series.points.size() < 2) return text;
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"var(--c{})\" stroke-width=\"2\"/>\n",
                     path, series.colour) +
         text;
}

std::string legend_of(const LogChart& chart) {
  std::string text = "<p class=\"legend\">";
  for (const ChartSeries& series : chart.series)
    text += fmt::format("<span><i style=\"background:var(--c{})\"></i>{}</span> ", series.colour,
                        escaped(series.name));
  return text + "</p>\n";
}

// The range of the positive numbers; 0 and 0 if there are none.
struct CellRange {
  double least = 0, most = 0;
};

CellRange range_of(const std::vector<double>& cells) {
  CellRange range;
  for (const double cell : cells) {
    if (cell <= 0) continue;
    range.least = range.most == 0 ? cell : std::min(range.least, cell);
    range.most = std::max(range.most, cell);
  }
  return range;
}

struct CellSquare {
  double x, y, side;
};

std::string cell_of(const HeatMap& map, std::size_t i, const CellRange& range,
                    const CellSquare& at) {
  const double cell = map.cells[i];
  // Numbers that hardly differ have colours that hardly differ.
  const double spread = std::max(std::log(2.0), std::log(range.most / range.least));
  const double bad =
      (map.more_is_better ? std::log(range.most / cell) : std::log(cell / range.least)) / spread;
  const double good = 1 - bad, gap = std::min(1.0, at.side / 8);
  const std::size_t count = map.names.size();
  std::string text = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"hsl({:.0f} 60% "
      "{:.0f}%)\"><title>{} {} {} {}: {:.3g} {}</title></rect>\n",
      at.x, at.y, at.side - gap, at.side - gap, 20 + 170 * good, 72 - 14 * good, escaped(map.rows),
      map.names[i / count], escaped(map.columns), map.names[i % count], cell, escaped(map.unit));
  constexpr double least_side = 19, most_size = 11, size_per_side = 0.42;
  if (at.side < least_side) return text;
  const int digits = cell >= 100 ? 3 : 2;
  return text + fmt::format(
                    "<text class=\"cell\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" "
                    "style=\"font-size:{:.1f}px\">{:.{}g}</text>\n",
                    at.x + at.side / 2, at.y + at.side / 2 + 4,
                    std::min(most_size, size_per_side * at.side), cell, digits);
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : printable(text)) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += letter;
    }
  }
  return safe;
}

std::string ramp_colour(double share) {
  // Nine colours of Viridis (van der Walt and Smith, 2015), between which the others are.
  constexpr std::array<std::array<double, 3>, 9> stops{{{68, 1, 84},
                                                        {72, 40, 120},
                                                        {62, 74, 137},
                                                        {49, 104, 142},
                                                        {38, 130, 142},
                                                        {31, 158, 137},
                                                        {53, 183, 121},
                                                        {110, 206, 88},
                                                        {253, 231, 37}}};
  const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i)
    text += fmt::format("{:02x}", std::lround(std::lerp(stops[below][i], stops[below + 1][i],
                                                        at - static_cast<double>(below))));
  return text;
}

std::string svg_of(const LogChart& chart) {
  std::vector<double> xs, ys;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) {
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
  if (xs.empty()) return "";
  const Axis x = axis_around(xs, left, right), y = axis_around(ys, bottom, top);
  std::string text = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} against {}\">\n",
      picture_width, picture_height, escaped(chart.y_label), escaped(chart.x_label));
  text += axes_of(chart, x, y);
  for (const ChartSeries& series : chart.series) text += text_of(series, x, y);
  return text + "</svg>\n" + legend_of(chart);
}

std::string svg_of(const HeatMap& map) {
  const std::size_t count = map.names.size();
  const CellRange range = range_of(map.cells);
  if (range.most == 0) return "";
  constexpr double margin = 34, side = 420;
  const double each = side / static_cast<double>(count);
  std::string text = fmt::format(
      "<svg class=\"map\" viewBox=\"0 0 {0} {0}\" role=\"img\" aria-label=\"{1} by pairs\">\n",
      margin + side, escaped(map.unit));
  constexpr double name_width = 18;
  const auto between = static_cast<std::size_t>(std::ceil(name_width / each));
  for (std::size_t i = 0; i < count; i += between) {
    const double centre = margin + (static_cast<double>(i) + 0.5) * each;
    text += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>"
        "<text x=\"{1}\" y=\"{3:.1f}\" text-anchor=\"end\">{2}</text>\n",
        centre, margin - 8, map.names[i], centre + 4);
  }
  for (std::size_t i = 0; i < count * count; ++i)
    if (map.cells[i] > 0) {
      const std::size_t row = i / count, column = i % count;
      text += cell_of(map, i, range,
                      {margin + static_cast<double>(column) * each,
                       margin + static_cast<double>(row) * each, each});
    }
  return text + "</svg>\n";
}

}  // namespace weft::cli

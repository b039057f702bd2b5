// cli/pages/svg: pictures for pages, as SVG whose colours are those of the page's style.
// Pure.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// `text` with the characters replaced that have a meaning in HTML.
std::string escaped(const std::string& text);

/// A colour as #rrggbb for a share from 0 to 1, from dark blue to yellow, ever lighter.
std::string ramp_colour(double share);

struct ChartPoint {
  double x = 0, y = 0;
  std::string label;  ///< shown beside the point, or for a line when the pointer is on it
};

/// A line through points, or points alone.
struct ChartSeries {
  std::string name;
  bool is_line = true;
  int colour = 0;  ///< of the page: --c0 to --c5
  std::vector<ChartPoint> points;
};

/// A picture with logarithmic axes. All numbers are positive.
struct LogChart {
  std::string x_label, y_label;
  std::string (*x_text)(double) = nullptr;  ///< of the marks of the axis; null: as they are
  bool has_binary_x = false;                ///< marks at powers of 4 instead of 10
  std::vector<ChartSeries> series;
};

/// The picture, with a legend; empty without a point.
std::string svg_of(const LogChart& chart);

/// A square of numbers, by row and column.
struct HeatMap {
  std::string unit;
  std::vector<int> names;     ///< of the rows, and of the columns
  std::vector<double> cells;  ///< row after row; not positive: left empty
  bool more_is_better = true;
  /// What is said of a cell: "ranks 1 and 2: 3 GB/s".
  std::string rows = "ranks", columns = "and";
};

/// The picture, with numbers in cells that have room for them; empty without a number.
std::string svg_of(const HeatMap& map);

}  // namespace weft::cli

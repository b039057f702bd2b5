// cli/pages/drawing_parts: what the drawings of all shapes are made of.
// Pure.
#pragma once

#include "weft/cli/pages/machine_drawing.hpp"

namespace weft::cli {

struct DrawnPoint {
  double x = 0, y = 0;
};

/// The most links of a network that are drawn.
constexpr std::size_t most_wires = 16384;

/// The width that a page has for a drawing of moderate size.
constexpr double page_width = 1070;

/// Sides of most nodes, the lengths of lines that only begin to lead somewhere, and the room for a
/// label above what it names.
constexpr double node_side = 14, stub_length = 7, label_height = 18;

DrawnPoint centre_of(const DrawnBox& box);

/// A line that keeps to the right of the line between two points, so that both directions are seen,
/// without `from_gap` and `to_gap` at its ends.
std::string lane_path(DrawnPoint from, DrawnPoint to, double from_gap, double to_gap);

/// Where the i-th of items in rows of `columns` begins.
DrawnPoint in_rows(int i, int columns, double width, double height);
/// The rows of `count` items.
int rows_for(int count, int columns);

/// Items of equal size in rows: how many of `count` are in a row, so that the whole is about
/// `aspect` times as wide as it is high.
int columns_for(int count, double item_width, double item_height, double aspect);

// The drawings, each defined in its own file.
MachineDrawing draw_crossbar(const Crossbar& shape, const Network& network);
MachineDrawing draw_torus(const Torus& shape, const Network& network);
MachineDrawing draw_tree(const FatTree& shape, const Network& network);
MachineDrawing draw_dragonfly(const Dragonfly& shape, const Network& network);
MachineDrawing draw_graph(const Graph& shape, const Network& network);

}  // namespace weft::cli
